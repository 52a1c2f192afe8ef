#!/bin/bash
# Affine bodies that tumble and ring, pushed and warmed: the same hash and history on any number of ranks, in one piece
# and in many, with a new partition every few steps, and, with a second program (the release build's), in all builds.
# test: ranks 7
# test: timeout 600
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf one parts ranks[1-7] ./*.txt   # of an earlier run
cat >affine.yaml <<'END_OF_CASE'
title: affine blocks and stones that fly through each other among rigid ones
units: SI
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [2, 1, 0], angular_frequency: 30, phase: 20}}]}
time: {step: 1e-3, end: 0.2, high_frequency_ratio: 0.8}
materials:
  stone: {density: 2400, young: 1e9, poisson: 0.2, damping: 1e-5, expansion: 1e-5}
  ice: {density: 900}
contacts:
  - {between: [stone, stone], contact: false}
  - {between: [stone, ice], contact: false}
  - {between: [ice, ice], friction: 0.5}
bodies:
  - {grid: {box: [0.2, 0.3, 0.1], count: [4, 3, 2], spacing: [0.25, 0.35, 0.2]}, spin: [3, -20, 7], velocity: [1, 0, 3],
     material: stone, elastic: affine, name: blocks}
  - {grid: {box: [0.2, 0.2, 0.2], count: [2, 2, 2], spacing: [0.25, 0.25, 0.2]}, at: [0, 0, 0.1], material: ice}
  - {box: [9, 9, 0.2], at: [0, 0, -0.1], material: ice, fixed: true}
  - {stones: {shapes: [{random: {size: 0.2}}, {sphere: {radius: 0.1}}], lattice: {count: [2, 2, 2],
     spacing: [1, 1, 1]}}, at: [0, 0, 3], spin: [1, 2, 30], material: stone, elastic: affine, birth: 0.05, name: late}
loads:
  - {on: blocks, force: {cosine: {amplitude: [4000, 200, 0], angular_frequency: 400}}, at: [0.1, 0, 0.05]}
  - {on: blocks, torque: [5, 2, 1], frame: body}
  - {on: late, temperature: {table: [[0, 10], [0.15, 60]]}}
domain: {low: [-20, -20, -20], high: [20, 20, 20]}
output:
  checkpoint: {steps: 40}
END_OF_CASE

piece "$release" 1 affine.yaml one
for ranks in $(counts "$whole_ranks" ""); do
  piece "$program" "$ranks" affine.yaml "ranks$ranks" --set partition.every=11
  same_bits "$ranks ranks" "ranks$ranks" one
  expect "$ranks ranks: history" diff <(physics one) <(physics "ranks$ranks")
done
piece "$program" $(counts 4 2) affine.yaml parts --steps 37
piece "$program" 3 affine.yaml parts --steps 60 --restart --set partition.every=4
piece "$program" 1 affine.yaml parts --steps 61 --restart
piece "$program" 3 affine.yaml parts --restart
same_bits "in pieces" parts one
expect "history in pieces" diff <(physics one) <(physics parts)

# everything happens
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "bodies deform" awk -F, "$names"' {e += $n["elastic_energy"]} END {exit !(e > 1)}' one/history.csv
expect "damping" awk -F, "$names"' {e -= $n["damping_work"]} END {exit !(e > 0)}' one/history.csv
[ "$failures" -eq 0 ]
