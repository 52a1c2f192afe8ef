#!/usr/bin/env python3
"""Models of few digits: faces are flat, joints have one plane, and every step converges.

A cross vault of our own, rounded to three decimals of a centimetre, always runs. The crossvault of
compas_dem is read where MASONRY_FILES names its folder, or ../shared/masonry beside the repository
is one.
"""
# test: needs python3 python3-numpy tetgen
# test: ranks 3
# test: timeout 300
import json
import math
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import TESTS, both, case, check, check_near, check_same, finish, program, run

NEAR = os.path.join(os.path.dirname(TESTS), "..", "shared", "masonry")
MASONRY = os.environ.get("MASONRY_FILES", NEAR)
QUADS = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def meshed(path, *options):
  text = subprocess.run([program, "mesh", "--json", path, *options], stdout=subprocess.PIPE,
                        check=True, text=True).stdout
  return json.loads(text)["totals"]


def barrel(path, courses=3, stones=9, digits=3):
  """A barrel vault on two springers, turned about the vertical, in cm; stones break joint."""
  turn = math.radians(33)
  blocks = []
  for course in range(courses):
    for stone in range(stones):
      low, high = (math.pi * (0.1 + 0.8 * (stone + k) / stones) for k in (0, 1))
      for half in range(2):
        near = 40.0 * course + 20.0 * half + (10.0 if stone % 2 else 0.0)
        blocks.append([(r * math.cos(a), y, r * math.sin(a)) for y in (near, near + 20.0)
                       for a, r in ((low, 150.0), (low, 175.0), (high, 175.0), (high, 150.0))])
  with open(path, "w", encoding="utf-8") as file:
    first = 1
    for number, corners in enumerate(blocks):
      support = (number // 2) % stones in (0, stones - 1)
      file.write(f"o {'springer' if support else 'stone'}_{number}\n")
      for x, y, z in corners:
        p = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), z)
        file.write("v " + " ".join(f"{c:.{digits}f}" for c in p) + "\n")
      for quad in QUADS:
        file.write("f " + " ".join(str(first + k) for k in quad) + "\n")
      first += 8


def check_converges(name, done, steps):
  check_same(f"{name}: steps", len(done["step"]), steps)
  check(f"{name}: steps above the tolerance", done["unsolved"].sum(), "==", 0)


def stands(path, supports, scale, name, how=both):
  model = {"mesh": {"file": path, "scale": scale}, "name": "vault",
           "where": [{"match": supports, "fixed": True}]}
  return how(case([model], end=0.1, frames=0.1, friction=0.6, densities={"stone": 2400.0},
                  solver={"tolerance": 1e-6}), name)


barrel("barrel.obj")
totals = meshed("barrel.obj")
check_same("barrel: parts of 54 stones", totals["parts"], 54)
check("barrel: joints with one plane", totals["flat"]["joints"], ">=", 8 * 3)
check("barrel: moved by, cm", totals["flat"]["farthest"], "<=", 4e-3)
check("barrel as it is: planes", meshed("barrel.obj", "--flat", "0")["polygons"], ">", 6 * 54)
check_same("barrel: planes", totals["polygons"], 6 * 54)
done = stands("barrel.obj", ["springer_*"], 0.01, "barrel")
check_converges("barrel", done, 100)
move = numpy.linalg.norm(done.bodies(-1)["position"] - done.bodies(0)["position"], axis=1).max()
check("barrel: moved in 0.1 s, m", move, "<=", 1e-8)

source = os.path.join(MASONRY, "compas_dem", "crossvault.obj")
if not os.path.exists(source):
  print("skipped: crossvault.obj (MASONRY_FILES names no folder that has it)")
  finish()
if not shutil.which("tetgen"):
  print("skipped: crossvault.obj (no tetgen, which fills blocks that are not convex)")
  finish()
if not os.path.exists("crossvault.obj"):
  os.symlink(os.path.abspath(source), "crossvault.obj")
FEET = [f"Mesh {number}" for number in range(180, 184)]
for scale in (1e-3, 1e-2, 1.0, 1e3):
  totals = meshed("crossvault.obj", "--scale", str(scale))
  check_same(f"crossvault at {scale:g}: convex/parts", f"{totals['convex']}/{totals['parts']}",
             "144/260")
  check_near(f"crossvault at {scale:g}: moved by, of the scale",
             totals["flat"]["farthest"] / scale, 0.01103, 1e-4)
  done = stands("crossvault.obj", FEET, scale, f"crossvault-{scale:g}",
                both if scale == 1e-2 else run)
  check_converges(f"crossvault at {scale:g}", done, 100)
finish()
