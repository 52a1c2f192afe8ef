#!/usr/bin/env python3
"""1e5 contact points between 9261 cubes that touch on all sides: as hyperstatic as can be. Every
step converges, and the floor carries the weight. At one degree each column would stand alone, so
that a solution is sure to exist.
"""
# test: needs python3 python3-numpy
# test: slow
# test: ranks 2
# test: timeout 1800
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import case, check, check_converged, finish, run, tilted

EDGE, SIDE, G, STEP, STEPS, TOLERANCE = 21, 0.5, 9.81, 1e-3, 5, 1e-6

block = {"grid": {"box": [SIDE] * 3, "count": [EDGE] * 3, "spacing": [SIDE] * 3},
         "at": [-0.5 * SIDE * (EDGE - 1)] * 2 + [0.5 * SIDE]}
described = case([{"box": [30, 30, 1], "at": [0, 0, -0.5], "fixed": True}, block],
                 gravity=tilted(1), friction=0.5, step=STEP, end=STEPS * STEP,
                 frames=STEPS * STEP, solver={"tolerance": TOLERANCE})
done = run(described, "cubes", 2)
check("points", done["points"][-1], ">=", 1e5)
check_converged("1e5 points", done, TOLERANCE)
contacts, bodies = done.contacts(), done.bodies()
weight = bodies["mass"][1:].sum() * numpy.array(tilted(1))
force = contacts["reaction_world"][contacts["bodies"][:, 0] == 0].sum(axis=0) / STEP
check("force on the floor over the weight, off by",
      numpy.linalg.norm(force - weight) / numpy.linalg.norm(weight), "<=", 100 * TOLERANCE)
ways = numpy.linalg.norm(bodies["position"] - done.bodies(0)["position"], axis=1)
check("largest way, C of C tol g h^2 N", ways.max() / (TOLERANCE * G * STEP * STEP * STEPS), "<=",
      100)
finish()
