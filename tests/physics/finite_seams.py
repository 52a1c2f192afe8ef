#!/usr/bin/env python3
"""Bodies in pieces that touch others, against the same bodies whole, on 1 and 3 ranks.

Points on seams hold the place for all pieces there, so that steps converge as those of whole bodies
do, wherever seams of both lie. Stress passes through joints whose seams cross. What slides over a
seam does not feel it. Mortar between pieces parts where that between whole bodies does.
"""
# test: needs python3 python3-h5py python3-numpy tetgen
# test: ranks 3
# test: timeout 900
import os
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import stone
from cases import both, case, check, check_converged, check_near, finish
from gmsh_files import grid, write_mesh


def block(size, cells, most, **more):
  return {"box": size, "elastic": {"cells": cells, "most_nodes": most}, **more}


# -- two stones on a floor -------------------------------------------------------------------------

FLOOR = {"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True}
SIZE = [1.2, 1.0, 0.5]


def stacked(name, young, lower, upper, steps=8):
  """The most iterations of a step."""
  done = both(case([FLOOR, {"at": [0, 0, 0.25], "name": "lower", **lower},
                    {"name": "upper", **upper}],
                   materials=stone(2400, young, poisson=0.2, damping=1e-5), friction=0.6,
                   end=1e-3 * steps, solver={"tolerance": 1e-6}), name)
  check_converged(name, done, 1e-6)
  return done["sweeps"].max()


def placed(x, y, turn=0.0):
  return {"at": [x, y, 0.75], "turn": {"axis": [0, 0, 1], "angle": turn}}


write_mesh("stone.msh", *grid((6, 5, 3), (-0.6, -0.5, -0.25), (0.6, 0.5, 0.25)))
filed = {"mesh": "stone.msh", "elastic": {"cells": "file", "most_nodes": 80}}
few = block(SIZE, [6, 5, 3], 80)
many = block(SIZE, [12, 10, 5], 250)
for name, young, lower, upper in (
    ("aligned", 1e8, few, {**few, **placed(0, 0)}),
    ("hardly aside", 1e10, few, {**few, **placed(1e-3, 0)}),
    ("aside", 1e8, few, {**few, **placed(-0.05, 0.04)}),
    ("across", 1e8, few, {**block(SIZE, [5, 4, 2], 60), **placed(0.13, 0.07)}),
    ("turned", 1e10, few, {**few, **placed(-0.2, 0.03, -10)}),
    ("of a file", 1e9, filed, {**filed, **placed(0.1, 0.05)}),
    ("of a file on counts", 1e9, few, {**filed, **placed(-0.03, 0.07, 20)})):
  check(f"{name}, {young:g} Pa: most iterations of a step",
        stacked(name.replace(" ", "_"), young, lower, upper), "<=", 300)
check("250 nodes: most iterations of a step",
      stacked("many", 1e9, many, {**many, **placed(-0.038, 0.036)}, 3), "<=", 100)

# at rest they weigh and deform as whole ones do
found = {}
for name, most in (("whole", 1000), ("pieces", 80)):
  soft = block(SIZE, [6, 5, 3], most)
  found[name] = both(case([FLOOR, {"at": [0, 0, 0.25], **soft}, {**soft, **placed(0.13, 0.07)}],
                          materials=stone(2400, 1e7, poisson=0.2, damping=5e-2), friction=0.6,
                          step=5e-3, end=1.0, frames=1.0, solver={"tolerance": 1e-6}),
                     f"rest_{name}")
  check_converged(f"rest {name}", found[name], 1e-6)
energy = found["whole"]["elastic_energy"][-1]
check_near("rest: elastic energy of pieces, J", found["pieces"]["elastic_energy"][-1], energy,
           1e-2 * energy)
for name, done in found.items():
  touching = done.contacts()
  force = sum(row[2] for pair, row in zip(touching["bodies"], touching["force"]) if pair[0] == 0)
  check_near(f"rest, {name}: force on the floor, N", abs(force), 2 * 2400 * 0.6 * 9.81, 3)

# -- one stress through seams that cross -----------------------------------------------------------

PRESS = 1.0   # strains of 1e-6
ends = [{"pressure": {"table": [[0, 0], [0.5, PRESS], [9, PRESS]]}, "on": on,
         "faces": {"direction": [0, 0, way]}} for on, way in (("upper", 1), ("lower", -1))]


def pressed(name, lower, upper):
  """The largest error of stress over the pressure: cells and nodes of a piece of two cubes."""
  cubes = [{**block([0.4, 0.4, 0.4], *of), "at": [0, 0, z], "name": where}
           for of, z, where in ((lower, -0.2, "lower"), (upper, 0.2, "upper"))]
  squeezed = both(case(cubes, materials=stone(2000, 1e6, damping=1e-2), gravity=(0, 0, 0),
                       friction=0, step=2e-2, end=4.0, frames=4.0, loads=ends,
                       solver={"tolerance": 1e-12, "correction": 0}), name)
  check_converged(name, squeezed, 1e-12)
  with h5py.File(squeezed.results.frame().path) as file:
    return abs(file["elastic/stress"][()] / PRESS + [0, 0, 1, 0, 0, 0]).max()


check("pressed: error of stress over the pressure, one seam",
      pressed("one_seam", ([5, 2, 2], 30), ([6, 3, 2], 1000)), "<", 1e-7)
check("pressed: error of stress over the pressure, seams that cross",
      pressed("crossing", ([3, 3, 2], 30), ([8, 8, 2], 80)), "<", 1e-7)
# where they cross within a cell areas are kept, and moments are not
check("pressed: error of stress over the pressure, seams that cross twice in a cell",
      pressed("within", ([5, 5, 2], 40), ([6, 4, 2], 50)), "<", 1e-2)

# -- over seams without friction -------------------------------------------------------------------

slab = {**block([2.4, 0.4, 0.2], [24, 4, 2], 60), "at": [0, 0, -0.1], "name": "slab"}
for name, cells in (("rigid", None), ("soft", [3, 2, 2])):
  slider = {"box": [0.3, 0.2, 0.2], "at": [-0.5, 0.03, 0.1], "velocity": [4, 0, 0], "name": name}
  if cells: slider["elastic"] = {"cells": cells, "most_nodes": 20}
  done = both(case([FLOOR | {"at": [0, 0, -0.7]}, slab, slider],
                   materials=stone(2400, 1e9, poisson=0.2, damping=1e-4), friction=0, end=0.2,
                   frames=0.2, solver={"tolerance": 1e-6}), f"sliding_{name}")
  check_converged(f"sliding {name}", done, 1e-6)
  speeds = done.bodies()["velocity"][:, 0]
  check(f"sliding {name}: largest change of speed over it",
        abs(speeds[speeds > 1] / 4 - 1).max(), "<", 1e-5)

# -- mortar between pieces -------------------------------------------------------------------------

PULL = 1e5
for name, most in (("whole", 1000), ("pieces", 40)):
  lower = {**block([0.4, 0.4, 0.4], [4, 4, 2], most), "at": [0, 0, -0.2], "name": "lower"}
  upper = {**block([0.4, 0.4, 0.4], [4, 4, 2], most), "at": [0.1, 0, 0.2], "name": "upper"}
  apart = [{"pressure": {"table": [[0, 0], [1, -1.5 * PULL], [9, -1.5 * PULL]]}, "on": on,
            "faces": {"direction": [0, 0, way]}} for on, way in (("upper", 1), ("lower", -1))]
  found[name] = both(case([lower, upper], materials=stone(2000, 1e7, damping=0.2),
                          gravity=(0, 0, 0), step=1e-2, end=1.2, loads=apart,
                          contacts=[{"between": ["stone", "stone"], "friction": 0.5,
                                     "bond": {"cohesion": 10 * PULL, "tensile_strength": PULL}}],
                          solver={"tolerance": 1e-7}), f"mortar_{name}")
  check_converged(f"mortar {name}", found[name], 1e-7)
  check(f"mortar {name}: points that part", found[name]["broken_tension"].sum(), ">=", 4)
first = {name: numpy.nonzero(found[name]["broken_tension"])[0][0] for name in ("whole", "pieces")}
check_near("mortar: the step in which the first points part", first["pieces"], first["whole"], 2)
check("mortar: pieces", found["pieces"]["bodies"][-1], ">=", 8)
finish()
