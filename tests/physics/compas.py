#!/usr/bin/env python3
"""COMPAS models as they are: blocks, supports, volumes, and what stands or falls.

A gate of our own always runs. Public models are read where MASONRY_FILES names their folder, or
../shared/masonry beside the repository is one: assemblies of compas_assembly, samples of
compas_cra (Kao et al. 2022) with friction, supports and densities of their examples, and block
models of compas_dem.
"""
# test: needs python3 python3-numpy tetgen
# test: ranks 3
# test: timeout 900
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import TESTS, both, case, check, check_near, check_same, finish, program, run

G = 9.81
FALLEN = 1e-3     # m in 0.3 s; a free fall is 0.44 m
STANDING = 1e-8   # m
NEAR = os.path.join(os.path.dirname(TESTS), "..", "shared", "masonry")
MASONRY = os.environ.get("MASONRY_FILES", NEAR)


def moved(done):
  """How far any body went from the first frame to the last, m."""
  start, end = done.bodies(0)["position"], done.bodies(-1)["position"]
  return numpy.linalg.norm(end - start, axis=1).max()


def carried(done, step, dynamic):
  """Vertical force on bodies that are not dynamic, from the contacts of the last frame, N."""
  contacts = done.contacts(-1)
  low, high = contacts["bodies"].T
  vertical = contacts["reaction_world"][:, 2] / step   # on the lower body
  return (-vertical[~dynamic[low] & dynamic[high]].sum()
          + vertical[dynamic[low] & ~dynamic[high]].sum())


# -- a gate: two piers that the file fixes, and a lintel on them ---------------------------------

gate = {"compas": os.path.join(TESTS, "meshes", "gate.json"), "name": "gate"}
done = both(case([gate], end=0.2, frames=0.2), "gate")
check("the lintel moved by, m", moved(done), "<=", STANDING)
check_near("the piers carry it, N", carried(done, 1e-3, numpy.array([False, False, True])),
           1.5 * 2000 * G, 1e-9 * 1.5 * 2000 * G)
freed = {**gate, "where": [{"match": "pier_right", "fixed": False, "velocity": [1, 0, 0]}]}
done = run(case([freed], end=0.2, frames=0.2), "freed")
check("a pier that is freed leaves, m", moved(done), ">=", 0.1)


# -- public models -------------------------------------------------------------------------------

def find(name):
  """A model in the folder of the test: fillings lie beside it there."""
  target = name.replace("/", "-")
  if not os.path.exists(target):
    os.symlink(os.path.abspath(os.path.join(MASONRY, name)), target)
  return target


def meshes_of(tree):
  """Every mesh of blocks in a file: what has vertices and faces, less those of interfaces."""
  if isinstance(tree, list):
    for member in tree:
      yield from meshes_of(member)
  elif isinstance(tree, dict):
    if "vertex" in tree and "face" in tree:
      yield tree
    else:
      for key, member in tree.items():
        if key not in ("edge", "interfaces", "contacts"):
          yield from meshes_of(member)


def volumes_of(mesh):
  """Least and largest volume: a face that is not flat is a fan from one of its corners.

  A fan is a sum of tetrahedra to the first vertex. Where all faces are flat both are the same.
  """
  points = {key: numpy.array([p["x"], p["y"], p["z"]]) for key, p in mesh["vertex"].items()}
  origin = next(iter(points.values()))
  least = largest = 0.0
  for face in mesh["face"].values():
    corners = [points[str(key)] - origin for key in face]
    fans = []
    for turn in range(len(corners)):
      a, *rest = corners[turn:] + corners[:turn]
      fans.append(sum(numpy.dot(a, numpy.cross(b, c)) for b, c in zip(rest, rest[1:])) / 6)
    least += min(fans)
    largest += max(fans)
  return (least, largest) if largest > 0 else (-largest, -least)


