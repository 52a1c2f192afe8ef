#!/bin/bash
# A tumbling pile: the same hash and hash log on any number of ranks, with a new partition every three steps, and, with
# a second program (the release build's), in all builds.
# test: ranks 7
# test: timeout 900
source "$(dirname "$0")/runs.bash"
rm -rf one ranks[1-7] ./*.txt   # of an earlier run
cat >pile.yaml <<'END'
title: stones that tumble on each other
units: SI
gravity: [0.4, 0, -9.81]
time: {step: 2e-3, end: 0.2}
materials:
  stone: {density: 2400}
  glass: {density: 2600}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.1}
  - {between: [stone, glass], friction: 0.2, restitution: 0.5}
  - {between: [glass, glass], friction: 0, restitution: 0}
solver: {tolerance: 1e-2, max_sweeps: 100}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.25, 0.2], count: [4, 3, 3], spacing: [0.4, 0.35, 0.3]}, at: [-0.6, 0, 0.2],
     turn: {axis: [1, 1, 0.2], angle: 8}, spin: [2, -1, 3], material: stone, name: heap}
  - {grid: {hull: [[0.2, 0, 0], [-0.1, 0.15, 0], [-0.1, -0.15, 0], [0, 0, 0.25], [0, 0.02, -0.2]], count: [3, 2, 1],
     spacing: [0.5, 0.5, 1]}, at: [-0.5, 0, 1.4], velocity: [0.5, 0, -2], spin: [0, 5, 1], material: glass, name: gems}
  - {parts: [{box: [0.6, 0.2, 0.2]}, {box: [0.2, 0.2, 0.4], at: [0.2, 0, 0.3]}], at: [0, 1, 0.5], spin: [3, 0, 1],
     material: glass, name: hook}
END

piece "$release" 1 pile.yaml one
for ranks in $(counts "3 4 7" 3); do
  piece "$program" $ranks pile.yaml ranks$ranks --set partition.every=3
  same_bits "$ranks ranks" ranks$ranks one
done
[ "$failures" -eq 0 ] && [ "$(wc -l <one.txt)" -eq 100 ]
