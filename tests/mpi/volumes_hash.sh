#!/bin/bash
# A heap, a wall and spheres with the volumetric law, beside bodies with the other law that lean on them: the same hash
# and hash log on any number of ranks, with a new partition every three steps, after a restart, and, with a second
# program, in all builds.
# test: ranks 7
# test: timeout 900
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf heap* ./*.txt   # of an earlier run

cat >heap.yaml <<'END_CASE'
title: two laws in one heap
units: SI
gravity: [0.6, 0.2, -9.81]
seed: 3
time: {step: 5e-4, end: 0.06}
materials: {stone: {density: 2400}, rubber: {density: 1100}, steel: {density: 7800}}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [rubber, rubber], law: volumetric, stiffness: 2e7, damping: 2, friction: 0.4, spinning: integrated}
  - {between: [stone, rubber], law: volumetric, stiffness: 4e7, restitution: 0.5, restitution_speed: 1, friction: 0.5,
     static_friction: 0.6, stick_speed: 0.05}
  - {between: [steel, steel], law: volumetric, stiffness: 1e8, damping: 1, friction: 0.2, spinning: viscous}
  - {between: [steel, stone], friction: 0.3}
  - {between: [steel, rubber], law: volumetric, stiffness: 2e7, friction: 0.3, rolling: false}
solver: {tolerance: 1e-3}
bodies:
  - {box: [6, 6, 0.5], at: [0, 0, -0.25], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.2, 0.2], count: [4, 4, 3], spacing: [0.31, 0.21, 0.2]}, at: [-1, -1, 0.0999], material: rubber,
     name: heap, velocity: [0.5, 0, -1]}
  - {grid: {box: [0.3, 0.2, 0.2], count: [4, 2, 3], spacing: [0.3, 0.21, 0.2]}, at: [-1, -0.15, 0.1], material: stone,
     name: stack}
  - {grid: {sphere: {radius: 0.1}, count: [4, 4, 2], spacing: [0.195, 0.195, 0.195]}, at: [-0.8, -0.8, 0.69],
     material: steel, name: balls, spin: [1, 2, 3]}
  - {box: [0.3, 0.3, 0.3], at: [1.5, 1.5, 0.14], material: rubber, name: pusher, motion: {velocity: [-1, -1, 0]}}
  - {box: [0.3, 0.3, 0.3], at: [1.25, 1.25, 0.1495], material: rubber, name: pushed}
  - {parts: [{hull: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]},
             {hull: [[0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3], [0.3, 0.3, 0.3]]}], at: [1, -1, -0.001], material: rubber,
     name: cut}
  - {box: [0.2, 0.2, 0.2], at: [-1, 1.5, 0.0995], material: rubber, name: late, birth: 0.02}
END_CASE
bits_on_ranks heap heap- 50

# bristles are state: rows slide and hold, and the second law takes part
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  {v = $n["volumes"]; s = $n["volumes_sliding"]; p = $n["points"]; last = v > s && s > 0 && p > 0}
  END {print "rows at the end", v, "sliding", s, "points", p; exit !last}' heap-one/history.csv || failures=1
[ "$failures" -eq 0 ]
