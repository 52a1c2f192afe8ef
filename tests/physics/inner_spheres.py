#!/usr/bin/env python3
"""The volumetric law of inner spheres: momentum stays, a block rests on the volume that carries it,
and two spheres are the closed form to the bit.
"""
# test: needs python3
# test: timeout 300
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import case, check, check_near, check_same, finish, run

G, K = 9.81, 1e7


def layered(bodies, end, spheres=1000, damping=20, **more):
  """A case whose one pair of materials has the volumetric law; spheres: 0 for exact shapes."""
  described = case(bodies, end=end, step=more.pop("step", 5e-4), **more)
  for entry in described["contacts"]:
    del entry["restitution"]
    entry.update({"law": "volumetric", "stiffness": K, "damping": damping})
  if spheres:
    described["contact"] = {"geometry": "spheres", "spheres": spheres}
  return described


# ------------------------------------------------------------------------------------------------
# A block of 1 kg at rest: its spheres share the volume that carries it, deeper than faces would

floor = {"box": [1, 1, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"}
block = {"box": [0.5, 0.5, 0.5], "at": [0.05, 0.02, 0.249], "name": "block"}
done = run(layered([floor, block], 3.0, densities={"stone": 8.0}, frames=3.0), "rest")
check("speed at rest", abs(done.bodies()["velocity"][1]).max(), "<", 1e-9)
# (where the normal is tilted, friction carries a share in the square of the angle)
volume = done.results.volumes()["volume"].sum()
check_near("volume of rest, of mg/k", volume / (G / K), 1, 1e-3)
check("depth over that of faces", (0.25 - done.bodies()["position"][1][2]) / (G / K / 0.25), ">", 5)

# ------------------------------------------------------------------------------------------------
# Free bodies that meet: momenta stay

shot = [{"box": [0.5, 0.4, 0.3], "at": [0, 0, 0], "velocity": [1, 0, 0], "spin": [1, 2, 3],
         "name": "one"},
        {"box": [0.5, 0.4, 0.3], "at": [0.55, 0.1, 0.05], "velocity": [-1, 0, 0.1],
         "spin": [0, -1, 2], "name": "two"},
        {"sphere": {"radius": 0.2}, "at": [0.1, 0.45, 0], "velocity": [0, -2, 0], "name": "three"}]
done = run(layered(shot, 0.2, gravity=(0, 0, 0), step=2e-4, densities={"stone": 50.0},
                   damping=0.5), "shot")
check("shot: rows of the law", done["volumes"].max(), ">", 1)
for axis in "xyz":
  for name, size in (("momentum", 10.0), ("angular_momentum", 5.0)):
    column = done[f"{name}_{axis}"]
    check(f"shot: {name} {axis} drifts by", abs(column - column[0]).max() / size, "<=", 1e-12)

# ------------------------------------------------------------------------------------------------
# Head on, without damping: what comes back of the energy. The force is by the volume along one
# normal, which is the slope of no energy where lenses look to several sides.

for name, turn in (("face", 0), ("edge", 45)):
  pair = [{"box": [0.5] * 3, "at": [0, 0, 0], "velocity": [0.5, 0, 0], "name": "one"},
          {"box": [0.5] * 3, "at": [0.72, 0, 0], "velocity": [-0.5, 0, 0], "name": "two",
           "turn": {"axis": [0, 0, 1], "angle": turn}}]
  done = run(layered(pair, 0.8, gravity=(0, 0, 0), step=2e-4, densities={"stone": 50.0}, damping=0,
                     friction=0), f"pair-{name}")
  kinetic = done["kinetic_energy"]
  check(f"on its {name}: it meets", done["volumes"].max(), "==", 1)
  check(f"on its {name}: it ends apart", done["volumes"][-1], "==", 0)
  check_near(f"on its {name}: energy after over before", kinetic[-1] / kinetic[0], 1, 0.02)

# ------------------------------------------------------------------------------------------------
# Spheres are themselves

balls = [{"sphere": {"radius": 0.5}, "at": [0, 0, 0], "velocity": [1, 0, 0], "name": "one"},
         {"sphere": {"radius": 0.3}, "at": [0.85, 0.2, 0], "spin": [1, 2, 3], "name": "two"}]
ends = [run(layered(balls, 0.2, spheres, gravity=(0, 0, 0), densities={"stone": 50.0}),
            f"balls-{spheres}").hash for spheres in (0, 1000)]
check_same("spheres: the bits of exact shapes", *ends)

finish()
