#!/usr/bin/env python3
"""What frames tell beside the state: forces, stresses, interfaces, chains.

A thrust line by /interfaces is that by /contacts, stresses add up to branches times forces,
supports bear the weight, and nothing depends on ranks, restarts or the order of ids.
"""
# test: needs python3 python3-h5py python3-numpy
# test: slow
# test: ranks 3
# test: timeout 300

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import case, check, check_near, check_same, finish, program, run, write   # noqa: E402
import h5py    # noqa: E402
import numpy   # noqa: E402

G = 9.81


def arrays(path):
  """All data sets of a frame but who owned what, by name."""
  found = {}
  with h5py.File(path, "r") as file:
    def keep(name, item):
      if isinstance(item, h5py.Dataset) and not name.endswith("rank") and "provenance" not in name:
        found[name] = item[()]
    file.visititems(keep)
  return found


def compare(text, a, b):
  """Both frames hold the same, bit for bit."""
  check_same(f"{text}: data sets", sorted(a), sorted(b))
  odd = [name for name in a if a[name].tobytes() != b.get(name, a[name]).tobytes()]
  check_same(f"{text}: data sets that differ", odd, [])


def products(arm, force):
  """Symmetric parts of arm times force, xx yy zz xy yz xz."""
  full = arm[:, :, None] * force[:, None, :]
  full = 0.5 * (full + full.transpose(0, 2, 1))
  return full[:, [0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]


def by_pair(contacts):
  """Rows of contacts of each pair of ids."""
  pairs = {}
  for row, (low, high) in enumerate(contacts["bodies"]):
    pairs.setdefault((int(low), int(high)), []).append(row)
  return pairs


def check_frame(text, results, frame, history=None):
  """Everything that follows from contacts and bodies of the same frame."""
  b, c, i, chains = (results.bodies(frame), results.contacts(frame), results.interfaces(frame),
                     results.chains(frame))
  h = results.time_step(frame)
  scale = abs(c["force"]).max()
  check(f"{text}: forces times the step are impulses",
        abs(c["force"] * h - c["reaction_world"]).max(), "<=", 1e-14 * scale * h)
  flat = c["area"] > 0
  normal = (c["force"] * c["normal"]).sum(axis=1)
  check(f"{text}: pressures times areas are normal forces",
        abs(c["pressure"] * c["area"] - normal)[flat].max(), "<=", 1e-12 * scale)
  if history is not None:
    for status, name in enumerate(("open", "sticking", "sliding")):
      check_same(f"{text}: points that are {name}", int((c["status"] == status).sum()),
                 int(history[name]))

  row = numpy.searchsorted(b["id"], c["bodies"].astype(numpy.int64))
  branch = b["position"][row[:, 1]] - b["position"][row[:, 0]]
  expected = products(branch, c["force"])
  check(f"{text}: stress times volume is branch times force",
        abs((b["stress"] * b["volume"][:, None]).sum(axis=0) - expected.sum(axis=0)).max(), "<=",
        1e-12 * abs(expected).sum(axis=0).max())
  one = products(c["point"] - b["position"][row[:, 0]], c["force"])
  other = products(c["point"] - b["position"][row[:, 1]], -c["force"])
  stress = numpy.zeros((len(b["id"]), 6))
  numpy.add.at(stress, row[:, 0], one)
  numpy.add.at(stress, row[:, 1], other)
  check(f"{text}: stress of each body",
        abs(stress / b["volume"][:, None] - b["stress"]).max(), "<=",
        1e-12 * abs(b["stress"]).max())

  pairs, partners = by_pair(c), {int(k): set() for k in b["id"]}
  check_same(f"{text}: a row for each pair", [tuple(map(int, p)) for p in i["bodies"]], list(pairs))
  points, resultants, gone = [], [], 0
  for k, rows in enumerate(pairs.values()):
    force, weight = c["force"][rows], normal[rows]
    total = weight.sum()
    points.append(weight @ c["point"][rows] / total if total > 0 else i["point"][k])
    resultants.append(force.sum(axis=0))
    low, high = map(int, i["bodies"][k])
    gone += int(i["points"][k]) != len(rows)
    if abs(force).max() > 0:
      partners[low].add(high)
      partners[high].add(low)
  check_same(f"{text}: rows with other numbers of points", gone, 0)
  check(f"{text}: thrust points, m", abs(numpy.array(points) - i["point"]).max(), "<=", 1e-9)
  sign = numpy.where(i["on"] == 0, 1, -1)[:, None]
  check(f"{text}: resultants, N", abs(sign * numpy.array(resultants) - i["force"]).max(), "<=",
        1e-9 * scale)
  check_same(f"{text}: coordination", list(b["coordination"]),
             [len(partners[int(k)]) for k in b["id"]])

  pressed = i["normal_force"] > 0
  ends = b["position"][numpy.searchsorted(b["id"], i["bodies"].astype(numpy.int64))]
  check_same(f"{text}: a chain for each pair that is pressed", len(chains["force"]),
             int(pressed.sum()))
  check_same(f"{text}: chains lead from centre to centre",
             bool((chains["ends"] == ends[pressed]).all()
                  and (chains["force"] == i["normal_force"][pressed]).all()), True)
  return b, c, i, chains


def reaction(b, c, chosen):
  """Sum of the forces of contacts on chosen bodies from others."""
  inside = numpy.isin(c["bodies"], b["id"][chosen])
  sign = inside[:, 0].astype(float) - inside[:, 1]
  return (sign[:, None] * c["force"]).sum(axis=0)


# -- an arch at rest, on one rank and on three, whole and restarted --------------------------------

arch = case([{"arch": {"voussoirs": 9, "radius": 2, "thickness": 0.4, "width": 1}, "name": "ring"},
             {"box": [9, 3, 1], "at": [0, 0, -1], "fixed": True, "name": "floor"}], end=0.1,
            solver={"tolerance": 1e-13, "max_sweeps": 20000},
            output={"frames": {"every": 0.05}, "checkpoint": {"steps": 50}})
one, three = run(arch, "one", 1, case_name="ring"), run(arch, "three", 3, case_name="ring")
check_same("arch: hash on 1 and 3 ranks", one.hash, three.hash)
for of, other in zip(one.results.frames, three.results.frames):
  compare(f"arch, step {of.step}, 1 and 3 ranks", arrays(of.path), arrays(other.path))
b, c, i, chains = check_frame("arch", one.results, -1,
                              {name: one[name][-1] for name in ("open", "sticking", "sliding")})
fixed = b["drive"] != 0
weight = b["mass"][~fixed].sum() * G
borne = reaction(b, c, fixed)
check("arch: supports bear the weight", abs(borne - [0, 0, -weight]).max(), "<=", 1e-9 * weight)
check_same("arch: names", list(b["name"][[0, 8, -1]]), ["ring.0", "ring.8", "floor"])
check("arch: gravity", abs(one.results.gravity() - [0, 0, -G]).max(), "==", 0)

# arrows are symmetrical: each interface has its mirror image
order = numpy.lexsort((numpy.round(i["point"][:, 2], 6), numpy.round(i["point"][:, 0], 6)))
mirror = order[::-1]
for name in ("point", "force", "normal"):
  there, here = i[name][order], i[name][mirror] * [-1, 1, 1]
  check(f"arch: {name} and its mirror image", abs(there - here).max(), "<=",
        1e-6 * abs(i[name]).max())
check("arch: forces lead upwards", i["force"][:, 2].min(), ">", 0)

# half of it, and the rest by a restart on other ranks
run(arch, "half", 2, ("--steps", "60"), case_name="ring")
half = run(arch, "half", 1, ("--restart",), case_name="ring")
for of, other in zip(one.results.frames, half.results.frames):
  compare(f"arch, step {of.step}, after a restart", arrays(of.path), arrays(other.path))
for name in ("bodies", "centres", "contacts", "interfaces", "chains"):
  texts = []
  for folder in ("one", "half"):
    with open(f"{folder}/{name}.xmf", encoding="utf-8") as file:
      texts.append(file.read())
  check_same(f"arch: {name}.xmf after a restart", texts[0] == texts[1], True)

# -- a pile told in two orders: interfaces and chains are the same ---------------------------------

blocks = [{"box": [0.5, 0.4, 0.2], "at": [0.03 * k, 0, 0.1 + 0.2 * k], "name": f"b{k}"}
          for k in range(4)]
blocks.append({"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"})
push = [{"on": "b2", "force": [60, 0, 0]}]
piles = [run(case(listed, end=0.05, loads=push, frames=0.05, solver={"tolerance": 1e-12}), name)
         for listed, name in ((blocks, "listed"), (blocks[::-1], "reversed"))]
tables = []
for pile in piles:
  check_frame(pile.folder, pile.results, -1)
  b, i, chains = (pile.results.bodies(), pile.results.interfaces(), pile.results.chains())
  named = b["name"][numpy.searchsorted(b["id"], i["bodies"].astype(numpy.int64))]
  into = {tuple(sorted(pair)): pair[on] for pair, on in zip(named, i["on"])}
  keys = [tuple(sorted(pair)) for pair in named]
  order = sorted(range(len(keys)), key=keys.__getitem__)
  lines = [sorted([*map(tuple, numpy.round(ends, 9))]) + [round(float(force), 5)]
           for ends, force in zip(chains["ends"], chains["force"])]
  tables.append(({k: into[k] for k in sorted(into)},
                 {name: i[name][order] for name in ("normal", "force", "normal_force", "point",
                                                    "eccentricity", "area", "opening", "slip",
                                                    "hinge_rotation")}, sorted(lines)))
check_same("pile: bodies that normals lead into", tables[0][0], tables[1][0])
check_same("pile: interfaces", len(tables[0][0]), 4)
for name, values in tables[0][1].items():
  check(f"pile: {name} in both orders", abs(values - tables[1][1][name]).max(), "<=",
        1e-9 * max(1, abs(values).max()))
check_same("pile: chains in both orders", tables[0][2], tables[1][2])

# -- a block that rocks: opening, hinge and displacement by its pose -------------------------------

rocking = case([{"box": [1, 1, 0.2], "at": [0, 0, -0.1], "fixed": True, "name": "base"},
                {"box": [0.4, 0.5, 1.2], "at": [0, 0, 0.6], "name": "stone",
                 "spin": [0, 0.6, 0], "velocity": [0.36, 0, 0.12]}],
               end=0.15, frames=0.05, solver={"tolerance": 1e-12})
rocks = run(rocking, "rocks", 2)
check_same("rocking: frames", len(rocks.results.frames), 4)
for frame in rocks.results.frames[1:]:
  b, i = rocks.bodies(frame), rocks.results.interfaces(frame)
  check_same(f"rocking, step {frame.step}: interfaces", len(i["area"]), 1)
  w, x, y, z = b["orientation"][1]
  angle = 2 * numpy.arctan2(y, w)
  corners = numpy.array([[sx * 0.2, sy * 0.25, -0.6] for sx in (-1, 1) for sy in (-1, 1)])
  cos, sin = numpy.cos(angle), numpy.sin(angle)
  turned = corners @ numpy.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]]).T
  now = b["position"][1] + turned
  apart = now - (corners + [0, 0, 0.6])
  half = 0.5 * angle   # the normal is that between both bodies
  along = apart @ [numpy.sin(half), 0, numpy.cos(half)]
  check(f"rocking, step {frame.step}: it has turned, rad", angle, ">", 0.02)
  check_near(f"rocking, step {frame.step}: opening, m", i["opening"][0], along.max(), 1e-9)
  check_near(f"rocking, step {frame.step}: hinge, rad", i["hinge_rotation"][0][1], angle, 2e-9)
  check_near(f"rocking, step {frame.step}: rotation, rad", b["rotation"][1][1], angle, 1e-12)
  check(f"rocking, step {frame.step}: displacement, m",
        abs(b["displacement"][1] - (b["position"][1] - [0, 0, 0.6])).max(), "<=", 1e-15)

