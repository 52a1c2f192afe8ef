#!/usr/bin/env python3
"""Stages and limits that they bracket, against known answers.

Functions of a stage count from its start, those of the case from that of the run. A block that
slides on ice by a known way per stage tells from where displacements count. A tower tilts about the
angle where its weight leaves its foot, from the settled stage and from the start alike. An arch of
21 voussoirs bears what limit analysis says, under a load that grows and under one that comes at
once.
"""
# test: needs python3
# test: timeout 900
import json
import math
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import case, check, check_near, check_same, finish, program, run, write

FLOOR = {"box": [100, 100, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}


def load_json(folder, name):
  with open(os.path.join(folder, name), encoding="utf-8") as file:
    return json.load(file)


def limit(path, *options, code=0):
  done = subprocess.run([program, "limit", path, *options], capture_output=True, text=True,
                        check=False)
  check_same(f"exit code of limit {path}", done.returncode, code)
  if done.returncode != code:
    print(done.stdout + done.stderr)
  return done.stdout + done.stderr


# -- time ----------------------------------------------------------------------------------------

# a ball without weight: 2 N/s from the start of the run in a and c, in b 6 N/s from its own start
RADIUS = 0.05
ball = {"sphere": {"radius": RADIUS}, "at": [0, 0, 3], "name": "ball"}
pushed = case([ball], gravity=(0, 0, 0), end=3.0, step=1e-3,
              densities={"stone": 1 / (4 / 3 * math.pi * RADIUS ** 3)},
              loads=[{"on": "ball", "force": {"table": [[0, 0, 0, 0], [3, 6, 0, 0]]}}],
              stages=[{"name": "a", "until": {"time": 0.5}},
                      {"name": "b", "until": {"time": 0.25}, "time": {"step": 5e-4}, "loads": [
                        {"on": "ball", "force": {"table": [[0, 0, 0, 0], [1, 6, 0, 0]]}}]},
                      {"name": "c", "until": {"time": 1}}])
done = run(pushed, "pushed")
ends = [of["step"] for of in load_json("pushed", "outcome.json")["stages"]]
check_same("pushed: steps of the stages", ends, [500, 1000, 2000])
time = done["time"]
check_near("pushed: time at the end", time[-1], 1.75, 1e-12)
check_near("pushed: momentum after a", done["momentum_x"][499], 0.25, 1e-12)
check_near("pushed: momentum after b", done["momentum_x"][999], 0.25 + 3 * 0.25 ** 2, 1e-12)
check_near("pushed: momentum after c", done["momentum_x"][-1],
           0.25 + 3 * 0.25 ** 2 + 1.75 ** 2 - 0.75 ** 2, 1e-12)

# -- places --------------------------------------------------------------------------------------

# 0.5 m/s without friction: 0.05 m in each of the first two stages, and then 0.06 m end the third
sliding = case([FLOOR, {"box": [0.2, 0.2, 0.2], "at": [0, 0, 0.1], "velocity": [0.5, 0, 0]}],
               friction=0.0, end=1.0, stages=[
                 {"name": "one", "until": {"time": 0.1, "displacement": 0.06, "every": 1}},
                 {"name": "two", "until": {"time": 0.1, "displacement": 0.06, "every": 1}},
                 {"name": "three", "until": {"displacement": 0.06, "every": 1}}])
done = run(sliding, "sliding")
said = load_json("sliding", "outcome.json")
check_same("sliding: how stages end", [of["outcome"] for of in said["stages"]],
           ["end", "end", "displaced"])
check_near("sliding: when the third ends, s", said["time"], 0.2 + 0.121, 1.1e-3)
check_same("sliding: info", [of["verdict"] for of in done.info("stages")],
           ["holds", "holds", "fails"])

# a run whose time is over before its stages is undecided; so is one whose steps do not converge
cut = run({**sliding, "time": {"step": 1e-3, "end": 0.15}}, "cut")
check_same("cut: the end", (load_json("cut", "outcome.json")["outcome"],
                            load_json("cut", "outcome.json")["verdict"]),
           ("unfinished", "undecided"))

# -- joints and supports -------------------------------------------------------------------------

# twice its weight lifts a block by g t^2/2, more than 0.01 m after 0.04515 s
SIDE, G, DENSITY = 0.5, 9.81, 2000.0
WEIGHT = DENSITY * SIDE ** 3 * G
block = {"box": [SIDE] * 3, "at": [0, 0, 0.5 * SIDE], "name": "block"}
lifted = case([FLOOR, block], end=2.0, stages=[
  {"name": "rest", "until": {"time": 0.1}},
  {"name": "lift", "loads": [{"on": "block", "force": [0, 0, 2 * WEIGHT]}],
   "until": {"opening": {"between": ["block", "floor"], "more": 0.01}, "every": 1}}])
done = run(lifted, "lifted", 2)
said = load_json("lifted", "outcome.json")
check_same("lifted: the end", (said["outcome"], said["verdict"]), ("opened", "fails"))
check_near("lifted: when, s", said["time"], 0.1 + 0.046, 1.1e-3)
check_near("lifted: opening, m", said["value"], done.info("largest_displacement"), 1e-5)

# a block that tips about its edge by an angle a opens its joint by twice its side times sin a/2
# along the mean of the two normals, and its middle moves by twice its distance from the edge times
# sin a/2; a probe tells the same
tipped = case([FLOOR, block], friction=0.9, end=2.0, output={"probes": [
  {"name": "crack", "opening": {"between": ["block", "floor"]}}]}, stages=[
  {"name": "tip", "loads": [{"on": "block", "force": [0.6 * WEIGHT, 0, 0],
                             "at": [0, 0, 0.5 * SIDE]}],
   "until": {"opening": {"between": ["floor", "block"], "more": 0.1}, "every": 1}}])
done = run(tipped, "tipped")
said = load_json("tipped", "outcome.json")
check_same("tipped: the end", said["outcome"], "opened")
check_near("tipped: opening over the way of the middle",
           said["value"] / done.info("largest_displacement"), math.sqrt(2), 2e-3)
check_same("tipped: opening of a probe", done.results.probes()["crack_opening"][-1], said["value"])

# a weight that grows by 1 kN/s is beyond 500 N more after half a second
pressed = case([FLOOR, block], end=2.0, stages=[
  {"name": "rest", "until": {"time": 0.1, "force": {"on": "floor", "more": 1.001 * WEIGHT}}},
  {"name": "press",
   "loads": [{"on": "block", "force": {"table": [[0, 0, 0, 0], [2, 0, 0, -2000]]}}],
   "until": {"force": {"on": "floor", "more": WEIGHT + 500}, "every": 1}}])
run(pressed, "pressed", 3)
said = load_json("pressed", "outcome.json")
check_same("pressed: the ends", [of["outcome"] for of in said["stages"]], ["end", "forced"])
check_near("pressed: when, s", said["time"], 0.1 + 0.5005, 1.1e-3)
check_near("pressed: force, N", said["value"], WEIGHT + 500.5, 1.1)
apart = {**lifted, "bodies": [lifted["bodies"][0], {**lifted["bodies"][1], "at": [0, 0, 2]}]}
check_same("apart: refused", run(apart, "apart", codes=(2,)).code, 2)

# -- a tower -------------------------------------------------------------------------------------

blocks = [{"box": [0.4, 0.6, 0.5], "at": [0, 0, 0.25 + 0.5 * i], "name": f"b{i}"}
          for i in range(3)]
tower = case([FLOOR, *blocks], friction=0.7, end=20.0, stages=[
  {"name": "settle", "damping": 0.7, "until": {"unbalanced": 1e-6}},
  {"name": "tilt", "tilt": {"axis": [0, 1, 0], "rate": 20, "to": 14},
   "until": {"displacement": 0.02, "time": 3, "unconverged": 1}},
  {"name": "never", "until": {"time": 1}}])
path = write("tower", tower)
shutil.rmtree("tower-limit", ignore_errors=True)
question = ("--vary", "stages.1.tilt.to", "--between", "10,20", "--tolerance", "0.1", "--stage",
            "tilt", "-o", "tower-limit")
limit(path, *question)
report = load_json("tower-limit", "limit.json")
TILT = math.degrees(math.atan(0.4 / 1.5))
check("tower: it holds below the angle of its foot", report["answer"]["value_until"], "<", TILT)
check("tower: it fails above", report["answer"]["value_from"], ">", TILT)
check("tower: the bracket", report["answer"]["value_from"] - report["answer"]["value_until"], "<=",
      0.1)

# a run from the settled stage has the bits of one from the start, and the search goes on after a
# kill that took its report, a run and the middle of another one
fails = next(of for of in report["runs"] if of["verdict"] == "fails")
folder = f"tower-limit/{fails['run']:03d}"
whole = run(tower, "tower-whole", options=("--set", f"stages.1.tilt.to={fails['value']!r}"))
again = subprocess.run([program, "info", "--hash", folder], capture_output=True, text=True,
                       check=True).stdout.split()[-1]
check_same("tower: hash from the settled stage and from the start", again, whole.hash)
os.remove("tower-limit/limit.json")
shutil.rmtree("tower-limit/004")
for end in "h5", "manifest":
  os.remove(f"tower-limit/005/checkpoint-000003010.{end}")
limit(path, *question)
check_same("tower: the same runs after a kill", load_json("tower-limit", "limit.json") == report,
           True)

# a key of the case acts from the start: friction that lets the tower slide
text = limit(path, "--vary", "contacts.0.friction", "--between", "0.1,0.9", "--stage", "tilt",
             "--tolerance", "0.05", "-o", "friction-limit", "--overwrite")
answer = load_json("friction-limit", "limit.json")["answer"]
check("tower: friction below which it slides at 14 degrees", answer["value_until"], "<",
      math.tan(math.radians(14)))
check("tower: friction from which it holds", answer["value_from"], ">", math.tan(math.radians(14)))
check_same("tower: nothing was settled for it", os.path.exists("friction-limit/settled"), False)

# questions that contradict the case
for words, expected in (
    (("--stage", "nobody"), "no stage of the case has that name"),
    (("--stage", "settle"), "acts after the stage in which the case fails or holds"),
    (("--stage", "never"), "limit needs 'until' of the stage with a displacement, an energy")):
  text = limit(path, "--vary", "stages.1.tilt.to", "--between", "1,2", *words, "-o", "no", code=2)
  check_same(f"refused: {expected}", expected in text, True)

# -- an arch -------------------------------------------------------------------------------------


def arch_limit(name, force, key, between, tolerance):
  """Load between which the arch stands and falls, N: mu 0.6, on the extrados of voussoir 5."""
  top = 5.3 * math.cos(math.pi / 42)
  made = case([{"arch": {"voussoirs": 21, "radius": 5, "thickness": 0.6, "width": 1},
                "name": "ring", "where": [{"match": 5, "material": "stone"}]}],
              densities={"stone": 2400.0}, friction=0.6, step=2e-3, end=60.0,
              solver={"tolerance": 1e-6}, stages=[
                {"name": "settle", "damping": 0.7,
                 "until": {"unbalanced": 1e-6, "displacement": 0.01, "unconverged": 1}},
                {"name": "push", "loads": [{"on": "ring.5", "force": force, "at": [0, 0, top]}],
                 "until": {"displacement": 0.02, "time": 6, "unconverged": 1}}])
  folder = f"{name}-limit"
  shutil.rmtree(folder, ignore_errors=True)
  limit(write(name, made), "--vary", f"stages.1.loads.0.force{key}", "--between", between,
        "--tolerance", f"{tolerance}", "--stage", "push", "-o", folder)
  found = load_json(folder, "limit.json")
  check_same(f"{name}: something between is undecided", "undecided" in found["answer"], False)
  return -found["answer"]["value_until"], -found["answer"]["value_from"]


LOAD = 55340   # N, by linear programming; what is rigid moves at no smaller load, sudden or not
for name, force, key in (("ramped", {"ramp": {"to": [0, 0, -5e4], "duration": 1}}, ".ramp.to.2"),
                         ("sudden", [0, 0, -5e4], ".2")):
  stands, falls = arch_limit(name, force, key, "-54000,-57000", 100)
  check(f"{name}: load at which the arch stands, N", stands, "<", LOAD)
  check(f"{name}: load at which it falls, N", falls, ">", LOAD)
  check(f"{name}: between them, N", falls - stands, "<=", 100)
finish()
