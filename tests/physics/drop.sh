#!/bin/bash
# Falling blocks: heights of bounces by Newton's law, gravity as a table in time, momentum of an impact chain.
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# a block that lands flat: after the n-th impact it rises to e^(2n) of the height
cat >bounce.yaml <<'END'
title: a block that bounces
units: SI
gravity: [0, 0, -9.81]
time: {step: 5e-4, end: 1.9}
materials: {stone: {density: 1000}}
contacts: [{between: [stone, stone], friction: 0, restitution: 0.8}]
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [1, 1, 1], at: [0, 0, 1.5], material: stone}
END
# the n-th largest kinetic energy before an impact, over m g h; impacts show as falls of energy by more than a tenth
impact_energy()
{
  awk -F, -v wanted="$2" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
    {e = $n["kinetic_energy"]; if (last > 0 && e < 0.9 * last && last > 500 && ++count == wanted)
      printf "%.6g\n", last / 9810; last = e}' "$1/history.csv"
}
for ranks in 1 3; do
  run $ranks bounce.yaml bounce.$ranks || continue
  check_near "energy before the first impact over m g h" "$(impact_energy bounce.$ranks 1)" 1 5e-3
  check_near "before the second, e^2" "$(impact_energy bounce.$ranks 2)" 0.64 5e-3
  check_near "before the third, e^4" "$(impact_energy bounce.$ranks 3)" 0.4096 5e-3
  check "deepest overlap, m: the way of one step" "$(largest bounce.$ranks 'c["penetration"]')" '<' 2.3e-3
done
check_same "hash on 1 and 3 ranks" "$(info bounce.1 hash)" "$(info bounce.3 hash)"

# gravity from a table: v(t) is its integral, here 0.05 g (ramp) + 0.3 g
cat >table.yaml <<'END'
title: gravity that is switched on
units: SI
gravity: {table: [[0, 0, 0, 0], [0.1, 0, 0, -9.81], [0.4, 0, 0, -9.81]]}
time: {step: 1e-3, end: 0.4}
materials: {stone: {density: 1000}}
bodies:
  - {box: [1, 1, 1], material: stone}
END
run 2 table.yaml table || finish
check_near "velocity under gravity from a table, m/s" "$(history table 'c["momentum_z"] / 1000')" -3.4335 1e-9

# a row of equal cubes hit at one end, e = 1: momentum and energy stay
cat >chain.yaml <<'END'
title: a row of cubes hit at one end
units: SI
gravity: [0, 0, 0]
time: {step: 1e-3, end: 0.3}
materials: {steel: {density: 1000}}
contacts: [{between: [steel, steel], friction: 0.3, restitution: 1}]
bodies:
  - {grid: {box: [1, 1, 1], count: [5, 1, 1], spacing: [1.05, 2, 2]}, material: steel}
  - {box: [1, 1, 1], at: [-1.1, 0, 0], velocity: [2, 0, 0], material: steel}
END
for ranks in 1 3; do
  run $ranks chain.yaml chain.$ranks || continue
  check_near "momentum of a chain of impacts, N s" "$(history chain.$ranks 'c["momentum_x"]')" 2000 1e-9
  check_near "its energy, J" "$(history chain.$ranks 'c["kinetic_energy"]')" 2000 2e-3
done
check_same "hash on 1 and 3 ranks" "$(info chain.1 hash)" "$(info chain.3 hash)"

# a block dropped with e = 0 comes to rest and stays; its overlap goes to the slop, 1e-5 of the block
cat >rest.yaml <<'END'
title: a tilted block that falls and comes to rest
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 3}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [0.5, 0.4, 0.3], at: [0, 0, 0.5], turn: {axis: [1, 2, 0.3], angle: 25}, material: stone}
END
run 1 rest.yaml rest || finish
check "energy at rest, J" "$(history rest 'c["kinetic_energy"]')" '<' 1e-8
check "points at rest" "$(history rest 'c["points"]')" '==' 4
check "overlap at rest, m" "$(history rest 'c["penetration"]')" '<' 5.1e-6
check "energy gained in any step beyond what gravity released, J" "$(largest rest \
  'c["kinetic_energy"] - p["kinetic_energy"] - c["load_work"]')" '<' 1e-6

# without friction: two blocks rest, a third hovers; it alone falls
cat >smooth.yaml <<'END'
title: smooth blocks, two at rest and one that hovers
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.003}
materials: {ice: {density: 1000}}
contacts: [{between: [ice, ice], friction: 0}]
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: ice, fixed: true}
  - {box: [0.5, 0.5, 0.5], at: [-1, 0, 0.25], material: ice}
  - {box: [0.5, 0.5, 0.5], at: [0, 0, 0.25], material: ice}
  - {box: [0.5, 0.5, 0.5], at: [1, 0, 0.2501], material: ice}
END
run 1 smooth.yaml smooth || finish
check_near "energy of the one block that falls, J" "$(history smooth 'c["kinetic_energy"]')" 0.05413 1e-4
check "residual without friction" "$(largest smooth 'c["residual_max"]')" '<' 1e-6
check "overlap of those at rest, m" "$(largest smooth 'c["penetration"]')" '<' 1e-9

# loose bodies: no contacts tell who belongs together, places do
cat >loose.yaml <<'END'
title: 4096 boxes that float apart
units: SI
gravity: [0, 0, 0]
time: {step: 1e-3, end: 0.002}
materials: {ice: {density: 1000}}
contacts: [{between: [ice, ice], friction: 0}]
bodies:
  - {grid: {box: [0.5, 0.5, 0.5], count: [16, 16, 16], spacing: [1, 1, 1]}, material: ice}
END
run 3 loose.yaml loose || finish
check "most ghosts on a rank" "$(largest loose 'c["ghosts"]')" '<=' 600
finish
