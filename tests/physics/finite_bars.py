#!/usr/bin/env python3
"""Bars and columns of finite elements that touch, against known answers, on 1 and 3 ranks.

A bar that meets a wall pushes with rho c v A for 2 L/c, and what it loses goes with the size of its
cells. A bar that meets one twice as long stops, and leaves it half its speed. A column sinks under
its weight as one that is held at its foot, whether of one block or of several.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import stone
from cases import both, case, check, check_near, finish

YOUNG, DENSITY, LENGTH, AREA, SPEED = 2e9, 2000.0, 1.0, 0.01, 1.0
WAVE = math.sqrt(YOUNG / DENSITY)   # m/s
MASS = DENSITY * AREA * LENGTH


def bar(length, cells, at, speed=0.0):
  return {"box": [length, 0.1, 0.1], "at": [at, 0, 0], "velocity": [speed, 0, 0],
          "elastic": {"cells": [cells, 1, 1], "most_nodes": 300}}


def meet(name, bodies, step, end, **more):
  """A run without gravity and without numerical damping."""
  described = case(bodies, materials=stone(DENSITY, YOUNG, poisson=0.0), gravity=(0, 0, 0),
                   solver={"tolerance": 1e-10, "correction": 0},
                   time={"step": step, "end": end, "high_frequency_ratio": 1.0}, **more)
  return both(described, name, work=500)


# against a wall: steps in which a wave goes half a cell
losses = {}
for cells in (20, 40, 64):
  step = LENGTH / cells / (2 * WAVE)
  done = meet(f"wall_{cells}",
              [{"box": [0.2, 1, 1], "at": [-0.1, 0, 0], "fixed": True, "name": "wall"},
               bar(LENGTH, cells, 0.5 * LENGTH, -SPEED)], step, 3 * LENGTH / WAVE,
              output={"probes": [{"name": "push", "reaction": {"of": "wall"}}]})
  left = done["kinetic_energy"][-1] + done["elastic_energy"][-1]
  losses[cells] = 1 - left / (0.5 * MASS * SPEED**2)
  if cells != 40:
    continue
  force = abs(done.results.probes()["push_x"])
  touching = numpy.flatnonzero(force > 1e-6 * force.max())
  time = len(touching)
  check("wall: steps in which they do not touch between others", touching[-1] - touching[0] + 1,
        "==", time)
  force = force[touching]
  middle = force[int(0.2 * time):int(0.8 * time)] / (DENSITY * WAVE * SPEED * AREA)
  check_near("wall: mean force, of rho c v A", middle.mean(), 1.0001, 1e-3)
  check("wall: farthest from it", abs(middle - 1).max(), "<", 6e-3)
  check_near("wall: time, of 2 L/c", time * step * WAVE / (2 * LENGTH), 1.0125, 1e-3)
  check_near("wall: impulse, of 2 m v", force.sum() * step / (2 * MASS * SPEED), 0.985, 1e-3)
  check_near("wall: energy left", 1 - losses[cells], 0.986, 5e-4)
for coarse, fine in ((20, 40), (40, 64)):
  check_near(f"wall: order in the mesh, {coarse} to {fine} cells",
             math.log(losses[coarse] / losses[fine]) / math.log(fine / coarse), 1.0, 0.03)

# on a bar of twice the length: half steps of those
errors = {}
for cells in (10, 20, 32):
  end = 4.5 * LENGTH / WAVE
  bodies = [bar(LENGTH, cells, -0.5 * LENGTH, SPEED), bar(2 * LENGTH, 2 * cells, LENGTH)]
  done = meet(f"bars_{cells}", bodies, LENGTH / cells / (4 * WAVE), end, frames=end)
  speeds = done.bodies()["velocity"][:, 0]
  errors[cells] = speeds[1] - 0.5
  if cells == 20:
    check_near("bars: speed of the second", speeds[1], 0.5051, 5e-4)
  check_near(f"bars of {cells} cells: what the first is off beside it",
             abs(speeds[0]) / errors[cells], 2.0, 1e-6)
check("bars: order in the mesh", math.log(errors[10] / errors[32]) / math.log(3.2), ">", 0.6)

# columns of 1, 2 and 4 blocks under their weight, until they rest
HEIGHT, SOFT, STEP = 0.5, 1e6, 0.02
sinks = DENSITY * 9.81 * HEIGHT**2 / (2 * SOFT)
check_near("column: it sinks by, m", sinks, 2.4525e-3, 1e-12)
for blocks in (1, 2, 4):
  high = HEIGHT / blocks
  bodies = [{"box": [1, 1, 0.2], "at": [0, 0, -0.1], "fixed": True, "name": "floor"}]
  bodies += [{"box": [0.2, 0.2, high], "at": [0, 0, (i + 0.5) * high], "name": f"block{i}",
              "elastic": {"cells": [1, 1, 4 // blocks]}} for i in range(blocks)]
  spots = {"corner": [0.1, 0.1, HEIGHT], "middle": [0, 0, HEIGHT]}
  told = [{"name": name, "displacement": {"of": f"block{blocks - 1}", "at": at}}
          for name, at in spots.items()]
  done = both(case(bodies, materials=stone(DENSITY, SOFT, poisson=0.0, damping=STEP),
                   step=STEP, end=400 * STEP, solver={"tolerance": 1e-12, "correction": 0},
                   output={"probes": told}), f"column_{blocks}", work=500)
  for name in spots:
    check_near(f"column of {blocks}: its {name} sinks, of what it should",
               -done.results.probes()[f"{name}_z"][-1] / sinks, 1, 1e-9)

finish()
