#!/usr/bin/env python3
"""The angle of friction of runs of shear.yaml: shear_angle.py FOLDER ...

Force on the lower box along the way over that across, summed over the frames of the second half of
the stage `shear`, and in its sixths; beside it the mean pressure of the lid over that wanted.
"""
# test: needs python3 python3-numpy
import json
import math
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "io", "python"))
import drystone   # noqa: E402, its folder is known only now
import numpy   # noqa: E402

STEP, PRESSURE, SIDE = 2e-3, 5e4, 1.19   # of the case


def pushed(results, body, frame):
  """The force of contacts on a body, N."""
  contacts = results.contacts(frame)
  low, high = (contacts["bodies"][:, side] == body for side in (0, 1))
  reaction = contacts["reaction_world"]
  return (reaction[low].sum(axis=0) - reaction[high].sum(axis=0)) / STEP


def angle(forces):
  total = sum(forces)
  return math.degrees(math.atan2(abs(total[0]), abs(total[2])))


for folder in sys.argv[1:]:
  results = drystone.open(folder)
  with open(os.path.join(folder, "outcome.json"), encoding="utf-8") as file:
    start = json.load(file)["stages"][0]["time"]
  frames = [frame for frame, time in zip(results.frames, results.times) if time > start + STEP / 2]
  forces = [pushed(results, 0, frame) for frame in frames]
  lid = len(results.bodies(frames[-1])["mass"]) - 1
  half = len(frames) // 2
  pressure = numpy.mean([pushed(results, lid, frame)[2] for frame in frames[half:]])
  sixths = [angle(forces[i * len(frames) // 6:(i + 1) * len(frames) // 6]) for i in range(6)]
  print(f"{folder}: {angle(forces[half:]):.2f} degrees; in sixths"
        f" {' '.join(f'{a:.1f}' for a in sixths)}; pressure {pressure / PRESSURE / SIDE ** 2:.3f}")
