#!/usr/bin/env python3
"""Bodies of finite elements that touch, against known answers, on 1 and 3 ranks.

Collisions keep momenta and explain their energy. Every step of a wall is solved, also where its
bricks are next to rigid. A uniform pressure goes through meshes that do not match. Bodies that bend
too far are counted and named. What such bodies do not go with is refused.
"""
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
import csv
import math
import os
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import stone
from cases import both, case, check, check_converged, check_same, finish, program, write
from finite_scenes import cells, check_collision, check_head_on

check_collision()
check_head_on()

# a wall under sudden weight on a slope: joints open, close and slide, and every step is solved.
# Heads of bricks meet over nodes of those above and below.
walled = [{"box": [6, 2, 0.2], "at": [1, 0, -0.1], "fixed": True},
          {"wall": {"courses": 5, "bricks": 3, "brick": [0.4, 0.2, 0.2]}, **cells(2, 2, 2)}]
done = both(case(walled, materials=stone(2000, 1e9, poisson=0.2), gravity=(0.976, 0, -9.761),
                 friction=0.6, end=0.02, solver={"tolerance": 1e-6}), "wall")
check_converged("wall", done, 1e-6)
check("wall: points that slide, largest", done["sliding"].max(), ">", 50)
check("wall: elastic energy, largest, J", done["elastic_energy"].max(), ">", 0.01)

# the same with open heads, over the middles of cells: nodes of neighbours never meet
walled[1] = {"wall": {"courses": 5, "bricks": 3, "brick": [0.4, 0.2, 0.2], "joint": 0.002},
             **cells(3, 2, 2)}
done = both(case(walled, materials=stone(2000, 1e9, poisson=0.2), gravity=(0.976, 0, -9.761),
                 friction=0.6, end=0.02, solver={"tolerance": 1e-6}), "between")
check_converged("between nodes", done, 1e-6)
check("between nodes: points that slide, largest", done["sliding"].max(), ">", 50)
check("between nodes: iterations of a step, largest", done["sweeps"].max(), "<=", 120)

# a plate presses on two blocks of other meshes, between rigid bodies: one stress throughout, as
# exactly as it is solved, what the tolerance leaves added up over 400 steps. The load grows by a
# share of itself, so that no point ever opens. Damping of a step: with more, stiff modes ring.
PRESS = 1e4
ramp = [[0, 0, 0, 0]] + [[0.1 * k, 0, 0, -PRESS * math.exp((0.1 * k - 7) / 0.4)]
                         for k in range(1, 71)]
