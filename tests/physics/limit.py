#!/usr/bin/env python3
"""time.until and drystone limit: rest, failure and its place, restarts, a tower that tilts.

The tower falls where limit analysis says, within what it does in the time of the run.
"""
# test: needs python3
# test: ranks 3
# test: timeout 600
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import TESTS, case, check, check_same, finish, program, run, write

floor = {"box": [100, 100, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}
blocks = [{"box": [0.4, 0.6, 0.5], "at": [0, 0, 0.25 + 0.5 * i], "name": f"b{i}"}
          for i in range(3)]


def tower(end=0.5, gravity=(0, 0, -9.81), **until):
  made = case([floor, *blocks], friction=0.7, end=end, gravity=gravity)
  made["time"]["until"] = until
  return made


def outcome(folder):
  with open(os.path.join(folder, "outcome.json"), encoding="utf-8") as file:
    return json.load(file)


def limit(path, *options, ranks=1, code=0):
  command = [os.path.join(TESTS, "mpirun.sh"), str(ranks), program, "limit", path, *options]
  done = subprocess.run(command, capture_output=True, text=True, check=False)
  check_same(f"exit code of {' '.join(options)}", done.returncode, code)
  if done.returncode != code:
    print(done.stdout + done.stderr)
  return done.stdout + done.stderr


def report(folder):
  with open(os.path.join(folder, "limit.json"), encoding="utf-8") as file:
    return json.load(file)


# -- ends of runs --------------------------------------------------------------------------------

rest = run(tower(unbalanced=1e-6), "rest")
said = outcome("rest")
check_same("a tower at rest ends its run", (said["outcome"], said["verdict"], said["step"]),
           ("rest", "holds", 10))
check_same("info tells", rest.info("outcome")["verdict"], "holds")
over = run(tower(end=0.05, displacement=0.01), "over")
check_same("one that holds has its time", (outcome("over")["outcome"], outcome("over")["step"]),
           ("end", 50))

pushed = tower(gravity=(5.0, 0.0, -8.0), displacement=0.01, every=7)
moved = run(pushed, "moved")
said = outcome("moved")
check_same("one that falls ends", (said["outcome"], said["verdict"], said["body"]),
           ("displaced", "fails", "b2"))
check("it moved by, m", said["value"], ">", 0.01)
check_same("at a look", said["step"] % 7, 0)
energetic = run(tower(gravity=(5.0, 0.0, -8.0), energy=1.0), "energetic")
check("energy at the end, J", energetic["kinetic_energy"][-1], ">", 1)
check_same("it is named", outcome("energetic")["outcome"], "energetic")
unsolved = tower(gravity=(2.6, 0.0, -9.5), unconverged=3, displacement=1)
unsolved["solver"] = {"method": "gauss-seidel", "max_sweeps": 1, "tolerance": 1e-12}
run(unsolved, "unsolved")
check_same("steps that do not converge decide nothing", outcome("unsolved")["verdict"],
           "undecided")

# a restart of what is over does nothing; with another rule it goes on, as if there had been one
before = moved.hash
run(pushed, "moved", ranks=3, options=("--restart",))
check_same("a restart of what has ended", moved.hash, before)
farther = tower(gravity=(5.0, 0.0, -8.0), displacement=0.02, every=7)
run(farther, "moved", ranks=3, options=("--restart",))
whole = run(farther, "farther")
check_same("another rule, on other ranks", moved.hash, whole.hash)
check_same("with the same outcome", outcome("moved"), outcome("farther"))

# a state behind the end has no further step; without rules the outcome goes
run(tower(end=0.01, displacement=0.01), "over", options=("--restart",))
check_same("a restart with an earlier end", os.path.exists("over/outcome.json"), True)
plain = tower(unbalanced=1e-6, end=0.012)
del plain["time"]["until"]
run(plain, "rest", options=("--restart",))
check_same("an outcome of rules that are gone", os.path.exists("rest/outcome.json"), False)

# counts of steps go on over a restart
run(unsolved, "parts", options=("--steps", "2"))
check_same("nothing has ended it yet", os.path.exists("parts/outcome.json"), False)
run(unsolved, "parts", options=("--restart",))
check_same("after two parts", outcome("parts"), outcome("unsolved"))

# -- a limit -------------------------------------------------------------------------------------

path = write("tower", tower(displacement=0.01))
vary = ("--vary", "gravity.0", "--between", "0,5", "--tolerance", "0.05")
limit(path, *vary, "-o", "one", "--overwrite")
answer = report("one")["answer"]
# by limit analysis 9.81 0.4 / 1.5 = 2.616
check("the tower holds at, m/s2", answer["value_until"], ">", 2.6)
check("it falls at, m/s2", answer["value_from"], "<", 2.75)
check("both differ by", answer["value_from"] - answer["value_until"], "<=", 0.05)
limit(path, "--vary", "gravity.0", "--between", "5,0", "--tolerance", "0.05", "-o", "turned",
      "--overwrite", ranks=3)
check_same("the other way round, on 3 ranks", report("turned")["answer"]["value_from"],
           answer["value_until"])

# what was stopped, or killed before its report, goes on
whole = report("one")
shutil.rmtree("one/004")
for number in range(5, len(whole["runs"]) + 1):
  shutil.rmtree(f"one/{number:03d}")
os.remove("one/limit.json")
limit(path, *vary, "-o", "one")
check_same("what goes on finds the same", report("one"), whole)
text = limit(path, *vary, "-o", "one")
check_same("runs that are done stay", text.count("run 0"), len(whole["runs"]))

# a run that the case ends at a step that does not converge is undecided, also when asked again
short = tower(displacement=0.01)
short["solver"] = {"method": "gauss-seidel", "max_sweeps": 40, "unsolved": "end"}
ends = write("ends", short)
coarse = ("--vary", "gravity.0", "--between", "0,4", "--tolerance", "1", "-o", "ends-limit")
limit(ends, *coarse, "--overwrite", code=3)
first = report("ends-limit")
undecided = [row for row in first["runs"] if row["verdict"] == "undecided"]
check("runs that end unsolved", len(undecided), ">", 0)
for row in undecided:
  check_same("a step that did not converge ended it", row["unsolved"], 1)
  check("with a residual", row["residual"], ">", 1e-6)
limit(ends, *coarse, code=3, ranks=3)
check_same("asked again, on 3 ranks", report("ends-limit"), first)

# likewise where it ends so before the key acts: it is never gone on behind that step
early = tower(displacement=0.01)
early["solver"] = short["solver"]
early["stages"] = [{"name": "settle", "until": {"time": 0.02}},
                   {"name": "tilt", "tilt": {"axis": [0, 1, 0], "rate": 100, "to": 1},
                    "until": {"displacement": 0.01, "time": 0.1}}]
del early["time"]["until"]
path_early = write("early", early)
shutil.rmtree("early-limit", ignore_errors=True)
turned = ("--vary", "stages.1.tilt.to", "--between", "1,20", "--tolerance", "10", "-o",
          "early-limit")
for _ in range(2):
  text = limit(path_early, *turned, code=3)
  check_same("a step before the key acts", "step 1 did not converge before" in text, True)

# -- what is refused, or has no limit ------------------------------------------------------------

text = limit(path, "--vary", "gravity.0", "--between", "0,1", "-o", "holds", "--overwrite", code=3)
check_same("no limit between", "no limit between" in text, True)
for options, part in ((("--between", "0,5"), "--vary KEY is missing"),
                      (("--vary", "gravity.0"), "expected two numbers A,B"),
                      (("--vary", "gravity.0", "--between", "1,1"), "expected two numbers A,B"),
                      (("--vary", "gravity.0", "--between", "0,6", "-o", "one"), "other keys"),
                      (("--vary", "gravty.0", "--between", "0,5", "-o", "wrong"), "gravty")):
  check_same(f"refusal: {part}", part in limit(path, *options, code=2), True)
never = write("never", tower(unbalanced=1e-3))
check_same("a case that cannot fail", "displacement or an energy" in limit(never, *vary, code=2),
           True)

finish()