# -- a block that leans: the resultant leaves the middle by what tips it over the weight -----------

leans = run(case([{"box": [2, 2, 0.2], "at": [0, 0, -0.1], "fixed": True, "name": "base"},
                  {"box": [0.4, 0.2, 0.5], "at": [0.3, 0.1, 0.25], "name": "stone"}],
                 gravity=(0.1 * G, 0.05 * G, -G), end=0.05, frames=0.05,
                 solver={"tolerance": 1e-12}), "leans")
i = leans.results.interfaces()
check_near("leaning: area, m2", i["area"][0], 0.4 * 0.2, 1e-12)
check("leaning: resultant off the middle, m",
      abs(i["eccentricity"][0] - [0.1 * 0.25, 0.05 * 0.25, 0]).max(), "<=", 1e-9)
check("leaning: its point, m", abs(i["point"][0] - [0.325, 0.1125, 0]).max(), "<=", 1e-9)

# -- a block that slides: status and slip; an impact: the force is the momentum over the step ------

slides = run(case([{"box": [4, 1, 0.2], "at": [0, 0, -0.1], "fixed": True, "name": "slope"},
                   {"box": [0.4, 0.4, 0.2], "at": [0, 0, 0.1], "name": "block"}],
                  gravity=(3, 0, -G), friction=0.2, end=0.1, frames=0.1), "slides")
