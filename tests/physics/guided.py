#!/usr/bin/env python3
"""Bodies with a motion by component: what is given, locked and free, and the work of it.

Closed forms of sliding, sinking and turning; the energy balance; stones under a lid by every way.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 600
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish, run

FLOOR = {"box": [8, 8, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}
METHODS = ["gauss-seidel", "anderson", "nesterov", "admm-cholesky", "admm-amg", "interior-point"]


def balance(text, done, tolerance=1e-9, start=0.0):
  """Kinetic energy against the sum of works, of the largest of them."""
  works = [numpy.cumsum(done[name]) for name in
           ("load_work", "contact_work", "prescribed_work", "joint_work")]
  largest = max(numpy.abs(work).max() for work in works)
  error = numpy.abs(done["kinetic_energy"] - start - sum(works)).max()
  check(f"{text}: energy balance, of the largest work", error / largest, "<=", tolerance)


# A lid is drawn over a block at 0.2 m/s, sinks on it by its weight and does not turn: it drags with
# mu m g, which the floor takes.
LID = {"box": [1, 1, 0.2], "at": [0, 0, 0.6], "name": "lid",
       "motion": {"velocity": {"x": 0.2}, "free": ["z"], "lock": ["rx", "ry", "rz"]}}
for method in METHODS:
  drawn = run(case([FLOOR, {"box": [1, 1, 0.5], "at": [0, 0, 0.25], "name": "block"}, LID],
                   gravity=(0, 0, -10), end=0.3, friction=0.3, frames=0.3,
                   solver={"method": method, "correction": 0}), f"drawn-{method}")
  check_near(f"drawn, {method}: work", drawn["prescribed_work"].sum(), 0.3 * 4000 * 0.2 * 0.3, 1e-5)
  balance(f"drawn, {method}", drawn, start=0.5 * 400 * 0.04)
  lid = drawn.bodies()
  check_near(f"drawn, {method}: way of the lid", lid["position"][2, 0], 0.06, 1e-15)
  check_near(f"drawn, {method}: its height", lid["position"][2, 2], 0.6, 1e-5)
  check(f"drawn, {method}: it does not turn", numpy.abs(lid["orientation"][2, 1:]).max(), "==", 0)
  check(f"drawn, {method}: nor drift", abs(lid["position"][2, 1]), "==", 0)

# On one block at its edge a lid that may not turn rests, and gives it its whole weight. Free it
# tips over.
def edge(motion):
  return case([FLOOR, {"box": [0.2, 0.2, 0.5], "at": [0.4, 0, 0.25], "name": "post"},
               {"box": [1, 1, 0.2], "at": [0, 0, 0.6], "name": "lid", **motion}],
              frames=0.3, end=0.3)

held = both(edge({"motion": {"lock": ["rx", "ry", "rz"]}}), "edge")
tipped = run(edge({}), "tipped")
check("on an edge: it rests", numpy.linalg.norm(held.bodies()["velocity"][2]), "<=", 1e-9)
check("on an edge: it does not turn", numpy.abs(held.bodies()["orientation"][2, 1:]).max(), "==", 0)
check("free it turns", numpy.abs(tipped.bodies()["orientation"][2, 1:]).max(), ">", 0.02)
contacts = held.contacts()
on_lid = contacts["bodies"][:, 1] == 2
weight = numpy.abs(contacts["reaction_world"][on_lid][:, 2].sum())
check_near("on an edge: it gives its weight", weight / (400 * 9.81 * 1e-3), 1, 1e-6)

# A bar that stands askew turns about z alone under a torque of all axes: T t / (z.J z), whatever it
# is about the others.
TURN = {"axis": [1, 2, 0.5], "angle": 40}
ABOUT = case([{"box": [1, 0.3, 0.2], "at": [0, 0, 0], "turn": TURN, "name": "bar",
               "motion": {"free": ["rz"]}}], gravity=(0, 0, -9.81), end=0.5, frames=0.5,
             loads=[{"on": "bar", "torque": [30, -20, 12]}])
bar = run(ABOUT, "about")
axis = numpy.array(TURN["axis"]) / numpy.linalg.norm(TURN["axis"])
c, s = numpy.cos(numpy.radians(40)), numpy.sin(numpy.radians(40))
skew = numpy.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
rotation = c * numpy.eye(3) + s * skew + (1 - c) * numpy.outer(axis, axis)
mass = 2000 * 0.06
inertia = rotation @ numpy.diag([mass / 12 * (0.09 + 0.04), mass / 12 * 1.04,
                                 mass / 12 * 1.09]) @ rotation.T
spin = bar.bodies()["spin"][0]
check_near("about z: spin", spin[2] / (12 * 0.5 / inertia[2, 2]), 1, 1e-12)
check("about z: nothing else", max(abs(spin[0]), abs(spin[1])), "==", 0)
check("about z: it does not fall", numpy.abs(bar.bodies()["velocity"]).max(), "==", 0)
check_near("about z: energy", bar["kinetic_energy"][-1] / (0.5 * 12 * 0.5 * spin[2]), 1, 1e-12)
balance("about z", bar)

# Given a spin about z and free to turn about x: momenta about x change by torques alone, and the
# guide's work is what the energy gains, to second order in the step.
def tumble(step):
  done = run(case([{"box": [1, 0.5, 0.2], "at": [0, 0, 0], "name": "slab", "spin": [2, 0, 0],
                    "motion": {"velocity": {"rz": 3}, "free": ["rx", "x"]}}], gravity=(0, 0, 0),
                  end=0.5, step=step, frames=0.5, loads=[{"on": "slab", "force": [5, 7, 0]}]),
             f"tumble-{step}")
  momentum = done["angular_momentum_x"]
  check(f"tumbling, {step} s: momentum about the free axis",
        numpy.abs(momentum - momentum[0]).max() / abs(momentum[0]), "<=", 1e-13)
  check_near(f"tumbling, {step} s: the given spin", done.bodies()["spin"][0, 2], 3, 0)
  check_near(f"tumbling, {step} s: the free velocity", done.bodies()["velocity"][0, 0], 0.0125,
             1e-15)
  return done["kinetic_energy"][-1] - done["prescribed_work"].sum() - done["load_work"].sum()

offs = [tumble(step) for step in (4e-3, 2e-3, 1e-3)]
first, second = abs(offs[0] - offs[1]), abs(offs[1] - offs[2])
check("tumbling: the balance converges", second, "<=", 0.3 * first)

# A plate that speeds up carries a block along: its work is their energy, though its own mass takes
# part of it.
SPEEDS = {"x": {"table": [[0, 0], [0.4, 0.8]]}}
carried = run(case([{"box": [3, 3, 0.2], "at": [0, 0, -0.1], "name": "plate",
                     "motion": {"velocity": SPEEDS, "lock": ["y", "rx", "ry", "rz"],
                                "free": ["z"]}},
                    {"box": [1, 1, 0.4], "at": [0, 0, 0.2], "name": "block"},
                    {"box": [0.2, 0.2, 1], "at": [0, 0, -0.7], "fixed": True, "name": "post"}],
                   friction=0.5, end=0.4, frames=0.4, solver={"correction": 0}), "carried")
check_near("carried: the block keeps up", carried.bodies()["velocity"][1, 0], 0.8, 1e-6)
check_near("carried: energy", carried["kinetic_energy"][-1], 0.5 * (3600 + 800) * 0.64, 1e-3)
balance("carried", carried)

# Bodies held along the normal of a contact between them: it does nothing, and every step is solved.
stuck = run(case([FLOOR, {"box": [1, 1, 1], "at": [0, 0, 0.4], "name": "sunk",
                          "motion": {"velocity": {"z": -0.1}, "free": ["x"]},
                          "velocity": [1, 0, 0]}],
                 end=0.1, frames=0.1), "stuck")
check("through the floor: every step is solved", stuck["residual_max"].max(), "<=", 1e-9)
check_near("through the floor: it slides on", stuck.bodies()["velocity"][1, 0], 1, 1e-12)

# Stones under a turning lid: every solver has all steps, one energy and one height.
STONES = {"grid": {"box": [0.3, 0.3, 0.3], "count": [2, 2, 2], "spacing": [0.33, 0.33, 0.3]},
          "at": [-0.16, -0.16, 0.15]}
heights = []
for method in METHODS:
  pressed = run(case([FLOOR, STONES, {"box": [1, 1, 0.2], "at": [0, 0, 0.7], "name": "lid",
                                      "motion": {"velocity": {"rz": 0.5}, "lock": ["rx", "ry"],
                                                 "free": ["x", "y", "z"]}}],
                     friction=0.4, end=0.25, frames=0.25,
                     solver={"tolerance": 1e-8, "max_sweeps": 50000, "method": method}),
                f"pressed-{method}")
  check_converged(f"pressed, {method}", pressed, 1e-8)
  balance(f"pressed, {method}", pressed, start=0.5 * 400 / 12 * 2 * 0.25)
  heights.append(pressed.bodies()["position"][-1, 2])
  check_near(f"pressed, {method}: the given spin", pressed.bodies()["spin"][-1, 2], 0.5, 0)
check("pressed: heights of all methods", max(heights) - min(heights), "<=", 1e-7)

finish()
