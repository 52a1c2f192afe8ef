#!/usr/bin/env python3
"""Joints and mortar between bodies of finite elements, against known answers, on 1 and 3 ranks.

A bar that is held at its foot bends as a beam does. Joints and mortar keep momenta and explain
their energy. Places within a body are held where they are. Mortar breaks under its load, and lets
a uniform pull through meshes that do not match.
"""
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
import os
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import G, drift, stone, unexplained
from cases import both, case, check, check_converged, check_near, check_same, finish, run
from finite_scenes import cells

# a cantilever under its own weight, damped to rest: the middle of its end sinks by what a beam of
# Timoshenko does, and the joints carry weight and moment
LENGTH, SIDE, YOUNG, DENSITY = 1.0, 0.2, 1e8, 2000.0
held = [{"ball": [0, y, z], "between": ["bar"]} for y in (-0.1, 0, 0.1) for z in (-0.1, 0, 0.1)]
bar = {"box": [LENGTH, SIDE, SIDE], "at": [LENGTH / 2, 0, 0], "name": "bar", **cells(8, 2, 2)}
done = both(case([bar], materials=stone(DENSITY, YOUNG, damping=0.044), step=4e-3, end=0.48,
                 frames=0.48, solver={"tolerance": 1e-8}, joints=held), "cantilever")
load = DENSITY * G * SIDE ** 2
bending = load * LENGTH ** 4 / (8 * YOUNG * SIDE ** 4 / 12)
shear = load * LENGTH ** 2 / (2 * 5 / 6 * YOUNG / 2 * SIDE ** 2)
with h5py.File(done.results.frames[0].path) as file:
  before = file["elastic/points"][()]
with h5py.File(done.results.frame().path) as file:
  after = file["elastic/points"][()]
  reaction, place = file["joints/reaction"][()], file["joints/place"][()]
tip = before[:, 0] > LENGTH - 1e-6
check_near("cantilever: its end sinks, m", (before - after)[tip, 2].mean(), bending + shear,
           0.02 * (bending + shear))
weight = load * LENGTH
forces = reaction / 4e-3
check_near("cantilever: weight on its joints, N", forces[:, 2].sum(), weight, 1e-4 * weight)
turn = numpy.cross(place, forces).sum(axis=0)
check_near("cantilever: moment on them, N m", turn[1], -weight * LENGTH / 2, 2e-3 * weight * LENGTH)

# a chain that flies: bodies of all kinds by a ball in the middle of bodies, a hinge at a face, a
# rod and a spring between places beside nodes
soft = stone(2000, 1e8, poisson=0.2, damping=1e-5)
chain = [{"box": [1, 0.3, 0.3], "at": [0, 0, 0], "velocity": [0, 1, 0], "spin": [0.2, 0.5, 0.3],
          "name": "a", **cells(4, 2, 2)},
         {"box": [1, 0.3, 0.3], "at": [1.1, 0, 0], "name": "b", "elastic": "affine"},
         {"box": [1, 0.3, 0.3], "at": [2.2, 0, 0], "velocity": [0, 0, 1], "name": "c",
          **cells(3, 1, 1)},
         {"box": [1, 0.3, 0.3], "at": [3.3, 0, 0], "name": "d", **cells(2, 2, 2)},
         {"box": [1, 0.3, 0.3], "at": [4.4, 0, 0], "name": "e"}]
links = [{"ball": [0.2, 0.05, 0.02], "between": ["a", "b"], "touch": False},
         {"rod": [[1.45, 0.1, 0.03], [1.85, -0.05, 0.07]], "between": ["b", "c"]},
         {"hinge": [2.75, 0, 0], "axis": [0, 1, 0], "between": ["c", "d"], "touch": False},
         {"spring": [[3.7, 0.12, 0.04], [4.0, 0, 0.15]], "between": ["d", "e"], "stiffness": 1e6,
          "damping": 100}]
done = both(case(chain, materials=soft, gravity=(0, 0, 0), end=0.1, joints=links,
                 solver={"tolerance": 1e-8, "correction": 0}), "chain")
# scales: sum of the bodies' |m v| and |L|, N s and N m s
check("chain: momentum, largest change", drift(done, "momentum") / 360, "<", 1e-12)
check("chain: angular momentum, largest change", drift(done, "angular_momentum") / 400, "<", 1e-12)
check("chain: elastic energy, largest, J", done["elastic_energy"].max(), ">", 1)
check("chain: places that joints hold part, m", done["joint_separation"][-1], "<", 1e-5)

# along a line, nothing turns: joints that hold, give, damp and yield
LINKS = {"rod": {}, "spring": {"stiffness": 1e6, "damping": 100},
         "tie": {"stiffness": 1e6, "pretension": 500, "yield": {"tension": 2000}}}
train = [{"box": [1, 0.2, 0.2], "name": "head", **cells(5, 2, 2)},
         {"box": [1, 0.2, 0.2], "at": [1.2, 0, 0], "name": "b", "velocity": [1, 0, 0],
          **cells(3, 1, 1)},
         {"box": [1, 0.2, 0.2], "at": [2.4, 0, 0], "name": "c", "elastic": "affine"},
         {"box": [1, 0.2, 0.2], "at": [3.6, 0, 0], "name": "d", "velocity": [0.5, 0, 0]}]