b, c, i, _ = check_frame("sliding", slides.results, -1,
                         {name: slides[name][-1] for name in ("open", "sticking", "sliding")})
check_same("sliding: all points slide", sorted(set(c["status"])), [2])
speed = numpy.linalg.norm(b["velocity"][1])
check("sliding: slip in the step, m", abs(c["slip"] - 1e-3 * speed).max(), "<=", 1e-12)
check_near("sliding: slip since the start, m", i["slip"][0], b["displacement"][1][0], 1e-12)
check_near("sliding: force along the slope, N", i["force"][0][0],
           -0.2 * b["mass"][1] * G, 1e-6 * b["mass"][1] * G)

drops = run(case([{"box": [4, 1, 0.2], "at": [0, 0, -0.1], "fixed": True},
                  {"box": [0.4, 0.4, 0.2], "at": [0, 0, 0.1001], "velocity": [0, 0, -1]}],
                 end=1e-3, frames=1e-3), "drops")
b, c, i, _ = check_frame("impact", drops.results, -1)
check_same("impact: without names", sorted(set(b["name"])), [""])
lost = b["mass"][1] * (b["velocity"][1][2] + 1 + G * 1e-3)
check_near("impact: force, N", i["force"][0][2], lost / 1e-3, 1e-6 * lost / 1e-3)

