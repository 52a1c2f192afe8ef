#!/usr/bin/env python3
"""Elastic bodies held at faces, against known answers, on 1 and 3 ranks.

A column held at its foot, a held plate under pressure, blocks that rest on an elastic foundation,
foundations that the case shakes and turns. What the faces bear is told, momentum goes into the
ground, and energy is explained. Foundations are the same bodies on any number of ranks.
"""
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
import os
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import G, stone
from cases import both, case, check, check_converged, check_near, check_same, finish


def founded(*counts, held="-z"):
  return {"elastic": {"cells": list(counts), "held": held}}


def unexplained(done):
  """Energy of a step that no work explains, J."""
  work = sum(done[name] for name in ("load_work", "contact_work", "damping_work", "scheme_work",
                                     "prescribed_work"))
  return abs(numpy.diff(done["kinetic_energy"] + done["elastic_energy"]) - work[1:]).max()


def nodes_of(done, body):
  """Places without displacements and displacements of the nodes of a body, world axes."""
  with h5py.File(done.results.frame().path) as file:
    of = file["nodes/body"][()] == body
    points, moved = file["elastic/points"][()][of], file["elastic/displacement"][()][of]
  return points - moved, moved


def mean_top(place, moved):
  """Mean displacement of the upper face of a box by its area."""
  top = place[:, 2] > place[:, 2].max() - 1e-6
  weight = numpy.ones(top.sum())
  for on in place[top][:, :2].T:
    weight[(abs(on - on.max()) < 1e-6) | (abs(on - on.min()) < 1e-6)] *= 0.5
  return (weight * moved[top][:, 2]).sum() / weight.sum()


def output(every, **of):
  return {"frames": {"every": every},
          "probes": [{"name": name, **what} for name, what in of.items()]}


def settled(*of, **more):
  """A case that comes to rest in few steps: what is faster than them is gone in one."""
  described = case(*of, step=5e-2, gravity=(0, 0, -G), **more)
  described["time"]["high_frequency_ratio"] = 0
  return described


soft = stone(2000, 1e6)

# -- statics -------------------------------------------------------------------------------------

# a column under its weight, and a plate under a pressure: E 1e6, no lateral strain
PRESS = 3e3
column = {"box": [0.3, 0.2, 1], "at": [0, 0, 0.5], "name": "column", "fixed": True,
          **founded(2, 2, 4)}
plate = {"box": [1, 0.8, 0.1], "at": [2, 0, 0.05], "name": "plate", "fixed": True,
         **founded(4, 3, 2)}
done = both(settled([column, plate], materials=soft, end=3.0,
                    loads=[{"on": "plate", "pressure": {"table": [[0, 0], [0.5, PRESS]]},
                            "faces": {"direction": [0, 0, 1]}}],
                    output=output(3.0, foot={"support": {"of": "column"}},
                                  bed={"support": {"of": "plate"}})), "held")
told = done.results.probes()
for body, (height, more) in enumerate(((1, 0), (0.1, PRESS))):
  place, moved = nodes_of(done, body)
  expected = (2000 * G * height ** 2 / 2 + more * height) / 1e6
  check_near("the top of a held body sinks, in the mean, m", -mean_top(place, moved), expected,
             1e-9 * expected)
  check_same("its foot stays", abs(moved[place[:, 2] < place[:, 2].min() + 1e-6]).max(), 0.0)
weight = 2000 * G * 0.06
check_near("the column's foot bears its weight, N", told["foot_z"][-1], weight, 1e-9 * weight)
weight = 2000 * G * 0.08 + PRESS * 0.8
check_near("the plate's bears p A besides, N", told["bed_z"][-1], weight, 1e-9 * weight)
check("and nothing along x, N", abs(told["bed_x"][-1]), "<", 1e-6)
check("momentum is at rest, N s", abs(done["momentum_z"][-1]), "<", 1e-9)

# blocks on an elastic foundation as wide as they are: one stress throughout, the ground bears all
piled = [{"box": [1, 1, 0.5], "at": [0, 0, 0.25], "name": "bed", "fixed": True,
          **founded(3, 3, 2)},
         {"box": [1, 1, 0.5], "at": [0, 0, 0.75], "name": "block",
          "elastic": {"cells": [4, 2, 2]}},
         {"box": [1, 1, 0.2], "at": [0, 0, 1.1], "name": "lid"}]
done = both(settled(piled, materials=soft, end=3.0, solver={"tolerance": 1e-11},
                    contact={"margin": 0.02},
                    output=output(3.0, ground={"support": {"of": "bed"}},
                                  joint={"reaction": {"of": "bed"}})), "bed")
