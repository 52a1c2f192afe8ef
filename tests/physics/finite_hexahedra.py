#!/usr/bin/env python3
"""Bodies of the hexahedra of their file, against the same bodies by counts and known answers, on 1
and 3 ranks.

A bar of them is the bar that drystone divides. Distorted cells carry one stress, whatever their
shapes are. Cells that cannot be are refused by name.
"""
# test: needs python3 python3-h5py python3-numpy tetgen
# test: ranks 3
import json
import os
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import stone, unexplained
from cases import (both, case, check, check_converged, check_near, check_same, finish, program,
                   write)
from gmsh_files import grid, inner, write_mesh

FILE = {"elastic": {"cells": "file"}}
drawn = numpy.random.default_rng(3)


def told(path, *words):
  """Exit code, standard output and the message of drystone."""
  done = subprocess.run([program, *words, path], capture_output=True, text=True, check=False)
  return done.returncode, done.stdout, done.stderr


def nodes_of(done):
  """Places and stress of nodes in the last frame."""
  with h5py.File(done.results.frame().path) as file:
    return file["elastic/points"][()], file["elastic/stress"][()]


# -- a bar by counts and by its file ---------------------------------------------------------------

COUNTS, LOW, HIGH = (12, 2, 2), numpy.array([-0.6, -0.1, -0.1]), numpy.array([0.6, 0.1, 0.1])
nodes, hexahedra = grid(COUNTS, LOW, HIGH)
write_mesh("bar.msh", nodes, hexahedra)
# one cell is the other way round, and numbers of nodes are drawn
turned = hexahedra.copy()
turned[5] = turned[5][[4, 5, 6, 7, 0, 1, 2, 3]]
order = drawn.permutation(len(nodes))
place = numpy.empty_like(nodes)
place[order] = nodes
write_mesh("drawn.msh", place, order[turned])
holds = [{"box": [0.2, 0.4, 0.2], "at": [x, 0, -0.2], "fixed": True} for x in (-0.5, 0.5)]
found = {}
for name, body in (("counts", {"box": [1.2, 0.2, 0.2], "elastic": {"cells": list(COUNTS)}}),
                   ("file", {"mesh": "bar.msh", **FILE}), ("drawn", {"mesh": "drawn.msh", **FILE})):
  bar = {**body, "name": "bar"}
  pressed = [{"on": "bar", "pressure": 5e4, "faces": {"direction": [0, 0, 1]}}]
  done = both(case([*holds, bar], materials=stone(2000, 1e8, poisson=0.2, damping=1e-3),
                   gravity=(0, 0, 0), step=2e-3, end=0.04, frames=0.04, friction=0.3,
                   loads=pressed, solver={"tolerance": 1e-12}), f"bar_{name}")
  check_converged(f"bar of {name}", done, 1e-12)
  points, stress = nodes_of(done)
  rows = numpy.lexsort(numpy.round(points - [0, 0, 1], 3).T)
  found[name] = (points[rows], stress[rows], done["elastic_energy"])
bent = numpy.ptp(found["counts"][0][:, 2]) - 0.2
check("bar: bends by, m", bent, ">", 1e-3)
for name in ("file", "drawn"):
  check(f"bar of {name}: places of nodes off those by counts, over its bending",
        abs(found[name][0] - found["counts"][0]).max() / bent, "<", 1e-9)
  check(f"bar of {name}: stress off, over the largest",
        abs(found[name][1] - found["counts"][1]).max() / abs(found["counts"][1]).max(), "<", 1e-9)
  check(f"bar of {name}: elastic energy off, relative",
        abs(found[name][2] / found["counts"][2] - 1).max(), "<", 1e-9)

# -- distorted cells -------------------------------------------------------------------------------

# pressed on all sides of a block whose nodes within are anywhere and whose faces have uneven cells,
# then to rest: one stress
PRESS = 1.0
corner, cells = grid((4, 3, 3), (-0.4, -0.3, -0.3), (0.4, 0.3, 0.3))
within = inner(corner)
corner[within] += drawn.uniform(-0.06, 0.06, (within.sum(), 3))
for axis in range(3):   # nodes of one face slide in its plane
  side = numpy.isclose(corner[:, axis], corner[:, axis].max())
  free = side & (abs(numpy.delete(corner, axis, axis=1))
                 < [a - 1e-9 for k, a in enumerate((0.4, 0.3, 0.3)) if k != axis]).all(axis=1)
  for other in {0, 1, 2} - {axis}:
    corner[free, other] += drawn.uniform(-0.05, 0.05, free.sum())
write_mesh("distorted.msh", corner, cells)
ends = [{"pressure": {"table": [[0, 0], [0.5, PRESS], [9, PRESS]]}, "on": "block",
         "faces": {"direction": [0, 0, way]}} for way in (1, -1)]
done = both(case([{"mesh": "distorted.msh", "name": "block", **FILE}],
                 materials=stone(2000, 1e6, poisson=0.2, damping=1e-2), gravity=(0, 0, 0),
                 step=2e-2, end=3.0, frames=3.0, loads=ends,
                 solver={"tolerance": 1e-12, "correction": 0}), "distorted")
