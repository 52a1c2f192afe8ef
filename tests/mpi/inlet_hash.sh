#!/bin/bash
# Random stones poured from two inlets onto a bed of others: the same hash and hash log on any number of ranks, with a
# new partition every ten steps and after a restart in the middle of pouring; another seed gives other stones.
# test: ranks 3
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf one seed restarted ranks[1-3] ./*.txt   # of an earlier run
cat >pour.yaml <<'END'
title: stones poured into a bin
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.3}
seed: 7
materials:
  granite: {density: 2700}
contacts:
  - {between: [granite, granite], friction: 0.5, restitution: 0.1}
bodies:
  - {box: [1.2, 1.2, 0.2], at: [0, 0, -0.1], material: granite, fixed: true, name: floor}
  - stones:
      shapes:
        - {random: {points: 12, ratios: [1, 0.8, 0.6], variety: 6}, share: 3}
        - {box: [2, 1, 1]}
      sizes: {table: [[0.06, 0], [0.1, 0.4], [0.14, 1]], by: number, classes: 3}
      lattice: {count: [2, 2, 1], spacing: [0.4, 0.4, 0.4], jitter: 1}
    at: [-0.2, -0.2, 0.15]
    material: granite
    name: bed
  - stones:
      shapes: [{random: {points: 10, ratios: [1, 0.9, 0.5], variety: 8}}]
      sizes: {table: [[0.06, 0], [0.1, 0.4], [0.14, 1]], classes: 4}
      inlet: {size: [0.5, 0.5], count: 16}
    at: [0, 0, 0.5]
    velocity: [0, 0, -2]
    material: granite
    name: pour
  - stones:
      shapes: [{random: {size: 0.08}}]
      inlet: {size: [0.3, 0.3], count: 12, every: 0.1}
    at: [-0.7, 0, 0.4]
    turn: {axis: [0, 1, 0], angle: 90}
    velocity: [2, 0, 0]
    birth: 0.05
    material: granite
    name: side
output: {checkpoint: {steps: 50}}
END

piece "$release" 1 pour.yaml one
for ranks in $(counts "2 3" ""); do
  piece "$program" $ranks pour.yaml ranks$ranks --set partition.every=10
  same_bits "$ranks ranks" ranks$ranks one
done

# stopped while both inlets pour, continued on other ranks
piece "$program" 3 pour.yaml restarted --steps 70 --set partition.every=10
piece "$program" $(counts 2 1) pour.yaml restarted --restart
same_bits "restarted" restarted one
piece "$release" 1 pour.yaml seed --set seed=8
expect "another seed gives other stones" [ "$(hash_of seed)" != "$(hash_of one)" ]

# all stones that are due have appeared
expect "33 bodies" grep -q '^bodies *33 present, 33 born, 0 removed$' <("$program" info one)
[ "$(wc -l <one.txt)" -eq 150 ] && [ "$failures" -eq 0 ]
