#!/bin/bash
# house/needs.sh ROOT   every program, module of Python and header that a test, a job or their helpers use is on every
# Debian, is installed for the build, or is of a package that a line "test: needs" of that very file names; and no such
# line names a package that its file does not use. Which package has what is in the table ../packages.txt.
# test: needs python3
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "${BASH_SOURCE[0]}")/needs.py" "$1" "$(dirname "${BASH_SOURCE[0]}")/../packages.txt"
