#!/bin/bash
# Bodies with barriers: stones that fall onto each other and onto a floor, a stack, and a hook of two parts. The same
# bits on any number of ranks, after partitions in every few steps and in pieces; steps are solved.
# test: ranks 7
# test: timeout 600
# test: trees
source "$(dirname "$0")/runs.bash"
rm -rf some-* ./*.txt   # of an earlier run
cat >some.yaml <<'END_CASE'
title: bodies with barriers
units: SI
gravity: [0, 0, -9.81]
seed: 5
time: {step: 2e-3, end: 0.08}
scheme: barrier
barrier: {distance: 1e-3, stiffness: 1e7, refine: 2}
materials:
  stone: {density: 2400}
  ice: {density: 900}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [stone, ice], friction: 0.05}
  - {between: [ice, ice], friction: 0.05}
bodies:
  - {box: [6, 6, 0.5], at: [0, 0, -0.25], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.4, 0.3, 0.2], count: [1, 1, 4], spacing: [1, 1, 0.2]}, at: [-1, 0, 0.1], material: stone,
     name: stack}
  - parts: [{box: [0.6, 0.2, 0.2]}, {box: [0.2, 0.2, 0.3], at: [0.2, 0, 0.25]}]
    at: [0.5, 0.8, 0.15]
    material: stone
    velocity: [0, 0, -0.5]
    spin: [2, 3, 1]
    name: hook
  - stones:
      shapes: [{random: {points: 14}}]
      sizes: {table: [[0.2, 0], [0.3, 1]]}
      lattice: {count: [2, 2, 2], spacing: [0.4, 0.4, 0.4]}
    at: [0, -1.2, 0.25]
    material: ice
    velocity: [0, 0, -2]
    name: stones
END_CASE

bits_on_ranks some some- 17
for ranks in $(counts "$whole_ranks" ""); do
  expect "$ranks ranks: history" diff <(physics some-one) <(physics "some-ranks$ranks")
done
expect "all steps are solved" awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "unsolved") column = i; next}
  {steps++; missed += $column}
  END {exit !(column > 0 && steps == 40 && missed == 0)}' some-one/history.csv
[ "$failures" -eq 0 ]
