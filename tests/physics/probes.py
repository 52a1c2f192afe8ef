#!/usr/bin/env python3
"""Probes, step by step, against frames of the same run and known answers.

They are the same on any ranks and after a restart; files of before a restart are cut back.
"""
# test: needs python3 python3-numpy
# test: slow
# test: ranks 3
# test: timeout 300

import csv
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import case, check, check_near, check_same, finish, program, run, write   # noqa: E402
import numpy   # noqa: E402

G = 9.81


def text(folder):
  """The table as it is."""
  with open(f"{folder}/probes.csv", encoding="utf-8") as file:
    return file.read()


def values(probes, name, ends, row=-1):
  return numpy.array([probes[name + end][row] for end in ends])


XYZ, AT, SIX = ("_x", "_y", "_z"), ("_at_x", "_at_y", "_at_z"), ("_xx", "_yy", "_zz", "_xy", "_yz",
                                                                "_xz")

# -- an arch at rest -------------------------------------------------------------------------------

PROBES = [
  {"name": "key", "displacement": {"of": "ring.4", "at": [0, 0, 2.2]}},
  {"name": "floor", "reaction": {"of": ["floor", "ring.9", "ring.10"]}},
  {"name": "left", "reaction": {"of": "ring.9"}},
  {"name": "joint", "resultant": {"between": ["ring.3", "ring.4"]}},
  {"name": "crown", "resultant": {"plane": {"at": [0.01, 0, 0], "normal": [1, 0, 0]}}},
  {"name": "crack", "opening": {"between": ["ring.4", "ring.3"]}},
  {"name": "all", "stress": {"low": [-9, -9, -0.1], "high": [9, 9, 9]}},
  {"name": "void", "porosity": {"low": [-2.5, -0.25, 0], "high": [2.5, 0.25, 2.5]}},
  {"name": "part", "stress": {"low": [-9, -9, 0.5], "high": [0.3, 9, 9]}},
]
arch = case([{"arch": {"voussoirs": 9, "radius": 2, "thickness": 0.4, "width": 1}, "name": "ring"},
             {"box": [9, 3, 1], "at": [0, 0, -1], "fixed": True, "name": "floor"}], end=0.1,
            solver={"tolerance": 1e-13, "max_sweeps": 20000},
            output={"frames": {"every": 0.05}, "checkpoint": {"steps": 50}, "probes": PROBES})
one, three = run(arch, "one", 1, case_name="ring"), run(arch, "three", 3, case_name="ring")
check_same("arch: hash on 1 and 3 ranks", one.hash, three.hash)
check_same("arch: probes on 1 and 3 ranks", text("one") == text("three"), True)
check_same("arch: lines", text("one").count("\n"), 101)
run(arch, "half", 2, ("--steps", "73"), case_name="ring")
os.remove("half/" + max(name for name in os.listdir("half") if name.endswith("073.manifest")))
run(arch, "half", 1, ("--restart",), case_name="ring")
check_same("arch: probes after a restart from step 50", text("half") == text("one"), True)

# a restart with another list: values follow the names of their columns
other = {**arch, "output": {**arch["output"], "probes": [
  {"name": "right", "reaction": {"of": "ring.10"}}, PROBES[7], PROBES[0]]}}
run(arch, "other", 2, ("--steps", "50"), case_name="ring")
gone_on = run(other, "other", 1, ("--restart",), case_name="ring")
with open("other.log", encoding="utf-8") as log:
  check_same("other probes: the log says so", "the columns are others than before; up to step 50"
             in log.read(), True)
was, now = one.results.probes(), gone_on.results.probes()
check_same("other probes: columns", list(now), ["step", "time", "right_x", "right_y", "right_z",
                                                "void", "key_x", "key_y", "key_z"])
check_same("other probes: what has stayed",
           [numpy.array_equal(now[name], was[name]) for name in ("step", "time", "void", "key_z")],
           [True] * 4)
check_same("other probes: what is new", [int(numpy.isnan(now["right_z"]).sum()),
                                         int(numpy.isfinite(now["right_z"][50:]).sum())], [50, 50])

p, b, c, i = (one.results.probes(), one.bodies(), one.contacts(), one.results.interfaces())
names = list(b["name"])
fixed = b["drive"] != 0
weight = b["mass"][~fixed].sum() * G
check("arch: reaction of the supports", abs(values(p, "floor", XYZ) - [0, 0, weight]).max(), "<=",
      1e-9 * weight)
check_near("arch: one support bears half", p["left_z"][-1], 0.5 * weight, 1e-6 * weight)


def row_of(first, second):
  """The row of the interface between two bodies, and 1 where its force is on the first."""
  low, high = sorted((names.index(first), names.index(second)))
  row = int(numpy.flatnonzero((i["bodies"] == [low, high]).all(axis=1))[0])
  return row, 1 if i["bodies"][row][i["on"][row]] == names.index(first) else -1


row, sign = row_of("ring.3", "ring.4")
scale = abs(i["force"]).max()
check("arch: resultant of a joint, N", abs(values(p, "joint", XYZ) - sign * i["force"][row]).max(),
      "<=", 1e-9 * scale)
