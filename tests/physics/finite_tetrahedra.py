#!/usr/bin/env python3
"""Bodies of tetrahedra, of a size or those of a file, against known answers, on 1 and 3 ranks.

Their weight comes through, also where edges of bodies run across triangles, and one stress goes
through meshes that do not match. Every step is solved. Impacts explain their energy. What check
and mesh say of them is counted here anew. Cells that cannot be are refused by name.
"""
# test: needs python3 python3-h5py python3-numpy tetgen
# test: ranks 3
import json
import math
import os
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import stone, unexplained
from cases import (both, case, check, check_converged, check_near, check_same, finish, program, run,
                   write)
from finite_scenes import cells

CUBES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "case", "cubes.msh")
FLOOR = {"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True}


def size(metres):
  return {"elastic": {"size": metres}}


def told(path, *words):
  """Exit code, standard output and the message of drystone."""
  done = subprocess.run([program, *words, path], capture_output=True, text=True, check=False)
  return done.returncode, done.stdout, done.stderr


# -- weight --------------------------------------------------------------------------------------

# tetrahedra on hexahedra on tetrahedra on a floor, each smaller than what is below it and turned:
# edges run across triangles. At rest each carries what is above it.
LAYERS = (0.064 * 2000, 0.024 * 2000, 0.004 * 2000)
pile = [FLOOR, {"box": [0.4, 0.4, 0.4], "at": [0, 0, 0.2], **size(0.3)},
        {"box": [0.3, 0.2, 0.4], "at": [0.01, 0.02, 0.6], "turn": {"axis": [0, 0, 1], "angle": 11},
         **cells(2, 2, 2)},
        {"box": [0.2, 0.2, 0.1], "at": [0, 0.02, 0.85], "turn": {"axis": [0, 0, 1], "angle": 30},
         **size(0.15)}]
done = run(case(pile, materials=stone(2000, 1e8, poisson=0.2, damping=1e-3), step=5e-3, end=1.5,
                frames=1.5, friction=0.6, solver={"tolerance": 1e-11}), "pile")
check_converged("pile", done, 1e-11)
check("pile: iterations of a step, mean", done["sweeps"].mean(), "<", 60)
contacts = done.contacts()
low, normal, reaction = contacts["bodies"][:, 0], contacts["normal"], contacts["reaction"]
for body in range(3):
  up = reaction[low == body, 0] * normal[low == body, 2]
  weight = 9.81 * sum(LAYERS[body:])
  check_near(f"pile: what body {body} carries over its weight", abs(up.sum()) / 5e-3 / weight, 1,
             1e-9)

# a plate presses on two blocks of other meshes: one stress throughout. Lumped masses of tetrahedra
# are not alike, so that blocks tilt a little while the load comes on, and what that does is of the
# order of the strain, 1e-4, times the inertia.
PRESS = 1e4
ramp = [[0, 0, 0, 0]] + [[0.04 * k, 0, 0, -PRESS * math.exp((0.04 * k - 6) / 0.4)]
                         for k in range(1, 151)]
piled = [FLOOR, {"box": [1, 1, 0.5], "at": [0, 0, 0.25], **size(0.5)},
         {"box": [1, 1, 0.5], "at": [0, 0, 0.75], **cells(2, 3, 1)},
         {"box": [1.2, 1.2, 0.1], "at": [0, 0, 1.05], "name": "plate"}]
done = run(case(piled, materials=stone(2000, 1e8, damping=0.05), gravity=(0, 0, 0), end=7.0,
                step=2e-2, frames=7.0, solver={"tolerance": 1e-12}, contact={"margin": 0.01},
                loads=[{"on": "plate", "force": {"table": ramp}}]), "pressed")
check_converged("pressed", done, 1e-12)
with h5py.File(done.results.frame().path) as file:
  off = file["elastic/stress"][()] - PRESS * numpy.array([0, 0, -1, 0, 0, 0])
check("pressed: error of stress at nodes over the pressure", abs(off).max() / PRESS, "<", 5e-6)

# -- impacts -------------------------------------------------------------------------------------

# stones that fall and turn, bodies of parts and those of a file, on a floor and on each other
drawn = numpy.random.default_rng(5).normal(size=(14, 3))
drawn *= numpy.array([0.2, 0.16, 0.12]) / numpy.linalg.norm(drawn, axis=1)[:, None]
flying = [FLOOR, {"hull": drawn.tolist(), "at": [0, 0, 0.17], "spin": [1, 2, 0.5],
                  "velocity": [0, 0, -1], **size(0.15)},
          {"parts": [{"box": [0.6, 0.2, 0.2]}, {"box": [0.2, 0.2, 0.4], "at": [0.2, 0, 0.3]}],
           "at": [0, 1, 0.1], "velocity": [0, 0, -1], **size(0.2), "name": "boot"},
          {"mesh": CUBES, "at": [-2, -1.5, 0.002], "velocity": [0.1, 0, -1],
           "elastic": {"cells": "file"}, "name": "blocks"}]
done = both(case(flying, materials=stone(2000, 1e7, poisson=0.2), end=0.04, frames=0.02,
                 friction=0.3, solver={"tolerance": 1e-9}), "flying")
check_converged("flying", done, 1e-9)
energy = done["kinetic_energy"][0] + done["elastic_energy"][0]
# of bodies that turn to the second order in the step
check("flying: energy that no work explains, relative", unexplained(done) / energy, "<", 1e-5)
check("flying: elastic energy, largest, over all", done["elastic_energy"].max() / energy, ">", 0.01)
check("flying: iterations of a step, largest", done["sweeps"].max(), "<", 200)
found = done.results.elastic()
check_same("flying: cells of frames are VTK's tetrahedra",
           (set(found["types"]), (found["cells"][:, 4:] == -1).all()), ({10}, True))
corner = found["points"][found["cells"][:, :4]]
volume = numpy.linalg.det(corner[:, 1:] - corner[:, :1]) / 6
check("flying: least volume of a cell, m3", volume.min(), ">", 0)
for body, whole in ((2, 0.04), (3, 1), (4, 3)):
  check_near(f"flying: volume of body {body}", volume[found["body"] == body].sum(), whole,
             0.01 * whole)   # they are pressed together
check_same("flying: info counts cells",
           done.info("finite_elements")["cells"], len(volume))

# -- what is told --------------------------------------------------------------------------------

path = write("said", case(flying[:2] + [flying[3]], materials=stone(2000, 1e7)))
code, text, message = told(path, "check")
shapes = json.loads(told(path, "check", "--json")[1])["elements"]["shapes"]
check_same("check: bodies", [(s["name"], s["kind"], s.get("size")) for s in shapes],
           [("", "tetrahedra", 0.15), ("blocks", "tetrahedra", None),
            ("blocks", "tetrahedra", None)])
check_same("check: cells of the file", [(s["cells"], s["nodes"]) for s in shapes[1:]],
           [(6, 8), (18, 16)])
check_same("check: the file's quality", [round(s["quality"], 6) for s in shapes[1:]],
           [round(math.sqrt(0.5), 6)] * 2)
check("check: quality", shapes[0]["quality"], ">", 0.05)
check_same("check: four frequencies each", [len(s["frequencies"]) for s in shapes], [4, 4, 4])
check_same("check: text", f"1 body of {shapes[0]['cells']} tetrahedra, {shapes[0]['nodes']} nodes"
           in text, True)

# edges are about as long as was asked for
for asked in (0.2, 0.1):
  bar = write("bar", case([{"box": [0.9, 0.6, 0.5], "at": [0, 0, 1], **size(asked)}],
                          materials=stone(2000, 1e7), frames=1e-3, end=1e-3))
  found = run(json.load(open(bar, encoding="utf-8")), "bar").results.elastic(0)
  corner = found["points"][found["cells"][:, :4]]
  edges = [numpy.linalg.norm(corner[:, i] - corner[:, j], axis=1)
           for i in range(4) for j in range(i)]
  check_near(f"bar of {asked} m: mean length of edges over that", numpy.mean(edges) / asked, 1, 0.2)

mesh = told(CUBES, "mesh", "--cells", "file")[1]
check_same("mesh: cells of the file", ("6 cells, 8 nodes; the worst is cell 0, quality 0.7" in mesh,
                                       "18 cells, 16 nodes" in mesh), (True, True))
bodies = json.loads(told(CUBES, "mesh", "--size", "0.5", "--json")[1])["bodies"]
check_same("mesh: of a size", [body["elements"]["cells"] > 50 for body in bodies], [True, True])
check_same("mesh: one kind", told(CUBES, "mesh", "--size", "1", "--cells", "2,2,2")[0], 2)
check_same("mesh: too small a size",
           "elements    none: about" in told(CUBES, "mesh", "--size", "1e-3")[1], True)

# -- refused -------------------------------------------------------------------------------------

with open("flat.node", "w", encoding="utf-8") as file:
  file.write("5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .3 .3 -1e-6\n")
with open("flat.ele", "w", encoding="utf-8") as file:
  file.write("2 4 0\n1 1 2 3 4\n2 1 3 2 5\n")
BOX = {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block"}
REFUSED = (
  ("small", {**BOX, **size(1e-6)},
   "body 'block': elastic.size: about 1.1e+19 cells of 1e-06 m in 1 m3, and a body has 100000 at "
   "most: sizes from 0.0484 m on do"),
  ("round", {"sphere": {"radius": 1}, **size(0.2)}, "elastic.size: a round body has no sides"),
  ("flat", {"mesh": "flat.ele", "name": "thin", "elastic": {"cells": "file"}},
   "body 'thin': elastic.cells: cell 1, at ("),
  ("gone", {"mesh": "gone.ele", "elastic": {"cells": "file"}}, "gone.ele"),
  ("program", {**BOX, **size(0.5)}, "body 'block': elastic.size: a block cannot be meshed by "
   "'./nowhere': there is no such program; install the Debian package tetgen"),
  ("failing", {**BOX, **size(0.5)}, "cannot be meshed by './failing': it failed with exit code 3"),
)
with open("failing", "w", encoding="utf-8") as file:
  file.write("#!/bin/sh\nexit 3\n")
os.chmod("failing", 0o755)
for name, body, expected in REFUSED:
  path = write(name, case([FLOOR, body], materials=stone(2000, 1e8)))
  if name in ("program", "failing"):
    os.environ["DRYSTONE_TETGEN"] = "./nowhere" if name == "program" else "./failing"
  code, text, message = told(path, "check")
  os.environ.pop("DRYSTONE_TETGEN", None)
  check_same(f"refused: {name}: {message.strip()[-160:]}",
             (code, expected in message, message.count("\n"), f"{name}.yaml:" in message),
             (2, True, 1, True))

# a restart by a program that makes other cells
with open("other", "w", encoding="utf-8") as file:
  file.write('#!/bin/sh\nexec tetgen "$(echo "$1" | sed s/q2/q1.2/)" "$2"\n')
os.chmod("other", 0o755)
stands = case([FLOOR, {**BOX, **size(0.5)}], materials=stone(2000, 1e8), end=0.004)
first = run(stands, "stands", options=("--steps", "2"))
os.environ["DRYSTONE_TETGEN"] = os.path.abspath("other")
run(stands, "stands", options=("--restart",), codes=(2,))
os.environ.pop("DRYSTONE_TETGEN")
with open("stands.log", encoding="utf-8") as log:
  said = log.read()
check_same("restart with other cells",
           ("bodies.1.elastic" in said, "other cells or pieces" in said), (True, True))
run(stands, "stands", options=("--restart",))
finish()
