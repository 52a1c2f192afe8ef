#!/usr/bin/env python3
"""Bodies of finite elements in pieces, against the same bodies whole and known answers, on 1 and 3
ranks.

Pieces that nothing parts sink, carry and press as the whole does, and keep its momenta. Those
whose welds have strengths crack where a pull is more than these.
"""
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
import json
import os
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import G, drift, stone, unexplained
from cases import (both, case, check, check_converged, check_near, check_same, finish, program,
                   write)


def cells(counts, most, **more):
  return {"elastic": {"cells": list(counts), "most_nodes": most, **more}}


def places(done):
  """Of the nodes in the first and the last frame, sorted by the first."""
  frames = []
  for frame in (done.results.frames[0], done.results.frame()):
    with h5py.File(frame.path) as file:
      frames.append(file["elastic/points"][()])
  order = numpy.lexsort(numpy.round(frames[0], 9).T)
  first, last = frames[0][order], frames[1][order]
  # nodes that pieces share are one place
  keep = numpy.append(True, abs(numpy.diff(first, axis=0)).max(axis=1) > 1e-9)
  return first[keep], last[keep], first, last


# -- a beam on two stones ------------------------------------------------------------------------

# without friction, so that forces are the only ones
beam = [{"box": [0.2, 0.4, 0.2], "at": [-1.1, 0, 0.1], "fixed": True},
        {"box": [0.2, 0.4, 0.2], "at": [1.1, 0, 0.1], "fixed": True}]
sinks, moved, energies = {}, {}, {}
for name, most in (("whole", 1000), ("halves", 100), ("pieces", 40)):
  described = case([*beam, {"box": [2.4, 0.4, 0.2], "at": [0, 0, 0.3], "name": "beam",
                            **cells((24, 1, 3), most)}],
                   materials=stone(2500, 5e9, poisson=0.2, damping=2e-2), gravity=(0, 0, 0),
                   step=5e-3, end=0.4, friction=0, solver={"tolerance": 1e-8},
                   loads=[{"on": "beam", "pressure": 5e3, "faces": {"direction": [0, 0, 1]}}],
                   output={"frames": {"every": 0.4},
                           "probes": [{"name": "middle",
                                       "displacement": {"of": "beam", "at": [0, 0, 0.2]}}]})
  done = both(described, f"beam_{name}")
  check_converged(f"beam {name}", done, 1e-8)
  before, after, first, last = places(done)
  # as it is bent: contacts leave it free to settle by a hundredth of that
  fit = numpy.c_[numpy.ones(len(before)), before[:, :2]]
  down = (after - before)[:, 2]
  moved[name] = down - fit @ numpy.linalg.lstsq(fit, down, rcond=None)[0]
  energies[name] = done["elastic_energy"][-1]
  with open(os.path.join(f"beam_{name}.1", "probes.csv"), encoding="utf-8") as file:
    rows = file.read().split()
  sinks[name] = float(rows[-1].split(",")[rows[0].split(",").index("middle_z")])
  middle = abs(first - [0, 0, 0.2])[:, [0, 2]].max(axis=1) < 1e-9
  check_near(f"beam {name}: the probe is the middle of its lower face, m", sinks[name],
             (last - first)[middle, 2].mean(), 5e-8)
  check_same(f"beam {name}: pieces that parted", done["broken_tension"].sum(), 0)
bent = moved["whole"].max() - moved["whole"].min()
check("beam whole: bends by, m", bent, ">", 1e-4)
for name in ("halves", "pieces"):
  check_near(f"beam {name}: elastic energy, J", energies[name], energies["whole"],
             1e-3 * energies["whole"])
  check(f"beam {name}: places of nodes off those of the whole, over its bending",
        abs(moved[name] - moved["whole"]).max() / bent, "<", 2e-3)

# -- pieces that fly -----------------------------------------------------------------------------

soft = stone(2000, 1e8, poisson=0.2)
flying = [{"box": [1.2, 0.2, 0.2], "velocity": [0, 1, 0.2], "spin": [1, 2, 3], "name": "bar",
           **cells((12, 2, 2), 40)}]
done = both(case(flying, materials=soft, gravity=(0, 0, 0), end=0.1,
                 solver={"tolerance": 1e-10, "correction": 0}), "flying")
check("flying: momentum, largest change", drift(done, "momentum") / 100, "<", 1e-12)
check("flying: angular momentum, largest change", drift(done, "angular_momentum") / 40, "<", 1e-12)
work = done["contact_work"] + done["scheme_work"]
energy = done["kinetic_energy"] + done["elastic_energy"]
check("flying: energy that no work explains in 100 steps, relative",
      abs(energy - energy[0] - numpy.cumsum(work) + work[0]).max() / energy[0], "<", 1e-3)
check_same("flying: no correction", done["correction_sweeps"].max(), 0)

# along its axis: a pressure on both ends, which the cuts have no part in, and one end let go
PRESS, SIDE = 1e6, 0.2
pushed = [{"pressure": PRESS, "on": "bar", "faces": {"direction": [1, 0, 0]}},
          {"pressure": {"table": [[0, PRESS], [0.01, PRESS], [0.011, 0], [1, 0]]}, "on": "bar",
           "faces": {"direction": [-1, 0, 0]}}]
bar = {"box": [1.2, SIDE, SIDE], "name": "bar", **cells((12, 2, 2), 40)}
done = both(case([bar], materials=soft, gravity=(0, 0, 0), end=0.05, loads=pushed,
                 solver={"tolerance": 1e-12, "correction": 0}), "pushed")
