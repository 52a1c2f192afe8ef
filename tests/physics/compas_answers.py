#!/usr/bin/env python3
"""Answers written back into block models of COMPAS, read by the keys that compas_dem uses.

A gate of our own, as a problem with a load. The barrel vault of compas_dem is read where
MASONRY_FILES names the folder of public models, or ../shared/masonry beside the repository is one.
"""
# test: needs python3 python3-numpy

import copy
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import TESTS, check, check_near, check_same, finish, program   # noqa: E402
from drystone import compas   # noqa: E402
import numpy   # noqa: E402

os.environ["DRYSTONE"] = program
G = 9.81
NEAR = os.path.join(os.path.dirname(TESTS), "..", "shared", "masonry")
VAULT = os.path.join(os.environ.get("MASONRY_FILES", NEAR), "compas_dem", "Barrel_Vault",
                     "DEM_problem.json")
FACES = ([0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7])


def block(low, high, support=False):
  """A box as an element of a block model."""
  (a, b, c), (d, e, f) = low, high
  corners = [(a, b, c), (d, b, c), (d, e, c), (a, e, c), (a, b, f), (d, b, f), (d, e, f), (a, e, f)]
  vertex = {str(k): dict(zip("xyz", p)) for k, p in enumerate(corners)}
  surface = {"dtype": "compas.datastructures/Mesh", "data": {
    "vertex": vertex, "face": {str(k): face for k, face in enumerate(FACES)}}}
  return {"dtype": "compas_dem.elements/Block", "data": {
    "transformation": None, "name": "Block", "geometry": surface, "is_support": support}}


def gate():
  """Two piers that are held, and a lintel of 2.4 m with a weight of 10 kN at its middle."""
  elements = {"p": block((0, 0, 0), (1, 1, 2), True), "q": block((2, 0, 0), (3, 1, 2), True),
              "r": block((0.3, 0, 2), (2.7, 1, 2.5))}
  stone = {"dtype": "compas_dem.material/Stone", "data": {"name": "Stone", "density": 2000}}
  model = {"dtype": "compas_dem.models/BlockModel", "data": {
    "transformation": None, "elements": elements, "materials": {"s": stone},
    "graph": {"node": {str(k): {"element": e} for k, e in enumerate(elements)},
              "edge": {"0": {}, "1": {}, "2": {"0": {"contacts": [], "status": ["old"]},
                                               "1": {"contacts": []}}}}}}
  load = {"block_index": 2, "force": [0, 0, -1e4], "moment": None, "point": None,
          "loading_type": "ramp"}
  return {"dtype": "compas_dem.problem/Problem", "data": {
    "name": "gate", "model": model,
    "boundary_conditions": {"dtype": "compas_dem.problem/BoundaryConditions", "data": {
      "gravity": True, "g": G, "body_forces": [], "point_loads": [load], "surface_loads": [],
      "displacements": []}},
    "contact_properties": {"dtype": "compas_dem.interactions/ContactProperties", "data": {
      "contact_model": {"dtype": "compas_dem.interactions/MohrCoulomb", "data": {"mu": 0.5}}}}}}


def write(name, tree):
  with open(name, "w", encoding="utf-8") as file:
    json.dump(tree, file)
  return name


def read(name):
  """Graph of the model in a problem."""
  with open(name, encoding="utf-8") as file:
    return json.load(file)["data"]["model"]["data"]["graph"]


def refused(text, call, *words):
  try:
    call()
    said = "nothing"
  except compas.ModelError as error:
    said = str(error)
  check_same(f"{text}: {said}", all(word in said for word in words), True)


def edges_of(graph):
  """(first, second, edge) of every edge with answers."""
  return [(u, v, edge) for u, ways in graph["edge"].items() for v, edge in ways.items()
          if "force_normal" in edge]


def look_at(name, graph):
  """What every edge has to be, whatever carries what."""
  worst = polygons = 0.0
  for _, _, edge in edges_of(graph):
    points, forces = numpy.array(edge["contact_point"]), numpy.array(edge["force_vector"])
    frames = edge["contact_frames"]
    normal = numpy.array([frame["data"]["yaxis"] for frame in frames])
    tangent = numpy.array([frame["data"]["xaxis"] for frame in frames])
    again = (numpy.array(edge["force_normal"])[:, None] * normal
             + numpy.array(edge["force_tangent1"])[:, None] * tangent
             + numpy.array(edge["force_tangent2"])[:, None] * numpy.cross(tangent, normal))
    scale = abs(forces).max() or 1.0
    worst = max(worst, abs(again - forces).max() / scale,
                abs(forces.sum(axis=0) - edge["force"]).max() / scale)
    lengths = {len(edge[key]) for key in ("force_normal", "force_tangent1", "force_tangent2", "gap",
                                          "status", "contact_frames", "contact_point")}
    known = set(edge["status"]) <= {"stic", "slid", "noct"}
    worst = max(worst, lengths != {len(points)}, not known)
    corners = numpy.array(edge["contact_polygon"]["data"]["points"])
    sides = numpy.roll(corners, -1, axis=0) - corners
    turns = numpy.cross(sides, numpy.roll(sides, -1, axis=0)) @ normal[0]
    polygons += (turns < -1e-12).any()   # corners of a joint follow each other
    worst = max(worst, abs(corners - points).max())
  check(f"{name}: forces off those of their frames", worst, "<=", 1e-12)
  check_same(f"{name}: polygons that cross themselves", polygons, 0)


