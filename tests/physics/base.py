"""A shaken base against inertia, a tilting ground against a closed form."""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 600
import json
import math
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "io", "python"))
import drystone  # noqa: E402

PROGRAM = sys.argv[1]
MPIRUN = os.path.join(HERE, "..", "mpirun.sh")
failures = 0


def check(text, fine, found):
  global failures
  failures += not fine
  print("%s %s: %s" % ("fine   " if fine else "FAILED ", text, found))


def run(name, text, ranks=1, options=()):
  """The results of a case, and the last line of its log."""
  with open(name + ".yaml", "w") as file:
    file.write(text)
  words = [MPIRUN, str(ranks), PROGRAM, "run", name + ".yaml", "-o", name]
  if "--restart" not in options:
    words.append("--overwrite")
  done = subprocess.run(words + list(options), capture_output=True, text=True, check=False)
  if done.returncode != 0:
    sys.exit("run of %s: code %d\n%s" % (name, done.returncode, done.stderr))
  return drystone.open(name), done.stdout.strip().split("\n")[-1]


CASE = """gravity: [0, 0, -9.81]
%s
time: {step: 1e-3, end: %g}
materials: {stone: {density: 2400}, wood: {density: 600}}
contacts:
  - {between: [stone, stone], friction: 0.35}
  - {between: [stone, wood], friction: 0.2}
  - {between: [wood, wood], friction: 0.2}
bodies:
%s
solver: {method: anderson, tolerance: 1e-12, max_sweeps: 20000}
output: {frames: {every: 0.02}, checkpoint: {steps: 100}}
"""

# -------------------------------------------------------------------------------------------------
# A record with three components, which does not come back to where it began: slabs and a stack of
# them slide, one against a fixed block

with open("shake.csv", "w") as file:
  for k in range(201):
    t = 0.005 * k
    wave = math.exp(-((t - 0.5) / 0.2) ** 2)
    values = (0.62 * wave * math.sin(19 * t) + 0.02, 0.3 * wave * math.cos(23 * t),
              0.15 * wave * math.sin(41 * t))
    file.write("%.3f, %.6f, %.6f, %.6f\n" % (t, *values))
BODIES = """  - {box: [8, 8, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {grid: {box: [0.5, 2, 0.5], count: [2, 1, 1], spacing: [6, 1, 1]}, at: [-3, 0, 0.25],
     material: stone, fixed: true}
  - {box: [1, 1, 0.2], at: [0, 2.5, 0.1], material: wood, name: slab}
  - {grid: {box: [0.9, 0.6, 0.04], count: [1, 1, 2], spacing: [1, 1, 0.04]}, at: [0, -2.5, 0.02],
     material: stone}
  - {box: [1, 1, 0.1], at: [2.24, 0, 0.05], material: wood}"""
BASE = """base:
  acceleration: {file: shake.csv, separator: ',', columns: [1, 2, 3, 4], unit: g, after: zero}
  frame: %s"""

moved, hash_moved = run("moved", CASE % (BASE % "world", 1.2, BODIES))
seen, _ = run("seen", CASE % (BASE % "moving", 1.2, BODIES))
peak = worst = slid = travelled = 0.0
for a, b in zip(moved.frames, seen.frames):
  relative, inertial = moved.displacements(a), seen.displacements(b)
  peak = max(peak, np.abs(inertial).max())
  worst = max(worst, np.abs(relative - inertial).max())
  travelled = max(travelled, np.abs(moved.base(a)).max())
  slid = max(slid, np.abs(inertial[moved.bodies(a)["drive"] == 0][-1]).max())
check("relative motion of a moved base and of inertia, of the peak", worst <= 1e-10 * peak,
      "%.3g" % (worst / peak))
missed = sum((of.history()["residual_max"] > 1e-12).sum() for of in (moved, seen))
check("steps of both that missed the tolerance", missed == 0, missed)
check("bodies slide by more than a centimetre", slid > 0.01, "%.4g m" % slid)
check("the base goes away", travelled > 0.05, "%.4g m" % travelled)
check("in its own frame the base rests", np.abs(seen.base()).max() == 0, seen.base())
record = np.loadtxt("shake.csv", delimiter=",")
times = (np.arange(1200) + 0.5) * 1e-3
velocity = np.cumsum(np.interp(times, record[:, 0], record[:, 1] * 9.80665, right=0)) * 1e-3
place = np.sum(0.5 * (np.concatenate([[0], velocity[:-1]]) + velocity)) * 1e-3
check("the way of the base", abs(moved.base()[0] - place) < 1e-12,
      "%.9g m for %.9g" % (moved.base()[0], place))
