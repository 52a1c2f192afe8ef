#!/bin/bash
# tests/bench/inner_spheres.sh [BUILD [SPHERES...]]   share that inner spheres fill, and errors of common volumes and
# normals by depth, of a cube and of a rock of 1,280 triangles (1000 10000): the table in io/README.md; with the seconds
# of each command. For people: some seconds; the rock needs TetGen.
# test: needs python3
build=$(realpath "${1:-$(dirname "$0")/../../build}") || exit 2
shift
counts=${*:-1000 10000}
folder=$(mktemp -d) && cd "$folder" || exit 2
trap 'rm -rf "$folder"' EXIT

python3 - <<'END_OF_PROGRAM' || exit 2
import math

cube = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
with open("cube.obj", "w") as file:
  file.writelines("v %g %g %g\n" % tuple(p) for p in cube)
  file.writelines(f"f {face}\n" for face in faces)


def unit(p):
  length = math.hypot(*p)
  return tuple(x / length for x in p)


# an icosahedron, each triangle in four, three times, with bumps
t = (1 + 5 ** 0.5) / 2
corners = [unit(p) for p in ((-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t),
                             (0, -1, -t), (0, 1, -t), (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1))]
triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
             (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11),
             (6, 2, 10), (8, 6, 7), (9, 8, 1)]
for _ in range(3):
  halves, finer = {}, []

  def half(a, b):
    key = (min(a, b), max(a, b))
    if key not in halves:
      corners.append(unit([x + y for x, y in zip(corners[a], corners[b])]))
      halves[key] = len(corners) - 1
    return halves[key]

  for a, b, c in triangles:
    ab, bc, ca = half(a, b), half(b, c), half(c, a)
    finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
  triangles = finer
with open("rock.obj", "w") as file:
  for x, y, z in corners:
    r = 0.5 * (1 + 0.12 * math.sin(4 * x + 1) * math.cos(3 * y) + 0.08 * math.sin(7 * z + 2 * x))
    file.write("v %.9f %.9f %.9f\n" % (r * x, r * y, r * z))
  file.writelines("f %d %d %d\n" % (a + 1, b + 1, c + 1) for a, b, c in triangles)
END_OF_PROGRAM

TIMEFORMAT='%U s of a core'
for mesh in cube rock; do
  for count in $counts; do
    echo "$mesh, $count spheres"
    time "$build/drystone" mesh $mesh.obj --spheres "$count" | sed -n '/^  spheres/,/0\.1 *turned/p'
  done
done
