#!/bin/bash
# tests/paraview/open_results.sh PROGRAM   ParaView opens and renders an arch, bodies that appear and
# leave, and blocks that deform
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
cat >changing.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.2}
materials:
  stone: {density: 2000}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {grid: {box: [0.1, 0.1, 0.1], count: [4, 2, 1], spacing: [0.4, 0.4, 1]}, at: [-0.4, -0.2, 0.05], material: stone,
     birth: 0.03}
  - {box: [1, 1, 0.2], at: [0, 0, -0.1], material: stone, fixed: true, birth: 0.02,
     name: plate}
  - {wedge: [0.2, 0.2, 0.2], material: stone, at: [0, 0, 0.1], birth: 0.1}
  - {sphere: {radius: 0.05}, at: [0, 0.8, 0.8], material: stone, birth: 0.06, name: bob}
joints:
  - {rod: [[0, 0.8, 0.8], [0.3, 0.8, 0.9]], between: [bob], strength: {tension: 12}}
  - {cable: [[0, 0.8, 0.8], [0.2, 0.2, 0.2]], between: [bob, plate], length: 2}
domain: {low: [-1, -1, -0.05], high: [2, 1, 1]}
output: {frames: {every: 0.04}}
END
"$tests/mpirun.sh" 2 "$program" run changing.yaml -o changing --overwrite || exit 1
[ "$(wc -l <changing/removed.csv)" -gt 2 ] || { echo "no body left"; exit 1; }

# a block that is pressed and sheared, another one on it
cat >soft.yaml <<'END'
units: SI
gravity: [2, 1, -9.81]
time: {step: 1e-3, end: 0.1}
materials: {stone: {density: 2000, young: 1e6, poisson: 0.3, damping: 0.02}}
contacts: [{between: [stone, stone], friction: 0.8}]
bodies:
  - {box: [2, 2, 0.2], at: [0, 0, -0.1], material: stone, fixed: true}
  - {grid: {box: [0.4, 0.5, 0.2], count: [1, 1, 2], spacing: [1, 1, 0.2]}, at: [0, 0, 0.1], material: stone,
     elastic: affine}
output: {frames: {every: 0.05}}
END
"$tests/mpirun.sh" 2 "$program" run soft.yaml -o soft --overwrite || exit 1

# render FOLDER: the X server of a busy machine may be late: one more try, as for no other test
render()
{
  rm -f "$1.png"
  timeout 300 xvfb-run -a pvbatch "$tests/paraview/open_results.py" "$1" "$1.png" </dev/null
}
for folder in arch changing soft; do
  render $folder || { echo "once more"; render $folder; } || exit 1
  [ -s $folder.png ] || { echo "no picture was written"; exit 1; }
done
