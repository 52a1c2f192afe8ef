#!/bin/bash
# run --dump-problem: the contact problem of a step is the same on any number of ranks and after a restart, its solution
# gives the impulses of the run on every body, and what cannot be written is said.
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf one three parts soft soft3 old unwritable none ./*.txt ./*.log   # of an earlier run

# fixed and prescribed bodies; at step 8 one block hits (restitution), another is about to, others rest, slide on the
# belt, or have gaps that stay open
cat >dump.yaml <<'END_OF_CASE'
title: blocks at rest, on a belt, and about to hit
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.02}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.4, restitution: 0.5}
contact: {margin: 0.05}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {wall: {courses: 4, bricks: 3, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: stone}
  - {box: [1, 1, 0.2], at: [0, 2, 0.1], material: stone, motion: {velocity: [0.5, 0, 0]}}
  - {box: [0.2, 0.2, 0.2], at: [0, 2, 0.3], material: stone, velocity: [0, 0.3, 0]}
  - {box: [0.2, 0.2, 0.2], at: [-2, -2, 0.1078], material: stone, velocity: [0, 0, -1]}
  - {box: [0.2, 0.2, 0.2], at: [2, -2, 0.115], material: stone, velocity: [0, 0, -1]}
  - {sphere: {radius: 0.1}, at: [2, 2, 0.112], material: stone}
solver: {tolerance: 1e-11, max_sweeps: 50000}
output:
  frames: {every: 1e-3}
  checkpoint: {steps: 4}
END_OF_CASE
name=problem-000000008.hdf5

piece "$program" 1 dump.yaml one --steps 8 --dump-problem 8
piece "$program" 3 dump.yaml three --steps 8 --dump-problem 8
piece "$program" 2 dump.yaml parts --steps 5
piece "$program" 3 dump.yaml parts --steps 8 --restart --dump-problem 8
for folder in one three parts; do expect "$folder: said" grep -q 'contact problem of step 8 written' $folder.log; done

# bodies that deform have twelve unknowns
cat >affine.yaml <<'END_OF_CASE'
title: affine and rigid blocks that rest and slide, and one on a belt
units: SI
gravity: [2, 0, -9.81]
time: {step: 1e-3, end: 0.02}
materials:
  stone: {density: 2400, young: 1e9, poisson: 0.2, damping: 1e-5}
contacts:
  - {between: [stone, stone], friction: 0.4}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {wall: {courses: 3, bricks: 2, brick: [0.4, 0.2, 0.2], joint: 0}, material: stone, elastic: affine}
  - {box: [0.3, 0.2, 0.2], at: [0.3, 0.1, 0.7], material: stone}
  - {box: [1, 1, 0.2], at: [0, 2, 0.1], material: stone, motion: {velocity: [0.5, 0, 0]}}
  - {box: [0.2, 0.2, 0.2], at: [0, 2, 0.3], material: stone, velocity: [0, 0.3, 0], elastic: affine}
solver: {tolerance: 1e-8, max_sweeps: 50000, give: 0}
output:
  frames: {every: 1e-3}
  checkpoint: {steps: 4}
END_OF_CASE
piece "$program" 1 affine.yaml soft --steps 8 --dump-problem 8
piece "$program" 3 affine.yaml soft3 --steps 5
piece "$program" 2 affine.yaml soft3 --steps 8 --restart --dump-problem 8
expect "soft: said" grep -q 'contact problem of step 8 written' soft.log

# what was never met
never='warning: contact problem of step 3 not written: this run began after step 8 and ended with step 9'
piece "$program" 1 dump.yaml parts --steps 9 --restart --dump-problem 3
expect "behind the restart: said" grep -q "$never" parts.log
never='warning: contact problem of step 30 not written: this run began after step 9 and ended with step 20'
piece "$program" 1 dump.yaml parts --restart --dump-problem 30
expect "after the end: said" grep -q "$never" parts.log

# a problem goes with the results that it came with; what has nearly such a name is not ours
piece "$program" 1 dump.yaml old --steps 2 --dump-problem 2
touch old/problem-2.hdf5 old/problem-000000002.hdf old/problem-000000001.hdf5.tmp
piece "$program" 1 dump.yaml old --steps 3 --restart
expect "kept by a restart" [ -s old/problem-000000002.hdf5 ]
expect "unfinished one removed by a restart" [ ! -e old/problem-000000001.hdf5.tmp ]
"$program" run dump.yaml -o old --overwrite --steps 1 >old.log 2>&1
expect "overwritten" [ $? -eq 0 ]
expect "removed by --overwrite" [ ! -e old/problem-000000002.hdf5 ]
expect "other names stay" [ -e old/problem-2.hdf5 -a -e old/problem-000000002.hdf ]

# refuses TEXT CODE PATTERN ARGUMENT...
refuses()
{
  "$program" run dump.yaml -o refused --overwrite --steps 2 "${@:4}" >refused.log 2>&1
  local code=$?
  expect "$1: code $code" [ $code -eq "$2" ]
  expect "$1: said" grep -q -E -- "$3" refused.log
}
refuses "step 0" 2 "--dump-problem: '0' is not the number of a step" --dump-problem 0
refuses "no number" 2 "--dump-problem: 'last' is not the number of a step" --dump-problem last
refuses "no value" 2 "option --dump-problem needs a value" --dump-problem
mkdir -p unwritable/problem-000000001.hdf5
"$program" run dump.yaml -o unwritable --restart --steps 2 --dump-problem 1 >refused.log 2>&1
code=$?
expect "cannot be written: code $code" [ $code -eq 4 ]
expect "cannot be written: said" grep -q "unwritable/problem-000000001.hdf5: " refused.log
refuses "bonds" 2 "--dump-problem: step 2 has [0-9]+ points of bonds, joints or springs" --dump-problem 2 \
  --set 'contacts.0.bond={cohesion: 1e4, tensile_strength: 1e4}'
expect "bonds: the state of that step is kept" [ -f refused/checkpoint-000000002.manifest ]
expect "bonds: and its line" [ "$(tail -n 1 refused/history.csv | cut -d, -f1)" -eq 2 ]

# no body moves
grep -vE 'wall|motion|velocity: |sphere' dump.yaml >fixed.yaml
"$program" run fixed.yaml -o none --steps 1 --dump-problem 1 >none.log 2>&1
"$program" solve none/problem-000000001.hdf5 >none.txt 2>&1
code=$?
expect "nothing to solve: code $code" [ $code -eq 0 ]
expect "nothing to solve: said" grep -qx "nothing to solve: the problem has no contacts" none.txt
expect "nothing to solve: not that it converged" [ "$(grep -c converged none.txt)" -eq 0 ]

python=/usr/bin/python3
if ! "$python" -c 'import h5py, numpy' 2>/dev/null; then
  echo "python3-h5py is not installed: files are not compared"
  exit $((failures > 0))
fi
expect "solved" "$program" solve one/$name --tolerance 1e-9
expect "soft: solved" "$program" solve soft/$name --tolerance 1e-7
reader=$(cd "$(dirname "$0")/../../io/python" && pwd)
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$reader "$python" - one/$name three/$name parts/$name \
  <<'END_OF_SCRIPT' || failures=$((failures + 1))
import sys
import drystone
import h5py
import numpy as np

def tree(path):
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found

def dense(group):
    columns = int(group["n"][()].item())
    matrix = np.zeros((int(group["m"][()].item()), columns))
    p, i, x = (group[key][()] for key in "pix")
    for column in range(columns):
        matrix[i[p[column]:p[column + 1]], column] = x[p[column]:p[column + 1]]
    return matrix

failures = 0
def check(sound, text):
    global failures
    failures += not sound
    print("fine   " if sound else "FAILED ", text)

first = tree(sys.argv[1])
for path in sys.argv[2:]:
    other = tree(path)
    same = first.keys() == other.keys() and all(
        np.asarray(first[key]).tobytes() == np.asarray(other[key]).tobytes() for key in first)
    check(same and len(first) > 15, f"{path}: the same in {len(first)} data sets")

# impulses of the run: those of the contacts of its last frame; the problem has its points without
# those that take no part, in the order of the frame
with h5py.File(sys.argv[1]) as file:
    found = file["fclib_global"]
    M, H = dense(found["M"]), dense(found["H"])
    f, w, mu = (found["vectors"][key][()] for key in ("f", "w", "mu"))
results = drystone.open("one")
bodies, contacts = results.bodies(), results.contacts()
dynamic = bodies["id"][bodies["drive"] == 0]
check(M.shape[0] == 6 * len(dynamic), f"{len(dynamic)} dynamic bodies of {len(bodies['id'])}")
v = bodies["velocity"][bodies["drive"] == 0], bodies["spin"][bodies["drive"] == 0]
v = np.hstack(v).reshape(-1)
impulse = (M @ v - f).reshape(-1, 6)[:, :3]
expected = np.zeros_like(impulse)
row = {number: k for k, number in enumerate(dynamic)}
for (low, high), push in zip(contacts["bodies"], contacts["reaction_world"]):
    if low in row: expected[row[low]] += push
    if high in row: expected[row[high]] -= push
scale = np.abs(expected).max()
error = np.abs(impulse - expected).max() / scale
check(error < 1e-9 and scale > 0.1, f"M v - f is the impulse on every body within {error:.1e} of the largest")
check(0 < len(mu) < len(contacts["gap"]), f"{len(mu)} points of {len(contacts['gap'])}: others are yet to come")

# the law in the file's terms: U = H'v + w, natural map of the run's own velocities and impulses
U = (H.T @ v + w).reshape(-1, 3)
check(U[:, 0].min() > -1e-9 * np.abs(w).max(), f"no point approaches: {U[:, 0].min():.1e} m/s")
bounces = np.count_nonzero(np.abs(w.reshape(-1, 3)[:, 0] + 0.5 * 1.0687) < 1e-3)
check(bounces == 4, f"restitution in w at {bounces} points")
belt = np.count_nonzero(np.abs(np.hypot(*w.reshape(-1, 3)[:, 1:].T) - 0.5) < 1e-12)
check(belt == 4, f"velocity of the belt in w at {belt} points")
r = np.linalg.lstsq(H, M @ v - f, rcond=None)[0]
error = np.abs(H @ r - (M @ v - f)).max() / scale
check(error < 1e-9, f"impulses at the points give these velocities within {error:.1e}")
sys.exit(failures > 0)
END_OF_SCRIPT

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$reader "$python" - soft/$name soft3/$name \
  <<'END_OF_SCRIPT' || failures=$((failures + 1))
import sys
import drystone
import h5py
import numpy as np

def dense(group):
    columns = int(group["n"][()].item())
    matrix = np.zeros((int(group["m"][()].item()), columns))
    p, i, x = (group[key][()] for key in "pix")
    for column in range(columns):
        matrix[i[p[column]:p[column + 1]], column] = x[p[column]:p[column + 1]]
    return matrix

def read(path):
    with h5py.File(path) as file:
        found = file["fclib_global"]
        return [dense(found["M"]), dense(found["H"])] + [found["vectors"][key][()] for key in ("f", "w", "mu")]

failures = 0
def check(sound, text):
    global failures
    failures += not sound
    print("fine   " if sound else "FAILED ", text)

M, H, f, w, mu = read(sys.argv[1])
check(all(a.tobytes() == b.tobytes() for a, b in zip((M, H, f, w, mu), read(sys.argv[2]))),
      "soft: the same from 3 ranks, continued on 2")
results = drystone.open("soft")
bodies, contacts = results.bodies(), results.contacts()
moving = np.flatnonzero(bodies["drive"] == 0)
unknowns = np.where(bodies["kind"][moving] == 1, 12, 6)
first = dict(zip(bodies["id"][moving], np.cumsum(unknowns) - unknowns))
check(M.shape[0] == unknowns.sum() and set(unknowns) == {6, 12},
      f"{M.shape[0]} unknowns of {(unknowns == 12).sum()} affine bodies and {(unknowns == 6).sum()} rigid one")
check(np.array_equal(M != 0, M.T != 0) and abs(M - M.T).max() < 1e-12 * abs(M).max() and
      np.linalg.eigvalsh(M).min() > 0, "M is symmetric, positive")
check(len(mu) == len(contacts["gap"]), f"all {len(mu)} points take part")

# the impulses of the run in the axes of the file, which H holds beside the velocity of a body
r = np.zeros_like(w)
for k, ((low, high), push) in enumerate(zip(contacts["bodies"], contacts["reaction_world"])):
    at, sign = (first[low], 1) if low in first else (first[high], -1)
    r[3 * k:3 * k + 3] = sign * H[at:at + 3, 3 * k:3 * k + 3].T @ push
scale = abs(r).max()
check(abs(r.reshape(-1, 3)[:, 0] - contacts["reaction"][:, 0]).max() < 1e-14 * scale, "normals are those of the run")

# velocities that follow, also the rate of strain of frames, and the residual of the law
v = np.linalg.solve(M, f + H @ r)
speed = max(abs(v[first[i] + j]) for i in first for j in range(3))
error = max(abs(v[first[i]:first[i] + 3] - bodies["velocity"][i]).max() for i in first)
check(error < 1e-9 * speed, f"velocities are those of the run within {error / speed:.1e}")
turns = drystone.rotations(bodies["orientation"])
error = rate = 0
for i in first:
    w_x, w_y, w_z, *S = np.append(v[first[i] + 3:first[i] + (12 if bodies["kind"][i] == 1 else 6)], [0] * 6)[:9]
    field = np.array([[S[0], S[1] - w_z, S[2] + w_y], [S[1] + w_z, S[3], S[4] - w_x], [S[2] - w_y, S[4] + w_x, S[5]]])
    rates = turns[i] @ np.reshape(bodies["gradient_rate"][i], (3, 3)) @ turns[i].T
    spin = bodies["spin"][i]
    of_frame = rates + np.cross(np.eye(3), -spin).T
    rate = max(rate, abs(rates).max())
    error = max(error, abs(field - of_frame).max())
check(error < 1e-3 * rate, f"gradients of velocities are those of the run within {error / rate:.1e} of {rate:.1e} 1/s")
W = H.T @ np.linalg.solve(M, H)
free = H.T @ np.linalg.solve(M, f)
U = (free + W @ r + w).reshape(-1, 3)
free += np.where(np.arange(len(w)) % 3 > 0, w, 0)   # the velocity of the belt; along the normal w is of the law
largest, gravity = 0, np.hypot(2, 9.81) * 1e-3
for k, (u, p, friction) in enumerate(zip(U, r.reshape(-1, 3), mu)):
    rho = 1 / np.linalg.norm(W[3 * k:3 * k + 3, 3 * k:3 * k + 3], 2)
    x = p - rho * u
    radius, slip = friction * p[0], np.hypot(*x[1:])
    nearest = np.array([max(x[0], 0), *(x[1:] * min(1, radius / slip if slip > 0 else 1))])
    speed = max(np.linalg.norm(free[3 * k:3 * k + 3]), gravity)
    largest = max(largest, np.linalg.norm(p - nearest) / (rho * speed))
tolerance, said = 1e-8, results.history()["residual_max"][7]
check(said <= tolerance and abs(largest - said) < 1e-3 * said,
      f"residual of the run in the file's terms {largest:.3e}, in the history {said:.3e}")
sys.exit(failures > 0)
END_OF_SCRIPT

[ $failures -eq 0 ]
