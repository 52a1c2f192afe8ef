#!/usr/bin/env python3
"""drystone statics against known limits: towers, arches with a load, a wall, thrusts.

Loads on arches are those of linear programs over all admissible states of the joints. Input that
is wrong is refused.
"""
# test: needs python3
# test: ranks 3
# test: timeout 600
import json
import math
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import TESTS, case, check, check_near, check_same, finish, program, run, write
import drystone

NEAR = os.path.join(os.path.dirname(TESTS), "..", "shared", "masonry")
floor = {"box": [100, 100, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}


def call(path, *options, ranks=1):
  """The exit code, what the command prints, and its messages."""
  command = [os.path.join(TESTS, "mpirun.sh"), str(ranks), program, "statics", path, *options]
  done = subprocess.run(command, capture_output=True, text=True, check=False)
  return done.returncode, done.stdout, done.stderr


def statics(path, *options, ranks=1):
  code, text, messages = call(path, *options, "--json", ranks=ranks)
  check_same(f"exit code of {' '.join(options)}", code, 0)
  if code != 0:
    sys.exit(messages)
  return json.loads(text)


def near(what, result, value, tolerance):
  """Both bounds of a limit."""
  check_same(f"{what}: status", result["status"], "found")
  check_near(f"{what}, by forces", result["static"], value, tolerance * abs(value))
  check_near(f"{what}, by the mechanism", result["kinematic"], value, tolerance * abs(value))
  check(f"{what}: balance", result["balance"], "<=", 1e-9)


# -- towers and walls ----------------------------------------------------------------------------

tower = write("tower", case([floor] + [
  {"box": [0.4, 0.6, 0.5], "at": [0, 0, 0.5 * i + 0.25], "name": f"b{i}"} for i in range(6)],
  friction=0.7))
near("a tower turns over", statics(tower, "--weight", "1,0,0")["most"], 0.4 / 3, 1e-6)
near("it does along its longer side", statics(tower, "--weight", "0,-2,0")["most"], 0.6 / 3, 1e-6)
near("or slides", statics(tower, "--weight", "1,0,0", "--set", "contacts.0.friction=0.1")["most"],
     0.1, 1e-6)
check_same("weights that press it down", statics(tower, "--weight", "0,0,-1")["most"]["status"],
           "unbounded")
near("weights that lift it", statics(tower, "--weight", "0,0,1")["most"], 1, 1e-6)

# the wall of jobs/wall: linear programs give 0.42831 with 8 rays a cone, 0.43628 with 16 and 32
bricks = {"courses": 20, "bricks": 10, "brick": [0.4, 0.2, 0.2], "joint": 0.002}
wall = write("wall", case([floor, {"wall": bricks, "name": "wall"}], friction=0.6))
answers = [statics(wall, "--weight", "1,0,0", ranks=ranks) for ranks in (1, 3)]
near("a wall in its plane", answers[0]["most"], 0.4366632, 1e-6)
check_same("the same text on 1 and 3 ranks", answers[0], answers[1])
near("a wall across it", statics(wall, "--weight", "0,1,0")["most"], 0.05, 2e-5)

slope = write("slope", case([floor, {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "block"}],
                            gravity=(6, 0, -9), friction=0.5))
answer = statics(slope, "--weight", "0,1,0")["most"]
check_same("nothing holds a block on a steep slope", answer["status"], "none")
check("it slides", answer["mechanism"]["fastest"][0]["velocity"][0], ">", 0)

# -- arches --------------------------------------------------------------------------------------


def arch(number, n=21, radius=5.0, thickness=0.6):
  """Voussoirs of width 1, and 1 N on the middle of the extrados of one of them."""
  bodies = [floor]
  for i in range(n):
    points = [[-r * math.cos(math.pi * k / n), y, r * math.sin(math.pi * k / n)]
              for k in (i, i + 1) for r in (radius - thickness / 2, radius + thickness / 2)
              for y in (-0.5, 0.5)]
    bodies.append({"hull": points, "name": f"v{i}"})
  angle, far = math.pi * (number + 0.5) / n, (radius + thickness / 2) * math.cos(math.pi / n / 2)
  at = [-far * math.cos(angle), 0, far * math.sin(angle)]
  return case(bodies, densities={"stone": 2400.0}, friction=0.6,
              loads=[{"on": f"v{number}", "force": [0, 0, -1], "at": at, "name": "live"},
                     {"on": "v0", "force": [0, 0, 0], "name": "idle"}])


for number, limit in ((4, 138.15e3), (5, 55.340e3), (6, 28.52e3), (8, 12.23e3), (9, 9.188e3)):
  answer = statics(write(f"arch{number}", arch(number)), "--load", "live" if number % 2 else "0")
  near(f"load on voussoir {number}", answer["most"], limit, 4e-4 if number != 5 else 1e-5)
  check(f"{number}: bounds differ by", answer["most"]["kinematic"] - answer["most"]["static"],
        "<=", 1e-5 * limit)

# -- thrusts -------------------------------------------------------------------------------------

# a leaf of 1 m between walls, on the floor: it may press, or not
between = write("between", case([
  floor, {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "leaf"},
  {"box": [1, 1, 1], "at": [-1, 0, 0.5], "fixed": True, "name": "left"},
  {"box": [1, 1, 1], "at": [1, 0, 0.5], "fixed": True, "name": "right"}]))
answer = statics(between, "--thrust", "1,0,0", "--on", "right")
check_same("the least push on a wall", answer["least"]["status"], "found")
check_near("it is, N", answer["least"]["kinematic"], 0, 1e-2)
check_same("the greatest", answer["most"]["status"], "unbounded")
answer = statics(between, "--thrust", "0,0,-1", "--on", "fl*r,floor")
check_near("the floor carries at least, N", answer["least"]["kinematic"], 0, 1e-2)
check_same("by walls that press as they like", answer["most"]["status"], "unbounded")

# forces of a run lie between both
ring = {"arch": {"voussoirs": 15, "radius": 3, "thickness": 0.6, "width": 1}, "name": "ring"}
ring = case([floor, ring], friction=0.6, end=0.05)
done = run(ring, "ring")
answer = statics("ring.yaml", "--thrust", "1,0,0", "--state", "ring")
check_same("all supports are of one body", answer["points"] > answer["thrusting"] > 0, True)
least, most = answer["least"]["kinematic"], answer["most"]["kinematic"]
check("least thrust, N", least, "<", most)
check_near("balance of the least", answer["least"]["balance"], 0, 1e-9)

# the least thrust of a barrel vault of compas_dem, where its file is
model = os.path.join(os.environ.get("MASONRY_FILES", NEAR),
                     "compas_dem", "Barrel_Vault", "DEM_model.json")
if os.path.exists(model):
  vault = write("vault", case([{"compas": {"file": model}, "name": "vault"}], friction=0.6))
  answer = statics(vault, "--thrust", "1,0,0")
  near("least thrust of the vault, N", answer["least"], 172.134e3, 1e-5)
  check_same("the greatest", answer["most"]["status"], "unbounded")

# -- the mechanism as frames ---------------------------------------------------------------------

shutil.rmtree("mechanism", ignore_errors=True)   # of an earlier test
answer = statics(tower, "--weight", "1,0,0", "--mechanism", "mechanism", ranks=2)
frames = drystone.open("mechanism")
first, last = frames.bodies(0), frames.bodies(-1)
moved = last["position"] - first["position"]
check("the top moves along the load, m", moved[-1, 0], ">", 0.05)
check_near("and not aside, m", abs(moved[:, 1]).max(), 0, 1e-6)
check_near("the floor stays, m", abs(moved[0]).max(), 0, 0)
check_same("bodies that move", answer["most"]["mechanism"]["moving"], 6)

# -- what is refused -----------------------------------------------------------------------------

for words, part in (
    ((), "expected one of --weight, --load and --thrust"),
    (("--weight", "1,0,0", "--load", "0"), "expected one of --weight"),
    (("--on", "x"), "expected one of --weight"),
    (("--weight", "1,0"), "expected three numbers"),
    (("--weight", "0,0,0"), "expected three numbers"),
    (("--weight", "nan,0,0"), "expected three numbers"),
    (("--load", "0"), "the case has 0 loads"),
    (("--load", "99999999999"), "none with number 99999999999"),
    (("--load", "wind"), "no load is called 'wind'; names: none"),
    (("--weight", "1,0,0", "--set", "gravity=[0, 0, 0]"), "there is no gravity"),
    (("--thrust", "1,0,0", "--on", "nobody,b1"), "expected the name of an entry of"),
    (("--thrust", "1,0,0", "--on", "b1"), "no fixed body that touches one that can move fits 'b1'"),
    (("--weight", "1,0,0", "--state", "mechanism"), "no checkpoint in mechanism"),
    (("--weight", "1,0,0", "--mechanism", "ring"), "ring")):
  code, _, messages = call(tower, *words)
  check_same(f"exit code of {' '.join(words) or 'nothing'}", code, 2)
  check_same(f"it says '{part}'", part in messages, True)

joined = write("joined", case(
  [floor, {"box": [1, 1, 1], "at": [0, 0, 0.5], "name": "a"}],
  joints=[{"weld": [0, 0, 0.5], "between": ["a", "space"]}]))
code, _, messages = call(joined, "--weight", "1,0,0")
check_same("joints are refused",
           (code, "limit analysis knows contacts alone" in messages), (2, True))
for name, elastic in (("affine", "affine"), ("cells", {"cells": [1, 1, 2]})):
  block = {"box": [1, 1, 1], "at": [0, 0, 0.5], "material": "stone", "elastic": elastic}
  soft = write(name, case([floor, {**block, "name": "soft"}, {**block, "at": [0, 0, 1.5]}],
                          materials={"stone": {"density": 2000, "young": 1e9}}))
  for words in (("--weight", "1,0,0"), ("--thrust", "1,0,0", "--json")):
    code, printed, messages = call(soft, *words)
    told = [line for line in messages.splitlines() if "body 'soft' is elastic" in line]
    check_same(f"elastic bodies are refused: {name}", (code, printed, len(told)), (2, "", 1))
still = write("still", case([floor]))
code, _, messages = call(still, "--weight", "1,0,0")
check_same("nothing to move is refused", (code, "no body can move" in messages), (2, True))

finish()
