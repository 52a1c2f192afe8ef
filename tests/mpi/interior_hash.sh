#!/bin/bash
# The interior-point method: stones in a narrow box, with joints, a pair without friction and one that gives. The same
# bits on any number of ranks, in pieces and in all builds, and steps that it ends.
# test: ranks 7
# test: timeout 600
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf heap-* ./*.txt   # of an earlier run
cat >heap.yaml <<'END_CASE'
title: stones and jointed bars poured into a narrow box
units: SI
gravity: [0, 0, -9.81]
seed: 5
time: {step: 2e-3, end: 0.4}
materials: {stone: {density: 2600}, ice: {density: 900}, pad: {density: 1500}, steel: {density: 7800}}
contacts:
  - {between: [stone, stone], friction: 0.6}
  - {between: [stone, ice], friction: 0}
  - {between: [ice, ice], friction: 0}
  - {between: [stone, pad], friction: 0.5, joint_stiffness: {normal: 1e9, shear: 4e8}}
  - {between: [pad, pad], friction: 0.5}
  - {between: [pad, ice], friction: 0.5}
  - {between: [steel, stone], friction: 0.4}
  - {between: [steel, ice], friction: 0}
  - {between: [steel, pad], friction: 0.4}
  - {between: [steel, steel], friction: 0.4}
bodies:
  - {box: [2, 2, 0.2], at: [0, 0, -0.1], material: steel, fixed: true, name: floor}
  - {box: [0.2, 2, 2], at: [0.6, 0, 1], material: steel, fixed: true}
  - {box: [0.2, 2, 2], at: [-0.6, 0, 1], material: steel, fixed: true}
  - {box: [1, 0.2, 2], at: [0, 0.6, 1], material: steel, fixed: true}
  - {box: [1, 0.2, 2], at: [0, -0.6, 1], material: steel, fixed: true}
  - stones:
      shapes: [{random: {points: 12, ratios: [1, 0.8, 0.6], variety: 9}}]
      sizes: {table: [[0.14, 0], [0.2, 1]]}
      lattice: {count: [3, 3, 5], spacing: [0.3, 0.3, 0.3], jitter: 0.5}
    at: [-0.3, -0.3, 0.16]
    material: stone
  - {grid: {box: [0.2, 0.12, 0.12], count: [3, 1, 1], spacing: [0.2, 1, 1]}, at: [-0.2, 0, 1.75], material: stone,
     name: chain}
  - {box: [0.2, 0.2, 0.2], at: [0.2, 0.25, 1.75], material: ice}
  - {box: [0.2, 0.2, 0.2], at: [-0.2, 0.25, 1.75], material: pad}
joints:
  - {ball: [-0.1, 0, 1.75], between: [chain.0, chain.1], touch: false}
  - {ball: [0.1, 0, 1.75], between: [chain.1, chain.2], touch: false}
solver: {tolerance: 1e-6, method: interior-point}
END_CASE
bits_on_ranks heap heap- 90

# column FOLDER NAME: of the history
column() { awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i} NR > 1 {print $n[name]}' \
  "$1/history.csv"; }
one=heap-one
ended=$(column "$one" method | grep -c interior-point)
expect "$ended steps by the interior-point method" [ "$ended" -gt 20 ]
missed=$(column "$one" residual_max | awk '$1 > 1e-6' | wc -l)
expect "$missed of 200 steps above the tolerance" [ "$missed" -eq 0 ]
[ "$failures" -eq 0 ]
