#!/bin/bash
# Every method of the solver: the same bits on any number of ranks, with a new partition every few steps, without kept
# pairs, and restarted on other ranks while the solver carries what it has learned; with a second program (the release
# build's) in all builds.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf ./*-one ./*-parts ./*-ranks[1-7] ./*-fresh ./*.txt   # of an earlier run

# a bonded and a dry wall on a base that shakes, a plate that pushes, stones that still fall, one that appears, one that
# nothing touches, and one that only a fixed body does
cat >case.yaml <<'END'
title: walls on a shaking base
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.04}
materials: {brick: {density: 2000}, mortared: {density: 2000}, iron: {density: 7000}}
contacts:
  - {between: [brick, brick], friction: 0.6}
  - {between: [mortared, mortared], friction: 0.6, bond: {cohesion: 2e4, tensile_strength: 1e4}}
  - {between: [mortared, brick], friction: 0.6}
  - {between: [brick, iron], friction: 0.3, restitution: 0.2}
  - {between: [mortared, iron], friction: 0.3}
  - {between: [iron, iron], friction: 0.3}
bodies:
  - {box: [6, 2, 0.2], at: [0, 0, -0.1], material: brick, name: base,
     motion: {acceleration: {cosine: {amplitude: [4, 2, 0], angular_frequency: 60}}}}
  - {wall: {courses: 4, bricks: 3, brick: [0.4, 0.2, 0.2]}, at: [-1.5, 0, 0], material: brick, name: dry}
  - {wall: {courses: 3, bricks: 3, brick: [0.4, 0.2, 0.2]}, at: [0.5, 0, 0], material: mortared, name: bonded}
  - {box: [0.1, 0.6, 0.6], at: [-1.8, 0, 0.35], material: iron, name: plate, motion: {velocity: [0.4, 0, 0]}}
  - {grid: {box: [0.15, 0.15, 0.15], count: [2, 2, 3], spacing: [0.17, 0.17, 0.16]}, at: [0, -0.7, 0.08],
     material: brick, velocity: [0, 0.3, -1], name: falling}
  - {box: [0.2, 0.2, 0.2], at: [2.5, 0.6, 0.1], material: iron, birth: 0.02, name: late}
  - {box: [0.2, 0.2, 0.2], at: [0, 0, 4], material: iron, name: away}
  - {box: [1, 1, 0.2], at: [5, 0, -0.1], material: brick, fixed: true, name: shelf}
  - {box: [0.2, 0.2, 0.2], at: [5, 0, 0.1], material: brick, name: alone}
loads:
  - {on: dry, force: {cosine: {amplitude: [0, 30, 0], angular_frequency: 50}}, at: [0, 0, 0.05]}
solver: {max_sweeps: 150}
output: {checkpoint: {steps: 100}}
END

# column FOLDER NAME: of the history
column() { awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i} NR > 1 {print $n[name]}' \
  "$1/history.csv"; }

methods="automatic gauss-seidel nesterov anderson admm-cholesky admm-amg interior-point"
for method in $(counts "$methods" "automatic admm-amg"); do
  set_method="--set solver.method=$method"
  piece "$release" 1 case.yaml $method-one $set_method
  case $method in
  automatic | admm-amg) all_ranks="2 3 4 7" ;;
  *) all_ranks="3 7" ;;
  esac
  for ranks in $(counts "$all_ranks" ""); do
    piece "$program" $ranks case.yaml $method-ranks$ranks $set_method --set partition.every=10
    same_bits "$method, $ranks ranks" $method-ranks$ranks $method-one
    expect "$method, $ranks ranks: history" cmp <(physics $method-ranks$ranks) <(physics $method-one)
  done
  for ranks in $(counts 2 ""); do
    piece "$program" $ranks case.yaml $method-fresh $set_method --set contact.keep_pairs=false
    same_bits "$method, no pairs kept" $method-fresh $method-one
  done
  piece "$program" 3 case.yaml $method-parts $set_method --steps 7 --set partition.every=5
  piece "$program" 2 case.yaml $method-parts $set_method --steps 13 --restart
  piece "$program" 1 case.yaml $method-parts $set_method --restart
  same_bits "$method, in pieces" $method-parts $method-one
  expect "$method, in pieces: history" cmp <(physics $method-parts) <(physics $method-one)
done

# more bodies than a level of multigrid has on every rank: the finest one is distributed
large="--set solver.method=admm-amg --set solver.max_sweeps=30"
sed -e 's/count: \[2, 2, 3\]/count: [15, 14, 6]/; s/at: \[0, -0.7, 0.08\]/at: [-8, -7, 0.0749]/' \
  -e 's/0.17, 0.16\]/0.17, 0.1499]/; s/box: \[6, 2, 0.2\], at: \[0, 0, -0.1\]/box: [20, 16, 0.2], at: [0, 0, -0.1]/' \
  -e 's/at: \[5, 0/at: [15, 0/' case.yaml >large.yaml
piece "$release" 1 large.yaml large-one $large --steps 8
for ranks in $(counts "4" 3); do
  piece "$program" $ranks large.yaml large-ranks$ranks $large --steps 3 --set partition.every=2
  piece "$program" 2 large.yaml large-ranks$ranks $large --steps 8 --restart
  same_bits "many bodies, $ranks ranks, then 2" large-ranks$ranks large-one
done
expect "systems of many bodies" [ "$(column large-one inner | awk '{n += $1} END {print n}')" -gt 50 ]

# what follows is of the methods, and not of the build
[ -z "$two_programs" ] || { [ "$failures" -eq 0 ]; exit; }

# where the linear system comes to nothing before sweeps run out, what the trial found stays
for way in trial cut; do
  rm -rf $way
  piece "$release" 1 case.yaml $way --steps 4
done
piece "$release" 1 case.yaml trial --steps 5 --restart --set solver.method=nesterov --set solver.max_sweeps=10 \
  --allow solver
piece "$release" 1 case.yaml cut --steps 5 --restart --set solver.max_sweeps=11 --allow solver
trial=$(column trial residual_max | tail -n 1) cut=$(column cut residual_max | tail -n 1)
expect "the trial's residual $trial, with one iteration after it $cut" awk "BEGIN {exit !($cut <= $trial)}"

# linear systems in most steps
for method in automatic admm-cholesky admm-amg; do
  acted=$(column $method-one factorisations | awk '$1 > 0' | wc -l)
  expect "$method: linear systems in $acted steps" [ "$acted" -gt 5 ]
done
[ "$failures" -eq 0 ]
