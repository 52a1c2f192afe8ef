#!/usr/bin/env python3
"""Bodies of finite elements that touch, against known answers, on 1 and 3 ranks.

Collisions keep momenta and explain their energy. Every step of a wall is solved. What such bodies
do not go with is refused.
"""
# test: needs python3
# test: ranks 3
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import drift, stone, unexplained
from cases import both, case, check, check_converged, check_same, finish, program, write


def cells(*counts):
  return {"elastic": {"cells": list(counts)}}


# blocks, an affine one and a rigid hull that spin and collide in free space
soft = stone(2000, 1e8, poisson=0.2, damping=1e-5)
thrown = [{"box": [1, 0.8, 0.6], "velocity": [1, 0.1, 0], "spin": [0.3, 0.2, 0.5],
           **cells(2, 2, 2)},
          {"box": [0.7, 0.7, 0.9], "at": [1.2, 0.1, 0.1], "velocity": [-2, 0, 0.1],
           "spin": [-0.4, 0.1, 0.2], **cells(2, 3, 2)},
          {"hull": [[0.4, 0, 0], [-0.3, 0.4, 0], [-0.3, -0.4, 0], [0, 0, 0.6], [0, 0.1, -0.5]],
           "at": [-1.1, 0.2, 0.1], "velocity": [2.5, -0.1, 0], "spin": [0.1, 1.0, 0.3]},
          {"box": [0.5, 0.5, 0.5], "at": [0.2, 1.4, 0.1], "velocity": [0, -1.5, 0],
           "spin": [0.5, 0.5, -0.5], "elastic": "affine"}]
done = both(case(thrown, materials=soft, gravity=(0, 0, 0), friction=0.4, end=0.6,
                 solver={"tolerance": 1e-6, "correction": 0}), "collision")
check("collision: energy that contacts take, J", -done["contact_work"].sum(), ">", 100)
check("collision: elastic energy, J", done["elastic_energy"].max(), ">", 100)
# scales: sum of the bodies' |m v| and |L|, N s and N m s
check("collision: momentum, largest change", drift(done, "momentum") / 2700, "<", 1e-12)
check("collision: angular momentum, largest change", drift(done, "angular_momentum") / 2000, "<",
      1e-12)

# head on, aligned, nothing turns
row = [{"box": [0.4, 0.2, 0.2], "velocity": [2, 0, 0], **cells(4, 2, 2)},
       {"box": [0.4, 0.2, 0.2], "at": [0.41, 0, 0], **cells(3, 2, 2)},
       {"box": [0.4, 0.2, 0.2], "at": [0.815, 0, 0]},
       {"box": [0.3, 0.2, 0.2], "at": [1.17, 0, 0], "velocity": [-1, 0, 0], **cells(3, 1, 1)}]
done = both(case(row, materials=soft, gravity=(0, 0, 0), step=1e-4, end=0.02,
                 solver={"tolerance": 1e-12, "correction": 0}), "row")
energy = done["kinetic_energy"][0]
check("row: energy that no work explains, relative", unexplained(done) / energy, "<", 1e-10)
for work in ("contact_work", "damping_work", "scheme_work"):
  check(f"row: share that {work} takes", -done[work].sum() / energy, ">", 0.001)

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

# what they do not go with
BLOCK = {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block", **cells(2, 2, 2)}
REFUSED = (
  ("joint", {"bodies": [BLOCK], "joints": [{"ball": [0, 0, 1], "between": ["block", "space"]}]},
   "they know no 'joints'"),
  ("round", {"bodies": [{"sphere": {"radius": 1}, **cells(2, 2, 2)}]}, "a round body has no sides"),
  ("parts", {"bodies": [{"parts": [{"box": [1, 1, 1]}, {"box": [1, 1, 1], "at": [1, 0, 0]}],
                         **cells(2, 2, 2)}]}, "a body of several parts has no six sides"),
  ("corner", {"bodies": [{"hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                          **cells(2, 2, 2)}]}, "it has no six sides of four corners each"),
  ("model", {"bodies": [BLOCK], "contact": {"model": "volumetric"}},
   "they know 'contact.model: patch' alone"),
)
for name, more, expected in REFUSED:
  path = write(name, case(more.pop("bodies"), materials=stone(2000, 1e8), **more))
  told = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
  check_same(f"refused: {name}: {told.stderr.strip()[-120:]}",
             (told.returncode, expected in told.stderr), (2, True))
finish()
