#!/usr/bin/env python3
"""Joints of affine bodies against known answers, on 1 and 3 ranks.

A stiff bar swings as the rigid one does, to second order in the step. A tie pulls a block by the
force that its mass asks for. Two blocks welded into a cantilever sink by the closed form of their
shear; thrown, they keep momenta.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from affine import AFFINE, G, drift, stone, unexplained
from cases import both, case, check, check_converged, check_near, finish, run


# a stiff bar on a hinge, from level; it strains by 1e-7
def bar(step, **kind):
  return case([{"box": [1, 0.001, 0.001], "at": [0.5, 0, 0], "name": "bar", **kind}],
              joints=[{"hinge": [0, 0, 0], "axis": [0, 1, 0], "between": ["bar"]}], step=step,
              end=2.0, materials=stone(1e6, 1e14), solver={"tolerance": 1e-12})


def period(done):
  """From the times at which it turns back, between steps."""
  time, value = done["time"], done["angular_momentum_y"]
  at = numpy.nonzero(value[:-1] * value[1:] < 0)[0]
  turns = time[at] + (time[at + 1] - time[at]) * value[at] / (value[at] - value[at + 1])
  return 2 * (turns[1] - turns[0])


KNOWN = 1.933334854
fine = both(bar(1e-3, **AFFINE), "bar")
rigid, coarse = run(bar(1e-3), "bar.rigid"), run(bar(4e-3, **AFFINE), "bar.coarse")
check("bar pendulum: elastic energy, J", fine["elastic_energy"].max(), ">", 1e-7)
check_near("bar pendulum: period, s", period(fine), KNOWN, 5e-6)
check_near("bar pendulum: period less that of the rigid bar, s", period(fine), period(rigid), 5e-7)
check_near("bar pendulum: order of the error",
           math.log((period(coarse) - KNOWN) / (period(fine) - KNOWN), 4), 2, 0.1)
check("bar pendulum: largest separation over h^2 times its acceleration",
      fine["joint_separation"].max() / (1e-6 * 3 * G), "<", 0.2)

# a tie pulls the block behind by half of the force that pulls the one in front; the first has the
# mean stress of that force at one face
PULL, AREA, LENGTH = 1e4, 0.2 * 0.2, 0.4
pair = [{"box": [LENGTH, 0.2, 0.2], "at": [x, 0, 0], "name": name, **AFFINE}
        for x, name in ((0, "behind"), (1, "front"))]
done = both(case(pair, gravity=(0, 0, 0), end=0.3, frames=0.3,
                 materials=stone(2500, 1e9, poisson=0.2, damping=1e-3),
                 joints=[{"tie": [[0.8, 0, 0], [0.2, 0, 0]], "between": ["front", "behind"],
                          "stiffness": 1e7, "damping": 5e4}],
                 loads=[{"on": "front", "force": [PULL, 0, 0], "at": [0.2, 0, 0]}],
                 solver={"tolerance": 1e-10, "correction": 0}), "tie")
check_converged("tie", done, 1e-10)
check("tie: energy that no work explains, relative",
      unexplained(done) / done["kinetic_energy"].max(), "<", 1e-10)
bodies, joints = done.bodies(), done.results.joints()
force = joints["force"][0][0]
check_near("tie: tension over half of the pull", force / (0.5 * PULL), 1, 1e-6)
check_near("tie: elongation over tension by stiffness", joints["elongation"][0][0] * 1e7 / force, 1,
           1e-6)
check_near("tie: stress of the block behind over that of its tension",
           bodies["stress"][0][0] / (force / (2 * AREA)), 1, 1e-3)
check_near("tie: stress of the block in front, which is pulled at both ends",
           bodies["stress"][1][0] / ((PULL + force) / (2 * AREA)), 1, 1e-3)
expected = PULL * 0.3 / bodies["mass"].sum()
check_near("tie: speed in the end over that by the pull", bodies["velocity"][0][0] / expected, 1,
           1e-6)

# a cantilever of two blocks, welded face to face: the three points of a weld lie in the face, so
# that blocks shear by the weight that they carry and half of their own. Tip: 2 rho g l^2 / mu
YOUNG, POISSON, RHO = 1e7, 0.3, 1000
CLAMP = {"weld": [0, 0, 0], "axis": [1, 0, 0], "between": ["near"]}
BOND = {"weld": [LENGTH, 0, 0], "axis": [1, 0, 0], "between": ["far", "near"],
        "touch": False}
SPEEDS = {"near": [0, 0.5, 1], "far": [0.1, -0.5, 1]}
SPINS = {"near": [0.5, 2, -1], "far": [0.5, 1, -1]}


def beam(thrown):
  return [{"box": [LENGTH, 0.2, 0.2], "at": [x, 0, 0], "name": name, **AFFINE,
           **({"velocity": SPEEDS[name], "spin": SPINS[name]} if thrown else {})}
          for x, name in ((0.5 * LENGTH, "near"), (1.5 * LENGTH, "far"))]


done = both(case(beam(False), end=1.0, frames=1.0, joints=[CLAMP, BOND],
                 materials=stone(RHO, YOUNG, poisson=POISSON, damping=2e-3),
                 solver={"tolerance": 1e-10}), "cantilever")
check_converged("cantilever", done, 1e-10)
check("cantilever: kinetic energy in the end, J", done["kinetic_energy"][-1], "<", 1e-15)
mesh = done.results.mesh()["points"]
tip = mesh[mesh[:, 0] > 1.9 * LENGTH]
shear = YOUNG / (2 * (1 + POISSON))
small = RHO * G * LENGTH / shear
check_near("cantilever: deflection of the tip over the closed form",
           -tip[:, 2].mean() / (2 * RHO * G * LENGTH**2 / shear), 1, small)
strain = done.bodies()["strain"]
for i, carried in ((0, 1.5), (1, 0.5)):
  check_near(f"cantilever: shear of block {i} over the closed form",
             strain[i][5] / (-0.5 * small * carried), 1, small)

# thrown, each its own way: the weld makes one body of them
done = both(case(beam(True), gravity=(0, 0, 0), end=0.5, joints=[BOND],
                 materials=stone(RHO, YOUNG, poisson=POISSON),
                 solver={"tolerance": 1e-9, "correction": 0}), "thrown")
check_converged("thrown beam", done, 1e-9)
check("thrown beam: elastic energy, J", done["elastic_energy"].max(), ">", 0.1)
check("thrown beam: momentum, largest change", drift(done, "momentum") / 32, "<", 1e-12)
check("thrown beam: angular momentum, largest change", drift(done, "angular_momentum") / 10, "<",
      1e-12)
check("thrown beam: largest separation from the third step on, m",
      done["joint_separation"][2:].max(), "<", 1e-6)
finish()
