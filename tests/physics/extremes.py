#!/usr/bin/env python3
"""Extreme cases: each converges in every step, or the program says that it did not. The residual is
the program's own; what statics or momentum demand is checked beside it.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish, run, tilted

G, STEP = 9.81, 1e-3


def floor(size=6):
  return {"box": [size, size, 1], "at": [0, 0, -0.5], "fixed": True}


def forces_on_floor(done, step=STEP):
  """Of all bodies together on body 0, world axes, N."""
  contacts = done.contacts()
  return contacts["reaction_world"][contacts["bodies"][:, 0] == 0].sum(axis=0) / step


def check_carried(name, done, tolerance, gravity=(0, 0, -G)):
  """The floor carries all that moves, to what the tolerance leaves of the largest weight."""
  weight = done.bodies()["mass"][1:].sum() * numpy.array(gravity)
  error = numpy.linalg.norm(forces_on_floor(done) - weight) / numpy.linalg.norm(weight)
  check(f"{name}: force on the floor over the weight, off by", error, "<=", 100 * tolerance)


# a mass of 1e6 on one of 1, on one of 1e6 ...: light blocks carry heavy ones and are carried
def ratios(tolerance):
  densities = {"light": 1.0, "heavy": 1e6}
  bodies = [floor()] + [{"box": [1, 1, 1], "at": [0, 0, 0.5 + i],
                         "material": ("light", "heavy")[i % 2]} for i in range(4)]
  return case(bodies, densities=densities, end=0.1, step=STEP, frames=0.1, gravity=tilted(5),
              solver={"tolerance": tolerance})


done = both(ratios(1e-8), "ratios")
check_converged("mass ratio 1e6, light below heavy", done, 1e-8)
check_carried("mass ratio 1e6", done, 1e-8, tilted(5))
way = numpy.linalg.norm(done.bodies()["position"] - done.bodies(0)["position"], axis=1).max()
check("mass ratio 1e6: largest way, m", way, "<=", 100 * 1e-8 * G * STEP * STEP * 100)

# no friction at all, and much: 50 blocks in a heap against each other
for friction in (0.0, 10.0):
  bodies = [floor(), {"wall": {"courses": 5, "bricks": 5, "brick": [0.4, 0.2, 0.2]},
                      "at": [-1, 0, 0]}]
  done = both(case(bodies, friction=friction, end=0.1, step=STEP, frames=0.1,
                   solver={"tolerance": 1e-8}), f"friction_{friction:g}")
  check_converged(f"friction {friction:g}", done, 1e-8)
  check_carried(f"friction {friction:g}", done, 1e-8)

# with friction 10 a wall sticks to a table at 80 degrees as long as it is not to turn over its foot
bodies = [floor(), {"box": [3, 0.4, 0.2], "at": [0, 0, 0.1]},
          {"box": [2.5, 0.4, 0.2], "at": [0, 0, 0.3]}]
done = both(case(bodies, friction=10, gravity=tilted(80), end=0.1, step=STEP, frames=0.1,
                 solver={"tolerance": 1e-8}), "steep")
check_converged("friction 10 at 80 degrees", done, 1e-8)
check_carried("friction 10 at 80 degrees", done, 1e-8, tilted(80))

# redundant points: a stone of 16 parts over the seams of another one of 25, kept as points each
def tiles(count, side, z):
  parts = [{"box": [side, side, 0.2], "at": [side * (i - 0.5 * (count - 1)),
                                             side * (k - 0.5 * (count - 1)), 0]}
           for i in range(count) for k in range(count)]
  return {"parts": parts, "at": [0, 0, z]}


bodies = [floor(), tiles(5, 0.2, 0.1), tiles(4, 0.22, 0.3)]
done = both(case(bodies, gravity=tilted(10), friction=0.4, end=0.05, step=STEP, frames=0.05,
                 solver={"tolerance": 1e-8}, contact={"model": "volumetric"}), "redundant")
check("redundant points", done["points"][-1], ">=", 50)
check_converged("redundant points", done, 1e-8)
check_carried("redundant points", done, 1e-8, tilted(10))

# A wedge of 20 degrees that two fixed faces hold: with more friction than tan 10 degrees they may
# press it as hard as they like, and it stays. Driven down at 2 m/s it stops within half a step.
def jam(speed, friction):
  half = math.radians(10)
  depth, top = 1.0, 0.6
  width = [top - depth * math.tan(half), top]
  points = [[x, y, z] for y in (-0.3, 0.3) for x, z in
            ((-width[0], 0), (width[0], 0), (-width[1], depth), (width[1], depth))]
  sides = [{"hull": [[s * (width[0] + x), y, z] for y in (-1, 1) for x, z in
                     ((0, 0), (depth * math.tan(half), depth), (2, 0), (2, depth))], "fixed": True}
           for s in (-1, 1)]
  return case(sides + [{"hull": points, "velocity": [0, 0, -speed]}], friction=friction, end=0.1,
              step=STEP, frames=0.1, solver={"tolerance": 1e-8})


for name, speed, friction in (("rests", 0, 0.4), ("driven", 2, 0.4), ("smooth", 0, 0.0),
                              ("just_held", 0, math.tan(math.radians(10)) * 1.01)):
  done = both(jam(speed, friction), f"wedge_{name}")
  check_converged(f"wedge, {name}", done, 1e-8)
  contacts, body = done.contacts(), done.bodies()
  carried = -contacts["reaction_world"].sum(axis=0) / STEP
  check(f"wedge, {name}: force on it over its weight, off by",
        numpy.linalg.norm(carried / (body["mass"][2] * G) - [0, 0, 1]), "<=", 1e-6)
  fallen = done.bodies(0)["position"][2, 2] - body["position"][2, 2]
  check(f"wedge, {name}: way down, m", abs(fallen), "<=",
        0.5 * STEP * speed if speed else 1e-9)

# an impact through a chain: 30 cubes in a row that touch, hit at one end; e = 0 and e = 0.5
for restitution in (0.0, 0.5):
  bodies = [{"grid": {"box": [0.2, 0.2, 0.2], "count": [30, 1, 1], "spacing": [0.2, 1, 1]}}]
  bodies.append({"box": [0.2, 0.2, 0.2], "at": [-0.25, 0, 0], "velocity": [3, 0, 0]})
  done = both(case(bodies, gravity=(0, 0, 0), restitution=restitution, friction=0.3, end=0.05,
                   step=STEP, frames=0.05, solver={"tolerance": 1e-8}), f"chain_{restitution}")
  check_converged(f"chain, e = {restitution}", done, 1e-8)
  state = done.bodies()
  check_near(f"chain, e = {restitution}: momentum over that before", done["momentum_x"][-1] /
             (3 * state["mass"][0]), 1, 1e-12)
  check(f"chain, e = {restitution}: energy over that before", done["kinetic_energy"][-1] /
        (4.5 * state["mass"][0]), "<=", 1)
  if restitution == 0:
    check_near("chain, e = 0: all go on together, speeds over v / 31",
               abs(31 * state["velocity"][:, 0] / 3 - 1).max(), 0, 1e-5)
finish()
