#!/bin/bash
# Wheels, pressures, loads that are shared or per mass, and strength that falls: the same hash and history on any
# number of ranks, in one piece and in many, in all builds; what they do closes the balance of energy.
# test: needs python3
# test: ranks 7
# test: timeout 600
# test: trees asan
source "$(dirname "$0")/runs.bash"
rm -rf one parts calm ranks[1-7] ./*.txt   # of an earlier run
cat >acting.yaml <<'END_OF_CASE'
title: an arch that a wheel crosses, a box under pressure, a heap that wind blows over
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.3}
materials:
  stone: {density: 2400}
  soft: {density: 2000, young: 1e8, poisson: 0.2, damping: 1e-4}
contacts:
  - {between: [stone, stone], friction: {smooth: {from: 0.6, to: 0.45, start: 0.05, duration: 0.2}}}
  - {between: [stone, soft], friction: 0.5, bond: {cohesion: {ramp: {from: 2e5, to: 1e3, duration: 0.2}},
     tensile_strength: 1e5}, reduction: {table: [[0, 1], [0.1, 3]]}}
  - {between: [soft, soft], friction: 0.5}
bodies:
  - {arch: {voussoirs: 15, radius: 2, thickness: 0.4, width: 1}, material: stone, name: ring}
  - {box: [12, 3, 0.2], at: [0, 4, -0.1], material: stone, fixed: true, name: floor}
  - {box: [0.6, 0.4, 0.8], at: [-2, 4, 0.4], material: stone, name: chest}
  - {grid: {box: [0.2, 0.2, 0.2], count: [4, 2, 2], spacing: [0.3, 0.3, 0.2]}, at: [0, 3.6, 0.1], material: stone,
     name: heap}
  - {sphere: {radius: 0.1}, at: [3, 4, 0.1], material: stone, name: ball}
  - {ellipsoid: {radii: [0.2, 0.15, 0.1]}, at: [3.6, 4, 0.1], material: stone, name: egg}
  - {box: [0.4, 0.4, 0.3], at: [2, 4, 0.15], material: soft, elastic: affine, name: pad}
loads:
  - {wheel: {path: [[-1, 0, 3], [1.2, 0.1, 3]], speed: 8, start: 0.01, patch: [0.3, 0.4]},
     force: [0, 0, -3000], on: ring}
  - {wheel: {position: {ramp: {from: [-3, 4, 2], to: [8, 4.05, 2], duration: 0.3}}, heading: [1, 0, 0],
     patch: [0.1, 0.1]}, force: {table: [[0, 0, 0, -50], [0.3, 10, 0, -150]]}}
  - {on: chest, pressure: {sine: {amplitude: 14000, frequency: 3}}, faces: {direction: [1, 0, 0]}}
  - {on: [pad, 'heap.*'], pressure: 2000, faces: {box: [[1.7, 3, 0.29], [2.3, 5, 0.31]]}}
  - {on: {kind: grid}, force: [0, 700, 0], at: [0, 0, 0.05], per: shared}
  - {on: [{kind: ellipsoid}, ball, heap.3], force: [1, 0.5, 0], torque: [0, 0.01, 0], per: mass}
solver: {tolerance: 1e-9}
output:
  checkpoint: {steps: 40}
END_OF_CASE
piece "$release" 1 acting.yaml one
for ranks in $(counts "$whole_ranks" ""); do
  piece "$program" "$ranks" acting.yaml "ranks$ranks" --set partition.every=11
  same_bits "$ranks ranks" "ranks$ranks" one
  expect "$ranks ranks: history" diff <(physics one) <(physics "ranks$ranks")
done
piece "$program" $(counts 4 2) acting.yaml parts --steps 37
piece "$program" 3 acting.yaml parts --steps 60 --restart --set partition.every=4
piece "$program" 1 acting.yaml parts --restart
same_bits "in pieces" parts one
expect "history in pieces" diff <(physics one) <(physics parts)

# works close the balance of energy to 1e-9 of the largest term, and each of these loads does work
cat >balance.py <<'END_OF_PROGRAM'
import csv, sys
names = ("load_work", "contact_work", "prescribed_work", "damping_work", "scheme_work", "correction_work")
sums, largest = [0.0] * len(names), 0
for row in csv.DictReader(open(sys.argv[1] + "/history.csv")):
    sums = [a + float(row[name]) for a, name in zip(sums, names)]
    energy = float(row["kinetic_energy"]) + float(row["elastic_energy"])
    largest = max([largest, energy] + [abs(w) for w in sums])
off = energy - sum(sums[:5])   # all bodies begin at rest; the correction of positions changes no velocity
print("balance %.3e of %.6g J, works %s" % (off, largest, sums))
sys.exit(not (abs(off) < 1e-9 * largest and largest > 100))
END_OF_PROGRAM
# without the egg, whose turning has an energy of its own error, of order h^3 a step
piece "$release" 2 acting.yaml calm --set loads.5.on=ball --set "loads.1.on=[floor, chest, heap, ball, pad]"
expect "the balance of energy closes" python3 balance.py calm
expect "a wheel that leaves the floor is told of" \
  grep -q "there is no body below the wheel of loads.1" one.log
[ "$failures" -eq 0 ]
