#!/usr/bin/env python3
"""Servos: the force that what they press gives back, the speed they keep to, their work.

Lids over blocks, against closed forms and by every solver; a drum of stones; direct shear.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 900
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_near, finish, run

FLOOR = {"box": [8, 8, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}
BLOCK = {"box": [1, 1, 0.5], "at": [0, 0, 0.25], "name": "block"}
METHODS = ["gauss-seidel", "anderson", "nesterov", "admm-cholesky", "admm-amg", "interior-point"]
STEP = 1e-3


def balance(text, done, start=0.0):
  """Kinetic energy against the sum of works, of the largest of them."""
  works = [numpy.cumsum(done[name]) for name in
           ("load_work", "contact_work", "prescribed_work", "joint_work")]
  error = numpy.abs(done["kinetic_energy"] - start - sum(works)).max()
  check(f"{text}: energy balance, of the largest work",
        error / max(numpy.abs(work).max() for work in works), "<=", 1e-9)


def pushed(done, body, frame=-1, step=STEP):
  """The force of contacts on a body, N."""
  contacts = done.contacts(frame)
  if not len(contacts["bodies"]):
    return numpy.zeros(3)
  low, high = (contacts["bodies"][:, side] == body for side in (0, 1))
  reaction = contacts["reaction_world"]
  return (reaction[low].sum(axis=0) - reaction[high].sum(axis=0)) / step


# A lid of 200 kg over a block goes down at 0.1 m/s as soon as its mass allows. On the block that
# gives back 10 kPa, neither more nor less by its weight.
def lid(**more):
  return {"box": [1, 1, 0.1], "at": [0, 0, 0.57], "name": "lid", "motion": {"free": ["z"]}, **more}

def press(**servo):
  return [{"on": "lid", "axis": "z", "speed": 0.1, "pressure": 1e4, **servo}]

for method in METHODS:
  down = run(case([FLOOR, BLOCK, lid()], end=0.4, frames=0.05, servos=press(),
                  solver={"method": method, "correction": 0}), f"down-{method}")
  check_near(f"down, {method}: speed", down.bodies(2)["velocity"][2, 2], -0.1, 1e-9)
  check_near(f"down, {method}: height", down.bodies(2)["position"][2, 2], 0.57 - 0.1 * 0.1, 2e-4)
  check_near(f"down, {method}: force on the lid", pushed(down, 2)[2], 1e4, 1e-2)
  balance(f"down, {method}", down)
  check(f"down, {method}: unbalanced in the air", down["unbalanced"][80:90].min(), ">", 0.2)
  check(f"down, {method}: unbalanced on the block", down["unbalanced"][-1], "<", 1e-5)
same = both(case([FLOOR, BLOCK, lid()], end=0.4, servos=press()), "same")

# A force that grows, and one that pulls: nothing holds the lid, and it rises at its speed.
grown = run(case([FLOOR, BLOCK, lid(at=[0, 0, 0.55])], end=0.5, frames=0.1, servos=[
  {"on": "lid", "axis": "z", "speed": 0.1,
   "force": {"ramp": {"from": 1000, "to": 3000, "start": 0, "duration": 0.4}}}]), "grown")
for frame in range(1, 6):
  time = 0.1 * frame
  wanted = 1000 + 2000 * min((time - 0.5 * STEP) / 0.4, 1)
  check_near(f"grown: force at {time:.1f} s", pushed(grown, 2, frame)[2], wanted, 1)
pulled = run(case([FLOOR, BLOCK, lid(at=[0, 0, 0.55])], end=0.3, frames=0.3,
                  servos=press(pressure=-1e4)), "pulled")
check_near("pulled: speed", pulled.bodies()["velocity"][2, 2], 0.1, 1e-9)
balance("pulled", pulled)

# Driven back by a piston that goes up at 0.05 m/s the lid gives way with its force.
piston = {"box": [1, 1, 0.5], "at": [0, 0, 0.25], "name": "piston",
          "motion": {"velocity": [0, 0, 0.05]}}
driven = run(case([piston, lid(at=[0, 0, 0.55])], end=0.3, frames=0.3, servos=press()),
             "driven")
check_near("driven: speed", driven.bodies()["velocity"][1, 2], 0.05, 1e-9)
check_near("driven: force", pushed(driven, 1)[2], 1e4, 1e-2)

# Sideways, on a lid that nothing guides: friction of the floor is no part of the force.
ram = {"box": [0.2, 1, 0.4], "at": [0.62, 0, 0.2], "name": "ram"}
wall = {"box": [0.2, 1, 1], "at": [-0.6, 0, 0.5], "fixed": True, "name": "wall"}
side = run(case([FLOOR, wall, BLOCK, ram], end=0.4, frames=0.4, friction=0.0,
                servos=[{"on": "ram", "axis": "x", "force": 500, "speed": 0.2}]), "side")
contacts = side.contacts()
on_ram = (contacts["bodies"][:, 1] == 3) & (contacts["bodies"][:, 0] == 2)
check_near("side: force", -contacts["reaction_world"][on_ram][:, 0].sum() / STEP, 500, 0.1)

# Stones in a drum: once they rest, 10 kPa on the lid within a percent.
DRUM = {"container": {"drum": {"radius": 0.5, "height": 1, "sides": 16}, "thickness": 0.1},
        "name": "drum", "at": [0, 0, 0]}
STONES = {"shapes": [{"random": {"points": 14, "variety": 8}}],
          "sizes": {"table": [[0.19, 0], [0.25, 1]]}}
AREA = 0.5 * 16 * 0.49 ** 2 * math.sin(math.radians(22.5))
heap = {"stones": {**STONES, "fill": {"cylinder": {"radius": 0.48, "height": 0.5},
                                      "fraction": 0.48}}, "at": [0, 0, 0.01], "name": "heap"}
cover = {"prism": {"sides": 16, "radius": 0.49, "height": 0.05}, "at": [0, 0, 0.55], "name": "lid",
         "motion": {"free": ["z"]}}
settled = run(case([DRUM, heap, cover], end=0.6, frames=0.02, friction=0.4, seed=3,
                   solver={"tolerance": 1e-5, "max_sweeps": 1000},
                   servos=[{"on": "lid", "axis": "z", "pressure": 1e4, "area": AREA,
                            "speed": 0.5}]),
              "settled")
last = len(settled.bodies()["mass"]) - 1
forces = [pushed(settled, last, frame)[2] / AREA for frame in range(20, 31)]
check_near("settled: mean pressure on the lid", numpy.mean(forces) / 1e4, 1, 0.01)
check_near("settled: in each frame", max(abs(f / 1e4 - 1) for f in forces), 0, 0.01)
check("settled: it rests", abs(settled.bodies()["velocity"][last, 2]), "<=", 1e-4)
speeds = [settled.bodies(frame)["velocity"][last, 2] for frame in range(31)]
check("settled: no faster than it may", -min(speeds), "<=", 0.5 + 1e-9)

# Direct shear without gravity: the upper half goes at 0.2 m/s, the lid presses with 50 kPa.
SHEAR = {"x": {"ramp": {"from": 0, "to": 0.2, "start": 0.3, "duration": 0.1}}}
H = 2e-3


def shear(seed):
  half = {"box": [0.6, 0.6, 0.25]}
  lower = {"container": {**half, "thickness": 0.1}, "name": "lower", "material": "steel"}
  upper = {"container": {"box": [0.6, 0.6, 0.5], "thickness": 0.1, "floor": False}, "name": "upper",
           "at": [0, 0, 0.25], "material": "steel", "motion": {"velocity": SHEAR}}
  stones = {"stones": {**STONES, "sizes": {"table": [[0.1, 0], [0.14, 1]]},
                       "fill": {"box": [0.58, 0.58, 0.45], "fraction": 0.5}}, "at": [0, 0, 0.01]}
  top = {"box": [0.59, 0.59, 0.05], "at": [0, 0, 0.52], "name": "lid", "material": "steel",
         "motion": {"velocity": SHEAR, "free": ["z"]}}
  described = case([lower, upper, stones, top], gravity=(0, 0, 0), step=H, end=0.9, frames=0.004,
                   densities={"stone": 2600.0, "steel": 7800.0}, seed=seed,
                   solver={"tolerance": 1e-3, "max_sweeps": 500},
                   servos=[{"on": "lid", "axis": "z", "pressure": 5e4, "speed": 0.5}])
  for law in described["contacts"]:
    law["friction"] = 0.5 if law["between"] == ["stone", "stone"] else 0.0
  done = run(described, f"shear-{seed}")
  lid_row = len(done.bodies()["mass"]) - 1
  frames = range(len(done.results.frames) // 2, len(done.results.frames))
  below = sum(pushed(done, 0, frame, H) for frame in frames)
  above = numpy.mean([pushed(done, lid_row, frame, H)[2] for frame in frames])
  check_near(f"shear, seed {seed}: way of the lid", done.bodies()["position"][lid_row, 0],
             0.2 * (0.9 - 0.35), 1e-9)
  check_near(f"shear, seed {seed}: mean force on the lid", above / (5e4 * 0.59 ** 2), 1, 0.1)
  check(f"shear, seed {seed}: works of servo and halves", done["prescribed_work"].sum(), ">", 0)
  angle = math.degrees(math.atan2(abs(below[0]), abs(below[2])))
  print(f"shear, seed {seed}: friction angle {angle:.2f} degrees")
  return angle

angle = shear(1)
check("shear: more than the friction of two stones", angle, ">", math.degrees(math.atan(0.5)))
check("shear: less than twice that", angle, "<", 2 * math.degrees(math.atan(0.5)))
finish()
