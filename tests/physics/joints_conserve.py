#!/usr/bin/env python3
"""What joints conserve: momentum and angular momentum of bodies that nothing else holds.

A chain of blocks with a joint of every kind tumbles in free space on 1 and 3 ranks, without the
correction of positions. Bars have momenta to compare; cubes, whose energy follows their spin
without an error of the step, have works to compare as well.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, finish

STEPS = 1000
NAMES = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
# speeds that bend every joint of the chain and stretch its springs
SPEEDS = [[1.0, 0.5, -0.2], [0.2, -0.4, 0.9], [-0.8, 0.3, 0.1], [0.4, 0.9, -0.6],
          [-0.3, -1.0, 0.4], [0.7, 0.1, 0.8], [-0.5, 0.6, -0.9], [0.3, -0.7, 0.2]]
SPINS = [[0.5, 2.0, -1.0], [-1.0, 0.4, 1.5], [0.8, -1.2, 0.3], [1.7, 0.2, -0.4],
         [-0.6, 0.9, 1.1], [0.1, -1.4, 0.7], [1.2, 0.5, 0.5], [-0.9, -0.3, 1.6]]


def chain(sizes):
  """Bodies in a row along x, half a metre apart, each joined to the next one in its own way."""
  bodies = [{"box": list(size), "at": [0.5 * i, 0, 0], "velocity": SPEEDS[i], "spin": SPINS[i],
             "name": NAMES[i]} for i, size in enumerate(sizes)]

  def between(i):
    return {"between": [NAMES[i + 1], NAMES[i]], "touch": False}

  def middle(i):
    return [0.5 * i + 0.25, 0, 0]

  joints = [{"ball": middle(0), **between(0)},
            {"hinge": middle(1), "axis": [0, 1, 1], **between(1)},
            {"weld": middle(2), **between(2)},
            {"spring": [[2.0, 0.1, 0], [1.5, -0.1, 0.1]], "stiffness": 400, "damping": 3,
             **between(3)},
            {"rod": [[2.5, 0.05, 0], [2.0, 0, -0.1]], **between(4)},
            {"slider": middle(5), "axis": [1, 0.2, 0], **between(5)},
            {"dowel": middle(6), "axis": [1, 0, 0], "stiffness": {"normal": 900, "shear": 500},
             **between(6)},
            # loops: between the ends of the chain, and beside a ball
            {"rod": [[0, 0, 0.1], [2.5, 0, 0.1]], "between": ["one", "six"], "touch": False},
            {"tie": [[0.5, 0, 0.1], [3.5, 0, 0.1]], "between": ["two", "eight"], "stiffness": 900,
             "tension_only": False, "yield": {"tension": 20, "compression": 20}, "touch": False}]
  return case(bodies, gravity=(0, 0, 0), step=1e-3, end=1e-3 * STEPS, frames=1e-3 * STEPS,
              densities={"stone": 1000.0}, joints=joints, solver={"correction": 0})


def vector(done, name):
  return numpy.array([done[f"{name}_{axis}"] for axis in "xyz"]).T


def drift(done, name, start=None):
  values = vector(done, name)
  return numpy.linalg.norm(values - (values[0] if start is None else start), axis=1).max()


def keeps_momenta(name, done, sizes):
  """Changes relative to the sum of what bodies have, each by itself, at the start."""
  check(f"{name}: steps", len(done["time"]), "==", STEPS)
  mass = numpy.array([1000.0 * numpy.prod(size) for size in sizes])
  momenta = mass[:, None] * numpy.array(SPEEDS)
  arms = numpy.array([[0.5 * i, 0, 0] for i in range(len(sizes))])
  scale = numpy.linalg.norm(momenta, axis=1).sum()
  check(f"{name}: momentum, largest change",
        drift(done, "momentum", momenta.sum(axis=0)) / scale, "<", 1e-12)
  scale = numpy.linalg.norm(numpy.cross(arms, momenta), axis=1).sum()
  check(f"{name}: angular momentum, largest change",
        drift(done, "angular_momentum") / scale, "<", 1e-12)


def explained(done):
  """Kinetic energy at the end of each step that no work of it explains, J."""
  work = (done["load_work"] + done["joint_work"] + done["contact_work"] + done["prescribed_work"]
          + done["correction_work"])
  return numpy.diff(done["kinetic_energy"]) - work[1:]


bars = [[0.4, 0.1, 0.15]] * 4 + [[0.3, 0.2, 0.1]] * 4
done = both(chain(bars), "bars")
keeps_momenta("chain of bars", done, bars)
check("chain of bars: work of joints, J", abs(done["joint_work"]).sum(), ">", 1)
check("chain of bars: work that yielding took, J", done["joint_yielding"].sum(), ">", 0.1)
# the first step makes velocities agree that joints do not allow; its separation goes with the next
check("chain of bars: largest separation in the first step, m", done["joint_separation"][0], "<",
      1e-3)
check("chain of bars: largest separation from the third step on, m",
      done["joint_separation"][2:].max(), "<", 2e-5)
# points that share a load in many ways have none that nothing bears
check("chain of bars: largest force of a joint in the end, N",
      numpy.linalg.norm(done.results.joints()["force"], axis=1).max(), "<", 1e3)

cubes = [[0.3, 0.3, 0.3]] * 4 + [[0.2, 0.2, 0.2]] * 4
done = both(chain(cubes), "cubes")
keeps_momenta("chain of cubes", done, cubes)
energy = done["kinetic_energy"].max()
check("chain of cubes: energy that no work explains, relative",
      abs(explained(done)).max() / energy, "<", 1e-14)
check("chain of cubes: the same over the run, relative", abs(explained(done).sum()) / energy, "<",
      1e-10)

# three cubes in a triangle of welds, thrown so that no offsets of all rows agree in the first step
thrown = [{"box": [0.3] * 3, "at": [0.5 * i, 0.4 * (i == 1), 0], "name": NAMES[i],
           "velocity": [0.3 * i, -0.2 * i, 0.1], "spin": [1, 2 + i, -1]} for i in range(3)]
corners = [[0.25, 0.2, 0], [0.75, 0.2, 0], [0.5, 0, 0]]
welds = [{"weld": corners[i], "between": [NAMES[i], NAMES[(i + 1) % 3]], "touch": False}
         for i in range(3)]
done = both(case(thrown, gravity=(0, 0, 0), end=0.5, frames=0.5, joints=welds,
                 solver={"tolerance": 1e-6, "correction": 0}), "triangle")
check("triangle of welds: largest force in the end, N",
      numpy.linalg.norm(done.results.joints()["force"], axis=1).max(), "<", 1e3)
check("triangle of welds: largest separation from the third step on, m",
      done["joint_separation"][2:].max(), "<", 1e-6)
check("triangle of welds: momentum, largest change", drift(done, "momentum") / 40, "<", 1e-12)
check("triangle of welds: steps that missed the tolerance", (done["residual_max"] > 1e-6).sum(),
      "==", 0)
finish()
