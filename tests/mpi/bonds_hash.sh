#!/bin/bash
# A wall with mortar that a block breaks through: the same bits on any number of ranks, with a new partition every ten
# steps, in pieces while mortar breaks, without kept pairs, and, with a second program (the release build's), in all
# builds.
# test: slow
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf one parts ranks[1-7] fresh ./*.txt   # of an earlier run
cat >wall.yaml <<'END'
title: a block that breaks through a wall with mortar
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.08}
materials: {brick: {density: 2000}, iron: {density: 7000}}
contacts:
  - {between: [brick, brick], friction: 0.6, bond: {cohesion: 2e5, tensile_strength: 1e5}}
  - {between: [brick, iron], friction: 0.4}
bodies:
  - {box: [4, 1, 0.2], at: [0.8, 0, -0.1], material: brick, fixed: true, name: ground}
  - {wall: {courses: 6, bricks: 4, brick: [0.4, 0.2, 0.2]}, material: brick, name: wall}
  - {box: [0.3, 0.3, 0.3], at: [0.85, -0.5, 0.75], turn: {axis: [1, 1, 0], angle: 10}, velocity: [0, 8, 0],
     material: iron, name: ball}
  - {box: [0.4, 0.2, 0.2], at: [0.2, 0, 1.3], material: brick, birth: 0.02, name: laid}
solver: {max_sweeps: 800}
output: {checkpoint: {steps: 20}}
END

# sum FOLDER COLUMN: of a column of the history
sum() { awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i} NR > 1 {s += $n[name]} END {print s}' \
  "$1/history.csv"; }

piece "$release" 1 wall.yaml one --overwrite
for ranks in $(counts "$whole_ranks" ""); do
  piece "$program" $ranks wall.yaml ranks$ranks --set partition.every=10
  same_bits "$ranks ranks" ranks$ranks one
  expect "$ranks ranks: history" cmp <(physics ranks$ranks) <(physics one)
done
for ranks in $(counts 2 ""); do
  piece "$program" $ranks wall.yaml fresh --set contact.keep_pairs=false --set partition.every=7
  same_bits "no pairs kept" fresh one
done

# in pieces: before the first step, before the last stone is laid, while mortar breaks
piece "$program" 3 wall.yaml parts --steps 0
piece "$program" 2 wall.yaml parts --restart --steps 20
piece "$program" $(counts 4 2) wall.yaml parts --restart --steps 47 --set partition.every=4
piece "$program" 1 wall.yaml parts --restart --steps 61
piece "$program" 3 wall.yaml parts --restart
same_bits "in pieces" parts one
expect "in pieces: history" cmp <(physics parts) <(physics one)

made=$(sum one bonds_made) tension=$(sum one broken_tension) shear=$(sum one broken_shear)
left=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i} END {print $n["bonds"]}' one/history.csv)
expect "points made: $made, also with the stone that is laid" grep -q "step 21: bonds made with [1-9]" one.log
expect "some break, in tension $tension, in shear $shear" [ "$tension" -gt 20 ]
expect "some hold: $left" [ "$left" -gt 20 ]
expect "none is lost" [ "$left" -eq $((made - tension - shear)) ]
[ "$failures" -eq 0 ]
