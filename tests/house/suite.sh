#!/bin/bash
# house/suite.sh ROOT   a suite is made of the files it should be, and what is installed, or asked for, is what these
# files and all that they use need: tests/suite.sh and tests/setup.sh in a small tree
set -u
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# file PATH LINE...
file()
{
  mkdir -p "$(dirname "$tree/$1")"
  printf '%s\n' "${@:2}" >"$tree/$1"
}

# same TEXT EXPECTED FOUND: words in any order
same()
{
  local expected found
  expected=$(tr -s ' \n' '\n' <<<"$2" | sort) found=$(tr -s ' \n' '\n' <<<"$3" | sort)
  [ "$expected" = "$found" ] && return
  echo "$1: expected $(tr '\n' ' ' <<<"$expected"), found $(tr '\n' ' ' <<<"$found")"
  failed=1
}

file tests/mpi/quick.sh '# test: needs one' 'source "$(dirname "$0")/../shared.bash"' '# as slow.sh does'
file tests/mpi/slow.sh '# test: slow' '# test: needs two' "\"\$tests/faults/deep.py\""
file tests/shared.bash '# test: needs three three-more' 'run "$tests/../jobs/tool.sh"   # not run.sh'
file tests/faults/deep.py '# test: needs four' 'im''port deeper' 'fr''om other import name'
file tests/faults/deeper.py '# test: needs five'
file tests/python/other.py '# test: needs six'
file tests/python/user.py 'im''port package' '# test: needs twelve'
file tests/python/read.sh '# test: slow' "python3 user.py" 'python3 "$docs/page.py"'
file src/docs/page.py '# test: needs sixteen'
file io/python/package/__init__.py '# test: needs thirteen' 'fr''om package.deep im''port name' \
  'importlib.import''_module("package.late")'
file io/python/package/deep.py '# test: needs fourteen'
file io/python/package/late.py '# test: needs fifteen'
file io/python/package/unused.py '# test: needs unused'
file tests/unit/test_exact.c '#include "exact.h"'
file tests/unit/exact.h '#pragma once'
file tests/unit/exact.c '// test: needs seven'
file tests/unit/unused.c '// test: needs unused'
file tests/bench/unused.sh '# test: needs unused'
file tests/fuzz/run''.sh '# test: needs unused'
file tests/physics/case.py '# test: needs eight'
file tests/house/rule.sh 'true'
file jobs/tool.sh '# test: needs nine' 'source "$folder/arch/run.sh"'
file jobs/arch/run.sh '# test: needs ten'
file jobs/wall/run.sh '# test: needs eleven'
file io/python/reader.py '# test: needs unused'
cp "$1/tests/suite.sh" "$1/tests/setup.sh" "$tree/tests"

quick="tests/mpi/quick.sh tests/unit/test_exact.c tests/physics/case.py tests/house/rule.sh"
same "the quick suite" "$quick" "$("$tree/tests/suite.sh" tests)"
same "the whole suite" "$quick tests/mpi/slow.sh tests/python/read.sh jobs/arch/run.sh jobs/wall/run.sh" \
  "$("$tree/tests/suite.sh" tests --all)"
packages="one three three-more seven eight nine ten"
same "packages of the quick suite" "$packages" "$("$tree/tests/suite.sh" packages)"
same "packages of the whole suite" "$packages two four five six eleven twelve thirteen fourteen fifteen sixteen" \
  "$("$tree/tests/suite.sh" packages --all)"

# asked_for OPTION: what somebody who may not install is told to, on a Debian that has everything but three
asked_for()
{
  printf '#!/bin/bash\ncase ${*: -1} in one | seven | two) exit 1 ;; *) echo installed ;; esac\n' >"$tree/dpkg-query"
  printf '#!/bin/bash\necho 1000\n' >"$tree/id"
  printf '#!/bin/bash\necho "apt-get $*"\n' >"$tree/apt-get"
  chmod +x "$tree/dpkg-query" "$tree/id" "$tree/apt-get"
  env -u DRYSTONE_SETUP PATH="$tree:$PATH" "$tree/tests/setup.sh" "$1" >"$tree/log" 2>&1
  code=$?
  [ $code -eq 2 ] || { echo "setup.sh $1 without the right to install: code $code"; cat "$tree/log"; failed=1; }
  said=$(sed -nE 's/^  sudo apt-get update .* install -y --no-install-recommends (.*)/\1/p' "$tree/log")
}
asked_for --quick
same "asked for by the quick suite" "one seven" "$said"
asked_for --all
same "asked for by the whole suite" "one seven two" "$said"

exit $failed