gone = -PRESS * SIDE ** 2 * (0.05 - 0.0105)
check_near("pushed: momentum, N s", done["momentum_x"][-1], gone, 1e-9 * -gone)
check("pushed: energy that no work explains, relative",
      unexplained(done) / done["kinetic_energy"].max(), "<", 1e-10)

# pressed to rest: one stress through all welds, as exactly as 150 steps are solved
SOFT_PRESS = 1.0   # strains of 1e-6, whose squares are no matter
block = {"box": [0.4, 0.4, 0.8], "name": "bar", **cells((3, 3, 6), 50)}
ends = [{"pressure": {"table": [[0, 0], [0.5, SOFT_PRESS], [9, SOFT_PRESS]]}, "on": "bar",
         "faces": {"direction": [0, 0, way]}} for way in (1, -1)]
done = both(case([block], materials=stone(2000, 1e6, poisson=0.2, damping=1e-2), gravity=(0, 0, 0),
                 step=2e-2, end=3.0, frames=3.0, loads=ends,
                 solver={"tolerance": 1e-12, "correction": 0}), "pressed")
with h5py.File(done.results.frame().path) as file:
  off = file["elastic/stress"][()] + SOFT_PRESS * numpy.array([0, 0, 1, 0, 0, 0])
check("pressed: error of stress at nodes over the pressure", abs(off).max() / SOFT_PRESS, "<",
      5e-10)

# -- welds with strengths ------------------------------------------------------------------------

PULL = 1e5
hung = [{"box": [0.2, 0.2, 1], "at": [0, 0, -0.5], "name": "bar",
         **cells((2, 2, 10), 40, weld={"cohesion": 10 * PULL, "tensile_strength": PULL})},
        {"box": [0.2, 0.2, 0.2], "at": [0, 0, -1.5], "name": "weight"}]
joints = [{"ball": [x, y, 0], "between": ["bar", "space"]}
          for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
pulled = {"on": "bar", "pressure": {"table": [[0, 0], [1, -1.5 * PULL], [9, -1.5 * PULL]]},
          "faces": {"direction": [0, 0, -1]}}
done = both(case(hung[:1], materials=stone(2000, 1e7, damping=0.2), gravity=(0, 0, 0), step=1e-2,
                 end=0.9, joints=joints, loads=[pulled], solver={"tolerance": 1e-8}), "hung")
broken = numpy.nonzero(done["broken_tension"])[0]
check("hung: points that part", done["broken_tension"].sum(), ">=", 9)
check_near("hung: parts when the pull is the strength, s", 1e-2 * (broken[0] + 1), 2 / 3, 0.03)
check("hung: momentum of what is below, N s", abs(done["momentum_z"][-1]), ">", 1)

# -- names, counts, refusals ---------------------------------------------------------------------

wall = {"wall": {"courses": 2, "bricks": 2, "brick": [0.4, 0.2, 0.2]}, "name": "wall",
        **cells((6, 2, 2), 40)}
arch = {"arch": {"voussoirs": 3, "radius": 2, "thickness": 0.3, "width": 0.3}, "name": "arch",
        "at": [5, 0, 0], **cells((4, 4, 4), 50)}
path = write("counted", case([wall, arch, {**bar, "at": [0, 5, 0]}], materials=soft))
told = subprocess.run([program, "check", path, "--json"], capture_output=True, text=True,
                      check=True).stdout
values = json.loads(told)
pieces = {(one["name"], one["pieces"]) for one in values["elements"]["shapes"]}
check_same("counted: pieces by entry", pieces, {("wall", 2), ("arch", 4), ("bar", 4)})
check_same("counted: bodies", values["elements"]["bodies"], 2 * 5 + 4 * 3 + 4)

BOX = {"box": [1, 1, 1], "name": "block", "material": "stone"}
tapered = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.2, 0, 1], [0.8, 0, 1], [0, 0.9, 1.0],
           [1, 0.9, 1.0]]
for name, body, more, message in (
    ("size", {"box": [1, 1, 1], "elastic": {"size": 0.5, "most_nodes": 100}}, {},
     "bodies of hexahedra alone are cut into pieces"),
    ("held", {**BOX, "fixed": True, **cells((8, 8, 8), 100, held="-z")}, {},
     "a foundation is not cut into pieces"),
    ("few", {**BOX, **cells((8, 8, 8), 7)}, {}, "from 8"),
    ("weld", {**BOX, **cells((2, 2, 2), 100, weld={"cohesion": 1, "tensile_strength": 1})}, {},
     "its 27 nodes are one piece, and nothing is welded"),
    ("weak", {**BOX, **cells((4, 4, 4), 100, weld={"cohesion": 1e5, "tensile_strength": 1e6})},
     {}, "there would be no strength in shear"),
    ("strength", {**BOX, **cells((4, 4, 4), 100, weld={"cohesion": 1})}, {}, "tensile_strength"),
    ("round", {"sphere": {"radius": 1}, **cells((8, 8, 8), 100)}, {}, "a round body has no sides"),
    ("force", {**BOX, **cells((8, 8, 8), 100)}, {"loads": [{"on": "block", "force": [0, 0, 1]}]},
     "each would have all of it: name one, as 'block.0', or give 'per'"),
    ("opening", {**BOX, **cells((8, 8, 8), 100)},
     {"output": {"probes": [{"name": "it", "opening": {"between": ["block", "other"]}}]}},
     "'block' is in 16 pieces (elastic.most_nodes), and one is asked for")):
  other = {"box": [1, 1, 1], "at": [0, 0, 5], "name": "other"}
  path = write(name, case([body, other], materials=soft, **more))
  said = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
  check_same(f"refused, {name}: exit code", said.returncode, 2)
  check_same(f"refused, {name}: '{message}' is said", message in said.stderr or said.stderr, True)
finish()
