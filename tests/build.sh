#!/bin/bash
# tests/build.sh TREE TYPE   builds everything as TYPE (Debug, Asan, ...) in the folder TREE
#
# A warning is an error here.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh" || exit 1
cmake -S "$setup_root" -B "$1" -DCMAKE_BUILD_TYPE="$2" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON &&
  cmake --build "$1" -j "$(setup_jobs)"
