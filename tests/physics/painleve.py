#!/usr/bin/env python3
"""Painleve's rod: a rod that slides on its lower end, friction pushing the end into the floor.

The end is at (-l cos t, -l sin t) from the middle and slides to -x; k = m l^2 / J. While the rod
does not turn it needs the force N = m g / p, p = 1 + k cos^2 t - mu k sin t cos t. From
mu = (1 + k cos^2 t) / (k sin t cos t) on, p is not positive: no finite force keeps the end on the
floor and none lets it leave. That is at least 4/3 for a uniform rod, k = 3, at t = 63.435 degrees.
The step's law has one answer there, that of an impact without collision: the end stops at once and
the rod turns about it with w = k v sin t / ((1 + k) l), since angular momentum about the end stays.

A rod here is an octahedron, which stands on one point: on an edge there are answers that lift its
one end. With the half axes l, d in the plane of motion J = m (l^2 + d^2) / 10: d^2 = 7/3 l^2 is as
hard to turn as a uniform rod, a slim one has k = 10. Several rods share a floor.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish

HALF, WIDTH, G = 0.8, 0.2, 9.81   # l; half the width across the motion
UNIFORM, SLIM = HALF * math.sqrt(7 / 3), 0.1   # d
STEEPEST = math.degrees(math.atan(2))   # where the least friction is enough
TOLERANCE = 1e-11


class Rod:
  """The lower end begins at x = 0 and moves with `speed` to -x; y and name follow its place.

  A positive spin lowers the rod: the velocity of the middle is that of the end and -spin x arm.
  """

  def __init__(self, degrees, friction, speed, depth=UNIFORM, spin=0.0, edge=False):
    self.edge = edge
    self.friction, self.speed, self.depth, self.spin = friction, speed, depth, spin
    self.k = 10 * HALF ** 2 / (HALF ** 2 + depth ** 2)
    t = math.radians(degrees)
    self.c, self.s = math.cos(t), math.sin(t)
    self.p = 1 + self.k * (self.c ** 2 - friction * self.s * self.c)
    self.least = (1 + self.k * self.c ** 2) / (self.k * self.s * self.c)
    self.name = f"{degrees:.4g} degrees, k {self.k:.3g}, mu {friction}, {speed} m/s"

  def body(self, place):
    along, across = (self.c, 0, self.s), (-self.s, 0, self.c)
    corners = [[sign * size * x for x in axis] for sign in (-1, 1) for size, axis in
               ((HALF, along), (self.depth, across), (WIDTH, (0, 1, 0)))]
    arm = numpy.array(corners[0])
    if self.edge:   # two ridges in the place of two tips
      corners = [[x, y, z] for x, _, z in corners[:2] + corners[3:5] for y in (-WIDTH, WIDTH)]
    velocity = [-self.speed, 0, 0] - numpy.cross([0, self.spin, 0], arm)
    return {"hull": corners, "at": [-arm[0], 2.0 * place, -arm[2]], "velocity": list(velocity),
            "spin": [0, self.spin, 0], "material": f"rod{place}"}


def scene(rods, step, steps, frames, tolerance=TOLERANCE):
  """Body 0 is the floor, then the rods."""
  densities = {"floor": 2000, **{f"rod{i}": 2000 for i in range(1, len(rods) + 1)}}
  bodies = [{"box": [60, 8.0 * len(rods), 1], "at": [0, 0, -0.5], "fixed": True}]
  bodies += [rod.body(i + 1) for i, rod in enumerate(rods)]
  described = case(bodies, step=step, end=step * steps, frames=frames, densities=densities,
                   solver={"tolerance": tolerance, "slop": 1e-9, "max_sweeps": 20000})
  described["contacts"] = [{"between": ["floor", f"rod{i + 1}"], "friction": rod.friction}
                           for i, rod in enumerate(rods)]
  described["contacts"] += [{"between": [f"rod{i}", f"rod{j}"], "contact": False}
                            for i in range(1, len(rods) + 1) for j in range(1, i)]
  return described


def impulses(done, rods):
  """Normal and tangential impulse of the floor on each rod, N s."""
  contacts = done.contacts()
  for i in range(1, len(rods) + 1):
    reaction = contacts["reaction"][contacts["bodies"][:, 1] == i]
    yield reaction[:, 0].sum(), numpy.linalg.norm(reaction[:, 1:].sum(axis=0))


check_near("least friction at 63.435 degrees", Rod(STEEPEST, 1, 1).least, 4 / 3, 1e-12)

# below the limit: N = m g / p, without an error in the step
sliding = [Rod(STEEPEST, 1.0, 3.0), Rod(STEEPEST, 1.3, 3.0), Rod(75, 1.2, 3.0),
           Rod(45, 1.0, 3.0, SLIM)]
for step in (1e-3, 1e-5):
  done = both(scene(sliding, step, 1, step), f"sliding_{step}")
  for i, (rod, (normal, tangent)) in enumerate(zip(sliding, impulses(done, sliding)), 1):
    force = normal / (done.bodies()["mass"][i] * G * step)
    check_near(f"{rod.name}, step {step}: force over m g", force, 1 / rod.p, 1e-10 * force / rod.p)
    check_near(f"{rod.name}, step {step}: friction used", tangent / normal, rod.friction, 1e-12)
  check_converged(f"sliding, step {step}", done, TOLERANCE)

# above it: the end stops in one step, whatever its length; of the friction the least that does this
# is used. While it stops, gravity adds g h to all velocities and the arm turns by w h / 2.
jammed = [Rod(degrees, friction, speed, depth) for speed in (0.5, 3.0)
          for degrees, friction, depth in ((STEEPEST, 1.36, UNIFORM), (STEEPEST, 3.0, UNIFORM),
                                           (75, 10.0, UNIFORM), (45, 1.3, SLIM), (30, 4.0, SLIM))]
step = 1e-6
done = both(scene(jammed, step, 1, step), "jammed")
state = done.bodies()
for i, (rod, (normal, tangent)) in enumerate(zip(jammed, impulses(done, jammed)), 1):
  arm = [0, 2.0 * i, 0] - state["position"][i]
  end = state["velocity"][i] + numpy.cross(state["spin"][i], arm)
  small = 2 * step * (rod.speed / HALF + G / rod.speed)
  check(f"{rod.name}: velocity of the end after one step over that before",
        numpy.linalg.norm(end) / rod.speed, "<", small)
  turn = -rod.k * rod.speed * rod.s / ((1 + rod.k) * HALF)
  check_near(f"{rod.name}: spin over that of the impact without collision",
             state["spin"][i, 1] / turn, 1, small)
  check_near(f"{rod.name}: friction used", tangent / normal, rod.least, 10 * small)
check_converged("jammed", done, TOLERANCE)

# The whole fall on both sides of the limit, with rods that turn first: where l sin t w^2 > g the
# end may leave or jam. Either is an answer; it is finite, and contacts give no energy. Of the slim
# boxes, which stand on an edge, either end of the edge may lift as well.
pushes = ((0, 0), (0.5, 0), (1.0, 0), (1.33, 0), (2.0, 0), (10.0, 0), (2.0, -6.0), (2.0, 6.0))
for edge in (False, True):
  falling = [Rod(STEEPEST, friction, 3.0, SLIM, spin, edge) for friction, spin in pushes]
  for step in (2e-3, 1e-3):
    name = f"falling{'_edges' if edge else ''}_{step}"
    done = both(scene(falling, step, round(1 / step), 0.1, 1e-9), name)
    start = done["kinetic_energy"][0] - done["load_work"][0] - done["contact_work"][0]
    gained = (done["kinetic_energy"] - start - numpy.cumsum(done["load_work"])).max()
    check(f"{name}: energy beyond that released over the start's", gained / start, "<=", 0.5 * step)
    speeds = numpy.linalg.norm(done.bodies()["velocity"][1:], axis=1)
    check(f"{name}: largest speed at the end, m/s", speeds.max(), "<=",
          math.sqrt(2 * start / done.bodies()["mass"][1:].min() + 2 * G * HALF))
    check_converged(name, done, 1e-9)
finish()
