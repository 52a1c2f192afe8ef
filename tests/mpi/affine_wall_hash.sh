#!/bin/bash
# A wall of affine bricks that is shaken, and affine blocks that joints hold beside rigid ones: the same hash and
# history on any number of ranks, in one piece and in many, with a new partition every few steps, and, with a second
# program (the release build's), in all builds. Shaken, less than one step in a hundred misses its tolerance.
# test: ranks 7
# test: timeout 900
source "$(dirname "$0")/runs.bash"
rm -rf one begun long parts ranks[1-7] held* ./*.txt   # of an earlier run
cat >wall.yaml <<'END_OF_CASE'
title: a wall of affine bricks that is shaken
units: SI
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [2.943, 0, 0], angular_frequency: 30, phase: 90}}]}
time: {step: 1e-3, end: 0.06}
materials: {stone: {density: 2400, young: 1e10, poisson: 0.2, damping: 1e-5}}
contacts: [{between: [stone, stone], friction: 0.6}]
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {wall: {courses: 6, bricks: 4, brick: [0.4, 0.2, 0.2], joint: 0}, material: stone, elastic: affine}
solver: {tolerance: 1e-2, max_sweeps: 100}
output: {checkpoint: {steps: 25}}
END_OF_CASE
piece "$release" 1 wall.yaml one
piece "$release" 1 wall.yaml begun --steps 24
for ranks in $(counts "$whole_ranks" ""); do
  piece "$program" "$ranks" wall.yaml "ranks$ranks" --set partition.every=7 --steps 24
  same_bits "$ranks ranks" "ranks$ranks" begun
  expect "$ranks ranks: history" diff <(physics begun) <(physics "ranks$ranks")
done
piece "$program" $(counts 4 2) wall.yaml parts --steps 17
piece "$program" 3 wall.yaml parts --steps 30 --restart --set partition.every=4
piece "$program" 1 wall.yaml parts --steps 31 --restart
piece "$program" 3 wall.yaml parts --restart
same_bits "in pieces" parts one
expect "history in pieces" diff <(physics one) <(physics parts)

# kinds, joints and contacts beside each other
cat >held.yaml <<'END_OF_CASE'
title: affine and rigid blocks in contact, held by joints
units: SI
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [4, 2, 0], angular_frequency: 60}}]}
time: {step: 1e-3, end: 0.02}
materials: {stone: {density: 2400, young: 1e9, poisson: 0.2, damping: 1e-5}}
contacts: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {grid: {box: [0.3, 0.3, 0.2], count: [3, 1, 2], spacing: [0.3, 1, 0.2]}, at: [0, 0, 0.1], material: stone,
     elastic: affine, name: soft}
  - {grid: {box: [0.3, 0.3, 0.2], count: [2, 1, 1], spacing: [0.3, 1, 1]}, at: [0.15, 0, 0.5], material: stone,
     name: hard}
  - {grid: {box: [0.3, 0.1, 0.1], count: [4, 1, 1], spacing: [0.4, 1, 1]}, at: [0, 1, 1], material: stone,
     elastic: affine, name: chain}
joints:
  - {ball: [-0.2, 1, 1], between: [chain.0]}
  - {hinge: [0.2, 1, 1], axis: [0, 1, 0], between: [chain.1, chain.0], repeat: {count: 2, spacing: [0.4, 0, 0]}}
  - {weld: [1, 1, 1], between: [chain.3, chain.2]}
solver: {tolerance: 1e-2, max_sweeps: 100}
output: {checkpoint: {steps: 8}}
END_OF_CASE
bits_on_ranks held held 9

# everything happens
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "bricks slide" awk -F, "$names"' {e += $n["sliding"]} END {exit !(e > 100)}' one/history.csv
expect "contact points give" awk -F, "$names"' $n["given"] > 0 {e++} END {exit !(e > 5 && e < 60)}' one/history.csv
expect "bricks deform" awk -F, "$names"' {e += $n["elastic_energy"]} END {exit !(e > 0)}' one/history.csv
expect "joints work" awk -F, "$names"' {e += $n["joint_separation"]} END {exit !(e > 0)}' heldone/history.csv

if [ -z "$two_programs" ]; then
  piece "$program" 1 wall.yaml long --set time.end=0.3 --set solver.tolerance=1e-6 --set solver.max_sweeps=2000
  missed=$(awk -F, "$names"' $n["residual_max"] > 1e-6 {missed++} END {print missed + 0}' long/history.csv)
  expect "$missed of 300 shaken steps miss their tolerance" [ "$missed" -lt 3 ]
fi
[ "$failures" -eq 0 ]
