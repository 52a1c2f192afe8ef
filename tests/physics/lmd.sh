#!/bin/bash
# Contacts between surfaces as they are (contact.model lmd): a tilted cube drops onto four points and stays, a wall of
# 210 blocks stands on 1560, blocks topple where they do with patches at any dilation, bodies that are not convex rest
# and keep their points, and what the model does not bear is refused by name.
# LMD_STEPS: so many steps of bodies that are a surface alone at rest.
# test: needs tetgen
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

# surfaces alone at rest: a stone in a groove, a U over a block, a stone on a stone. Energy does not grow
ring()
{
  awk -v r="$1" -v z="$2" 'BEGIN {for (k = 0; k < 6; k++)
    printf "v %.15g %.15g %s\n", r * cos(1.0471975511965976 * k), r * sin(1.0471975511965976 * k), z}' </dev/null
}
{
  ring 0.3 -0.25
  ring 0.5 0
  ring 0.3 0.25
  for k in 1 2 3 4 5 6; do
    n=$((k % 6 + 1))
    echo "f $k $n $((n + 6)) $((k + 6))"
    echo "f $((k + 6)) $((n + 6)) $((n + 12)) $((k + 12))"
  done
  echo "f 6 5 4 3 2 1"
  echo "f 13 14 15 16 17 18"
} >gem.obj
{
  for y in -0.5 0.5; do
    for at in "-1 0" "-0.6 0" "-0.6 1" "0.6 1" "0.6 0" "1 0" "1 1.4" "-1 1.4"; do echo "v ${at% *} $y ${at#* }"; done
  done
  echo "f 1 2 3 8"
  echo "f 3 4 7 8"
  echo "f 4 5 6 7"
  echo "f 16 11 10 9"
  echo "f 16 15 12 11"
  echo "f 15 14 13 12"
  for k in 1 2 3 4 5 6 7 8; do
    n=$((k % 8 + 1))
    echo "f $k $((k + 8)) $((n + 8)) $n"
  done
} >cup.obj
cat >alone.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
contact: {model: lmd}
bodies:
  - {box: [40, 20, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - parts: [{hull: [[-1, -1, 0], [-1, 1, 0], [0, -1, 0], [0, 1, 0], [-1, -1, 1], [-1, 1, 1]]},
            {hull: [[1, -1, 0], [1, 1, 0], [0, -1, 0], [0, 1, 0], [1, -1, 1], [1, 1, 1]]}]
    at: [-5, 0, 0]
    material: stone
    fixed: true
  - {mesh: {file: gem.obj, surface: true}, at: [-5, 0, 0.75], turn: {axis: [1, 0, 0], angle: 90}, material: stone}
  - {box: [1, 0.8, 0.6], at: [0, 0, 0.3], material: stone}
  - {mesh: {file: cup.obj, surface: true}, at: [0, 0, 0], material: stone}
  - {mesh: {file: gem.obj, surface: true}, at: [5, 0, 0.25], material: stone}
  - {mesh: {file: gem.obj, surface: true}, at: [5.05, 0.03, 0.75], turn: {axis: [0, 0, 1], angle: 20}, material: stone}
YAML
steps=${LMD_STEPS:-1500}
run 1 alone.yaml alone --set time.end="$(awk -v n="$steps" 'BEGIN {print n * 1e-3}' </dev/null)"
check "stones in a groove, on a stone, a U over a block: overlap at the end of $steps steps, m" \
  "$(history alone 'c["penetration"]')" '<' 1e-5
check "kinetic energy at the end, J" "$(history alone 'c["kinetic_energy"]')" '<' 1e-6
check "most in the last half, J" "$(awk -F, -v n="$steps" '
  NR == 1 {for (i = 1; i <= NF; i++) if ($i == "kinetic_energy") k = i; next}
  NR > n / 2 && $k > most {most = $k}
  END {printf "%.3g", most}' alone/history.csv)" '<' 1e-9
check_same "base surfaces that meet" "$(column alone failed_pairs)" 0

# fewer points: the hexagon under a stone keeps four of six; a small foot beside a large one is left out; and stiffness
# of joints lets bodies sink as far as patches do, on one face and on two
cat >fewer.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.1}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
contact: {model: lmd}
bodies:
  - {box: [20, 20, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {mesh: {file: gem.obj, surface: true}, at: [5, 0, 0.25], material: stone}
  - parts: [{box: [3, 1, 0.5], at: [0, 0, 0.75]}, {box: [1.4, 1, 0.5], at: [0, 0, 0.25]},
            {box: [0.1, 0.5, 0.5], at: [1.45, 0, 0.25]}]
    at: [0, 0, 0]
    material: stone
YAML
run 1 fewer.yaml all
check_same "points of a hexagon, a large and a small foot" "$(history all 'c["points"]')" 14
run 1 fewer.yaml fewer --set contact.max_points=4 --set contact.sparsify.threshold=0.1
check_same "at most four of a face, and faces of a tenth of the largest" "$(history fewer 'c["points"]')" 8
check "points left out" "$(column fewer sparsified)" '>' 0
check "they rest: way, m" "$(info fewer largest_displacement)" '<' 1e-6
for model in patch lmd; do
  run 1 rest.yaml stiff.$model --set contact.model=$model --set time.end=1 \
    --set contacts.0.joint_stiffness="{normal: 1e7, shear: 1e7}"
done
check "they sink into joints that are soft, m" "$(info stiff.lmd largest_displacement)" '>' 1e-3
sunk=$(info stiff.patch largest_displacement)
check_near "as far as patches, m" "$(info stiff.lmd largest_displacement)" "$sunk" 1e-9

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

# deeper than the dilations in a run, between a floor that rises and a ceiling: counted, named, and pushed out once the
# floor sinks
cat >press.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.5}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
contact: {model: lmd}
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, name: floor,
     motion: {velocity: {table: [[0, 0, 0, 0.5], [0.1, 0, 0, 0.5], [0.1001, 0, 0, -0.5], [0.5, 0, 0, -0.5]]}}}
  - {box: [1, 1, 1], at: [0, 0, 0.5], material: stone, name: pressed}
  - {box: [4, 4, 1], at: [0, 0, 1.51], material: stone, fixed: true, name: ceiling}
YAML
run 1 press.yaml press
check "pressed by 0.04 m: pairs that meet, most in a step" "$(largest press 'c["failed_pairs"]')" '>' 0
check_same "at the end" "$(history press 'c["failed_pairs"]')" 0
check "overlap at the end, m" "$(history press 'c["penetration"]')" '<' 1e-4
check "named in the log" "$(grep -c 'between bodies' press.log)" '>' 0

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
sed 's/at: \[0, 0, 0.55\].*/at: [0, 0, 0.47], material: stone, name: sunk}/; s/fixed: true}/fixed: true, name: bed}/' \
  drop.yaml >sunk.yaml
expect_refusal "bodies that begin deeper than the dilations" sunk.yaml "bodies bed and sunk overlap by more than"
"$program" run sunk.yaml -o sunk --overwrite >said.txt 2>&1
check_same "a run says the same: code" $? 2
check_same "names both" "$(grep -c 'bodies bed and sunk overlap by more than' said.txt)" 1
# one that appears later
sed 's/name: sunk}/name: sunk, birth: 0.005}/' sunk.yaml >late.yaml
"$program" run late.yaml -o late --overwrite >said.txt 2>&1
check_same "a body that appears inside another one: code" $? 2
check_same "names both" "$(grep -c 'step 6: bodies bed and sunk overlap by more than' said.txt)" 1
sed -e 's/friction: 0.6/friction: 0.6, bond: {cohesion: 1e6, tensile_strength: 1e5}/' rest.yaml >bond.yaml
expect_refusal "bonds of bodies of several parts" bond.yaml "knows bonds of bodies of one part alone"
finish