rows = moved.bodies(-1)
spread = np.abs(moved.displacements(-1)[rows["drive"] == 2]).max()
check("all fixed bodies move as one", spread < 1e-13 and (rows["drive"] == 2).sum() == 3,
      "%.2g m" % spread)
drift = np.abs(rows["velocity"][rows["drive"] == 2] - rows["velocity"][0]).max()
check("with one velocity", drift == 0 and abs(rows["velocity"][0, 0] - velocity[-1]) < 1e-12,
      rows["velocity"][0, 0])

# info tells of the same largest displacement
found = []
for name in ("moved", "seen"):
  said = subprocess.run([PROGRAM, "info", name], capture_output=True, text=True, check=True).stdout
  found.append([line for line in said.split("\n") if line.startswith("largest displacement")][0])
largest = np.linalg.norm(seen.displacements(-1), axis=1).max()
fine = found[0].split(",")[0] == found[1].split(",")[0] and "%.6g m" % largest in found[0]
check("info is relative to the base", fine, found[0])

# a run that ends by a displacement ends in the same step, whichever frame it is seen in; in a stage
# it counts from where base and bodies were as that began
UNTIL = "until: {displacement: %g, every: 1}"
STAGES = "stages: [{name: a, until: {time: 0.4}}, {name: b, %s}]\n"
limit = 0.5 * largest
ends = {}
for frame in ("world", "moving"):
  text = CASE % (BASE % frame, 1.2, BODIES)
  for name, ended in (("once", text.replace("end: 1.2}", "end: 1.2, %s}" % (UNTIL % limit))),
                      ("staged", text + STAGES % (UNTIL % (0.5 * limit)))):
    run(name + "-" + frame, ended, options=["--set", "output.frames.every=0"])
    with open(name + "-" + frame + "/outcome.json") as file:
      ends[name, frame] = json.load(file)
for name in ("once", "staged"):
  one, other = ends[name, "world"], ends[name, "moving"]
  same = [one[key] == other[key] for key in ("outcome", "step")]
  check(name + ": displaced in the same step", all(same) and one["outcome"] == "displaced" and
        0.4 < one["time"] < 1.19 and abs(one["value"] - other["value"]) < 1e-10, one["text"])

# on other ranks, in pieces
_, hash_three = run("three", CASE % (BASE % "world", 1.2, BODIES), 3, ["--steps", "350"])
_, hash_three = run("three", CASE % (BASE % "world", 1.2, BODIES), 2, ["--restart"])
check("on 3 ranks, then on 2", hash_three == hash_moved, hash_three)

# -------------------------------------------------------------------------------------------------
# A block on a ground that tilts slides from atan(0.2) on, to +x, with g (sin - 0.2 cos)

RATE = 10.0
TILTED = """  - {box: [20, 8, 1], at: [4, 0, -0.5], material: stone, fixed: true}
  - {box: [1, 1, 0.2], at: [0, 0, 0.1], material: wood}"""
TILT = "tilt: {axis: [0, 2, 0], rate: %g, start: 0.1, to: 20}" % RATE
tilt, _ = run("tilt", CASE % (TILT, 2.6, TILTED))
rate, begin = math.radians(RATE), 0.1 + math.degrees(math.atan(0.2)) / RATE


def speed(t):
  """Of a block that slides since begin, while the ground turns to 20 degrees and then rests."""
  stop = 0.1 + 20 / RATE
  def turning(s):
    angle = rate * (s - 0.1)
    return 9.81 * (-math.cos(angle) - 0.2 * math.sin(angle)) / rate
  if t <= begin:
    return 0.0
  until = min(t, stop)
  still = max(t - stop, 0) * 9.81 * (math.sin(math.radians(20)) - 0.2 * math.cos(math.radians(20)))
  return turning(until) - turning(begin) + still


worst = max(abs(tilt.bodies(frame)["velocity"][1, 0] - speed(frame.time)) for frame in tilt.frames)
last = tilt.bodies(-1)["velocity"][1, 0]
check("a block on a ground that tilts about y slides to +x", last > 1, "%.4g m/s" % last)
# the step in which it begins to slide is known to h
check("as the closed form", worst < 1e-5, "%.3g m/s" % worst)
back, _ = run("back", CASE % ("tilt: {axis: [0, 1, 0], rate: -%g, to: 10}" % RATE, 1.6, TILTED))
moves = np.abs(back.displacements(-1)[1]).max()
check("and stays where the tilt stops before", moves < 1e-8, "%.3g m" % moves)
sys.exit(failures > 0)
