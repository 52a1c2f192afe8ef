#!/usr/bin/env python3
"""Bodies of finite elements with one contact point per pair, against known answers.

Collisions keep momenta and explain their energy. Supports have the weight of a stack. What a block
bears is right in the mean, and presses in one place. A bar that warms meets walls beside it, one
that cools leaves them. A bar on a wall pushes by its waves. The first steps have their bits on 3
ranks.
"""
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
import math
import os
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import G, stone
from cases import both, case, check, check_converged, check_near, check_same, finish, program, write
from finite_scenes import cells, check_collision, check_head_on

ONE = {"model": "volumetric"}

check_collision(contact=ONE)
check_head_on(contact=ONE)

# two blocks on a floor come to rest: one point each, and the weight in it. The mean stress is that
# of the forces, and the mesh bends about the point: stress in its middle is far above that, and
# the corners have next to none.
SIDE, RHO, STEP = 0.5, 2000, 1e-3
stack = [{"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True},
         {"box": [SIDE] * 3, "at": [0, 0, 0.5 * SIDE], **cells(3, 3, 3)},
         {"box": [SIDE] * 3, "at": [0, 0, 1.5 * SIDE], **cells(2, 3, 2)}]
done = both(case(stack, materials=stone(RHO, 1e8, poisson=0.2, damping=2e-3), step=STEP, end=0.8,
                 frames=0.8, contact=ONE, solver={"tolerance": 1e-12}), "stack", work=400)
check_converged("stack", done, 1e-12)
contacts, bodies = done.contacts(), done.bodies()
WEIGHT = RHO * SIDE ** 3 * G
check_same("stack: points", len(contacts["gap"]), 2)
force = contacts["reaction"][:, 0] / STEP
check("stack: error of the force on the floor", abs(force[0] / (2 * WEIGHT) - 1), "<", 1e-10)
check("stack: error of the force between blocks", abs(force[1] / WEIGHT - 1), "<", 1e-10)
check("stack: what is left of gaps, m", abs(contacts["gap"]).max(), "<", 1e-12)
for number, above in ((1, 1), (2, 0)):
  expected = -(above + 0.5) * WEIGHT / SIDE ** 2
  mean = bodies["stress"][bodies["id"] == number][0]
  check(f"stack: error of the mean stress of block {number}", abs(mean[2] / expected - 1), "<",
        1e-10)
  check(f"stack: mean stress of block {number} to the side", abs(mean[:2] / expected).max(), "<",
        1e-10)
with h5py.File(done.results.frame().path) as file:
  places, stress = file["elastic/points"][()], file["elastic/stress"][()]
inner = abs(places[:, 0]) < 0.2
sole = abs(places[:, 2]) < 1e-3
middle = sole & inner & (abs(places[:, 1]) < 0.2)
pressure = 2 * WEIGHT / SIDE ** 2
check("stack: stress in the middle of the sole over the mean", -stress[middle, 2].mean() / pressure,
      ">", 2)
check("stack: stress around it over the mean", -stress[sole & ~middle, 2].max() / pressure, "<", 0)
check("stack: the rim bends into the floor, m", places[sole & ~middle, 2].max(), "<", -1e-5)

# a bar with a gap at each end warms, and the walls press it by what they keep from it, though no
# wall meets the shape; one that touches both cools, and leaves them, though the shape does not.
# With one cell across, a point in the middle of an end is a uniform pressure.
YOUNG, WARM, GAP = 1e7, 1e-3, 1e-4
for name, gap, strain in (("warm", GAP, WARM), ("cold", 0, -WARM / 4)):
  ends = [{"box": [0.1, 1, 1], "at": [x * (0.55 + gap), 0, 0], "fixed": True} for x in (-1, 1)]
  bar = {"box": [1, 0.2, 0.2], "name": "bar", **cells(5, 1, 1)}
  done = both(case(ends + [bar], gravity=(0, 0, 0), end=0.4, frames=0.4, contact=ONE,
                   materials=stone(RHO, YOUNG, poisson=0.2, damping=2e-3, expansion=1e-5),
                   loads=[{"on": "bar", "temperature": strain / 1e-5}],
                   solver={"tolerance": 1e-12}), name, work=200)
  check_converged(name, done, 1e-12)
  contacts = done.contacts()
  check_same(f"{name}: points", len(contacts["gap"]), 2)
  held = YOUNG * max(strain - 2 * gap, 0)
  force = contacts["reaction"][:, 0].max() / STEP
  check_near(f"{name}: force on a wall over area, Pa", force / 0.04, held, 1e-9 * YOUNG * WARM)
  check_near(f"{name}: gap, m", contacts["gap"].min(), max(gap - strain / 2, 0), 1e-12)

# a bar against a wall: rho c v A for as long as a wave takes there and back
CELLS, LENGTH, SPEED = 40, 1.0, 0.1
wave = math.sqrt(1e8 / RHO)
step = LENGTH / CELLS / (2 * wave)
thrown = [{"box": [0.2, 1, 1], "at": [-0.1, 0, 0], "fixed": True},
          {"box": [LENGTH, 0.1, 0.1], "at": [0.5 * LENGTH, 0, 0], "velocity": [-SPEED, 0, 0],
           **cells(CELLS, 1, 1)}]
done = both(case(thrown, materials=stone(RHO, 1e8), gravity=(0, 0, 0), contact=ONE,
                 step=step, end=3 * LENGTH / wave, solver={"tolerance": 1e-9, "correction": 0},
                 friction=0, time={"step": step, "end": 3 * LENGTH / wave,
                                   "high_frequency_ratio": 1}), "wave", work=200)
momentum = numpy.append(-RHO * LENGTH * 0.01 * SPEED, done["momentum_x"])
push = numpy.diff(momentum) / (RHO * wave * SPEED * 0.01 * step)
lasts = int(round(2 * LENGTH / wave / step))
check_near("wave: force over rho c v A", push[lasts // 5:4 * lasts // 5].mean(), 1, 2e-3)
check_near("wave: impulse over 2 m v", push.sum() / lasts, 1, 0.02)
check_near("wave: duration", (push > 0.5).sum() / lasts, 1, 0.02)

# what they do not go with
BLOCK = {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block", **cells(2, 2, 2)}
LAYER = [{"between": ["stone", "stone"], "law": "volumetric", "stiffness": 1e8}]
for name, more, expected in (
    ("lmd", {"contact": {"model": "lmd"}}, "they know 'contact.model' patch and volumetric alone"),
    ("law", {"contacts": LAYER}, "is elastic, and that law is one of rigid bodies")):
  path = write(name, case([BLOCK], materials=stone(RHO, 1e8), **more))
  told = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
  check_same(f"refused: {name}: {told.stderr.strip()[-120:]}",
             (told.returncode, expected in told.stderr), (2, True))
finish()
