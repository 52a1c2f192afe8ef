#!/bin/bash
# Contact models chosen by case: blocks and an L come to rest under both, the same bits on 1 and 3 ranks and after a
# restart; sparsification takes what it should; overlap too deep for a patch is pushed out until patches hold again.
# test: needs tetgen
# test: ranks 3
# test: timeout 300
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
cp "$(dirname "${BASH_SOURCE[0]}")/../meshes/l.obj" .

# one convex block, one of four parts, an L from a mesh, a ball, a block on a block
cat >rest.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.6}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.6}]
bodies:
  - {box: [40, 40, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [1, 0.6, 0.5], at: [0, 0, 0.27], material: stone}
  - parts:
      - {box: [0.5, 0.5, 0.5], at: [0.25, 0.25, 0]}
      - {box: [0.5, 0.5, 0.5], at: [-0.25, 0.25, 0]}
      - {box: [0.5, 0.5, 0.5], at: [0.25, -0.25, 0]}
      - {box: [0.5, 0.5, 0.5], at: [-0.25, -0.25, 0]}
    at: [3, 0, 0.27]
    material: stone
  - {box: [0.4, 0.4, 0.4], at: [3, 0, 0.74], material: stone}
  - {mesh: l.obj, at: [-10, 0, 0.02], material: stone}
  - {sphere: {radius: 0.3}, at: [0, 5, 0.32], material: stone}
YAML
for model in patch volumetric; do
  set_model="--set contact.model=$model"
  for ranks in 1 3; do
    run $ranks rest.yaml $model.$ranks $set_model || continue
  done
  check_same "$model: hash on 1 and 3 ranks" "$(info $model.1 hash)" "$(info $model.3 hash)"
  run 3 rest.yaml $model.part $set_model --steps 250
  "$mpirun" 1 "$program" run rest.yaml -o $model.part --restart $set_model >$model.rest.log 2>&1
  check_same "$model: hash after a restart" "$(info $model.part hash)" "$(info $model.1 hash)"
  # the L stands on two points in the volumetric model and turns about them, slowly
  [ $model = patch ] && limit=1e-9 || limit=1e-4
  check "$model: largest kinetic energy in the last half, J" \
    "$(largest $model.1 'c["time"] > 0.3 ? c["kinetic_energy"] : 0')" '<' $limit
  # 1e-5 of the smaller body is the slop
  check "$model: penetration at the end, m" "$(history $model.1 'c["penetration"]')" '<' 3e-5
  check_same "$model: failed pairs" "$(largest $model.1 'c["failed_pairs"]')" 0
  check_same "$model: points removed" "$(largest $model.1 'c["sparsified"]')" 0
done
# 4 for each block, 4 between the blocks, 5 of the L, 1 of the ball
check_same "patch: points" "$(history patch.1 'c["points"]')" 18
# 1 + 4 + 4 (the upper block on four parts) + 1 for each part of the L on the floor + 1
check "volumetric: points" "$(history volumetric.1 'c["points"]')" '>=' 11
check "volumetric: points" "$(history volumetric.1 'c["points"]')" '<=' 12

# a block of 4 x 3 parts over the seams of a base of 3 x 2: 24 points, of which 12 are slivers
awk 'BEGIN {
  print "gravity: [0, 0, -9.81]\ntime: {step: 1e-3, end: 0.1}\nmaterials: {stone: {density: 2600}}"
  print "contacts: [{between: [stone, stone], friction: 0.6}]\nbodies:"
  print "  - fixed: true\n    material: stone\n    parts:"
  for (i = 0; i < 6; i++)
    printf "      - {box: [2, 2, 1], at: [%g, %g, -0.5]}\n", 2 * (i % 3) - 0.01, 2 * int(i / 3) + 0.98
  print "  - material: stone\n    at: [0, 0, -1e-4]\n    parts:"
  for (i = 0; i < 12; i++) printf "      - {box: [1, 1, 1], at: [%g, %g, 0.5]}\n", i % 4 + 0.5, int(i / 4) + 0.5
}' >seams.yaml
run 1 seams.yaml seams --set contact.model=volumetric
check_same "points over seams" "$(history seams 'c["points"]')" 24
for ranks in 1 3; do
  run $ranks seams.yaml thin.$ranks --set contact.model=volumetric --set 'contact.sparsify={threshold: 0.1}'
done
check_same "those left beside wider ones" "$(history thin.1 'c["points"]')" 12
check_same "points removed" "$(history thin.1 'c["sparsified"]')" 12
check_same "hash on 1 and 3 ranks" "$(info thin.1 hash)" "$(info thin.3 hash)"
check "kinetic energy at the end, J" "$(info thin.1 kinetic_energy)" '<' 1e-3
run 1 rest.yaml near --set 'contact.sparsify={min_distance: 0.55}' --steps 300
check "points where none are nearer than 0.55 m" "$(history near 'c["points"]')" '<' 18
check "kinetic energy then, J" "$(info near kinetic_energy)" '<' 1

# buried by more than a tenth: named, pushed out, patches again
cat >deep.yaml <<'YAML'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.3}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.6}]
bodies:
  - {box: [10, 10, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [1, 0.6, 0.5], at: [0, 0, 0.1], material: stone}
YAML
run 1 deep.yaml deep
check_same "pairs too deep in the first step" "$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i}
  NR == 2 {print $n["failed_pairs"]}' deep/history.csv)" 1
check_same "pairs too deep at the end" "$(history deep 'c["failed_pairs"]')" 0
check_same "points at the end" "$(history deep 'c["points"]')" 4
check "penetration at the end, m" "$(history deep 'c["penetration"]')" '<' 3e-5
check "largest kinetic energy, J: it is not thrown out" "$(largest deep 'c["kinetic_energy"]')" '<' 1
check "kinetic energy at the end, J" "$(info deep kinetic_energy)" '<' 1e-6
finish
