#!/usr/bin/env python3
"""jobs/laws/table.py RESULTS   both schemes beside limit analysis; ends with 1 where one is off."""
# test: needs python3
import csv
import json
import os
import re
import sys

G = 9.81
ARCH = 0.0957   # the least thickness of seven voussoirs, of the radius
# what a limit may be off by: the interval of the search, and falls that are too slow to tell
OFF = {"arch": 0.01, "tower": 0.02, "wall": 0.02}


def read(name):
  with open(os.path.join(sys.argv[1], name), encoding="utf-8") as file:
    return file.read()


def theory(scene):
  if scene == "arch":
    return ARCH
  return G * json.loads(read(f"{scene}-statics.json"))["most"]["static"]


def measured(scene, scheme):
  """Limit, displacement of the scene that stands, iterations of its steps, seconds."""
  answer = json.loads(read(f"{scene}-{scheme}-limit/limit.json"))["answer"]
  rows = list(csv.DictReader(read(f"{scene}-{scheme}/history.csv").splitlines()))
  outcome = json.loads(read(f"{scene}-{scheme}/outcome.json"))
  info = json.loads(read(f"{scene}-{scheme}-info.json"))
  seconds = float(re.search(r"^total +([0-9.]+)", read(f"{scene}-{scheme}.txt"), re.M).group(1))
  return {"limit": 0.5 * (answer["value_until"] + answer["value_from"]),
          "verdict": outcome["verdict"], "moved": info["largest_displacement"],
          "steps": len(rows), "seconds": seconds,
          "solves": sum(int(row["sweeps"]) for row in rows),
          "unsolved": sum(int(row["unsolved"]) for row in rows)}


print(f"{'':24s}{'limit':>9s}{'theory':>9s}{'off by':>9s}{'moved, m':>10s}{'iterations':>11s}"
      f"{'unsolved':>9s}{'seconds':>9s}{'times':>7s}")
bad = 0
for scene in ("arch", "tower", "wall"):
  seconds = None
  for scheme in ("non-smooth", "barrier"):
    of, exact = measured(scene, scheme), theory(scene)
    off = of["limit"] / exact - 1
    seconds = seconds or of["seconds"]
    bad += not abs(off) <= OFF[scene] or of["verdict"] != "holds"
    print(f"{scene + ', ' + scheme:24s}{of['limit']:9.4f}{exact:9.4f}{off:9.1%}{of['moved']:10.1e}"
          f"{of['solves'] / of['steps']:11.1f}{of['unsolved']:9d}{of['seconds']:9.2f}"
          f"{of['seconds'] / seconds:7.1f}")
print("limit: thickness of the arch, m, and gravity along x at which tower and wall fall, m/s2\n"
      "iterations: in the mean of the steps of the scene that stands, Newton steps of the barrier\n"
      "times: beside the non-smooth scheme")
print("as expected" if bad == 0 else f"NOT as expected: {bad} lines")
sys.exit(bad > 0)
