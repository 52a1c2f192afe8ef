#!/bin/bash
# Spheres that fall on boxes, on an L and on a floor of tiles: the same hash and hash log on any number of ranks, with
# a new partition every three steps, after a restart, and, with a second program (the release build's), in all builds.
# test: ranks 7
# test: timeout 900
source "$(dirname "$0")/runs.bash"
rm -rf one ranks[1-7] again ./*.txt   # of an earlier run
cat >spheres.yaml <<'END'
title: spheres among boxes
units: SI
gravity: [0.4, 0.1, -9.81]
time: {step: 2e-3, end: 0.24}
materials:
  stone: {density: 2400}
  glass: {density: 2600}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.1}
  - {between: [stone, glass], friction: 0.2, restitution: 0.5}
  - {between: [glass, glass], friction: 0.1, restitution: 0}
bodies:
  - parts:
      - {box: [2, 2, 1], at: [-1, -1, -0.5]}
      - {box: [2, 2, 1], at: [1, -1, -0.5]}
      - {box: [2, 2, 1], at: [-1, 1, -0.5]}
      - {box: [2, 2, 1], at: [1, 1, -0.5]}
    material: stone
    fixed: true
    name: floor
  - {grid: {sphere: {radius: 0.1}, count: [4, 4, 3], spacing: [0.21, 0.22, 0.23]}, at: [-0.3, -0.3, 0.12],
     turn: {axis: [1, 1, 0.2], angle: 4}, spin: [2, -9, 30], material: glass, name: marbles}
  - {grid: {box: [0.3, 0.25, 0.2], count: [2, 3, 1], spacing: [0.4, 0.35, 0.3]}, at: [-0.1, -0.2, 0.95],
     turn: {axis: [1, 1, 0.2], angle: 8}, velocity: [0, 0, -2], spin: [2, -1, 3], material: stone, name: bricks}
  - {parts: [{box: [0.8, 0.3, 0.2]}, {box: [0.2, 0.3, 0.4], at: [0.3, 0, 0.3]}], at: [-0.8, 0.2, 0.15], spin: [0, 0, 1],
     material: stone, name: hook}
  - {sphere: {radius: 0.12}, at: [-0.85, 0.2, 0.4], velocity: [1.5, 0, 0], material: stone, name: ball in the hook}
  - {grid: {sphere: {radius: 0.07}, count: [3, 2, 2], spacing: [0.2, 0.3, 0.16]}, at: [-0.2, -0.1, 1.3],
     velocity: [0, 0, -3], spin: [50, 0, 0], material: stone, name: pebbles}
END

bits_on_ranks spheres "" 70

# the case is about contacts of every kind, and none too deep
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  {if ($n["points"] > most) most = $n["points"]; deep += $n["failed_pairs"]}
  END {print "most points", most, "too deep", deep + 0; exit !(most > 60 && deep + 0 == 0)}' one/history.csv ||
  failures=$((failures + 1))
[ "$failures" -eq 0 ] && [ "$(wc -l <one.txt)" -eq 120 ]
