#!/bin/bash
# Own memory of a wall, counted and thus the same in every run: contact points may take a twentieth more than they did
# when this was written, in sweeps, with a linear system as automatic choice has it, and with a checkpoint and frames;
# and so may those that one of three ranks knows.
# test: ranks 3
source "$(dirname "$0")/runs.bash"
rm -rf wall.yaml sweeps system ranks system-ranks frames fields ./*.log ./*.txt

cat >wall.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6}]
time: {step: 1e-3, end: 1}
solver: {method: nesterov, max_sweeps: 5}
bodies:
  - {box: [400, 400, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - grid: {box: [0.398, 0.198, 0.2], count: [20, 10, 10], spacing: [0.4, 0.2, 0.4]}
    at: [0.2, 0.1, 0.1]
    material: stone
  - grid: {box: [0.398, 0.198, 0.2], count: [20, 9, 10], spacing: [0.4, 0.2, 0.4]}
    at: [0.4, 0.2, 0.3]
    material: stone
END

# bytes FOLDER MOST: of a point beside its body, from the last lines of a run
bytes()
{
  local said='s/.* \([0-9]*\) bytes a point beside 1500 a body$/\1/p' bytes
  bytes=$(sed -n "$said" "$1.log")
  expect "$1: ${bytes:-no} bytes a point, at most $2" [ "${bytes:-999999}" -le "$2" ]
}

piece "$program" 1 wall.yaml sweeps --steps 3 --set output.frames.every=0
bytes sweeps 598   # 569
piece "$program" 1 wall.yaml frames --steps 3 --set output.frames.every=1e-3 --set output.frames.fields=none
bytes frames 598   # 568
piece "$program" 1 wall.yaml fields --steps 3 --set output.frames.every=1e-3
bytes fields 770   # 734, with the pairs of the frame and how they moved
piece "$program" 3 wall.yaml ranks --steps 3 --set output.frames.every=0
bytes ranks 722   # 688, most of it on few bodies: 15.5 MB on a rank

system="--set solver.method=automatic --set solver.max_sweeps=400 --set output.frames.every=0"
piece "$program" 1 wall.yaml system --steps 2 $system
bytes system 915   # 871
expect "automatic choice has a linear system" grep -q admm-amg system.log
piece "$program" 3 wall.yaml system-ranks --steps 2 $system
bytes system-ranks 1006   # 958
[ "$failures" -eq 0 ]
