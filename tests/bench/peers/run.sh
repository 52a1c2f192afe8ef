#!/bin/bash
# tests/bench/peers/run.sh PROGRAM [--boxes N] [--pairs N] [--poses N] [--repeats N] [--sweeps N] [--problem FILE]...
#
# Times CGAL's box_intersection_d, voro++ and FCL's distance beside the program's own kernels: the same scenarios, in
# turn, in one process; and compares pairs and volumes. The ratio is theirs over ours, of medians.
# Then Siconos' NSGS beside the program's solvers, on contact problems that runs of it wrote and on
# FCLIB files that are given: residuals in both measures, sweeps (of Siconos at most --sweeps).
# What is not installed is named; exit code 77 when neither is, 1 when results differ. PROGRAM is
# drystone in its build tree, whose libraries are linked; the kernels of others never are with it.
# test: needs g++ libcgal-dev libfcl-dev libsiconos-numerics-dev voro++-dev tetgen
# test: slow
# test: early
# test: timeout 1800
# test: options --repeats 2 --boxes 200000 --pairs 5000 --poses 10
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../../.." && pwd)
program=${1:?usage: run.sh PROGRAM [--boxes N] [--pairs N] [--poses N] [--repeats N] [--sweeps N] [--problem FILE]...}
tree=$(cd "$(dirname "$program")" && pwd) || exit 1
program=$tree/$(basename "$program")
problems=()
shift
while [ $# -gt 0 ]; do
  case $1 in
  --boxes) boxes=${2-} ;;
  --pairs) pairs=${2-} ;;
  --poses) poses=${2-} ;;
  --repeats) repeats=${2-} ;;
  --sweeps) sweeps=${2-} ;;
  --problem)
    [ -f "${2-}" ] || { echo "option --problem needs a file, found '${2-}'" >&2; exit 2; }
    problems+=("$2")
    shift 2
    continue
    ;;
  *) echo "unknown option $1; known are --boxes, --pairs, --poses, --repeats, --sweeps and --problem" >&2; exit 2 ;;
  esac
  [[ ${2-} =~ ^[1-9][0-9]{0,7}$ ]] || { echo "option $1 needs a number from 1 to 99999999" >&2; exit 2; }
  shift 2
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

missing=()
command -v mpicxx >/dev/null && mpicxx --version >/dev/null 2>&1 || missing+=("a compiler of C++ (g++) behind mpicxx")

# all folders with headers, and all libraries of the build tree in one group
mapfile -t folders < <(find "$source/src" "$source/io" "$source/partition" -name '*.h' -printf '%h\n' | sort -u)
include=("${folders[@]/#/-I}")
library=(-Wl,--start-group "$tree"/lib*.a -Wl,--end-group)

# builds PEER HEADER PACKAGE [LIBRARY]...: the program of a peer, or its name among the missing
builds()
{
  local peer=$1 header=$2 package=$3
  shift 3
  [ ${#missing[@]} -eq 0 ] || [[ ${missing[0]} != *compiler* ]] || return 1
  if ! echo "#include <$header>" | mpicxx -x c++ -E - >/dev/null 2>&1; then
    missing+=("$header ($package)")
    return 1
  fi
  local flags=(-O3)
  [ "$(uname -m)" != x86_64 ] || flags+=(-march=x86-64-v3)
  [ -f "$work/peer_scenarios.o" ] ||
    mpicc -std=c17 "${flags[@]}" -D_GNU_SOURCE "${include[@]}" -c "$here/peer_scenarios.c" \
      -o "$work/peer_scenarios.o" ||
    exit 1
  mpicxx -std=c++17 -Wall -Wextra "${flags[@]}" -I "$here" "$here/$peer.cpp" "$work/peer_scenarios.o" \
    "${library[@]}" "$@" \
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
if CPLUS_INCLUDE_PATH=/usr/include/eigen3 builds fcl_distance fcl/fcl.h libfcl-dev -lfcl -lccd; then
  times fcl_distance --poses "${poses:-50}" --repeats "${repeats:-5}"
  echo
fi
[ $status -eq 77 ] ||
  echo "median, lowest and highest of ${repeats:-5} repeats, processor time; ratio: theirs over ours"

# problem NAME STEP CASE: the contact problem of a step of a case, as a file
problem()
{
  "$program" run "$3" -o "$work/$1" --steps "$2" --dump-problem "$2" >"$work/$1.log" 2>&1 &&
    mv "$work/$1/problem-$(printf %09d "$2").hdf5" "$work/$1.hdf5" || { tail -n 5 "$work/$1.log"; exit 1; }
  problems+=("$work/$1.hdf5")
}

# Siconos has functions with the names of MPI's, so that it gets a program of its own
builds_siconos()
{
  local siconos=(-I /usr/include/siconos -I /usr/include/siconos/numerics -I /usr/include/suitesparse)
  local hdf5=()
  if ! echo "#include <fc3d_Solvers.h>" | mpicc "${siconos[@]}" -x c -E - >/dev/null 2>&1; then
    missing+=("fc3d_Solvers.h (libsiconos-numerics-dev)")
    return 1
  fi
  cc -std=gnu17 -O3 -Wall -Wextra "${siconos[@]}" "$here/siconos_nsgs.c" -lsiconos_numerics -lm \
    -o "$work/siconos_nsgs" || exit 1
  read -r -a hdf5 < <(pkg-config --libs hdf5-openmpi 2>/dev/null || echo -lhdf5)
  mpicc -std=c17 -O3 -Wall -Wextra -D_GNU_SOURCE "${include[@]}" "$here/contact_peer.c" \
    "${library[@]}" -lcxsparse -lmetis -lyaml "${hdf5[@]}" -lm -o "$work/contact_peer" || exit 1
}

if builds_siconos; then
  problem wall-210 1 "$source/jobs/wall/wall.yaml"
  problem wall-tilt 1 "$here/wall_tilt.yaml"
  problem rubble 250 "$here/rubble.yaml"
  echo
  "$work/contact_peer" "$work/siconos_nsgs" "$work" "${sweeps:-2000}" "${problems[@]}"
  code=$?
  if [ $code -ne 0 ]; then status=1; elif [ $status -eq 77 ]; then status=0; fi
  echo "residual: the program's measure; Siconos': the error that Siconos stops by; seconds of processor time"
fi
for what in "${missing[@]}"; do echo "not installed: $what"; done
exit $status
