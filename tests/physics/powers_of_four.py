#!/usr/bin/env python3
"""Lengths, masses and times scaled by powers of four: the same bits, scaled.

Sums, products, quotients and roots commute with such scales unless a number is too large or too
small, and nothing in the program may know how large a metre is. Each case runs as it is and scaled;
poses, velocities, momenta, gaps, reactions and the residuals of all steps must be equal after
scaling back, to the last bit.
"""
# test: needs python3 python3-numpy tetgen
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
              "angular_momentum_y": (2, 1, -1),
              "load_work": (2, 1, -2), "prescribed_work": (2, 1, -2), "bonds": (0, 0, 0),
              "broken_tension": (0, 0, 0), "broken_shear": (0, 0, 0)}


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


def mortar(scale):
  """A wall in mortar on a shaking table, hit by a ball and wrung by loads; a turning paddle."""
  length = factor((1, 0, 0), scale)
  return [
    {"box": [6 * length, 4 * length, length], "at": [0, 0, -0.5 * length],
     "motion": {"acceleration": {"cosine": {
       "amplitude": [8 * factor((1, 0, -2), scale), 0, 0], "phase": 30,
       "angular_frequency": 64 * factor((0, 0, -1), scale)}}}},
    {"wall": {"courses": 4, "bricks": 3, "brick": [0.5 * length, 0.25 * length, 0.25 * length],
              "joint": 0}, "at": [0, 0, 0], "name": "wall"},
    {"box": [0.25 * length] * 3, "at": [-2 * length, 0, 0.125 * length], "name": "block"},
    {"sphere": {"radius": 0.125 * length}, "at": [0.5 * length, -0.75 * length, 0.75 * length],
     "velocity": [0, 8 * factor((1, 0, -1), scale), 0]},
    {"box": [length, 0.125 * length, 0.5 * length],
     "at": [-2 * length, -0.5 * length, 0.375 * length],
     "motion": {"spin": [0, 0, 2 * factor((0, 0, -1), scale)],
                "about": [-1.5 * length, -0.5 * length, 0.375 * length]}}]


def mortar_laws(scale):
  """Bonds that some points yield to, and loads in time on two names."""
  time, force, stress = (factor(u, scale) for u in ((0, 0, 1), (1, 1, -2), (-1, 1, -2)))
  torque, length = factor((2, 1, -2), scale), factor((1, 0, 0), scale)
  return {
    "contacts": [{"between": ["stone", "stone"], "friction": 0.5, "restitution": 0.25,
                  "bond": {"cohesion": 16384 * stress, "tensile_strength": 8192 * stress}}],
    "loads": [{"on": "wall", "force": {"table": [[0, 0, 0, 0], [0.0625 * time, 0, 64 * force, 0]]},
               "at": [0.125 * length, 0, 0.0625 * length]},
              {"on": "block", "frame": "body", "torque": {"sum": [
                [0, 0, 8 * torque], {"cosine": {"amplitude": [0, 16 * torque, 0],
                                                "angular_frequency": 128 / time}}]}}]}


def scaled(make, scale, restitution, steps, laws=lambda scale: {}):
  step = 2.0 ** -9 * factor((0, 0, 1), scale)
  gravity = tilted(6)
  return case(make(scale), step=step, end=steps * step, frames=steps * step,
              gravity=tuple(g * factor((1, 0, -2), scale) for g in gravity), friction=0.5,
              restitution=restitution, densities={"stone": 2000 * factor((-3, 1, 0), scale)},
              solver={"tolerance": 1e-6, "max_sweeps": 200}, **laws(scale))


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
for name, make, restitution, steps, *laws in (("heap", heap, 0.25, 200), ("stones", stones, 0, 100),
                                              ("mortar", mortar, 0.25, 60, mortar_laws)):
  plain = run(scaled(make, (0, 0, 0), restitution, steps, *laws), name)
  check(f"{name}: points at the end", plain["points"][-1], ">", 30)
  if laws:
    check(f"{name}: points of bonds that broke in tension", plain["broken_tension"].sum(), ">", 4)
    check(f"{name}: points of bonds that broke in shear", plain["broken_shear"].sum(), ">", 4)
    check(f"{name}: whole ones at the end", plain["bonds"][-1], ">", 4)
    for work in ("load_work", "prescribed_work"):
      check(f"{name}: largest {work} of a step, J", abs(plain[work]).max(), ">", 0.01)
  for scale in SCALES:
    text = f"{name}: lengths times 4^{scale[0]}, masses 4^{scale[1]}, times 4^{scale[2]}"
    other = run(scaled(make, scale, restitution, steps, *laws), f"{name}_scaled")
    check_same(f"{text}: steps that differ", differing(plain.columns, other.columns, STEP_UNITS,
                                                       scale), [])
    check_same(f"{text}: bodies", differing(plain.bodies(), other.bodies(), BODY_UNITS, scale), [])
    check_same(f"{text}: contacts", differing(plain.contacts(), other.contacts(), CONTACT_UNITS,
                                              scale), [])
finish()
