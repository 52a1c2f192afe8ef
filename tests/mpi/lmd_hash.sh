#!/bin/bash
# Contacts between surfaces as they are: bricks, hooks, balls, bodies in parts and bodies that are a surface alone fall
# and rest. They have the same hash and hash log on any number of ranks, after a restart, and, with a second program, in
# all builds.
# test: ranks 7
# test: needs tetgen
# test: timeout 900
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf one ranks[1-7] again alone-* ./*.txt   # of an earlier run
cat >lmd.yaml <<'END'
title: surfaces as they are
units: SI
seed: 3
gravity: [0.4, 0.1, -9.81]
time: {step: 2e-3, end: 0.3}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0}
contact: {model: lmd}
solver: {tolerance: 1e-2, max_sweeps: 100}
bodies:
  - parts:
      - {box: [2, 2, 1], at: [-1, -1, -0.5]}
      - {box: [2, 2, 1], at: [1, -1, -0.5]}
      - {box: [2, 2, 1], at: [-1, 1, -0.5]}
      - {box: [2, 2, 1], at: [1, 1, -0.5]}
    material: stone
    fixed: true
    name: floor
  - {grid: {box: [0.3, 0.25, 0.2], count: [3, 3, 2], spacing: [0.4, 0.35, 0.3]}, at: [-0.1, -0.2, 0.45],
     turn: {axis: [1, 1, 0.2], angle: 8}, velocity: [0, 0, -2], spin: [2, -1, 3], material: stone, name: bricks}
  - {parts: [{box: [0.8, 0.3, 0.2]}, {box: [0.2, 0.3, 0.4], at: [0.3, 0, 0.3]}], at: [-0.9, 0.2, 0.15], spin: [0, 0, 1],
     material: stone, name: hook}
  - {parts: [{box: [0.8, 0.3, 0.2]}, {box: [0.2, 0.3, 0.4], at: [0.3, 0, 0.3]}], at: [-0.9, 0.25, 0.9],
     turn: {axis: [0, 1, 0], angle: 180}, material: stone, name: second hook}
  - {sphere: {radius: 0.12}, at: [-0.95, 0.2, 0.45], velocity: [0.5, 0, 0], material: stone, name: ball}
END

bits_on_ranks lmd "" 70

# the hooks and the floor as surfaces alone, a fixed one, one that is led, and frames
cat >hook.obj <<'END'
v -0.4 -0.15 -0.1
v 0.4 -0.15 -0.1
v 0.4 -0.15 0.5
v 0.2 -0.15 0.5
v 0.2 -0.15 0.1
v -0.4 -0.15 0.1
v -0.4 0.15 -0.1
v 0.4 0.15 -0.1
v 0.4 0.15 0.5
v 0.2 0.15 0.5
v 0.2 0.15 0.1
v -0.4 0.15 0.1
f 1 2 5 6
f 2 3 4 5
f 11 8 7 12
f 10 9 8 11
f 2 1 7 8
f 3 2 8 9
f 4 3 9 10
f 5 4 10 11
f 6 5 11 12
f 1 6 12 7
END
hook='parts: \[{box: \[0.8, 0.3, 0.2\]}, {.*\[0.3, 0, 0.3\]}\]'
sed -e "s|$hook|mesh: {file: hook.obj, surface: true}|" lmd.yaml >alone.yaml
cat >>alone.yaml <<'END'
  - {mesh: {file: hook.obj, surface: true}, at: [1.2, 0, 0.1], material: stone, fixed: true, name: fixed hook}
  - {mesh: {file: hook.obj, surface: true}, at: [1.2, 1, 0.1], material: stone, name: led hook,
     motion: {velocity: [0, -1, 0]}}
  - {sphere: {radius: 0.1}, at: [1.1, 0.7, 0.35], material: stone, name: second ball}
output: {frames: {every: 0.05}}
END
grep -c 'surface: true' alone.yaml
bits_on_ranks alone alone- 70
points=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  {if ($n["points"] > most) most = $n["points"]; deep += $n["failed_pairs"]}
  END {print most, deep + 0}' alone-one/history.csv)
echo "surfaces alone: most points and pairs too deep: $points"
[ "${points% *}" -gt 40 ] && [ "${points#* }" -eq 0 ] || failures=$((failures + 1))

# a joint of a surface alone, which patches do not know
piece "$program" 1 alone.yaml alone-opening --set 'bodies.4.at=[-1, 0.2, 0.37]' \
  --set 'stages=[{name: a, until: {time: 0.02, opening: {between: [hook, ball], more: 1}}}]'
expect "a stage looks at its opening" grep -q "stage 'a' holds" alone-opening.log

# the case is about contacts of every kind
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  {if ($n["points"] > most) most = $n["points"]; deep += $n["failed_pairs"]}
  END {print "most points", most, "too deep", deep + 0; exit !(most > 40 && deep + 0 == 0)}' one/history.csv ||
  failures=$((failures + 1))
[ "$failures" -eq 0 ] && [ "$(wc -l <one.txt)" -eq 150 ] && [ "$(wc -l <alone-one.txt)" -eq 150 ]
