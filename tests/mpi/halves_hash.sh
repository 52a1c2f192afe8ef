#!/bin/bash
# Steps that are not solved and are made again in two halves (solver.unsolved: halve), in a scene with all that a state
# has: bodies that appear and leave, prescribed motions, loads and temperatures in time, mortar that breaks, joints that
# yield and break, elastic bodies. The same bits on any number of ranks, in pieces and in all builds; where all steps
# are halved, those of a run with steps of half the length; and works that add up to the energy.
# test: needs python3 python3-h5py python3-numpy
# test: ranks 7
# test: timeout 900
source "$(dirname "$0")/runs.bash"
rm -rf some-* all-* unkept half dump-* ./*.txt   # of an earlier run
cat >some.yaml <<'END_CASE'
title: all that a state has, in steps that are halved
units: SI
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [3, 0, 0], angular_frequency: 120}}]}
seed: 5
time: {step: 2e-3, end: 0.08}
materials:
  stone: {density: 2400}
  mortar: {density: 2000}
  rubber: {density: 1200, young: 2e6, poisson: 0.3, damping: 1e-3, expansion: 1e-3}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.3}
  - {between: [mortar, mortar], friction: 0.6, bond: {cohesion: 5000, tensile_strength: 2000}}
  - {between: [mortar, stone], friction: 0.4}
  - {between: [rubber, rubber], friction: 0.7}
  - {between: [rubber, stone], friction: 0.7}
  - {between: [mortar, rubber], friction: 0.5}
bodies:
  - {box: [6, 6, 0.5], at: [0, 0, -0.25], material: stone, fixed: true, name: floor}
  - {box: [1, 1, 0.2], at: [2, 2, 0.1], material: stone, name: table,
     motion: {velocity: {cosine: {amplitude: [0.5, 0, 0], angular_frequency: 60}}, spin: [0, 0, 2],
       about: [2.2, 2, 0.1]}}
  - {box: [0.2, 0.2, 0.2], at: [-2, -2, 1.5], material: stone, name: crane,
     motion: {acceleration: {table: [[0, 0, 0, 3], [0.1, 0, 0, -2]]}, angular_acceleration: [0, 1, 0]}}
  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 2, 3], spacing: [0.22, 0.2, 0.2]}, at: [1.8, 1.9, 0.3], material: stone,
     name: heap}
  - {wall: {courses: 4, bricks: 3, brick: [0.4, 0.2, 0.2], joint: 0}, at: [-1, 1, 0], material: mortar, name: wall,
     velocity: [0, 0.6, 0]}
  - {grid: {box: [0.3, 0.3, 0.3], count: [2, 2, 2], spacing: [0.3, 0.31, 0.3]}, at: [0.5, -1.5, 0.15],
     material: rubber, elastic: affine, name: pads, spin: [0, 0, 1]}
  - {sphere: {radius: 0.15}, at: [-2, -2, 1], material: stone, name: bob, velocity: [0.5, 0, 0]}
  - {grid: {box: [0.3, 0.2, 0.2], count: [3, 1, 1], spacing: [0.3, 1, 1]}, at: [-1.5, -0.5, 0.1], material: stone,
     name: chain, velocity: [0.5, 0, 1], spin: [0, 2, 0]}
  - {grid: {box: [0.15, 0.15, 0.15], count: [2, 2, 1], spacing: [0.2, 0.2, 1]}, at: [1.9, 1.9, 1.05], material: stone,
     name: late, birth: 0.04, velocity: [0, 0, -2], spin: [1, 2, 3]}
  - {grid: {box: [0.4, 0.2, 0.2], count: [2, 1, 1], spacing: [0.4, 1, 1]}, at: [2, -2, 0.1], material: mortar,
     name: later, birth: 0.05, velocity: [0.1, 0, 0]}
  - {box: [0.2, 0.2, 0.2], at: [-2, 2.6, 1], material: stone, name: lost, velocity: [0, 62, 0]}
loads:
  - {on: heap, force: {cosine: {amplitude: [20, 10, 0], angular_frequency: 90}}, at: [0.05, 0, 0]}
  - {on: pads, temperature: {table: [[0, 0], [0.1, 20]]}, torque: [0, 0, 5]}
  - {on: wall, force: {table: [[0, 0, 0, 0], [0.1, 0, 150, 0]]}, torque: {table: [[0, 0, 0, 0], [0.05, 0, 0, 80]]}}
domain: {low: [-9, -9, -9], high: [9, 3.2, 9]}
joints:
  - {rod: [[-2, -2, 1], [-2, -2, 1.5]], between: [bob, crane]}
  - {tie: [[-1.5, -0.5, 0.1], [-1.2, -0.5, 0.1]], between: [chain.0, chain.1], stiffness: 4e5,
     yield: {tension: 3}}
  - {dowel: [-1.05, -0.5, 0.1], axis: [1, 0, 0], between: [chain.1, chain.2], stiffness: {shear: 1e5},
     yield: {shear: 4}}
  - {spring: [[-0.9, -0.5, 0.2], [-2, -2, 1.5]], between: [chain.2, crane], stiffness: 900, damping: 60}
  - {weld: [-1.35, -0.5, 0.2], axis: [1, 0, 0], between: [chain.0, chain.1], strength: {tension: 9, shear: 9},
     touch: false}
solver: {max_sweeps: 60, tolerance: 1e-4, unsolved: halve}
output: {frames: {every: 0.01}}
END_CASE
sed 's/tolerance: 1e-4/tolerance: 1e-14/' some.yaml >all.yaml
bits_on_ranks some some- 22
piece "$release" 1 all.yaml all-one
piece "$program" 3 all.yaml all-three --set partition.every=3
same_bits "all, 3 ranks" all-three all-one
for ranks in $(counts 2 ""); do
  piece "$program" $ranks some.yaml unkept --set contact.keep_pairs=false
  same_bits "without kept pairs" unkept some-one
done

# steps of half the length, of which every second one ends where a halved step does; and a step's problem
piece "$release" 1 all.yaml half --set time.step=1e-3 --set solver.unsolved=keep
for way in keep halve; do
  piece "$program" 3 some.yaml dump-$way --steps 1 --set solver.unsolved=$way --set materials.rubber.young=2e7 \
    --set 'joints=[]' --set 'contacts.1={between: [mortar, mortar], friction: 0.6}' --dump-problem 1
done
cat >halves.py <<'END'
"""Compares halved steps with steps of half the length, and works with energies."""
import csv
import glob
import sys

import h5py
import numpy

failures = 0
def check(what, fine):
  global failures
  if not fine:
    print("FAILED ", what)
    failures += 1

def history(folder):
  with open(f"{folder}/history.csv", encoding="utf-8") as file:
    return list(csv.DictReader(file))

def stages(name):
  with open(name, encoding="utf-8") as file:
    return [dict(stage.split("=") for stage in line.split()[1:]) for line in file]

lines = {folder: history(folder) for folder in ("some-one", "all-one", "half")}
gone = next(i for i, line in enumerate(lines["all-one"]) if line["removed"] == "1")
whole, half = stages("all-one.txt"), stages("half.txt")
check("steps", len(whole) == 40 and len(half) == 80)
for i, line in enumerate(whole):
  first, second = half[2 * i], half[2 * i + 1]
  for stage in ("pairs", "patches", "warm", "reactions", "joints", "velocities", "poses"):
    if stage not in ("reactions", "joints"):   # of impulses of half a step
      check(f"step {i + 1}: {stage} of the second half", line.get(stage + "-2", line[stage]) == second[stage])
    if stage not in ("pairs", "patches", "warm") and i != gone:   # a body leaves at the end of the step
      check(f"step {i + 1}: {stage} of the first half", line[stage + "-1"] == first[stage])

count = {folder: {name: sum(float(line[name]) for line in lines[folder])
                  for name in ("halved", "unsolved", "born", "removed", "bonds_made", "joints_yielding")}
         for folder in lines}
check("all steps are halved", count["all-one"]["halved"] == 40 and count["half"]["halved"] == 0)
some = count["some-one"]
check(f"some are, and some of these are solved then: {some}", 15 < some["halved"] < 39 and
      some["unsolved"] < some["halved"])
check(f"what happens is in the scene: {count['all-one']}",
      all(count["all-one"][name] > 0 for name in ("born", "removed", "bonds_made", "joints_yielding")))
for folder in ("some-one", "all-one"):
  broken = sum(int(line[name]) for line in lines[folder] for name in ("broken_tension", "broken_shear"))
  check(f"{folder}: mortar breaks at {broken} points", broken >= 5)
  check(f"{folder}: a joint breaks", sum(int(line["joints_broken"]) for line in lines[folder]) == 1)
  check(f"{folder}: unsolved is above the tolerance", all(
    (float(line["residual_max"]) > (1e-4 if folder == "some-one" else 1e-14)) == (line["unsolved"] == "1")
    for line in lines[folder]))

# sums of both halves
for name in ("bonds_made", "broken_tension", "broken_shear", "joints_broken", "joints_yielding", "correction_sweeps"):
  both = [sum(int(line[name]) for line in lines["half"][i:i + 2]) for i in range(0, 80, 2)]
  check(f"{name} of both halves", [int(line[name]) for line in lines["all-one"]] == both)
spent = [sum(int(line["sweeps"]) for line in lines["half"][i:i + 2]) for i in range(0, 80, 2)]
check("sweeps of the step that was thrown away count too",
      all(int(line["sweeps"]) >= both + 60 for line, both in zip(lines["all-one"], spent)))
for name in ("load_work", "contact_work", "prescribed_work", "correction_work", "joint_work", "joint_damping",
             "joint_yielding", "damping_work", "scheme_work"):
  one = numpy.array([float(line[name]) for line in lines["all-one"]])
  two = numpy.array([float(line[name]) for line in lines["half"]]).reshape(40, 2).sum(axis=1)
  one[gone] = two[gone] = 0
  check(f"{name} of both halves", numpy.abs(one - two).max() <= 1e-12 * max(1, numpy.abs(two).max()))
large = [max(int(line["large_motions"]) for line in lines["half"][i:i + 2]) for i in range(0, 80, 2)]
check("large motions of either half", [int(line["large_motions"]) for line in lines["all-one"]] == large and
      large[gone] == 1 and lines["half"][2 * gone + 1]["large_motions"] == "0")
for name in ("kinetic_energy", "elastic_energy", "joint_energy", "momentum_x", "angular_momentum_z", "time", "bonds"):
  check(f"{name} at the end of halved steps",
        [line[name] for line in lines["all-one"]] == [line[name] for line in lines["half"][1::2]])

# the error of the balance is that of turning elastic bodies, of the order of the scheme
def imbalance(folder):
  worst = 0
  for before, line in zip(lines[folder], lines[folder][1:]):
    if line["born"] != "0" or line["removed"] != "0":
      continue
    change = sum(float(line[name]) - float(before[name]) for name in ("kinetic_energy", "elastic_energy"))
    work = sum(float(line[name]) for name in ("load_work", "contact_work", "prescribed_work", "joint_work",
                                              "damping_work", "scheme_work"))
    worst = max(worst, abs(change - work))
  return worst
largest = max(float(line["kinetic_energy"]) for line in lines["all-one"])
print(f"energy and works differ by {imbalance('all-one'):.2g} J in halved steps, {imbalance('half'):.2g} J in steps of "
      f"half the length, of {largest:.3g} J")
check("energy", imbalance("all-one") <= 2 * imbalance("half") + 1e-12 * largest)

# frames show joints over the whole step, and impulses of its length
frames = {folder: {int(name.split("-")[-1][:-3]): h5py.File(name, "r")
                   for name in sorted(glob.glob(f"{folder}/frame-*.h5"))} for folder in ("all-one", "half")}
for step in list(frames["all-one"])[1:]:
  line, shown, halves = lines["all-one"][step - 1], frames["all-one"][step], frames["half"][2 * step]
  for name, column in ("damped", "joint_damping"), ("spent", "joint_yielding"), ("elastic", "joint_energy"):
    check(f"frame {step}: {column}", abs(shown["joints"][name][()].sum() - float(line[column])) <= 1e-12)
  for group in "contacts", "joints":
    check(f"frame {step}: impulses of {group}",
          numpy.array_equal(shown[group]["reaction"][()], 2 * halves[group]["reaction"][()]))
check("frames", len(frames["all-one"]) == 9 and any(float(line["joint_damping"]) > 0 for line in lines["all-one"]))

# the problem that is written is that of the whole step
files = [h5py.File(f"dump-{way}/problem-000000001.hdf5", "r") for way in ("keep", "halve")]
names = []
files[0].visit(names.append)
for name in names:
  if isinstance(files[0][name], h5py.Dataset):
    one, two = files[0][name][()], files[1][name][()]
    check(f"problem: {name}", numpy.array_equal(one, two))
check("the step is halved", history("dump-halve")[0]["halved"] == "1" and history("dump-keep")[0]["unsolved"] == "1")
print(f"{len(names)} members of a problem, {len(whole)} halved steps: {failures} failed")
sys.exit(failures > 0)
END
/usr/bin/python3 halves.py || failures=$((failures + 1))

# what the log says
expect "the log names the first" grep -q \
  "step 1, t 0.002 s: residual .* worst between bodies .*; made again in two halves" some-one.log
expect "and those that halves do not solve" grep -q "warning: step 1, t 0.002 s: residual .* in two halves, asked for" \
  some-one.log
expect "and counts them" grep -q "^[0-9]* steps did not reach the residual as a whole and were made again in two" \
  some-one.log
expect "and what is left" grep -q "^[0-9]* steps did not reach the residual in halves either" some-one.log
number() { "$program" info --json some-one | sed -E "s/.*\"$1\": ([0-9]+).*/\1/"; }
total() { awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) k = i; next} {n += $k}
  END {print n + 0}' some-one/history.csv; }
expect "info counts both" [ "$(number unsolved) $(number halved)" = "$(total unsolved) $(total halved)" ]
expect "and says so" grep -q "^steps  *$(total unsolved) unsolved, $(total halved) made in halves$" \
  <("$program" info some-one)
expect "up to its checkpoint alone" grep -q '"unsolved": 0' <(sed -i '2,$s/^/99/' some-one/history.csv
  "$program" info --json some-one)
[ "$failures" -eq 0 ]