check("arch: its point, m", abs(values(p, "joint", AT) - i["point"][row]).max(), "<=", 1e-9)
# the key's centre is at x = 0: the plane at 0.01 parts it from the one beside it
beside = "ring.5" if b["position"][names.index("ring.5")][0] > 0 else "ring.3"
row, sign = row_of(beside, "ring.4")
check("arch: through a plane, N", abs(values(p, "crown", XYZ) - sign * i["force"][row]).max(), "<=",
      1e-9 * scale)
check("arch: thrust is the same in all joints, N", abs(abs(i["force"][:, 0]) - abs(
  p["crown_x"][-1])).max(), "<=", 1e-6 * scale)
check("arch: opening of a joint at rest, m", abs(p["crack_opening"]).max(), "<=", 1e-8)
check("arch: opening as frames have it, m",
      abs(p["crack_opening"][-1] - i["opening"][row_of("ring.3", "ring.4")[0]]), "<=", 1e-15)
check("arch: place of the key, m", numpy.linalg.norm(values(p, "key", XYZ)), "<=", 1e-7)

# branches end at the points of supports
low, high = (numpy.where((b["drive"][numpy.searchsorted(b["id"], ids.astype(int))] == 0)[:, None],
                         b["position"][numpy.searchsorted(b["id"], ids.astype(int))], c["point"])
             for ids in c["bodies"].T)
branch = high - low
products = branch[:, :, None] * c["force"][:, None, :]
within = (c["point"][:, 0] <= 0.3) & (c["point"][:, 2] >= 0.5)
check_same("arch: a box that cuts holds some of the points", 0 < within.sum() < len(within), True)
for name, rows, volume in (("all", slice(None), 18 * 18 * 9.1), ("part", within, 9.3 * 18 * 8.5)):
  full = products[rows].sum(axis=0) / volume
  full = 0.5 * (full + full.T)
  expected = full[[0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]
  check(f"arch: stress in a box ({name}), Pa", abs(values(p, name, SIX) - expected).max(), "<=",
        1e-7 * abs(expected).max())
inside = b["volume"][~fixed].sum() * 0.5   # of the width of 1 m
check_near("arch: porosity", p["void"][-1], 1 - inside / (5 * 0.5 * 2.5), 1e-9)

# -- what moves: a stone that rocks, one that a box cuts, a body that leaves -----------------------

moves = case([{"box": [1, 1, 0.2], "at": [0, 0, -0.1], "fixed": True, "name": "base"},
              {"box": [0.4, 0.5, 1.2], "at": [0, 0, 0.6], "name": "stone", "spin": [0, 0.6, 0],
               "velocity": [0.36, 0, 0.12]},
              {"box": [0.1, 0.1, 0.1], "at": [3, 0, 0.4], "name": "lost"}],
             end=0.4, solver={"tolerance": 1e-12},
             domain={"low": [-4, -4, 0], "high": [4, 4, 4]},
             output={"frames": {"every": 0.05}, "probes": [
               {"name": "top", "displacement": {"of": "stone", "at": [-0.2, 0, 1.2]}},
               {"name": "foot", "opening": {"between": ["base", "stone"]}},
               {"name": "lost", "displacement": {"of": "lost"}},
               {"name": "base", "reaction": {"of": "base"}}]})
done = run(moves, "moves", 2)
p = done.results.probes()
for frame in done.results.frames[1:3]:
  b, i = done.bodies(frame), done.results.interfaces(frame)
  here = frame.step - 1
  angle = 2 * numpy.arctan2(b["orientation"][1][2], b["orientation"][1][0])
  cos, sin = numpy.cos(angle), numpy.sin(angle)
  arm = numpy.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]]) @ [-0.2, 0, 0.6]
  check(f"moves, step {frame.step}: place of the top, m",
        abs(values(p, "top", XYZ, here) - (b["position"][1] + arm - [-0.2, 0, 1.2])).max(), "<=",
        1e-12)
  check_near(f"moves, step {frame.step}: opening, m", p["foot_opening"][here],
             i["opening"][0], 1e-15)
  check_near(f"moves, step {frame.step}: turn of the base against the stone, rad",
             p["foot_turn_y"][here], -angle, 2e-9)
  check_near(f"moves, step {frame.step}: reaction, N", p["base_z"][here],
             i["force"][0][2], 1e-9 * abs(i["force"]).max())
left = int(done.results.removed()["step"][0])
check("moves: the lost one falls, m", p["lost_z"][left - 2], "<", -0.3)
check_same("moves: where it has left there is no number",
           [bool(numpy.isnan(p["lost_z"][k])) for k in (left - 2, left - 1, -1)],
           [False, True, True])

# -- joints, common volumes, and round bodies count ------------------------------------------------

