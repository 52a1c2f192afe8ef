#!/usr/bin/env python3
"""Bodies of the hexahedra of their file in pieces, against the same bodies whole, the same by
counts in pieces, and known answers, on 1 and 3 ranks.

A beam in pieces is the beam by counts in pieces. Distorted cells carry one stress through cuts,
which need not be plane. Pieces of a body that turns turn with it. Welds with strengths crack.
"""
# test: needs python3 python3-h5py python3-numpy tetgen
# test: ranks 3
# test: timeout 600
import json
import os
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import drift, stone
from cases import (both, case, check, check_converged, check_near, check_same, finish, program, run,
                   write)
from gmsh_files import grid, inner, write_mesh

drawn = numpy.random.default_rng(5)


def filed(mesh, most, **more):
  return {"mesh": mesh, "elastic": {"cells": "file", "most_nodes": most, **more}}


def nodes_of(done):
  """Places and stress of nodes in the last frame."""
  with h5py.File(done.results.frame().path) as file:
    return file["elastic/points"][()], file["elastic/stress"][()]


def check_json(path):
  told = subprocess.run([program, "check", path, "--json"], capture_output=True, text=True,
                        check=True).stdout
  return json.loads(told)


# -- a beam on two stones --------------------------------------------------------------------------

nodes, cells = grid((24, 1, 3), (-1.2, -0.2, -0.1), (1.2, 0.2, 0.1))
write_mesh("beam.msh", nodes, cells)
stones = [{"box": [0.2, 0.4, 0.2], "at": [x, 0, 0.1], "fixed": True} for x in (-1.1, 1.1)]
found = {}
for name, body in (("whole", filed("beam.msh", 1000)), ("file", filed("beam.msh", 40)),
                   ("counts", {"box": [2.4, 0.4, 0.2],
                               "elastic": {"cells": [24, 1, 3], "most_nodes": 40}})):
  done = both(case([*stones, {**body, "at": [0, 0, 0.3], "name": "beam"}],
                   materials=stone(2500, 5e9, poisson=0.2, damping=2e-2), gravity=(0, 0, 0),
                   step=5e-3, end=0.4, friction=0, solver={"tolerance": 1e-8},
                   loads=[{"on": "beam", "pressure": 5e3, "faces": {"direction": [0, 0, 1]}}],
                   output={"frames": {"every": 0.4},
                           "probes": [{"name": "middle",
                                       "displacement": {"of": "beam", "at": [0, 0, 0.2]}}]}),
              f"beam_{name}")
  check_converged(f"beam {name}", done, 1e-8)
  with open(os.path.join(f"beam_{name}.1", "probes.csv"), encoding="utf-8") as file:
    rows = file.read().split()
  sinks = float(rows[-1].split(",")[rows[0].split(",").index("middle_z")])
  found[name] = (done["elastic_energy"][-1], sinks, done["bodies"][-1])
check_same("beam: bodies", [found[name][2] for name in ("whole", "file", "counts")], [1, 8, 8])
energy, sinks, bodies = found["whole"]
check_near("beam in pieces: elastic energy, J", found["file"][0], energy, 1e-3 * energy)
check_near("beam in pieces: deflection, m", found["file"][1], sinks, -2e-2 * sinks)
check_near("beam in pieces: elastic energy by counts, J", found["file"][0], found["counts"][0],
           1e-5 * energy)
check_near("beam in pieces: deflection by counts, m", found["file"][1], found["counts"][1],
           -1e-5 * sinks)

# -- one stress through cuts -----------------------------------------------------------------------

PRESS = 1.0   # strains of 1e-6
calm = stone(2000, 1e6, poisson=0.2, damping=1e-2)


def pressed(name, mesh, most, press=PRESS):
  """The largest error of stress at nodes over the pressure, and the stress over it."""
  ends = [{"pressure": {"table": [[0, 0], [0.5, press], [9, press]]}, "on": "block",
           "faces": {"direction": [0, 0, way]}} for way in (1, -1)]
  result = both(case([{**filed(mesh, most), "name": "block"}], materials=calm, gravity=(0, 0, 0),
                     step=2e-2, end=5.0, frames=5.0, loads=ends,
                     solver={"tolerance": 1e-12, "correction": 0}), name)
  check_converged(name, result, 1e-12)
  tensors = nodes_of(result)[1] / press
  return abs(tensors + [0, 0, 1, 0, 0, 0]).max(), tensors