# -- common volumes, bodies that come and go, bodies that deform -----------------------------------

gives = case([{"box": [1, 1, 0.2], "at": [0, 0, -0.1], "fixed": True, "name": "base"},
              {"box": [0.4, 0.5, 0.3], "at": [0, 0, 0.149999], "name": "stone"}],
             step=1e-4, end=0.2, frames=0.2)
gives["contacts"] = [{"between": ["stone", "stone"], "law": "volumetric", "friction": 0.5,
                      "stiffness": 1e9, "damping": 0.9}]
soft = run(gives, "gives", 2)
if soft.code == 0:
  b, i, v = soft.bodies(), soft.results.interfaces(), soft.results.volumes()
  impulse = v["impulse"].sum(axis=0) / soft.results.time_step()
  check_same("common volumes: interfaces", len(i["area"]), 1)
  sign = 1 if i["on"][0] == 0 else -1
  check("common volumes: resultant, N", abs(sign * i["force"][0] - impulse).max(), "<=",
        1e-9 * abs(impulse).max())
  check_same("common volumes: both bodies bear", list(b["coordination"]), [1, 1])

falls = run(case([{"box": [1, 1, 0.2], "at": [0, 0, -0.1], "fixed": True, "name": "base"},
                  {"grid": {"box": [0.1, 0.1, 0.1], "count": [3, 2, 1], "spacing": [0.9, 0.3, 1]},
                   "at": [-0.9, 0, 0.05], "name": "cubes", "birth": 0.02},
                  {"box": [0.2, 0.2, 0.1], "at": [0, 0, 0.15], "name": "late", "birth": 0.06}],
                 end=0.4, frames=0.1,
                 domain={"low": [-2, -2, -0.3], "high": [2, 2, 2]}), "falls", 3)
