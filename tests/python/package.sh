#!/bin/bash
# The Python package writes cases, checks them, runs them, and goes on with studies that were broken off.
# test: needs python3 python3-h5py python3-numpy
# test: ranks 2
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
export DRYSTONE=$(realpath "$1") PYTHONDONTWRITEBYTECODE=1
rm -rf work && mkdir work && cd work || exit 1
PYTHONPATH=$tests/../io/python "$python" "$tests/python/package.py" "$tests/mpirun.sh"
