#!/bin/bash
# A wall of 300 stones without mortar, friction 0.7, stands on the ground: steps are solved and no stone moves. Its
# mass is that of the box. Tilted by 40 degrees it falls.
# test: timeout 300
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
cat >wall.yaml <<'END'
title: a wall of rubble
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.2}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.7}
bodies:
  - {box: [6, 2, 0.5], at: [1.5, 0, -0.25], material: stone, fixed: true, name: ground}
  - {rubble: {size: [3, 0.5, 2], stones: 300}, material: stone, name: wall}
END
for seed in 1 2 3; do
  run 1 wall.yaml stands$seed --set seed=$seed || continue
  check "seed $seed, largest displacement, m" "$(info stands$seed largest_displacement)" "<" 1e-6
  check "seed $seed, steps above the tolerance" "$(info stands$seed unsolved)" "==" 0
  check "seed $seed, mass, kg" "$(history stands$seed 'c["mass"] - 7200')" "<" 1e-6
  check "seed $seed, mass, kg" "$(history stands$seed '7200 - c["mass"]')" "<" 1e-6
done
run 1 wall.yaml falls --set time.end=0.02 --set "gravity=[0, 6.31, -7.51]"
check "tilted, largest displacement, m" "$(info falls largest_displacement)" ">" 1e-4
finish
