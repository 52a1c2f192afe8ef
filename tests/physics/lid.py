#!/usr/bin/env python3
"""Stones in a drum settle until forces are in balance; a lid comes down and presses with 10 kPa.

One case with three stages runs to its end by itself: `settle` and `press` end by the unbalanced
force ratio, 1e-4, and `hold` by its time. The lid hangs above the stones while they settle, since
its servo asks for nothing then. In each frame of `hold` the stones push it with 10 kPa within a
percent. LID_STONES says how many stones there are; 600 of them take
some ten minutes of a processor.
"""
# test: needs python3 python3-numpy
# test: timeout 300
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import case, check, check_same, finish, run

STONES = int(os.environ.get("LID_STONES", "40"))
SIDES, STEP, PRESSURE, REST = 16, 2e-3, 1e4, 1e-4
FRACTION, STONE = 0.55, 3.98e-4   # solid share of the room; of a stone, m3
room = STONES * STONE / FRACTION
radius = (room / math.pi / 1.15) ** (1 / 3)
height = room / math.pi / radius ** 2
across = radius + 0.01
area = 0.5 * SIDES * across ** 2 * math.sin(2 * math.pi / SIDES)

drum = {"container": {"drum": {"radius": radius + 0.02, "height": 2 * height, "sides": SIDES},
                      "thickness": 0.1}, "material": "steel", "name": "drum"}
stones = {"stones": {"shapes": [{"random": {"points": 12, "ratios": [1.3, 1, 0.75],
                                            "variety": 12}}],
                     "sizes": {"table": [[0.085, 0], [0.125, 1]], "by": "mass"},
                     "fill": {"cylinder": {"radius": radius, "height": height},
                              "fraction": FRACTION}}, "at": [0, 0, 0.01], "name": "stones"}
lid = {"prism": {"sides": SIDES, "radius": across, "height": 0.05}, "at": [0, 0, height + 0.045],
       "material": "steel", "name": "lid", "motion": {"free": ["z"]}}
DAMPING = {"local": 0.7, "mass": 20}


def end(**until):
  return {"until": until}


described = case(
  [drum, stones, lid], step=STEP, end=20, densities={"stone": 2600.0, "steel": 7800.0},
  solver={"tolerance": 1e-4, "stop": {"unbalanced": 3e-3}},
  servos=[{"on": "lid", "axis": "z", "pressure": PRESSURE, "area": area, "speed": 0.5}],
  stages=[{"name": "settle", "damping": DAMPING, "servos": [{"on": "lid", "pressure": 0}],
           **end(unbalanced=REST)},
          {"name": "press", "damping": DAMPING, **end(unbalanced=REST)},
          {"name": "hold", "damping": DAMPING, **end(time=0.2),
           "output": {"frames": {"every": 0.01}}}])
for law in described["contacts"]:
  law["friction"] = {2: 0.3, 1: 0.5}[len(set(law["between"]))]
done = run(described, "lid")

with open("lid/outcome.json", encoding="utf-8") as file:
  said = json.load(file)
check_same("verdicts of the stages", [of["verdict"] for of in said["stages"]], ["holds"] * 3)
ends = [of["step"] for of in said["stages"]]
for name, at in zip(("settle", "press"), ends):
  check(f"{name}: unbalanced at its end", done["unbalanced"][at - 1], "<=", REST)

body = len(done.bodies()["mass"]) - 1
frames = [frame for frame, time in zip(done.results.frames, done.results.times)
          if time > said["stages"][1]["time"] + 0.5 * STEP]
pressures = []
for frame in frames:
  contacts = done.contacts(frame)
  low, high = (contacts["bodies"][:, side] == body for side in (0, 1))
  force = contacts["reaction_world"][low].sum(axis=0) - contacts["reaction_world"][high].sum(axis=0)
  pressures.append(force[2] / STEP / area)
check("hold: frames", len(frames), ">=", 20)
for name, found in (("least", min(pressures)), ("mean", numpy.mean(pressures)),
                    ("largest", max(pressures))):
  check(f"hold: {name} pressure over that wanted, less one",
        abs(found / PRESSURE - 1), "<=", 0.01)
missed = done["residual_max"] > 1e-4 * (1 + 1e-12)
check("hold: steps above the tolerance", missed[ends[1]:].sum(), "<=", 0)
check("share of steps above it", missed.mean(), "<=", 0.005)
print(f"        {STONES} stones, {len(missed)} steps, {missed.sum()} above the tolerance,"
      f" {done['sweeps'].sum():.0f} iterations, {done['factorisations'].sum():.0f} factorisations")
finish()
