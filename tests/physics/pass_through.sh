#!/bin/bash
# Materials without contact: a block and a ball fall through a block and through each other, and all rest on the floor;
# with contact they would stand on one another. Such pairs are in no count.
# test: ranks 3
source "$(dirname "$0")/checks.bash"
cat >pass.yaml <<'END'
title: bodies that pass through each other
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1.5}
materials:
  floor: {density: 2400}
  stone: {density: 2400}
  mist: {density: 100}
contacts:
  - {between: [floor, stone], friction: 0.5}
  - {between: [mist, floor], friction: 0.5}
  - {between: [mist, stone], contact: false}
  - {between: [mist, mist], contact: false}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: floor, fixed: true}
  - {box: [1, 1, 1], at: [0, 0, 0.5], material: stone, name: below}
  - {box: [0.8, 0.8, 0.8], at: [0.1, 0, 1.6], material: mist, name: above}
  - {sphere: {radius: 0.3}, at: [0, 0.1, 3], material: mist, name: ball}
END
for ranks in 1 3; do
  run $ranks pass.yaml pass.$ranks --set partition.every=50 || continue
  check_near "largest way: the ball's, from 3 m down to its radius" "$(info pass.$ranks largest_displacement)" 2.7 1e-3
  check_near "kinetic energy at the end" "$(info pass.$ranks kinetic_energy)" 0 1e-6
  check_near "points: two blocks and a ball on the floor" "$(history pass.$ranks 'c["points"]')" 9 0
  check_near "pairs" "$(history pass.$ranks 'c["pairs"]')" 3 0
  check "pairs at any time" "$(largest pass.$ranks 'c["pairs"]')" '<' 3.5
  check "deepest overlap, m: the way of a step" "$(largest pass.$ranks 'c["penetration"]')" '<' 1e-2
  check_near "pairs that were too deep" "$(largest pass.$ranks 'c["failed_pairs"]')" 0 0
done
check_same "hash on 1 and 3 ranks" "$(info pass.1 hash)" "$(info pass.3 hash)"

# with contact the block stays above the other one
sed 's/contact: false/friction: 0.5/' pass.yaml >stand.yaml
run 1 stand.yaml stand && check "with contact the ball stays on top, m" "$(info stand largest_displacement)" '<' 1.2
finish
