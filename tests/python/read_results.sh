#!/bin/bash
# The Python reader opens a run; what it finds is consistent with the physics: weights, momenta, geometry.
# test: needs python3 python3-h5py python3-numpy
# test: slow
# test: ranks 3
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
"$tests/mpirun.sh" 3 "$1" run "$tests/../jobs/wall/wall.yaml" -o wall --overwrite --steps 40 \
  --set output.frames.every=0.02 >run.log 2>&1 || { tail -n 5 run.log; exit 1; }

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/../io/python "$python" - <<'END' || exit 1
import drystone
import h5py
import numpy

results = drystone.open("wall")
assert [frame.step for frame in results.frames] == [0, 20, 40], results.frames
assert numpy.allclose(results.times, [0, 0.02, 0.04])
assert results.frame(0.019).step == 20 and results.frame().step == 40
bodies, contacts = results.bodies(), results.contacts()
assert (bodies["id"] == numpy.arange(211)).all()
assert set(bodies["rank"]) == {0, 1, 2}, set(bodies["rank"])
assert len(contacts["gap"]) == 1560 and abs(contacts["gap"]).max() < 1e-8

# reactions carry the weight: vertical impulses on the floor, the body with id 0, over one step
low, high = contacts["bodies"].T
assert (low < high).all()
down = contacts["reaction_world"][low == 0][:, 2].sum()
weight = bodies["mass"][1:].sum() * 9.81 * 1e-3
assert abs(down + weight) < 1e-5 * weight, (down, weight)
assert abs(numpy.linalg.norm(contacts["normal"], axis=1) - 1).max() < 1e-12

# areas: ten bricks on the floor, 19 beds of twenty half bricks; the mesh is where the bodies are
beds = contacts["area"].sum()
assert abs(beds - (10 * 0.398 * 0.2 + 19 * 20 * 0.198 * 0.2)) < 1e-6, beds
mesh = results.mesh()
assert len(mesh["facets"]) == 211 * 6 and len(mesh["points"]) == 211 * 8
centre = mesh["points"][mesh["facets"][-1]].mean(axis=0)
assert numpy.linalg.norm(centre - bodies["position"][-1]) < 0.21
assert results.units("contacts")["area"] == "m2" and "impulse" in results.describe("contacts")["reaction"]
assert "wall" in results.provenance()["case_text"] and results.provenance()["ranks"] == 3

# frames of version 1 call the column of how bodies are driven `kind`
drive, told = bodies["drive"], results.describe("bodies")["drive"]
assert list(drive) == [1] + 210 * [0] and "prescribed" in told, (drive, told)
with h5py.File(results.frames[0].path, "r+") as file:
    file.pop("bodies/kind", None)
    file.move("bodies/drive", "bodies/kind")
older = results.bodies(0)
assert "kind" not in older and (older["drive"] == drive).all() and results.describe("bodies")["drive"] == told
print("read", len(results.frames), "frames, area", beds, "m2, weight", weight, "N s")
END

# a frame of before columns that frames derive: kept as that program wrote it, of a brick at rest on a floor
rm -rf older
cp -r "$tests/python/older-frames" older
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/../io/python "$python" - <<'END' || exit 1
import drystone
import numpy

results = drystone.open("older")
assert [frame.step for frame in results.frames] == [2] and results.provenance()["version"] == "0.2.0"
bodies, contacts = results.bodies(), results.contacts()
assert list(bodies["drive"]) == [1, 0] and numpy.allclose(bodies["mass"], [480, 38.4]), bodies["mass"]
assert len(contacts["gap"]) == 4 and abs(contacts["area"].sum() - 0.08) < 1e-12
weight = contacts["reaction_world"][:, 2].sum() / 1e-3 / 9.81
assert abs(abs(weight) - 38.4) < 1e-3, weight
assert "force" not in contacts and results.interfaces() == {} and results.chains() == {}
assert len(results.mesh()["points"]) == 16
END

