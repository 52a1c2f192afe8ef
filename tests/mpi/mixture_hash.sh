#!/bin/bash
# Elastic and rigid bodies, an ellipsoid, mortar, joint stiffness, hinges, a weld, a tie and a rod in one scene that is
# shaken, so that some ranks have joints and others none: the same bits on any number of ranks, by factors and by
# multigrid, repartitioned and restarted.
# test: ranks 7
# test: timeout 900
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf factors-* cycles-* ./*.txt   # of an earlier run
cat >factors.yaml <<'END_OF_CASE'
title: a mixture of all that deforms and holds
units: SI
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [3, 0, 0], angular_frequency: 60, phase: 90}}]}
time: {step: 1e-3, end: 0.02}
materials: {stone: {density: 2400, young: 1e9, poisson: 0.2, damping: 1e-4}, rock: {density: 2400}}
contacts:
  - {between: [stone, stone], friction: 0.6, bond: {tensile_strength: 2e5, cohesion: 3e5}}
  - {between: [stone, rock], friction: 0.6, joint_stiffness: {normal: 1e9, shear: 5e8}}
  - {between: [rock, rock], friction: 0.5}
bodies:
  - {box: [40, 40, 1], at: [2, 0, -0.5], material: rock, fixed: true, name: floor}
  - {wall: {courses: 4, bricks: 3, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: stone, elastic: affine, name: wall}
  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 1, 1], spacing: [0.4, 1, 1]}, at: [0.2, 0, 0.905], material: rock,
     name: top}
  - {ellipsoid: {radii: [0.1, 0.1, 0.08]}, at: [0.6, 0, 1.2], material: stone, elastic: affine}
  - {grid: {box: [0.38, 0.1, 0.1], count: [4, 1, 1], spacing: [0.4, 1, 1]}, at: [-0.2, 1, 2], material: stone,
     elastic: affine, name: bar}
joints:
  - {hinge: [-0.4, 1, 2], axis: [0, 1, 0], between: [bar.0]}
  - {hinge: [0, 1, 2], axis: [0, 1, 0], between: [bar.1, bar.0], repeat: {count: 2, spacing: [0.4, 0, 0]}}
  - {tie: [[1, 1, 2], [1, 0, 0.9]], between: [bar.3, top.2], stiffness: 1e5, pretension: 100}
  - {weld: [0.8, 1, 2], axis: [1, 0, 0], between: [bar.3, bar.2]}
  - {rod: [[-0.2, 1, 2], [0.2, 0, 0.7]], between: [bar.0, wall.10]}
output: {checkpoint: {steps: 4}}
END_OF_CASE
sed 's/end: 0.02}/end: 0.004}/; s/^output:.*/&\nsolver: {method: admm-amg}/' factors.yaml >cycles.yaml
bits_on_ranks factors factors- 9
bits_on_ranks cycles cycles- 2
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "all steps are solved" awk -F, "$names"' !($n["residual_max"] <= 1e-6) {bad = 1} END {exit bad}' \
  factors-one/history.csv
expect "bodies deform" awk -F, "$names"' {e += $n["elastic_energy"]} END {exit !(e > 0.1)}' factors-one/history.csv
expect "cycles are used" awk -F, "$names"' {c += $n["inner"]} END {exit !(c > 0)}' cycles-one/history.csv
expect "mortar is there" grep -q "bonds made" factors-one.log
[ "$failures" -eq 0 ]
