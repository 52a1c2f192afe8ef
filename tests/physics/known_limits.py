#!/usr/bin/env python3
"""Limits that linear programs know, found by drystone limit on one case file each.

Arches of N voussoirs between fixed springings: the least thickness over the radius with which they
stand, within 1 %, where hinges form and where stones slide as well. Solfec's set-up: radius 10 m,
width 5 m, density 1, 0.1 s. A dry wall of 6 courses on a ground that tilts at once: the angle of
its fall within 0.1 degrees, in its plane by sliding and out of it about its foot. A rocking block
on a ground that is shaken by half a sine: the acceleration from which it turns over, by Housner's
equation, with an error that falls with the step. An arch whose springing gives way: how much its
span has grown as it snaps through, which does not depend on the step but by the way of one.
"""
# test: needs python3
# test: timeout 600
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import case, check, check_near, check_same, finish, program, run, write


def bracket(name, described, key, between, missed=0):
  """The middle between what holds and what falls, where nothing is undecided.

  between: both ends and the tolerance. missed: steps above the tolerance that a run may have.
  """
  path, folder = write(name, described), f"{name}-limit"
  done = subprocess.run([program, "limit", path, "--vary", key, "--between",
                         f"{between[0]!r},{between[1]!r}", "--tolerance", f"{between[2]!r}", "-o",
                         folder, "--overwrite"], capture_output=True, text=True, check=False)
  check_same(f"{name}: exit code", done.returncode, 0)
  if done.returncode != 0:
    print(done.stdout + done.stderr)
    return math.nan
  with open(os.path.join(folder, "limit.json"), encoding="utf-8") as file:
    report = json.load(file)
  answer = report["answer"]
  check_same(f"{name}: undecided", "undecided" in answer, False)
  held = [of for of in report["runs"] if of["verdict"] == "holds"]
  check(f"{name}: steps that missed where it holds", max(of["unsolved"] for of in held), "<=",
        missed)
  return (answer["value_until"] + answer["value_from"]) / 2


RADIUS = 10.0
for voussoirs, friction, known in ((7, 1.0, 0.095703), (16, 1.0, 0.107076), (27, 1.0, 0.106721),
                                   (27, 0.32, 0.1838), (27, 0.36, 0.1409), (27, 0.39, 0.1116)):
  arch = case([{"arch": {"voussoirs": voussoirs, "radius": RADIUS, "thickness": 1.0, "width": 5}}],
              densities={"stone": 1.0}, friction=friction, end=0.1, solver={"tolerance": 1e-8})
  # what stands keeps below 1e-14 J, what is 0.1 % too thin has above 1e-6 J
  arch["time"]["until"] = {"energy": 1e-7, "unconverged": 1}
  name = f"arch-{voussoirs}-{friction}"
  found = bracket(name, arch, "bodies.0.arch.thickness",
                  (0.95 * RADIUS * known, 1.06 * RADIUS * known, 0.004 * RADIUS * known))
  check_near(f"{name}: least thickness over the radius", found / RADIUS, known, 0.01 * known)

COURSES, LENGTH, HEIGHT = 6, 0.4, 0.175


def tilted(name, friction, axis, thickness, known):
  """A wall on a ground that is tilted before the first step, for 0.2 s."""
  wall = case([{"box": [12, 12, 1], "at": [0, 0, -0.5], "fixed": True},
               {"wall": {"courses": COURSES, "bricks": 4, "brick": [LENGTH, thickness, HEIGHT]},
                "at": [-0.8, 0, 0]}],
              friction=friction, end=0.2, tilt={"axis": axis, "rate": 1e6, "to": known},
              solver={"tolerance": 1e-6, "max_sweeps": 20000})
  # 0.03 degrees beyond, bricks slide by 1e-4 m
  wall["time"]["until"] = {"displacement": 4e-5, "unconverged": 4}
  found = bracket(name, wall, "tilt.to", (known - 0.3, known + 0.3, 0.08))
  check_near(f"{name}: angle at which it falls, degrees", found, known, 0.1)


for friction, known in ((0.4, 21.801), (0.65, 33.024)):
  tilted(f"wall-{friction}", friction, [0, 1, 0], 0.2, known)
tilted("leaf", 0.65, [1, 0, 0], 0.1, math.degrees(math.atan(0.1 / (COURSES * HEIGHT))))

