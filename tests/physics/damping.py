#!/usr/bin/env python3
"""Damping against known answers, on 1 and 3 ranks.

Free fall, damped by mass or locally, has a closed form in steps. A ball on a spring loses in half a
swing what local damping takes: its amplitude shrinks by the root of (1 - a) / (1 + a). Spins decay
likewise. Damping changes no force at rest. Its works close the energy, and the state has the same
bits after a restart on other ranks.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_near, check_same, finish, run

G, STEP, LOCAL, MASS = 9.81, 1e-3, 0.7, 3.0
RADIUS = 0.05
BALL = {"stone": 1 / (4 / 3 * math.pi * RADIUS ** 3)}   # of 1 kg
FLOOR = {"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}


def ball(place, **more):
  return {"sphere": {"radius": RADIUS}, "at": list(place), "name": "bob", **more}


def gap(done):
  """Energy that no work explains, step by step, over the largest term."""
  gain = numpy.diff(done["kinetic_energy"])
  works = [done[w][1:] for w in ("load_work", "joint_work", "contact_work", "prescribed_work",
                                 "local_damping_work", "mass_damping_work")]
  scale = max([done["kinetic_energy"].max()] + [abs(w.cumsum()).max() for w in works])
  return abs((gain - sum(works)).cumsum()).max() / scale


def closes(name, done, most):
  check(f"{name}: energy that no work explains, over the largest term", gap(done), "<", most)


# -- free fall -----------------------------------------------------------------------------------

steps = numpy.arange(1, 301)
fall = both(case([ball([0, 0, 9])], densities=BALL, end=0.3, damping=LOCAL), "local")
expected = -G * STEP * (1 + (steps - 1) * (1 - LOCAL))   # nothing is known before the first step
check("local: speed in free fall, m/s", abs(fall["momentum_z"] - expected).max(), "<", 1e-12)
closes("local", fall, 1e-12)
check_same("local: the other damping does nothing", fall["mass_damping_work"].any(), False)

# a guided body feels none, but its loads and its servo
guided = both(case([ball([0, 0, 9], motion={"free": ["z"]})], densities=BALL, end=0.1,
                   damping=LOCAL, loads=[{"on": "bob", "force": [3, 0, 2]}],
                   servos=[{"on": "bob", "axis": "-z", "force": 1, "speed": 9}]), "guided")
check("guided: speed under a load and a servo, which holds the weight, m/s",
      abs(guided["momentum_z"] - 3 * STEP * steps[:100]).max(), "<", 1e-12)

kept = math.exp(-MASS * STEP)
fall = both(case([ball([0, 0, 9], velocity=[1, 0, 0], spin=[0, 2, 1])], densities=BALL, end=0.3,
                 frames=0.1, damping={"mass": MASS}), "mass")
check("mass: speed in free fall, m/s",
      abs(fall["momentum_z"] + G * STEP * (1 - kept ** steps) / (1 - kept)).max(), "<", 1e-12)
check("mass: speed across, m/s", abs(fall["momentum_x"] - kept ** steps).max(), "<", 1e-12)
spin = numpy.linalg.norm(fall.bodies()["spin"][0])
check_near("mass: spin, rad/s", spin, math.sqrt(5) * kept ** 300, 1e-12)
closes("mass", fall, 1e-12)

# a body that tumbles: the momentum decays, whatever the body does
tumbling = run(case([{"box": [0.2, 0.5, 1.0], "at": [0, 0, 9], "spin": [3, 0.2, 0.1]}],
                    gravity=(0, 0, 0), end=0.3, frames=0.1, damping={"mass": MASS}), "tumbling")
turn = numpy.linalg.norm(tumbling.bodies()["angular"][0])
first = run(case([{"box": [0.2, 0.5, 1.0], "at": [0, 0, 9], "spin": [3, 0.2, 0.1]}],
                 gravity=(0, 0, 0), end=0.3, frames=0.1), "free")
check_near("mass: angular momentum of what tumbles", turn,
           numpy.linalg.norm(first.bodies()["angular"][0]) * kept ** 300, 1e-9 * turn)
check("tumbling: energy that no work explains, over that of the same body without damping",
      gap(tumbling) / gap(first), "<", 1)

# -- a swing -------------------------------------------------------------------------------------


def swing(step):
  """Amplitudes at which a ball on a spring turns back, by the energy of the spring there."""
  made = case([ball([0, 0, 0.1])], gravity=(0, 0, 0), densities=BALL, end=0.6, step=step,
              damping=LOCAL, joints=[
                {"spring": [[0, 0, 0.1], [0, 0, 2]], "between": ["bob", "space"], "length": 2.0,
                 "stiffness": 100.0}])
  done = run(made, f"swing-{step}")
  closes(f"swing of {step} s", done, 1e-9)
  speed = done["momentum_z"]
  turns = numpy.nonzero(speed[:-1] * speed[1:] < 0)[0]
  energy = numpy.maximum(done["joint_energy"][turns], done["joint_energy"][turns + 1])
  return numpy.sqrt(0.02 * energy)


ratio = math.sqrt((1 - LOCAL) / (1 + LOCAL))
off = []
for size in (2e-3, 1e-3, 5e-4):
  heights = swing(size)
  off.append(abs(heights[0] / 0.1 - ratio))
check("swing: amplitude after half a swing, off the closed form at the finest step", off[2], "<",
      6e-3)
check("swing: it converges with the step", off[2] / off[0], "<", 0.4)

# -- rest ----------------------------------------------------------------------------------------

stack = [FLOOR] + [{"box": [0.5, 0.5, 0.5], "at": [0.02 * i, 0, 0.25 + 0.51 * i], "name": f"b{i}"}
                   for i in range(4)]
heap = case(stack, end=0.6, damping={"local": LOCAL, "mass": MASS}, solver={"tolerance": 1e-12},
            frames=0.1)
done = both(heap, "heap")
closes("heap", done, 1e-9)
still = run({**heap, "damping": {"local": 0}}, "still")
closes("still", still, 1e-9)
weights = [math.fsum(numpy.array(of.contacts()["reaction_world"])[:, 2]) for of in (done, still)]
check_near("heap: damping bears no weight: impulses of all joints over those without it",
           weights[0] / weights[1], 1, 1e-6)
check("heap: unbalanced force ratio at the end", done["unbalanced"][-1], "<", 1e-9)

# -- the state -----------------------------------------------------------------------------------

whole = run(heap, "whole", 2)
piece = run(heap, "piece", 3, options=("--steps", "137"))
piece = run(heap, "piece", 2, options=("--restart",))
check_same("heap: hash after a restart on other ranks", piece.hash, whole.hash)
check_same("heap: hash on 1 and 2 ranks", done.hash, whole.hash)
halved = {**heap, "solver": {"tolerance": 1e-14, "max_sweeps": 5, "unsolved": "halve"}}
cut = both(halved, "halved")
check("halved: steps", cut["halved"].sum(), ">", 0)
closes("halved", cut, 1e-9)
plain = run({key: value for key, value in heap.items() if key != "damping"}, "plain")
refused = run({**heap, "damping": {"mass": 1.0}}, "plain", options=("--restart",), codes=(0, 2))
check_same("a restart cannot begin to damp", refused.code, 2)

finish()
