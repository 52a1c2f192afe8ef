#!/bin/bash
# Every cell of the table of kinds of bodies, contact models, bonds, joints and solvers in io/README.md: stacks of two
# bodies stand for ten steps, each solved, with the same bits on 1 and 3 ranks; or the case is refused by name. Stacks
# that differ by bodies and joints alone stand in one scene, each for itself.
# test: ranks 3
# test: needs tetgen
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf one three ./*.txt   # of an earlier run

# scene MODEL LAW SOLVER CONTACT BODY|JOINT...: a stack for each of the last, 20 m apart, "|JOINT" being optional
scene()
{
  local x=0 pair joints=
  cat <<END
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.01}
materials: {stone: {density: 2400, young: 1e9}, rock: {density: 2400}}
contacts: [{between: [stone, rock], friction: 0.6$2}, {between: [stone, stone], friction: 0.6$2}]
contact: {model: $1$4}
solver: {$3}
bodies:
END
  for pair in "${@:5}"; do
    cat <<END
  - {box: [9, 9, 1], at: [$x, 0, -0.5], material: rock, fixed: true, name: floor$x}
  - {${pair%%|*}, at: [$x, 0, 0.25], material: stone, name: low$x}
  - {${pair%%|*}, at: [$x, 0, 0.75], material: stone, name: high$x}
END
    [ "$pair" = "${pair%|*}" ] || joints+="${joints:+, }$(sed "s/@/$x/g" <<<"${pair#*|}")"
    x=$((x + 20))
  done
  echo "joints: [$joints]"
}

box='box: [0.5, 0.5, 0.5]'
parts='parts: [{box: [0.5, 0.5, 0.5]}, {box: [0.2, 0.5, 0.5], at: [0.35, 0, 0]}]'
ellipsoid='ellipsoid: {radii: [0.3, 0.3, 0.25]}'
stiff=', joint_stiffness: {normal: 1e9, shear: 1e9}'
surface='mesh: {file: hook.obj, surface: true}'
bond=', bond: {tensile_strength: 1e5, cohesion: 1e5}'
ball='|{ball: [@, 0, 0.5], between: [high@, low@]}'
tie='|{tie: [[@, 0, 0.75], [@, 0, 0.25]], between: [high@, low@], stiffness: 1e6}'
dowel='|{dowel: [@, 0, 0.5], axis: [0, 0, 1], between: [high@, low@], stiffness: {shear: 1e7}}'

# an L, 0.5 m wide and high, its foot 0.7 m long, as triangles about its middle
cat >hook.obj <<'END'
v -0.35 -0.25 -0.25
v 0.35 -0.25 -0.25
v 0.35 -0.25 0
v -0.15 -0.25 0
v -0.15 -0.25 0.25
v -0.35 -0.25 0.25
v -0.35 0.25 -0.25
v 0.35 0.25 -0.25
v 0.35 0.25 0
v -0.15 0.25 0
v -0.15 0.25 0.25
v -0.35 0.25 0.25
f 1 2 3 4
f 1 4 5 6
f 10 9 8 7
f 12 11 10 7
f 2 1 7 8
f 3 2 8 9
f 4 3 9 10
f 5 4 10 11
f 6 5 11 12
f 1 6 12 7
END

# stands NAME ARGUMENT...: as those of scene
stands()
{
  scene "${@:2}" >stands.yaml
  rm -rf one three
  piece "$program" 1 stands.yaml one
  piece "$program" 3 stands.yaml three
  expect "$1: solved" awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
    {k++; if (!($n["residual_max"] <= 1e-6)) bad = 1} END {exit bad || k != 10}' one/history.csv
  expect "$1: bits on 3 ranks" cmp one.txt three.txt
}

# refused NAME WORDS ARGUMENT...
refused()
{
  scene "${@:3}" >refused.yaml
  "$program" run refused.yaml -o refused >refused.log 2>&1
  expect "$1: code 2" test $? -eq 2
  expect "$1: says why" grep -q -- "$2" refused.log
}

for elastic in "" ", elastic: affine"; do
  shapes=("$box$elastic" "$parts$elastic" "$ellipsoid$elastic")
  for model in patch volumetric; do
    stands "$model$elastic" $model "" "" "" "${shapes[@]}" "${shapes[@]/%/$tie}" "$box$elastic$ball" \
      "$box$elastic$dowel"
    stands "$model$elastic, stiff joints" $model "$stiff" "" "" "${shapes[@]}"
    stands "$model$elastic, bonds" $model "$bond" "" "" "$box$elastic"
    expect "bonds are made" grep -q "bonds made with 8 points" one.log
  done
  # a surface alone and an ellipsoid cannot be in one scene
  for with in "$ellipsoid" "$surface"; do
    shapes=("$with$elastic")
    [ "$with" = "$ellipsoid" ] || shapes+=("$box$elastic" "$parts$elastic")
    name="lmd$elastic, ${with%%:*}"
    stands "$name" lmd "" "" "" "${shapes[@]}" "${shapes[@]/%/$tie}" "${shapes[@]/%/$ball}" "${shapes[@]/%/$dowel}"
    stands "$name, stiff joints" lmd "$stiff" "" "" "${shapes[@]}"
    stands "$name, sparse" lmd "" "" ", sparsify: {threshold: 0.1}" "${shapes[@]}"
    for method in automatic admm admm-cholesky admm-amg interior-point; do
      stands "$name, $method" lmd "" "method: $method" "" "${shapes[@]}"
    done
  done
  for method in automatic admm admm-cholesky admm-amg interior-point; do
    stands "$method$elastic" patch "" "method: $method" "" "$box$elastic"
  done
  stands "lmd$elastic, bonds" lmd "$bond" "" "" "$box$elastic"
  expect "bonds are made" grep -q "bonds made with 8 points" one.log
  stands "lmd, restitution$elastic" lmd ", restitution: 0.3" "" "" "$surface$elastic"
  stands "restitution$elastic" patch ", restitution: 0.3" "" "" "$box$elastic"
  [ -z "$elastic" ] || expect "restitution is warned of" grep -q "acts between rigid bodies alone" one.log
done
# finite elements: hexahedra, and tetrahedra in bodies of several parts
cells=', elastic: {cells: [2, 2, 2]}'
for model in patch volumetric; do
  stands "$model, cells" $model "" "" "" "$box$cells" "$box$cells$tie" "$box$cells$ball" "$box$cells$dowel" \
    "$parts, elastic: {size: 0.5}"
  stands "$model, cells, stiff joints" $model "$stiff" "" "" "$box$cells"
  stands "$model, cells, bonds" $model "$bond" "" "" "$box$cells"
  expect "bonds are made" grep -q "bonds made with 18 points" one.log
done
refused "lmd, cells" "they know 'contact.model' patch and volumetric alone" lmd "" "" "" "$box$cells"
for method in gauss-seidel nesterov anderson; do
  stands "$method" patch "" "method: $method" "" "$box"
  stands "$method, lmd" lmd "" "method: $method" "" "$surface"
  refused "$method, elastic" "'$method' knows rigid bodies alone" patch "" "method: $method" "" "$box, elastic: affine"
done
round="sphere: {radius: 0.25}"
stands "lmd, closed" lmd "" "" ", initial: 0.01" "$parts" "$surface" "$round"
stands "lmd, few points" lmd "" "" ", max_points: 4" "$parts" "$surface" "$round"
"$program" run stands.yaml -o dumped --overwrite --dump-problem 2 >dumped.log 2>&1
expect "lmd: a problem is written" test $? -eq 0 -a -s dumped/problem-000000002.hdf5
for model in patch volumetric; do
  refused "$model, surface" "a surface alone, which contact.model 'lmd' knows and no other" $model "" "" "" "$surface"
done
# bodies as inner spheres, with the volumetric law
soft=', law: volumetric, stiffness: 1e8, damping: 1'
inner=', geometry: spheres, spheres: 2000'
stands "spheres" patch "$soft" "" "$inner" "$box" "$parts" "$round"
stands "spheres, tie" volumetric "$soft" "" "$inner" "$box$tie" "$parts$tie" "$round$tie"
stands "spheres, ball" lmd "$soft" "" "$inner" "$box$ball" "$parts$ball" "$round$ball" "$surface"
refused "exact volumes of a surface" "is a surface alone, without parts" lmd "$soft" "" "" "$surface"
refused "spheres of ellipsoids" "is an ellipsoid, whose common solids are not known" patch "$soft" "" "$inner" \
  "$ellipsoid"
refused "spheres of elastic bodies" "is elastic, and that law" patch "$soft" "" "$inner" "$box, elastic: affine"
refused "spheres of a plate" "inner spheres fill .* less than 0.5; raise contact.spheres" patch "$soft" "" "$inner" \
  "box: [3, 3, 0.02]"
refused "bonds beside spheres" "no use where no pair of materials has 'law: volumetric'" patch "$bond" "" "$inner" \
  "$box"
refused "bonds of surfaces" "is a surface alone: bonds are of convex parts" lmd "$bond" "" "" "$surface"
refused "bonds of parts, lmd" "knows bonds of bodies of one part alone" lmd "$bond" "" "" "$parts"
other='{ellipsoid: {radii: [1, 1, 2]}, at: [5, 5, 3], material: stone}'
scene lmd "" "" "" "$surface" | sed "s/^joints:/  - $other\n&/" >mixed.yaml
"$program" check mixed.yaml >mixed.log 2>&1
expect "ellipsoids and surfaces: code 2" test $? -eq 2
expect "ellipsoids and surfaces: says why" grep -q "is a surface alone, which no ellipsoid can touch" mixed.log
stands "bonds of ellipsoids" patch "$bond" "" "" "$ellipsoid"
expect "which have no area" grep -q "no bonds made" one.log

# the volumetric law: common solids under every model, no points for the solver, and no other kind of body
layer=', law: volumetric, stiffness: 1e6, damping: 5'
for model in patch volumetric lmd; do
  stands "law volumetric, $model" $model "$layer" "" "" "$box" "$parts" "$round"
  expect "$model: a joint that gives at least for each" awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
    END {exit !($n["volumes"] >= 6 && $n["points"] == 0)}' one/history.csv
done
for spinning in mean integrated viscous; do
  stands "law volumetric, $spinning" patch "$layer, spinning: $spinning, rolling: false" "" "" "$box"
  stands "law volumetric, $spinning, rows of bodies" patch "$layer, spinning: $spinning" "" ", rows: body" "$parts"
done
stands "law volumetric, joints" patch "$layer" "" "" "$box$ball" "$box$tie" "$box$dowel"
for method in automatic admm interior-point gauss-seidel nesterov anderson; do
  stands "law volumetric, $method" patch "$layer" "method: $method, unsolved: halve" "" "$box"
done
stands "law volumetric, closed, few points" patch "$layer" "" ", initial: 0.01, max_points: 4" "$box"
refused "law volumetric, elastic" "is elastic, and that law is one of rigid bodies" patch "$layer" "" "" \
  "$box, elastic: affine"
refused "law volumetric, cells" "is elastic, and that law is one of rigid bodies" patch "$layer" "" "" "$box$cells"
refused "law volumetric, ellipsoid" "is an ellipsoid, whose common solids are not known" patch "$layer" "" "" \
  "$ellipsoid"
refused "law volumetric, surface" "is a surface alone, without parts that can share a volume" lmd "$layer" "" "" \
  "$surface"
refused "inner spheres, integrated" "inner spheres have no faces" patch "$layer, spinning: integrated" "" \
  ", geometry: spheres" "$box"
refused "law volumetric, bond" "no use beside 'law: volumetric'" patch "$layer$bond" "" "" "$box"
refused "law volumetric, stiff joints" "no use beside 'law: volumetric'" patch "$layer$stiff" "" "" "$box"

# steps: check says which ones the law bears, by one face and another
scene patch "$layer" "" "" "box: [0.5, 0.5, 0.25]" >steps.yaml
"$program" check steps.yaml >steps.log 2>&1
expect "check: critical steps" grep -q "^volumetric   steps up to 0.03464 s by the smallest faces of bodies, 0.02449 s \
by the largest (low0)" steps.log
"$program" check steps.yaml --set bodies.1.at=[0,0,0.1249] >steps.log 2>&1
expect "check: common volumes" grep -q "^start        0 contacts and 1 common volume between 1 pair of bodies" \
  steps.log
"$program" check steps.yaml --set time.step=0.03 --set time.end=0.3 >steps.log 2>&1
expect "check: largest face, code 0" test $? -eq 0
expect "check: largest face" grep -q "warning: .*body 'low0': where its largest face bears, the volumetric law asks \
for steps of at most 0.02449 s, and they are 0.03 s; lower time.step, or 'stiffness' to 6.667e+05 N/m3" steps.log
"$program" check steps.yaml --set time.step=0.04 --set time.end=0.4 >steps.log 2>&1
expect "check: smallest face" test $? -eq 2
expect "check: smallest face, why" grep -q "is too much for a mass of 150 kg, a face of 0.125 m2 and steps of 0.04 s" \
  steps.log
"$program" statics steps.yaml --weight 1,0,0 >steps.log 2>&1
expect "statics: code 2" test $? -eq 2
expect "statics: says why" grep -q "statics: steps.yaml: 'law: volumetric' gives pairs of materials forces" steps.log
[ "$failures" -eq 0 ]
