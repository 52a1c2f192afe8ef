#!/bin/bash
# Contacts that are taken as closed where they begin: the same bits on any number of ranks, with a new partition every
# few steps, in pieces, without kept pairs, in steps that are halved, with mortar and bodies that appear later; overlaps
# and gaps of a heap at rest move nothing.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf hit-* still loose parts fresh ./*.txt   # of an earlier run

# blocks that overlap by 2 mm, gape by 1 mm and stand in each other by 3 mm; a ball scatters some
cat >hit.yaml <<'END'
title: a heap of blocks that do not fit, and a ball
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.09}
materials: {stone: {density: 2000}, mortar: {density: 2000}, iron: {density: 7000}}
contacts:
  - {between: [stone, stone], friction: 0.6}
  - {between: [stone, mortar], friction: 0.6}
  - {between: [mortar, mortar], friction: 0.6, bond: {cohesion: 2e4, tensile_strength: 1e4}}
  - {between: [stone, iron], friction: 0.3, restitution: 0.2}
  - {between: [mortar, iron], friction: 0.3}
bodies:
  - {box: [4, 4, 0.2], at: [0, 0, -0.1], material: stone, fixed: true, name: ground}
  - {grid: {box: [0.2, 0.2, 0.2], count: [4, 2, 4], spacing: [0.198, 0.201, 0.197]}, at: [-0.3, 0, 0.098],
     turn: {axis: [0, 0, 1], angle: 20}, material: stone, name: heap}
  - {grid: {box: [0.2, 0.2, 0.2], count: [2, 1, 2], spacing: [0.198, 0.2, 0.199]}, at: [0.9, 0, 0.099],
     material: mortar, name: wall}
  - {grid: {sphere: {radius: 0.1}, count: [3, 1, 1], spacing: [0.199, 1, 1]}, at: [-0.2, 0.7, 0.099], material: stone}
  - {box: [0.15, 0.15, 0.15], at: [0.2, -0.7, 0.6], turn: {axis: [1, 1, 0], angle: 10}, velocity: [0, 9, -2],
     material: iron, name: ball}
  - {grid: {box: [0.2, 0.2, 0.2], count: [2, 1, 2], spacing: [0.199, 1, 0.198]}, at: [-1.2, 0, 0.098], material: stone,
     birth: 0.03, name: late}
contact: {initial: 4e-3}
solver: {max_sweeps: 400, tolerance: 1e-8}
output: {checkpoint: {steps: 20}}
END

# column FOLDER NAME: the largest value of a column of the history
column() { awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i} NR == 2 || (NR > 2 && $n[name] > s) \
  {s = $n[name]} END {print s}' "$1/history.csv"; }

bits_on_ranks hit hit- 33
for ranks in $(counts 2 ""); do
  piece "$program" $ranks hit.yaml fresh --set contact.keep_pairs=false --set partition.every=7
  same_bits "no pairs kept" fresh hit-one
done

# in pieces: before the first step, before the late bodies come, after the ball has struck
piece "$program" 3 hit.yaml parts --steps 0
piece "$program" 2 hit.yaml parts --restart --steps 25
piece "$program" $(counts 4 2) hit.yaml parts --restart --steps 47 --set partition.every=4
piece "$program" 1 hit.yaml parts --restart --steps 70
piece "$program" 3 hit.yaml parts --restart
same_bits "in pieces" parts hit-one

# steps that are made again in halves
sed 's/max_sweeps: 400/max_sweeps: 20, unsolved: halve/' hit.yaml >halved.yaml
bits_on_ranks halved hit-halved- 41
expect "steps were halved" [ "$(column hit-halved-one halved)" -gt 0 ]

# without the ball nothing moves, while the heap as it is modelled bursts
sed '/iron, name: ball/d; /velocity: \[0, 9, -2\]/d' hit.yaml >still.yaml
piece "$release" 3 still.yaml still
piece "$release" 3 still.yaml loose --set contact.initial=0
calm=$(column still kinetic_energy) burst=$(column loose kinetic_energy)
expect "kinetic energy of the heap at rest: $calm J" awk -v e="$calm" 'BEGIN {exit !(e < 1e-6)}'
expect "and of the one that bursts: $burst J" awk -v e="$burst" 'BEGIN {exit !(e > 1e-3)}'

# a restart with another tolerance is asked for, and goes on
"$program" run hit.yaml -o parts --restart --set contact.initial=5e-3 --set time.end=0.1 >asked.log 2>&1
expect "another tolerance: code 2" [ $? -eq 2 ]
expect "it is named" grep -q "contact.initial" asked.log
piece "$program" 2 hit.yaml parts --restart --allow contact.initial --set contact.initial=5e-3 --set time.end=0.1
[ "$failures" -eq 0 ]
