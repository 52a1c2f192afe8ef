#!/usr/bin/env python3
"""Whether the forces of a study are the only ones: what the outcome of a run, info and limit say.

An arch whose joints have springs pushes with one thrust, which contacts of the last frame have as
well, whatever the method. Rigid, its forces are one of many, and the range of its thrust is that of
statics. A barrel vault of compas_dem is looked at where its file is there.
"""
# test: needs python3
# test: ranks 7
# test: timeout 600
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import TESTS, case, check, check_near, check_same, finish, program, run, write

NEAR = os.path.join(os.path.dirname(TESTS), "..", "shared", "masonry")
SPRINGS = {"normal": 1e10, "shear": 5e9}


def study(bodies, springs, until, solver, density=2400.0):
  described = case(bodies, friction=0.6, end=20.0, densities={"stone": density}, frames=0.01,
                   solver=solver, stages=[{"name": "settle", "damping": 0.8, "until": until}])
  if springs:
    described["contacts"][0]["joint_stiffness"] = SPRINGS
  return described


def forces(folder):
  with open(os.path.join(folder, "outcome.json"), encoding="utf-8") as file:
    return json.load(file)["forces"]


def statics(path, *words):
  done = subprocess.run([program, "statics", path, "--json", *words], capture_output=True,
                        text=True, check=True)
  return json.loads(done.stdout)


def check_range(name, path):
  """The range of the thrust along x is that of statics, and forces of the run lie in it."""
  said, x = forces(name), forces(name)["thrusts"][0]
  asked = statics(path, "--thrust", "1,0,0", "--state", name)
  check_same(f"{name}: unique", (said["unique"], said["rigid"]), (False, said["points"]))
  check_near(f"{name}: thrust as statics finds it, N", x["now"], asked["now"], 1e-9 * x["now"])
  check_near(f"{name}: least thrust, N", x["least"], asked["least"]["static"], 1e-9 * x["least"])
  check(f"{name}: thrust over the least one", x["now"] / x["least"], ">", 1)
  check(f"{name}: balance of the forces of the range", x["balance"], "<=", 1e-9)
  check_same(f"{name}: the greatest", x["most_is"], asked["most"]["status"])
  return x


# -- an arch -------------------------------------------------------------------------------------

ARCH = [{"arch": {"voussoirs": 7, "radius": 2, "thickness": 0.5, "width": 1, "embrace": 150},
         "name": "ring"}]
REST = {"unbalanced": 1e-7, "unconverged": 1, "displacement": 0.1, "time": 5}
FINE = {"tolerance": 1e-10, "max_sweeps": 100000}

thrusts = {}
for method, ranks in (("automatic", 1), ("gauss-seidel", 1), ("nesterov", 2),
                      ("interior-point", 3)):
  name = f"sprung-{method}"
  done = run(study(ARCH, True, REST, {**FINE, "method": method}), name, ranks)
  said = forces(name)
  check_same(f"{name}: unique", (said["unique"], said["rigid"], said["untold"]), (True, 0, None))
  thrusts[method] = said["thrusts"][0]["now"]
  check_near(f"{name}: thrust over that of the first", thrusts[method] / thrusts["automatic"], 1,
             1e-6)
# rest is looked at every 10 steps, as frames are written
contacts, bodies = done.contacts(), done.bodies()
right = {i for i, x in enumerate(bodies["position"]) if bodies["drive"][i] == 1 and x[0] > 0}
push = sum((1 if low in right else -1) * reaction[0] / 1e-3   # reactions are of the lower body
           for (low, high), reaction in zip(contacts["bodies"], contacts["reaction_world"])
           if low in right or high in right)
check_near("sprung: thrust over that of contacts at the right support",
           thrusts["interior-point"] / push, 1, 1e-9)
info = done.info("outcome")
check_same("sprung: info", (info["forces"], info["thrusts"][0]["now"], info["untold"]),
           ("unique", thrusts["interior-point"], None))
with open("sprung-automatic.log", encoding="utf-8") as log:
  check_same("sprung: the log says so", "the forces at the end are unique" in log.read(), True)

rigid = run(study(ARCH, False, REST, {"tolerance": 1e-9}), "rigid")
check_range("rigid", "rigid.yaml")
info = rigid.info("outcome")
check_same("rigid: info", (info["forces"], info["thrusts"][0]["least"]),
           ("one of many", forces("rigid")["thrusts"][0]["least"]))
# a restart of what has ended keeps what was found; other ranks find the same
before = forces("rigid")
run(study(ARCH, False, REST, {"tolerance": 1e-9}), "rigid", options=("--restart",))
check_same("rigid: after a restart", forces("rigid") == before, True)
run(study(ARCH, False, REST, {"tolerance": 1e-9}), "rigid3", 3, case_name="rigid")
check_same("rigid: on 3 ranks", forces("rigid3") == before, True)

# two materials: springs between some bodies alone
mixed = study([{**ARCH[0], "where": [{"number": [0, 3], "material": "other"}]}], False, REST,
              {"tolerance": 1e-9})
mixed["materials"]["other"] = {"density": 2400.0}
law = {"friction": 0.6, "restitution": 0}
mixed["contacts"] = [{"between": ["stone", "stone"], "joint_stiffness": SPRINGS, **law},
                     {"between": ["other", "other"], **law}, {"between": ["stone", "other"], **law}]
