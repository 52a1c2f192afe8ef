#!/usr/bin/env python3
"""Bodies notice nothing of those that they do not touch, however heavy or fast these are.

Scenes in which a residual relative to the largest impulse of all has let light stones fall, and
random pairs of scenes: what one does is the same to the bit whether the other is there or not.
NEIGHBOUR_PAIRS says how many pairs.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 600
import hashlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_same, finish, run

G, STEP, TOLERANCE = 9.81, 1e-3, 1e-6
PAIRS = int(os.environ.get("NEIGHBOUR_PAIRS", "8"))
DEFAULT = {"tolerance": TOLERANCE}


def floor(size, at=(0, 0, 0), **more):
  return {"box": [size, size, 1], "at": [at[0], at[1], at[2] - 0.5], "fixed": True, **more}


def moved(done, first, count):
  """How far bodies first ... first + count - 1 went from the first frame to the last, m."""
  start, end = done.bodies(0)["position"], done.bodies(-1)["position"]
  return numpy.linalg.norm((end - start)[first:first + count], axis=1).max()


# eight bricks of 5 cm stand while a block of 2 m slips on a belt 20 m away
belt = [{"box": [40, 20, 1], "at": [25, 0, -0.5], "motion": {"velocity": [5, 0, 0]}},
        {"box": [0.5, 20, 20], "at": [20.76, 0, 10.1], "fixed": True},
        {"box": [2, 2, 2], "at": [19.5, 0, 1]}]
bricks = {"grid": {"box": [0.05, 0.05, 0.05], "count": [2, 1, 4], "spacing": [0.06, 1, 0.05]},
          "at": [0, 0, 0.025]}
done = both(case([floor(4), *belt, bricks], end=0.4, frames=0.4, solver=DEFAULT), "belt")
check_converged("bricks beside a belt", done, TOLERANCE)
check("bricks beside a belt moved by, m", moved(done, 4, 8), "<=", 1e-6)

# a stone of 1 cm falls by half a millimetre beside a block of 20 m, and lies there
stone = {"box": [0.01, 0.01, 0.01], "at": [0, 0, 0.0055]}
heavy = {"box": [20, 20, 20], "at": [22, 0, 10]}
done = both(case([floor(400), heavy, stone], end=1.0, frames=1.0, solver=DEFAULT), "stone")
low = done.bodies()["position"][2, 2]
check("a stone beside a heavy block lies too low by, m", 0.005 - low, "<=", 1e-6)

# mortar that holds half of what hangs on it breaks at once, whatever stands elsewhere
hanging = [{"box": [1, 1, 1], "at": [0, 0, 10.5], "fixed": True, "material": "f"},
           {"box": [0.1, 0.1, 0.1], "at": [0, 0, 9.95], "material": "g"}]
elsewhere = [{"box": [200, 200, 10], "at": [200, 0, -5], "fixed": True, "material": "f"},
             {"box": [10, 10, 10], "at": [200, 0, 5.0], "material": "f"}]
for name, bodies in (("alone", hanging), ("beside", hanging + elsewhere)):
  mortar = case(bodies, densities={"g": 2000.0, "f": 2700.0}, end=0.05, solver=DEFAULT)
  mortar["contacts"] = [
    {"between": ["g", "f"], "friction": 0.5, "bond": {"cohesion": 1000, "tensile_strength": 981}},
    {"between": ["f", "f"], "friction": 0.5}]
  done = both(mortar, f"mortar_{name}")
  check_same(f"mortar {name}: first step that breaks some",
             int(numpy.nonzero(done["broken_tension"] + done["broken_shear"])[0][0]) + 1, 1)

# friction of a million keeps a block where it is
done = both(case([floor(10), {"box": [1, 1, 1], "at": [0, 0, 0.5]}], gravity=(5, 0, -9),
                 friction=1e6, end=0.3, frames=0.3, solver=DEFAULT), "rough")
check_converged("friction 1e6", done, TOLERANCE)
check("friction 1e6: the block moved by, m", moved(done, 1, 1), "<=", 1e-6)


def number(*words):
  """A number in [0, 1) from a hash."""
  text = " ".join(str(word) for word in words)
  return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "little") / 2 ** 32


def pile(seed, size, at, fast):
  """Boxes over and beside each other, about of one size, on a floor of their own."""
  bodies = [floor(40 * size, at)]
  count = 2 + int(6 * number(seed, "count"))
  towers = number(seed, "kind") < 0.5
  height = at[2]
  for i in range(count):
    sides = [size * (0.5 + number(seed, i, k)) for k in range(3)]
    shift = [0.4 * size * (number(seed, i, "at", k) - 0.5) for k in range(2)]
    if not towers:
      shift = [4 * size * (number(seed, i, "at", k) - 0.5) for k in range(2)]
    body = {"box": sides, "at": [at[0] + shift[0], at[1] + shift[1], height + 0.5 * sides[2]]}
    height += sides[2] if towers else 1.1 * sides[2]
    if fast:
      body["velocity"] = [fast * (number(seed, i, "v", k) - 0.5) for k in range(3)]
    bodies.append(body)
  return bodies


# where a step misses its tolerance, it does so alone as well or for the sake of the others
differing, changed, worst = 0, 0, 0.0
for pair in range(PAIRS):
  size = 10 ** (-2 + 1.5 * number(pair, "size"))
  other = 10 ** (-1 + 2 * number(pair, "other"))
  fast = 20 * number(pair, "fast") if number(pair, "moves") < 0.5 else 0
  few = pile(("one", pair), size, (0, 0, 0), 0)
  many = pile(("other", pair), other, (60 * (size + other), 0, 0), fast)
  settings = {"friction": 0.2 + 0.6 * number(pair, "friction"), "end": 0.06, "frames": 0.01,
              "restitution": 0.3 if number(pair, "e") < 0.3 else 0.0, "solver": DEFAULT}
  alone = run(case(few, **settings), "alone")
  together = run(case(few + many, **settings), "together", ranks=1 + pair % 3)
  missed = [done["residual_max"] > TOLERANCE for done in (alone, together)]
  changed += numpy.count_nonzero(missed[0] & ~missed[1])
  changed += numpy.count_nonzero(missed[1] & ~missed[0] & (together["worst_high"] < len(few)))
  for frame in range(len(alone.results.frames)):
    one, two = alone.bodies(frame), together.bodies(frame)
    for column in ("position", "velocity", "spin"):
      apart = numpy.abs(one[column] - two[column][:len(few)])
      differing += bool(apart.any())
      if column == "velocity":
        worst = max(worst, apart.max())
check(f"{PAIRS} pairs of scenes: columns that differ", differing, "==", 0)
check(f"{PAIRS} pairs of scenes: largest change of a velocity over tolerance g h",
      worst / (TOLERANCE * G * STEP), "<=", 1)
check(f"{PAIRS} pairs of scenes: verdicts that changed", changed, "==", 0)
finish()
