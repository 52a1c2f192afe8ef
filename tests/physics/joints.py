#!/usr/bin/env python3
"""Joints, ties and springs against known answers, on 1 and 3 ranks.

Pendulums by elliptic integrals, the double pendulum and the four-bar linkage by integration of
their equations in minimal coordinates; the error is of second order in the step. Works close: the
gain of energy is that of loads and joints.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_near, finish, run

RADIUS = 0.05
BALL = {"stone": 1 / (4 / 3 * math.pi * RADIUS ** 3)}   # of 1 kg
G = 9.81
STRICT = {"tolerance": 1e-12}


def ball(place, **more):
  return {"sphere": {"radius": RADIUS}, "at": list(place), **more}


def zeros(done, column):
  """Times at which a column changes sign, between steps."""
  time, value = done["time"], done[column]
  at = numpy.nonzero(value[:-1] * value[1:] < 0)[0]
  return time[at] + (time[at + 1] - time[at]) * value[at] / (value[at] - value[at + 1])


def closes(name, done, most):
  """The gain of energy is the work of loads and joints, step by step."""
  gain = numpy.diff(done["kinetic_energy"])
  work = done["load_work"] + done["joint_work"] + done["contact_work"] + done["correction_work"]
  check(f"{name}: energy that no work explains, J", abs(gain - work[1:]).max(), "<", most)


# a bar on a hinge, from level: energy where it turns back, period
bar = case([{"box": [1, 0.001, 0.001], "at": [0.5, 0, 0], "name": "bar"}],
           joints=[{"hinge": [0, 0, 0], "axis": [0, 1, 0], "between": ["bar"]}],
           end=2.0, solver=STRICT, densities={"stone": 1e6})
done = both(bar, "bar")
turns = zeros(done, "angular_momentum_y")
check_near("bar pendulum: period, s", 2 * (turns[1] - turns[0]), 1.933334854, 4e-6)
back = int(turns[0] / 1e-3)
check("bar pendulum: energy lost in half a swing of 4.905 J",
      abs(done["joint_work"][:back].sum()), "<", 1e-10)
check("bar pendulum: largest separation over h^2 times its acceleration",
      done["joint_separation"].max() / (1e-6 * 3 * G), "<", 0.2)
closes("bar pendulum", done, 1e-11)

# energy where it turns back, after ten swings; JOINT_SWINGS=100 for a hundred
swings = int(os.environ.get("JOINT_SWINGS", "10"))
long = run({**bar, "time": {"step": 1e-3, "end": 1.9334 * swings}}, "swings")
back = numpy.nonzero(numpy.diff(numpy.sign(long["angular_momentum_y"])) != 0)[0]
check(f"bar pendulum: energy lost in {swings} swings of 4.905 J",
      abs(long["joint_work"][:back[-1]].sum()), "<", 6e-11 * swings)
check(f"bar pendulum: largest separation in {swings} swings, m", long["joint_separation"].max(),
      "<", 1.9e-6)

# a ball on a rod, from level, g = pi^2
done = both(case([ball([1, 0, 0], name="bob")], gravity=(0, 0, -math.pi ** 2), densities=BALL,
                 joints=[{"rod": [[1, 0, 0], [0, 0, 0]], "between": ["bob", "space"]}],
                 end=2.5, solver=STRICT), "rod")
turns = zeros(done, "momentum_z")   # where it hangs straight down, too
check_near("rod pendulum: period, s", 2 * (turns[2] - turns[0]), 2.360681198, 5e-6)

# round a cone of 30 degrees
rate = 3.365651836
half = math.radians(30)
place = (math.sin(half), 0.0, -math.cos(half))
done = both(case([ball(place, velocity=[0, rate * math.sin(half), 0], name="bob")], densities=BALL,
                 joints=[{"rod": [list(place), [0, 0, 0]], "between": ["bob"]}],
                 end=2 * math.pi / rate, step=2 * math.pi / rate / 2000, solver=STRICT,
                 frames=2 * math.pi / rate), "cone")
x, y, z = done.bodies()["position"][0]
check_near("conical pendulum: angle after a turn, rad", math.atan2(y, x), 0.0, 2e-6)
force = numpy.linalg.norm(done.results.joints()["force"], axis=1)[0]
check_near("conical pendulum: tension, N", force, 11.32761228, 2e-5)

# two balls on two rods
KNOWN = numpy.array([-0.303506837, 1.047170739, -1.169149868, 0.546509035])


def double_pendulum(step):
  one, two = math.radians(60), math.radians(36)
  p = [math.sin(one), 0, 2 - math.cos(one)]
  q = [p[0] + math.sin(two), 0, p[2] - math.cos(two)]
  return case([ball(p, name="one"), ball(q, name="two")], densities=BALL, step=step, frames=1.0,
              joints=[{"rod": [p, [0, 0, 2]], "between": ["one", "space"]},
                      {"rod": [q, p], "between": ["two", "one"]}], solver=STRICT)


def places(done):
  return numpy.array(done.bodies()["position"])[:, [0, 2]].ravel()


fine = both(double_pendulum(1e-3), "double")
error = abs(places(fine) - KNOWN).max()
check("double pendulum: error of places, m", error, "<", 4e-6)
closes("double pendulum", fine, 1e-11)
coarse = abs(places(run(double_pendulum(4e-3), "double4")) - KNOWN).max()
check_near("double pendulum: order of the error", math.log(coarse / error, 4), 2.0, 0.1)

# separations do not grow with time; JOINT_STEPS=1000000 for a million steps, 300 MB of history
steps = int(os.environ.get("JOINT_STEPS", "3000"))
long = double_pendulum(1e-3)
long["time"]["end"] = 1e-3 * steps
run({**long, "output": {}, "solver": {"tolerance": 1e-9}}, "steps")
with open("steps/history.csv", encoding="utf-8") as file:
  heading = file.readline().rstrip().split(",")
  at = [heading.index(name) for name in ("joint_separation", "kinetic_energy")]
  widest, energy, counted = 0.0, 0.0, 0
  for line in file:
    fields = line.split(",")
    widest, energy = max(widest, float(fields[at[0]])), max(energy, float(fields[at[1]]))
    counted += 1
check("double pendulum: steps of the long run", counted, "==", steps)
# along a rod of 1 m |v|^2 / l of the relative velocity is at most 4 E of balls of 1 kg
check(f"double pendulum: largest separation in {steps} steps over h^2 times the largest relative "
      "acceleration", widest / (1e-6 * 4 * energy), "<", 0.25)
if steps > 100000:
  os.remove("steps/history.csv")

# a linkage of three bars and four hinges, whose rows are more than it has freedoms
thin = 0.001
bars = [{"box": [thin, thin, 1], "at": [0, 0, 0.5], "velocity": [0.5, 0, 0], "spin": [0, 1, 0]},
        {"box": [2, thin, thin], "at": [1, 0, 1], "velocity": [1, 0, 0]},
        {"box": [thin, thin, 1], "at": [2, 0, 0.5], "velocity": [0.5, 0, 0], "spin": [0, 1, 0]}]
names = ["left", "coupler", "right"]
hinges = [([0, 0, 0], ["left"]), ([0, 0, 1], ["coupler", "left"]),
          ([2, 0, 1], ["right", "coupler"]), ([2, 0, 0], ["right", "space"])]
done = both(case([{**b, "name": n} for b, n in zip(bars, names)], densities={"stone": 1e6},
                 joints=[{"hinge": p, "axis": [0, 1, 0], "between": b, "touch": False}
                         for p, b in hinges], end=0.722, frames=0.722, solver=STRICT), "linkage")
x, _, z = done.bodies()["position"][0]
check_near("four-bar linkage: angle at 0.722 s, rad", math.atan2(x, z),
           math.pi / 2 - 4.803384 * (0.722017945 - 0.722), 5e-6)

# a tie that yields: 100 kg at 2 m/s against 1000 N
edge = 100 ** (1 / 3)
heavy = {"stone": 1.0}
pulled = {"box": [edge] * 3, "at": [0, 0, 0], "velocity": [2, 0, 0], "name": "block"}
done = both(case([pulled], gravity=(0, 0, 0), densities=heavy, end=0.3, frames=0.3, solver=STRICT,
                 joints=[{"tie": [[0, 0, 0], [-5, 0, 0]], "between": ["block"],
                          "yield": {"tension": 1000}}]), "yields")
check_near("yielding tie: way, m", done.bodies()["position"][0][0], 0.2, 1e-9)
moving = done["time"][done["joints_yielding"] > 0]
check_near("yielding tie: time, s", moving.max(), 0.2, 1e-9)
check_near("yielding tie: work that it took, J", done["joint_yielding"].sum(), 200.0, 1e-9)
check("yielding tie: speed at the end, m/s", abs(done["momentum_x"][-1]) / 100, "<", 1e-9)

# a spring and a damper: x'' + 2 x' + 100 x = 0 from 0.1
one = {"stone": 1.0}
swung = {"box": [1, 1, 1], "at": [0.1, 0, 0], "name": "block"}


def swing(step):
  return case([swung], gravity=(0, 0, 0), densities=one, frames=1.0, step=step, solver=STRICT,
              joints=[{"spring": [[0.1, 0, 0], [-5, 0, 0]], "length": 5, "stiffness": 100,
                       "damping": 2, "between": ["block"]}])


done = both(swing(1e-3), "swing")
x = done.bodies()["position"][0][0]
check_near("spring and damper: place after 1 s, m", x, -0.033685168, 3e-6)
other = run(swing(4e-3), "swing4").bodies()["position"][0][0]
check_near("spring and damper: order of the error",
           math.log(abs(other + 0.033685168) / abs(x + 0.033685168), 4), 2.0, 0.1)
energy = done["kinetic_energy"] + done["joint_energy"]
lost = numpy.diff(energy) + done["joint_damping"][1:]
check("spring and damper: energy that no work explains, J", abs(lost).max(), "<", 1e-12)

# a block between two ties, one of which is slack: the step in which one becomes taut is accounted
# for; a broken tie gives what it held
pull = {"box": [1, 1, 1], "at": [0, 0, 0], "velocity": [1.0, 0, 0], "name": "block"}
for most, broken in ((1e18, 0), (60, 1)):
  done = both(case([pull], gravity=(0, 0, 0), densities=one, end=1.0, step=3e-3, solver=STRICT,
                   joints=[{"tie": [[0, 0, 0], [x, 0, 0]], "between": ["block"], "stiffness": 5e3,
                            "damping": 1, "strength": {"tension": most}} for x in (-5, 5)]),
              f"ties{broken}")
  check(f"two ties of {most:g} N: ties that broke", done["joints_broken"].sum(), "==", broken)
  energy = done["kinetic_energy"] + done["joint_energy"]
  lost = numpy.diff(energy) + done["joint_damping"][1:] + done["joint_yielding"][1:]
  check(f"two ties of {most:g} N: energy that no work explains, J", abs(lost).max(), "<", 1e-12)

# stiff ties that become taut within a step take as much as they hold, or more
for stiffness in (1e2, 1e4, 1e6, 1e8):
  done = both(case([pull], gravity=(0, 0, 0), densities=one, end=0.6, step=3e-3, solver=STRICT,
                   joints=[{"tie": [[0, 0, 0], [x, 0, 0]], "between": ["block"], "length": 5.04,
                            "stiffness": stiffness} for x in (-5, 5)]), f"taut{stiffness:g}")
  energy = done["kinetic_energy"] + done["joint_energy"]
  check(f"slack ties of {stiffness:g} N/m: largest energy they hold, J",
        done["joint_energy"].max(), ">", 0)
  check(f"slack ties of {stiffness:g} N/m: energy gained in a step, J", numpy.diff(energy).max(),
        "<=", 1e-12)
  check(f"slack ties of {stiffness:g} N/m: energy that no work explains, J",
        abs(numpy.diff(energy) + done["joint_damping"][1:]).max(), "<", 1e-12)

# a block that a spring pushes along a wall rebounds as one without: works of springs are no gain of
# the impact
wall = {"box": [1, 9, 4], "at": [-0.5, 0, 0], "fixed": True}
thrown = {"box": [1, 1, 1], "at": [0.505, 0, 0], "velocity": [-2, 5, 0], "name": "block"}
for stiffness in (0, 500):
  joints = [{"spring": [[0.505, 0, 0], [0.505, -0.2, 0]], "between": ["block"], "length": 0.5,
             "stiffness": stiffness}] if stiffness else []
  more = {"joints": joints} if joints else {}
  done = both(case([wall, thrown], gravity=(0, 0, 0), densities=one, end=0.01, friction=0.0,
                   restitution=0.9, solver={**STRICT, "correction": 0}, **more),
              f"rebound{stiffness}")
  turn = numpy.nonzero(done["momentum_x"] > 0)[0][0]
  check_near(f"rebound beside a spring of {stiffness} N/m: share of the speed",
             -done["momentum_x"][turn] / done["momentum_x"][turn - 1], 0.9, 1e-12)

# a rod that carries 9.81 N of the 10 N it may, and one of 9 N
for strength, broken in ((10, 0), (9, 1)):
  done = both(case([ball([0, 0, 0], name="lamp")], densities=BALL, end=0.05, solver=STRICT,
                   joints=[{"rod": [[0, 0, 0], [0, 0, 3]], "between": ["lamp"],
                            "strength": {"tension": strength}}]), f"strength{strength}")
  check(f"rod of {strength} N: joints that broke", done["joints_broken"].sum(), "==", broken)
finish()
