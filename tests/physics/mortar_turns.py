#!/usr/bin/env python3
"""Bodies in mortar that turn as one piece. Whole points hold velocities; the correction of
positions takes back what places that turn leave each other by, which is of second order in the step
and does not grow. It costs energy, of first order. A dry joint in a ring with mortar costs no
iterations: all points allow the velocities of one piece.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish, run

SPIN = numpy.array([1.0, 4.0, 2.0])
BAR = numpy.array([1.0, 0.2, 0.3])
MORTAR = {"cohesion": 1e9, "tensile_strength": 1e9}


def turning(box, middle, spin, **more):
  return {"box": list(box), "at": list(middle), "spin": list(spin),
          "velocity": list(numpy.cross(spin, middle)), **more}


def turned(q, x):
  """x in world axes by the quaternion of a body."""
  w, v = q[0], numpy.array(q[1:])
  return x + 2 * numpy.cross(v, numpy.cross(v, x) + w * x)


def apart(bodies):
  """Largest distance of two corners of the joint of two bars, which were one."""
  most = 0
  for y in (-0.5, 0.5):
    for z in (-0.5, 0.5):
      ends = [numpy.array(bodies["position"][i]) +
              turned(bodies["orientation"][i], numpy.array([x, y, z]) * BAR)
              for i, x in ((0, 0.5), (1, -0.5))]
      most = max(most, numpy.linalg.norm(ends[0] - ends[1]))
  return most


def bars(step):
  described = case([turning(BAR, (x, 0, 0), SPIN) for x in (-0.5, 0.5)], gravity=(0, 0, 0),
                   step=step, end=4.0, frames=0.4, solver={"tolerance": 1e-10})
  described["contacts"][0]["bond"] = MORTAR
  return described


def distances(done):
  return numpy.array([apart(done.bodies(frame)) for frame in done.results.frames])


def lost(done):
  energy = done["kinetic_energy"]
  return 1 - energy[-1] / energy[0]


# two bars end to end tumble: the middles of both go round the joint
fine, coarse = both(bars(1e-3), "bars"), run(bars(4e-3), "coarse")
check("whole points of two bars that tumble", fine["bonds"].min(), "==", 4)
joint = distances(fine)
check("distance of the two sides over h^2 times the relative acceleration of the middles",
      joint.max() / (1e-6 * SPIN.dot(SPIN)), "<", 2.5)
check("its growth from the first turn to the last", joint[-1] / joint[1], "<", 1.1)
check_near("order of the distance", math.log(distances(coarse).max() / joint.max(), 4), 2.0, 0.1)
check("energy lost in 4 s, relative", lost(fine), "<", 0.06)
check("that in steps four times as long", lost(coarse), "<", 0.2)

# two stones side by side, dry, and one in mortar on both
ring = case([turning(box, middle, 0.1 * SPIN, material=material)
             for box, middle, material in (((0.5, 0.3, 0.3), (-0.25, 0, 0), "stone"),
                                           ((0.5, 0.3, 0.3), (0.25, 0, 0), "stone"),
                                           ((1, 0.3, 0.3), (0, 0, 0.3), "core"))],
            gravity=(0, 0, 0), end=0.5, densities={"stone": 2000.0, "core": 2000.0},
            solver={"tolerance": 1e-6})
for contact in ring["contacts"]:
  if contact["between"] == ["stone", "core"]:
    contact["bond"] = MORTAR
done = both(ring, "ring")
check("whole points of a ring with a dry joint that turns", done["bonds"].min(), "==", 8)
check("points", done["points"].min(), "==", 12)
check_converged("ring", done, 1e-6)
check("mean sweeps of a step", done["sweeps"].mean(), "<", 20)
finish()
