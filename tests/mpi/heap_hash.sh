#!/bin/bash
# A heap under the automatic choice, which takes the interior-point method for it and remembers that: the same bits on
# any number of ranks, in pieces and in all builds, and no step above the tolerance.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf heap-* ./*.txt   # of an earlier run
cat >heap.yaml <<'END_CASE'
title: stones thrown into a box
units: SI
gravity: [0, 0, -9.81]
seed: 3
time: {step: 2e-3, end: 0.6}
materials: {stone: {density: 2600}, steel: {density: 7800}}
contacts:
  - {between: [stone, stone], friction: 0.6}
  - {between: [stone, steel], friction: 0.4}
bodies:
  - {box: [3, 3, 0.2], at: [0, 0, -0.1], material: steel, fixed: true}
  - {box: [0.2, 3, 2], at: [0.75, 0, 1], material: steel, fixed: true}
  - {box: [0.2, 3, 2], at: [-0.75, 0, 1], material: steel, fixed: true}
  - {box: [1.3, 0.2, 2], at: [0, 0.75, 1], material: steel, fixed: true}
  - {box: [1.3, 0.2, 2], at: [0, -0.75, 1], material: steel, fixed: true}
  - stones:
      shapes: [{random: {points: 12, ratios: [1, 0.8, 0.6], variety: 9}}]
      sizes: {table: [[0.13, 0], [0.15, 1]]}
      lattice: {count: [5, 5, 8], spacing: [0.25, 0.25, 0.25], jitter: 0.5}
    at: [-0.5, -0.5, 0.13]
    material: stone
    velocity: [0, 0, -3]
solver: {tolerance: 1e-3}
END_CASE
bits_on_ranks heap heap- 240

# column NAME: of the history of one rank
column() { awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i} NR > 1 {print $n[name]}' \
  heap-one/history.csv; }
ended=$(column method | grep -c interior-point)
expect "$ended steps by the interior-point method" [ "$ended" -gt 50 ]
before=$(column method | head -n 240 | grep -c interior-point)
expect "$before of them before the restart" [ "$before" -gt 20 ]
missed=$(column residual_max | awk '$1 > 1e-3' | wc -l)
expect "$missed of 300 steps above the tolerance" [ "$missed" -eq 0 ]
[ "$failures" -eq 0 ]
