#!/usr/bin/env python3
"""What drystone check and drystone mesh say of bodies of finite elements, against known answers."""
# test: needs python3 tetgen
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from affine import stone
from cases import case, check, check_near, check_same, finish, program, write


def call(*words):
  done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
  check_same(f"exit code of {' '.join(words)}", done.returncode, 0)
  return done.stdout


def checked(name, described):
  """The values and the text of drystone check."""
  path = write(name, described)
  return json.loads(call("check", path, "--json"))["elements"], call("check", path)


# -- frequencies ---------------------------------------------------------------------------------

# a free bar three times as long as wide: two ways to bend and one to twist lie below waves along it
c = math.sqrt(1e9 / 2500)
wide = {"box": [0.9, 0.3, 0.3], "at": [0, 0, 1], "name": "bar",
        "elastic": {"cells": [12, 4, 4], "most_nodes": 325}}
elements, text = checked("bar", case([wide], materials=stone(2500, 1e9)))
bar = elements["shapes"][0]
check_same("bar: counts", (elements["bodies"], elements["nodes"], elements["cells"]), (1, 325, 192))
check_near("bar: waves along it, c/(2L), Hz", bar["frequencies"][3], c / 1.8, 0.01 * c / 1.8)
check_near("bar: how often they cross it in a step", bar["crossings"], 1e-3 * c / 0.9, 1e-12)
check_same("bar: text", (f"{bar['frequencies'][0]:.5g}, " in text,
                         "worst cell 0, quality 1" in text), (True, True))
check("bar: inertia of lumped masses", bar["inertia_error"], "<", 1e-12)
check_same("bar: nothing to say of it", "inertia off" in text, False)

# a slender one bends as Euler's and Bernoulli's, both ways alike
slender = {"box": [1, 0.02, 0.02], "at": [0, 0, 1], "elastic": {"cells": [40, 1, 1]}}
elements, text = checked("slender", case([slender], materials=stone(2500, 1e10)))
slender = elements["shapes"][0]
bend = 4.730040745**2 / (2 * math.pi) * math.sqrt(1e10 * 0.02**2 / 12 / 2500)
for frequency in slender["frequencies"][:2]:
  check_near("slender: lowest frequency, Hz", frequency, bend, 0.01 * bend)
# masses at both faces: a quarter of the square of a side in place of a twelfth of it
check_near("slender: error in inertia", slender["inertia_error"],
           0.02**2 / 6 / ((1 + 2 * 0.02**2) / 12), 1e-9)
check_same("slender: text", "inertia off by 0.0008 of itself" in text, True)

# -- counts --------------------------------------------------------------------------------------

# a wall has bricks and half bricks, a material of a part makes another row; a wedge has worse cells
wall = {"wall": {"courses": 5, "bricks": 3, "brick": [0.4, 0.2, 0.2]}, "name": "wall",
        "elastic": {"cells": [2, 2, 1]}}
wedge = {"hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.4, 0, 1], [0.6, 0, 1],
                  [0.4, 1, 1], [0.6, 1, 1]],
         "at": [0, 0, 3], "name": "wedge", "elastic": {"cells": [2, 2, 2]}}
floor = {"box": [9, 9, 1], "at": [0, 0, -0.5], "fixed": True}
elements, text = checked("counts", case([floor, wall, wedge], materials=stone(2500, 1e9)))
full, half, last = elements["shapes"]
check_same("counts: bodies of each shape",
           [(s["name"], s["bodies"], s["divisions"], s["nodes"]) for s in (full, half, last)],
           [("wall", 13, [2, 2, 1], 18), ("wall", 4, [2, 2, 1], 18), ("wedge", 1, [2, 2, 2], 27)])
check_same("counts: in all", (elements["bodies"], elements["nodes"], elements["cells"]),
           (18, 17 * 18 + 27, 17 * 4 + 8))
check_same("counts: the worst is of the wedge", elements["worst"], 2)
# sides of 60 degrees and less against the base: the sine of the angle at a lower corner
check("counts: quality of the worst cell", last["quality"], "<", 0.95)
check_same("counts: text", f"the worst is cell {last['worst_cell']} of 'wedge'" in text, True)
check("counts: half bricks have higher frequencies", half["frequencies"][0], ">",
      1.2 * full["frequencies"][0])

# a body that is rigid or affine has none
elements, text = checked("none", case([{"box": [1, 1, 1], "at": [0, 0, 1], "elastic": "affine"}],
                                      materials=stone(2500, 1e9)))
check_same("none", (elements["bodies"], elements["shapes"], "elements" in text), (0, [], False))

# more nodes than frequencies are looked for
elements, text = checked("many", case([{"box": [1, 1, 1], "at": [0, 0, 1],
                                        "elastic": {"cells": [15, 15, 15], "most_nodes": 5000}}],
                                      materials=stone(2500, 1e9)))
check_same("many", (elements["shapes"][0]["frequencies"], "frequencies not looked for" in text),
           ([], True))

# -- meshes --------------------------------------------------------------------------------------

BOX = [(x, y, z) for z in (0, 1) for y in (0, 2) for x in (0, 4)]
SIDES = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
with open("mesh.obj", "w", encoding="utf-8") as file:
  file.writelines(f"v {x} {y} {z}\n" for x, y, z in BOX)
  file.writelines(f"v {x} {y} {z + 3}\n" for x, y, z in BOX[:6])
  file.write("o box\n")
  file.writelines(f"f {' '.join(map(str, side))}\n" for side in SIDES)
  file.write("o prism\n")
  file.writelines(f"f {' '.join(str(8 + i) for i in side)}\n"
                  for side in ((1, 3, 4, 2), (1, 2, 6, 5), (3, 5, 6, 4), (1, 5, 3), (2, 4, 6)))
text = call("mesh", "mesh.obj", "--cells", "4,2,1")
box, prism = json.loads(call("mesh", "mesh.obj", "--cells", "4,2,1", "--json"))["bodies"]
check_same("mesh: a box", (box["elements"]["cells"], box["elements"]["nodes"],
                           box["elements"]["refusal"]), (8, 30, None))
check_near("mesh: quality", box["elements"]["quality"], 1, 1e-12)
check_near("mesh: error in inertia", box["elements"]["inertia_error"], 2 / 21, 1e-9)
check_same("mesh: a prism stays whole", (prism["elements"]["cells"], prism["elements"]["refusal"]),
           (0, "it has no six sides of four corners each"))
check_same("mesh: text", ("8 cells, 30 nodes; the worst is cell 0, quality 1;" in text,
                          "elements    none: it has no six sides" in text), (True, True))
check_same("mesh: nobody asked", "elements" in call("mesh", "mesh.obj", "--json"), False)
for word in ("4,2", "0,1,1", "65,1,1", "4,2,1,1", "a,b,c"):
  done = subprocess.run([program, "mesh", "mesh.obj", "--cells", word], capture_output=True,
                        text=True, check=False)
  check_same(f"mesh: --cells {word} is refused", (done.returncode, "expected three counts" in
                                                  done.stderr), (2, True))
finish()
