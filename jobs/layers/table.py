#!/usr/bin/env python3
"""jobs/layers/table.py RESULTS   the three cases beside theory; ends with 1 where one is off."""
# test: needs python3
import csv
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from beside_theory import print_rows   # noqa: E402, its folder is known only now

G, K, RADIUS = 9.81, 1e6, 0.25


def history(name):
  """Columns of a case; its one body has 1 kg, so that its momentum is its velocity."""
  with open(os.path.join(sys.argv[1], name, "history.csv"), encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
  return lambda column: [float(row[column]) for row in rows]


def segment(mass):
  """J of the segment with which a cylinder of length 1 rests, per length: k V = m g cos."""
  low, high = 0.0, 1.0   # half the angle of the segment
  for _ in range(200):
    half = 0.5 * (low + high)
    area = RADIUS**2 * (half - math.sin(half) * math.cos(half))
    low, high = (half, high) if K * area < mass * G * math.cos(math.radians(15)) else (low, half)
  # integral of x^2 over the columns sqrt(R^2 - x^2) - R cos
  count, chord = 20000, RADIUS * math.sin(half)
  x = [-chord + 2 * chord * (i + 0.5) / count for i in range(count)]
  return sum(u * u * (math.sqrt(RADIUS**2 - u * u) - RADIUS * math.cos(half)) for u in x) \
      * 2 * chord / count


rows = []
block = history("block")
time, energy, speed = block("time"), block("volume_energy"), block("momentum_x")
rest = min(i for i, t in enumerate(time) if t > 0.4995)
rows.append(("block: depth of rest, m", 2 * energy[rest] / G, G / (K * 0.5), 1e-6))
overshoot = (max(energy[:rest]) / energy[rest])**0.5
rows.append(("block: overshoot from no depth", overshoot, None, None))
push = G * (0.5 - 0.5 * math.sqrt(0.75))
late = min(i for i, t in enumerate(time) if t > 1.4995)   # (the joint has leant with gravity)
rows.append(("block: gains in 3 s of sliding, m/s", speed[-1] - speed[late], 3 * push, 1e-3))

disk = history("disk")
spin = [a / (0.5 * RADIUS**2) for a in disk("angular_momentum_z")]
start = 5 * math.pi
slow = min(i for i, w in enumerate(spin) if w < 0.2 * start)
stop = disk("time")[slow] * start / (start - spin[slow])
rows.append(("disk: it stops after, s", stop, 3 * RADIUS * start / (4 * 0.6 * G), 0.005))

cylinder = history("cylinder")
loss = K * 10 * segment(1) / (1.5 * RADIUS**2)
fall = 2 / 3 * G * math.sin(math.radians(15)) * (1 - math.exp(-3.5 * loss)) / loss
rows.append(("cylinder: speed after 3.5 s, m/s", cylinder("momentum_x")[-1], fall, 0.005))

sys.exit(print_rows(rows, 40) > 0)
