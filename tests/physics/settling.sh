#!/bin/bash
# Stones dropped into a box and a pile of boxes that starts with open joints, e = 0: the sum of kinetic and potential
# energy never exceeds its start by 1e-3 of what the fall releases, nor by that what it was at any time before; what
# corrections of overlaps add by lifting bodies falls with the step. Nothing pops: boxes come to rest.
# test: slow
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/checks.bash"

cat >stones.yaml <<'END'
title: stones dropped into a box
units: SI
seed: 1
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1.6}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.5, restitution: 0}]
bodies:
  - {box: [2, 2, 0.2], at: [0, 0, -0.1], material: stone, fixed: true}
  - {box: [0.2, 1.8, 1], at: [0.8, 0, 0.5], material: stone, fixed: true}
  - {box: [0.2, 1.8, 1], at: [-0.8, 0, 0.5], material: stone, fixed: true}
  - {box: [1.4, 0.2, 1], at: [0, 0.8, 0.5], material: stone, fixed: true}
  - {box: [1.4, 0.2, 1], at: [0, -0.8, 0.5], material: stone, fixed: true}
  - stones:
      shapes: [{random: {points: 12, ratios: [1, 0.8, 0.6], variety: 8, size: 0.2}}, {box: [0.2, 0.25, 0.3]}]
      lattice: {count: [3, 3, 4], spacing: [0.45, 0.45, 0.45], jitter: 0.8}
    at: [-0.45, -0.45, 0.25]
    material: stone
END
cat >boxes.yaml <<'END'
title: a pile of boxes with open joints, some of them askew
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2600}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [6, 6, 0.2], at: [0, 0, -0.1], material: stone, fixed: true}
  - {grid: {box: [0.3, 0.3, 0.2], count: [4, 2, 1], spacing: [0.31, 0.31, 1]}, at: [0, 0, 0.102], material: stone}
  - {grid: {box: [0.3, 0.3, 0.2], count: [3, 2, 1], spacing: [0.31, 0.31, 1]}, at: [0.15, 0, 0.33],
     turn: {axis: [0, 1, 0.3], angle: 1}, material: stone}
  - {grid: {box: [0.3, 0.3, 0.2], count: [2, 2, 1], spacing: [0.31, 0.31, 1]}, at: [0.3, 0, 0.57],
     turn: {axis: [1, 1, 0], angle: 2}, material: stone}
  - {grid: {box: [0.3, 0.3, 0.2], count: [1, 2, 1], spacing: [0.31, 0.31, 1]}, at: [0.45, 0, 0.81],
     turn: {axis: [1, 1, 0], angle: 2}, material: stone}
END

# energies FOLDER: over the energy that the fall releases: the most above the start, the most above any time before,
# what corrections add in all, and the largest work of contacts in a step. Energy is zero at the start, at rest.
energies()
{
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
    {
      fallen += $n["load_work"] + $n["correction_work"]
      lifted -= $n["correction_work"]
      energy = $n["kinetic_energy"] - fallen
      if (energy > most) most = energy
      if (energy < least) least = energy
      if (energy - least > rise) rise = energy - least
      if ($n["contact_work"] > work) work = $n["contact_work"]
    }
    END {printf "%.6g %.6g %.6g %.6g\n", most / fallen, rise / fallen, lifted / fallen, work / fallen}' "$1/history.csv"
}

for scene in stones boxes; do
  for step in 4e-3 2e-3 1e-3; do
    folder=$scene.$step
    run 1 $scene.yaml $folder --set time.step=$step || continue
    read -r above rise lifted work <<<"$(energies $folder)"
    check "$scene, steps of $step s: energy above the start over what is released" "$above" '<' 1e-3
    check "energy above an earlier time" "$rise" '<' 1e-3
    check "largest work of contacts in a step" "$work" '<' 1e-5
    # overlaps are the way of a step where bodies meet; their correction is of first order, how many meet is chance
    check "added by corrections" "$lifted" '<' "$(awk -v h=$step 'BEGIN {print 4 * h}' </dev/null)"
    [ $step != 4e-3 ] || coarse=$lifted
    [ $scene = stones ] || check "kinetic energy in the end, J" "$(info $folder kinetic_energy)" '<' 1e-9
  done
  # (a few boxes set down softly have too few deep overlaps for that)
  [ $scene = boxes ] || check "a quarter of the step leaves less than half" "$lifted" '<' \
    "$(awk -v l=$coarse 'BEGIN {print l / 2}' </dev/null)"
  run 3 $scene.yaml three --set time.step=4e-3 --steps 150
  run 1 $scene.yaml one --set time.step=4e-3 --steps 150
  check_same "$scene: hash on 1 and 3 ranks" "$(info one hash)" "$(info three hash)"
done
finish
