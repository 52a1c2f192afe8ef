#!/bin/bash
# Stones that slide off a table and others that land in turn: shared out by counted work, the busiest rank stays near
# the mean, and the hash and the history of bodies are the same whatever the ownership does. A wall at rest is left
# alone.
# test: ranks 7
# test: slow
# test: timeout 1500
source "$(dirname "$0")/../physics/checks.bash"
program=$(realpath "$program")
wall=$(cd "$(dirname "$0")/../../jobs/wall" && pwd)/wall.yaml
rm -rf one with? without? forced? often? wall? late   # of an earlier run
cat >travel.yaml <<'END_OF_CASE'
title: stones that leave a table, and others that land in turn
units: SI
gravity: [0, 0, -9.81]
time: {step: 4e-3, end: 0.72}
materials:
  stone: {density: 2400}
  ice: {density: 900}
contacts:
  - {between: [stone, stone], friction: 0.4, restitution: 0}
  - {between: [stone, ice], friction: 0.05, restitution: 0}
bodies:
  - {box: [12, 6, 1], at: [4, 0, -1.5], material: stone, fixed: true, name: ground}
  - {box: [2, 6, 1], at: [-1, 0, -0.5], material: ice, fixed: true, name: table}
  - {grid: {box: [0.2, 0.2, 0.1], count: [6, 4, 1], spacing: [0.25, 0.25, 1]}, at: [-1.8, -0.4, 0.05],
     velocity: [2, 0, 0], material: stone, name: lower}
  - {grid: {box: [0.2, 0.2, 0.1], count: [6, 4, 1], spacing: [0.25, 0.25, 1]}, at: [-1.75, -0.4, 0.15],
     velocity: [2.5, 0, 0], material: stone, name: upper}
  - {grid: {box: [0.2, 0.2, 0.2], count: [4, 4, 3], spacing: [0.22, 0.22, 0.3]}, at: [2, 0, -0.3],
     turn: {axis: [1, 1, 0.3], angle: 10}, material: stone, name: early}
  - {grid: {box: [0.2, 0.2, 0.2], count: [4, 4, 3], spacing: [0.22, 0.22, 0.3]}, at: [5, 0, 0.5],
     turn: {axis: [1, -1, 0.3], angle: 10}, material: stone, name: late}
solver: {max_sweeps: 20}          # the same bits are asked for, not converged impulses
END_OF_CASE

# mean FOLDER COLUMN: over all steps
mean()
{
  awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i; next}
    {sum += $c} END {if (c) printf "%.6g\n", sum / (NR - 1)}' "$1/history.csv"
}

# moves FOLDER: steps before which bodies changed their owner
moves()
{
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "moved_bodies") c = i; next}
    $c > 0 {moves++} END {print moves + 0}' "$1/history.csv"
}

# of_bodies FOLDER: the history without what depends on the ranks
of_bodies()
{
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) rank[i] = $i ~ /^(moved_bodies|imbalance|work|ghosts)$/}
    {line = ""; for (i = 1; i <= NF; i++) if (!rank[i]) line = line "," $i; print line}' "$1/history.csv" | md5sum
}

hash_of() { "$program" info --hash "$1" | tail -n 1; }

run 1 travel.yaml one --hash-log one.txt
check "history of one rank" "$(wc -l <one/history.csv)" == 181
check_near "imbalance of one rank" "$(mean one imbalance)" 1 0
expect_same()
{
  check_same "hash on $2" "$(hash_of "$1")" "$(hash_of one)"
  check_same "history of bodies on $2" "$(of_bodies "$1")" "$(of_bodies one)"
}

# RANKS, mean imbalance with balance at most, without it at least
for limits in "2 1.13 1.15" "3 1.35 1.6" "4 1.35 1.6" "7 1.6 2"; do
  read -r ranks with without <<<"$limits"
  run "$ranks" travel.yaml with$ranks --hash-log with$ranks.txt
  run "$ranks" travel.yaml without$ranks --set partition.balance=false
  expect_same with$ranks "$ranks ranks with balance"
  cmp one.txt with$ranks.txt || { echo "FAILED  hash logs differ"; failures=$((failures + 1)); }
  expect_same without$ranks "$ranks ranks without balance"
  check "imbalance with balance on $ranks ranks" "$(mean with$ranks imbalance)" '<' "$with"
  check "imbalance without balance on $ranks ranks" "$(mean without$ranks imbalance)" '>' "$without"
  check "times that bodies moved with balance on $ranks ranks" "$(moves with$ranks)" '>' 2
  check "times that bodies moved with balance on $ranks ranks" "$(moves with$ranks)" '<' 30
  check "times that bodies moved without balance on $ranks ranks" "$(moves without$ranks)" == 0
  check "lines of the log on $ranks ranks" "$(grep -c 'shared out anew: ' with$ranks.log)" == "$(moves with$ranks)"
done
run 3 travel.yaml forced3 --set partition.every=3
run 4 travel.yaml often4 --set partition.every=10 --set partition.balance=false
expect_same forced3 "3 ranks, asked for every 3 steps, and balance"
expect_same often4 "4 ranks, asked for every 10 steps, no balance"
check "partitions asked for every 10 steps" "$(sed -nE 's/.*, ([0-9]+) times as asked.*/\1/p' often4.log)" == 17

# half of the bodies appear before the step whose partition is asked for: they count like the others in it
cat >late.yaml <<'END_OF_CASE'
title: stones at rest, and as many that appear beside them
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.08}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.2}
bodies:
  - {box: [8, 8, 0.1], at: [0, 0, -0.05], fixed: true, material: stone}
  - {grid: {box: [0.1, 0.1, 0.1], count: [7, 7, 2], spacing: [0.12, 0.12, 0.1]}, at: [-3, 0, 0.05], material: stone}
  - {grid: {box: [0.1, 0.1, 0.1], count: [7, 7, 2], spacing: [0.12, 0.12, 0.1]}, at: [1, 0, 0.05], material: stone,
     birth: 0.04}
END_OF_CASE
run 2 late.yaml late --set partition.every=20 --set partition.balance=false
check "times that bodies moved in the step in which others appear" "$(moves late)" == 1
check "imbalance after it" "$(history late 'c["imbalance"]')" '<' 1.1

# nothing travels: bodies move at most once, when the work of each is known
for ranks in 2 4 7; do
  run $ranks "$wall" wall$ranks --steps 80 --set output.frames.every=0 --set solver.max_sweeps=60
  check "times that bodies of a wall moved on $ranks ranks" "$(moves wall$ranks)" '<=' 1
  check "imbalance of the wall on $ranks ranks" "$(mean wall$ranks imbalance)" '<' 1.15
done
finish
