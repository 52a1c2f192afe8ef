#!/usr/bin/env python3
"""Affine bodies that touch, against known answers and rigid bodies, on 1 and 3 ranks.

Contact points are found as those of rigid bodies. Collisions keep momenta and explain their energy.
Blocks sink under their own weight. Stiff bodies move as rigid ones do: a rocking block, a wall that
slides, an arch that opens hinges. The thrust of an arch on springs is the same on both abutments.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from affine import AFFINE, G, drift, stone, unexplained
from cases import both, case, check, check_converged, check_near, check_same, finish, run, tilted

# contact points are those of rigid bodies while nothing has deformed: what the suite of contact
# quality says of shapes holds for bodies that deform
SHAPES = [
  {"wall": {"courses": 4, "bricks": 3, "brick": [0.4, 0.2, 0.2], "joint": 0}},
  {"arch": {"voussoirs": 9, "radius": 2, "thickness": 0.4, "width": 0.5}, "at": [0, 3, 0.5]},
  {"box": [0.5, 0.4, 0.3], "at": [-2, 0, 0.1495], "turn": {"axis": [1, 2, 3], "angle": 0.05}},
  {"wedge": [0.3, 0.3, 0.3], "at": [-2, 0, 0.2995]},
  {"parts": [{"box": [0.5, 0.2, 0.2], "at": [0, 0, 0.1]},
             {"wedge": [0.2, 0.2, 0.3], "at": [0.1, 0, 0.2]}], "at": [-2, 1, -0.001]},
  {"grid": {"sphere": {"radius": 0.1}, "count": [3, 3, 2], "spacing": [0.199, 0.199, 0.19]},
   "at": [-2, -2, 0.0995]},
  {"ellipsoid": {"radii": [0.3, 0.2, 0.1]}, "at": [2, -2, 0.0999]},
  {"ellipsoid": {"radii": [0.2, 0.2, 0.1]}, "at": [2.1, -2, 0.2995]},
  {"hull": [[0.4, 0, 0], [-0.3, 0.4, 0], [-0.3, -0.4, 0], [0, 0, 0.6], [0, 0.1, -0.5]],
   "at": [2, -1, 0.499], "spin": [1, 2, 3]},
  {"box": [0.5, 0.5, 0.5], "at": [3, 1, 0.24], "velocity": [1, 2, -1], "spin": [3, -2, 1]}]
TABLE = {"box": [20, 20, 1], "at": [0, 0, -0.5], "fixed": True}
GEOMETRY = ("bodies", "parts", "features", "point", "normal", "gap", "area")
for model, least in (("patch", 200), ("volumetric", 40)):
  found = []
  for kind in ({}, AFFINE):
    done = run(case([TABLE] + [{**shape, **kind} for shape in SHAPES], end=2e-3, frames=1e-3,
                    materials=stone(2000, 1e9, poisson=0.2), solver={"tolerance": 1e-3},
                    contact={"model": model}), "points." + model + kind.get("elastic", ""))
    found.append([done.contacts(frame) for frame in (1, 2)])
  check(f"{model}: contact points", len(found[0][0]["gap"]), ">", least)
  for name in GEOMETRY:
    check_same(f"{model}: the same {name} without deformation, to the bit",
               found[1][0][name].tobytes() == found[0][0][name].tobytes(), True)
  check_same(f"{model}: the same gaps once bodies have deformed",
             found[1][1]["gap"].tobytes() == found[0][1]["gap"].tobytes(), False)

# affine blocks and a rigid hull that spin and collide in free space
soft = stone(2000, 1e8, poisson=0.2, damping=1e-5)
thrown = [{"box": [1, 0.8, 0.6], "velocity": [1, 0.1, 0], "spin": [0.3, 0.2, 0.5], **AFFINE},
          {"box": [0.7, 0.7, 0.9], "at": [1.2, 0.1, 0.1], "velocity": [-2, 0, 0.1],
           "spin": [-0.4, 0.1, 0.2], **AFFINE},
          {"hull": [[0.4, 0, 0], [-0.3, 0.4, 0], [-0.3, -0.4, 0], [0, 0, 0.6], [0, 0.1, -0.5]],
           "at": [-1.1, 0.2, 0.1], "velocity": [2.5, -0.1, 0], "spin": [0.1, 1.0, 0.3]},
          {"box": [0.5, 0.5, 0.5], "at": [0.2, 1.4, 0.1], "velocity": [0, -1.5, 0],
           "spin": [0.5, 0.5, -0.5], **AFFINE}]
done = both(case(thrown, materials=soft, gravity=(0, 0, 0), friction=0.4, end=0.6,
                 solver={"tolerance": 1e-6, "correction": 0}), "collision")
check_converged("collision", done, 1e-6)
check("collision: energy that contacts take, J", -done["contact_work"].sum(), ">", 1000)
check("collision: elastic energy, J", done["elastic_energy"].max(), ">", 100)
# scales: sum of the bodies' |m v| and |L|, N s and N m s
check("collision: momentum, largest change", drift(done, "momentum") / 2700, "<", 1e-12)
check("collision: angular momentum, largest change", drift(done, "angular_momentum") / 2000, "<",
      1e-12)

# head on, aligned, nothing turns
row = [{"box": [0.4, 0.2, 0.2], "velocity": [2, 0, 0], **AFFINE},
       {"box": [0.4, 0.2, 0.2], "at": [0.41, 0, 0], **AFFINE},
       {"box": [0.4, 0.2, 0.2], "at": [0.815, 0, 0]},
       {"box": [0.3, 0.2, 0.2], "at": [1.17, 0, 0], "velocity": [-1, 0, 0], **AFFINE}]
done = both(case(row, materials=soft, gravity=(0, 0, 0), step=1e-4, end=0.1,
                 solver={"tolerance": 1e-12, "correction": 0}), "row")
energy = done["kinetic_energy"][0]
check("row: energy that no work explains, relative", unexplained(done) / energy, "<", 1e-10)
for work in ("contact_work", "damping_work", "scheme_work"):
  check(f"row: share that {work} takes", -done[work].sum() / energy, ">", 0.01)

# own weight: an affine block has the mean strain rho g l/(2 E) of the bar; a lower block carries
# the upper one. Contacts are found between shapes without deformation, and act where surfaces have
# moved to: errors are of the square of the strain. Places may err by the slop, too.
RHO, LENGTH = 2000, 0.5
FLOOR = {"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True}
for young, count in ((1e6, 1), (1e6, 2), (1e8, 1)):
  side = LENGTH / count
  blocks = [{"box": [0.5, 0.5, side], "at": [0, 0, side * (i + 0.5)], **AFFINE}
            for i in range(count)]
  name = f"weight{young:.0e}.{count}"
  done = both(case([FLOOR] + blocks, materials=stone(RHO, young, damping=2e4 / young), end=2.0,
                   frames=2.0, step=2e-3, solver={"tolerance": 1e-9}), name)
  check_converged(name, done, 1e-9)
  check(f"{name}: kinetic energy in the end, J", done["kinetic_energy"][-1], "<", 1e-15)
  bodies, mesh = done.bodies(), done.results.mesh()
  small = RHO * G * LENGTH / (2 * young)
  largest = small * (2 - 1 / count)
  for i in range(count):
    # what is above the middle of a block, and half of it
    expected = -RHO * G * side * (count - i - 0.5)
    stress = bodies["stress"][i + 1]
    check_near(f"{name}: stress of block {i} over what it bears", stress[2] / expected, 1,
               largest**2)
    check(f"{name}: other stress over it", abs(numpy.delete(stress, 2)).max() / abs(stress[2]),
          "<", 1e-6)
    check_near(f"{name}: strain over stress", bodies["strain"][i + 1][2] * young / stress[2], 1,
               1e-12)
  # the deformed surface, as frames show it
  sunk = LENGTH - mesh["points"][:, 2].max()
  check_near(f"{name}: top sinks over {small * LENGTH:.6g} m", sunk / (small * LENGTH), 1,
             largest**2 + 1e-6 + 5e-4 * (count - 1))

# a rocking block, stiff and rigid: its first two impacts
lean = {"parts": [{"box": [0.5, 1, 2], "at": [0.25, 0, 1]}],
        "turn": {"axis": [0, 1, 0], "angle": -0.5 * math.degrees(math.atan(0.25))}}
floor = {**FLOOR, "box": [9, 9, 1], "turn": {"axis": [0, 0, 1], "angle": 20}}


def impacts(done):
  """Times before two impacts, energy there, and ten steps after each."""
  energy = done["kinetic_energy"]
  top = [i for i in range(1, len(energy) - 10)
         if energy[i - 1] < energy[i] > energy[i + 1] and energy[i] > 50]
  return done["time"][top], energy[top], energy[numpy.array(top) + 10]


found = []
for kind in ({}, AFFINE):
  name = "rocking" + kind.get("elastic", "")
  done = both(case([floor, {**lean, **kind}], materials=stone(1000, 1e12), friction=2, end=1.5,
                   solver={"tolerance": 1e-9}), name)
  check_converged(name, done, 1e-9)
  found.append(impacts(done))
  check_same(f"{name}: impacts", len(found[-1][0]), 2)
for what, rigid, elastic in zip(("time", "energy before", "energy after"), *found):
  for i in range(2):
    check_near(f"rocking: {what} of impact {i + 1}, elastic over rigid", elastic[i] / rigid[i], 1,
               0.01)

# a wall that slides down a tilted floor, as stiff as the step allows
wall = {"wall": {"courses": 4, "bricks": 3, "brick": [0.4, 0.2, 0.2], "joint": 0}}
ways = []
for kind in ({}, AFFINE):
  done = both(case([{**FLOOR, "box": [20, 20, 1]}, {**wall, **kind}], gravity=tilted(25),
                   materials=stone(2000, 7.9e11, poisson=0.2), friction=0.4, end=0.1, frames=0.1,
                   solver={"tolerance": 1e-7}), "sliding" + kind.get("elastic", ""))
  ways.append((done.bodies()["position"] - done.bodies(0)["position"])[1:])
slip = G * (math.sin(math.radians(25)) - 0.4 * math.cos(math.radians(25))) * 0.1**2 / 2
check("sliding wall: slip of rigid bricks over the closed form, off by",
      abs(ways[0][:, 0] / slip - 1).max(), "<", 1e-3)
check("sliding wall: way of an elastic brick less that of the rigid one, over the slip",
      numpy.linalg.norm(ways[1] - ways[0], axis=1).max() / slip, "<", 0.01)

# an arch too thin to stand opens the same hinges: joints whose blocks turn against each other, and
# the side on which they do
arch = {"arch": {"voussoirs": 27, "radius": 10, "thickness": 1.02, "width": 5}}
ground = {"box": [40, 20, 1], "at": [0, 0, -1.52], "fixed": True}
hinges = []
for kind in ({}, AFFINE):
  name = "arch" + kind.get("elastic", "")
  done = both(case([{**arch, **kind}, ground], materials=stone(2400, 1e12, poisson=0.2), end=0.1,
                   frames=0.1, solver={"tolerance": 1e-6}), name)
  check_converged(name, done, 1e-6)
  turned = []
  for frame in (0, -1):
    q = done.bodies(frame)["orientation"]
    turned.append(2 * numpy.arctan2(q[:, 2], q[:, 0]))
  # the ground is the last body: its turn is that beside both springings
  turned = turned[1] - turned[0]
  opened = numpy.diff(numpy.concatenate(([turned[-1]], turned)))
  check(f"{name}: largest turn of a joint, rad", abs(opened).max(), ">", 2e-4)
  hinges.append(numpy.where(abs(opened) > 0.1 * abs(opened).max(), numpy.sign(opened), 0))
check("arch: hinges", numpy.count_nonzero(hinges[0]), ">=", 5)
check_same("arch: hinges of elastic voussoirs", list(hinges[1]), list(hinges[0]))

# an arch whose joints have a stiffness, until it rests: one thrust, whatever the method, and on
# both sides the same
STIFF = {"normal": 1e9, "shear": 5e8}
ring = {"arch": {"voussoirs": 7, "radius": 2, "thickness": 0.5, "width": 1, "embrace": 150}}
thrusts = []
for method, runs in (("automatic", both), ("admm-amg", run)):
  described = case([{**ring, **AFFINE}], materials=stone(2000, 1e9, poisson=0.2, damping=5e-3),
                   end=1.4, step=2e-3, frames=1.4, solver={"tolerance": 1e-9, "method": method})
  described["contacts"][0]["joint_stiffness"] = STIFF
  done = runs(described, f"thrust.{method}")
  check_converged(f"thrust, {method}", done, 1e-9)
  contacts, bodies = done.contacts(), done.bodies()
  on = numpy.zeros((len(bodies["id"]), 3))   # N, of contacts on bodies
  for (low, high), impulse in zip(contacts["bodies"], contacts["reaction_world"]):
    on[low] += impulse / 2e-3
    on[high] -= impulse / 2e-3
  left, right = on[bodies["drive"] == 1]
  weight = G * bodies["mass"][bodies["drive"] == 0].sum()
  check_near(f"thrust, {method}: weight on abutments", -(left + right)[2] / weight, 1, 1e-6)
  check_near(f"thrust, {method}: of one side over that of the other", -left[0] / right[0], 1, 1e-6)
  check(f"thrust, {method}: over the weight", right[0] / weight, ">", 0.1)
  thrusts.append(right)
check("thrust by another method, off by",
      numpy.linalg.norm(thrusts[1] - thrusts[0]) / numpy.linalg.norm(thrusts[0]), "<=", 1e-6)

# walls that nothing has prepared for their weight, soft and next to rigid: iterations of their
# first step
wall = {"wall": {"courses": 20, "bricks": 10, "brick": [0.4, 0.2, 0.2], "joint": 0.002},
        "name": "wall"}
for young in (1e9, 1e10, 5e10, 1e12):
  for tolerance, most in ((1e-6, 60), (1e-8, 90)):
    name = f"cold.{young:g}.{tolerance:g}"
    done = run(case([{"box": [40, 40, 1], "at": [0, 0, -0.5], "fixed": True}, {**wall, **AFFINE}],
                    materials=stone(2400, young), friction=0.6, end=1e-3,
                    solver={"tolerance": tolerance}), name)
    check_converged(name, done, tolerance)
    check(f"{name}: iterations", done["sweeps"].max(), "<=", most)

# shaken walls with rigid joints, and with some that give a hundredth of what their bricks do: no
# step misses, and no joint feeds them energy. Rigid ones of soft bricks give where they must.
shaken = {"sum": [[0, 0, -G], {"cosine": {"amplitude": [0.3 * G, 0, 0], "angular_frequency": 30,
                                         "phase": 90}}]}
wall = {**wall, "wall": {**wall["wall"], "courses": 10, "bricks": 5}}
for young, gives in ((1e10, False), (1e10, True), (1e9, False), (1e9, True)):
  name = f"shaken.{young:g}.{gives}"
  described = case([{"box": [40, 40, 1], "at": [0, 0, -0.5], "fixed": True}, {**wall, **AFFINE}],
                   materials=stone(2400, young, poisson=0.2, damping=1e-5), friction=0.6, end=0.06,
                   gravity=shaken, solver={"tolerance": 1e-6})
  if gives:
    stiffness = 100 * young / 0.2
    described["contacts"][0]["joint_stiffness"] = {"normal": stiffness, "shear": stiffness}
  done = run(described, name)
  check_converged(name, done, 1e-6)
  most = 270 if gives or young > 1e9 else 330
  check(f"{name}: mean iterations", done["sweeps"].mean(), "<", most)
  energy = done["kinetic_energy"] + done["elastic_energy"]
  check(f"{name}: energy, J", energy.max(), "<", 0.2 if young > 1e9 else 2)
  if gives:
    check_same(f"{name}: points that give by themselves", done["given"].max(), 0.0)
  elif young < 1e10:
    check(f"{name}: steps with points that give", numpy.count_nonzero(done["given"]), ">", 5)
    check(f"{name}: velocity by which they do, m/s", done["given"].max(), "<", 2e-3)
finish()
