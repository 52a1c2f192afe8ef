#!/bin/bash
# No BLAS in the program, not even by way of another library: its kernels and threads depend on the machine.
# test: trees
command -v ldd >/dev/null || { echo "ldd is not installed"; exit 77; }
libraries=$(ldd "$1") || { echo "ldd fails on $1"; exit 1; }
grep -q libcxsparse <<<"$libraries" || { echo "ldd does not name the libraries of $1"; exit 1; }
if grep -iE 'blas|lapack|mkl|blis' <<<"$libraries"; then
  echo "the libraries above came with $1"
  exit 1
fi
echo "$(wc -l <<<"$libraries") libraries, none of them a BLAS"
