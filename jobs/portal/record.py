#!/usr/bin/env python3
"""jobs/portal/record.py [FILE]   writes the record of the portal, a PEER file (portal.AT2).

It is no earthquake: six Ricker pulses of 0.8 to 2.5 Hz one after the other, 0.3 g at most, in steps
of 0.02 s. Their sum has no velocity left at its end.
"""
# test: needs python3
import math
import sys

STEP, VALUES = 0.02, 300
# when, s; frequency, Hz; amplitude, g
PULSES = ((1.0, 1.2, 0.12), (1.7, 2.0, -0.22), (2.3, 2.5, 0.26), (2.9, 1.5, -0.30),
          (3.7, 0.8, 0.16), (4.5, 1.2, -0.08))


def acceleration(time):
  """Of the ground, g."""
  total = 0.0
  for at, frequency, amplitude in PULSES:
    a = (math.pi * frequency * (time - at)) ** 2
    total += amplitude * (1 - 2 * a) * math.exp(-a)
  return total


values = [acceleration(STEP * i) for i in range(VALUES)]
values[0] = values[-1] = 0.0
lines = ["DRYSTONE, SYNTHETIC RECORD OF SIX RICKER PULSES", "jobs/portal/record.py",
         "ACCELERATION TIME HISTORY IN UNITS OF G", f"NPTS= {VALUES}, DT= {STEP:.5f} SEC"]
lines += ["".join(f"{value:15.7E}" for value in values[i:i + 5]) for i in range(0, VALUES, 5)]
with open(sys.argv[1] if len(sys.argv) > 1 else "portal.AT2", "w", encoding="utf-8") as file:
  file.write("\n".join(lines) + "\n")
