#!/usr/bin/env python3
"""The volumetric law against closed forms. A block rests on a level plane and on a slope, sticks
and slides; a disk spins to rest; a cylinder rolls down; bodies of any shape rebound as the damping
says; oscillations die at one rate; energies close.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 900
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import case, check, check_near, finish, run, tilted

G, K, STEP = 9.81, 1e6, 1e-3


def layered(bodies, end, contact=None, **more):
  """A case whose one pair of materials has the volumetric law."""
  law = {"law": "volumetric", "stiffness": K, **more.pop("law", {})}
  described = case(bodies, end=end, step=more.pop("step", STEP), **more)
  for entry in described["contacts"]:
    del entry["restitution"]
    entry.update(law)
  if contact:
    described["contact"] = contact
  return described


def floor(size=40):
  return {"box": [size, size, 2], "at": [0, 0, -1], "fixed": True, "name": "floor"}


# ------------------------------------------------------------------------------------------------
# A block of 1 kg on a face of half a square metre, at rest from no depth

BLOCK = {"box": [1, 0.5, 0.5], "at": [0, 0, 0.25], "name": "block"}
DENSITY, AREA = {"stone": 4.0}, 0.5
depth = G / (K * AREA)
done = run(layered([floor(), BLOCK], 6.0, densities=DENSITY, law={"damping": 20}, frames=6.0),
           "rest")
check_near("depth of rest, of mg/(kA)", (0.25 - done.bodies()["position"][1][2]) / depth, 1, 1e-9)
check("speed at rest", abs(done.bodies()["velocity"][1]).max(), "<", 1e-12)

# it swings with a small damping: the amplitude dies by a g/2 in a second
swing = layered([floor(), dict(BLOCK, at=[0, 0, 0.25 - 0.5 * depth])], 1.0, densities=DENSITY,
                law={"damping": 1}, frames=5e-4, step=5e-4)
done = run(swing, "swing")
height = numpy.array([done.bodies(f)["position"][1][2] - 0.25 + depth
                      for f in done.results.frames]) / depth
tops = [i for i in range(1, len(height) - 1) if height[i - 1] < height[i] >= height[i + 1]]
rate = -numpy.polyfit(5e-4 * numpy.array(tops), numpy.log(height[tops]), 1)[0]
check_near("oscillations die at", rate / (0.5 * G), 1, 0.02)

# ------------------------------------------------------------------------------------------------
# Test 1: the block on a slope


def on_slope(degrees, end, **more):
  down = depth * math.cos(math.radians(degrees))
  return layered([floor(), dict(BLOCK, at=[-9, 0, 0.25 - down], **more)], end, friction=0.5,
                 gravity=tilted(degrees), densities=DENSITY, law={"damping": 20}, frames=end)


done = run(on_slope(26.5, 3.0), "sticks")
check("26.5 degrees: speed after 3 s", abs(done.bodies()["velocity"][1]).max(), "<", 1e-8)
cosine = math.cos(math.radians(26.5))
check_near("26.5 degrees: depth, of mg cos/(kA)",
           done.results.volumes()["volume"][0] / (AREA * depth * cosine), 1, 1e-5)
done = run(on_slope(26.6, 3.0), "slides")
check("26.6 degrees: speed after 3 s", done.bodies()["velocity"][1][0], ">", 1e-3)

sine, cosine = 0.5, math.sqrt(0.75)
pull = G * (sine - 0.5 * cosine)
done = run(on_slope(30, 4.0, velocity=[0.05, 0, 0]), "thirty")
check_near("30 degrees: v(4)", (done.bodies()["velocity"][1][0] - 0.05) / (4 * pull), 1, 1e-3)
turn = done.bodies()["orientation"][1]
# pitch 12 mu F c/(k b L^3), F = mg cos
pitch = 12 * 0.5 * G * cosine * 0.25 / (K * 0.5 * 1**3)
check_near("30 degrees: pitch", 2 * math.hypot(turn[1], turn[2]) / pitch, 1, 1e-3)
check_near("pitch as in theory", pitch, 2.5487e-5, 1e-9)

# ------------------------------------------------------------------------------------------------
# Test 2: a disk of 1 kg, radius 0.25 m, spins with mu = 0.6


def ring(sides, radius):
  return [[radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides)]
          for i in range(sides)]


RADIUS, HEIGHT, SIDES, MU, SPIN = 0.25, 0.05, 128, 0.6, 5 * math.pi
area = 0.5 * SIDES * RADIUS**2 * math.sin(2 * math.pi / SIDES)
disk = {"hull": [[x, y, z] for x, y in ring(SIDES, RADIUS) for z in (0, HEIGHT)],
        "at": [0, 0, -G / (K * area)], "spin": [0, 0, SPIN], "name": "disk"}


def spinning(rule, end):
  return run(layered([floor(), disk], end, friction=MU, densities={"stone": 1 / (area * HEIGHT)},
                     law={"damping": 20, "spinning": rule}, frames=0.002), "spin-" + rule)


for rule, arm, words in (("mean", math.sqrt(2), "R w/(sqrt 2 mu g)"),
                         ("integrated", 4 / 3, "3 R w/(4 mu g)")):
  done = spinning(rule, 0.6)
  spins = numpy.array([done.bodies(f)["spin"][1][2] for f in done.results.frames])
  slow = numpy.argmax(spins < 0.1 * SPIN)
  # (spin falls in proportion to time)
  stop = 2e-3 * slow * SPIN / (SPIN - spins[slow])
  check_near(f"{rule}: it stops after, of {words}", stop / (RADIUS * SPIN / (arm * MU * G)), 1,
             0.005)
  check(f"{rule}: spin at the end", abs(spins[-1]) / SPIN, "<=", 1e-3)
done = spinning("viscous", 1.0)
spins = numpy.array([done.bodies(f)["spin"][1][2] for f in done.results.frames])
times = 2e-3 * numpy.arange(len(spins))
check("viscous: w off w0 exp(-g t)", abs(spins / SPIN - numpy.exp(-G * times)).max(), "<=", 0.01)

# ------------------------------------------------------------------------------------------------
# Test 3: a cylinder of 256 sides rolls down a slope of 15 degrees


def rolls(name, **law):
  """Speed after 3.5 s of a cylinder of 1 kg, radius 0.25 m and length 1 m down 15 degrees."""
  sides, radius = 256, 0.25
  base = 0.5 * sides * radius**2 * math.sin(2 * math.pi / sides)
  cylinder = {"hull": [[x, y, z] for x, z in ring(sides, radius) for y in (-0.5, 0.5)],
              "at": [-15, 0, radius], "name": "cylinder"}
  done = run(layered([floor(60), cylinder], 3.5, friction=0.5, gravity=tilted(15),
                     densities={"stone": 1 / base}, law={"damping": 10, **law}, frames=3.5), name)
  return done.bodies()["velocity"][1][0]


check_near("rolling: v(3.5)", rolls("rolls") / 5.462, 1, 0.005)
check_near("rolling without resistance: v(3.5)", rolls("rolls-free", rolling=False) / 5.924, 1,
           0.005)

# ------------------------------------------------------------------------------------------------
# Rebound, straight, for d = a v


def rebound_of(d):
  """e with ln((1 + d)/(1 - e d)) = d (1 + e)."""
  low, high = 0.0, 1.0
  for _ in range(200):
    e = 0.5 * (low + high)
    over = e * d >= 1 or math.log((1 + d) / (1 - e * d)) > d * (1 + e)
    low, high = (low, e) if over else (e, high)
  return low


def thrown(name, body, d, step, speed=1.0, second=None):
  """Share of the speed with which a body, or the first of two, comes back."""
  bodies = [floor(), body] if second is None else [body, second]
  done = run(layered(bodies, 1000 * step, gravity=(0, 0, 0), law={"damping": d / speed},
                     densities={"stone": body.pop("density")}, step=step, frames=1000 * step), name)
  return done.bodies()["velocity"]


ends = {0.1: 0.93747558, 0.5: 0.74843493, 1: 0.59362426, 2: 0.41071969, 5: 0.19698025}
for d, e in ends.items():
  check_near(f"closed form of e for d = {d}", rebound_of(d), e, 1e-8)
R2, R3 = math.sqrt(0.5), 1 / math.sqrt(3)
turns = {"face": [0, 0, 0], "edge": [45, 0, 0]}
corner = [[x, y, z] for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)]
# turned so that a space diagonal is upright
axes = numpy.array([[1 / math.sqrt(2), -1 / math.sqrt(2), 0],
                    [1 / math.sqrt(6), 1 / math.sqrt(6), -2 / math.sqrt(6)], [R3, R3, R3]])
edge = numpy.array([[1, 0, 0], [0, R2, -R2], [0, R2, R2]])
shapes = {"face": (corner, 0.5), "edge": ((edge @ numpy.array(corner).T).T.tolist(), R2),
          "corner": ((axes @ numpy.array(corner).T).T.tolist(), 0.5 / R3)}
STEPS = {"face": 6e-5, "edge": 3e-4, "corner": 6e-4}
for d, e in ends.items():
  for name, (points, lowest) in shapes.items():
    cube = {"hull": points, "at": [0, 0, lowest], "velocity": [0, 0, -1], "name": "cube",
            "density": 1.0}
    check_near(f"cube on its {name}, d = {d}: e",
               thrown(f"e-{name}-{d}", cube, d, STEPS[name])[1][2], e, 1e-3)
  # (edges, corners and spheres are right to rounding soon)
  points, lowest = shapes["face"]
  cube = {"hull": points, "at": [0, 0, lowest], "velocity": [0, 0, -1], "name": "cube"}
  errors = [abs(thrown("e-order", dict(cube, density=1.0), d, part * STEPS["face"])[1][2] - e)
            for part in (2, 0.125)]
  check(f"cube on its face, d = {d}: order of e in the step",
        0.25 * math.log2(errors[0] / errors[1]), ">=", 1.0)
  ball = {"sphere": {"radius": 0.5}, "at": [0, 0, 0.5], "velocity": [0, 0, -1], "name": "ball",
          "density": 2.0}
  check_near(f"sphere, d = {d}: e", thrown(f"e-sphere-{d}", ball, d, 3e-4)[1][2], e, 1e-3)
  ball = {"sphere": {"radius": 0.5}, "at": [0, 0, 0.5], "velocity": [0, 0, -0.5], "name": "ball",
          "density": 2.0}
  other = {"sphere": {"radius": 0.5}, "at": [0, 0, -0.5], "velocity": [0, 0, 0.5], "name": "other"}
  ends_of = thrown(f"e-spheres-{d}", ball, d, 3e-4, second=other)
  check_near(f"two spheres, d = {d}: e", ends_of[0][2] - ends_of[1][2], e, 1e-3)

finish()