# joints: what they carry, what broke, and where they are, frame by frame
cat >joined.yaml <<'END'
units: SI
gravity: [0, 0, -10]
time: {step: 1e-3, end: 0.1}
materials:
  stone: {density: 1000}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {box: [1, 1, 1], at: [0, 0, 5], material: stone, name: lamp}
  - {box: [0.1, 0.1, 0.1], at: [4, 0, 5], material: stone, name: bob}
  - {box: [0.1, 0.1, 0.1], at: [8, 0, 5], material: stone, name: late, birth: 0.05}
joints:
  - {rod: [[0, 0, 5.5], [0, 0, 8]], between: [lamp], name: rod}
  - {rod: [[4, 0, 5], [4, 0, 8]], between: [bob], strength: {tension: 9}}
  - {hinge: [8, 0, 5.05], axis: [0, 1, 0], between: [late]}
output: {frames: {every: 0.02}}
END
"$tests/mpirun.sh" 3 "$1" run joined.yaml -o joined --overwrite >run.log 2>&1 || { tail -n 5 run.log; exit 1; }
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/../io/python "$python" - <<'END' || exit 1
import drystone
import numpy

results = drystone.open("joined")
assert [frame.step for frame in results.frames] == [0, 20, 40, 60, 80, 100], results.frames
rows = [len(results.joints(frame)["joint"]) for frame in results.frames]
assert rows == [2, 2, 2, 4, 4, 4], rows
joints, bodies = results.joints(), results.bodies()
space = 2 ** 32
order = numpy.argsort(joints["number"])
assert (joints["bodies"][order] == [[0, space], [1, space], [2, space], [2, space]]).all(), joints["bodies"]
assert list(joints["joint"][order]) == [0, 1, 2, 2] and list(joints["status"][order]) == [0, 2, 0, 0]
force = joints["force"][order]
assert numpy.allclose(force[0], [0, 0, 10000], atol=1e-3) and (force[1] == 0).all(), force
assert numpy.allclose(force[2] + force[3], [0, 0, 10], atol=1e-4), force
assert abs(bodies["position"][0][2] - 5) < 1e-6 and bodies["position"][1][2] < 5
ends = joints["ends"][joints["line"][order[0]]]
assert numpy.allclose(ends, [[0, 0, 5.5], [0, 0, 8]], atol=1e-5), ends
assert results.units("joints")["force"] == "N" and "broken" in results.describe("joints")["status"]
assert results.history()["joints_broken"].sum() == 1
assert drystone.open("wall").joints() == {}
print("read joints of", len(rows), "frames")
END

# bodies that appear and leave: every frame has the mesh of those that are there
cat >changing.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.2}
materials:
  stone: {density: 2000}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {box: [1, 1, 0.2], at: [0, 0, -0.1], material: stone, fixed: true, name: plate}
  - {grid: {box: [0.1, 0.1, 0.1], count: [4, 1, 1], spacing: [0.5, 1, 1]}, at: [-0.4, 0, 0.05], material: stone,
     name: "cubes, four"}
  - {wedge: [0.2, 0.2, 0.2], at: [0, 0, 0.1], material: stone, birth: 0.1, name: late}
domain: {low: [-1, -1, -0.05], high: [2, 1, 1]}
output: {frames: {every: 0.05}}
END
rm -rf changing none
"$tests/mpirun.sh" 3 "$1" run changing.yaml -o changing --overwrite >run.log 2>&1 || { tail -n 5 run.log; exit 1; }
"$tests/mpirun.sh" 1 "$1" run changing.yaml -o none --overwrite --steps 10 --set output.frames.every=0 >run.log 2>&1 ||
  { tail -n 5 run.log; exit 1; }
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/../io/python "$python" - <<'END' || exit 1
import os
import warnings

import drystone
import numpy

