#!/usr/bin/env python3
"""Wheels, pressures, and loads that are shared or per mass, against closed forms and limits."""
# test: needs python3
# test: ranks 3
# test: timeout 600
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import TESTS, case, check, check_near, check_same, finish, program, run, write

TURN = math.pi / 21   # of a voussoir


def call(command, path, *options, ranks=1):
  words = [os.path.join(TESTS, "mpirun.sh"), str(ranks), program, command, path, *options]
  done = subprocess.run(words, capture_output=True, text=True, check=False)
  return done.returncode, done.stdout, done.stderr


# -- a wheel on an arch of 21 voussoirs, whose limits are those of linear programs -----------------


def arch(wheel, force, **more):
  return case([{"arch": {"voussoirs": 21, "radius": 5, "thickness": 0.6, "width": 1},
                "name": "ring"}], friction=0.6, densities={"stone": 2400.0},
              loads=[{"wheel": wheel, "force": force}], **more)


def over(voussoir):
  """Where the middle of its extrados is, m."""
  angle = (voussoir - 10) * TURN
  return 5.3 * math.cos(TURN / 2) * math.sin(angle)


def limit(place, ranks=1):
  path = write("standing", arch({"path": [[place, 0, 9]]}, [0, 0, -1000]))
  code, text, messages = call("statics", path, "--load", "0", "--json", ranks=ranks)
  if code != 0:
    sys.exit(messages)
  return json.loads(text)["most"]["static"]   # in kN


limits = {voussoir: limit(over(voussoir)) for voussoir in range(4, 17)}
for voussoir, value, tolerance in ((5, 55.340, 1e-3), (4, 138.15, 1e-3), (6, 28.52, 1e-3),
                                   (8, 12.23, 1e-3), (9, 9.188, 1e-3)):
  check_near(f"limit over voussoir {voussoir}, kN", limits[voussoir], value, tolerance * value)
check_same("voussoir 9 and its mirror image govern",
           sorted(sorted(limits, key=limits.get)[:2]), [9, 11])
check_same("the same on 3 ranks", limit(over(9), ranks=3), limits[9])
least = min(limit(-0.39 - 0.0005 * i) for i in range(20))
check("between the middles a wheel is worst near a joint, kN", least, "<", 0.9 * limits[9])


def outcome(name, wheel, force, end):
  until = {"displacement": 0.05, "on": "ring.*"}
  run(arch(wheel, force, time={"step": 2e-3, "end": end, "until": until}), name)
  with open(os.path.join(name, "outcome.json"), encoding="utf-8") as file:
    return json.load(file)["verdict"]


def grown(force, duration):
  return {"ramp": {"to": [0, 0, -1000 * force], "duration": duration}}


stands, rolls = {"path": [[over(9), 0, 9]]}, {"path": [[-1.2, 0, 9], [1.2, 0, 9]], "speed": 0.1}
check_same("1 % below its limit a wheel stands",
           outcome("below", stands, grown(0.99 * limits[9], 2), 6), "holds")
check_same("1 % above it the arch falls",
           outcome("above", stands, grown(1.01 * limits[9], 2), 6), "fails")
check_same("1 % below the least limit a wheel crosses",
           outcome("crosses", rolls, grown(0.99 * least, 1), 22), "holds")
check_same("1 % above it the arch falls below the wheel",
           outcome("sinks", rolls, grown(1.01 * least, 1), 22), "fails")

# -- a wheel that crosses blocks of one size: the force goes where the patch is --------------------