# -- a rocking block under a pulse ---------------------------------------------------------------

WIDTH, TALL, FREQUENCY, G = 0.5, 2.0, 1.0, 9.81
ALPHA, REACH = math.atan(WIDTH / TALL), math.hypot(WIDTH, TALL) / 2


def turns_over(amplitude, step=1e-3):
  """Housner 1963 from the moment when the block begins to rock, by Runge and Kutta."""
  p2 = 0.75 * G / REACH

  def turn(t, angle):
    push = amplitude * math.sin(2 * math.pi * FREQUENCY * t) if t < 0.5 / FREQUENCY else 0.0
    return p2 * (push / G * math.cos(ALPHA - angle) - math.sin(ALPHA - angle))

  t = math.asin(G * math.tan(ALPHA) / amplitude) / (2 * math.pi * FREQUENCY)
  angle = spin = 0.0
  while 0 <= angle < 1.6 * ALPHA and t < 6:
    k1 = turn(t, angle)
    k2 = turn(t + step / 2, angle + step / 2 * spin)
    k3 = turn(t + step / 2, angle + step / 2 * spin + step * step / 4 * k1)
    k4 = turn(t + step, angle + step * spin + step * step / 2 * k3)
    angle += step * spin + step * step / 6 * (k1 + k2 + k3)
    spin += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    t += step
  return angle >= 1.6 * ALPHA


low, high = 1.1 * G * math.tan(ALPHA), 10 * G * math.tan(ALPHA)
while high - low > 1e-6:
  middle = (low + high) / 2
  low, high = (low, middle) if turns_over(middle) else (middle, high)
errors = []
for step in (3.2e-2, 8e-3, 2e-3):
  # it begins and ends with a step, so errors are of first order. It stays long near the top,
  # and a step in which it comes back hard to the floor may miss the tolerance
  block = case([{"box": [9, 9, 1], "at": [0, 0, -0.5], "fixed": True},
                {"box": [WIDTH, 1, TALL], "at": [0, 0, TALL / 2]}],
               friction=2.0, step=step, end=6.0, base={"frame": "moving", "acceleration": {
                 "sine": {"amplitude": [low, 0, 0], "frequency": FREQUENCY, "cycles": 0.5}}},
               solver={"tolerance": 1e-7})
  block["time"]["until"] = {"displacement": 2 * REACH * math.sin(0.8 * ALPHA), "unconverged": 4}
  found = bracket(f"pulse-{step}", block, "base.acceleration.sine.amplitude.0",
                  (0.9 * low, 1.1 * low, 2e-5 * low), 3)
  errors.append(abs(found / low - 1))
  check_near(f"pulse, steps of {step} s: acceleration from which it turns over over Housner's",
             found / low, 1, 0.15 * step)
check("pulse: error with a quarter of the step over the first", errors[1] / errors[0], "<", 0.5)
check("pulse: error with a quarter of that over the second", errors[2] / errors[1], "<", 0.5)

# -- an arch on a support that gives way ---------------------------------------------------------

SPEED, VOUSSOIRS = 0.05, 16
spans = []
for step in (1.6e-2, 8e-3, 4e-3):
  spread = case([{"arch": {"voussoirs": VOUSSOIRS, "radius": 5, "thickness": 0.65, "width": 1,
                           "embrace": 150},
                  "where": [{"number": VOUSSOIRS + 1, "motion": {"velocity": [SPEED, 0, 0]}}]}],
                densities={"stone": 2400.0}, friction=0.8, step=step, end=40.0,
                solver={"tolerance": 1e-6})
  # on its way it has 15 J, and as it falls 200 J within some steps
  spread["time"]["until"] = {"energy": 200, "unconverged": 100, "every": 1}
  done = run(spread, f"spread-{step}")
  said = done.info("outcome")
  check_same(f"spread, steps of {step} s: it snaps through", said["kind"], "energetic")
  spans.append(SPEED * done["time"][-1])
  check_same(f"spread, steps of {step} s: forces are not told where it falls", said["thrusts"], [])
for step, span in zip((1.6e-2, 8e-3), spans):
  check_near(f"spread, steps of {step} s: growth of the span over that by 4e-3 s, m", span,
             spans[2], SPEED * step)
finish()
