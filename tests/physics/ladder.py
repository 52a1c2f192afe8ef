#!/usr/bin/env python3
"""A ladder on a rough floor against a smooth wall slips below tan(angle) = 1 / (2 mu).

The rod is a slim diamond, whose tips are the ends of its middle line. A box of thickness d and
length l touches with the corners of its lower side, which puts its weight by d/2 nearer to the
floor's contact: tan(angle) = 1 / (2 mu + d/l). Above that angle it rests to the solver's tolerance;
below, it follows the equation of motion, at second order in the step where little slop covers it.
"""
# test: needs python3
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import both, case, check, check_converged, check_near, finish, run

LENGTH, THICKNESS, G = 2.0, 0.05, 9.81
TOLERANCE = 1e-9
NEAR = 0.02   # degrees on either side of the limit


def ladder(kind, degrees, friction, step, end, slop=1e-5):
  """The wall is at the right, x = 0; `degrees` is the angle between floor and middle line."""
  angle = math.radians(degrees)
  along, across = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
  l, d = 0.5 * LENGTH, 0.5 * THICKNESS
  if kind == "rod":
    corners = [(-l, 0), (0, -d), (l, 0), (0, d)]
  else:
    corners = [(-l, -d), (l, -d), (l, d), (-l, d)]
  places = [(a * along[0] + b * across[0], a * along[1] + b * across[1]) for a, b in corners]
  right, low = max(x for x, _ in places), min(z for _, z in places)
  bodies = [{"box": [6, 4, 1], "at": [0, 0, -0.5], "fixed": True},
            {"box": [1, 4, 6], "at": [0.5, 0, 3], "fixed": True, "material": "ice"},
            {"hull": [[x, y, z] for y in (-0.2, 0.2) for x, z in places], "at": [-right, 0, -low]}]
  described = case(bodies, step=step, end=end, frames=end, densities={"stone": 2000, "ice": 900},
                   friction=friction, solver={"tolerance": TOLERANCE, "slop": slop})
  for law in described["contacts"]:
    law["friction"] = 0 if "ice" in law["between"] else friction
  return described


def way_down(degrees, friction, end):
  """Of the rod's middle, by Runge and Kutta: its ends keep to floor and wall.

  With the angle t, l half the length and k J / m: the middle is at l cos t from the wall and l
  sin t up; N = m (g + l cos t t'' - l sin t t'^2) carries it, mu N at the foot slows it:
  (l^2 + k) t'' = -g l cos t + 2 mu l sin t N / m.
  """
  l, k = 0.5 * LENGTH, (LENGTH ** 2 + THICKNESS ** 2) / 24   # of a diamond

  def slope(state):
    t, rate = state
    c, s = l * math.cos(t), l * math.sin(t)
    return (rate, (-G * c + 2 * friction * s * (G - s * rate * rate)) /
            (l * l + k - 2 * friction * s * c))

  steps, state = 1000, (math.radians(degrees), 0.0)
  h = end / steps
  for _ in range(steps):
    k1 = slope(state)
    k2 = slope([x + 0.5 * h * d for x, d in zip(state, k1)])
    k3 = slope([x + 0.5 * h * d for x, d in zip(state, k2)])
    k4 = slope([x + h * d for x, d in zip(state, k3)])
    state = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]
  return l * (math.sin(math.radians(degrees)) - math.sin(state[0]))


def lowered(done):
  return done.bodies(0)["position"][2, 2] - done.bodies()["position"][2, 2]


for kind, friction in (("rod", 0.3), ("rod", 0.6), ("box", 0.3)):
  limit = math.degrees(math.atan(1 / (2 * friction + (THICKNESS / LENGTH) * (kind == "box"))))
  if (kind, friction) == ("rod", 0.3):
    check_near("limit at friction 0.3, degrees", limit, 59.036, 5e-4)
  name = f"{kind}_{friction}"
  stands = both(ladder(kind, limit + NEAR, friction, 1e-3, 0.5), f"{name}_stands")
  # a velocity off by 10 tolerance g h in each step
  check(f"{name} {NEAR} degrees above: way down, m", abs(lowered(stands)), "<=",
        500 * 10 * TOLERANCE * G * 1e-6)
  check_converged(f"{name} above", stands, TOLERANCE)
  slips = both(ladder(kind, limit - NEAR, friction, 1e-3, 0.5), f"{name}_slips")
  check(f"{name} {NEAR} degrees below: way down, m", lowered(slips), ">", 1e-5)
  check_converged(f"{name} below", slips, TOLERANCE)

# how it slips from 55 degrees: the scheme is of second order where contacts stay as they are
exact = way_down(55, 0.3, 0.4)
errors = []
for step in (4e-3, 2e-3, 1e-3):
  done = run(ladder("rod", 55, 0.3, step, 0.4, slop=1e-8), f"slides_{step}")
  errors.append(abs(lowered(done) - exact) / exact)
  check(f"way down from 55 degrees against {exact:.6g} m, relative, step {step}", errors[-1], "<",
        10 * step * step)
  check_converged(f"step {step}", done, TOLERANCE)
check("error at a step four times as long over this", errors[0] / errors[2], ">", 12)
finish()