def check_model(name, blocks, supports):
  """Blocks, supports, and the volume of every block."""
  text = subprocess.run([program, "mesh", "--json", "--flat", "0", find(name)],
                        stdout=subprocess.PIPE, check=False, text=True).stdout
  check_same(f"{name}: it is read", bool(text), True)
  if not text:
    return
  mesh = json.loads(text)
  bodies = mesh["bodies"]
  check_same(f"{name}: blocks/supports", f"{len(bodies)}/{mesh['totals']['supports']}",
             f"{blocks}/{supports}")
  with open(find(name), encoding="utf-8") as file:
    bounds = [volumes_of(block) for block in meshes_of(json.load(file))]
  check_same(f"{name}: blocks summed here", len(bounds), blocks)
  off = [max(least - body["surface_volume"], body["surface_volume"] - largest) / largest
         for body, (least, largest) in zip(bodies, bounds)]
  flat = sum(largest - least <= 1e-12 * largest for least, largest in bounds)
  check(f"{name}: volumes, {flat} of {blocks} blocks with flat faces, are off by", max(off), "<=",
        1e-9)


CRA = {   # supports, friction, whether it stands, seconds, densities by node
  "A": ("01", 0.84, False), "H": ("01", 0.84, False), "shelf": ("0", 0.9, False),
  "shelf-s1": ("0", 0.9, False), "shelf-stable": ("0", 0.9, True), "snake": ("0", 0.7, True),
  "bridge": ("01", 0.9, True), "cubes": ("0", 0.84, True), "type-a": ("01", 0.84, True),
  "type-b": ("01", 0.84, True), "type-c": ("01", 0.84, True), "type-d": ("01", 0.84, True),
  "concave-short": ("0", 0.84, True), "concave-long": ("0", 0.84, True)}


def check_sample(name, supports, friction, stands):
  where = [{"match": list(supports), "fixed": True}]
  if name == "bridge":
    where.append({"match": ["11", "12", "13", "14", "15"], "material": "heavy"})
  model = {"compas": find(f"compas_cra/{name}.json"), "name": name, "where": where}
  done = run(case([model], end=0.3, frames=0.3, friction=friction,
                  densities={"stone": 1.0, "heavy": 3.51}), name)
  check(f"{name} {'stands' if stands else 'falls'}: moved by, m", moved(done),
        "<=" if stands else ">=", STANDING if stands else FALLEN)


if not os.path.isdir(os.path.join(MASONRY, "compas_cra")):
  print("skipped: public models (MASONRY_FILES names no folder that has them)")
  finish()
if not shutil.which("tetgen"):
  print("skipped: public models (no tetgen, which fills blocks that are not convex)")
  finish()

for model, blocks, supports in (
    ("compas_assembly/arch_assembly", 30, 2), ("compas_assembly/crossvault_assembly", 184, 4),
    ("compas_assembly/dome_assembly", 527, 31), ("compas_assembly/stack_assembly", 10, 1),
    ("compas_assembly/two-blocks_assembly", 2, 1), ("compas_assembly/wall_assembly", 52, 10),
    ("compas_dem/dem_crossvault", 38, 5), ("compas_dem/crossvault", 184, 4),
    ("compas_dem/pavillionvault/blocks", 377, 0), ("compas_dem/pavillionvault/supports", 10, 0),
    ("compas_dem/Barrel_Vault/DEM_model", 121, 26),
    ("compas_dem/Barrel_Vault/DEM_problem", 121, 26)):
  check_model(model + ".json", blocks, supports)
for model, blocks in (
    ("A", 3), ("H", 3), ("bridge", 16), ("concave-long", 2), ("concave-short", 2),
    ("cube-curve-short", 2), ("cube-curve-tall", 2), ("cubes", 3), ("shelf", 11), ("shelf-s1", 13),
    ("shelf-s2", 12), ("shelf-s3", 12), ("shelf-stable", 9), ("snake", 4), ("type-a", 3),
    ("type-b", 3), ("type-c", 3), ("type-d", 3)):
  check_model(f"compas_cra/{model}.json", blocks, 0)

for sample, given in CRA.items():
  check_sample(sample, *given)

vault = {"compas": find("compas_dem/Barrel_Vault/DEM_model.json"), "name": "vault"}
done = both(case([vault], end=0.3, frames=0.3), "vault")
with open("compas_dem-Barrel_Vault-DEM_model.json", encoding="utf-8") as file:
  elements = list(json.load(file)["data"]["elements"].values())
dynamic = numpy.array([not element["data"]["is_support"] for element in elements])
check_near("supports of Barrel_Vault carry, N", carried(done, 1e-3, dynamic), 80156.44,
           1e-6 * 80156.44)
check("Barrel_Vault moved by, m", moved(done), "<=", STANDING)
finish()
