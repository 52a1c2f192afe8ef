#!/bin/bash
# Stones that are poured, whose contact points give where they do not converge, and groups that remember it: the same
# bits on any number of ranks, in pieces and in all builds, and no step above the tolerance.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf heap-* ./*.txt   # of an earlier run
cat >heap.yaml <<'END_CASE'
title: stones that fall into a bin
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.15}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {container: {box: [0.6, 0.6, 0.8], thickness: 0.1}, material: stone, name: bin}
  - stones:
      shapes: [{random: {points: 14, variety: 8}}]
      sizes: {table: [[0.1, 0], [0.14, 1]]}
      fill: {box: [0.58, 0.58, 0.7], fraction: 0.4}
    at: [0, 0, 0.05]
    material: stone
solver: {tolerance: 1e-4, max_sweeps: 1000, give: 1e-3}
END_CASE
bits_on_ranks heap heap- 62

# column NAME: of the history of one rank
column() { awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i} NR > 1 {print $n[name]}' \
  heap-one/history.csv; }
gave=$(column given | awk '$1 > 0' | wc -l)
expect "points gave in $gave steps" [ "$gave" -gt 10 ]
before=$(column given | head -n 62 | awk '$1 > 0' | wc -l)
expect "in $before of them before the restart" [ "$before" -gt 3 ]
missed=$(column residual_max | awk '$1 > 1e-4' | wc -l)
expect "$missed of 75 steps above the tolerance" [ "$missed" -eq 0 ]
[ "$failures" -eq 0 ]
