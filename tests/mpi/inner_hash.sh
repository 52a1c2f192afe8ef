#!/bin/bash
# Bodies as inner spheres with the volumetric law: blocks, spheres, a body of two parts and a surface alone, on a floor,
# with other bodies that have exact contacts: the same hash and hash log on any number of ranks, with a new partition
# every three steps, after a restart, and, with a second program, in all builds.
# test: needs tetgen
# test: ranks 7
# test: timeout 900
source "$(dirname "$0")/runs.bash"
rm -rf rocks* ./*.txt   # of an earlier run

cat >tetra.obj <<'END'
v 0 0 0
v 0.3 0 0
v 0 0.3 0
v 0 0 0.3
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
END
cat >rocks.yaml <<'END_CASE'
title: bodies as inner spheres
units: SI
gravity: [0.6, 0.2, -9.81]
time: {step: 5e-4, end: 0.03}
materials: {stone: {density: 2400}, rubber: {density: 1100}, steel: {density: 7800}}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [rubber, rubber], law: volumetric, stiffness: 1e8, damping: 2, friction: 0.4}
  - {between: [stone, rubber], law: volumetric, stiffness: 2e8, restitution: 0.5, restitution_speed: 1, friction: 0.5}
  - {between: [steel, steel], law: volumetric, stiffness: 1e8, damping: 1, friction: 0.2}
  - {between: [steel, stone], friction: 0.3}
  - {between: [steel, rubber], law: volumetric, stiffness: 2e7, friction: 0.3}
contact: {model: lmd, geometry: spheres, spheres: 300}
bodies:
  - {box: [2, 2, 0.5], at: [0, 0, -0.25], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.2, 0.2], count: [3, 3, 2], spacing: [0.31, 0.21, 0.19]}, at: [-0.5, -0.3, 0.092],
     material: rubber, name: heap, velocity: [0.5, 0, -1]}
  - {box: [0.3, 0.3, 0.3], at: [0.7, 0.7, 0.15], material: stone, name: block}
  - {grid: {sphere: {radius: 0.1}, count: [3, 3, 1], spacing: [0.195, 0.195, 0.195]}, at: [-0.4, -0.3, 0.46],
     material: steel, name: balls, spin: [1, 2, 3]}
  - {parts: [{box: [0.3, 0.1, 0.1]}, {box: [0.1, 0.2, 0.1], at: [0.1, 0.15, 0]}], at: [0.6, -0.6, 0.045],
     material: rubber, name: bent}
  - {mesh: {file: tetra.obj, surface: true}, at: [-0.8, 0.5, -0.03], material: rubber, name: tetra}
END_CASE
bits_on_ranks rocks rocks- 25

# rows are of both kinds of shapes, and the other law takes part
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  {v = $n["volumes"]; p = $n["points"]; s = $n["volumes_sliding"]; last = v > 15 && s > 0 && p > 0}
  END {print "rows at the end", v, "sliding", s, "points", p; exit !last}' rocks-one/history.csv || failures=1
[ "$failures" -eq 0 ]
