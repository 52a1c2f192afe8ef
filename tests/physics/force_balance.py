#!/usr/bin/env python3
"""Forces out of balance, and stops of the solver in these terms, against known answers.

The unbalanced force ratio of a block that falls is 1 and of one at rest 0; of one that slides it
follows from Coulomb's law. The penetration that velocities lead to is that of the next step. A heap
whose steps end at a stop keeps it in every step, and takes fewer sweeps than to the tolerance.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 400
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, finish, run, tilted

G, STEP = 9.81, 1e-3
FLOOR = {"box": [8, 8, 1], "at": [0, 0, -0.5], "fixed": True}


def block(z, **more):
  return {"box": [0.5, 0.4, 0.3], "at": [0, 0, z], **more}


# falls 5 cm, and rests
fall = run(case([FLOOR, block(0.2)], end=0.4), "fall")
free = fall["points"] == 0
check("steps of the fall", free.sum(), ">=", 95)
check("unbalanced share in the fall, from 1", abs(fall["unbalanced"][free] - 1).max(), "<", 1e-12)
check("and at rest", fall["unbalanced"][fall["time"] > 0.3].max(), "<", 1e-8)
check("undone at any time", fall["undone"].max(), "<", 1e-8)

# slides: m g (sin a - mu cos a) is left of m g, N = m g cos a and mu N, if all corners push alike
a, mu = math.radians(35), 0.4
slide = run(case([FLOOR, block(0.15)], gravity=tilted(35), friction=mu, end=0.02), "slide")
left = math.sin(a) - mu * math.cos(a)
share = left / (1 + math.cos(a) * math.sqrt(1 + mu * mu))
check("unbalanced share of a block that slides, from its known one",
      abs(slide["unbalanced"] / share - 1).max(), "<", 1e-8)

# a force that holds half of the weight: it falls with half of g, and half of m g acts
held = case([FLOOR, block(2, name="block")], end=0.01)
held["loads"] = [{"on": "block", "force": [0, 0, 0.5 * 2000 * 0.06 * G]}]
check("unbalanced share beside a load, from 1",
      abs(run(held, "held")["unbalanced"] - 1).max(), "<", 1e-12)

# what a step leaves shows in the next: two blocks that press each other with a single sweep each
hasty = case([FLOOR, block(0.15), block(0.46), block(0.77)], end=0.1,
             solver={"max_sweeps": 1, "method": "gauss-seidel", "correction": 0})
hasty = run(hasty, "hasty")
same = (hasty["points"][1:] == hasty["points"][:-1]) & (hasty["points"][1:] > 0)
told, seen = hasty["next_penetration"][:-1][same], hasty["penetration"][1:][same]
check("steps that are compared", same.sum(), ">", 50)
check("overlap that unfinished steps lead to, m", seen.max(), ">", 1e-6)
check("and what the step before said, over it", abs(told - seen).max() / seen.max(), "<", 1e-6)


# stops of a heap, which is not at rest yet
def heap(**stop):
  bodies = [FLOOR]
  for i in range(27):
    x, y, z = i % 3 - 1, i // 3 % 3 - 1, i // 9
    bodies.append({"box": [0.3 + 0.02 * (i % 4), 0.25 + 0.03 * (i % 3), 0.2], "at":
                   [0.37 * x + 0.02 * z, 0.36 * y, 0.3 + 0.35 * z],
                   "turn": {"axis": [1 + x, 2 * y, 1], "angle": 20 + 10 * i}})
  return case(bodies, end=1.2, step=2e-3, solver={"tolerance": 1e-9, "max_sweeps": 20000,
                                                  **({"stop": stop} if stop else {})})


exact = run(heap(), "exact")
share, way = 1e-2, 1e-6
force = both(heap(unbalanced=share), "force")
depth = run(heap(penetration=way), "depth")
all_of = run(heap(unbalanced=share, penetration=way), "all_of")
for name, done in ("force", force), ("depth", depth), ("all of them", all_of):
  check(f"{name}: sweeps over those to 1e-9", done["sweeps"].sum() / exact["sweeps"].sum(), "<",
        0.5)
  check(f"{name}: steps above the tolerance", done["unsolved"].sum(), "==", 0)
for name, done in ("force", force), ("all of them", all_of):
  check(f"{name}: most that any step leaves undone", done["undone"].max(), "<=", share)
check("force: the stop is in use", force["undone"].max(), ">", 0.02 * share)
check("none: the same, over that with the stop", exact["undone"].max() / force["undone"].max(), "<",
      1e-3)
for name, done in ("depth", depth), ("all of them", all_of):
  deeper = done["next_penetration"] - done["penetration"]
  check(f"{name}: most by which any step deepens an overlap, m", deeper.max(), "<=", way)
check("depth: the stop is in use", (depth["next_penetration"] - depth["penetration"]).max(), ">",
      0.02 * way)
for name, done in ("none", exact), ("force", force), ("depth", depth), ("all of them", all_of):
  energy = done["kinetic_energy"]
  print(f"        {name}: {done['sweeps'].sum():.0f} sweeps, {energy[-1]:.2g} J at the end")
  check(f"{name}: energy at the end over the largest", energy[-1] / energy.max(), "<", 1e-3)
finish()
