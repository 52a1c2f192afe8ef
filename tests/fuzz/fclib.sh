#!/bin/bash
# drystone solve on damaged files and on kinds of problems that it does not solve: one message each.
# test: needs python3
# test: slow
# test: trees asan
exec /usr/bin/python3 "$(dirname "$0")/fclib_files.py" "$1"