def left_over(graph, weights):
  """Largest force that is left on a free block, N; forces are on the first block of an edge."""
  left = {key: numpy.array(weight, float) for key, weight in weights.items()}
  for u, v, edge in edges_of(graph):
    for key, sign in ((u, 1), (v, -1)):
      if key in left:
        left[key] += sign * numpy.array(edge["force"])
  return max(abs(force).max() for force in left.values())


if os.path.exists("never.json"):   # of an earlier run
  os.remove("never.json")

# -- the gate --------------------------------------------------------------------------------------

results = compas.solve(write("gate.json", gate()), "gate-answers.json", "gate", end=2)
graph = read("gate-answers.json")
check_same("gate: edges", sorted((u, v) for u, v, _ in edges_of(graph)), [("2", "0"), ("2", "1")])
look_at("gate", graph)
weight = 2.4 * 0.5 * 2000 * G
check("gate: left on the lintel, N", left_over(graph, {"2": (0, 0, -weight - 1e4)}), "<=",
      1e-9 * weight)
for pier in ("0", "1"):
  edge = graph["edge"]["2"][pier]
  check_near(f"gate: pier {pier} carries half", edge["force"][2], (weight + 1e4) / 2, 1e-6 * weight)
  check_same(f"gate: status at pier {pier}", set(edge["status"]), {"stic"})
  check_same(f"gate: a face at pier {pier}", (edge["face_contact"], edge["edge_contact"]),
             (True, False))
motion = numpy.array(graph["node"]["2"]["transformation"]["data"]["matrix"])
check("gate: the lintel stays, m", abs(motion - numpy.eye(4)).max(), "<=", 1e-6)

again = compas.write_answers("gate-answers.json", results, "again.json")
with open("again.json", encoding="utf-8") as a, open("gate-answers.json", encoding="utf-8") as b:
  check_same("gate: answers over answers are the same", a.read() == b.read(), True)
check_same("gate: pairs", again, 2)

# a block that moved: its matrix leads from the places of the model to where it is
falls = copy.deepcopy(gate())
falls["data"]["boundary_conditions"]["data"]["point_loads"][0]["force"] = [3e4, 0, 0]
refused("a gate that is pushed away",
        lambda: compas.solve(write("falls.json", falls), "never.json", "falls", end=0.5),
        "does not come to rest", "falls")
check_same("no answers of it", os.path.exists("never.json"), False)
pushed = compas.program.run(compas.case("falls.json", end=0.5), "pushed", overwrite=True)
compas.write_answers("falls.json", pushed, "pushed.json")
motion = numpy.array(read("pushed.json")["node"]["2"]["transformation"]["data"]["matrix"])
bodies = pushed.bodies()
place = motion @ [1.5, 0.5, 2.25, 1]
check("a lintel that moved: how far, m", motion[0, 3], ">=", 0.05)
check("its matrix puts it where it is, m", abs(place[:3] - bodies["position"][2]).max(), "<=",
      1e-12)

def results_of_another():
  tree = gate()
  tree["data"]["model"]["data"]["elements"]["s"] = block((5, 0, 0), (6, 1, 1), True)
  tree["data"]["model"]["data"]["graph"]["node"]["3"] = {"element": "s"}
  return compas.program.run(compas.case(write("other.json", tree), end=0.01), "other",
                            overwrite=True)


# -- what is refused -------------------------------------------------------------------------------

bare = gate()["data"]["model"]
refused("a model without friction", lambda: compas.case(write("bare.json", bare)), "friction=")
del bare["data"]["materials"]
refused("nor densities", lambda: compas.case(write("bare.json", bare), friction=0.5), "density=")
refused("an assembly has no place for answers",
        lambda: compas.solve(os.path.join(TESTS, "meshes", "gate.json"), "never.json",
                             friction=0.5, density=2000), "Assembly", "BlockModel")
refused("a file that is no JSON", lambda: compas.case(os.path.join(TESTS, "meshes", "cup.obj")),
        "no JSON")
refused("results of another model",
        lambda: compas.write_answers("gate.json", results_of_another(), "never.json"), "no run of")


# -- the barrel vault ------------------------------------------------------------------------------

if os.path.exists(VAULT):
  results = compas.solve(VAULT, "vault.json", "vault")
  graph, bodies = read("vault.json"), results.bodies()
  look_at("vault", graph)
  check_same("vault: interfaces with a block that is free", len(edges_of(graph)), 296)
  free = bodies["drive"] == 0
  weights = {str(name).partition(".")[2]: (0, 0, -mass * G)
             for name, mass in zip(bodies["name"][free], bodies["mass"][free])}
  check("vault: left on any block, N", left_over(graph, weights), "<=",
        1e-9 * bodies["mass"].max() * G)
  with open(VAULT, encoding="utf-8") as file:
    before = json.load(file)["data"]["model"]["data"]["graph"]
  held = {str(name).partition(".")[2] for name in bodies["name"][~free]}
  edges = [(u, v) for u, ways in before["edge"].items() for v in ways]
  check_same("vault: edges of the file", len(edges), 320)
  check_same("vault: all are answered but those between two supports, which nothing presses",
             sorted(edge for edge in edges if not held.issuperset(edge)) ==
             sorted((u, v) for u, v, _ in edges_of(graph)), True)
else:
  print(f"left out: the barrel vault, {VAULT} is not there")

finish()
