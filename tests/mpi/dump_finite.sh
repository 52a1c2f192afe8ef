#!/bin/bash
# run --dump-problem with bodies of finite elements: matrices of their nodes beside those of rigid and affine bodies,
# the same on any number of ranks. What the run found solves the file, and so does drystone solve. What does not fit is
# said.
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf one three again holds many ./*.txt ./*.log   # of an earlier run

# On a foundation that moves along x and whose faces -x and -z are held: hexahedra that reach over its edge, on them an
# affine block and a rigid one that slide, and beside them hexahedra that press on a strut. Tetrahedra and a rigid block
# rest on the floor, some of them on a roller, too. The mortar and the ball are so weak that they have broken by then.
cubes=$(cd "$(dirname "$0")/../fuzz/case" && pwd)/cubes.msh
cat >mixed.yaml <<END_OF_CASE
title: blocks of all kinds
units: SI
gravity: [2, 0.5, -9.81]
time: {step: 1e-3, end: 0.02}
materials:
  stone: {density: 2400, young: 1e8, poisson: 0.2, damping: 1e-3}
  brick: {density: 2000, young: 2e8, poisson: 0.3}
contacts:
  - {between: [stone, stone], friction: 0.3}
  - {between: [stone, brick], friction: 0.5, bond: {cohesion: 1e-3, tensile_strength: 1e-3}}
  - {between: [brick, brick], friction: 0.5}
bodies:
  - {box: [20, 20, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {box: [1, 0.6, 0.3], at: [0, 0, 0.2], material: stone, motion: {velocity: [0.3, 0, 0]}, name: ground,
     elastic: {cells: [3, 2, 2], held: [-x, -z]}}
  - {box: [0.5, 0.4, 0.3], at: [-0.4, 0, 0.5], material: stone, elastic: {cells: [3, 2, 2]}, name: block}
  - {box: [0.3, 0.2, 0.2], at: [-0.4, 0.05, 0.75], material: brick, elastic: affine, velocity: [0, 0.3, 0],
     name: soft}
  - {box: [0.2, 0.2, 0.2], at: [-0.35, 0.02, 0.95], material: stone, name: top}
  - {box: [0.3, 0.3, 0.3], at: [0.3, 0, 0.5], material: stone, elastic: {cells: [2, 2, 2]},
     velocity: [-0.5, 0, 0], name: pusher}
  - {mesh: $cubes, at: [2, 2, 0], material: stone, elastic: {cells: file}, name: cubes}
  - {box: [0.2, 0.2, 0.2], at: [-2, -2, 0.1], material: stone, name: alone}
joints:
  - {strut: [[-0.3, 0, 0.55], [0.3, 0.05, 0.57]], between: [block, pusher]}
  - {roller: [2.5, 2.4, 0.7], normal: [0, 0, 1], between: [cubes.cube, floor], strength: {tension: 0}}
  - {ball: [-0.4, 0.1, 0.35], axis: [0, 0, 1], between: [block, ground],
     strength: {tension: 1, compression: 1, shear: 1}}
loads:
  - {on: pusher, force: [-3000, 0, 0]}
solver: {tolerance: 1e-8, max_sweeps: 20000}
output:
  frames: {every: 1e-3}
  checkpoint: {steps: 4}
END_OF_CASE
name=problem-000000008.hdf5
piece "$program" 1 mixed.yaml one --steps 8 --dump-problem 8
piece "$program" 3 mixed.yaml three --steps 8 --dump-problem 8
piece "$program" 3 mixed.yaml again --steps 5
piece "$program" 2 mixed.yaml again --steps 8 --restart --dump-problem 8
for folder in one three again; do expect "$folder: said" grep -q 'contact problem of step 8 written' $folder.log; done

# while a joint or mortar holds them there is no cone, and what was computed stays
"$program" run mixed.yaml -o holds --steps 2 --dump-problem 2 --set contacts.1.bond.cohesion=1e6 \
  --set contacts.1.bond.tensile_strength=1e6 >holds.log 2>&1
code=$?
expect "mortar that holds: code $code" [ $code -eq 2 ]
expect "mortar that holds: said" grep -qE -- "--dump-problem: step 2 has [0-9]+ points of bonds, joints or springs" \
  holds.log
expect "mortar that holds: the state of that step is kept" [ -f holds/checkpoint-000000002.manifest ]

# too many numbers: 720 bodies of 25^3 blocks of 9 each, refused before any matrix is made
cat >many.yaml <<'END_OF_CASE'
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.01}
materials:
  stone: {density: 2400, young: 1e8, poisson: 0.2}
contacts:
  - {between: [stone, stone], friction: 0.3}
bodies:
  - {grid: {box: [1, 1, 1], count: [12, 10, 6], spacing: [2, 2, 2]}, material: stone,
     elastic: {cells: [8, 8, 8], most_nodes: 1000}}
END_OF_CASE
"$program" run many.yaml -o many --steps 1 --dump-problem 1 >many.log 2>&1
code=$?
expect "too many numbers: code $code" [ $code -eq 2 ]
expect "too many numbers: said" grep -q -- \
  "step 1 has 1574640 unknowns, whose matrices have 101250000 numbers; at most 100000000 are written" many.log
expect "too many numbers: the state of that step is kept" [ -f many/checkpoint-000000001.manifest ]
expect "too many numbers: no file" [ ! -e many/problem-000000001.hdf5 ]

"$program" solve one/$name --tolerance 1e-8 --json >solved.json 2>solved.log
expect "solved" [ $? -eq 0 ]

reader=$(cd "$(dirname "$0")/../../io/python" && pwd)
# the file against frames of the run, with linear algebra of numpy
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$reader /usr/bin/python3 - one/$name three/$name again/$name \
  <<'END_OF_SCRIPT' || failures=$((failures + 1))
import json
import sys

import drystone
import h5py
import numpy as np

RIGID, AFFINE, FINITE, FOUNDATION = 0, 1, 64, 65
STEP, TOLERANCE = 1e-3, 1e-8
GRAVITY = np.array([2, 0.5, -9.81])
LOADS = {5: np.array([-3000, 0, 0])}   # N, by body
failures = 0


def check(sound, text):
  """Counts what is wrong."""
  global failures
  failures += not sound
  print("fine   " if sound else "FAILED ", text)


def dense(group):
  """A matrix in compressed columns."""
  columns = int(group["n"][()].item())
  matrix = np.zeros((int(group["m"][()].item()), columns))
  p, i, x = (group[key][()] for key in "pix")
  for column in range(columns):
    matrix[i[p[column]:p[column + 1]], column] = x[p[column]:p[column + 1]]
  return matrix


def tree(path):
  """All data sets of a file as bytes."""
  found = {}
  with h5py.File(path) as file:
    file.visititems(lambda name, item: found.update({name: np.asarray(item[()]).tobytes()})
                    if isinstance(item, h5py.Dataset) else None)
  return found


first = tree(sys.argv[1])
for path in sys.argv[2:]:
  check(tree(path) == first and len(first) > 15, f"{path}: the same in {len(first)} data sets")
with h5py.File(sys.argv[1]) as file:
  found = file["fclib_global"]
  M, H = dense(found["M"]), dense(found["H"])
  f, w, mu = (found["vectors"][key][()] for key in ("f", "w", "mu"))

results = drystone.open("one")
bodies, before = results.bodies(), results.bodies(7)
with h5py.File(results.frame().path) as file:
  nodes = {key: file["nodes"][key][()] for key in ("body", "number")}
  elastic = {key: file["elastic"][key][()] for key in ("points", "displacement", "velocity",
                                                       "force")}
  joints = {key: file["joints"][key][()] for key in ("bodies", "status", "reaction")}
  contacts = {key: file["contacts"][key][()] for key in ("bodies", "bond", "reaction_world")}

# -- unknowns: of rigid and affine bodies, and of nodes, by id ------------------------------------

kind = dict(zip(bodies["id"].tolist(), bodies["kind"]))
moving = [b for b, drive in zip(bodies["id"].tolist(), bodies["drive"]) if drive == 0]
place = elastic["points"] - elastic["displacement"]
start, node_row, count = {}, {}, 0   # of bodies; of rows of nodes
for b in moving:
  start[b] = count
  if kind[b] in (RIGID, AFFINE):
    count += 12 if kind[b] == AFFINE else 6
    continue
  rows = np.flatnonzero(nodes["body"] == b)
  held = np.zeros(len(rows), bool)
  if kind[b] == FOUNDATION:
    for axis in (0, 2):
      held |= place[rows][:, axis] < place[rows][:, axis].min() + 1e-6
  for row in rows[~held]:
    node_row[row] = count
    count += 3
check(M.shape == (count, count) and H.shape[0] == count,
      f"{count} unknowns of {len(moving)} bodies and {len(node_row)} nodes that are free")
check(sorted(kind[b] for b in moving) == [RIGID] * 2 + [AFFINE] + [FINITE] * 4 + [FOUNDATION],
      "bodies of all kinds")

# -- M --------------------------------------------------------------------------------------------

check(np.array_equal(M, M.T) or abs(M - M.T).max() < 1e-12 * abs(M).max(), "M is symmetric")
least = np.linalg.eigvalsh(M).min()
check(least > 0, f"M is positive definite, its least eigenvalue {least:.3g}")
finite = [b for b in moving if kind[b] == FINITE]
for b in finite:
  own = [node_row[row] for row in np.flatnonzero(nodes["body"] == b)]
  rigid = np.zeros((count, 3))
  for at in own:
    rigid[at:at + 3] = np.eye(3)
  i = int(np.flatnonzero(bodies["id"] == b)[0])
  error = abs(rigid.T @ M @ rigid - bodies["mass"][i] * np.eye(3)).max() / bodies["mass"][i]
  check(error < 1e-9, f"body {b}: M of its translations is its mass within {error:.1e}")
  expected = before["mass"][i] * (before["velocity"][i] + STEP * GRAVITY)
  expected = expected + STEP * LOADS.get(b, 0)
  error = abs(rigid.T @ f - expected).max() / abs(expected).max()
  check(error < 1e-9, f"body {b}: f is its momentum and what loads give within {error:.1e}")
coupled = M[[node_row[row] for row in np.flatnonzero(nodes["body"] == finite[0])]]
check(np.count_nonzero(coupled) > 9 * coupled.shape[0], "nodes of a body are coupled")

# -- impulses of the run, in the axes of the file -------------------------------------------------

# by pair, contacts before what joints hold; a ball that broke is no constraint
history = results.history()
broken = history["broken_tension"].sum() + history["broken_shear"].sum()
check((contacts["bond"] != 1).all() and broken >= 8, f"{broken:.0f} points of mortar have broken")
check(set(joints["status"].tolist()) == {0, 2}, "the ball has broken, others hold")
points = [(*ids, 0, k, push) for k, (ids, push) in
          enumerate(zip(contacts["bodies"].tolist(), contacts["reaction_world"]))]
points += [(*ids, 1, k, push) for k, (ids, push, status) in
           enumerate(zip(joints["bodies"].tolist(), joints["reaction"], joints["status"]))
           if status == 0]
points.sort(key=lambda point: point[:4])
check(len(points) == len(mu), f"all {len(mu)} points take part")


def basis_of(k, b):
  """Axes of a point as a body has them that is no foundation."""
  columns = H[:, 3 * k:3 * k + 3]
  if kind[b] in (RIGID, AFFINE):
    return columns[start[b]:start[b] + 3]
  return sum(columns[node_row[row]:node_row[row] + 3]
             for row in np.flatnonzero(nodes["body"] == b))


r = np.zeros_like(w)
joined = np.zeros(len(mu), bool)
axes = np.zeros((len(mu), 3, 3))
for k, (low, high, joint, _, push) in enumerate(points):
  b, sign = (low, 1) if kind[low] != FOUNDATION and low in start else (high, -1)
  axes[k] = sign * basis_of(k, b)
  r[3 * k:3 * k + 3] = axes[k].T @ push
  joined[k] = joint
error = abs(np.einsum("kij,kil->kjl", axes, axes) - np.eye(3)).max()
check(error < 1e-12, f"shares of nodes add up to an orthonormal basis within {error:.1e}")
pushes = r.reshape(-1, 3)[joined, 0]
check(mu[joined].tolist() == [0, 0] and pushes.min() > 1e-3,
      f"strut and roller are cones without friction, and push by {pushes} N s")
scale = abs(r).max()

# on nodes they are what the run counted
push = H @ r
error = max(abs(push[at:at + 3] / STEP - elastic["force"][row]).max()
            for row, at in node_row.items())
check(error < 1e-9 * scale / STEP, f"forces of nodes are those of the run within {error:.1e} N")

# -- velocities and the law -----------------------------------------------------------------------

v = np.linalg.solve(M, f + push)
speed, error = abs(bodies["velocity"]).max(), 0
for b in moving:
  i = int(np.flatnonzero(bodies["id"] == b)[0])
  if kind[b] in (RIGID, AFFINE):
    error = max(error, abs(v[start[b]:start[b] + 3] - bodies["velocity"][i]).max())
  elif kind[b] == FINITE:
    ones = np.zeros((count, 3))
    for row in np.flatnonzero(nodes["body"] == b):
      ones[node_row[row]:node_row[row] + 3] = np.eye(3)
    error = max(error, abs(ones.T @ (M @ v) / bodies["mass"][i] - bodies["velocity"][i]).max())
check(error < 1e-9 * speed, f"velocities of bodies are those of the run within {error:.1e} m/s")
# frames have nodes at the end of the step, the file has them at its middle: bodies turn meanwhile
error = max(abs(v[at:at + 3] - elastic["velocity"][row]).max() for row, at in node_row.items())
check(error < 2e-3 * speed, f"velocities of nodes are those of the run within {error:.1e} m/s")

W = H.T @ np.linalg.solve(M, H)
free = H.T @ np.linalg.solve(M, f)
U = (H.T @ v + w).reshape(-1, 3)
given = np.where(np.arange(len(w)) % 3 > 0, w, 0)   # what the foundation's faces move with
check(abs(given).max() > 1e-3, f"faces that are held move in w, by {abs(given).max():.3g} m/s")
largest, gravity = 0, np.linalg.norm(GRAVITY) * STEP
for k, (u, p, friction) in enumerate(zip(U, r.reshape(-1, 3), mu)):
  own = slice(3 * k, 3 * k + 3)
  rho = 1 / np.linalg.norm(W[own, own], 2)
  x = p - rho * u
  radius, slip = friction * p[0], np.hypot(*x[1:])
  nearest = np.array([max(x[0], 0), *(x[1:] * min(1, radius / slip if slip > 0 else 1))])
  # what a joint makes good is in w, along tangents what it leaves free, too
  speeds = (free[own], w[own]) if joined[k] else ((free + given)[own],)
  size = max(gravity, *(np.linalg.norm(of) for of in speeds))
  largest = max(largest, np.linalg.norm(p - nearest) / (rho * size))
said = history["residual_max"][7]
check(0 < said <= TOLERANCE and abs(largest - said) < 1e-3 * said,
      f"residual of the run in the file's terms {largest:.4e}, in the history {said:.4e}")

# -- drystone solve -------------------------------------------------------------------------------

with open("solved.json", encoding="utf-8") as file:
  solved = json.load(file)
check(solved["converged"] and solved["residual"] <= TOLERANCE,
      f"drystone solve: residual {solved['residual']:.2e} by {solved['solver']}")
check((solved["contacts"], solved["velocities"]) == (len(mu), count), "drystone solve: sizes")
# impulses need not be unique where a face presses, but which of its points slide hardly changes
by_point = r.reshape(-1, 3)
pressed = by_point[:, 0] > 0
slides = pressed & (np.hypot(*by_point[:, 1:].T) >= (1 - 1e-6) * mu * by_point[:, 0])
counts = [np.sum(~pressed), np.sum(pressed & ~slides), np.sum(slides)]
theirs = [solved[key] for key in ("open", "sticking", "sliding")]
check(max(abs(np.subtract(counts, theirs))) <= 1,
      f"drystone solve: open, sticking, sliding {theirs}, in the run {[int(n) for n in counts]}")
sys.exit(failures > 0)
END_OF_SCRIPT
[ $failures -eq 0 ]