piled = [{"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True},
         {"box": [1, 1, 0.5], "at": [0, 0, 0.25], **cells(3, 3, 2)},
         {"box": [1, 1, 0.5], "at": [0, 0, 0.75], **cells(4, 2, 1)},
         {"box": [1.2, 1.2, 0.1], "at": [0, 0, 1.05], "name": "plate"}]
done = both(case(piled, materials=stone(2000, 1e6, damping=0.05), gravity=(0, 0, 0), end=20.0,
                 step=5e-2, frames=20.0, solver={"tolerance": 1e-12}, contact={"margin": 0.01},
                 loads=[{"on": "plate", "force": {"table": ramp}}]), "pressed")
check_converged("pressed", done, 1e-12)
with h5py.File(done.results.frame().path) as file:
  stress, reaction = file["elastic/stress"][()], file["contacts/reaction"][()]
  pressure = file["contacts/pressure"][()]
off = stress - PRESS * numpy.array([0, 0, -1, 0, 0, 0])
check("pressed: error of stress at nodes over the pressure", abs(off).max() / PRESS, "<", 1e-10)
check("pressed: error of pressures", abs(pressure / PRESS - 1).max(), "<", 2e-10)
check("pressed: shear over the normal impulse", abs(reaction[:, 1:]).max() / reaction[:, 0].max(),
      "<", 2e-10)

# the same of bricks that waves cross a hundred times and more in a step: next to rigid, and solved,
# with a warning that names them
for young, most in ((1e12, 100), (1.9e14, 200)):
  described = case([walled[0], {"wall": {"courses": 3, "bricks": 2, "brick": [0.4, 0.2, 0.2]},
                                **cells(4, 2, 2), "name": "stiff"}],
                   materials=stone(2400, young, poisson=0.2), gravity=(0.976, 0, -9.761),
                   friction=0.6, end=0.02, solver={"tolerance": 1e-6})
  done = both(described, f"wall{young:g}")
  check_converged(f"wall of {young:g} Pa", done, 1e-6)
  check(f"wall of {young:g} Pa: most iterations", done["sweeps"].max(), "<=", most)
  with open(f"wall{young:g}.1.log", encoding="utf-8") as log:
    said = [line for line in log if "warning: body 'stiff'" in line]
  check_same(f"wall of {young:g} Pa: the log names it once", len(said), 1)
  check_same("and the half bricks", "cross bodies of 0.2 m" in said[0], True)
described["materials"]["stone"]["young"] = 1e15
told = subprocess.run([program, "check", write("stiffer", described)], capture_output=True,
                      text=True, check=False)
check_same("what is still stiffer is refused with the largest modulus",
           (told.returncode, "body 'stiff'" in told.stderr,
            "lower it to at most 1.92e+14 Pa" in told.stderr), (2, True, True))

# a rubber beam on two supports sinks by more than its margin, and its ends turn; one of stone does
# not. Counts are those of any number of ranks.
beams = [{"box": [0.1, 2, 0.2], "at": [x, 0, -0.1], "fixed": True} for x in (-0.45, 0.45)]
beams += [{"box": [1, 0.1, 0.1], "at": [0, y, 0.05], "material": name, "name": f"of {name}",
           **cells(8, 1, 1)} for y, name in ((-0.5, "stone"), (0.5, "rubber"))]
described = case(beams, densities={"stone": 1000, "rubber": 1000}, end=0.15,
                 solver={"tolerance": 1e-6}, output={"frames": {"every": 0.15}})
described["materials"] = {"stone": {"density": 1000, "young": 1e10, "poisson": 0.2},
                          "rubber": {"density": 1000, "young": 1e6, "poisson": 0.2}}
done = both(described, "beams", work=math.inf)   # cells turn late
displaced, turned = done["displaced_bodies"], done["turned_cells"]
with open("beams.3/history.csv", encoding="utf-8") as file:
  rows = list(csv.DictReader(file))
for name, values in (("displaced_bodies", displaced), ("turned_cells", turned)):
  check_same(f"beams: {name} on 3 ranks", [int(row[name]) for row in rows], list(map(int, values)))
check_same("beams: displaced bodies, first and last", (displaced[0], displaced[-1]), (0, 1))
check("beams: steps before cells turn", (turned == 0).sum(), ">", (displaced == 0).sum())
# nodes of the last frame say the same
with h5py.File(done.results.frame().path) as file:
  nodes = {name: file["nodes"][name][()] for name in ("body", "displacement")}
far = set(nodes["body"][numpy.linalg.norm(nodes["displacement"], axis=1) > 1e-3].tolist())
check_same("beams: who is displaced", far, {3})
check("beams: cells that turn", turned[-1], ">", 3)
check("beams: and those that do not", turned[-1], "<", 8)
with open("beams.1.log", encoding="utf-8") as file:
  log = file.read()
for part, count in (("nodes of 1 body are displaced farther than contact.margin", 5),
                    ("contact.margin, the first is 3 (of rubber)", 5),
                    ("the first is cell 0 of body 3 (of rubber)", 5), ("(of stone)", 0),
                    (f"{(displaced > 0).sum()} steps had bodies of finite elements displaced", 1),
                    (f"{(turned > 0).sum()} steps had cells of finite elements that turned", 1)):
  check_same(f"beams: the log has '{part}'", log.count(part), count)

# what they do not go with
BLOCK = {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block", **cells(2, 2, 2)}
REFUSED = (
  ("round", {"bodies": [{"sphere": {"radius": 1}, **cells(2, 2, 2)}]}, "a round body has no sides"),
  ("parts", {"bodies": [{"parts": [{"box": [1, 1, 1]}, {"box": [1, 1, 1], "at": [1, 0, 0]}],
                         **cells(2, 2, 2)}]}, "a body of several parts has no six sides"),
  ("corner", {"bodies": [{"hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                          **cells(2, 2, 2)}]}, "it has no six sides of four corners each"),
  ("model", {"bodies": [BLOCK], "contact": {"model": "lmd"}},
   "they know 'contact.model' patch and volumetric alone"),
)
for name, more, expected in REFUSED:
  path = write(name, case(more.pop("bodies"), materials=stone(2000, 1e8), **more))
  told = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
  check_same(f"refused: {name}: {told.stderr.strip()[-120:]}",
             (told.returncode, expected in told.stderr), (2, True))
finish()
