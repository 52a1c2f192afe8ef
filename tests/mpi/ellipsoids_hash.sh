#!/bin/bash
# Ellipsoids poured on tiles, a hook and each other, among spheres and boxes: the same hash and hash log on any number
# of ranks, with a new partition every three steps, after a restart, and, with a second program, in all builds.
# test: ranks 7
# test: timeout 900
# test: trees
source "$(dirname "$0")/runs.bash"
rm -rf one ranks[1-7] again ./*.txt   # of an earlier run
cat >ellipsoids.yaml <<'END'
title: ellipsoids poured
units: SI
seed: 3
gravity: [0.4, 0.1, -9.81]
time: {step: 2e-3, end: 0.24}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.2}
bodies:
  - parts:
      - {box: [2, 2, 1], at: [-1, -1, -0.5]}
      - {box: [2, 2, 1], at: [1, -1, -0.5]}
      - {box: [2, 2, 1], at: [-1, 1, -0.5]}
      - {box: [2, 2, 1], at: [1, 1, -0.5]}
    material: stone
    fixed: true
    name: floor
  - {grid: {ellipsoid: {radii: [0.1, 0.08, 0.05]}, count: [4, 4, 2], spacing: [0.21, 0.18, 0.14]},
     at: [-0.3, -0.3, 0.12], turn: {axis: [1, 1, 0.2], angle: 4}, spin: [2, -9, 10], material: stone, name: pebbles}
  - stones:
      shapes: [{ellipsoid: {radii: [1, 0.9, 0.2]}}, {ellipsoid: {radii: [3, 1, 1]}}, {sphere: {radius: 1}}]
      sizes: {table: [[0.1, 0], [0.16, 1]], by: number, classes: 3}
      inlet: {size: [1.1, 1.1], count: 12}
    at: [0, 0, 0.75]
    velocity: [0, 0, -3]
    material: stone
    name: poured
  - {grid: {box: [0.3, 0.25, 0.2], count: [2, 2, 1], spacing: [0.4, 0.35, 0.3]}, at: [-0.1, -0.2, 0.45],
     turn: {axis: [1, 1, 0.2], angle: 8}, velocity: [0, 0, -2], spin: [2, -1, 3], material: stone, name: bricks}
  - {parts: [{box: [0.8, 0.3, 0.2]}, {box: [0.2, 0.3, 0.4], at: [0.3, 0, 0.3]}], at: [-0.9, 0.2, 0.15], spin: [0, 0, 1],
     material: stone, name: hook}
  - {ellipsoid: {radii: [0.1, 0.12, 0.15]}, at: [-0.95, 0.2, 0.45], velocity: [1.5, 0, 0], material: stone, name: egg}
END

bits_on_ranks ellipsoids "" 70

# the case is about contacts of every kind, and none too deep
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  {if ($n["points"] > most) most = $n["points"]; deep += $n["failed_pairs"]}
  END {print "most points", most, "too deep", deep + 0; exit !(most > 30 && deep + 0 == 0)}' one/history.csv ||
  failures=$((failures + 1))
[ "$failures" -eq 0 ] && [ "$(wc -l <one.txt)" -eq 120 ]
