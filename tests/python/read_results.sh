#!/bin/bash
# The Python reader opens a run; what it finds is consistent with the physics: weights, momenta, geometry.
# test: slow
# test: ranks 3
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
"$tests/mpirun.sh" 3 "$1" run "$tests/../jobs/wall/wall.yaml" -o wall --overwrite --steps 40 \
  --set output.frames.every=0.02 >run.log 2>&1 || { tail -n 5 run.log; exit 1; }

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/../io/python "$python" - <<'END'
import drystone
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
print("read", len(results.frames), "frames, area", beds, "m2, weight", weight, "N s")
END
