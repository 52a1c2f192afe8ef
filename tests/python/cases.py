"""What physics tests in Python share: cases as dicts, runs, numbers of runs, checks.

A test is called with the path of the program, in a folder of its own, and ends with finish().
"""
# test: needs python3 python3-h5py python3-numpy

import csv
import itertools
import json
import math
import operator
import os
import subprocess
import sys

try:
  import h5py   # noqa: F401, only to see that it is there
  import numpy
except ImportError as missing:
  print(f"{missing.name} of Python is not installed")
  sys.exit(77)

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(TESTS), "io", "python"))
import drystone   # noqa: E402, its folder is known only now

program = os.path.abspath(sys.argv[1])
counts = {"checks": 0, "failures": 0}
BOTH_WORK = float(os.environ.get("BOTH_WORK", 1500))   # of runs on three ranks, see both()
RELATIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
             "==": operator.eq}


def case(bodies, gravity=(0, 0, -9.81), step=1e-3, end=1.0, friction=0.5, restitution=0.0,
         densities=None, frames=0.0, solver=None, contact=None, **more):
  """A case as a dict; densities are by name of material, one law holds between all of them.

  A body without a material gets the first one. gravity may be a table, as in the file.
  """
  densities = densities or {"stone": 2000.0}
  names = list(densities)
  law = {"friction": friction, "restitution": restitution}
  made = {
    "units": "SI",
    "gravity": list(gravity) if isinstance(gravity, tuple) else gravity,
    "time": {"step": step, "end": end},
    "materials": {name: {"density": density} for name, density in densities.items()},
    "contacts": [{"between": [a, b], **law} for i, a in enumerate(names) for b in names[i:]],
    "bodies": [{"material": names[0], **body} for body in bodies],
    "solver": {"tolerance": 1e-9, **(solver or {})},
  }
  if frames:
    made["output"] = {"frames": {"every": frames}}
  if contact:
    made["contact"] = contact
  made.update(more)
  return made


def barred(bodies, end, distance=1e-3, stiffness=1e7, tolerance=1e-8, **more):
  """A case of the barrier scheme, as above."""
  barrier = {"distance": distance, "stiffness": stiffness, "newton": {"tolerance": tolerance},
             **more.pop("barrier", {})}
  described = case(bodies, end=end, scheme="barrier", barrier=barrier, **more)
  for entry in described["contacts"]:
    del entry["restitution"]
  return described


def tilted(degrees, towards=(1.0, 0.0), g=9.81):
  """Gravity in the axes of a table that is tilted so that things slide towards (x, y)."""
  a = math.radians(degrees)
  return (g * math.sin(a) * towards[0], g * math.sin(a) * towards[1], -g * math.cos(a))


def write(name, described):
  """Writes a case: JSON is YAML. Returns its path."""
  with open(f"{name}.yaml", "w", encoding="utf-8") as file:
    json.dump({"title": name, **described}, file, indent=1)
  return f"{name}.yaml"


def run(described, name, ranks=1, options=(), codes=(0,), case_name=None):
  """A fresh run into the folder `name`, or its restart where that is among the options.

  Its log goes to name.log. Returns the Run.

  An end with another code than those in `codes` is a failure. `case_name` is for several runs of
  one case.
  """
  path = write(case_name or name, described)
  begin = () if "--restart" in options else ("--overwrite",)
  start = "alone" if ranks == 1 else str(ranks)
  command = [os.path.join(TESTS, "mpirun.sh"), start, program, "run", path, "-o", name,
             *begin, *options]
  with open(f"{name}.log", "w", encoding="utf-8") as log:
    code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False).returncode
  if code not in codes:
    counts["failures"] += 1
    with open(f"{name}.log", encoding="utf-8", errors="replace") as log:
      print(f"run {name} on {ranks} ranks ended with code {code}:\n" + log.read()[-2000:])
  return Run(name, code)


