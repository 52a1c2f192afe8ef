#!/bin/bash
# Stops of the solver by forces and by penetration (solver.stop) among bodies of all kinds that touch, and the columns
# of the history that measure both: the same bits on any number of ranks, in pieces and in all builds.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf both-* force-* depth-* ./*.txt   # of an earlier run
cat >both.yaml <<'END_CASE'
title: stones, blocks, elastic pads and bars with joints that fall on a table that moves
units: SI
gravity: [0, 0, -9.81]
seed: 3
time: {step: 2e-3, end: 0.3}
materials: {stone: {density: 2400}, rubber: {density: 1200, young: 2e6, poisson: 0.3, damping: 1e-3}}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [rubber, stone], friction: 0.7}
  - {between: [rubber, rubber], friction: 0.7}
bodies:
  - {box: [6, 6, 0.5], at: [0, 0, -0.25], material: stone, fixed: true, name: floor}
  - {box: [1, 1, 0.2], at: [0, 0, 0.1], material: stone, name: table,
     motion: {velocity: {cosine: {amplitude: [0.5, 0, 0], angular_frequency: 60}}}}
  - stones:
      shapes: [{random: {points: 10}}]
      sizes: {table: [[0.15, 0], [0.25, 1]]}
      lattice: {count: [3, 3, 2], spacing: [0.34, 0.34, 0.34]}
    at: [-0.3, -0.3, 0.4]
    material: stone
  - {grid: {box: [0.3, 0.3, 0.3], count: [2, 1, 2], spacing: [0.3, 1, 0.31]}, at: [1.5, 0, 0.15],
     material: rubber, elastic: affine}
  - {grid: {box: [0.3, 0.2, 0.2], count: [3, 1, 1], spacing: [0.3, 1, 1]}, at: [-1.5, -1.5, 0.1], material: stone,
     name: chain, velocity: [0.5, 0, 1], spin: [0, 2, 0]}
joints:
  - {ball: [-1.35, -1.5, 0.1], between: [chain.0, chain.1], touch: false}
  - {ball: [-1.05, -1.5, 0.1], between: [chain.1, chain.2], touch: false}
solver: {tolerance: 1e-9, stop: {unbalanced: 1e-2, penetration: 1e-5}}
END_CASE
bits_on_ranks both both- 60
sed 's/stop: .*/stop: {unbalanced: 0.1}}/' both.yaml >force.yaml
sed 's/stop: .*/stop: {penetration: 1e-6}}/' both.yaml >depth.yaml
for way in force depth; do
  piece "$release" 1 $way.yaml $way-one
  piece "$program" 3 $way.yaml $way-three
  same_bits "$way, 3 ranks" $way-three $way-one
done

# columns FOLDER: those that measure forces, sweeps and residuals, by their names
columns()
{
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i}
    {print $n["step"], $n["sweeps"], $n["residual_max"], $n["unbalanced"], $n["undone"], $n["next_penetration"]}' \
    "$1/history.csv"
}
for run in $(counts both-ranks7 "") both-again force-three depth-three; do
  expect "history of $run" diff <(columns "${run%%-*}-one") <(columns "$run")
done
expect "stops leave something undone" awk '$5 + 0 > 1e-6 {n++} END {exit !(n > 20)}' <(columns both-one)
expect "each stop has bits of its own" [ "$(hash_of both-one)" != "$(hash_of force-one)" ]

# a restart goes on with another stop where that is asked for, and not otherwise
cp -r both-one both-changed
expect "a change is refused" grep -q "solver.stop.unbalanced: was 1e-2, is 0.1" <("$mpirun" 1 "$program" run both.yaml \
  -o both-changed --restart --set solver.stop.unbalanced=0.1 2>&1)
expect "and made on request" "$mpirun" 1 "$program" run both.yaml -o both-changed --restart --allow solver.stop \
  --set solver.stop.unbalanced=0.1
[ "$failures" -eq 0 ]