pulled = [{kind: [[0.43 + 1.2 * i, 0, 0], [0.8 + 1.2 * i, 0, 0]], "between": names, **more}
          for i, (names, (kind, more)) in enumerate(zip((["head", "b"], ["b", "c"], ["c", "d"]),
                                                        LINKS.items()))]
done = both(case(train, materials=soft, gravity=(0, 0, 0), end=0.05, joints=pulled,
                 solver={"tolerance": 1e-12, "correction": 0}), "train")
energy = done["kinetic_energy"][0]
check("train: energy that no work explains, relative", unexplained(done) / energy, "<", 1e-10)
check("train: momentum, largest change", drift(done, "momentum") / 160, "<", 1e-12)
for part in ("joint_damping", "joint_yielding"):
  check(f"train: {part}, J", done[part].sum(), ">", 0.01)

# mortar between meshes that do not match, which a moving block pulls, and breaks where it is weak
glued = [{"box": [0.4, 0.2, 0.2], "at": [0, 0, 0], "velocity": [-0.5, 0, 0], **cells(3, 2, 2)},
         {"box": [0.5, 0.2, 0.2], "at": [0.45, 0, 0], **cells(4, 1, 3)},
         {"box": [0.4, 0.2, 0.2], "at": [0.9, 0, 0], "elastic": "affine"},
         {"box": [0.4, 0.2, 0.2], "at": [1.3, 0, 0]}]
done = {}
for name, strength in (("holds", 1e9), ("breaks", 1e5)):
  described = case(glued, materials=soft, gravity=(0, 0, 0), end=0.02,
                   solver={"tolerance": 1e-12, "correction": 0})
  described["contacts"][0]["bond"] = {"cohesion": strength, "tensile_strength": strength}
  done[name] = both(described, f"mortar_{name}")
  check(f"mortar {name}: energy that no work explains, relative",
        unexplained(done[name]) / done[name]["kinetic_energy"][0], "<", 1e-10)
  check(f"mortar {name}: momentum, largest change", drift(done[name], "momentum") / 16, "<", 1e-12)
check_same("mortar holds: points that broke", done["holds"]["broken_tension"].sum(), 0)
check_same("mortar holds: no correction", done["holds"]["correction_sweeps"].max(), 0)
check("mortar breaks: points that broke", done["breaks"]["broken_tension"].sum(), ">=", 8)

# mortar between blocks that turn and bend: energy stays what works say, however long, to the square
# of strains
spun = [{"box": [0.4, 0.2, 0.2], "at": [0, 0, 0], "velocity": [0, 1, 0], **cells(3, 2, 2)},
        {"box": [0.5, 0.2, 0.2], "at": [0.45, 0.03, 0], **cells(4, 1, 3)}]
described = case(spun, materials=stone(2000, 1e8, poisson=0.2), gravity=(0, 0, 0), end=0.2,
                 solver={"tolerance": 1e-10, "correction": 0})
described["contacts"][0]["bond"] = {"cohesion": 1e9, "tensile_strength": 1e9}
done = run(described, "spun")
work = done["contact_work"] + done["scheme_work"]
energy = done["kinetic_energy"] + done["elastic_energy"]
check("spun: energy that no work explains in 200 steps, relative",
      abs(energy - energy[0] - numpy.cumsum(work) + work[0]).max() / energy[0], "<", 5e-4)
check("spun: elastic energy, largest, J", done["elastic_energy"].max(), ">", 0.5)
check("spun: angular momentum, largest change", drift(done, "angular_momentum") / 3, "<", 1e-12)

# a column in mortar is pulled at a plate: one stress throughout, and what holds less breaks there
PULL = 1e4
ramp = [[0, 0, 0, 0], [0.5, 0, 0, PULL], [8, 0, 0, PULL], [9, 0, 0, 2 * PULL]]
column = [{"box": [1, 1, 0.2], "at": [0, 0, -0.1], "fixed": True},
          {"box": [1, 1, 0.5], "at": [0, 0, 0.25], **cells(3, 3, 2)},
          {"box": [1, 1, 0.5], "at": [0, 0, 0.75], **cells(4, 2, 1)},
          {"box": [1, 1, 0.1], "at": [0, 0, 1.05], "name": "plate"}]
described = case(column, materials=stone(2000, 1e6, damping=0.5), gravity=(0, 0, 0), step=5e-2,
                 end=9.0, frames=8.0, solver={"tolerance": 1e-12}, contact={"margin": 0.01},
                 loads=[{"on": "plate", "force": {"table": ramp}}])
described["contacts"][0]["bond"] = {"cohesion": 1e6, "tensile_strength": 1.5 * PULL}
done = both(described, "pulled")
check_converged("pulled", done, 1e-12)
with h5py.File([frame for frame in done.results.frames if frame.step == 160][0].path) as file:
  stress = file["elastic/stress"][()]
off = stress - PULL * numpy.array([0, 0, 1, 0, 0, 0])
check("pulled: error of stress at nodes over the pull", abs(off).max() / PULL, "<", 1e-6)
broken = numpy.nonzero(done["broken_tension"])[0]
check("pulled: mortar breaks, s", 5e-2 * (broken[0] + 1), ">", 8.5)
check("pulled: mortar breaks, s", 5e-2 * (broken[0] + 1), "<", 8.7)
finish()
