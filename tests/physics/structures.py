#!/usr/bin/env python3
"""Structures that a case states in a few lines stand under their weight, and fall where they must.

Every step converges, no stone moves, and what is held carries the weight of the rest. A thin arch
falls; a springer that gives way lets the keystone down.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 600
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish, run

G = 9.81
STANDING = 1e-8   # m in 0.1 s; a free fall is 49 mm
FLOOR = {"box": [30, 30, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}


def moved(done):
  """How far any body went from the first frame to the last, m."""
  start, end = done.bodies(0)["position"], done.bodies(-1)["position"]
  return numpy.linalg.norm(end - start, axis=1).max()


def carried(done, step=1e-3):
  """Vertical force on bodies that are not dynamic, from the contacts of the last frame, N."""
  contacts = done.contacts(-1)
  held = done.bodies(-1)["drive"] != 0
  low, high = contacts["bodies"].T
  vertical = contacts["reaction_world"][:, 2] / step   # on the lower body
  return (-vertical[held[low] & ~held[high]].sum() + vertical[~held[low] & held[high]].sum())


def stands(name, entry, floor=False, runner=run):
  """A structure at rest: each step is solved, no stone moves, and what is held carries the rest."""
  bodies = [{**entry, "name": name}] + ([FLOOR] if floor else [])
  done = runner(case(bodies, end=0.1, frames=0.1, friction=0.7), name)
  check_converged(name, done, 1e-9)
  check(f"{name}: steps that were not solved", done["unsolved"].sum(), "==", 0)
  check(f"{name}: the stone that moved most, m", moved(done), "<=", STANDING)
  state = done.bodies(-1)
  weight = state["mass"][state["drive"] == 0].sum() * G
  check_near(f"{name}: weight on what is held, N", carried(done), weight, 1e-6 * weight)


ARCH = {"span": 4, "thickness": 0.5, "depth": 1, "n": 15}
WALL = {"courses": 10, "bricks": 7, "brick": [0.5, 0.25, 0.2]}
WINDOW = [{"at": [1, 0.6], "size": [0.75, 0.6], "name": "window"},
          {"at": [2.25, 0], "size": [0.75, 1], "arch": {"rise": 0.2, "thickness": 0.25, "n": 9}}]

stands("semicircle", {"arch": ARCH}, runner=both)
stands("segment", {"arch": {**ARCH, "rise": 1}})
stands("pointed", {"arch": {**ARCH, "rise": 2.8, "form": "pointed"}})
stands("pointed-even", {"arch": {**ARCH, "rise": 2.8, "form": "pointed", "n": 14}})
stands("bridge", {"arch": {**ARCH, "rise": 1.4, "piers": {"height": 2, "width": 1.5, "courses": 4},
                           "spandrels": {"height": 2.5, "courses": 6, "length": 0.6}}})
stands("barrel", {"vault": {"span": 4, "thickness": 0.5, "n": 13, "length": 3, "rows": 4}})
stands("cross", {"vault": {"kind": "cross", "span": 4, "thickness": 0.6, "n": 13, "rows": 4}})
stands("cross-even", {"vault": {"kind": "cross", "span": 4, "rise": 1.6, "thickness": 0.6, "n": 12,
                                "rows": 3, "bond": "stack"}})
stands("dome", {"dome": {"span": 6, "thickness": 0.5, "meridians": 12, "hoops": 7}})
stands("oculus", {"dome": {"span": 6, "rise": 2, "thickness": 0.4, "meridians": 11, "hoops": 5,
                           "oculus": 1, "bond": "stack"}})
stands("column", {"column": {"drums": 6, "radius": 0.4, "height": 5, "taper": 0.8,
                             "base": [1, 1, 0.3], "capital": [0.9, 0.9, 0.2]}}, floor=True)
for bond in ("running", "stack", "english", "flemish"):
  stands(f"wall-{bond}", {"wall": {**WALL, "bond": bond, "leaves": 2, "openings": WINDOW}},
         floor=True)
stands("wall-tied", {"wall": {**WALL, "leaves": 2, "ties": {"courses": 2, "bricks": 3},
                              "ends": "toothed"}}, floor=True)

# least thickness of a semicircle: 0.1075 of the radius of its centre line
for share, falls in ((0.095, True), (0.12, False)):
  ring = {"span": 2 - share, "thickness": share, "depth": 0.3, "n": 27}
  done = run(case([{"arch": ring}], end=0.3, frames=0.3, friction=0.7,
                  solver={"tolerance": 1e-6}), f"thin-{share}")
  check(f"thickness {share}: the stone that moved most, m", moved(done), *(
    (">=", 1e-3) if falls else ("<=", 1e-6)))

# a pier that gives way by 2 mm: joints open, and the keystone comes down by more than nothing
piers = {**ARCH, "piers": {"height": 1, "courses": 2}}
leaving = [{"match": "pier_right.0", "motion": {"velocity": [0.02, 0, 0]}}]
done = run(case([{"arch": piers, "where": leaving}], end=0.1, frames=0.1, friction=0.7,
                solver={"tolerance": 1e-6}), "giving way")
down = done.bodies(0)["position"][7, 2] - done.bodies(-1)["position"][7, 2]
check("the keystone of an arch whose pier gives way goes down by, m", down, ">=", 5e-4)
check("and not by more than, m", down, "<=", 1e-2)

finish()
