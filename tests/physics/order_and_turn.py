#!/usr/bin/env python3
"""The order of bodies in the file, and the axes in which a scene is described, decide nothing.

Scenes without impacts run as they are, with the bodies in another order, and turned as a whole with
gravity. After 100 steps velocities must agree within C tol g h; C is printed and at most 100. Where
bodies slide fast, tolerances are relative to their speed, as the residual is, in the place of g h.
Reactions are compared by their resultant for each pair of bodies, where statics leaves these no
choice; a wall in bond has many answers, and there only velocities are compared.
"""
# test: needs python3 python3-numpy
# test: ranks 1
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import case, check, check_converged, finish, run, tilted

G, STEP, STEPS = 9.81, 1e-3, 100
AXIS, ANGLE = numpy.array([3, -2, 5]) / math.sqrt(38), math.radians(67)


def turning(axis, angle):
  """The matrix of a turn about a unit vector."""
  x, y, z = axis
  cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
  return numpy.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


TURN = turning(AXIS, ANGLE)


def box(size, at, **more):
  return {"box": list(size), "at": list(at), **more}


def floor(size=8):
  return box((size, size, 1), (0, 0, -0.5), fixed=True)


def tower():
  """Ten blocks of different sizes, one on the other: every pair's force follows from statics."""
  bodies, z = [floor()], 0.0
  for i in range(10):
    height = 0.2 + 0.03 * (i * 7 % 10)
    bodies.append(box((0.8 - 0.04 * (i % 3), 0.7, height), (0.01 * (i % 4), 0, z + 0.5 * height)))
    z += height
  return bodies


def wall():
  bodies, bricks = [floor()], 4
  for course in range(6):
    half = course % 2
    for k in range(bricks + half):
      short = half and k in (0, bricks)
      x = 0.4 * (k + 0.5) if not half else 0.4 * k + (0.1 if k == 0 else -0.1 if short else 0)
      bodies.append(box((0.2 if short else 0.4, 0.2, 0.175), (x - 0.8, 0, 0.175 * (course + 0.5))))
  return bodies


def slide(start=0.0):
  """Blocks that slide down at different speeds, some of which carry others that stick to them.

  With one friction everywhere what is carried would be just about to slide.
  """
  bodies = [floor(12)]
  for i in range(6):
    size = (0.5 + 0.05 * i, 0.4, 0.3)
    speed = [start * (1 + 0.4 * i), start * 0.2 * (i % 3), 0]
    bodies.append(box(size, (-2, 0.8 * (i - 2.5), 0.15), velocity=speed))
    if i % 2:
      bodies.append(box((0.3, 0.3, 0.2), (-2, 0.8 * (i - 2.5), 0.4), velocity=speed,
                        material="rough"))
  return bodies


def fast_slide():
  return slide(0.5)


def reordered(bodies):
  """The same bodies, in another order, with the place that each had before."""
  order = sorted(range(len(bodies)), key=lambda i: (i * 37 + 11) % len(bodies))
  assert sorted(order) == list(range(len(bodies)))
  return [bodies[i] for i in order], order


def turned(bodies, gravity):
  rows = []
  for body in bodies:
    row = {**body, "at": list(TURN @ body["at"]),
           "turn": {"axis": list(AXIS), "angle": math.degrees(ANGLE)}}
    if "velocity" in body:
      row["velocity"] = list(TURN @ body["velocity"])
    rows.append(row)
  return rows, tuple(TURN @ gravity)


def state(described, name, tolerance, order=None, back=None):
  """Velocities and the force of each pair, both in the first order and the first axes."""
  done = run(described, name)
  check_converged(name, done, tolerance)
  bodies, contacts = done.bodies(), done.contacts()
  order = list(range(len(bodies["id"]))) if order is None else order
  back = numpy.eye(3) if back is None else back
  velocity, spin = numpy.empty_like(bodies["velocity"]), numpy.empty_like(bodies["spin"])
  velocity[order], spin[order] = bodies["velocity"] @ back, bodies["spin"] @ back
  forces = {}
  for (low, high), reaction in zip(contacts["bodies"], contacts["reaction_world"]):
    a, b = order[low], order[high]
    force = reaction @ back * (1 if a < b else -1)
    forces[min(a, b), max(a, b)] = forces.get((min(a, b), max(a, b)), 0) + force
  return velocity, spin, forces, bodies["mass"]


def compare(text, first, other, tolerance, speed, weight):
  """Differences over tol times a speed; half a side of a small body is 0.1 m."""
  scale = tolerance * speed
  check(f"{text}: velocities, C of C tol {speed:.3g} m/s", abs(first[0] - other[0]).max() / scale,
        "<=", 100)
  check(f"{text}: spins times 0.1 m, C", 0.1 * abs(first[1] - other[1]).max() / scale, "<=", 100)
  if weight is not None:
    pairs = set(first[2]) | set(other[2])
    zero = numpy.zeros(3)
    worst = max(numpy.linalg.norm(first[2].get(p, zero) - other[2].get(p, zero)) for p in pairs)
    check(f"{text}: resultants of pairs, C of C tol times the largest",
          worst / (tolerance * weight), "<=", 100)


# friction 0.5 holds up to 26.6 degrees; blocks slide on at 20
SCENES = ((tower, 10, 1e-8, True), (wall, 8, 1e-6, False), (slide, 30, 1e-8, True),
          (fast_slide, 30, 1e-8, True))
for make, degrees, tolerance, determined in SCENES:
  gravity = numpy.array(tilted(degrees))

  def described(bodies, pull):
    made = case(bodies, gravity=tuple(pull), friction=0.5, step=STEP, end=STEPS * STEP,
                frames=STEPS * STEP, densities={"stone": 2000, "rough": 2000},
                solver={"tolerance": tolerance})
    for law in made["contacts"]:
      law["friction"] = 0.9 if "rough" in law["between"] else 0.5
    return made

  name, bodies = make.__name__, make()
  first = state(described(bodies, gravity), name, tolerance)
  moved = numpy.linalg.norm(first[0], axis=1).max()
  speed = G * STEP
  if make is fast_slide:
    check(f"{name}: largest speed, m/s", moved, ">", 1)
    speed = moved
  largest = max(numpy.linalg.norm(force) for force in first[2].values())
  weight = largest if determined else None
  shuffled, order = reordered(bodies)
  compare(f"{name} in another order", first,
          state(described(shuffled, gravity), f"{name}_order", tolerance, order), tolerance, speed,
          weight)
  rows, pull = turned(bodies, gravity)
  compare(f"{name} turned", first,
          state(described(rows, pull), f"{name}_turned", tolerance, None, TURN), tolerance,
          speed, weight)
finish()
