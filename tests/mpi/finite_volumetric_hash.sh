#!/bin/bash
# Bodies of finite elements with one contact point per pair of parts: bricks that slide and bounce among rigid and
# affine ones, a foundation, tetrahedra in two parts, mortar, contacts that begin closed. The same bits on any number of
# ranks, with a new partition every few steps, in pieces, without kept pairs, in all builds.
# test: ranks 7
# test: timeout 600
# test: needs tetgen
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf one ranks[1-7] again fresh ./*.txt   # of an earlier run
cat >points.yaml <<'END_OF_CASE'
title: bricks of finite elements with a point each
units: SI
gravity: [0.976, 0, -9.761]
time: {step: 1e-3, end: 0.012}
materials:
  stone: {density: 2000, young: 1e8, poisson: 0.2, damping: 1e-5}
  glued: {density: 2000, young: 1e8, poisson: 0.2}
contacts:
  - {between: [glued, glued], friction: 0.6, bond: {cohesion: 1e5, tensile_strength: 6e4}}
  - {between: [glued, stone], friction: 0.6}
  - {between: [stone, stone], friction: 0.6}
bodies:
  - {box: [6, 2, 0.2], at: [1, 0, -0.1], material: stone, fixed: true, name: floor}
  - {wall: {courses: 3, bricks: 2, brick: [0.4, 0.2, 0.2]}, material: stone, elastic: {cells: [2, 2, 2]}, name: wall}
  - {box: [0.2, 0.2, 0.2], at: [0.3, 0, 0.7], material: stone, name: rigid}
  - {box: [0.2, 0.2, 0.2], at: [0.3, 0, 0.9], material: stone, elastic: affine, name: affine}
  - {box: [0.2, 0.1, 0.3], at: [0, 0.17, 0.7], spin: [3, -20, 7], velocity: [0.5, -2, -1], material: stone,
     elastic: {cells: [1, 2, 3]}, name: tumbles}
  - {box: [0.3, 0.2, 0.2], at: [1.5, 0, 0.1], material: glued, elastic: {cells: [3, 1, 2]}, name: glued}
  - {box: [0.4, 0.2, 0.2], at: [1.85, 0, 0.1], velocity: [0.3, 0.2, 0], material: glued, elastic: {cells: [2, 2, 2]}}
  - {box: [1, 1, 0.2], at: [3, -0.4, 0.101], material: stone, fixed: true, name: ground,
     elastic: {cells: [2, 2, 1], held: [-z]}}
  - {parts: [{box: [0.4, 0.2, 0.2]}, {box: [0.2, 0.2, 0.2], at: [-0.1, 0, 0.2]}], at: [3, -0.4, 0.3],
     velocity: [0, 0.5, -0.2], material: stone, elastic: {size: 0.2}, name: two}
  - {sphere: {radius: 0.1}, at: [3.1, -0.4, 0.499], material: stone, elastic: affine}
contact: {model: volumetric, initial: 2e-3}
solver: {max_sweeps: 400}
output: {checkpoint: {steps: 2}}
END_OF_CASE

bits_on_ranks points "" 5
for ranks in $(counts 2 ""); do
  piece "$program" $ranks points.yaml fresh --set contact.keep_pairs=false --set partition.every=4
  same_bits "no pairs kept" fresh one
done

names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "bodies deform" awk -F, "$names"' {e = $n["elastic_energy"]} END {exit !(e > 0.1)}' one/history.csv
expect "mortar cracks" awk -F, "$names"' {b += $n["broken_tension"]} END {exit !(b > 0)}' one/history.csv
[ "$failures" -eq 0 ]