run(mixed, "mixed")
said = forces("mixed")
check_same("mixed: not unique", said["unique"] is True, False)
check("mixed: points that do not give", said["rigid"], ">", 0)
check("mixed: points", said["points"], ">", said["rigid"])
check_same("mixed: why there is no range", "springs" in said["untold"], True)

# bodies that deform: the thrust is told, and no range of rigid ones
for name, elastic in (("affine", "affine"), ("cells", {"cells": [2, 2, 2]})):
  soft = study([{"box": [4, 1, 0.5], "at": [0, 0, -0.25], "fixed": True}] +
               [{"box": [0.5, 0.5, 1], "at": [x, 0, 0.5], "elastic": elastic} for x in (-1, 1)] +
               [{"box": [3, 0.5, 0.3], "at": [0, 0, 1.15], "elastic": elastic}], False,
               {"unbalanced": 1e-3, "displacement": 0.1, "time": 5}, {"tolerance": 1e-6})
  soft["materials"]["stone"].update(young=1e9, poisson=0.2, damping=1e-3)
  del soft["stages"][0]["damping"]
  done = run(soft, name, 2)
  said = forces(name)
  check_same(f"{name}: how it ends", done.info("outcome")["kind"], "rest")
  check_same(f"{name}: why there is no range", "are elastic" in (said["untold"] or ""), True)

# a study tells it of the run that holds nearest to the limit
tower = case([{"box": [9, 9, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"},
              *({"box": [0.4, 0.6, 0.5], "at": [0, 0, 0.25 + 0.5 * i]} for i in range(3))],
             friction=0.7, end=0.5)
tower["time"]["until"] = {"displacement": 0.01}
text = subprocess.run([program, "limit", write("tower", tower), "--vary", "gravity.0", "--between",
                       "0,5", "--tolerance", "0.7", "-o", "tower-limit", "--overwrite"],
                      capture_output=True, text=True, check=True).stdout
with open("tower-limit/limit.json", encoding="utf-8") as file:
  report = json.load(file)
nearest = next(of for of in report["runs"] if of["value"] == report["answer"]["value_until"])
check_same("tower: forces in the report", nearest["forces"],
           forces(f"tower-limit/{nearest['run']:03d}"))
check_same("tower: one of many", nearest["forces"]["unique"], False)
check_same("tower: the last lines tell it",
           f"where it holds, at {nearest['value']:.9g}:" in text and "one of many" in text, True)
# gravity pushes by F at half the height of 1.5 m, so that edges 0.2 m from the middle bear
# (W +- F 0.75/0.2)/2; friction at the edge behind is free up to 0.7 of what that bears, and the
# edge in front has the rest of F
mass = 3 * 2000 * 0.4 * 0.6 * 0.5
push = mass * nearest["value"]
free = 0.7 * 0.5 * (mass * 9.81 - push * 0.75 / 0.2)
x = nearest["forces"]["thrusts"][0]
check_near("tower: least thrust, N", x["least"], push - free, 1e-6 * push)
check_near("tower: greatest thrust, N", x["most"], push + free, 1e-6 * push)
check_same("tower: its thrust lies between", x["least"] <= x["now"] <= x["most"], True)
fails = next(of for of in report["runs"] if of["verdict"] == "fails")
check_same("tower: no range where it falls", fails["forces"]["thrusts"], [])

# -- a barrel vault ------------------------------------------------------------------------------

model = os.path.join(os.environ.get("MASONRY_FILES", NEAR),
                     "compas_dem", "Barrel_Vault", "DEM_model.json")
if not os.path.exists(model):
  print("skipped: a barrel vault (MASONRY_FILES names no folder that has it)")
  finish()
VAULT = [{"compas": {"file": os.path.abspath(model)}, "name": "vault"}]
run(study(VAULT, False, {**REST, "unbalanced": 1e-8}, {}, 2000.0), "vault")
x = check_range("vault", "vault.yaml")
check_near("vault: least thrust, N", x["least"], 172134, 5)
check_same("vault: the greatest", x["most_is"], "unbounded")
# a moment of its settling by all methods, and its rest by two
MOMENT = {"time": 0.01, "displacement": 0.1, "unconverged": 1}
thrusts = []
for method, ranks, until in (
    ("admm-cholesky", 1, MOMENT), ("admm-cholesky", 7, MOMENT), ("gauss-seidel", 1, MOMENT),
    ("nesterov", 1, MOMENT), ("anderson", 1, MOMENT), ("admm-amg", 1, MOMENT),
    ("interior-point", 1, MOMENT), ("admm-cholesky", 2, REST), ("gauss-seidel", 1, REST)):
  name = f"vault-{method}-{ranks}-{'unbalanced' in until}"
  run(study(VAULT, True, until, {"tolerance": 1e-9, "method": method, "max_sweeps": 100000},
            2000.0), name, ranks)
  said = forces(name)
  check_same(f"{name}: unique", said["unique"], True)
  thrusts.append(said["thrusts"][0]["now"])
  first = thrusts[0] if until is MOMENT else thrusts[-1] if ranks == 2 else thrusts[-2]
  check_near(f"{name}: thrust {thrusts[-1]:.6f} N over the first", thrusts[-1] / first, 1, 1e-6)
check("vault: thrust of its springs over the least one", thrusts[-1] / x["least"], ">", 1)
finish()
