#!/usr/bin/env python3
"""The Python package on an arch and a heap, against the same numbers from contact points alone.

Thrust lines, hinges and balances of an arch; coordination, fabric and histogram of a heap; lines
through rings and crowds, from arrays made by hand; names that are wrong.
"""
# test: needs python3 python3-numpy
# test: ranks 3

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import case, check, check_near, check_same, finish, run   # noqa: E402
import drystone   # noqa: E402
from drystone import measures   # noqa: E402
import numpy   # noqa: E402

G = 9.81


def refused(text, call, *words):
  """A question that has no answer says why, and names what it is about."""
  try:
    call()
    said = "nothing"
  except (drystone.SelectionError, ValueError) as error:
    said = str(error)
  check_same(f"{text}: {said}", all(word in said for word in words), True)


def pairs_of(done):
  """{(low, high): force on the low body, centre of the normal forces, pressure} from contacts."""
  rows, step = done.contacts(), done.results.time_step()
  found = {}
  for low, high in {tuple(int(i) for i in pair) for pair in rows["bodies"]}:
    k = (rows["bodies"] == [low, high]).all(axis=1)
    force = rows["reaction_world"][k] / step
    push = (force * rows["normal"][k]).sum(axis=1)
    centre = push @ rows["point"][k] / push.sum() if push.sum() > 0 else None
    normal = rows["area"][k] @ rows["normal"][k]
    if not normal.any():   # an edge, or a corner
      normal = rows["normal"][k].sum(axis=0)
    found[low, high] = (force.sum(axis=0), centre, push.sum(), normal / numpy.linalg.norm(normal))
  return found


# -- an arch at rest -------------------------------------------------------------------------------

arch = run(case([{"arch": {"voussoirs": 27, "radius": 10, "thickness": 1.12, "width": 5},
                  "name": "arch"},
                 {"box": [40, 20, 1], "at": [0, 0, -1.62], "fixed": True, "name": "floor"}],
                step=1e-3, end=0.05, frames=0.05, densities={"stone": 2400.0},
                solver={"tolerance": 1e-12}), "arch")
line, pairs = arch.results.thrust_line("arch"), pairs_of(arch)
check_same("arch: joints of the line", len(line["point"]), 28)
check_same("arch: bodies in their order", [int(b) for _, b in line["bodies"]],
           [*range(27), 28])
points = numpy.array([pairs[tuple(sorted(int(i) for i in pair))][1] for pair in line["bodies"]])
check("arch: line off that of contact points, m", abs(line["point"] - points).max(), "<=", 1e-9)
forces = numpy.array([pairs[tuple(sorted(pair))][0] * (1 if pair[1] < pair[0] else -1)
                      for pair in line["bodies"].tolist()])
weight = 27 * 2400 * G * arch.bodies()["volume"][0]
check("arch: forces off those of contact points", abs(line["force"] - forces).max(), "<=",
      1e-9 * weight)
check("arch: thrust along the line differs by", numpy.ptp(line["force"][:, 0]), "<=", 1e-9 * weight)
check_near("arch: both feet carry its weight", line["force"][0, 2] - line["force"][-1, 2], weight,
           1e-9 * weight)
check("arch: the line is in the arch, m", numpy.linalg.norm(line["eccentricity"], axis=1).max(),
      "<=", 0.56)
check("arch: it is symmetrical, m", abs(line["point"] * [1, 1, -1] + line["point"][::-1]
                                        * [1, -1, 1]).max(), "<=", 1e-6)
check_near("arch: length of the line, m", line["length"][-1],
           numpy.linalg.norm(numpy.diff(points, axis=0), axis=1).sum(), 1e-9)
check("arch: bodies out of balance", abs(arch.results.balance()).max(), "<=", 1e-9 * weight)
check_same("arch: hinges at rest", len(arch.results.hinges()["angle"]), 0)
part = arch.results.thrust_line([f"arch.{k}" for k in range(5)])
check("arch: a part of it has a part of the line",
      abs(part["point"] - line["point"][:6]).max(), "<=", 0)

# stress times volume adds up to branch times force
bodies, contacts = arch.bodies(), arch.contacts()
whole = (arch.results.stress() * bodies["volume"][:, None, None]).sum(axis=0)
low, high = (numpy.searchsorted(bodies["id"], contacts["bodies"][:, k]) for k in (0, 1))
branch = bodies["position"][high] - bodies["position"][low]   # the normal leads into the low one
sum_of = numpy.einsum("ki,kj->ij", branch, contacts["force"])
check("arch: stress times volume off branch times force",
      abs(whole - (sum_of + sum_of.T) / 2).max(), "<=", 1e-12 * abs(sum_of).max())
