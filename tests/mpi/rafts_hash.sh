#!/bin/bash
# Two rafts, one on the other, on which stones land and slide: bodies that are split over copies while their pairs come
# and go. The same bits on any number of ranks, with a new partition every few steps, without kept pairs, and restarted
# on other ranks; with a second program (the release build's) in all builds.
# test: ranks 7
# test: timeout 900
source "$(dirname "$0")/runs.bash"
rm -rf ./*-one ./*-parts ./*-ranks[1-7] ./*-fresh ./*-balance ./*.txt   # of an earlier run
cat >rafts.yaml <<'END'
title: stones that land on two rafts
units: SI
gravity: [1.5, 0.5, -9.81]
time: {step: 2e-3, end: 0.04}
materials: {stone: {density: 2400}, ice: {density: 900}}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [stone, ice], friction: 0.05, restitution: 0.2}
  - {between: [ice, ice], friction: 0}
bodies:
  - {box: [16, 16, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.5, 0.5, 0.3], count: [6, 6, 1], spacing: [1.2, 1.2, 1]}, at: [-3, -3, 0.15], material: stone,
     name: blocks}
  - {box: [8, 8, 0.5], at: [0, 0, 0.55], material: stone, name: raft}
  - {box: [3, 3, 0.4], at: [2, 2, 1.0], material: ice, velocity: [-0.5, 0, 0], name: small raft}
  - {grid: {box: [0.3, 0.2, 0.2], count: [9, 14, 1], spacing: [0.45, 0.5, 1]}, at: [-3.5, -3.4, 0.905],
     material: ice, velocity: [0.4, 0, -0.5], name: load}
  - {grid: {box: [0.2, 0.2, 0.2], count: [6, 6, 1], spacing: [0.45, 0.45, 1]}, at: [0.9, 0.9, 1.31],
     material: stone, velocity: [0, 0, -1], name: upper load}
solver: {max_sweeps: 60}
output: {checkpoint: {steps: 100}}
END

for method in nesterov anderson automatic; do
  set_method="--set solver.method=$method"
  piece "$release" 1 rafts.yaml $method-one $set_method
  for ranks in $(counts "$whole_ranks" ""); do
    piece "$program" $ranks rafts.yaml $method-ranks$ranks $set_method --set partition.every=3
    same_bits "$method, $ranks ranks" $method-ranks$ranks $method-one
    expect "$method, $ranks ranks: history" cmp <(physics $method-ranks$ranks) <(physics $method-one)
  done
  for ranks in $(counts 4 ""); do
    piece "$program" $ranks rafts.yaml $method-fresh $set_method --set contact.keep_pairs=false
    same_bits "$method, no pairs kept" $method-fresh $method-one
  done
  piece "$program" 3 rafts.yaml $method-parts $set_method --steps 9 --set partition.every=3
  piece "$program" $(counts 4 2) rafts.yaml $method-parts $set_method --restart
  same_bits "$method, in pieces" $method-parts $method-one
done

# colours of every step, and pairs that come
figures=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  NR == 2 {fewest = $n["pairs"]}
  {if ($n["colours"] > colours) colours = $n["colours"]
   if ($n["pairs"] < fewest) fewest = $n["pairs"]
   if ($n["pairs"] > most) most = $n["pairs"]}
  END {print colours, fewest, most}' nesterov-one/history.csv)
expect "colours, fewest and most pairs: $figures" awk -v f="$figures" \
  'BEGIN {split(f, n, " "); exit !(n[1] >= 8 && n[1] <= 31 && n[3] > n[2] + 30)}'
[ "$failures" -eq 0 ]
