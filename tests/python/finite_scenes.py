"""What tests of bodies of finite elements share: meshes, and scenes for every contact model."""
# test: needs python3

from affine import drift, stone, unexplained
from cases import both, case, check, check_converged

SOFT = stone(2000, 1e8, poisson=0.2, damping=1e-5)


def cells(*counts):
  return {"elastic": {"cells": list(counts)}}


def check_collision(**more):
  """Blocks, an affine one and a rigid hull spin and collide in free space: momenta are kept."""
  thrown = [{"box": [1, 0.8, 0.6], "velocity": [1, 0.1, 0], "spin": [0.3, 0.2, 0.5],
             **cells(2, 2, 2)},
            {"box": [0.7, 0.7, 0.9], "at": [1.2, 0.1, 0.1], "velocity": [-2, 0, 0.1],
             "spin": [-0.4, 0.1, 0.2], **cells(2, 3, 2)},
            {"hull": [[0.4, 0, 0], [-0.3, 0.4, 0], [-0.3, -0.4, 0], [0, 0, 0.6], [0, 0.1, -0.5]],
             "at": [-1.1, 0.2, 0.1], "velocity": [2.5, -0.1, 0], "spin": [0.1, 1.0, 0.3]},
            {"box": [0.5, 0.5, 0.5], "at": [0.2, 1.4, 0.1], "velocity": [0, -1.5, 0],
             "spin": [0.5, 0.5, -0.5], "elastic": "affine"}]
  done = both(case(thrown, materials=SOFT, gravity=(0, 0, 0), friction=0.4, end=0.6,
                   solver={"tolerance": 1e-6, "correction": 0}, **more), "collision", work=800)
  check_converged("collision", done, 1e-6)
  check("collision: energy that contacts take, J", -done["contact_work"].sum(), ">", 100)
  check("collision: elastic energy, J", done["elastic_energy"].max(), ">", 100)
  # scales: sum of the bodies' |m v| and |L|, N s and N m s
  check("collision: momentum, largest change", drift(done, "momentum") / 2700, "<", 1e-12)
  check("collision: angular momentum, largest change",
        drift(done, "angular_momentum") / 2000, "<", 1e-12)


def check_head_on(**more):
  """Bodies in a row, aligned, of which none turns: energy is as works say."""
  row = [{"box": [0.4, 0.2, 0.2], "velocity": [2, 0, 0], **cells(4, 2, 2)},
         {"box": [0.4, 0.2, 0.2], "at": [0.41, 0, 0], **cells(3, 2, 2)},
         {"box": [0.4, 0.2, 0.2], "at": [0.815, 0, 0]},
         {"box": [0.3, 0.2, 0.2], "at": [1.17, 0, 0], "velocity": [-1, 0, 0], **cells(3, 1, 1)}]
  done = both(case(row, materials=SOFT, gravity=(0, 0, 0), step=1e-4, end=0.02,
                   solver={"tolerance": 1e-12, "correction": 0}, **more), "row", work=400)
  check_converged("row", done, 1e-12)
  energy = done["kinetic_energy"][0]
  check("row: energy that no work explains, relative", unexplained(done) / energy, "<", 1e-10)
  for work in ("contact_work", "damping_work", "scheme_work"):
    check(f"row: share that {work} takes", -done[work].sum() / energy, ">", 0.001)
