#!/bin/bash
# Loads and prescribed motions of all kinds: the same hash and history on any number of ranks, in one piece and in many,
# with a new partition every few steps, and, with a second program (the release build's), in all builds.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf one parts ranks[1-7] ./*.txt   # of an earlier run
cat >loads.yaml <<'END_OF_CASE'
title: blocks on a belt and a turntable that starts, pushed, shaken and hit by a swinging bar
units: SI
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [2, 1, 0], angular_frequency: 30, phase: 20}}]}
time: {step: 2e-3, end: 0.3}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.1}
bodies:
  - {grid: {box: [0.2, 0.2, 0.2], count: [4, 3, 2], spacing: [0.25, 0.25, 0.2]}, at: [-0.4, -0.3, 0.1], material: stone,
     name: pile}
  - {box: [3, 1, 0.2], at: [0, 0, -0.1], material: stone, motion: {velocity: {cosine: {amplitude: [0.8, 0, 0],
     angular_frequency: 20}}}, name: belt}
  - {box: [1, 1, 0.2], at: [0, 1.2, -0.1], material: stone, name: turntable, velocity: [0.1, 0, 0],
     motion: {acceleration: [0, 0, 0.5], angular_acceleration: {table: [[0, 0, 0, 0], [0.2, 0, 0, 20]]},
     about: [0.2, 1, 0]}}
  - {grid: {box: [0.15, 0.15, 0.15], count: [3, 3, 1], spacing: [0.25, 0.25, 1]}, at: [-0.25, 0.95, 0.075],
     material: stone, name: riders}
  - {box: [0.1, 0.1, 1], at: [-1, 0, 0.5], material: stone, name: bar, motion: {spin: [0, 6, 0], about: [-1, 0, 1.2]}}
  - {grid: {box: [0.1, 0.4, 0.1], count: [2, 1, 1], spacing: [2, 1, 1]}, at: [-0.7, 0, 0.9], material: stone,
     birth: 0.1, motion: {velocity: [1, 0, -1], spin: [0, 2, 0]}, name: late}
  - {sphere: {radius: 0.1}, at: [1.1, 0.2, 0.1], material: stone, name: ball}
loads:
  - {on: pile, force: {cosine: {amplitude: [40, 20, 0], angular_frequency: 40}}, at: [0.1, 0, 0.1]}
  - {on: riders, torque: [0, 0, 1], force: [0, 0, 20], at: [0, 0.05, 0], frame: body}
  - {on: ball, torque: {table: [[0, 0, 0, 0], [0.1, 0, 2, 0]]}}
  - {on: pile, torque: [0.5, 0.2, 0.1], frame: body}
solver: {tolerance: 1e-2, max_sweeps: 100}
output:
  checkpoint: {steps: 40}
END_OF_CASE

piece "$release" 1 loads.yaml one
for ranks in $(counts "$whole_ranks" ""); do
  piece "$program" "$ranks" loads.yaml "ranks$ranks" --set partition.every=11
  same_bits "$ranks ranks" "ranks$ranks" one
  expect "$ranks ranks: history" diff <(physics one) <(physics "ranks$ranks")
done
piece "$program" $(counts 4 2) loads.yaml parts --steps 37
piece "$program" 3 loads.yaml parts --steps 60 --restart --set partition.every=4
piece "$program" 1 loads.yaml parts --steps 61 --restart
piece "$program" 3 loads.yaml parts --restart
same_bits "in pieces" parts one
expect "history in pieces" diff <(physics one) <(physics parts)

# everything happens: contacts with all kinds of bodies, and work of motions and loads
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "prescribed bodies do work" \
  awk -F, "$names"' {w += $n["prescribed_work"] ^ 2} END {exit !(w > 1)}' one/history.csv
expect "contacts" awk -F, "$names"' {p += $n["points"]} END {exit !(p > 10000)}' one/history.csv
[ "$failures" -eq 0 ]
