#!/usr/bin/env python3
"""Boxes that fall on a heap, e = 0: none pops, all come to rest and stay.

A box pops when overlap, edges or corners throw it, so that its own energy rises though nothing hits
it. Seen here: total energy never exceeds what the fall has released; once a thousandth of that is
left no box has a tenth of it on its way up; and after the last overlap is gone positions do not
change.
"""
# test: needs python3 python3-numpy
# test: slow
# test: ranks 3
# test: timeout 600
import hashlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, finish

G, STEP, END, EVERY = 9.81, 2e-3, 3.2, 0.02
ROWS, LAYERS, TOLERANCE = 3, 4, 1e-6


def number(text):
  """A number in [0, 1) from a hash."""
  return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "little") / 2 ** 32


def heap():
  """Boxes of all proportions in all orientations above a pit with walls."""
  walls = [{"box": [4, 4, 1], "at": [0, 0, -0.5]}]
  walls += [{"box": [0.4, 4, 2], "at": [x, 0, 1]} for x in (-1.3, 1.3)]
  walls += [{"box": [2.2, 0.4, 2], "at": [0, y, 1]} for y in (-1.3, 1.3)]
  bodies = [{**wall, "fixed": True} for wall in walls]
  for i in range(ROWS * ROWS * LAYERS):
    x, y, z = i % ROWS, i // ROWS % ROWS, i // ROWS ** 2
    bodies.append({"box": [0.2 + 0.25 * number(f"size {i} {k}") for k in range(3)],
                   "at": [0.7 * (x - 1), 0.7 * (y - 1), 0.5 + 0.7 * z],
                   "turn": {"axis": [number(f"a {i}") - 0.5, number(f"b {i}") - 0.5,
                                     number(f"c {i}") - 0.5], "angle": 360 * number(f"d {i}")}})
  return case(bodies, friction=0.5, step=STEP, end=END, frames=EVERY,
              solver={"tolerance": TOLERANCE, "max_sweeps": 20000})


done = both(heap(), "heap")
frames = [done.bodies(frame) for frame in done.results.frames]
times = done.results.times
mass = frames[0]["mass"]
moving = frames[0]["drive"] == 0
height = numpy.array([(mass * state["position"][:, 2])[moving].sum() for state in frames])
released = G * (height[0] - height[-1])

# energy of the whole, at every step: what is there less what loads have put in
start = done["kinetic_energy"][0] - done["load_work"][0] - done["contact_work"][0]
excess = done["kinetic_energy"] - start - numpy.cumsum(done["load_work"])
check("energy beyond that of the fall, over what it released", excess.max() / released, "<=", 1e-3)
gained = numpy.diff(done["kinetic_energy"]) - done["load_work"][1:]
check("energy gained in any step beyond the work of weights, over that released",
      gained.max() / released, "<=", 1e-4)
check("work of the correction of positions in any step, over that released",
      abs(done["correction_work"]).max() / released, "<=", 1e-3)

# from where the heap holds a thousandth of the energy on, no box gets fast again
energy = done["kinetic_energy"]
quiet = done["time"][numpy.nonzero(energy > 1e-3 * released)[0][-1]]
check("time from which the heap is quiet, s", quiet, "<", 0.75 * END)
speeds = numpy.array([numpy.linalg.norm(state["velocity"][moving], axis=1) for state in frames])
upward = numpy.array([state["velocity"][moving][:, 2] for state in frames])
rising = 0.5 * mass[moving] * numpy.maximum(upward[times > quiet + 0.1], 0) ** 2
check("largest energy of a box on its way up when the heap is quiet, over a thousandth of the fall",
      rising.max() / (1e-3 * released), "<", 0.1)

# at rest: the last tenth of a second
check("kinetic energy at the end over that released", energy[-1] / released, "<", 1e-9)
ways = numpy.linalg.norm(frames[-1]["position"] - frames[-1 - round(0.1 / EVERY)]["position"],
                         axis=1)
check("largest way of a box in the last 0.1 s, C of C tol g h^2 N",
      ways.max() / (TOLERANCE * G * STEP * 0.1), "<=", 100)
check("penetration at the end, m", done["penetration"][-1], "<", 1e-4)
inside = abs(frames[-1]["position"][moving][:, :2]).max()
check("distance of the outermost box from the axis, m", inside, "<", 1.1)
check("largest share of steps above the tolerance", (done["residual_max"] > TOLERANCE).mean(), "<=",
      0.0)
print(f"        released {released:.4g} J, quiet from {quiet:.3g} s on, fastest box at the end"
      f" {speeds[-1].max():.3g} m/s")
finish()
