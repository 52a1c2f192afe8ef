#!/bin/bash
# Voronoi cells of rubble walls and of seeds at random beside those of voro++: the same neighbours, volumes and areas.
# test: needs g++ voro++-dev
# test: timeout 300
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
program=${1:?usage: voronoi.sh PROGRAM}
tree=$(cd "$(dirname "$program")" && pwd) || exit 1
echo '#include <voro++/voro++.hh>' | mpicxx -x c++ -E - >/dev/null 2>&1 ||
  { echo "voro++/voro++.hh (voro++-dev) or a compiler of C++ (g++) is not installed"; exit 77; }

# all folders with headers, and all libraries of the build tree in one group
mapfile -t folders < <(find "$source/src" -name '*.h' -printf '%h\n' | sort -u)
mpicc -std=c17 -O2 -D_GNU_SOURCE "${folders[@]/#/-I}" "$here/voronoi_cells.c" \
  -Wl,--start-group "$tree"/librubble.a "$tree"/librandom.a "$tree"/libgeometry.a "$tree"/libbase.a "$tree"/libmaths.a \
  -Wl,--end-group -lm -o cells || exit 1
mpicxx -std=c++17 -Wall -Wextra -O2 "$here/voronoi_peer.cpp" -lvoro++ -o peer || exit 1
./cells >cells.txt || { echo "FAILED  cells that cannot be cut"; exit 1; }
./peer <cells.txt
