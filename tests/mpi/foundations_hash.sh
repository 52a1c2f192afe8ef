#!/bin/bash
# Walls on an elastic foundation that is shaken, beside one that rests: the same hash and history on any number of
# ranks, in one piece and in many, with a new partition every few steps, in all builds.
# test: ranks 7
# test: timeout 600
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf one parts ranks[1-7] ./*.txt   # of an earlier run
cat >foundations.yaml <<'END_OF_CASE'
title: walls on an elastic foundation that is shaken, beside one that rests
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.006}
materials:
  stone: {density: 2000, young: 1e9, poisson: 0.2, damping: 1e-5}
contacts:
  - {between: [stone, stone], friction: 0.6}
bodies:
  - {box: [1.2, 0.2, 0.2], at: [0.6, 0, -0.1], material: stone, elastic: {cells: [6, 2, 2], held: [-z]}, name: shaken,
     motion: {velocity: {cosine: {amplitude: [0.1, 0, 0.02], phase: -90, angular_frequency: 300}}}}
  - {box: [1.2, 0.2, 0.2], at: [0.6, 0.5, -0.1], material: stone, elastic: {cells: [6, 2, 2], held: [-z, +x]},
     fixed: true, name: still}
  - {wall: {courses: 2, bricks: 2, brick: [0.4, 0.2, 0.2]}, at: [0.2, 0, 0], material: stone,
     elastic: {cells: [2, 2, 2]}, name: wall}
  - {box: [0.2, 0.2, 0.2], at: [0.3, 0.5, 0.1], material: stone, name: rigid}
  - {box: [0.2, 0.2, 0.2], at: [0.7, 0.5, 0.1], material: stone, elastic: affine, name: affine}
  - {box: [0.4, 0.2, 0.1], at: [0.5, 0.5, 0.25], material: stone, elastic: {cells: [4, 2, 1]}, name: lintel}
output:
  checkpoint: {steps: 2}
  probes:
    - {name: ground, support: {of: [shaken, still]}}
END_OF_CASE

piece "$release" 1 foundations.yaml one
for ranks in $(counts "2 3 4 7" ""); do
  piece "$program" "$ranks" foundations.yaml "ranks$ranks" --set partition.every=2
  same_bits "$ranks ranks" "ranks$ranks" one
  expect "$ranks ranks: history" diff <(physics one) <(physics "ranks$ranks")
  expect "$ranks ranks: probes" diff one/probes.csv "ranks$ranks/probes.csv"
done
piece "$program" 2 foundations.yaml parts --steps 3
piece "$program" 3 foundations.yaml parts --steps 2 --restart --set partition.every=1
piece "$program" 1 foundations.yaml parts --restart
same_bits "in pieces" parts one
expect "history in pieces" diff <(physics one) <(physics parts)
expect "probes in pieces" diff one/probes.csv parts/probes.csv

names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "bodies deform" awk -F, "$names"' {e = $n["elastic_energy"]} END {exit !(e > 1e-3)}' one/history.csv
expect "what moves the foundation works" awk -F, "$names"' {e = $n["prescribed_work"]} END {exit !(e * e > 1e-8)}' \
  one/history.csv
[ "$failures" -eq 0 ]
