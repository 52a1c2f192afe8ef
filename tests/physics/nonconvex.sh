#!/bin/bash
# Bodies that are not convex, cut from meshes: an L, a U, a ring and a cup rest as one piece each; a stone in a cup
# that is tilted to and fro stays in it.
# test: needs tetgen
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
meshes=$(cd "$(dirname "${BASH_SOURCE[0]}")/../meshes" && pwd)
for mesh in l u torus cup; do cp "$meshes/$mesh.obj" .; done

# at rest on a floor, one with a block in its mouth: nothing moves beyond the slop of 1e-5 of a body
cat >rest.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.5}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.6}]
bodies:
  - {box: [60, 30, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {mesh: l.obj, at: [-10, 0, 0], material: stone}
  - {mesh: u.obj, at: [-5, 0, 0], material: stone}
  - {box: [1, 0.9, 1], at: [-3.5, 1.55, 0.5], material: stone, name: block in the mouth of the u}
  - {mesh: {file: torus.obj}, at: [2, 0, 0.47552825814757677], material: stone}
  - {mesh: {file: cup.obj, body: cup}, at: [10, 0, 0], material: stone}
YAML
run 1 rest.yaml rest
check "largest displacement in 0.5 s, m" "$(info rest largest_displacement)" '<' 1e-5
check "largest kinetic energy, J" "$(largest rest 'c["kinetic_energy"]')" '<' 1e-3
# 5 + 4 + 8 + 8 corners on the floor, 4 of the block, 4 on each side of the mouth
check_same "points" "$(largest rest 'c["points"]')" 37
check_same "parts that overlap without a patch" "$(largest rest 'c["failed_pairs"]')" 0

# the inside of the cup is the domain: a stone that left it would be removed
cat >cup.yaml <<'YAML'
gravity: {table: [[0, 0, 0, -9.81], [0.4, 5, 0, -9], [0.8, -5, 3, -9], [1.2, 0, -5, -9], [1.6, 0, 0, -9.81]]}
time: {step: 1e-3, end: 2.4}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.4, restitution: 0}]
domain: {low: [-1.8, -1.8, 0.6], high: [1.8, 1.8, 3]}
bodies:
  - {mesh: cup.obj, material: stone, fixed: true}
  - {box: [0.9, 0.7, 0.5], at: [0.2, 0.1, 2], turn: {axis: [1, 2, 0], angle: 35}, material: stone, name: stone}
  - {mesh: {file: l.obj, scale: 0.3}, at: [-0.8, -0.5, 1.3], material: stone, name: small l}
YAML
run 1 cup.yaml cup
check_same "bodies with the cup" "$(info cup bodies)" 3
check_same "removed" "$(info cup removed)" 0
check "they were shaken: largest kinetic energy after the fall, J" \
  "$(largest cup 'c["step"] > 700 ? c["kinetic_energy"] : 0')" '>' 10
check "and rest at the end: kinetic energy, J" "$(info cup kinetic_energy)" '<' 1e-2
check "penetration at the end, m" "$(history cup 'c["penetration"]')" '<' 3e-5
finish
