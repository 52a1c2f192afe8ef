#!/bin/bash
# Walls of bricks of finite elements that slide, bounce and wave, joints that hold some of them, mortar that cracks,
# stones of tetrahedra, a bar in pieces whose welds crack, and an arch on plates that a tie holds: the same hash and
# history on any number of ranks, in one piece and in many, with a new partition every few steps, in all builds; and
# energy as works say.
# test: ranks 7
# test: timeout 900
# test: needs tetgen
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf one parts ranks[1-7] ./*.txt   # of an earlier run
cat >finite.yaml <<'END_OF_CASE'
title: bricks of finite elements on a floor, among rigid and affine ones
units: SI
gravity: {sum: [[0.976, 0, -9.761], {cosine: {amplitude: [3, 0, 0], angular_frequency: 60}}]}
time: {step: 1e-3, end: 0.008}
materials:
  stone: {density: 2000, young: 1e9, poisson: 0.2, damping: 1e-5}
  floor: {density: 2000}
  glued: {density: 2000, young: 1e9, poisson: 0.2}
contacts:
  - {between: [glued, glued], friction: 0.6, bond: {cohesion: 2e5, tensile_strength: 1.5e5}}
  - {between: [glued, stone], friction: 0.6}
  - {between: [glued, floor], friction: 0.6}
  - {between: [stone, stone], friction: 0.6}
  - {between: [stone, floor], friction: 0.6}
  - {between: [floor, floor], friction: 0.6}
bodies:
  - {box: [6, 4, 0.2], at: [1, 1, -0.1], material: floor, fixed: true, name: floor}
  - {wall: {courses: 3, bricks: 2, brick: [0.4, 0.2, 0.2]}, material: stone, elastic: {cells: [2, 2, 2]}, name: wall}
  - {box: [0.2, 0.2, 0.2], at: [0.3, 0, 0.7], material: floor, name: rigid}
  - {box: [0.2, 0.2, 0.2], at: [0.3, 0, 0.9], material: stone, elastic: affine, name: affine}
  - {box: [0.2, 0.1, 0.3], at: [0, 0.8, 0.5], spin: [3, -20, 7], material: stone, elastic: {cells: [1, 2, 3]},
     name: tumbles}
  - {box: [0.3, 0.2, 0.2], at: [1.5, 0, 0.5], velocity: [-0.2, 0, 0], material: glued, elastic: {cells: [3, 1, 2]},
     name: glued}
  - {box: [0.4, 0.2, 0.2], at: [1.85, 0.1, 0.5], material: glued, elastic: {cells: [2, 2, 2]}, name: held}
  - {hull: [[0, 0, 0], [0.3, 0, 0], [0.3, 0.3, 0], [0, 0.3, 0], [0.1, 0.1, 0.2], [0.2, 0.2, 0.25]], at: [3, 0, 0],
     velocity: [0, 0.5, 0], material: stone, elastic: {size: 0.2}, name: stone}
  - {box: [0.3, 0.2, 0.1], at: [3.1, 0.6, 0.05], material: stone, elastic: {size: 0.15}, name: slab}
  - {box: [0.2, 0.1, 0.1], at: [3.1, 0.6, 0.15], turn: {axis: [0, 0, 1], angle: 30}, material: floor}
  - {box: [0.8, 0.1, 0.1], at: [3, -0.5, 1], material: stone, name: cracks,
     elastic: {cells: [8, 1, 1], most_nodes: 20, weld: {cohesion: 4e6, tensile_strength: 2e6}}}
  - {arch: {voussoirs: 5, radius: 0.6, thickness: 0.2, width: 0.2, supports: false}, at: [0, 2, 0.1], material: stone,
     elastic: {cells: [1, 2, 2]}, name: arch}
  - {box: [0.3, 0.2, 0.1], at: [-0.6, 2, 0.05], material: stone, elastic: {cells: [2, 1, 1]}, name: left}
  - {box: [0.3, 0.2, 0.1], at: [0.6, 2, 0.05], material: stone, elastic: {cells: [2, 1, 1]}, name: right}
loads:
  - {on: cracks, pressure: -1.5e6, faces: {direction: [1, 0, 0]}}
  - {on: cracks, pressure: -1.5e6, faces: {direction: [-1, 0, 0]}}
joints:
  - {tie: [[0.1, 0, 0.5], [1.6, 0, 0.5]], between: [wall.0, glued], stiffness: 1e5}
  - {tie: [[-0.6, 2, 0.05], [0.6, 2, 0.05]], between: [left, right], stiffness: 1e8, yield: {tension: 20}}
  - {hinge: [0.3, 0, 0.8], axis: [0, 1, 0], between: [affine, rigid], touch: false}
  - {ball: [2, 0.05, 0.5], between: [held, space]}
solver: {max_sweeps: 400}
output:
  checkpoint: {steps: 2}
END_OF_CASE

piece "$release" 1 finite.yaml one
for ranks in $(counts "$whole_ranks" ""); do
  piece "$program" "$ranks" finite.yaml "ranks$ranks" --set partition.every=3
  same_bits "$ranks ranks" "ranks$ranks" one
  expect "$ranks ranks: history" diff <(physics one) <(physics "ranks$ranks")
done
piece "$program" $(counts 4 2) finite.yaml parts --steps 3
piece "$program" 3 finite.yaml parts --steps 2 --restart --set partition.every=1
piece "$program" 1 finite.yaml parts --restart
same_bits "in pieces" parts one
expect "history in pieces" diff <(physics one) <(physics parts)

# energy is what works have left, to the tolerance of impulses
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "energy" awk -F, "$names"'
  {w += $n["load_work"] + $n["contact_work"] + $n["damping_work"] + $n["scheme_work"] + $n["joint_work"]
   if (NR == 2) first = $n["kinetic_energy"] + $n["elastic_energy"] - w
   e = $n["kinetic_energy"] + $n["elastic_energy"] - w - first; scale = $n["kinetic_energy"]}
  END {exit !(e * e < 1e-10 * scale * scale)}' one/history.csv
expect "bodies deform" awk -F, "$names"' {e = $n["elastic_energy"]} END {exit !(e > 1e-3)}' one/history.csv
expect "mortar cracks" awk -F, "$names"' {b += $n["broken_tension"]} END {exit !(b > 0)}' one/history.csv
expect "the tie yields" awk -F, "$names"' {y += $n["joints_yielding"]} END {exit !(y > 0)}' one/history.csv
[ "$failures" -eq 0 ]