off = nodes_of(done)[1] + PRESS * numpy.array([0, 0, 1, 0, 0, 0])
check("distorted: error of stress at nodes over the pressure", abs(off).max() / PRESS, "<", 1e-9)

# -- a body that is not convex flies against a floor -----------------------------------------------

corner, cells = grid((3, 2, 3), (0, 0, 0), (0.6, 0.4, 0.6))
cells = cells[[i for i in range(len(cells)) if not (i % 3 > 0 and i // 6 > 0)]]   # an L
write_mesh("boot.msh", corner, cells)
floor = {"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True}
lost = []
for step in (1e-3, 5e-4):
  flying = case([floor, {"mesh": "boot.msh", "at": [0, 0, 0.002], "velocity": [0.2, 0, -1],
                         "spin": [0.5, 1, 0.2], "name": "boot", **FILE}],
                materials=stone(2000, 1e7, poisson=0.2), step=step, end=0.04, frames=0.04,
                friction=0.3, solver={"tolerance": 1e-9})
  done = both(flying, "flying")
  check_converged("flying", done, 1e-9)
  energy = done["kinetic_energy"][0] + done["elastic_energy"][0]
  lost.append(unexplained(done) / energy)
check("flying: energy that no work explains, relative", lost[0], "<", 1e-4)
# as that of tetrahedra, which is 1.01 times this, and of boxes by counts
check("flying: that of half steps over it", lost[1] / lost[0], "<", 0.65)
check("flying: elastic energy, largest, over all", done["elastic_energy"].max() / energy, ">", 0.01)
found = done.results.elastic()
edges = numpy.diff(found["points"][found["cells"][:, [0, 1, 0, 3, 0, 4]]], axis=1)[:, ::2]
check_same("flying: cells of frames are VTK's hexahedra",
           (set(found["types"]), (numpy.linalg.det(edges) > 0).all()), ({12}, True))
check_same("flying: info counts cells", done.info("finite_elements")["cells"], len(cells))

# -- what is told, and refused ---------------------------------------------------------------------

path = write("said", flying)
code, text, message = told(path, "check")
shape = json.loads(told(path, "check", "--json")[1])["elements"]["shapes"][0]
check_same("check: the shape", (shape["kind"], shape["cells"], shape["nodes"], shape["worst_cell"]),
           ("hexahedra", 10, 36, 0))
check_near("check: quality of cubes", shape["quality"], 1, 1e-12)
check_same("check: text", "1 body of 10 hexahedra, 36 nodes" in text, True)
code, text, message = told("boot.msh", "mesh", "--cells", "file")
check_same("mesh: text", ("10 cells, 36 nodes; the worst is cell 0, quality 1;" in text,
                          "parts       2, from 10 hexahedra of the file" in text), (True, True))
check_same("mesh: cells that were mirrored",
           "1 hexahedron turned" in told("drawn.msh", "mesh")[1], True)

warped = nodes.copy()
warped[-1] += [0.01, 0.02, 0.03]
write_mesh("warped.msh", warped, hexahedra)
folded = nodes.copy()
folded[inner(nodes)] += [0.15, 0, 0]
write_mesh("folded.msh", folded, hexahedra)
write_mesh("mixed.msh", nodes, hexahedra, more=[(4, hexahedra[0][[0, 1, 2, 4]])])
write_mesh("prisms.msh", nodes, [hexahedra[0][[0, 1, 2, 4, 5, 6]]], kind=6)
# an edge that hardly stands out
wedge, one = grid((1, 1, 1), (0, 0, 0), (1, 1, 1))
wedge[[3, 7], :2] = 0.50002
write_mesh("flat.msh", wedge, one)
for name, message in (
    ("warped", "warped.msh: block 'volume 1': hexahedron 48 of the file has a side on the surface "
     "that is not plane, at (0.6, 0, 0): its diagonals pass each other by 0.00399 m; move its "
     "corners into a plane, or save tetrahedra"),
    ("folded", "hexahedron 12 of the file is flat or turned inside out in a part of it, at (0.5, "),
    ("mixed", "mixed.msh:174: tetrahedra and hexahedra in one file are not read; save cells of one "
     "kind"),
    ("prisms", "prisms.msh:126: prisms are not read; save tetrahedra or hexahedra, or the surface "
     "alone"),
    ("flat", "body 'bar': elastic.cells: cell 0, at (-0.33334, -0.33334, -0.5) from the centre of "
     "mass, is flat: its quality is 8e-05")):
  path = write(f"no_{name}", case([{"mesh": f"{name}.msh", "name": "bar", **FILE}],
                                  materials=stone(2000, 1e8)))
  code, text, said = told(path, "check")
  check_same(f"refused: {name}: {said.strip()[-160:]}", (code, message in said, said.count("\n")),
             (2, True, 1))
finish()
