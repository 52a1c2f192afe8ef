#!/usr/bin/env python3
"""A wall of 100 courses of 20 bricks, tilted in its plane by tan 0.25, from zero impulses to 1e-8.

It stands, but near collapse: the solver takes long to find the forces that hold it, sweeps come to
nothing, and one sigma does not serve all points. The default method, on one rank and on three.
"""
# test: needs python3
# test: ranks 3
# test: timeout 300
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import both, case, check, check_converged, finish, tilted

TOLERANCE, STEP = 1e-8, 1e-3

wall = case([{"box": [40, 40, 1], "at": [0, 0, -0.5], "fixed": True},
             {"wall": {"courses": 100, "bricks": 20, "brick": [0.4, 0.2, 0.2], "joint": 0.002},
              "at": [0, 0, 0]}],
            gravity=tilted(math.degrees(math.atan(0.25))), friction=0.6, step=STEP, end=STEP,
            frames=STEP, solver={"tolerance": TOLERANCE, "max_sweeps": 2000})
done = both(wall, "tilted")
check("contact points", done["points"][0], "==", 15920)
check_converged("tilted by 0.25", done, TOLERANCE)
check("iterations", done["sweeps"][0], "<=", 1000)
finish()
