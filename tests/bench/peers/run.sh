#!/bin/bash
# tests/bench/peers/run.sh PROGRAM [--boxes N] [--pairs N] [--repeats N]
#
# Times CGAL's box_intersection_d and voro++ beside the program's own kernels: the same loads, in
# turn, in one process; and compares pairs and volumes. The ratio is theirs over ours, of medians.
# What is not installed is named; exit code 77 when neither is, 1 when results differ. PROGRAM is
# drystone in its build tree, whose libraries are linked; the kernels of others never are with it.
# test: slow
# test: timeout 1800
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../../.." && pwd)
program=${1:?usage: run.sh PROGRAM [--boxes N] [--pairs N] [--repeats N]}
tree=$(cd "$(dirname "$program")" && pwd) || exit 1
shift
while [ $# -gt 0 ]; do
  case $1 in
  --boxes) boxes=${2-} ;;
  --pairs) pairs=${2-} ;;
  --repeats) repeats=${2-} ;;
  *) echo "unknown option $1; known are --boxes, --pairs and --repeats" >&2; exit 2 ;;
  esac
  [[ ${2-} =~ ^[1-9][0-9]{0,7}$ ]] || { echo "option $1 needs a number from 1 to 99999999" >&2; exit 2; }
  shift 2
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

missing=()
command -v mpicxx >/dev/null && mpicxx --version >/dev/null 2>&1 || missing+=("a compiler of C++ (g++) behind mpicxx")

# builds PEER HEADER PACKAGE [LIBRARY]...: the program of a peer, or its name among the missing
modules=(bench contact scene body geometry base)
builds()
{
  local peer=$1 header=$2 package=$3
  shift 3
  [ ${#missing[@]} -eq 0 ] || [[ ${missing[0]} != *compiler* ]] || return 1
  if ! echo "#include <$header>" | mpicxx -x c++ -E - >/dev/null 2>&1; then
    missing+=("$header ($package)")
    return 1
  fi
  local flags=(-O3) include=() library=()
  [ "$(uname -m)" != x86_64 ] || flags+=(-march=x86-64-v3)
  for module in "${modules[@]}"; do
    include+=(-I "$source/src/$module")
    library+=("$tree/lib$module.a")
  done
  [ -f "$work/peer_loads.o" ] ||
    mpicc -std=c17 "${flags[@]}" -D_GNU_SOURCE "${include[@]}" -c "$here/peer_loads.c" -o "$work/peer_loads.o" ||
    exit 1
  mpicxx -std=c++17 -Wall -Wextra "${flags[@]}" -I "$here" "$here/$peer.cpp" "$work/peer_loads.o" "${library[@]}" "$@" \
    -o "$work/$peer" || exit 1
}

status=77
# times PEER OPTION...: 0 when a peer agrees, whatever came before
times()
{
  "$work/$1" "${@:2}"
  local code=$?
  [ $code -eq 0 ] || { status=1; return; }
  [ $status -eq 1 ] || status=0
}

if builds cgal_overlap CGAL/box_intersection_d.h libcgal-dev; then
  times cgal_overlap --boxes "${boxes:-1000000}" --repeats "${repeats:-5}"
  echo
fi
if builds voro_volume voro++/voro++.hh voro++-dev -lvoro++; then
  times voro_volume --pairs "${pairs:-20000}" --repeats "${repeats:-5}"
  echo
fi
[ $status -eq 77 ] ||
  echo "median, lowest and highest of ${repeats:-5} repeats, processor time; ratio: theirs over ours"
for what in "${missing[@]}"; do echo "not installed: $what"; done
exit $status