hangs = run(case([{"box": [1, 1, 0.2], "at": [0, 0, 2], "fixed": True, "name": "ceiling"},
                  {"box": [0.2, 0.2, 0.2], "at": [0, 0, 0.5], "name": "weight"}], end=0.05,
                 joints=[{"rod": [[0, 0, 0.6], [0, 0, 1.9]], "between": ["weight", "ceiling"]}],
                 solver={"tolerance": 1e-12}, output={"probes": [
                   {"name": "hook", "reaction": {"of": "ceiling"}},
                   {"name": "rod", "resultant": {"between": ["weight", "ceiling"]}},
                   {"name": "cut", "resultant": {"plane": {"at": [0, 0, 1],
                                                           "normal": [0, 0, 1]}}}]}),
            "hangs", 2)
p, heavy = hangs.results.probes(), 0.2 ** 3 * 2000 * G
check_near("hanging: reaction of the ceiling, N", p["hook_z"][-1], heavy, 1e-9 * heavy)
check_near("hanging: force of the rod, N", p["rod_z"][-1], heavy, 1e-9 * heavy)
check_near("hanging: force on what is above, N", p["cut_z"][-1], -heavy, 1e-9 * heavy)
check_near("hanging: where it goes through, m", p["cut_at_x"][-1], 0, 1e-9)

balls = run(case([{"sphere": {"radius": 0.5}, "at": [0, 0, 0]},
                  {"ellipsoid": {"radii": [0.4, 0.3, 0.2]}, "at": [2, 0, 0], "turn": {
                    "axis": [1, 2, 3], "angle": 40}},
                  {"box": [0.2, 0.2, 0.2], "at": [-2, 0, 0], "turn": {"axis": [1, 1, 0],
                                                                      "angle": 33}}],
                 gravity=(0, 0, 0), end=1e-3, output={"probes": [
                   {"name": "cap", "porosity": {"low": [0.2, -1, -1], "high": [1, 1, 1]}},
                   {"name": "eighth", "porosity": {"low": [0, 0, 0], "high": [1, 1, 1]}},
                   {"name": "egg", "porosity": {"low": [2, -1, -1], "high": [3, 1, 1]}},
                   {"name": "half", "porosity": {"low": [-3, -1, -1], "high": [-2, 1, 1]}},
                   {"name": "whole", "porosity": {"low": [-4, -4, -4], "high": [4, 4, 4]}}]}),
            "balls")
p = balls.results.probes()
ball, egg = 4 / 3 * numpy.pi * 0.125, 4 / 3 * numpy.pi * 0.024
check_near("balls: a cap", 3.2 * (1 - p["cap"][0]), numpy.pi * 0.09 * (1.5 - 0.3) / 3, 1e-3 * ball)
check_near("balls: an eighth", 1 - p["eighth"][0], ball / 8, 1e-3 * ball)
check_near("balls: half an ellipsoid", 4 * (1 - p["egg"][0]), egg / 2, 1e-3 * egg)
check_near("balls: half a box", 4 * (1 - p["half"][0]), 0.004, 1e-12)
check_near("balls: all of it", 512 * (1 - p["whole"][0]), ball + egg + 0.008, 1e-9)

# -- what makes no sense is refused ----------------------------------------------------------------

bodies = moves["bodies"]
for probe, phrase in (
    ({"reaction": {"of": "base"}}, "name"),
    ({"name": "a b", "reaction": {"of": "base"}}, "letters, digits"),
    ({"name": "a"}, "reaction"),
    ({"name": "a", "reaction": {"of": "bse"}}, "base"),
    ({"name": "a", "reaction": {"of": "base"}, "porosity": {"low": [0, 0, 0], "high": [1, 1, 1]}},
     "reaction"),
    ({"name": "a", "displacement": {"at": [0, 0, 0]}}, "of"),
    ({"name": "a", "opening": {"between": ["base", "base"]}}, "expected two bodies"),
    ({"name": "a", "stress": {"low": [0, 0, 0], "high": [1, 0, 1]}}, "'high' above 'low'"),
    ({"name": "a", "resultant": {"plane": {"at": [0, 0, 0], "normal": [0, 0, 0]}}}, "normal"),
    ({"name": "a", "resultant": {"between": ["base"]}}, "two")):
  path = write("bad", case(bodies, output={"probes": [probe]}))
  bad = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
  check_same(f"refused: {probe}", [bad.returncode, phrase in bad.stderr, bad.stderr.count("\n")],
             [2, True, 1])
twice = case(bodies, output={"probes": [{"name": "a", "reaction": {"of": "base"}}] * 2})
bad = subprocess.run([program, "check", write("bad", twice)], capture_output=True, text=True,
                     check=False)
check_same("refused: one name twice", [bad.returncode, "of that name" in bad.stderr], [2, True])
apart = case(bodies, end=0.01, output={"probes": [
  {"name": "far", "opening": {"between": ["base", "lost"]}}]})
bad = run(apart, "apart", 1, codes=(2,))
with open("apart.log", encoding="utf-8") as log:
  check_same("refused: bodies that do not touch", "no joint as the case puts them" in log.read(),
             True)

with open("one/probes.csv", newline="", encoding="utf-8") as file:
  heading = next(csv.reader(file))
check_same("columns", heading[:6], ["step", "time", "key_x", "key_y", "key_z", "floor_x"])
none = run(case(bodies, end=0.01), "one", 1)
check_same("a folder without probes has no table", os.path.exists("one/probes.csv"), False)

finish()
