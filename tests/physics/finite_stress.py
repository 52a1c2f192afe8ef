#!/usr/bin/env python3
"""What frames tell of bodies of finite elements, against known answers, on 1 and 3 ranks.

A column that stands has the stress of its weight; nodes bear what contacts do; a lintel has the
stress of a beam; a warm bar between walls has the stress that holds it. Frames, topology and XDMF
files are the same on both numbers of ranks.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mpi"))
import numpy
from affine import G, stone
from cases import both, case, check, check_near, check_same, finish
from same_frames import content

DENSITY = 2000


def told(bodies, name, **more):
  """The last frame's nodes and cells; both numbers of ranks have the same files but for ranks."""
  done = both(case(bodies, **more), name, work=math.inf)
  last = os.path.basename(done.results.frame().path)
  for file in (last, "topology.h5"):
    one, three = (content(os.path.join(f"{name}.{ranks}", file)) for ranks in (1, 3))
    different = {key for key in one.keys() | three.keys() if one.get(key) != three.get(key)}
    check_same(f"{name}: {file} on 1 and 3 ranks", different, set())
  texts = [open(os.path.join(f"{name}.{ranks}", "elastic.xmf"), encoding="utf-8").read()
           for ranks in (1, 3)]
  check_same(f"{name}: elastic.xmf on 1 and 3 ranks", texts[0] == texts[1], True)
  return done, done.results.elastic()


def of_body(found, body):
  """Rows of the nodes of a body."""
  return numpy.unique(found["cells"][found["body"] == body])


def check_forces(text, done, found):
  """Forces of the nodes of each body against those of its contacts; returns the largest of any."""
  contacts, worst = done.contacts(), 0.0
  largest = numpy.linalg.norm(contacts["force"], axis=1).sum()
  for body in numpy.unique(found["body"]):
    low, high = contacts["bodies"].T == body
    bears = contacts["force"][low].sum(axis=0) - contacts["force"][high].sum(axis=0)
    off = found["force"][of_body(found, body)].sum(axis=0) - bears
    worst = max(worst, numpy.linalg.norm(off))
  check(f"{text}: sums of nodal forces off by, share of all forces", worst / largest, "<", 1e-12)


floor = {"box": [4, 4, 0.2], "at": [0, 0, -0.1], "fixed": True}
soft = stone(DENSITY, 1e7, poisson=0, damping=4e-3)

# columns under their own weight, without Poisson's effect. Masses of nodes are those that have the
# body's inertia, so that few cells are heavy in the middle: errors fall with their square
height = 1.0
counts = [(2, 2, 8), (4, 4, 16)]
turn = {"axis": [0, 0, 1], "angle": 0.5}
columns = [{"box": [0.3, 0.4, height], "at": [x, 0, height / 2], "turn": turn,
            "elastic": {"cells": list(cells), "most_nodes": 425}} for x, cells in enumerate(counts)]
done, found = told([floor] + columns, "column", materials=soft, end=0.5, frames=0.25,
                   solver={"tolerance": 1e-10})
check("column: rate of the last step, m/s", abs(found["velocity"]).max(), "<", 1e-5)
check_forces("column", done, found)
scale = DENSITY * G * height
errors = []
for body, (across, _, layers) in enumerate(counts, 1):
  rows = of_body(found, body)
  stress = found["stress"][rows].reshape(layers + 1, across + 1, across + 1, 6) / scale
  ends = numpy.where(numpy.arange(across + 1) % across == 0, 0.5, 1.0) / across
  mean = numpy.einsum("zyx,y,x->z", stress[..., 2], ends, ends)
  pressure = -1 + numpy.arange(layers + 1) / layers
  off = abs(stress[..., 2] - pressure[:, None, None])[1:-1].max()
  other = abs(stress[1:-1, ..., [0, 1, 3, 4, 5]]).max()
  errors.append([abs(mean - pressure)[1:-1].max(), off])
  check(f"column of {layers}: mean of sections off by, share of that below", errors[-1][0], "<",
        7e-3)
  check(f"column of {layers}: stress along it off by", off, "<", 0.07)
  check(f"column of {layers}: other stress", other, "<", 0.07)
  # at the ends that of the middle of their cell
  check_near(f"column of {layers}: at the bottom, off by cells", (mean[0] + 1) * layers, 0.5, 0.05)
  check_near(f"column of {layers}: at the top, off by cells", -mean[-1] * layers, 0.5, 0.05)
  check_near(f"column of {layers}: least principal stress", found["principal_stress"][rows, 2].min()
             / scale, stress[..., 2].min(), 0.01)
for name, coarse, fine in zip(("mean of sections", "stress"), *errors):
  check(f"column: {name}, error of half the cells over that of these", coarse / fine, ">", 3)

# a lintel between two supports: in its middle the stress of a beam, by the forces at its nodes
length, side = 3.0, 0.3
ends = [{"box": [0.4, 0.4, 0.6], "at": [x, 0, 0.3], "fixed": True} for x in (-1.3, 1.3)]
done, found = told(ends + [{"box": [length, side, side], "at": [0, 0, 0.6 + side / 2],
                            **{"elastic": {"cells": [20, 2, 3], "most_nodes": 252}}}],
                   "lintel", materials=stone(DENSITY, 1e9, poisson=0.2, damping=2e-3), end=0.3,
                   frames=0.3)
check_forces("lintel", done, found)
x, force = found["points"][:, 0], found["force"]
weight = DENSITY * G * length * side * side
check_near("lintel: its weight is borne, share", force[:, 2].sum() / weight, 1, 1e-3)
left = x < 0
moment = -(x[left] * force[left, 2]).sum() - weight / 2 * length / 4
# thrust at the supports acts below the axis
axis = 0.6 + side / 2
moment += ((found["points"][left, 2] - axis) * force[left, 0]).sum()
thrust = force[left, 0].sum()
rows = abs(x) < 1e-3
arm = found["points"][rows, 2] - found["points"][rows, 2].mean()
beam = -thrust / side ** 2 - moment * arm / (side ** 4 / 12)
scale = abs(moment) * side / 2 / (side ** 4 / 12)
check("lintel: stress of its middle off the beam's, share of the largest",
      abs(found["stress"][rows, 0] - beam).max() / scale, "<", 0.02)

# as long as it is warm: a bar between two walls that it would push apart
walls = [{"box": [0.2, 0.4, 0.4], "at": [x, 0, 0], "fixed": True} for x in (-0.6, 0.6)]
warm = stone(DENSITY, 1e9, poisson=0.2, damping=1e-4, expansion=1e-5)
done, found = told(walls + [{"box": [1, 0.2, 0.2], "at": [0, 0, 0], "name": "bar",
                             **{"elastic": {"cells": [6, 2, 2]}}}],
                   "warm", materials=warm, gravity=(0, 0, 0), friction=0, end=0.2, frames=0.1,
                   loads=[{"on": "bar", "temperature": 20}], solver={"tolerance": 1e-10})
check_forces("warm", done, found)
check("warm: stress along the bar off by, share", abs(found["stress"][:, 0] / -2e5 - 1).max(), "<",
      1e-3)
check("warm: other stress, share", abs(found["stress"][:, 1:]).max() / 2e5, "<", 1e-3)
pressure = abs(found["force"][:, 0]).sum() / 2 / 0.04
check_near("warm: force on the wall over area, share", pressure / 2e5, 1, 1e-3)
finish()
