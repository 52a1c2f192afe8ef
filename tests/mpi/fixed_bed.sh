#!/bin/bash
# Bricks on a bed of fixed tiles, which come first in the case: tiles are at home below the bricks on them, so that a
# rank has few neighbours, and the answer does not know where they are.
# test: ranks 16
# test: timeout 300
source "$(dirname "$0")/runs.bash"
rm -rf one many again   # of an earlier run

cat >bed.yaml <<'END_OF_CASE'
units: SI
gravity: [0.5, 0, -9.81]
time: {step: 1e-3, end: 1}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {grid: {box: [1, 1, 0.5], count: [32, 24, 1], spacing: [1, 1, 1]}, at: [0.5, 0.5, -0.25], material: stone,
     fixed: true, name: tiles}
  - {grid: {box: [0.8, 0.7, 0.2], count: [32, 24, 2], spacing: [1, 1, 0.2]}, at: [0.8, 0.6, 0.1], material: stone,
     name: bricks}
solver: {max_sweeps: 50}
END_OF_CASE

# most of a rank, in the table that ends a run
most() { sed -nE "s/^$1 .* ([0-9.]+)$/\1/p" "$2.log"; }

piece "$program" 1 bed.yaml one --steps 6
piece "$program" 16 bed.yaml many --steps 6
same_hash "with tiles on 16 ranks" many one
expect "at most 8 neighbours, found $(most neighbours many)" [ "$(most neighbours many)" -le 8 ]
expect "few ghosts, found $(most ghosts many)" [ "$(most ghosts many)" -le 30 ]
piece "$program" 16 bed.yaml again --steps 3
piece "$program" 7 bed.yaml again --steps 6 --restart --set partition.every=2
same_hash "in pieces, with new partitions" again one
[ "$failures" -eq 0 ]
