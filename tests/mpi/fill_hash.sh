#!/bin/bash
# Stones packed into a drum, a box and a mesh: the same hash and hash log on any number of ranks, with a new partition
# every three steps, and in pieces on 3 and 2 ranks; another seed gives other places. A mesh that has changed refuses a
# restart, and so do other keys of a fill.
# test: needs tetgen
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf packed* seed ./*.txt moved   # of an earlier run
cat >ell.obj <<'END_OF_MESH'
o ell
v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
v 0 0 1
v 2 0 1
v 2 1 1
v 1 1 1
v 1 2 1
v 0 2 1
f 1 4 3 2
f 1 6 5 4
f 7 8 9 10
f 7 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
END_OF_MESH
cat >packed.yaml <<'END'
title: stones packed into a drum, a box and a mesh
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.03}
seed: 7
materials:
  stone: {density: 2600}
contacts:
  - {between: [stone, stone], friction: 0.6}
bodies:
  - {container: {drum: {radius: 0.5, height: 1.2}, thickness: 0.05}, material: stone, name: drum}
  - stones:
      shapes: [{random: {points: 12, ratios: [1.25, 1, 0.75]}, share: 3}, {sphere: {radius: 1}}]
      sizes: {table: [[0.1, 0], [0.14, 0.35], [0.25, 1]]}
      fill: {cylinder: {radius: 0.5, height: 1}, fraction: 0.5}
    material: stone
    name: rockfill
    where: [{number: [0, 2], fixed: true}]
  - {container: {box: [0.8, 0.7, 0.9], thickness: 0.05}, at: [2, 0, 0], material: stone, name: box}
  - stones:
      shapes:
        - {ellipsoid: {radii: [0.1, 0.07, 0.05]}}
        - {parts: [{box: [0.1, 0.1, 0.1]}, {box: [0.1, 0.1, 0.1], at: [0.1, 0, 0]}]}
      fill: {box: [0.8, 0.7, 0.6], fraction: 0.4}
    at: [2, 0, 0]
    material: stone
    name: mixture
  - stones:
      shapes: [{random: {size: 0.25}}]
      fill: {mesh: ell.obj, fraction: 0.3}
    at: [4, 0, 0]
    turn: {axis: [0, 0, 1], angle: 30}
    material: stone
    name: corner
    birth: 0.01
solver: {tolerance: 1e-3}
output: {checkpoint: {steps: 10}}
END
bits_on_ranks packed packed 13
piece "$release" 1 packed.yaml seed --set seed=8
expect "another seed gives other places" [ "$(hash_of seed)" != "$(hash_of packedone)" ]

# refuses TEXT WORDS OPTION...: a restart ends with code 2 and these words
refuses()
{
  local code=0
  "$program" run "${@:3}" -o packedone --restart >refusal.log 2>&1 || code=$?
  expect "$1" [ "$code" -eq 2 ]
  expect "$1: names it" grep -q "$2" refusal.log
}
refuses "another fraction" "bodies.1.stones.fill.fraction: was 0.5, is 0.45" packed.yaml \
  --set bodies.1.stones.fill.fraction=0.45
mkdir moved
sed 's/v 2 1 1/v 2 1.1 1/; s/v 2 1 0/v 2 1.1 0/' ell.obj >moved/ell.obj
refuses "another mesh" "bodies.4.stones.fill.mesh" packed.yaml --set bodies.4.stones.fill.mesh=moved/ell.obj
[ "$failures" -eq 0 ]