# nodes within are anywhere but for cuts, which stay plane; two planes of symmetry, so that frames
# of pieces do not turn
corner, hexahedra = grid((4, 4, 8), (-0.2, -0.2, -0.8), (0.2, 0.2, 0.8))
within = inner(corner)
row = {tuple(numpy.round(p, 6) + 0.0): i for i, p in enumerate(corner)}
moves = drawn.uniform(-0.02, 0.02, corner.shape)
moves[abs(numpy.round(corner[:, 2] / 0.4) * 0.4 - corner[:, 2]) < 1e-9, 2] = 0
twins = [row[tuple(numpy.round(p, 6) + 0.0)] for p in abs(corner) * [1, 1, 0] + corner * [0, 0, 1]]
signs = numpy.c_[numpy.sign(numpy.round(corner[:, :2], 6)), numpy.ones(len(corner))]
corner[within] += (moves[twins] * signs)[within]
write_mesh("mirrored.msh", corner, hexahedra)
check("pressed, symmetric: error of stress over the pressure",
      pressed("mirrored", "mirrored.msh", 80)[0], "<", 1e-10)

# nodes within are anywhere, and so are cuts, also where four and eight pieces meet; frames turn
# with strains, and what they turn by is an error that goes with these
corner, hexahedra = grid((4, 4, 7), (-0.2, -0.2, -0.4), (0.2, 0.2, 0.4))
within = inner(corner)
corner[within] += drawn.uniform(-0.02, 0.02, (within.sum(), 3))
write_mesh("distorted.msh", corner, hexahedra)
once, tensors = pressed("distorted", "distorted.msh", 50)
twice, tensors_of_twice = pressed("doubled", "distorted.msh", 50, 2 * PRESS)
check("pressed, distorted: error of stress over the pressure", once, "<", 0.1 * PRESS / 1e6)
check_near("pressed, distorted: that of twice the pressure over it", twice / once, 2, 0.1)
check("pressed, distorted: error without what goes with strains",
      abs(2 * tensors - tensors_of_twice + [0, 0, 1, 0, 0, 0]).max(), "<", 2e-9)
shapes = check_json("distorted.yaml")["elements"]["shapes"]
check_same("distorted: pieces, cells", ({one["pieces"] for one in shapes},
                                        sum(one["cells"] for one in shapes)), ({8}, 112))

# -- a side that is a cut below and outside above --------------------------------------------------