floor = {"box": [20, 4, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}
FORCE = 800.0
blocks = [{"box": [1, 1, 1], "at": [i + 0.5, 0, 2.5], "name": f"b{i}"} for i in range(3)]
free = case([floor, *blocks], gravity=(0, 0, 0), end=0.3, step=1e-3, densities={"stone": 1e6},
            loads=[{"wheel": {"path": [[-0.5, 0, 5], [2.5, 0, 5]], "speed": 10,
                              "patch": [0.4, 0.4]},
                    "force": [0, 0, -FORCE], "on": "b*"}])
momentum = run(free, "rolling")["momentum_z"]
check_near("over blocks or beside them it pushes with all its force, N s", momentum[-1],
           -FORCE * 0.27, 0.01 * FORCE)

# -- pressure --------------------------------------------------------------------------------------

# on one side of a brick that floats: p A t of momentum, and no turn
brick = {"box": [1, 2, 3], "at": [0, 0, 5], "name": "brick"}
side = case([brick], gravity=(0, 0, 0), end=0.1, step=1e-3, densities={"stone": 1000.0},
            loads=[{"on": "brick", "pressure": 1000, "faces": {"direction": [-1, 0, 0]}}])
h = run(side, "side")
check_near("pressure pushes by p A, N s", h["momentum_x"][-1], 1000 * 6 * 0.1, 1e-9)
check_near("and does not turn what it meets evenly", h["kinetic_energy"][-1],
           600 ** 2 / (2 * 6000), 1e-9)

# on the whole of a closed surface nothing is left; on half a face the moment is that of its arm
closed = {"parts": [{"box": [1, 1, 1]}, {"box": [1, 1, 1], "at": [1, 0, 0]}]}
for name, shape in (("box", {"box": [1, 2, 3]}), ("parts", closed)):
  whole = case([{**shape, "at": [0, 0, 5], "turn": {"axis": [1, 2, 3], "angle": 40},
                 "name": "body"}], gravity=(0, 0, 0), end=0.05, step=1e-3,
               loads=[{"on": "body", "pressure": 1e6,
                       "faces": {"direction": [0, 0, 1], "within": 180}}])
  h = run(whole, f"whole-{name}")
  check_near(f"pressure all round {name} moves nothing", h["kinetic_energy"][-1], 0, 1e-12)
uneven = case([{**closed, "at": [0, 0, 5], "name": "body"}], gravity=(0, 0, 0), end=1e-3,
              step=1e-4, densities={"stone": 1000.0},
              loads=[{"on": "body", "pressure": 1000,
                      "faces": {"direction": [0, 0, 1], "box": [[0.6, -1, 5], [2, 1, 6]]}}])
h = run(uneven, "uneven")
check_near("on half a top it pushes by half, N s", h["momentum_z"][-1], -1000 * 1e-3, 1e-9)
# about the centre of mass at x = 0.5 and so about the origin: arm 1 m
check_near("with the moment of its arm, N m s", h["angular_momentum_y"][-1], 1000 * 1e-3, 1e-6)

# a wall that water leans on slides when p A exceeds friction
block = {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block"}
for share, moves in ((0.98, False), (1.02, True)):
  leaning = case([floor, block], end=1, step=2e-3, friction=0.3, densities={"stone": 1000.0},
                 loads=[{"on": "block", "pressure": {"smooth": {"to": share * 0.3 * 9810,
                                                                "duration": 0.5}},
                         "faces": {"direction": [-1, 0, 0]}}])
  h = run(leaning, f"leaning-{moves}")
  check_same(f"at {share} of the friction it moves", bool(h["kinetic_energy"][-1] > 0.1), moves)

# -- shared and per mass ---------------------------------------------------------------------------

two = [{"box": [1, 1, 1], "at": [0, 0, 5], "name": "small"},
       {"box": [2, 2, 2], "at": [5, 0, 5], "name": "large"}]
for per, total in (("body", 2 * 100), ("shared", 100), ("mass", 100 * (1000 + 8000))):
  h = run(case(two, gravity=(0, 0, 0), end=0.1, step=1e-3, densities={"stone": 1000.0},
               loads=[{"on": ["small", "large"], "force": [100, 0, 0], "per": per}]),
          f"per-{per}")
  check_near(f"per {per}, N s", h["momentum_x"][-1], 0.1 * total, 1e-9 * total)

# -- what is refused, or told ----------------------------------------------------------------------

ball = {"sphere": {"radius": 1}, "at": [0, 0, 5], "name": "ball"}
path = write("round", case([ball], loads=[{"on": "ball", "pressure": 1,
                                           "faces": {"direction": [0, 0, 1]}}]))
code, _, messages = call("check", path)
check_same("a ball has no faces", (code, "loads.0.faces: no body of 'on'" in messages), (2, True))
path = write("nowhere", case([floor], end=0.002,
                             loads=[{"wheel": {"path": [[50, 0, 1]]}, "force": [0, 0, -1]}]))
code, text, messages = call("run", path, "-o", "nowhere", "--overwrite")
check_same("a wheel over nothing is told of",
           (code, "no body below the wheel of loads.0" in text + messages), (0, True))
finish()
