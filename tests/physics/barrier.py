#!/usr/bin/env python3
"""The scheme of barriers against closed forms. A block rests where its barrier carries it, creeps
and slides on slopes, and friction takes its whole share of an impact. A stack and an arch stand, a
thin arch falls, energies close. Cases that the scheme does not know are refused by name.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 900
import itertools
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import barred, case, check, check_near, check_same, finish, program, run, write

G = 9.81
FLOOR = {"box": [10, 10, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}


def slope(tangent):
  size = math.hypot(1, tangent)
  return (G * tangent / size, 0, -G / size)


# ------------------------------------------------------------------------------------------------
# A block at rest: four points of three sides' area, weighed by half, carry it. The gap solves
# kappa 3A/2 |b'(d)| = m g; skins lie half the distance inside of both bodies.

BLOCK = {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block"}
done = run(barred([FLOOR, BLOCK], 0.3, frames=0.3), "rest")
rest_hash = done.info("hash")
pressure = 2000 * G / (1e7 * 1.5 * 0.999 ** 2)
low, high = 0.5, 1.0
for _ in range(60):
  r = 0.5 * (low + high)
  slope_of_b = 2 * (r - 1) * math.log(r) + (r - 1) ** 2 / r
  low, high = (r, high) if slope_of_b > pressure else (low, r)
sunk = 0.5 - done.bodies()["position"][1][2]
check_near("gap at rest, of the distance", 1 - sunk / 1e-3, low, 1e-7)
check("speed at rest", abs(done.bodies()["velocity"][1]).max(), "<", 1e-9)
check("every step is solved", done["unsolved"].max(), "==", 0)
check_near("and in the history", done["least_gap"][-1] / 1e-3, low, 1e-7)
check_near("energy of barriers", done["barrier_energy"][-1] /
           (1e4 * 1.5 * 0.999 ** 2 * (1 - low) ** 2 * -math.log(low)), 1, 1e-7)
check("creep at rest", done["creep"][-1], "<", 1e-9)
unsearched = done["line_searches"][1:] < done["sweeps"][1:] - 1
check("each Newton step but a last one is searched along", int(unsearched.sum()), "==", 0)
check("its points press", done["sticking"][-1] + done["sliding"][-1], "==", 4)
shown = done.contacts()
check("frames call none of them open", int((shown["status"] == 0).sum()), "==", 0)
check("forces balance", done["unbalanced"][-1], "<", 1e-9)

# the distance as a share of the smallest side of all parts, that of the floor too
shared = barred([FLOOR, BLOCK], 0.3, barrier={"relative_distance": 1e-3}, frames=0.3)
del shared["barrier"]["distance"]
check_same("a share of the smallest side", run(shared, "share").info("hash"), rest_hash)

# ------------------------------------------------------------------------------------------------
# Slopes of c mu: creep below one, sliding above; the same on 3 ranks

for share in (0.5, 0.9, 0.99, 1.2):
  tilted = barred([FLOOR, dict(BLOCK, box=[1, 0.5, 0.5], at=[0, 0, 0.25])], 0.1, friction=0.5,
                  gravity=slope(0.5 * share), frames=0.05, barrier={"stick_speed": 1e-3})
  done = run(tilted, f"slope-{share}", ranks=3 if share == 0.9 else 1)
  velocity = done.bodies()["velocity"][1][0]
  if share < 1:
    check_near(f"creep at {share}", velocity / (1e-3 * (1 - math.sqrt(1 - share))), 1, 1e-4)
    check_near("and in the history", done["creep"][-1] / velocity, 1, 1e-6)
  else:
    before = done.bodies(done.results.frames[1])["velocity"][1][0]
    exact = G * (0.5 * share - 0.5) / math.hypot(1, 0.5 * share)
    check_near("acceleration of sliding", (velocity - before) / 0.05 / exact, 1, 1e-3)
    shown = done.contacts()
    check("nothing creeps that slides", done["creep"][-1], "==", 0)
    check("frames let its points slide", int((shown["status"] != 2).sum()), "==", 0)
    check_near("and tell how far", shown["slip"].max() / (velocity * 1e-3), 1, 1e-2)
  check(f"solved at {share}", done["unsolved"].max(), "==", 0)

# ------------------------------------------------------------------------------------------------
# An impact: what friction takes of a flat one, and that works close

fall = barred([FLOOR, dict(BLOCK, at=[0, 0, 0.504], velocity=[3, 0, -1])], 0.01, friction=0.3,
              step=1e-2, gravity=(0, 0, 0), frames=0.01)
done = run(fall, "impact")
change = done.bodies()["velocity"][1] - numpy.array([3, 0, -1])
check_near("impulse of friction over the normal one", -change[0] / change[2], 0.3, 0.3e-3)
check("some searches shorten the step", done["line_searches"][0], ">", done["sweeps"][0])
check_near("works and energy", done["contact_work"][0] / (done["kinetic_energy"][0] - 1e4), 1, 1e-3)

# what rebound a step leaves: next to nothing where it is long
for step, low, high in ((1e-2, 0, 0.02), (1e-3, 0.02, 0.2), (1e-4, 0.3, 0.7)):
  hit = barred([FLOOR, dict(BLOCK, at=[0, 0, 0.502], velocity=[0, 0, -1])], 0.04, friction=0,
               step=step, gravity=(0, 0, 0), frames=0.04)
  speed = run(hit, f"rebound-{step}").bodies()["velocity"][1][2]
  print(f"rebound at 1 m/s in steps of {step:g} s: {speed:.3f}")
  check("rebound", speed, ">=", low)
  check("rebound", speed, "<", high)

# a load of twice what friction takes; points of a frame are on the block where it is then
pushed = barred([dict(BLOCK, box=[1, 1, 0.5], at=[0, 0, 0.25]), FLOOR], 0.1, friction=0.3,
                loads=[{"on": "block", "force": [0.6 * 1000 * G, 0, 0]}], frames=0.05)
done = run(pushed, "pushed")
gained = done.bodies()["velocity"][0][0] - done.bodies(done.results.frames[1])["velocity"][0][0]
corner = done.contacts()["point"][:, 0].max() - done.bodies()["position"][0][0]
check_near("points move with the block, but for its pitch", corner, 0.4995, 1e-5)
check_near("acceleration under a load", gained / 0.05 / (0.3 * G), 1, 1e-3)

# ------------------------------------------------------------------------------------------------
# Structures

stack = barred([FLOOR, {"grid": {"box": [1, 1, 1], "count": [1, 1, 10], "spacing": [1, 1, 1]},
                        "at": [0, 0, 0.5], "name": "stack"}], 0.2, tolerance=1e-4, frames=0.2)
done = run(stack, "stack")
check("Newton steps of a stack", done["sweeps"].mean(), "<", 4)
check("at most", done["sweeps"].max(), "<=", 10)
check("a stack stands", abs(done.bodies()["velocity"][1:]).max(), "<", 1e-4)

# an arch of seven voussoirs, limit 0.0957: soft and stiff, short steps and long ones
for share, stiffness, step in itertools.product((1e-3, 1e-4), (1e7, 1e9), (1e-3, 5e-3)):
  for thickness, stands in ((0.0965, True), (0.0950, False)):
    ring = {"voussoirs": 7, "radius": 1, "thickness": thickness, "width": 0.2}
    arch = barred([FLOOR, {"arch": ring, "name": "arch"}], 0.3, distance=share * thickness,
                  stiffness=stiffness, tolerance=1e-6, friction=0.8, step=step, frames=0.1)
    done = run(arch, f"arch-{thickness}")
    first, last = (done.bodies(done.results.frames[i])["position"] for i in (0, -1))
    fallen = numpy.linalg.norm(last - first, axis=1).max() / thickness
    steps = done["sweeps"]
    name = f"arch of {thickness}, distance {share:.0e} of it, {stiffness:.0e} Pa, step {step:.0e} s"
    print(f"{name}: moved by {fallen:.3g} of its thickness, {steps.mean():.1f} Newton steps a "
          f"step, {int(steps.max())} at most, {int(done['unsolved'].sum())} not solved")
    if stands:
      check(f"{name} stands", fallen, "<", 1e-3)
    else:
      check(f"{name} falls", fallen, ">", 1e-2)

# A dry wall of 210 bricks as it is built, touching without force, upright and leaning by 0.3
brick = {"courses": 20, "bricks": 10, "brick": [0.4, 0.2, 0.2], "joint": 0.002}
for tangent, mean, most in ((0, 10, 40), (0.3, 25, 160)):
  wall = barred([dict(FLOOR, at=[2, 0, -0.5]), {"wall": brick, "name": "wall"}], 0.02,
                distance=2e-4, stiffness=1e9, tolerance=1e-6, friction=0.6,
                gravity=slope(tangent))
  done = run(wall, f"wall-{tangent}")
  steps = done["sweeps"]
  print(f"wall at {tangent}: {steps.mean():.1f} Newton steps a step, {int(steps.max())} at most, "
        f"in step {int(steps.argmax()) + 1}, {int(steps[-1])} in step {len(steps)}")
  check(f"Newton steps of a wall at {tangent}", steps.mean(), "<=", mean)
  check("at most", steps.max(), "<=", most)
  check("every step is solved", done["unsolved"].max(), "==", 0)
  check("at the end it stands", steps[-1], "<=", 8)

# ------------------------------------------------------------------------------------------------
# Refusals


def refused(what, described, *words, options=()):
  path = write("refused", described)
  done = subprocess.run([program, "run", path, "-o", "refused", "--overwrite", *options],
                        check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
  check(f"{what}: exit code", done.returncode, "==", 2)
  for word in words:
    check(f"{what} names {word}: {done.stdout[-300:]}", int(word in done.stdout), "==", 1)


plain = barred([FLOOR, BLOCK], 0.01)
rebound = barred([FLOOR, BLOCK], 0.01)
rebound["contacts"][0]["restitution"] = 0.5
refused("restitution", rebound, "restitution")
bonded = barred([FLOOR, BLOCK], 0.01)
bonded["contacts"][0]["bond"] = {"cohesion": 1e5, "tensile_strength": 1e5}
refused("bonds", bonded, "bond")
refused("sparsification", {**plain, "contact": {"sparsify": {"threshold": 0.1}}}, "sparsify")
refused("damping", {**plain, "damping": 0.1}, "damping")
refused("another model", {**plain, "contact": {"model": "lmd"}}, "contact.model")
refused("halves", {**plain, "solver": {"unsolved": "halve"}}, "halve")
refused("a sphere", barred([FLOOR, {"sphere": {"radius": 1}, "at": [0, 0, 1]}], 0.01), "spheres")
refused("motions", barred([FLOOR, dict(BLOCK, motion={"velocity": [0, 0, 1]})], 0.01), "motion")
egg = {"ellipsoid": {"radii": [1, 1, 0.5]}, "at": [0, 0, 1]}
refused("an ellipsoid", barred([FLOOR, egg], 0.01), "ellipsoids")
deforming = barred([FLOOR, dict(BLOCK, elastic="affine")], 0.01)
deforming["materials"]["stone"].update(young=1e9, poisson=0.2)
refused("elastic bodies", deforming, "elastic")
for key, word, value in (("joint_stiffness", "joint_stiffness", {"normal": 1e9, "shear": 1e9}),
                         ("law", "law: volumetric", "volumetric")):
  other = barred([FLOOR, BLOCK], 0.01)
  other["contacts"][0][key] = value
  if key == "law":
    other["contacts"][0].update(stiffness=1e6, damping=0)
  refused(word, other, word)
for key, value in (("base", {"acceleration": [1, 0, 0]}),
                   ("servos", [{"on": "block", "axis": "-z", "force": 10, "speed": 1}]),
                   ("stages", [{"name": "one", "until": {"time": 0.005}}]),
                   ("contact", {"initial": 1e-4}), ("solver", {"stop": {"unbalanced": 1e-3}})):
  refused(key, {**plain, key: value}, "leave out", key)
later = dict(BLOCK, at=[3, 0, 0.5], birth=0.005, name="later")
refused("later bodies", barred([FLOOR, BLOCK, later], 0.01), "appear later")
refused("a joint", barred([FLOOR, BLOCK], 0.01,
                          joints=[{"ball": [0, 0, 0.5], "between": ["floor", "block"]}]), "joints")
refused("a plate", barred([FLOOR, {"box": [1, 1, 5e-4], "at": [0, 0, 1]}], 0.01), "left")
deep = dict(BLOCK, at=[0, 0, 0.49])
refused("deep bodies", barred([FLOOR, deep], 0.01), "overlap", "floor", "block")
# skins that touch within rounding are refused, those that are apart by more run
for ulps, expected in ((0, 2), (150, 2), (400, 0)):
  near = dict(BLOCK, at=[0, 0, 0.499 + ulps * 2.0 ** -54])
  path = write("touching", barred([FLOOR, near], 0.001))
  code = subprocess.run([program, "run", path, "-o", "touching", "--overwrite"], check=False,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
  check(f"skins that touch, {ulps} units: exit code", code, "==", expected)
refused("no barrier", {**case([FLOOR, BLOCK], end=0.01), "scheme": "barrier"}, "barrier")
refused("no stiffness", {**case([FLOOR, BLOCK], end=0.01), "barrier": {"refine": 2}}, "stiffness")
refused("a dump", plain, "--dump-problem", options=("--dump-problem", "1"))
refused("two distances", barred([FLOOR, BLOCK], 0.01, barrier={"relative_distance": 1e-3}),
        "relative_distance", "leave one")
refused("a word", {**plain, "scheme": "other"}, "non-smooth")

finish()