results = drystone.open("changing")
assert [frame.step for frame in results.frames] == [0, 25, 50, 75, 100], results.frames
there = [list(results.bodies(frame)["id"]) for frame in results.frames]
removed = results.removed()
assert list(removed["id"]) == [3, 4] and list(removed["name"]) == ["cubes, four"] * 2, removed
assert (abs(removed["mass"] - 2) < 1e-12).all() and (removed["z"] < -0.05).all(), removed
assert numpy.allclose(removed["time"], removed["step"] * 2e-3)
for frame, ids in zip(results.frames, there):
    expected = [0, 1, 2] + [i for i, step in zip(removed["id"], removed["step"]) if frame.step < step]
    expected += [5] if frame.step > 50 else []
    assert ids == expected, (frame.step, ids, expected)
    bodies, mesh = results.bodies(frame), results.mesh(frame)
    assert set(mesh["body"]) == set(ids) and len(mesh["facets"]) == sum(5 if i == 5 else 6 for i in ids)
    for row, i in enumerate(ids):
        first = int(bodies["first_cell"][row])
        assert mesh["body"][first] == i and (first == 0 or mesh["body"][first - 1] < i)
        corners = numpy.unique(numpy.concatenate([f for f, b in zip(mesh["facets"], mesh["body"]) if b == i]))
        assert corners[0] == bodies["first_point"][row] and len(corners) == (6 if i == 5 else 8)
        centre = mesh["points"][corners].mean(axis=0)
        assert numpy.linalg.norm(centre - bodies["position"][row]) < (0.05 if i == 5 else 1e-12), (frame.step, i)
assert there[0] == [0, 1, 2, 3, 4] and there[-1] == [0, 1, 2, 5], there
assert drystone.open("none").frames == [] and len(drystone.open("none").removed()["id"]) == 0
without = drystone.open("wall").removed()
assert list(without) == list(removed) and without["mass"].sum() == 0 and len(without["name"]) == 0

# a name may hold what Unicode counts as the end of a line
with open("changing/removed.csv", encoding="utf-8", newline="") as file:
    table = file.read()
with open("changing/removed.csv", "w", encoding="utf-8", newline="") as file:
    file.write(table.replace("cubes, four", "cubes,\u2028four\u0085"))
assert list(results.removed()["name"]) == ["cubes,\u2028four\u0085"] * 2, results.removed()["name"]

# history: a number for each step, the words of methods, a line that is still being written
history = drystone.open("wall").history()
assert list(history["step"]) == list(range(1, 41)) and numpy.allclose(history["time"], history["step"] * 1e-3)
assert (history["points"] == 1560).all() and "automatic" in history["method"]
with open("wall/history.csv", "rb+") as file:
    whole = file.read()
    file.write(b"41,0.04")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    assert list(drystone.open("wall").history()["step"]) == list(range(1, 41))
assert [str(warning.message) for warning in told] == ["wall/history.csv ends within a line, which is left out"], told
with open("wall/history.csv", "wb") as file:
    file.write(whole + b"41,0.041\n")
try:
    drystone.open("wall").history()
    raise AssertionError("a line without its fields goes unnoticed")
except drystone.DamagedError as error:
    assert "history.csv is damaged: a line has not the fields" in str(error), error
os.remove("wall/history.csv")
try:
    drystone.open("wall").history()
    raise AssertionError("a missing history goes unnoticed")
except FileNotFoundError as error:
    assert str(error) == "wall has no history.csv", error

# what an interrupted --overwrite leaves is told of
open("wall/results.overwriting", "w").close()
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    drystone.open("wall")
assert ["--overwrite began to remove" in str(warning.message) for warning in told] == [True], told
print("read frames of", [len(ids) for ids in there], "bodies")
END

