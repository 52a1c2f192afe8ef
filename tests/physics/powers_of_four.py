#!/usr/bin/env python3
"""Lengths, masses and times scaled by powers of four: the same bits, scaled.

Sums, products, quotients and roots commute with such scales unless a number is too large or too
small, and nothing in the program may know how large a metre is. Each case runs as it is and scaled;
poses, velocities, momenta, gaps, reactions and the residuals of all steps must be equal after
scaling back, to the last bit.
"""
# test: ranks 1
import hashlib
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import TESTS, case, check, check_same, finish, run, tilted

# powers of four of length, mass, time
SCALES = ((5, 0, 0), (0, 6, 0), (0, 0, -4), (-3, -5, 2), (4, 9, -3))

# of the columns: exponents of length, mass, time
BODY_UNITS = {"position": (1, 0, 0), "orientation": (0, 0, 0), "velocity": (1, 0, -1),
              "spin": (0, 0, -1), "angular": (2, 1, -1), "mass": (0, 1, 0)}
CONTACT_UNITS = {"bodies": (0, 0, 0), "parts": (0, 0, 0), "features": (0, 0, 0),
                 "point": (1, 0, 0), "normal": (0, 0, 0), "gap": (1, 0, 0), "area": (2, 0, 0),
                 "reaction": (1, 1, -1), "reaction_world": (1, 1, -1)}
STEP_UNITS = {"points": (0, 0, 0), "sliding": (0, 0, 0), "sweeps": (0, 0, 0),
              "residual_max": (0, 0, 0), "penetration": (1, 0, 0), "kinetic_energy": (2, 1, -2),
              "contact_work": (2, 1, -2), "correction_work": (2, 1, -2),
              "angular_momentum_y": (2, 1, -1)}


def factor(unit, scale):
  return 4.0 ** sum(u * s for u, s in zip(unit, scale))


def number(text, bits=24):
  """A number in [0, 1) from a hash, of few bits, so that a scaled one is written exactly."""
  return int.from_bytes(hashlib.sha256(text.encode()).digest()[:3], "little") / 2 ** bits


def heap(scale):
  """Boxes and wedges in all orientations that fall on each other between two fixed blocks."""
  length, inverse_time = factor((1, 0, 0), scale), factor((0, 0, -1), scale)
  bodies = [{"box": [6 * length, 6 * length, length], "at": [0, 0, -0.5 * length], "fixed": True}]
  for i in range(36):
    x, y, z = i % 3, i // 3 % 3, i // 9
    size = [(0.25 + 0.25 * number(f"size {i} {k}")) * length for k in range(3)]
    kind = {"wedge": size} if i % 5 == 0 else {"box": size}
    if i % 7 == 3:
      kind = {"sphere": {"radius": 0.5 * size[0]}}
    bodies.append({**kind,
                   "at": [(0.6 * (x - 1) + 0.1 * number(f"x {i}")) * length,
                          (0.6 * (y - 1) + 0.1 * number(f"y {i}")) * length,
                          (0.4 + 0.6 * z) * length],
                   "turn": {"axis": [number(f"a {i}") - 0.5, number(f"b {i}") - 0.5, 0.25],
                            "angle": 360 * number(f"angle {i}")},
                   "velocity": [0, 0, -1 * length * inverse_time],
                   "spin": [0, number(f"spin {i}") * inverse_time, 0]})
  return bodies


def stones(scale):
  """Random stones of many sizes, a wall, an arch, and an L from a mesh."""
  length = factor((1, 0, 0), scale)
  return [
    {"box": [16 * length, 8 * length, length], "at": [0, 0, -0.5 * length], "fixed": True},
    {"stones": {"shapes": [{"random": {"points": 16, "variety": 3}, "share": 1},
                           {"box": [length, length, length], "share": 1}],
                "sizes": {"table": [[0.125 * length, 0], [0.25 * length, 1]], "classes": 3},
                "lattice": {"count": [3, 3, 3], "spacing": [0.625 * length] * 3, "jitter": 1}},
     "at": [-4 * length, 0, 0.5 * length]},
    {"mesh": {"file": "l.obj", "scale": 0.25 * length}, "at": [-4 * length, 2.5 * length, 0]},
    {"wall": {"courses": 3, "bricks": 3, "brick": [0.5 * length, 0.25 * length, 0.25 * length],
              "joint": 0}, "at": [0, 0, 0]},
    {"arch": {"voussoirs": 7, "radius": 1 * length, "thickness": 0.25 * length,
              "width": 0.5 * length}, "at": [4 * length, 0, 0]}]


def scaled(make, scale, restitution, steps):
  step = 2.0 ** -9 * factor((0, 0, 1), scale)
  gravity = tilted(6)
  return case(make(scale), step=step, end=steps * step, frames=steps * step,
              gravity=tuple(g * factor((1, 0, -2), scale) for g in gravity), friction=0.5,
              restitution=restitution, densities={"stone": 2000 * factor((-3, 1, 0), scale)},
              solver={"tolerance": 1e-6, "max_sweeps": 200})


def differing(rows, others, units, scale):
  """Columns that differ, and by how much at most relative to their largest value."""
  found = []
  for name, unit in units.items():
    mine, theirs = rows[name], others[name]
    if mine.dtype.kind == "f":
      theirs = theirs / factor(unit, scale)
    if mine.shape != theirs.shape:
      found.append(f"{name} (rows)")
    elif not numpy.array_equal(mine, theirs):
      found.append(f"{name} ({abs(mine - theirs).max() / max(abs(mine).max(), 1e-300):.2g})")
  return found


shutil.copy(os.path.join(TESTS, "meshes", "l.obj"), ".")
for name, make, restitution, steps in (("heap", heap, 0.25, 200), ("stones", stones, 0, 100)):
  plain = run(scaled(make, (0, 0, 0), restitution, steps), name)
  check(f"{name}: points at the end", plain["points"][-1], ">", 30)
  for scale in SCALES:
    text = f"{name}: lengths times 4^{scale[0]}, masses 4^{scale[1]}, times 4^{scale[2]}"
    other = run(scaled(make, scale, restitution, steps), f"{name}_scaled")
    check_same(f"{text}: steps that differ", differing(plain.columns, other.columns, STEP_UNITS,
                                                       scale), [])
    check_same(f"{text}: bodies", differing(plain.bodies(), other.bodies(), BODY_UNITS, scale), [])
    check_same(f"{text}: contacts", differing(plain.contacts(), other.contacts(), CONTACT_UNITS,
                                              scale), [])
finish()
