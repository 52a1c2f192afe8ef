#!/usr/bin/env python3
"""Joints with a stiffness. A block on a floor with k Pa/m under its face A, dropped from no gap,
sinks by W/(kA) in the mean and swings with sqrt(kA/m), as the midpoint rule has it; its energy with
that of the spring stays. Thrown on joints from 1e6 to 1e12 Pa/m, wherever in a step it meets them,
it never gains energy, and a spring that steps resolve gives it back its speed. A wall that is
shaken until its joints open and close stays as slow as the ground. Pushed along the floor, it gives
by F/(k_T A) and comes to rest, and while corrections lift it out of the floor, too. A bond gives
alike when it is pulled, until it breaks. A wall of such bonds has the same bits after a restart. An
arch on two abutments has one thrust, whatever the method.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import case, check, check_near, check_same, finish, run

G, STEP, K, SHEAR, STRENGTH = 9.81, 1e-3, 2e7, 1e7, 1e4
FLOOR = {"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True}
SPRINGS = {"normal": K, "shear": SHEAR}


def sprung(bodies, end, **more):
  """A case whose one pair of materials has springs."""
  bond = more.pop("bond", None)
  described = case(bodies, gravity=more.pop("gravity", (0, 0, -G)), friction=0.5, step=STEP,
                   end=end, **more)
  for contact in described["contacts"]:
    contact["joint_stiffness"] = SPRINGS
    contact["restitution"] = 0
    if bond:
      contact["bond"] = bond
  return described


# a block swings on its spring
SIDE, STEPS = 0.5, 200
block = {"box": [SIDE] * 3, "at": [0, 0, 0.5 * SIDE], "name": "block"}
swing = sprung([FLOOR, block], STEPS * STEP, frames=STEP, solver={"tolerance": 1e-13})
done = run(swing, "block", 1)
frames = done.results.frames
height = numpy.array([done.bodies(f)["position"][1][2] - 0.5 * SIDE for f in frames])
speed = numpy.array([done.bodies(f)["velocity"][1][2] for f in frames])
mass, stiffness = done.bodies()["mass"][1], K * SIDE * SIDE
sink = mass * G / stiffness
omega = 2 / STEP * math.atan(0.5 * STEP * math.sqrt(stiffness / mass))
times = STEP * numpy.arange(len(height))
check("way off the swing about W/(kA)",
      abs(height + sink * (1 - numpy.cos(omega * times))).max() / sink, "<=", 1e-8)
energy = 0.5 * mass * speed**2 + 0.5 * stiffness * height**2 + mass * G * height
check("energy drifts by", abs(energy - energy[0]).max() / (mass * G * sink), "<=", 1e-10)

# thrown on a joint: what the spring holds after a step is no more than it took
THROWN, SPEED = 30, 0.5
for k in (1e6, 1e8, 1e10, 1e12):
  gains, kept = [], []
  for share in (0.1, 0.5, 0.9):   # of a step, in which they meet
    at = 0.5 * SIDE + (3 + share) * STEP * SPEED
    thrown = sprung([FLOOR, dict(block, at=[0, 0, at], velocity=[0, 0, -SPEED])],
                    (THROWN if k > 1e7 else 10 * THROWN) * STEP, gravity=(0, 0, 0), frames=STEP,
                    solver={"tolerance": 1e-12})
    thrown["contacts"][0]["joint_stiffness"] = {"normal": k, "shear": k}
    done = run(thrown, "thrown", 1)
    states = [done.bodies(f) for f in done.results.frames]
    gaps = numpy.array([b["position"][1][2] for b in states]) - 0.5 * SIDE
    speeds = numpy.array([b["velocity"][1][2] for b in states])
    energy = 0.5 * mass * speeds**2 + 0.5 * k * SIDE * SIDE * numpy.minimum(gaps, 0)**2
    gains.append(numpy.diff(energy).max() / energy[0])
    kept.append(speeds[-1] / SPEED)
  check(f"thrown on {k:g} Pa/m: energy gained in a step, of all", max(gains), "<=", 1e-10)
  check(f"thrown on {k:g} Pa/m: least speed after it, of that before", min(kept), ">=",
        0.999 if k < 1e7 else 0)
  check(f"thrown on {k:g} Pa/m: largest speed after it, of that before", max(kept), "<=", 1)

# a shaken wall whose joints open and close
loose = sprung([FLOOR, {"wall": {"courses": 6, "bricks": 3, "brick": [0.4, 0.2, 0.2],
                                 "joint": 0.002}, "at": [0, 0, 0]}], 0.2,
               gravity={"sum": [[0, 0, -G], {"cosine": {"amplitude": [0.3 * G, 0, 0], "phase": 90,
                                                       "angular_frequency": 30}}]})
loose["contacts"][0]["joint_stiffness"] = {"normal": 1e10, "shear": 1e10}
done = run(loose, "loose", 1)
check("loose wall: points that open", done["open"].max(), ">", 0)
check("loose wall: largest kinetic energy, J", done["kinetic_energy"].max(), "<", 0.1)

# a push along the floor, below friction and without a swing along the normal
push = 0.2 * mass * G
light = sprung([FLOOR, dict(block, at=[0, 0, 0.5 * SIDE - sink])], 2.0, frames=2.0,
               solver={"tolerance": 1e-12})
ramp = [[0, 0, 0, 0], [1, push, 0, 0], [2, push, 0, 0]]
light["loads"] = [{"on": "block", "force": {"table": ramp}, "at": [0, 0, -0.5 * SIDE]}]
done = run(light, "pushed", 1)
way = done.bodies()["position"][1]
check_near("way along the floor over F/(k_T A)", way[0] / (push / (SHEAR * SIDE * SIDE)), 1, 2e-3)
check_near("depth over W/(kA)", (0.5 * SIDE - way[2]) / sink, 1, 1e-3)

# springs along the joint alone: lifting the block out of an overlap of 1 mm leaves them as they are
sunk = sprung([FLOOR, dict(block, at=[0, 0, 0.5 * SIDE - 1e-3])], 0.1, frames=0.1)
sunk["contacts"][0]["joint_stiffness"] = {"normal": 0, "shear": SHEAR}
sunk["loads"] = [{"on": "block", "force": {"table": [[0, 0, 0, 0], [0.1, push, 0, 0]]},
                  "at": [0, 0, -0.5 * SIDE]}]
ways = [run({**sunk, "solver": {"tolerance": 1e-12, "correction": share}}, f"sunk{share}",
            1).bodies()["position"][1] for share in (0.0, 0.2)]
check_near("way of a block that is lifted out of an overlap over that of one that is not",
           ways[1][0] / ways[0][0], 1, 0.02)
check("what is left of the overlap, m", 0.5 * SIDE - ways[1][2], "<", 1e-5)

# a bond is pulled, without weight
pull = 100.0
pulled = sprung([FLOOR, block], 2 * math.pi / omega, gravity=(0, 0, 0), frames=STEP,
                bond={"cohesion": 1e6, "tensile_strength": 1e5}, solver={"tolerance": 1e-12})
pulled["loads"] = [{"on": "block", "force": [0, 0, pull]}]
done = run(pulled, "pulled", 1)
way = max(done.bodies(f)["position"][1][2] for f in done.results.frames) - 0.5 * SIDE
check_near("largest way over 2 F/(kA)", way / (2 * pull / stiffness), 1, 1e-3)

# pulled beyond its strength it breaks, all its points at once, and the block goes
strong = STRENGTH * SIDE * SIDE
for share, broken in ((0.45, 0), (0.6, 4)):   # half: a sudden load is felt twice
  torn = sprung([FLOOR, block], 4 * math.pi / omega, gravity=(0, 0, 0), frames=STEP,
                bond={"cohesion": 1e6, "tensile_strength": STRENGTH},
                solver={"tolerance": 1e-12})
  torn["loads"] = [{"on": "block", "force": [0, 0, share * strong]}]
  done = run(torn, f"torn{broken}", 1)
  check(f"bond at {share} of its strength: points that broke", sum(done["broken_tension"]), "==",
        broken)
  way = done.bodies()["position"][1][2] - 0.5 * SIDE
  check(f"bond at {share} of its strength: way in the end over that where it breaks",
        way * stiffness / strong, ">" if broken else "<", 1.1 if broken else 1.0)

# springs and bonds of a shaken wall, some of which break, have the same bits after a restart
wall = sprung([FLOOR, {"wall": {"courses": 4, "bricks": 3, "brick": [0.4, 0.2, 0.2], "joint": 0},
                       "at": [0, 0, 0], "name": "wall"}], 0.1,
              gravity={"sum": [[0, 0, -G], {"cosine": {"amplitude": [30, 0, 0],
                                                      "angular_frequency": 80}}]},
              bond={"cohesion": 1e5, "tensile_strength": 6e4})
for law in wall["contacts"]:
  law["joint_stiffness"] = {"normal": 1e10, "shear": 5e9}
whole = run(wall, "wall", 1)
check("shaken wall: points that broke",
      sum(whole["broken_tension"]) + sum(whole["broken_shear"]), ">", 0)
check("shaken wall: bonds in the end", whole["bonds"][-1], ">", 0)
run(wall, "again", 3, options=("--steps", "5"), case_name="wall")
again = run(wall, "again", 2, options=("--restart",), case_name="wall")
check_same("shaken wall: hash of 3 ranks, then 2", again.hash, whole.hash)
check("shaken wall: steps in which others broke",
      sum(again["broken_tension"] != whole["broken_tension"]), "==", 0)
check("shaken wall: points that broke after the restart",
      sum(again["broken_tension"][5:] + again["broken_shear"][5:]), ">", 0)

# one thrust
arch = [{"arch": {"voussoirs": 7, "radius": 2, "thickness": 0.5, "width": 1, "embrace": 150}}]
thrusts = []
for method, ranks in (("gauss-seidel", 1), ("nesterov", 1), ("anderson", 3),
                      ("admm-cholesky", 3), ("admm-amg", 1)):
  solver = {"tolerance": 1e-11, "method": method, "max_sweeps": 100000}
  done = run(sprung(arch, 5 * STEP, frames=5 * STEP, solver=solver), method, ranks)
  check(method + ", residual", max(done["residual_max"]), "<=", 1e-11)
  contacts = done.contacts()
  thrusts.append(contacts["reaction_world"])
for other in thrusts[1:]:
  check("forces of another method, off by",
        numpy.linalg.norm(other - thrusts[0]) / numpy.linalg.norm(thrusts[0]), "<=", 1e-6)
finish()
