#!/bin/bash
# house/prose.sh ROOT   every Markdown file has plain sentences, names files that exist, and keeps the form of decisions
# test: needs python3
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "${BASH_SOURCE[0]}")/prose.py" "$1"