values, ways = measures.principal(arch.results.stress())
check("arch: principal values out of order", (values[:, 1:] - values[:, :-1]).max(), "<=", 0)
again = numpy.einsum("nk,nki,nkj->nij", values, ways, ways)
check("arch: stress from its principal values", abs(again - arch.results.stress()).max(), "<=",
      1e-12 * abs(values).max())

# -- an arch that falls opens hinges ---------------------------------------------------------------

thin = run(case([{"arch": {"voussoirs": 27, "radius": 10, "thickness": 1.02, "width": 5},
                  "name": "arch"},
                 {"box": [40, 20, 1], "at": [0, 0, -1.62], "fixed": True, "name": "floor"}],
                step=2e-3, end=0.8, frames=0.8, friction=0.8, solver={"tolerance": 1e-6}), "thin")
found = thin.results.hinges("arch", angle=1e-2)
check("thin arch: hinges", len(found["angle"]), ">=", 4)
check("thin arch: hinges", len(found["angle"]), "<=", 6)
# where the point was in its first body as that was built
bodies, first = thin.bodies(), numpy.searchsorted(thin.bodies()["id"], found["bodies"][:, 0])
turn = drystone.turns(bodies["rotation"][first])
at = numpy.einsum("nji,nj->ni", turn, found["point"] - bodies["position"][first])
at += (bodies["position"] - bodies["displacement"])[first]
off = abs(numpy.linalg.norm(at[:, [0, 2]], axis=1) - 10)
# points are those of the middle of the step, in which bodies move by 5e-4 m
check("thin arch: each presses at an edge, off by m", abs(off - 0.51).max(), "<=", 1e-3)
check("thin arch: each turns about the width", abs(found["axis"][:, 1]).min(), ">=", 1 - 1e-6)

# -- a heap: numbers by one call, and from contact points alone ------------------------------------

heap = run(case([{"container": {"box": [1, 1, 1], "thickness": 0.1}, "at": [0, 0, 0],
                  "name": "box"},
                 {"stones": {"shapes": [{"random": {"points": 12, "size": 0.22}}],
                             "lattice": {"count": [3, 3, 5], "spacing": [0.3, 0.3, 0.3]}},
                  "at": [-0.3, -0.3, 0.2], "name": "stones"}], step=2e-3, end=0.8, frames=0.8,
                solver={"tolerance": 1e-4}), "heap", 3)
pairs = {pair: row for pair, row in pairs_of(heap).items() if row[2] > 0}
stones = [int(i) for i, drive in zip(heap.bodies()["id"], heap.bodies()["drive"]) if drive == 0]
neighbours = [sum(i in pair for pair in pairs) for i in stones]
told = heap.results.coordination("stones")
check_same("heap: neighbours of each stone", list(told["count"]), neighbours)
check_same("heap: as its frame has it", list(told["count"]),
           list(heap.bodies()["coordination"][heap.results.select("stones")]))
check_near("heap: mean coordination", told["mean"], sum(neighbours) / len(stones), 1e-12)
held = [n for n in neighbours if n > 1]
check_near("heap: of those that are held", told["mean_held"], sum(held) / len(held), 1e-12)
check_near("heap: share of rattlers", told["rattlers"], 1 - len(held) / len(stones), 1e-12)
check_same("heap: histogram", list(told["histogram"]),
           [neighbours.count(n) for n in range(max(neighbours) + 1)])
check("heap: stones that touch", told["mean"], ">=", 2)

normals = numpy.array([row[3] for row in pairs.values()])
pushes = numpy.array([row[2] for row in pairs.values()])
for weights, share in (("count", numpy.ones(len(pushes))), ("force", pushes)):
  expected = sum(s * numpy.outer(n, n) for s, n in zip(share, normals)) / share.sum()
  fabric = heap.results.fabric(weights=weights)
  check(f"heap: fabric by {weights} off", abs(fabric["tensor"] - expected).max(), "<=", 1e-9)
  check_near(f"heap: its trace by {weights}", fabric["values"].sum(), 1, 1e-12)
  check_near(f"heap: anisotropy by {weights}", fabric["anisotropy"],
             numpy.ptp(numpy.linalg.eigvalsh(expected)), 1e-9)
