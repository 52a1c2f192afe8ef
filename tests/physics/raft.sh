#!/bin/bash
# Plates with many bodies on them, which sweeps split over copies: few colours, the same bits on ranks that share the
# copies, momentum to rounding, and nearly the rate of whole plates.
# test: ranks 4
# test: timeout 600
source "$(dirname "$0")/checks.bash"
cat >raft.yaml <<'END'
title: a raft of 144 blocks on two beams
units: SI
gravity: [0.3, 0, -9.81]
time: {step: 1e-3, end: 0.01}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [1, 12, 1], at: [-4, 0, -1], material: stone, fixed: true, name: beam}
  - {box: [1, 12, 1], at: [4, 0, -1], material: stone, fixed: true, name: beam}
  - {box: [10, 10, 1], at: [0, 0, 0], material: stone, name: raft}
  - {grid: {box: [0.5, 0.5, 0.5], count: [12, 12, 1], spacing: [0.75, 0.75, 1]}, at: [-4.125, -4.125, 0.75],
     material: stone, name: load}
solver: {max_sweeps: 300}
partition: {every: 3}
END
for ranks in 1 2 4; do
  run $ranks raft.yaml raft.$ranks || continue
  check "contact points" "$(history raft.$ranks 'c["points"]')" '==' 584
  check "colours" "$(history raft.$ranks 'c["colours"]')" '<=' 31
  check_same "hash on $ranks ranks" "$(info raft.$ranks hash)" "$(info raft.1 hash)"
done
check "largest displacement, m" "$(info raft.1 largest_displacement)" '<' 1e-4

# the raft on many blocks, by each way of sweeping; a whole raft takes 135 and 45 sweeps
cat >large.yaml <<'END'
title: a raft of 20 x 20 m that bears 3000 bricks and lies on 500 blocks
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.003}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [24, 24, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.4, 0.4, 0.3], count: [25, 20, 1], spacing: [0.8, 1, 1]}, at: [-9.6, -9.5, 0.15],
     material: stone, name: blocks}
  - {box: [20, 20, 0.4], at: [0, 0, 0.5], material: stone, name: raft}
  - {grid: {box: [0.24, 0.12, 0.08], count: [60, 50, 1], spacing: [0.33, 0.39, 1]}, at: [-9.735, -9.555, 0.74],
     material: stone, name: load}
solver: {max_sweeps: 400}
partition: {every: 2}
END
for method in gauss-seidel nesterov; do
  for ranks in 1 4; do
    run $ranks large.yaml $method.$ranks --set solver.method=$method || continue
    check "$method: colours" "$(column $method.$ranks colours)" '<=' 31
    check "$method: residual" "$(column $method.$ranks residual_max)" '<=' 1e-6
    check_same "$method: hash on $ranks ranks" "$(info $method.$ranks hash)" "$(info $method.1 hash)"
  done
done
check "gauss-seidel: sweeps" "$(column gauss-seidel.1 sweeps)" '<' 250
check "nesterov: sweeps" "$(column nesterov.1 sweeps)" '<' 80

# a raft that flies into resting bricks, far from everything: 1e-12 of its momentum along z is 7.2e-8 N s
cat >free.yaml <<'END'
title: a raft that flies into bricks
units: SI
gravity: [0, 0, 0]
time: {step: 1e-3, end: 0.1}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [10, 10, 0.3], at: [0, 0, 0], material: stone, velocity: [0.3, 0.1, 1], spin: [0.02, 0.01, 0.1], name: raft}
  - {grid: {box: [0.24, 0.12, 0.08], count: [12, 12, 1], spacing: [0.75, 0.75, 1]}, at: [-4.125, -4.125, 0.2],
     material: stone, name: bricks}
solver: {method: nesterov, max_sweeps: 200}
partition: {every: 10}
END
run 3 free.yaml free
check "points on the flying raft" "$(column free points)" '>=' 300
check "colours" "$(column free colours)" '<=' 31
for axis in x y z; do
  check "change of momentum along $axis in a step, N s" \
    "$(largest free "abs(c[\"momentum_$axis\"] - p[\"momentum_$axis\"])")" '<=' 7.2e-8
done
finish