for frame in falls.results.frames[1:]:
  b, c, _, _ = check_frame(f"coming and going, step {frame.step}", falls.results, frame)
check_same("coming and going: names", sorted(b["name"]), ["base", "cubes.1", "cubes.4", "late"])

deforms = run(case([{"box": [1, 1, 0.2], "at": [0, 0, -0.1], "fixed": True},
                    {"box": [0.4, 0.4, 0.4], "at": [0, 0, 0.2], "elastic": "affine"}],
                   end=0.4, frames=0.4,
                   materials={"stone": {"density": 2000, "young": 1e7, "poisson": 0.2,
                                        "damping": 2e-3}}),
              "deforms")
if deforms.code == 0:
  b, i = deforms.bodies(), deforms.results.interfaces()
  expected = -0.5 * b["mass"][1] * G / 0.16
  check_near("deforming: mean stress of its material, Pa", b["stress"][1][2], expected,
             0.02 * abs(expected))

# -- a body that appears where another one was: their first places are no joint --------------------

late = run(case([{"box": [9, 9, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"},
                 {"box": [1, 1, 1], "at": [0, 0, 1.5], "name": "low"},
                 {"box": [1, 1, 1], "at": [0.2, 0, 1.51], "birth": 0.6, "name": "high"}],
                end=0.9, step=2e-3, frames=0.9), "late")
i = late.results.interfaces()
pair = [tuple(ids) for ids in i["bodies"].tolist()].index((1, 2))
check("late: opening of the joint, m", abs(i["opening"][pair]), "<=", 1e-4)
check("late: its slip, m", i["slip"][pair], "<=", 0)
pair = [tuple(ids) for ids in i["bodies"].tolist()].index((0, 1))
check("late: the floor is there for all: opening, m", abs(i["opening"][pair]), "<=", 1e-4)

# -- what is written is chosen ---------------------------------------------------------------------

some = run(case(rocking["bodies"], end=0.01,
                output={"frames": {"every": 0.01, "fields": ["force", "interfaces"]}}), "some")
c = some.contacts()
check_same("some fields: of contacts",
           [name in c for name in ("force", "pressure", "slip", "status")],
           [True, False, False, False])
check_same("some fields: tables", [len(some.results.interfaces()) > 0, some.results.chains()],
           [True, {}])
check_same("some fields: of bodies", [name in some.bodies() for name in ("displacement", "name")],
           [False, False])
none = run(case(rocking["bodies"], end=0.01,
                output={"frames": {"every": 0.01, "fields": "none"}}), "none")
check_same("no fields: files", [os.path.exists(f"none/{name}.xmf") for name in
                                ("bodies", "contacts", "centres", "interfaces", "chains")],
           [True, True, False, False, False])
for fields, phrase in ((["force", "forces"], "expected one of"),
                       (["slip", "slip"], "stands in the list"),
                       ("everything", "'all', 'none' or a list"), ([], "'all', 'none' or a list")):
  path = write("bad", case(rocking["bodies"], output={"frames": {"fields": fields}}))
  bad = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
  check_same(f"fields {fields}: refused", [bad.returncode, phrase in bad.stderr], [2, True])

finish()
