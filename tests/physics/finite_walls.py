#!/usr/bin/env python3
"""Walls of bricks of finite elements: iterations of a step do not depend on their modulus, a wall
that has come to rest takes a few, and it stands on its floor with its weight.
"""
# test: needs python3
# test: ranks 3
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import stone
from cases import both, case, check, check_converged, check_near, finish, run

FLOOR = {"box": [40, 40, 1], "at": [0, 0, -0.5], "fixed": True}
WALL = {"wall": {"courses": 5, "bricks": 3, "brick": [0.4, 0.2, 0.2], "joint": 0.002},
        "elastic": {"cells": [4, 2, 2]}}
# iterations and inner ones of a first step, by tolerance
MOST = {1e-6: (30, 90), 1e-8: (45, 140)}


def wall(young, damping, tolerance, end):
  """The wall is set on its floor at once."""
  return case([FLOOR, WALL], materials=stone(2400, young, poisson=0.2, damping=damping),
              step=1e-3, end=end, friction=0.6, solver={"tolerance": tolerance})


# -- the first step, without impulses to begin with ------------------------------------------------

for young in (1e8, 1e9, 1e10, 5e10, 1e12):
  for tolerance, (sweeps, inner) in MOST.items():
    name = f"{young:g} Pa to {tolerance:g}"
    done = run(wall(young, 1e-5, tolerance, 1e-3), f"cold_{young:g}_{tolerance:g}")
    check_converged(name, done, tolerance)
    check(f"{name}: iterations", done["sweeps"][0], "<=", sweeps)
    check(f"{name}: inner iterations", done["inner"][0], "<=", inner)

# -- at rest under its weight ----------------------------------------------------------------------

rest = both(wall(1e10, 5e-4, 1e-6, 0.12), "rest")
check_converged("at rest", rest, 1e-6)
check("at rest: most iterations of a step", rest["sweeps"][-20:].max(), "<=", 10)
check("at rest: most inner iterations of a step", rest["inner"][-20:].max(), "<=", 40)
check("at rest: kinetic energy, J", rest["kinetic_energy"][-1], "<=", 1e-9)
unborne = (rest["momentum_z"][-1] - rest["momentum_z"][-11]) / 0.01
check_near("at rest: what the floor does not bear of the weight",
           unborne / (rest["mass"][-1] * 9.81), 0, 1e-6)

finish()