check_converged("bed", done, 1e-11)
told = done.results.probes()
check_near("bed: the ground bears all, N", told["ground_z"][-1], 2000 * G * 1.2, 1e-3)
check_near("bed: the foundation bears the others, N", told["joint_z"][-1], 2000 * G * 0.7, 1e-3)
# the block sinks by what is above the bed, and half of the bed
place, moved = nodes_of(done, 0)
expected = (2000 * G * 0.7 * 0.5 + 2000 * G * 0.125) / 1e6
check_near("bed: how far its top sinks, in the mean, m", -mean_top(place, moved), expected,
           1e-6 * expected)

# -- motion --------------------------------------------------------------------------------------

# a table shaken by a sine along x and z with blocks on it, and one that is fixed beside it:
# momentum is what gravity and the ground give
def table(travel):
  return {"box": [1, 0.6, 0.2], "at": [0, 0, 0.1], "name": "table",
          "motion": {"velocity": {"cosine": {"amplitude": travel, "phase": -90,
                                             "angular_frequency": 40}}}, **founded(4, 3, 2)}


springy = stone(2000, 1e7, poisson=0.2, damping=1e-4)
shaken = [table([0.2, 0, 0.05]),
          {"box": [0.3, 0.3, 0.3], "at": [0, 0, 0.35], "elastic": {"cells": [2, 2, 2]}},
          {"box": [0.2, 0.2, 0.2], "at": [0.3, 0.1, 0.3]},
          {"box": [1, 0.6, 0.2], "at": [1.02, 0, 0.1], "name": "still", "fixed": True,
           **founded(4, 3, 2, held=["+x", "-z"])}]
done = both(case(shaken, materials=springy, end=0.06, gravity=(0, 0, -G), friction=0.4,
                 solver={"tolerance": 1e-6, "correction": 0}, contact={"margin": 0.01},
                 output=output(0.06, ground={"support": {"of": ["table", "still"]}})), "shaken")
told = done.results.probes()
mass = 2000 * (2 * 0.12 + 0.027 + 0.008)
for axis, pull in zip("xyz", (0, 0, -G)):
  given = numpy.cumsum(told[f"ground_{axis}"] + mass * pull) * 1e-3
  check(f"shaken: momentum along {axis} that neither gravity nor the ground gives, N s",
        abs(done[f"momentum_{axis}"] - given).max(), "<", 1e-9)
check("shaken: work of the motion, J", abs(done["prescribed_work"]).max(), ">", 0.01)

# up and down alone nothing turns, and energy is what works leave: the motion does what contacts
# and damping take
upright = [table([0, 0, 0.3]), shaken[1]]
done = both(case(upright, materials=springy, end=0.06, gravity=(0, 0, -G),
                 solver={"tolerance": 1e-12, "correction": 0}, contact={"margin": 0.01}), "upright")
energy = (done["kinetic_energy"] + done["elastic_energy"]).max()
check("upright: energy that no work explains, relative", unexplained(done) / energy, "<", 1e-10)
check("upright: work of the motion, J", abs(done["prescribed_work"]).max(), ">", 0.01)
check("upright: contacts take energy, J", -done["contact_work"].sum(), ">", 0.01)

# without contact nothing is left to a tolerance
done = both(case([shaken[0]], materials=springy, end=0.1, gravity=(0, 0, -G)), "alone")
energy = (done["kinetic_energy"] + done["elastic_energy"]).max()
check("alone: energy that no work explains, relative", unexplained(done) / energy, "<", 1e-12)

# a rod that turns about its held end is pulled: its tip goes out by rho w^2 L^3/(3E)
rod = [{"box": [1, 0.1, 0.1], "at": [0.5, 0, 0], "name": "rod",
        "motion": {"spin": {"table": [[0, 0, 0, 0], [0.5, 0, 0, 8]]}, "about": [0, 0, 0]},
        **founded(20, 1, 1, held="-x")}]
described = case(rod, materials=stone(2000, 1e8, damping=2e-2), end=2.0, step=2e-3,
                 gravity=(0, 0, 0), output=output(2.0, hub={"support": {"of": "rod"}}))
done = both(described, "rod")
with h5py.File(done.results.frame().path) as file:
  tip = file["nodes/displacement"][()][20::21]   # the last section, in the frame of the rod
expected = 2000 * 64 / 3e8
check_near("rod: its tip goes out, m", tip[:, 0].mean(), expected, 0.003 * expected)
told = done.results.probes()
pull = numpy.hypot(told["hub_x"][-1], told["hub_y"][-1])
check_near("rod: the hub pulls it with m w^2 L/2, N", pull, 20 * 64 * 0.5, 0.003 * 640)

finish()
