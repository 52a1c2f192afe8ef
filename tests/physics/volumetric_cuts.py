#!/usr/bin/env python3
"""The volumetric law and how bodies are cut into parts. A block on a slope, a disk that spins and a
cylinder that rolls move in raw tetrahedra as in one part; a peg in a hole of four walls is pushed
back; friction passes over the seams of a floor; momenta and energies close.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 900
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_near, finish, run, tilted

G, K, STEP = 9.81, 1e6, 1e-3


def layered(bodies, end, **more):
  """A case whose one pair of materials has the volumetric law."""
  law = {"law": "volumetric", "stiffness": K, **more.pop("law", {})}
  described = case(bodies, end=end, step=more.pop("step", STEP), **more)
  for entry in described["contacts"]:
    del entry["restitution"]
    entry.update(law)
  return described


def floor(size=40):
  return {"box": [size, size, 2], "at": [0, 0, -1], "fixed": True, "name": "floor"}


def box(low, high):
  return [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
          for z in (low[2], high[2])]


# a cube in five tetrahedra
FIVE = [(0, 3, 5, 6), (1, 0, 3, 5), (2, 0, 3, 6), (4, 0, 5, 6), (7, 3, 5, 6)]


def cut_box(low, high, count=1):
  """Parts: slices along x of five tetrahedra each, whose diagonals meet."""
  parts = []
  for i in range(count):
    x0 = low[0] + (high[0] - low[0]) * i / count
    x1 = low[0] + (high[0] - low[0]) * (i + 1) / count
    ends = (x0, x1) if i % 2 == 0 else (x1, x0)
    corners = box((ends[0], low[1], low[2]), (ends[1], high[1], high[2]))
    parts += [{"hull": [corners[k] for k in five]} for five in FIVE]
  return parts


# ------------------------------------------------------------------------------------------------
# Test 1 with the block in one part and in twenty tetrahedra: on the way and at the end

DENSITY = {"stone": 4.0}
depth = G * math.cos(math.radians(30)) / (K * 0.5)
whole = {"box": [1, 0.5, 0.5], "at": [-9, 0, 0.25 - depth], "name": "block",
         "velocity": [0.05, 0, 0]}
cut = {"parts": cut_box((-0.5, -0.25, -0.25), (0.5, 0.25, 0.25), 4),
       "at": [-9, 0, 0.25 - depth], "name": "block", "velocity": [0.05, 0, 0]}
ends = []
for name, block in (("whole", whole), ("cut", cut)):
  sliding = layered([floor(), block], 1.0, gravity=tilted(30), densities=DENSITY,
                    law={"damping": 20}, frames=0.25)
  done = run(sliding, "slope-" + name)
  ends.append([done.bodies(f) for f in done.results.frames])
for k in range(1, 5):
  way = ends[0][k]["position"][1][0] + 9
  apart = ends[1][k]["position"][1] - ends[0][k]["position"][1]
  check(f"cut block on the slope: apart after {0.25 * k} s, of the way",
        numpy.linalg.norm(apart) / way, "<=", 1e-8)

# ------------------------------------------------------------------------------------------------
# Test 2 with the disk in one part and in tetrahedra, by parts and as one row, integrated and by the
# mean arm; test 3 likewise, with the cylinder of 256 sides. Rows side by side act as one does, so
# that rounding alone is between them


def ring(sides, radius):
  return [(radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides))
          for i in range(sides)]


def prism(sides, radius, low, high, place):
  """One part, and the same one in sectors of three tetrahedra."""
  around = ring(sides, radius)
  whole = [place(x, y, z) for x, y in around for z in (low, high)]
  parts = []
  for i, (x, y) in enumerate(around):
    u, v = around[(i + 1) % sides]
    six = [place(*p, z) for z in (low, high) for p in ((0, 0), (x, y), (u, v))]
    parts += [{"hull": [six[k] for k in four]}
              for four in ((0, 1, 2, 5), (0, 1, 5, 4), (0, 4, 5, 3))]
  return {"hull": whole}, {"parts": parts}


def angles(done):
  """How far the second body has turned about z, or rolled about y, by frames of few turns."""
  turns, last = [0.0], None
  for f in done.results.frames:
    w, x, y, z = done.bodies(f)["orientation"][1]
    now = 2 * math.atan2(y if abs(y) > abs(z) else z, w)
    if last is not None:
      turns.append(turns[-1] + (now - last + math.pi) % (2 * math.pi) - math.pi)
    last = now
  return numpy.array(turns)


SIDES, RADIUS, HIGH, SPIN = 24, 0.25, 0.05, 5 * math.pi
area = 0.5 * SIDES * RADIUS**2 * math.sin(2 * math.pi / SIDES)
disks = prism(SIDES, RADIUS, 0, HIGH, lambda x, y, z: [x, y, z])
for rule, rows in (("integrated", "parts"), ("integrated", "body"), ("mean", "parts"),
                   ("mean", "body"), ("viscous", "parts")):
  ways = []
  for name, shape in zip(("whole", "cut"), disks):
    disk = {**shape, "at": [0, 0, -G / (K * area)], "spin": [0, 0, SPIN], "name": "disk"}
    done = run(layered([floor(), disk], 0.6, friction=0.6, densities={"stone": 1 / (area * HIGH)},
                       law={"damping": 20, "spinning": rule}, frames=0.05,
                       contact={"rows": rows}), f"disk-{rule}-{rows}-{name}")
    ways.append(angles(done))
  check(f"disk, {rule}, rows of {rows}: turns", ways[0][-1], ">", 1.5)
  check(f"disk, {rule}, rows of {rows}: whole and cut apart, of the way",
        (abs(ways[1] - ways[0])[1:] / abs(ways[0][1:])).max(), "<=", 1e-8)

SIDES = 256
base = 0.5 * SIDES * RADIUS**2 * math.sin(2 * math.pi / SIDES)
cylinders = prism(SIDES, RADIUS, -0.5, 0.5, lambda x, y, z: [x, z, y])
for rule, rows, more in (("integrated", "parts", {}), ("mean", "parts", {}), ("mean", "body", {}),
                         ("mean", "parts", {"rolling": False})):
  ways = []
  for name, shape in zip(("whole", "cut"), cylinders):
    cylinder = {**shape, "at": [-15, 0, RADIUS], "name": "cylinder"}
    done = run(layered([floor(60), cylinder], 1.6, friction=0.5, gravity=tilted(15),
                       densities={"stone": 1 / base}, law={"damping": 10, "spinning": rule, **more},
                       frames=0.2, contact={"rows": rows}),
               f"cylinder-{rule}-{rows}-{len(more)}-{name}")
    ways.append(numpy.array([done.bodies(f)["position"][1][0] + 15 for f in done.results.frames]))
  check(f"cylinder, {rule}, rows of {rows}: way", ways[0][-1], ">", 2)
  # (from 1.7 m/s on the rear of the footprint would lift off by itself)
  check(f"cylinder, {rule}, rows of {rows}, {more}: whole and cut apart, of the way",
        (abs(ways[1] - ways[0])[1:] / ways[0][1:]).max(), "<=", 1e-8)

# ------------------------------------------------------------------------------------------------
# A peg in a square hole of four walls: interference c, shifted by x: 2 k L^2 x back

L, c, x = 1.0, 1e-3, 4e-4
far = 0.5 * L
frame = [{"hull": box(low, high)} for low, high in
         (((-2, -2, 0), (-far, 2, L)), ((far, -2, 0), (2, 2, L)),
          ((-far, -2, 0), (far, -far, L)), ((-far, far, 0), (far, 2, L)))]
half = far + c
peg = {"hull": box((-half, -half, -1), (half, half, 2)), "at": [x, 0, 0], "name": "peg"}
wall = {"parts": frame, "fixed": True, "name": "frame"}
done = run(layered([wall, peg], 1e-6, step=1e-6, gravity=(0, 0, 0), densities={"stone": 1000.0},
                   friction=0.0, frames=1e-6), "peg")
rows = done.results.volumes()
check("peg: rows", len(rows["volume"]), "==", 4)
with open("peg/volumes.xmf", encoding="utf-8") as shown:
  text = shown.read()
check("peg: rows of the last frame that ParaView is shown",
      text.count('Dimensions="4 3">frame-000001.h5:/volumes/point<'), "==", 1)
force = rows["impulse"].sum(axis=0) / 1e-6
# (the frame is the lower body; where walls meet the peg is wider by the interference)
wide = L * (L + 2 * c)
check_near("peg: force back", force[0] / (2 * K * wide * x), 1, 1e-9)
check("peg: force across", abs(force[1]), "<=", 1e-9 * K * wide * x)

# ------------------------------------------------------------------------------------------------
# A block slides over a floor of ten parts: friction at the seams

tiles = [{"hull": box((i - 5, -2, -1), (i - 4, 2, 0))} for i in range(10)]
rest = G / (K * 0.5)
slider = {"box": [1, 0.5, 0.5], "at": [-4.3, 0, 0.25 - rest], "name": "slider",
          "velocity": [6, 0, 0]}
done = run(layered([{"parts": tiles, "fixed": True, "name": "tiles"}, slider], 1.2, friction=0.3,
                   densities=DENSITY, law={"damping": 20}, frames=0.005), "seams")
speed = numpy.array([done.bodies(f)["velocity"][1][0] for f in done.results.frames])
push = -numpy.diff(speed) / 0.005 / (0.3 * G)
check("over seams: least friction after the first 0.1 s", push[20:].min(), ">=", 0.99)
check("over seams: largest friction", push[20:].max(), "<=", 1.01)
check("over seams: it passes three at least", done.bodies()["position"][1][0], ">", -1)

# ------------------------------------------------------------------------------------------------
# Free bodies that meet: momenta, works and energies

shot = [{"box": [0.5, 0.4, 0.3], "at": [0, 0, 0], "velocity": [1, 0, 0], "spin": [1, 2, 3],
         "name": "one"},
        {"box": [0.5, 0.4, 0.3], "at": [0.55, 0.1, 0.05], "velocity": [-1, 0, 0.1],
         "spin": [0, -1, 2], "name": "two"},
        {"parts": cut_box((-0.2, -0.2, -0.2), (0.2, 0.2, 0.2)), "at": [0.1, 0.45, 0],
         "velocity": [0, -2, 0], "name": "three"}]
done = both(layered(shot, 0.2, gravity=(0, 0, 0), step=2e-4, densities={"stone": 50.0},
                    law={"damping": 0.5}), "shot")
check("shot: rows of the law", done["volumes"].max(), ">", 1)
for axis in "xyz":
  for name, size in (("momentum", 10.0), ("angular_momentum", 5.0)):
    column = done[f"{name}_{axis}"]
    check(f"shot: {name} {axis} drifts by", abs(column - column[0]).max() / size, "<=", 1e-12)

# two cubes face on face, without turning: kinetic energy changes by the work
pair = [{"box": [0.5] * 3, "at": [0, 0, 0], "velocity": [0.5, 0, 0], "name": "one"},
        {"box": [0.5] * 3, "at": [0.5, 0, 0], "velocity": [-0.5, 0, 0], "name": "two"}]
MASS = 0.125 * 50
omega = math.sqrt(2 * K * 0.25 / MASS)
errors = []
for part in (0.1, 0.05, 0.025):
  step = part / omega
  done = run(layered(pair, 400 * step, gravity=(0, 0, 0), step=step, densities={"stone": 50.0},
                     law={"damping": 0.3}), "pair")
  kinetic, work = done["kinetic_energy"], done["contact_work"]
  start = 2 * 0.5 * MASS * 0.25
  check(f"h omega = {part}: kinetic energy less work",
        abs(kinetic - start - numpy.cumsum(work)).max() / start, "<=", 1e-10)
  lost = numpy.cumsum(done["volume_damping"] + done["volume_friction"] + done["volume_rolling"])
  # energies of layers are those of the middle of the step
  middle = -numpy.cumsum(work) + 0.5 * work
  balance = done["volume_energy"] + lost - 0.5 * done["volume_damping"] - middle
  errors.append(abs(balance).max() / start)
  check(f"h omega = {part}: elastic and lost energy less work", errors[-1], "<=", 0.01)
  check("it ends apart", done["volumes"][-1], "==", 0)
check("order of the balance in the step", 0.5 * math.log2(errors[0] / errors[2]), ">=", 1.8)

# Two bodies whose surfaces are both bent, straight on one another: the energy told is the integral
# of the force over the way, for spheres of two sizes, an edge over an edge, a corner on a corner,
# and two edges of bodies that are cut along them, as one row (by parts each piece has one of the
# faces that meet in the edge, whose normal is not that of the joint)


def roof(turn, sign, parts=False):
  """A cube on its edge, which lies along x or y at the origin: above it, or below."""
  half = math.sqrt(0.125)
  ends = [(along, across, up) for along in (-0.25, 0.25)
          for across, up in ((0, 0), (half, half), (-half, half), (0, 2 * half))]
  points = [([x, y, sign * z] if not turn else [y, x, sign * z]) for x, y, z in ends]
  if not parts:
    return {"hull": points}
  return {"parts": [{"hull": [points[k] for k in (0, 1, 3, 4, 5, 7)]},
                    {"hull": [points[k] for k in (0, 2, 3, 4, 6, 7)]}]}


def tip(sign, turn):
  """A tetrahedron on its corner at the origin."""
  around = [[0.4 * math.cos(turn + 2 * math.pi * k / 3), 0.4 * math.sin(turn + 2 * math.pi * k / 3),
             sign * 0.5] for k in range(3)]
  return {"hull": [[0, 0, 0], *around]}


MEET = {"spheres": ({"sphere": {"radius": 0.3}, "at": [0, 0, 0.3]},
                    {"sphere": {"radius": 0.2}, "at": [0, 0, -0.2]}),
        "edges": (roof(False, 1), roof(True, -1)),
        "corners": (tip(1, 0.2), tip(-1, 0.2)),
        "cut edges": (roof(False, 1, True), roof(True, -1))}
for name, (upper, lower) in MEET.items():
  # (corners are soft: slow ones would swing for longer than what the faces allow for a step)
  speed = 3.0 if name == "corners" else 0.5
  bodies = [{**upper, "velocity": [0, 0, -speed], "name": "one"},
            {**lower, "velocity": [0, 0, speed], "name": "two"}]
  step, errors = 2e-4, []
  for part in (None, 0.1, 0.05, 0.025):
    # (omega: pi over the time of contact)
    if part:
      step = part / omega
    end = 1.2 * math.pi / omega if part else 0.2
    done = run(layered(bodies, end, gravity=(0, 0, 0), step=step, friction=0.0,
                       densities={"stone": 50.0}, law={"damping": 0.15 / speed},
                       contact={"rows": "body"} if "cut" in name else None), "meet")
    if not part:
      omega = math.pi / (step * numpy.count_nonzero(done["volumes"]))
      continue
    kinetic, work = done["kinetic_energy"], done["contact_work"]
    start = kinetic[0] - work[0]
    lost = numpy.cumsum(done["volume_damping"] + done["volume_rolling"])
    middle = -numpy.cumsum(work) + 0.5 * work
    balance = done["volume_energy"] + lost - 0.5 * done["volume_damping"] - middle
    errors.append(abs(balance).max() / start)
    check(f"{name}, h omega = {part}: elastic and lost energy less work", errors[-1], "<=", 0.01)
    check(f"{name}: it ends apart", done["volumes"][-1], "==", 0)
    check(f"{name}: share of the energy that the layer held", done["volume_energy"].max() / start,
          ">", 0.5)
  check(f"{name}: order of the balance in the step", 0.5 * math.log2(errors[0] / errors[2]), ">=",
        1.8)

finish()
