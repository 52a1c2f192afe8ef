#!/usr/bin/env python3
"""Bodies in a smooth V groove: a sphere, a cylinder of 24 sides on its flats and on its edges, a
beam on its edges. Statics gives each wall's force: walls that rise at a and b carry
W sin b / sin(a + b) and W sin a / sin(a + b), 0.707107 W at 45 degrees. The scheme has no error in
a state of rest, so tolerances are the solver's.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish

G, STEP, TOLERANCE = 9.81, 1e-3, 1e-10


def groove(a, b):
  """Two fixed wedges that meet in a line along y through the origin; slopes in degrees."""
  def wedge(degrees, turn):
    return {"wedge": [1, 4, math.tan(math.radians(degrees))], "at": [-0.5 if turn else 0.5, 0, 0],
            "turn": {"axis": [0, 0, 1], "angle": turn}, "fixed": True}
  return [wedge(a, 180), wedge(b, 0)]


def prism(corners):
  """A prism along y, 1 m long, over corners (x, z)."""
  return {"hull": [[x, y, z] for y in (-0.5, 0.5) for x, z in corners]}


def cylinder(sides, phase):
  angles = [2 * math.pi * (k + phase) / sides for k in range(sides)]
  return prism([(0.2 * math.cos(t), 0.2 * math.sin(t)) for t in angles])


def wall_forces(done):
  """Vector and torque about the body's middle of each wall on body 2, N and N m, at the end."""
  contacts, middle = done.contacts(), done.bodies()["position"][2]
  forces = []
  for wall in (0, 1):
    rows = (contacts["bodies"] == [wall, 2]).all(axis=1)
    force = -contacts["reaction_world"][rows] / STEP
    forces.append((force.sum(axis=0),
                   numpy.cross(contacts["point"][rows] - middle, force).sum(axis=0)))
  return forces


def check_groove(name, body, place, a=45, b=45):
  """The body's origin at x, z from the bottom line, where it touches both walls."""
  described = case([*groove(a, b), {**body, "at": [place[0], 0, place[1]]}], friction=0, step=STEP,
                   end=0.05, frames=0.05, solver={"tolerance": TOLERANCE})
  done = both(described, name)
  weight = G * done.bodies()["mass"][2]
  shares = [math.sin(math.radians(x)) / math.sin(math.radians(a + b)) for x in (b, a)]
  forces = wall_forces(done)
  for wall, share, (force, _) in zip(("left", "right"), shares, forces):
    check_near(f"{name}: force of the {wall} wall over the weight",
               numpy.linalg.norm(force) / weight, share, 10 * TOLERANCE)
  balance = sum(force for force, _ in forces) - [0, 0, weight]
  check(f"{name}: sum of forces over the weight", numpy.linalg.norm(balance) / weight, "<=",
        10 * TOLERANCE)
  torque = numpy.linalg.norm(sum(torque for _, torque in forces))
  check(f"{name}: sum of torques over the weight, m", torque / weight, "<=", 10 * TOLERANCE)
  # a velocity off by 10 tolerance g h in each of 50 steps
  way = numpy.linalg.norm(done.bodies()["position"][2] - done.bodies(0)["position"][2])
  check(f"{name}: way in 50 steps, m", way, "<=", 50 * 10 * TOLERANCE * G * STEP * STEP)
  check_converged(name, done, TOLERANCE)


def touching(radius, a, b):
  """Where a circle touches both walls: at the radius along both normals."""
  a, b = math.radians(a), math.radians(b)
  return numpy.linalg.solve([[math.sin(a), math.cos(a)], [-math.sin(b), math.cos(b)]],
                            [radius, radius])


sphere = {"sphere": {"radius": 0.2}}
check_groove("sphere", sphere, touching(0.2, 45, 45))
check_groove("flats", cylinder(24, 0.5), touching(0.2 * math.cos(math.pi / 24), 45, 45))
check_groove("edges", cylinder(24, 0), touching(0.2, 45, 45))
check_groove("beam", prism([(-0.2, 0), (0.2, 0), (-0.2, 0.3), (0.2, 0.3)]), (0, 0.2))
check_groove("sphere_30_60", sphere, touching(0.2, 30, 60), 30, 60)
check_groove("sphere_20_50", sphere, touching(0.2, 20, 50), 20, 50)
# flats of 15 degrees each lie on 30 and 60 degrees as well
check_groove("flats_30_60", cylinder(24, 0.5), touching(0.2 * math.cos(math.pi / 24), 30, 60), 30,
             60)
finish()
