#!/bin/bash
# tests/paraview/open_results.sh PROGRAM   ParaView opens and renders an arch, bodies that appear and
# leave, blocks that deform, and finite elements
# test: needs paraview xauth xvfb
# test: slow
# test: ranks 2
# test: timeout 900
set -u
program=$1
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

for tool in pvbatch xvfb-run; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done

"$tests/mpirun.sh" 2 "$program" run "$tests/../jobs/arch/arch.yaml" -o arch --overwrite \
  --steps 100 --set output.frames.every=0.02 || exit 1

# bodies that appear and leave: every frame has a mesh of its own, the first of them an empty one
"$tests/mpirun.sh" 2 "$program" run "$tests/paraview/changing.yaml" -o changing --overwrite || exit 1
[ "$(wc -l <changing/removed.csv)" -gt 2 ] || { echo "no body left"; exit 1; }

# a block that is pressed and sheared, another one on it
"$tests/mpirun.sh" 2 "$program" run "$tests/paraview/soft.yaml" -o soft --overwrite || exit 1

# a lintel of finite elements and a block on it; the block comes later
"$tests/mpirun.sh" 2 "$program" run "$tests/paraview/lintel.yaml" -o lintel --overwrite || exit 1
sed 's/name: block/&, birth: 0.05/' "$tests/paraview/lintel.yaml" >comes.yaml
"$tests/mpirun.sh" 2 "$program" run comes.yaml -o comes --overwrite || exit 1

# render FOLDER: the X server of a busy machine may be late: one more try, as for no other test
render()
{
  rm -f "$1.png"
  timeout 300 xvfb-run -a pvbatch "$tests/paraview/open_results.py" "$1" "$1.png" </dev/null
}
for folder in arch changing soft lintel comes; do
  render $folder || { echo "once more"; render $folder; } || exit 1
  [ -s $folder.png ] || { echo "no picture was written"; exit 1; }
done
