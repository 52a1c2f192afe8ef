#!/usr/bin/env python3
"""Loads on bodies of finite elements, against known answers, on 1 and 3 ranks.

Forces at places and pressures on faces deform bodies where they act, move them as they move rigid
ones, and have the work that energy gains.
"""
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
import os
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import drift, stone, unexplained
from cases import both, case, check, check_near, finish
from finite_scenes import cells

# -- stress --------------------------------------------------------------------------------------

# a bar pressed at both ends has one stress, as exactly as numbers allow: a leaning one too. One
# pulled at two places inside has the mean stress of its virial, F times their distance over the
# volume, wherever these places are in their cells.
PRESS, PULL = 2e4, 300.0
bar = {"box": [1, 0.2, 0.2], "material": "stone"}
leaning = {"hull": [[x, y, z + 0.3 * x] for x in (0, 1) for y in (0, 0.2) for z in (0, 0.2)]}
loads = [{"on": "bar", "pressure": {"table": [[0, 0], [4, PRESS]]},
          "faces": {"direction": [x, 0, 0]}} for x in (-1, 1)]
loads += [{"on": "all-round", "pressure": {"table": [[0, 0], [4, PRESS]]},
           "faces": {"direction": [0, 0, 1], "within": 180}}]
loads += [{"on": "pulled", "force": {"table": [[0, 0, 0, 0], [4, way * PULL, 0, 0]]},
           "at": [way * 0.23, 0.03, -0.02]} for way in (-1, 1)]
still = [{**bar, "name": "bar", **cells(4, 2, 2)},
         {**leaning, "at": [0, 1, 0], "name": "all-round", **cells(3, 2, 2)},
         {**bar, "at": [0, 2, 0], "name": "pulled", **cells(5, 3, 2)}]
done = both(case(still, materials=stone(2000, 1e6, poisson=0.3, damping=0.5), gravity=(0, 0, 0),
                 step=5e-2, end=40.0, frames=40.0, loads=loads), "still")
with h5py.File(done.results.frame().path) as file:
  stress, body = file["elastic/stress"][()], file["nodes/body"][()]
  displacement = file["nodes/displacement"][()]
  mean = file["bodies/stress"][()]
off = stress[body == 0] + PRESS * numpy.array([1, 0, 0, 0, 0, 0])
check("bar: error of stress at nodes over the pressure", abs(off).max() / PRESS, "<", 1e-9)
length = displacement[body == 0][:, 0]
check_near("bar: it is shorter by p L/E, m", length.max() - length.min(), PRESS / 1e6, 1e-11)
off = stress[body == 1] + PRESS * numpy.array([1, 1, 1, 0, 0, 0])
check("all round: error of stress at nodes", abs(off).max() / PRESS, "<", 1e-9)
check_near("pulled: mean stress, Pa", mean[2][0], PULL * 0.46 / 0.04, 1e-6)
check("pulled: mean stress beside, Pa", abs(mean[2][1:]).max(), "<", 1e-6)
check("pulled: and the nodes beside the places have more", stress[body == 2][:, 0].max(), ">",
      1.3 * mean[2][0])

# -- motion --------------------------------------------------------------------------------------

# all kinds of bodies go the same way: pushed on a face that turns with them, and at a place
block = {"box": [0.4, 0.2, 0.2], "spin": [0, 0, 3]}
kinds = [{}, {"elastic": "affine"}, cells(2, 2, 2)]
thrown = [{**block, "at": [0, 2 * k, 0], "name": f"block{k}", **kind}
          for k, kind in enumerate(kinds)]
loads = [{"on": ["block0", "block1", "block2"], "pressure": {"table": [[0, 0], [0.2, 2e4]]},
          "faces": {"direction": [1, 0, 0]}},
         {"on": ["block0", "block1", "block2"], "force": [0, 0, 40], "at": [0.1, 0.05, 0.05]}]
done = both(case(thrown, materials=stone(2000, 1e9, poisson=0.2, damping=1e-4),
                 gravity=(0, 0, 0), end=0.4, frames=0.4, loads=loads), "thrown")
bodies = done.bodies()
way = bodies["position"] - numpy.array([[0, 2 * k, 0] for k in range(3)])
check("thrown: the pressure has turned, m", min(way[0][0], way[0][1]), "<", -0.1)
for k, name in ((1, "affine"), (2, "of finite elements")):
  # the pressed end comes nearer by p L/(2E) = 4e-6 m
  check(f"thrown: {name}, its way beside the rigid one", numpy.linalg.norm(way[k] - way[0]), "<",
        1e-5)
  off = bodies["orientation"][k] - bodies["orientation"][0]
  check(f"thrown: {name}, its turn beside it", numpy.linalg.norm(off), "<", 2e-5)

# a pressure all round does nothing to momentum, however a body tumbles
tumbling = [{**leaning, "spin": [2, -3, 1], "velocity": [1, 0, 0], "name": "deep",
             **cells(3, 2, 2)}]
done = both(case(tumbling, materials=stone(2000, 1e7, poisson=0.2, damping=1e-4),
                 gravity=(0, 0, 0), end=0.3,
                 loads=[{"on": "deep", "pressure": {"table": [[0, 0], [0.1, 1e5]]},
                         "faces": {"direction": [0, 0, 1], "within": 180}}]), "deep")
check("deep: momentum, largest change", drift(done, "momentum") / 80, "<", 1e-12)
check("deep: elastic energy, J", done["elastic_energy"][-1], ">", 1)

# nothing turns: energy is what loads do, which a half turn about the axis leaves as they are
swing = {"angular_frequency": 90}
loads = [{"on": "driven", "force": {"cosine": {"amplitude": [300, 0, 0], **swing}},
          "at": [0.3, y, z]} for y, z in ((0.07, 0.04), (-0.07, -0.04))]
loads += [{"on": "driven", "pressure": {"cosine": {"amplitude": 3e4, "phase": -90, **swing}},
           "faces": {"direction": [-1, 0, 0]}}]
driven = [{"box": [1, 0.2, 0.2], "name": "driven", **cells(4, 3, 2)}]
done = both(case(driven, materials=stone(2000, 1e7, poisson=0.2, damping=1e-4),
                 gravity=(0, 0, -9.81), end=0.2, loads=loads), "driven")
energy = done["kinetic_energy"] + done["elastic_energy"]
check("driven: energy that no work explains, relative", unexplained(done) / energy.max(), "<",
      1e-10)
check("driven: elastic energy, J", done["elastic_energy"].max(), ">", 0.05)
h = 1e-3
middles = (numpy.arange(len(done["time"])) + 0.5) * h
pushed = numpy.cumsum((600 * numpy.cos(90 * middles) + 1200 * numpy.sin(90 * middles)) * h)
check("driven: momentum along x", abs(done["momentum_x"] - pushed).max() / abs(pushed).max(), "<",
      1e-12)
check("driven: momentum along z", abs(done["momentum_z"] + 80 * 9.81 * done["time"]).max(), "<",
      1e-9)

finish()
