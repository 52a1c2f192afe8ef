#!/usr/bin/env python3
"""What rests stays: a wall under tilted gravity, an arch and blocks of many parts creep by no more
than C tol g h^2 N in N steps, at any tolerance; C is printed and at most 100. From a warm start a
step takes a few sweeps.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, finish, tilted

G, STEP, STEPS = 9.81, 1e-3, 1000
FEW = 10   # sweeps or iterations


def scene(tolerance, steps):
  floor = {"box": [12, 6, 1], "at": [0, 0, -0.5], "fixed": True}
  wall = {"wall": {"courses": 4, "bricks": 3, "brick": [0.4, 0.2, 0.175]}, "at": [-3, 0, 0]}
  arch = {"arch": {"voussoirs": 9, "radius": 1, "thickness": 0.3, "width": 0.3}, "at": [1, 0, 0]}
  # a stone of four parts that carries another one across their seams: redundant points
  parts = [{"box": [0.3, 0.3, 0.2], "at": [x, y, 0]} for x in (-0.15, 0.15) for y in (-0.15, 0.15)]
  cut = {"parts": parts, "at": [4, 0, 0.1]}
  upper = {"box": [0.5, 0.5, 0.2], "at": [4, 0, 0.3]}
  return case([floor, wall, arch, cut, upper], gravity=tilted(4, (1, 0)), friction=0.6, step=STEP,
              end=steps * STEP, frames=0.5 * steps * STEP, solver={"tolerance": tolerance})


def check_rest(name, done, tolerance, steps):
  """Ways from the start, and in the second half, when everything has settled into the slop."""
  check_converged(name, done, tolerance)
  places = [done.bodies(frame)["position"] for frame in (0, 1, -1)]
  ways = [numpy.linalg.norm(places[-1] - place, axis=1).max() for place in places[:2]]
  print(f"        {name}: ways {ways[0]:.3g} m, {ways[1]:.3g} m in the second half;"
        f" sweeps {done['sweeps'][0]:.0f}, then {done['sweeps'][1:].mean():.3g} on average")
  scale = tolerance * G * STEP * STEP * steps
  check(f"{name}: largest way, C of C tol g h^2 N", ways[0] / scale, "<=", 100)
  check(f"{name}: average of sweeps in later steps", done["sweeps"][1:].mean(), "<=", FEW)
  return ways[0]


if __name__ == "__main__":
  for tolerance in (1e-3, 1e-6, 1e-9):
    name = f"tolerance_{tolerance:g}"
    check_rest(name, both(scene(tolerance, STEPS), name), tolerance, STEPS)
  finish()