corner, hexahedra = grid((6, 2, 6), (0, 0, 0), (0.6, 0.2, 0.6))
boot = hexahedra[[i for i in range(72) if not (i % 6 > 1 and i // 12 > 1)]]   # an L
write_mesh("boot.msh", corner, boot)
pushed = [{"pressure": 1e3, "on": "boot", "faces": {"direction": [1, 0, 0]}}]
for name, most in (("whole", 1000), ("pieces", 70)):
  done = both(case([{**filed("boot.msh", most), "name": "boot"}],
                   materials=stone(2000, 1e7, poisson=0.2), gravity=(0, 0, 0), end=0.02,
                   loads=pushed, solver={"tolerance": 1e-12, "correction": 0}), f"boot_{name}")
  check_near(f"boot {name}: momentum, N s", done["momentum_x"][-1], -1e3 * 0.12 * 0.02, 1e-6)
  # of the first step, before anything turns
  check_near(f"boot {name}: angular momentum, N m s", done["angular_momentum_y"][0], -0.036, 1e-12)
check_same("boot: pieces",
           [one["pieces"] for one in check_json("boot_pieces.yaml")["elements"]["shapes"]], [2, 2])

# -- a body that turns -----------------------------------------------------------------------------

write_mesh("bar.msh", *grid((12, 2, 2), (-0.6, -0.1, -0.1), (0.6, 0.1, 0.1)))
turning = {"velocity": [0, 1, 0.2], "spin": [1, 2, 3], "name": "bar"}
for name, most in (("whole", 1000), ("pieces", 40)):
  done = both(case([{**filed("bar.msh", most), **turning}],
                   materials=stone(2000, 1e8, poisson=0.2), gravity=(0, 0, 0), end=0.1,
                   solver={"tolerance": 1e-10, "correction": 0}), f"turning_{name}")
  found[name] = {of: numpy.array([done[f"{of}_{axis}"][-1] for axis in "xyz"])
                 for of in ("momentum", "angular_momentum")}
  found[name]["energy"] = done["kinetic_energy"] + done["elastic_energy"]
  check(f"turning {name}: momentum, largest change", drift(done, "momentum") / 100, "<", 1e-12)
  check(f"turning {name}: angular momentum, largest change",
        drift(done, "angular_momentum") / 40, "<", 1e-12)
for of in ("momentum", "angular_momentum"):
  check(f"turning: {of} of pieces off that of the whole",
        abs(found["pieces"][of] - found["whole"][of]).max() / abs(found["whole"][of]).max(), "<",
        1e-9)
check("turning: energy of pieces off that of the whole, relative",
      abs(found["pieces"]["energy"] / found["whole"]["energy"] - 1).max(), "<", 1e-3)

# -- another number of ranks after a restart -------------------------------------------------------

thrown = case([*stones, {**filed("beam.msh", 40), "at": [0, 0, 0.302], "velocity": [0, 0, -1],
                         "name": "beam"}],
              materials=stone(2500, 1e8, poisson=0.2), step=1e-3, end=0.04, friction=0.3,
              solver={"tolerance": 1e-9})
straight = run(thrown, "thrown")
run(thrown, "again", 3, ("--steps", "20"), case_name="thrown")
again = run(thrown, "again", 1, ("--restart",), case_name="thrown")
check_same("thrown: the hash after a restart on another number of ranks", again.hash, straight.hash)

# other places of nodes are other cuts: the same cells in other pieces
nodes, cells = grid((6, 2, 4), (-0.3, -0.1, -0.2), (0.3, 0.1, 0.2))
moved = case([{**filed("moved.msh", 40), "at": [0, 0, 5], "name": "block"}],
             materials=stone(2000, 1e8), step=1e-3, end=0.01)
write_mesh("moved.msh", nodes, cells)
run(moved, "moved", 1, ("--steps", "3"))
for name, scale, code in (("little", (1.001, 1, 1), 0), ("far", (0.4, 1, 2), 2)):
  write_mesh("moved.msh", nodes * scale, cells)
  told = subprocess.run([program, "run", "moved.yaml", "-o", "moved", "--restart", "--steps", "1",
                         "--allow", "bodies.0.mesh"], capture_output=True, text=True, check=False)
  check_same(f"moved {name}: exit code of a restart that may have other places", told.returncode,
             code)

# -- welds with strengths --------------------------------------------------------------------------

PULL = 1e5
write_mesh("rod.msh", *grid((2, 2, 10), (-0.1, -0.1, -0.5), (0.1, 0.1, 0.5)))
rod = {**filed("rod.msh", 40, weld={"cohesion": 10 * PULL, "tensile_strength": PULL}),
       "at": [0, 0, -0.5], "name": "rod"}
joints = [{"ball": [x, y, 0], "between": ["rod", "space"]}
          for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
pulled = {"on": "rod", "pressure": {"table": [[0, 0], [1, -1.5 * PULL], [9, -1.5 * PULL]]},
          "faces": {"direction": [0, 0, -1]}}
hung = case([rod], materials=stone(2000, 1e7, damping=0.2), gravity=(0, 0, 0), step=1e-2, end=0.9,
            joints=joints, loads=[pulled], solver={"tolerance": 1e-8})
done = both(hung, "hung")
broken = numpy.nonzero(done["broken_tension"])[0]
check("hung: points that part", done["broken_tension"].sum(), ">=", 9)
check_near("hung: parts when the pull is the strength, s", 1e-2 * (broken[0] + 1), 2 / 3, 0.03)
check("hung: momentum of what is below, N s", abs(done["momentum_z"][-1]), ">", 1)

# -- names, counts, refusals -----------------------------------------------------------------------

values = check_json(write("named", hung))
check_same("named: pieces", {(one["name"], one["pieces"]) for one in values["elements"]["shapes"]},
           {("rod", 4)})
tetrahedra = [c[[0, 1, 2, 5]] for c in grid((1, 1, 1), (0, 0, 0), (1, 1, 1))[1]]
write_mesh("cubes.msh", grid((1, 1, 1), (0, 0, 0), (1, 1, 1))[0], tetrahedra, kind=4)
FEW = {"cohesion": 1, "tensile_strength": 1}
for name, body, more, message in (
    ("tetrahedra", filed("cubes.msh", 100), {},
     "bodies of hexahedra alone are cut into pieces, and the file has tetrahedra"),
    ("one", filed("bar.msh", 1000, weld=FEW), {},
     "its 117 nodes are one piece, and nothing is welded: lower 'most_nodes'"),
    ("apart", {**filed("bar.msh", 40), "where": [{"number": 0}]}, {},
     "bodies of an entry with 'where' stay whole"),
    ("weak", filed("bar.msh", 40, weld={"cohesion": 1e5, "tensile_strength": 1e6}), {},
     "there would be no strength in shear"),
    ("force", filed("bar.msh", 40), {"loads": [{"on": "block", "force": [0, 0, 1]}]},
     "each would have all of it: name one, as 'block.0', or give 'per'"),
    ("opening", filed("bar.msh", 40),
     {"output": {"probes": [{"name": "it", "opening": {"between": ["block", "other"]}}]}},
     "'block' is in 4 pieces (elastic.most_nodes), and one is asked for")):
  other = {"box": [1, 1, 1], "at": [0, 0, 5], "name": "other"}
  path = write(f"no_{name}", case([{**body, "name": "block"}, other],
                                  materials=stone(2000, 1e8), **more))
  said = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
  check_same(f"refused, {name}: exit code", said.returncode, 2)
  check_same(f"refused, {name}: '{message}' is said", message in said.stderr or said.stderr, True)
finish()
