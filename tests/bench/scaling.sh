#!/bin/bash
# tests/bench/scaling.sh PROGRAM [--weak] [--strong] [--speedup] [OPTION]...   what more ranks cost and bring;
# --help says what the options are, scaling.py how each number is found.
# test: needs python3
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=/usr/bin/python3
[ -x $python ] || python=python3
exec $python "$folder/scaling.py" "$@"
