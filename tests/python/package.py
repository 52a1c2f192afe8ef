"""Cases, checks, runs and studies from Python: package.py MPIRUN, called by package.sh."""
# test: needs python3 python3-numpy

import math
import os
import sys

import drystone
import numpy

LAUNCHER = [sys.argv[1], "{ranks}"]
DRYSTONE = os.environ["DRYSTONE"]


def refused(call, kind, *words):
  """The call raises an error of that kind with these words in it."""
  try:
    call()
  except kind as error:
    assert all(word in str(error) for word in words), str(error)
    return error
  raise AssertionError(f"not refused: {words}")


def blocks():
  case = drystone.Case("two: blocks", step=1e-3, end=0.02, gravity=numpy.array([0, 0, -9.81]))
  case.material("stone", density=2400).material("on", density=1000.0)
  case.contact("stone", "stone", friction=0.6).contact("stone", "on", friction=0.2)
  case.body(box=(4, 4, 1), at=[0, 0, -0.5], material="stone", fixed=True, name="floor")
  case.body(box=[1, 1, numpy.float64(1)], at=[0, 0, 0.5], material="stone", name="yes")
  return case


# -- the file ------------------------------------------------------------------------------------

case = blocks()
case.load(on="yes", force=[1, 0, 0]).probe("way", displacement={"of": "yes"})
case.set("output.frames.every", 0.01).set("solver.tolerance", 1e-9).set("bodies.1.at", [0, 0, 0.5])
case["seed"] = 7
assert case.text() == """\
title: "two: blocks"
units: SI
seed: 7
gravity: [0.0, 0.0, -9.81]
time:
  step: 0.001
  end: 0.02
materials:
  stone: {density: 2400}
  on: {density: 1000.0}
contacts:
  - {between: [stone, stone], friction: 0.6}
  - {between: [stone, "on"], friction: 0.2}
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {box: [1, 1, 1.0], at: [0, 0, 0.5], material: stone, name: "yes"}
loads:
  - {on: "yes", force: [1, 0, 0]}
solver:
  tolerance: 1e-09
output:
  probes: [{name: way, displacement: {of: "yes"}}]
  frames: {every: 0.01}
""", case.text()
told = case.check()
assert told["bodies"] == 2 and told["title"] == "two: blocks", told
assert [name for name in os.listdir() if name.startswith("case-")] == []
assert case.write("blocks.yaml") == "blocks.yaml" and drystone.check("blocks.yaml")["bodies"] == 2
refused(lambda: case.set("bodies.2.at", [0, 0, 0]), KeyError, "bodies.2.at", "no entry 2")
refused(lambda: case.set("seed.x", 1), KeyError, "seed", "is a value")
wrong = blocks().body(sphere={"radius": math.inf})
refused(wrong.text, ValueError, "bodies.2.sphere.radius", "inf")
refused(lambda: blocks().body(box=object()).text(), TypeError, "bodies.2.box", "object")
wrong = blocks()
wrong["solver"] = {"tolerence": 1e-6}
error = refused(wrong.check, drystone.ProgramError, "solver.tolerence", "did you mean 'tolerance'?")
assert error.code == 2 and "case-" in error.said
assert [name for name in os.listdir() if name.startswith("case-")] == []

# -- runs ----------------------------------------------------------------------------------------

one = drystone.run(case, "one")
two = drystone.run("one.yaml", "two", ranks=2, launcher=LAUNCHER)
assert one.frames[-1].hash == two.frames[-1].hash and one.frame().step == 20
assert abs(one.probes()["way_x"][-1]) < 1e-6 and len(one.probes()["step"]) == 20
refused(lambda: drystone.run(case, "one"), drystone.ProgramError, "code 2", "--overwrite")
more = drystone.run(case, "one", restart=True, set={"time.end": 0.03})
assert more.frame().step == 30 and drystone.run(case, "one", overwrite=True).frame().step == 20
refused(lambda: drystone.run(case, "none", ranks=0), ValueError, "ranks")
refused(lambda: drystone.run("missing.yaml", "none"), drystone.ProgramError, "missing.yaml")
os.environ["DRYSTONE"] = os.path.abspath("no-program")
refused(lambda: drystone.run(case, "none"), OSError, "no-program")
os.environ["DRYSTONE"] = DRYSTONE
assert drystone.open("one").outcome() == {}

# -- studies -------------------------------------------------------------------------------------

slope = blocks().set("gravity", [4.0, 0, -9.0]).set("output.frames.every", 0.02)
table = {"contacts.0.friction": [0.3, 0.6], "time.end": [0.02, 0.04]}
rows = list(drystone.study(slope, table, "study"))
assert [row for row, _ in rows] == [
  {"contacts.0.friction": f, "time.end": e} for f in (0.3, 0.6) for e in (0.02, 0.04)]
ways = [abs(results.displacements()).max() for _, results in rows]
assert ways[0] > 1e-5 and ways[1] > 3 * ways[0] and max(ways[2:]) < 1e-9, ways

# what is done is not run again; what was broken off goes on, and a failure is told and tried again
before = os.stat("study/1.log").st_mtime_ns
os.remove("study/4.json")
again = list(drystone.study(slope, table, "study"))
assert os.stat("study/1.log").st_mtime_ns == before
assert [r.frames[-1].hash for _, r in again] == [r.frames[-1].hash for _, r in rows]
refused(lambda: list(drystone.study(slope, {"time.end": [1]}, "study")), ValueError, "study/1")
(_, good), (_, bad) = drystone.study(slope, [{"time.end": 0.01}, {"time.end": "never"}], "mixed")
assert isinstance(bad, drystone.ProgramError) and "time.end" in str(bad)
assert good.history()["step"][-1] == 10
print("cases, runs and studies from Python work")
