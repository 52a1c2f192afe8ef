#!/bin/bash
# Contacts between surfaces as they are (contact.model lmd): a tilted cube drops onto four points and stays, a wall of
# 210 blocks stands on 1560, blocks topple where they do with patches at any dilation, bodies that are not convex rest
# and keep their points, and what the model does not bear is refused by name.
# test: timeout 600
source "$(dirname "$0")/checks.bash"
root=$(cd "$(dirname "$0")/../.." && pwd)

cat >drop.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
contact: {model: lmd}
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [1, 1, 1], at: [0, 0, 0.55], turn: {axis: [1, 0.3, 0], angle: 1.1459155902616465}, material: stone}
YAML
for dilation in 1e-3 5e-3 1e-2; do
  run 1 drop.yaml drop.$dilation --set contact.lmd.dilation=$dilation || continue
  check_same "cube dropped with a tilt of 0.02, dilation $dilation: points at the end" \
    "$(history drop.$dilation 'c["points"]')" 4
  check "its overlap at the end, m" "$(history drop.$dilation 'c["penetration"]')" '<' 1e-6
  check "its kinetic energy, J" "$(history drop.$dilation 'c["kinetic_energy"]')" '<' 1e-9
done

cp "$root/jobs/wall/wall.yaml" .
run 1 wall.yaml wall --set contact.model=lmd --set time.end=0.1
check_same "points of the wall of 210 blocks, most and at the end" \
  "$(largest wall 'c["points"]') $(history wall 'c["points"]')" "1560 1560"
check "its largest displacement, m" "$(info wall largest_displacement)" '<' 1e-4

# a block of 1 x 1 x 2 m: gravity leans so that it stands and topples 5e-4 below and above tan = w / h
for dilation in 1e-3 1e-2; do
  for lean in 0.4995 0.5005; do
    cat >topple.yaml <<YAML
gravity: [$(awk -v t=$lean 'BEGIN {printf "%.15g, 0, %.15g", 9.81 * t, -9.81}' </dev/null)]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 2, restitution: 0}]
contact: {model: lmd, lmd: {dilation: $dilation}}
bodies:
  - {box: [20, 20, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [1, 1, 2], at: [0, 0, 1], material: stone}
YAML
    run 1 topple.yaml topple.$dilation.$lean || continue
    if [ $lean = 0.4995 ]; then
      check "leaning by $lean, dilation $dilation, it stands: way, m" \
        "$(info topple.$dilation.$lean largest_displacement)" '<' 1e-5
    else
      check "leaning by $lean, dilation $dilation, it topples: way, m" \
        "$(info topple.$dilation.$lean largest_displacement)" '>' 1e-3
    fi
  done
done

# a block, a U on its legs, another with a block in its mouth, and an L, from parts
cat >rest.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.5}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
contact: {model: lmd}
bodies:
  - {box: [40, 20, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [2, 2, 1], at: [-6, 0, 0.5], material: stone}
  - parts: [{box: [3, 1, 0.5], at: [0, 0, 0.75]}, {box: [0.5, 1, 0.5], at: [-1.25, 0, 0.25]},
            {box: [0.5, 1, 0.5], at: [1.25, 0, 0.25]}]
    at: [-6, 4, 0]
    material: stone
  - parts: [{box: [3, 1, 0.5], at: [0, 0, 0.25]}, {box: [0.5, 1, 0.5], at: [-1.25, 0, 0.75]},
            {box: [0.5, 1, 0.5], at: [1.25, 0, 0.75]}]
    at: [0, 0, 0]
    material: stone
  - {box: [2, 0.8, 0.6], at: [0, 0, 0.8], material: stone}
  - parts: [{box: [2, 1, 0.5], at: [0, 0, 0.25]}, {box: [0.5, 1, 0.5], at: [-0.75, 0, 0.75]}]
    at: [5, 0, 0]
    material: stone
YAML
run 1 rest.yaml rest
check "bodies that are not convex at rest: largest displacement in 0.5 s, m" \
  "$(info rest largest_displacement)" '<' 1e-5
check "their largest kinetic energy, J" "$(largest rest 'c["kinetic_energy"]')" '<' 1e-3
# 4 of the block, 8 of the U on its legs, 4 of the U on its back, 12 of the block in its mouth, 4 of the L
check_same "their points" "$(largest rest 'c["points"]')" 32
check_same "base surfaces that meet" "$(largest rest 'c["failed_pairs"]')" 0

# a brick that mortar holds beside another one stays, without mortar it falls; an elastic cube comes to rest
cat >bonds.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.2}
materials: {stone: {density: 2000}, rubber: {density: 1000, young: 1e7, poisson: 0.3, damping: 1e-3}}
contacts:
  - {between: [stone, stone], friction: 0.6, restitution: 0, bond: {cohesion: 1e6, tensile_strength: 1e6}}
  - {between: [stone, rubber], friction: 0.6, restitution: 0}
contact: {model: lmd}
bodies:
  - {box: [1, 1, 1], at: [0, 0, 0.5], material: stone, fixed: true}
  - {box: [0.5, 0.5, 0.5], at: [0.75, 0, 0.5], material: stone}
  - {box: [0.5, 0.5, 0.5], at: [0, 0, 1.25], material: rubber, elastic: affine}
YAML
run 1 bonds.yaml bonds --set solver.method=automatic
check "a brick held by mortar and an elastic cube: largest displacement, m" \
  "$(info bonds largest_displacement)" '<' 1e-3
check_same "points at the end: four of the bond, four of the cube" "$(history bonds 'c["points"]')" 8
sed -e 's/, bond: {[^}]*}//' bonds.yaml >apart.yaml
run 1 apart.yaml apart
check "without mortar it falls, m" "$(info apart largest_displacement)" '>' 0.1

# deeper than the dilations: counted, and pushed out all the same
sed 's/at: \[0, 0, 0.55\].*/at: [0, 0, 0.47], material: stone, name: sunk}/' drop.yaml >sunk.yaml
run 1 sunk.yaml sunk --set time.end=0.5
check "sunk by 0.03 m: pairs that meet, most in a step" "$(column sunk failed_pairs)" '>' 0
check_same "at the end" "$(history sunk 'c["failed_pairs"]')" 0
check "overlap at the end, m" "$(history sunk 'c["penetration"]')" '<' 1e-4

# refusals
sed -e 's/box: \[1, 1, 1\]/box: [1, 1, 0.01]/' -e 's/material: stone}$/material: stone, name: slab}/' \
  drop.yaml >thin.yaml
expect_refusal()
{
  "$program" check "$2" >said.txt 2>&1
  check_same "$1: exit code" $? 2
  check_same "$1: said" "$(grep -c -- "$3" said.txt)" 1
}
expect_refusal "a slab thinner than two dilations" thin.yaml \
  "body 'slab': the surface turns inside out at facet .* lower contact.lmd.dilation to at most 0.0042"
sed -e 's/friction: 0.6/friction: 0.6, bond: {cohesion: 1e6, tensile_strength: 1e5}/' rest.yaml >bond.yaml
expect_refusal "bonds of bodies of several parts" bond.yaml "knows bonds of bodies of one part alone"
finish