class Run:
  """What a run left: columns of the history, the state at its end, frames."""

  def __init__(self, folder, code):
    self.folder, self.code = folder, code
    self._columns = self._results = None

  @property
  def columns(self):
    """The history, read when it is asked for: that of a long run does not fit in memory."""
    if self._columns is None:
      with open(os.path.join(self.folder, "history.csv"), encoding="utf-8") as file:
        names, *rows = csv.reader(file)
      values = zip(*rows) if rows else [()] * len(names)
      self._columns = {name: numpy.array(column, dtype=str if name == "method" else float)
                       for name, column in zip(names, values)}
    return self._columns

  def __getitem__(self, name):
    """A column of the history, one value per step."""
    return self.columns[name]

  @property
  def results(self):
    if self._results is None:
      self._results = drystone.open(self.folder)
    return self._results

  def info(self, name):
    """A value that `drystone info --json` knows."""
    text = subprocess.run([program, "info", "--json", self.folder], stdout=subprocess.PIPE,
                          check=True, text=True).stdout
    return json.loads(text)[name]

  def bodies(self, frame=-1):
    return self.results.bodies(frame)

  def contacts(self, frame=-1):
    return self.results.contacts(frame)

  @property
  def hash(self):
    return self.info("hash")


def _report(good, text):
  counts["checks"] += 1
  counts["failures"] += not good
  if not good or not os.environ.get("TESTS_BRIEF"):
    print(("fine    " if good else "FAILED  ") + text, flush=True)


def check(text, value, relation, limit):
  """A number that is not one fails every relation."""
  value = float(value)
  _report(math.isfinite(value) and RELATIONS[relation](value, limit),
          f"{text}: {value:.9g} {relation} {limit:.9g}")


def check_near(text, value, expected, tolerance):
  """The tolerance is absolute."""
  value = float(value)
  _report(abs(value - expected) <= tolerance,
          f"{text}: {value:.9g} for {expected:.9g}, off by {abs(value - expected):.3g}"
          f" <= {tolerance:.3g}")


def check_same(text, a, b):
  _report(a == b, f"{text}: {a}" + ("" if a == b else f" and {b} differ"))


def check_converged(text, done, tolerance):
  """Every step reached its tolerance."""
  check(f"{text}: largest residual of any step", done["residual_max"].max(), "<=", tolerance)


def both(described, name, options=(), work=BOTH_WORK):
  """A run on one rank, which is returned; its first steps have the same bits on three.

  Three ranks wait for each other in each sweep. They go as far as some work takes them, which
  BOTH_WORK sets to other than 1500 sweeps; a step counts as five, and more where it has more.
  Whole runs on many ranks are those of mpi.*_hash.
  """
  whole = run(described, f"{name}.1", 1, options, case_name=name)
  done = numpy.cumsum(5 + whole["sweeps"])
  steps = int((done < work).sum()) + 1
  if steps >= len(done):
    three = run(described, f"{name}.3", 3, options, case_name=name)
    check_same(f"{name}: hash on 1 and 3 ranks", whole.hash, three.hash)
    return whole
  hashes = []
  for ranks, folder in ((1, f"{name}.first"), (3, f"{name}.3")):
    part = (*options, "--steps", str(steps), "--hash-log", f"{folder}.hashes")
    run(described, folder, ranks, part, case_name=name)
    with open(f"{folder}.hashes", encoding="utf-8") as log:
      hashes.append(log.read().splitlines())
  check_same(f"{name}: steps that tell the hashes of their stages", len(hashes[0]), steps)
  differ = [one for one, three in itertools.zip_longest(*hashes) if one != three]
  check_same(f"{name}: steps with other hashes on 3 ranks", differ[:1], [])
  return whole


def finish():
  """The last call of a test."""
  print(f"{counts['checks']} checks, {counts['failures']} failed")
  sys.exit(0 if counts["checks"] > 0 and counts["failures"] == 0 else 1)
