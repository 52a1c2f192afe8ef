#!/usr/bin/env python3
"""Friction, strength of bonds and their reduction as functions of time, against closed forms."""
# test: needs python3
# test: ranks 3
# test: timeout 300
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import both, case, check, check_near, check_same, finish, run, tilted

TAN, G = math.tan(math.radians(20)), 9.81
floor = {"box": [40, 4, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}
slab = {"box": [1, 1, 0.1], "at": [0, 0, 0.05], "name": "slab"}


def speed(done, mass):
  """Along x, at the end."""
  return done["momentum_x"][-1] / mass


def sliding(name, law, friction, end=2.0):
  """A slab on a slope of 20 degrees whose friction falls: its speed is an integral over time."""
  h = 1e-3
  described = case([floor, slab], gravity=tilted(20), end=end, step=h)
  described["contacts"] = [{"between": ["stone", "stone"], **law}]
  done = both(described, name)
  exact = 0.0
  for i in range(round(end / h)):
    exact += h * max(0, G * (math.sin(math.radians(20))
                             - friction((i + 0.5) * h) * math.cos(math.radians(20))))
  check(f"{name}: it slides", exact, ">", 0.1)
  check_near(f"{name}: speed, m/s", speed(done, 200), exact, 1e-6 * exact)
  first = next(i for i, k in enumerate(done["kinetic_energy"]) if k > 1e-9)
  return first * h


begins = sliding("ramp", {"friction": {"ramp": {"from": 0.6, "to": 0.2, "duration": 2}}},
                 lambda t: 0.6 - 0.2 * t)
check_near("it slides once friction is below the slope, s", begins, (0.6 - TAN) / 0.2, 2e-3)
begins = sliding("reduced", {"friction": 0.6,
                             "reduction": {"ramp": {"from": 1, "to": 3, "duration": 2}}},
                 lambda t: 0.6 / (1 + t))
check_near("or once its reduction is above tan phi over the slope, s", begins, 0.6 / TAN - 1, 2e-3)
sliding("table", {"friction": {"table": [[0, 0.5], [0.5, 0.1], [1.5, 0.5]]}},
        lambda t: 0.5 - 0.8 * t if t < 0.5 else min(0.5, 0.1 + 0.4 * (t - 0.5)), end=0.6)

# a stone that hangs from a bond falls when its strength no longer takes the weight over the area; a
# point yields once a hundredth of its limit is missing, which is a hundredth of these times
hung = {"box": [1, 1, 1], "at": [0, 0, -1.5], "name": "hung"}
stress = 2000 * G


def falls(name, bond, more=None):
  described = case([floor, hung], end=1, step=1e-3)
  described["contacts"] = [{"between": ["stone", "stone"], "friction": 0.5, "bond": bond,
                            **(more or {})}]
  done = both(described, name)
  broken = [i for i, n in enumerate(done["broken_tension"]) if n > 0]
  check_same(f"{name}: the bond breaks", len(broken) > 0, True)
  return broken[0] * 1e-3 if broken else 0


check_near("strength in tension falls to the stress, s",
           falls("tension", {"cohesion": 10 * stress, "tensile_strength": {
             "ramp": {"from": 2 * stress, "to": 0, "duration": 1}}}), 0.5, 6e-3)
check_near("strength is reduced to it, s",
           falls("factor", {"cohesion": 10 * stress, "tensile_strength": 3 * stress},
                 {"reduction": {"ramp": {"from": 1, "to": 5, "duration": 0.8}}}), 0.4, 6e-3)
check_near("the cone of shear ends below it, s",
           falls("cone", {"cohesion": {"ramp": {"from": stress, "to": 0, "duration": 1}},
                          "tensile_strength": 2 * stress}), 0.5, 6e-3)

# restarts in the middle are the same
described = case([floor, slab], gravity=tilted(20), end=2, step=2e-3)
described["contacts"] = [{"between": ["stone", "stone"], "friction": {
  "smooth": {"from": 0.6, "to": 0.2, "duration": 2}}}]
whole = run(described, "whole")
run(described, "parts", 3, ("--steps", "600"), case_name="whole")
parts = run(described, "parts", 1, ("--restart",), case_name="whole")
check_same("a restart in the middle has the same hash", parts.hash, whole.hash)
finish()
