#!/bin/bash
# A wall of affine bricks that is put under its weight takes as many iterations by the multigrid whether it has a
# thousand bricks or three thousand, cold and warm, and has the same bits on any number of ranks. The automatic choice
# takes at most 60 iterations for soft walls of both sizes. It has factors for a wall, which is flat, and the multigrid
# for a cube of no more bodies.
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/runs.bash"
rm -rf large[1-7] small soft-* flat cube[12] ./*.txt   # of an earlier run
wall()   # COURSES BRICKS
{
  cat <<END_OF_CASE
title: a wall of affine bricks
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.002}
materials: {stone: {density: 2400, young: 1e10}}
contacts: [{between: [stone, stone], friction: 0.6}]
solver: {method: admm-amg}
bodies:
  - {box: [400, 400, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {wall: {courses: $1, bricks: $2, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: stone, elastic: affine}
END_OF_CASE
}
wall 20 50 >small.yaml
wall 50 60 >large.yaml
piece "$program" 1 small.yaml small
piece "$program" 1 large.yaml large1
piece "$program" 3 large.yaml large3
same_bits "3 ranks" large3 large1

# bounded: iterations of ADMM, and those of conjugate gradients in all of them
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
bounded()
{
  awk -F, "$names"' $n["sweeps"] > 20 || $n["inner"] > 700 {bad = 1} END {exit bad || NR != 3}' "$1/history.csv"
}
for wall in small large1; do
  expect "$wall: iterations $(awk -F, "$names"' {printf "%d/%d ", $n["sweeps"], $n["inner"]}' $wall/history.csv)" \
    bounded $wall
  expect "$wall: steps are solved" awk -F, "$names"' !($n["residual_max"] <= 1e-6) {bad = 1} END {exit bad}' \
    $wall/history.csv
done

# soft walls: impulses fade within a few courses, and gradients close what ADMM leaves open above
for wall in small large; do
  sed 's/admm-amg/automatic/; s/end: 0.002/end: 0.001/; s/young: 1e10/young: 1e9, damping: 1e-5/' $wall.yaml >soft.yaml
  piece "$program" 1 soft.yaml soft-$wall
  expect "soft $wall: iterations $(awk -F, "$names"' {print $n["sweeps"]}' soft-$wall/history.csv)" \
    awk -F, "$names"' $n["sweeps"] > 60 || !($n["residual_max"] <= 1e-6) {bad = 1} END {exit bad || NR != 2}' \
    soft-$wall/history.csv
done

sed 's/admm-amg/automatic/; s/end: 0.002/end: 0.001/' large.yaml >flat.yaml
cube='grid: {box: [0.2, 0.2, 0.2], count: [14, 14, 14], spacing: [0.2, 0.2, 0.2]}, at: [0, 0, 0.1]'
sed "s/wall: .*}, material/$cube, material/" flat.yaml >cube.yaml
piece "$program" 1 flat.yaml flat
piece "$program" 1 cube.yaml cube1
piece "$program" 2 cube.yaml cube2
expect "a flat wall has factors" grep -q "step 1: admm-cholesky" flat.log
expect "a cube has the multigrid" grep -q "step 1: admm-amg" cube1.log
same_bits "cube, 2 ranks" cube2 cube1
[ "$failures" -eq 0 ]
