#!/bin/bash
# Motions by component and servos: a sheared box of stones under a lid that sinks, bodies that turn about one axis, one
# born late: the same hash and hash log on any number of ranks, with a new partition every three steps, after a restart,
# and, with a second program, in all builds.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf shear* press* ./*.txt   # of an earlier run

cat >shear.yaml <<'END_CASE'
title: stones in two halves of a box, under a lid
units: SI
gravity: [0, 0, -9.81]
seed: 4
time: {step: 1e-3, end: 0.14}
materials: {stone: {density: 2600}, steel: {density: 7800}}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [stone, steel], friction: 0.2}
  - {between: [steel, steel], friction: 0.1}
solver: {tolerance: 1e-2, max_sweeps: 100}
bodies:
  - {box: [3, 3, 0.2], at: [0, 0, -0.1], material: steel, fixed: true, name: floor}
  - {container: {box: [1, 1, 0.3], thickness: 0.1, floor: false}, at: [0, 0, 0.15], material: steel, fixed: true}
  - {container: {box: [1, 1, 0.5], thickness: 0.1, floor: false}, at: [0, 0, 0.55], material: steel, name: upper,
     motion: {velocity: {x: {ramp: {from: 0, to: 0.5, start: 0.02, duration: 0.02}}}, free: [z], lock: [rx, ry, rz]}}
  - stones:
      shapes: [{random: {points: 12, variety: 9}}]
      sizes: {table: [[0.16, 0], [0.24, 1]]}
      lattice: {count: [3, 3, 2], spacing: [0.31, 0.31, 0.31], jitter: 0.5}
      turn: random
    at: [-0.31, -0.31, 0.13]
    material: stone
    velocity: [0, 0, -2]
  - {box: [0.9, 0.9, 0.05], at: [0, 0, 0.62], material: steel, name: lid, velocity: [0, 0, -4],
     motion: {velocity: {x: {ramp: {from: 0, to: 0.5, start: 0.02, duration: 0.02}}}, free: [y, z, ry]}}
  - {box: [0.6, 0.1, 0.1], at: [0.2, 0, 0.7], material: stone, name: rocker, velocity: [0, 0, -4],
     motion: {lock: [x, y, rz, rx]}}
  - {sphere: {radius: 0.08}, at: [-0.2, 0, 0.7], velocity: [0, 0, -4], material: stone, name: bob,
     spin: [0, 9, 0], birth: 0.03,
     motion: {velocity: {rz: 4}, free: [x, y, z, ry]}}
END_CASE
bits_on_ranks shear shear- 65

# halves of steps, and sets of solvers
ways=("--set solver.unsolved=halve --set solver.max_sweeps=25")
[ -n "$two_programs" ] || ways+=("--set solver.method=admm-amg" "--set solver.method=interior-point")
for options in "${ways[@]}"; do
  piece "$release" 1 shear.yaml shear-first $options --overwrite
  piece "$program" 3 shear.yaml shear-second $options --overwrite --set partition.every=4
  same_bits "shear $options, 3 ranks" shear-second shear-first
done

# servos press it: a lid that goes with the upper half, a ram from the side that no guide holds
sed 's/title: stones/title: pressed stones/' shear.yaml >press.yaml
cat >>press.yaml <<'END_CASE'
  - {box: [0.1, 0.1, 0.1], at: [1, 0, 0.05], material: steel, name: ram}
servos:
  - {on: lid, axis: z, pressure: {ramp: {from: 1e4, to: 3e4, start: 0, duration: 0.1}}, speed: 1}
  - {on: ram, axis: x, force: 900, speed: 4}
END_CASE
bits_on_ranks press press- 75
piece "$release" 1 press.yaml press-first --set solver.unsolved=halve --set solver.max_sweeps=25
piece "$program" 3 press.yaml press-second --set solver.unsolved=halve --set solver.max_sweeps=25
same_bits "press in halves, 3 ranks" press-second press-first

# the lid goes as it is told, and works of the guides are told
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next} {w += $n["prescribed_work"]}
  END {print "work of guides", w; exit !(w > 0)}' shear-one/history.csv || failures=1
[ "$failures" -eq 0 ]