told = heap.results.force_histogram(bins=8)
counts = [sum(lo <= f < hi or (f == hi and k == 7) for f in pushes / pushes.mean())
          for k, (lo, hi) in enumerate(zip(told["edges"][:-1], told["edges"][1:]))]
check_near("heap: mean normal force, N", told["mean"], pushes.mean(), 1e-9 * pushes.mean())
check("heap: histogram off", abs(told["density"] * len(pushes) * numpy.diff(told["edges"])
                                 - counts).max(), "<=", 1e-9)
check_same("heap: joints of it", told["joints"], len(pushes))


# -- lines by hand ---------------------------------------------------------------------------------

def by_hand(pairs, points):
  """Arrays of joints between numbered bodies, pressed along x, and of their bodies."""
  count = len(pairs)
  joints = {"bodies": numpy.array(pairs), "on": numpy.ones(count, int),
            "normal": numpy.tile([1.0, 0, 0], (count, 1)),
            "force": numpy.tile([2.0, 0, 0], (count, 1)),
            "normal_force": numpy.full(count, 2.0), "point": numpy.array(points, float),
            "eccentricity": numpy.zeros((count, 3)), "area": numpy.ones(count)}
  ids = numpy.unique(joints["bodies"])
  return {"id": ids}, joints


bodies, joints = by_hand([(0, 1), (1, 2), (2, 3), (0, 3)],
                         [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
ring = measures.thrust_line(bodies, joints, numpy.arange(4))
check_same("a ring is closed", (ring["closed"], len(ring["point"])), (True, 4))
check_same("its joints follow each other", [int(a) for a in ring["bodies"][1:, 0]],
           [int(b) for b in ring["bodies"][:-1, 1]])
open_row = measures.thrust_line(bodies, joints, numpy.arange(3))
check_same("a row between supports that are one body is open",
           (open_row["closed"], len(open_row["point"])), (False, 4))
check_same("signs of its forces", [float(f) for f in open_row["force"][:, 0]],
           [2.0 if a < b else -2.0 for a, b in open_row["bodies"]])
bodies, joints = by_hand([(0, 1), (1, 2), (1, 3)], [(0, 0, 0), (1, 0, 0), (1, 1, 0)])
refused("a crowd has no line", lambda: measures.thrust_line(bodies, joints, numpy.arange(4)),
        "body 1", "3 others")
bodies, joints = by_hand([(0, 1), (2, 3)], [(0, 0, 0), (5, 0, 0)])
refused("nor have two rows", lambda: measures.thrust_line(bodies, joints, numpy.arange(4)),
        "several rows")

# -- names -----------------------------------------------------------------------------------------

NAMES = ["arch.1", "arch.10", "pier_a", "pier_b.0", "pier_b.1", "floor", "a.b"]
for wanted, rows in (("arch", [0, 1]), ("arch.1", [0]), ("arch.1?", [1]), ("pier_*", [2, 3, 4]),
                     ("pier_?", [2, 3, 4]), ("*.1", [0, 4]), (["floor", "arch.10"], [1, 5]),
                     ("a.b", [6]), ("a", [6])):
  check_same(f"bodies called {wanted}", [int(r) for r in measures.select(NAMES, wanted)], rows)
refused("a name that is wrong", lambda: measures.select(NAMES, "pier_c"), "'pier_c'", "pier_a")
refused("one of a list", lambda: measures.select(NAMES, ["arch", "roof"]), "'roof'")
refused("what the floor does not press", lambda: arch.results.thrust_line("arch*x"), "'arch*x'")
refused("weights", lambda: heap.results.fabric(weights="mass"), "count, force or area", "'mass'")

# frames that tell less
bare = run(case([{"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block"},
                 {"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True}], end=0.01,
                output={"frames": {"every": 0.01, "fields": "none"}}), "bare")
refused("frames without joints", lambda: bare.results.fabric(), "output.frames.fields",
        "interfaces")
check_same("frames of rigid bodies have no columns of deformation",
           {"gradient", "gradient_rate", "strain", "kind"} & set(bare.bodies()), set())
refused("frames without stress", lambda: bare.results.stress(), "output.frames.fields", "stress")
refused("frames without names", lambda: bare.results.select("block"), "output.frames.fields",
        "name")

finish()