# finite elements: nodes, cells and what they bear, of bodies that stay and of one that comes
cat >lintel.yaml <<'END'
units: SI
gravity: [0, 0, -10]
time: {step: 1e-3, end: 0.2}
materials:
  stone: {density: 2000, young: 1e7, poisson: 0.2, damping: 5e-3}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {box: [0.4, 0.4, 0.6], at: [-0.8, 0, 0.3], material: stone, fixed: true, name: left}
  - {box: [0.4, 0.4, 0.6], at: [0.8, 0, 0.3], material: stone, fixed: true, name: right}
  - {box: [2, 0.2, 0.2], at: [0, 0, 0.7], material: stone, elastic: {cells: [10, 1, 2]}, name: lintel}
  - {box: [0.2, 0.2, 0.2], at: [5, 0, 3], material: stone, elastic: {cells: [1, 2, 1]}, name: falls}
output: {frames: {every: 0.1}}
END
sed 's/name: falls/&, birth: 0.15/' lintel.yaml >comes.yaml
for name in lintel comes; do
  rm -rf $name
  "$tests/mpirun.sh" 3 "$1" run $name.yaml -o $name --overwrite >run.log 2>&1 || { tail -n 5 run.log; exit 1; }
done
"$1" info lintel --json >lintel.json || exit 1
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/../io/python "$python" - <<'END' || exit 1
import json

import drystone
import numpy

results = drystone.open("lintel")
found = results.elastic()
assert len(found["points"]) == 11 * 2 * 3 + 12 and found["cells"].shape == (22, 8)
assert list(found["body"]) == 20 * [2] + 2 * [3] and set(found["types"]) == {12}
corners = found["points"][found["cells"]]
edges = [corners[:, b] - corners[:, a] for a, b in ((0, 1), (0, 3), (0, 4))]
volumes = numpy.einsum("ij,ij->i", numpy.cross(edges[0], edges[1]), edges[2])
assert numpy.allclose(volumes[:20], 0.2 * 0.2 * 0.1, rtol=0.05) and numpy.allclose(volumes[20:], 0.004)
lintel = numpy.arange(len(found["points"])) < 66

# forces of nodes are those of the contacts; that which falls bears none
contacts = results.contacts()
assert numpy.allclose(found["force"][lintel].sum(axis=0), -contacts["force"].sum(axis=0), rtol=0, atol=1e-9)
assert abs(found["force"][~lintel]).max() == 0
assert numpy.allclose(found["velocity"][~lintel], [0, 0, -2], atol=1e-9)
assert abs(found["von_mises"][~lintel]).max() < 1e-6

# tension below and pressure above in the middle; invariants agree
middle = lintel & (abs(found["points"][:, 0]) < 0.01)
height, along = found["points"][middle, 2], found["stress"][middle, 0]
assert (along[height < height.mean() - 0.05] > 1e4).all() and (along[height > height.mean() + 0.05] < -1e4).all()
tensors = drystone.measures.tensors(found["stress"])
assert numpy.allclose(numpy.linalg.eigvalsh(tensors)[:, ::-1], found["principal_stress"], atol=1e-6)
spread = tensors - numpy.trace(tensors, axis1=1, axis2=2)[:, None, None] / 3 * numpy.eye(3)
assert numpy.allclose(numpy.sqrt(1.5 * (spread ** 2).sum(axis=(1, 2))), found["von_mises"], atol=1e-6)
told = json.load(open("lintel.json"))["finite_elements"]
assert (told["bodies"], told["nodes"], told["cells"]) == (2, 78, 22), told
assert told["stressed_name"] == told["displaced_name"] == "lintel" and told["stressed_body"] == 2
assert numpy.isclose(told["largest_von_mises"], found["von_mises"].max(), rtol=1e-12)
assert numpy.isclose(told["largest_displacement"],
                     numpy.linalg.norm(found["displacement"], axis=1).max(), rtol=1e-12)
assert results.units("elastic")["stress"] == "Pa"

# every frame has the cells of those that are there
changing = drystone.open("comes")
assert [len(changing.elastic(frame)["cells"]) for frame in changing.frames] == [20, 20, 22]
same = changing.elastic(1)["points"] == results.elastic(1)["points"][:66]
assert same.all() and drystone.open("wall").elastic() == {}
print("read nodes of", len(results.frames) + len(changing.frames), "frames, bending", along.max(), "Pa")
END
