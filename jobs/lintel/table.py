#!/usr/bin/env python3
"""jobs/lintel/table.py RESULTS   the lintel at rest beside a beam; ends with 1 where one is off.

The beam has the lintel's weight and the forces that contacts put on it, as the last frame has them.
"""
# test: needs python3 python3-numpy
import os
import sys

import drystone
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from beside_theory import print_rows   # noqa: E402, its folder is known only now

SPAN, WIDTH, HEIGHT, AXIS, YOUNG = 2.4, 0.4, 0.2, 1.3, 5e9   # m, m, m, m, Pa, as in lintel.yaml
WEIGHT = 2500 * 9.81 * WIDTH * HEIGHT                        # N/m

results = drystone.open(sys.argv[1])
lintel, = results.select("lintel")
contacts, elastic, bodies = results.contacts(), results.elastic(), results.bodies()

# forces on the lintel, and where they act
first, second = (contacts["bodies"] == bodies["id"][lintel]).T
force = numpy.where(first[:, None], 1, -1) * contacts["force"]
force, place = force[first | second], contacts["point"][first | second]
below = place[:, 2] < AXIS
right, left = (below & (place[:, 0] > 0)), (below & (place[:, 0] < 0))
bearing = force[below]
wall = bodies["mass"][results.select("wall")].sum() * 9.81

# a section of the beam: forces to its right turn it, those along it press it
stations = numpy.linspace(-SPAN / 2, SPAN / 2, 481)
beyond = place[None, :, 0] > stations[:, None]
turning = (place[None, :, 0] - stations[:, None]) * force[:, 2] - (place[:, 2] - AXIS) * force[:, 0]
moment = (beyond * turning).sum(axis=1) - WEIGHT * (SPAN / 2 - stations) ** 2 / 2
middle = len(stations) // 2
along = force[place[:, 0] > 0, 0].sum()
tension = along / (WIDTH * HEIGHT) + moment[middle] * 6 / (WIDTH * HEIGHT ** 2)

# deflection of the middle against the inner edges of the bearings, by unit loads; and of its shear
edge = 1.0
inside = abs(stations) <= edge
unit = (edge - abs(stations[inside])) / 2
bend = numpy.trapz(moment[inside] * unit, stations[inside]) / (YOUNG * WIDTH * HEIGHT ** 3 / 12)
shear = moment[middle] - moment[inside][[0, -1]].mean()
bend += shear / (5 / 6 * YOUNG / 2.4 * WIDTH * HEIGHT)


def near(x, z, values):
  """The mean of values at nodes of the lintel there, as the case puts it."""
  at = elastic["points"] - elastic["displacement"] - bodies["position"][lintel]
  return values[numpy.hypot(at[:, 0] - x, at[:, 2] - z) < 1e-3].mean()


low, sunk = -HEIGHT / 2, elastic["points"][:, 2]
sinks = (near(-edge, low, sunk) + near(edge, low, sunk)) / 2 - near(0, low, sunk)
tie = numpy.linalg.norm(results.joints()["force"][0])
drag = -force[right, 0].sum()   # of the right bearing, towards the middle
rows = (("bearings carry, N", bearing[:, 2].sum(), wall + WEIGHT * SPAN, 1e-3),
        ("left bearing over the right one", force[left, 2].sum() / force[right, 2].sum(), 1, 1e-3),
        ("the middle sinks, m", sinks, bend, 0.03),
        ("stress in the middle of its lower face, Pa", near(0, low, elastic["stress"][:, 0]),
         tension, 0.03),
        ("its largest principal stress there, Pa", near(0, low, elastic["principal_stress"][:, 0]),
         tension, 0.03),
        ("force of the tie, N", tie, None, None),
        ("friction of a bearing, N", drag, None, None))
sys.exit(print_rows(rows, 44) > 0)
