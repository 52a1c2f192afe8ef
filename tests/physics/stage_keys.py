#!/usr/bin/env python3
"""What stages say in place of the case, beside what the case goes on saying.

A wheel of a stage rolls from the start of that stage, one of the case from that of the run, and a
stage without wheels tells of none. Friction that changes in time goes on where a stage gives other
keys of its pair. Supports bear what joints of the volumetric law press on them. A step of another
length begins with the forces of the step before.
"""
# test: needs python3
# test: ranks 3
# test: timeout 300
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import cases
from cases import both, case, check, check_near, check_same, finish, program, run, write

FLOOR = {"box": [20, 4, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}


def outcome(folder):
  with open(os.path.join(folder, "outcome.json"), encoding="utf-8") as file:
    return json.load(file)


def log_of(folder):
  with open(f"{folder}.log", encoding="utf-8") as file:
    return file.read()


# -- wheels --------------------------------------------------------------------------------------

# over a deck without weight for 0.2 s, 0.1 s after the start of the stage that has it; then, for
# 0.1 s of the run, one of the case; then one beside the deck for 0.1 s, and none
FORCE = 100.0
deck = {"box": [10, 1, 1], "at": [0, 0, 5], "name": "deck"}


def wheel(x, y, start, time):
  """Over the deck or beside it, for some time."""
  return {"wheel": {"path": [[-5 + x, y, 8], [-5 + x + 10 * time, y, 8]], "speed": 10,
                    "start": start}, "force": [0, 0, -FORCE]}


rolling = case([deck], gravity=(0, 0, 0), end=3.0, step=1e-3, densities={"stone": 1e6},
               loads=[wheel(1, 0, 1.05, 0.1)], stages=[
                 {"name": "before", "until": {"time": 0.5}},
                 {"name": "roll", "until": {"time": 0.5}, "loads": [wheel(1, 0, 0.1, 0.2)]},
                 {"name": "again", "until": {"time": 0.3}},
                 {"name": "beside", "until": {"time": 0.1}, "loads": [wheel(0, 9, 0, 1)]},
                 {"name": "none", "until": {"time": 0.1}, "loads": []}])
done = both(rolling, "rolling")
momentum = done["momentum_z"]
check_near("rolling: momentum of the wheel of a stage, N s", momentum[999], -0.2 * FORCE,
           2e-3 * FORCE)
check_near("rolling: and of that of the case, N s", momentum[-1], -0.3 * FORCE, 3e-3 * FORCE)
check_same("rolling: steps with a wheel without a body below it",
           "100 steps had a wheel without a body below it" in log_of("rolling.1"), True)

# -- laws that change in time ----------------------------------------------------------------------

# friction of the case grows from 0 at 0.1 s to 1 at 0.2 s; a stage that gives a restitution from
# 0.1 s on leaves it alone, and a reduction of its own counts from the start of the stage
G = 9.81
block = {"box": [1, 1, 1], "at": [0, 0, 0.5], "velocity": [1, 0, 0], "name": "block"}
grows = {"between": ["stone", "stone"], "friction": {"table": [[0, 0], [0.1, 0], [0.2, 1]]}}
for name, law, lost in (("sliding", {"restitution": 0.1}, G * 0.05),
                        ("reduced", {"reduction": {"table": [[0, 1], [0.05, 1], [0.051, 4]]}},
                         G * (0.0125 + 0.0375 / 4))):
  stages = [{"name": "free", "until": {"time": 0.1}},
            {"name": "braked", "contacts": [{**grows, **law}], "until": {"time": 0.1}}]
  del stages[1]["contacts"][0]["friction"]
  slides = case([FLOOR, block], end=1, step=1e-3, stages=stages)
  slides["contacts"] = [grows]
  done = run(slides, name)
  check_near(f"{name}: velocity at the end, m/s", done["momentum_x"][-1] / 2000, 1 - lost,
             5e-3 * lost)

# -- forces ----------------------------------------------------------------------------------------

# of the volumetric law: a weight that grows by 1 kN/s is beyond 500 N more after half a second
soft = case([FLOOR, {"box": [0.5, 0.5, 0.5], "at": [0, 0, 0.2499], "name": "block"}], end=2.0,
            stages=[{"name": "rest", "damping": 0.7, "until": {"time": 0.3}},
                    {"name": "press", "until": {"every": 1, "force": {"on": "floor"}},
                     "loads": [{"on": "block",
                                "force": {"table": [[0, 0, 0, 0], [2, 0, 0, -2000]]}}]}])
soft["contacts"] = [{"between": ["stone", "stone"], "law": "volumetric", "friction": 0.5,
                     "stiffness": 1e8, "damping": 1}]
WEIGHT = 0.125 * 2000 * G
soft["stages"][1]["until"]["force"]["more"] = WEIGHT + 500
done = both(soft, "soft")
said = outcome("soft.1")
check_same("soft: the support ends it", said["outcome"], "forced")
check_near("soft: when, s", said["time"], 0.3 + 0.5, 5e-3)

# a stack at rest needs no sweep where the next step has the forces of the last one, however long it
# is
stack = [{"box": [1, 1, 1], "at": [0, 0, 0.5 + i], "name": f"b{i}"} for i in range(3)]
for factor in 0.5, 0.3, 3:
  steps = case([FLOOR, *stack], end=1, step=1e-3, stages=[
    {"name": "one", "until": {"time": 0.1}},
    {"name": "other", "time": {"step": factor * 1e-3}, "until": {"time": 0.01}}])
  done = run(steps, "steps")
  check(f"steps {factor} times as long: sweeps of the first", done["sweeps"][100], "<=", 3)
  check("and its residual", done["residual_max"][100], "<=", 1e-9)

# -- the base --------------------------------------------------------------------------------------

# a block that a shaken floor carries along does not move against it, in either frame, in a case and
# in a stage, nor in the stage behind; slipping does count
push = {"acceleration": {"smooth": {"to": [4, 0, 0], "duration": 0.05}}}
for frame in "world", "moving":
  for friction, end in (0.9, "end"), (0.2, "displaced"):
    whole = case([FLOOR, {**block, "velocity": [0, 0, 0]}], friction=friction, end=0.5,
                 base={**push, "frame": frame})
    whole["time"]["until"] = {"displacement": 0.1}
    run(whole, "carried")
    check_same(f"friction {friction}, frame {frame}: the end", outcome("carried")["outcome"], end)
    parted = {**whole, "time": {"step": 1e-3, "end": 1.0}, "stages": [
      {"name": "rest", "until": {"time": 0.1}},
      {"name": "shake", "base": whole["base"], "until": {"time": 0.5, "displacement": 0.1}},
      {"name": "after", "until": {"time": 0.1}}]}
    del parted["base"]
    done = run(parted, "parted", options=("--steps", "605"))
    check_same(f"friction {friction}, frame {frame}, in stages: the ends",
               [of["outcome"] for of in outcome("parted")["stages"]][:2], ["end", end])
    if end == "end":
      check(f"frame {frame}: displacement behind the shaking, m",
            done.info("largest_displacement"), "<", 0.02)

# -- ends ------------------------------------------------------------------------------------------

# time.end leaves no step to the last stage, or less than it asks for: nothing is known of it
for name, end, more in ("none", 0.2, {"displacement": 0.1}), ("short", 0.25, {"time": 0.1}):
  run(case([FLOOR, {**block, "velocity": [0, 0, 0]}], end=end, stages=[
    {"name": "first", "until": {"time": 0.2}}, {"name": "last", "until": more}]), name)
  said = outcome(name)
  check_same(f"{name}: the end", (said["outcome"], said["verdict"],
                                  [of["verdict"] for of in said["stages"]]),
             ("unfinished", "undecided", ["holds", "undecided"]))

# a body that turns too far ends the run at the last step of a stage, and a restart goes on with the
# next one
turning = case([FLOOR, {**block, "at": [0, 0, 3], "velocity": [0, 0, 0], "spin": [0, 0, 300]}],
               end=0.1, contact={"stop_on_large_steps": True}, stages=[
                 {"name": "one", "until": {"time": 1e-3}},
                 {"name": "two", "gravity": [0, 0, 0]}])
run(turning, "turning", codes=(2,))
stopped = run(turning, "turning", options=("--restart", "--set",
                                           "contact.stop_on_large_steps=false"))
check_same("turning: a restart has the bits of a run in one piece", stopped.hash, run(
  turning, "whole", options=("--set", "contact.stop_on_large_steps=false")).hash)

# records of ranks are those of the stage that they cover, in one piece and in two
counted = case([FLOOR, {**block, "velocity": [0, 0, 0]}], end=1, stages=[
  {"name": "tens", "until": {"time": 0.035}},
  {"name": "none", "until": {"time": 0.025}, "output": {"ranks": {"every": 0}}},
  {"name": "sevens", "until": {"time": 0.02}, "output": {"ranks": {"every": 7}}}])
run(counted, "counted", 2)
run(counted, "pieces", 2, options=("--steps", "35"))
run(counted, "pieces", 3, options=("--restart",))
for name in "counted", "pieces":
  records = cases.drystone.open(name).ranks()
  check_same(f"{name}: last steps of records", list(records["step"])[:4], [10, 20, 30, 35])
  check_same(f"{name}: steps of the last stage", list(records["step"])[-3:], [70, 77, 80])

# limits of a case that ends with a step above the tolerance: such runs are undecided
rough = case([FLOOR, {**block, "velocity": [0, 0, 0]}, {**block, "at": [0, 0, 1.5]}], end=1,
             solver={"method": "gauss-seidel", "max_sweeps": 1, "unsolved": "end"},
             stages=[{"name": "one", "until": {"displacement": 0.1, "time": 0.1}}])
done = subprocess.run([program, "limit", write("rough", rough), "--vary", "contacts.0.friction",
                       "--between", "0.1,0.9", "-o", "rough-limit", "--overwrite"],
                      capture_output=True, text=True, check=False)
check_same("rough: exit code of limit", done.returncode, 3)
with open("rough-limit/limit.json", encoding="utf-8") as file:
  check_same("rough: verdicts", [of["verdict"] for of in json.load(file)["runs"]],
             ["undecided", "undecided"])

# runs of a limit that begin with settled stages have the lines of these in all their tables
probed = case([FLOOR, {**block, "velocity": [0, 0, 0]}], end=1, stages=[
  {"name": "settle", "until": {"time": 0.02}},
  {"name": "push", "loads": [{"on": "block", "force": [1, 0, 0]}],
   "until": {"displacement": 0.01, "time": 0.1}}],
  output={"probes": [{"name": "place", "displacement": {"of": "block"}}]})
done = subprocess.run([program, "limit", write("probed", probed), "--vary",
                       "stages.1.loads.0.force.0", "--between", "0,40000", "--tolerance", "30000",
                       "-o", "probed-limit", "--overwrite"], capture_output=True, text=True,
                      check=False)
check_same("probed: exit code of limit", done.returncode, 0)
check_same("probed: warnings", done.stderr, "")
with open("probed-limit/001/probes.csv", encoding="utf-8") as file:
  check_same("probed: first step in the table of a run", file.read().split()[1].split(",")[0], "1")

# -- all of it together ----------------------------------------------------------------------------

# wheels, pressures, the volumetric law, loads, steps and a moving floor by stage: the same bits on
# other ranks, with other owners, and after a restart at the start of a stage and within it
both_laws = [{"between": ["stone", "stone"], "friction": 0.6},
             {"between": ["stone", "soft"], "friction": {"table": [[0, 0.6], [0.1, 0.5]]}},
             {"between": ["soft", "soft"], "law": "volumetric", "friction": 0.5, "stiffness": 1e7,
              "damping": 0.5}]
mixed = case([
  FLOOR, {"wall": {"courses": 3, "bricks": 4, "brick": [0.4, 0.2, 0.2]}, "at": [-0.8, 0, 0],
          "name": "wall"},
  {"grid": {"box": [0.2, 0.2, 0.2], "count": [3, 1, 3], "spacing": [0.21, 1, 0.1999]},
   "at": [2, 0, 0.0999], "material": "soft", "name": "soft"},
  {"box": [0.4, 0.4, 0.4], "at": [4, 0, 0.2], "name": "chest"}],
  densities={"stone": 2000.0, "soft": 1500.0}, end=1.0, stages=[
    {"name": "rest", "damping": 0.5, "until": {"time": 0.03}},
    {"name": "wheel", "time": {"step": 5e-4}, "until": {"time": 0.03, "force": {
      "on": "floor", "more": 1e9}},
     "loads": [{"wheel": {"path": [[-1, 0, 3], [4.5, 0, 3], [-1, 0, 3]], "speed": 400,
                          "patch": [0.1, 0.1]}, "force": [0, 0, -2000]},
               {"on": "chest", "pressure": 5e4, "faces": {"direction": [1, 0, 0], "within": 0}}]},
    {"name": "move", "time": {"step": 1.5e-3}, "until": {"time": 0.03},
     "contacts": [{"between": ["soft", "stone"], "reduction": {"ramp": {
       "from": 1, "to": 3, "duration": 0.03}}}],
     "motions": [{"on": "floor", "motion": {"velocity": {"ramp": {
       "from": [0, 0, 0], "to": [0.3, 0, 0], "duration": 0.03}}}}]},
    {"name": "end", "until": {"time": 0.01}}])
mixed["contacts"] = both_laws
mixed["partition"], mixed["solver"] = {"every": 7}, {"tolerance": 1e-6}
done = both(mixed, "mixed")
for at in 33, 90, 95:
  run(mixed, "part", 1, options=("--steps", str(at)))
  parted = run(mixed, "part", 3, options=("--restart",))
  check_same(f"mixed: hash after a restart at step {at}", parted.hash, done.hash)

# the record of a job is the one that its script writes
portal = os.path.join(os.path.dirname(cases.TESTS), "jobs", "portal")
subprocess.run([sys.executable, os.path.join(portal, "record.py"), "again.AT2"], check=True)
with open(os.path.join(portal, "portal.AT2"), encoding="utf-8") as kept, \
    open("again.AT2", encoding="utf-8") as again:
  check_same("portal: its record", kept.read() == again.read(), True)

# -- refusals and warnings -------------------------------------------------------------------------


def messages_of(name, described, code):
  """What check says of a case."""
  done = subprocess.run([program, "check", write(name, described)], capture_output=True, text=True,
                        check=False)
  check_same(f"{name}: exit code of check", done.returncode, code)
  return done.stdout + done.stderr


egg = {"ellipsoid": {"radii": [0.3, 0.2, 0.2]}, "at": [3, 0, 0.2], "material": "egg", "name": "egg"}
law = {"law": "volumetric", "stiffness": 1e8}
soft = case([FLOOR, {"box": [0.5, 0.5, 0.5], "at": [0, 0, 0.2499], "name": "block"}, egg],
            densities={"stone": 2000.0, "egg": 1000.0}, end=1.0, step=1e-4,
            stages=[{"name": "hard", "until": {"time": 0.1}},
                    {"name": "giving", "contacts": [{"between": ["egg", "stone"], **law}]}])
soft["contacts"] = [{"between": ["stone", "stone"], **law}, {"between": ["stone", "egg"]}]
text = messages_of("giving", soft, 2)
check_same("giving: an ellipsoid that a stage gives the law",
           "stage 'giving': body 'egg' is an ellipsoid" in text, True)
soft["bodies"].pop()
soft["stages"][1] = {"name": "slow", "time": {"step": 4e-3}}
soft["contacts"].pop()
soft["materials"].pop("egg")
text = messages_of("slow", soft, 2)
check_same("slow: steps of a stage that are too long for the law",
           "steps of 0.004 s" in text and "stage 'slow': body 'block': the stiffness" in text, True)
soft["stages"][1]["time"]["step"] = 1e-3
check_same("slow: shorter ones are not", "stages       2: hard, slow\n"
           in messages_of("slow", soft, 0), True)
soft["bodies"][1].update(box=[0.5, 0.5, 0.25], at=[0, 0, 0.1249])
soft["stages"][1]["time"]["step"] = 3e-3
text = messages_of("slow", soft, 0)
check_same("slow: a warning for the largest face",
           "steps of at most 0.002236 s, and they are 0.003 s" in text and
           "stage 'slow': body 'block': where its largest" in text and
           text.count("largest face bears") == 1, True)
soft["contacts"][0]["stiffness"] = 1e6
soft["stages"][1]["contacts"] = [{"between": ["stone", "stone"], "stiffness": 1e8}]
text = messages_of("slow", soft, 0)
check_same("slow: stages with laws of their own",
           "0.003162 s by the smallest faces of bodies, 0.002236 s by the largest (block)" in text
           and "stage 'slow': body 'block': where its largest" in text and
           text.count("largest face bears") == 1, True)
odd = case([FLOOR, {**block, "velocity": [0, 0, 0]}], end=1, stages=[
  {"name": "well", "until": {"time": 0.1}},
  {"name": "up", "until": {"time": 0.1}, "gravity": [0, 0, 9.81]},
  {"name": "again", "gravity": [0, 0, 9.81], "loads": [
    {"on": "block", "force": {"table": [[0, 0, 0, 0], [1e-4, 1, 0, 0], [3e-4, 0, 0, 0]]}}]}])
text = messages_of("odd", odd, 0)
check_same("odd: one warning of gravity, one of a record", text.count("warning"), 2)
check_same("odd: stages are named", ("warning: stage 'up': gravity" in text,
                                     "warning: stage 'again': time.step: values" in text),
           (True, True))

finish()
