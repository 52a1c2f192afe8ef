#!/bin/bash
# tests/build.sh TREE TYPE [OPTION]...   builds everything as TYPE (Debug, Asan, ...) in the folder TREE; options go to
# the configuration
#
# A warning is an error here.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh" || exit 1
cmake -S "$setup_root" -B "$1" -DCMAKE_BUILD_TYPE="$2" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "${@:3}" &&
  cmake --build "$1" -j "$(setup_jobs)"
