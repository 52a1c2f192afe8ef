#!/usr/bin/env python3
"""Writes the reference meshes of this folder: closed surfaces, counter-clockwise seen from outside.

tests/meshes/make_meshes.py [FOLDER]   prints a name and its volume in m3 for each mesh
"""
# test: needs python3
import math
import os
import sys


def prism(outline, caps, height):
    """A polygon in the plane, counter-clockwise, raised along z; caps: triangles of the polygon."""
    count = len(outline)
    points = [(x, y, 0.0) for x, y in outline] + [(x, y, height) for x, y in outline]
    faces = [tuple(reversed(cap)) for cap in caps]
    faces += [tuple(count + i for i in cap) for cap in caps]
    for i in range(count):
        j = (i + 1) % count
        faces.append((i, j, count + j, count + i))
    return points, faces


def corner():
    """An L of three unit cubes."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    return prism(outline, [(0, 1, 3), (1, 2, 3), (0, 3, 5), (3, 4, 5)], 1.0)


def channel():
    """A U of five unit cubes."""
    outline = [(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)]
    return prism(outline, [(0, 1, 4), (1, 2, 4), (2, 3, 4), (0, 4, 5), (0, 5, 7), (5, 6, 7)], 1.0)


def torus(rings=10, sides=10, large=2.0, small=0.5):
    """A ring of triangles: rings along it, sides around it."""
    points, faces = [], []
    for i in range(rings):
        a = 2 * math.pi * i / rings
        for k in range(sides):
            b = 2 * math.pi * k / sides
            r = large + small * math.cos(b)
            points.append((r * math.cos(a), r * math.sin(a), small * math.sin(b)))
    for i in range(rings):
        for k in range(sides):
            p, q = i * sides + k, i * sides + (k + 1) % sides
            s, t = ((i + 1) % rings * sides + k % sides, (i + 1) % rings * sides + (k + 1) % sides)
            faces += [(p, s, t), (p, t, q)]
    return points, faces


def cup():
    """A cup of eight sides: walls as thick as half the radius, a floor of 0.5, open on top."""
    ring = [(2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2)]
    points = [(x, y, 0.0) for x, y in ring] + [(x, y, 3.0) for x, y in ring]
    points += [(x / 2, y / 2, 0.5) for x, y in ring] + [(x / 2, y / 2, 3.0) for x, y in ring]
    faces = [tuple(range(7, -1, -1)), tuple(range(16, 24))]
    for i in range(8):
        j = (i + 1) % 8
        faces.append((i, j, 8 + j, 8 + i))
        faces.append((16 + j, 16 + i, 24 + i, 24 + j))
        faces.append((8 + i, 8 + j, 24 + j, 24 + i))
    return points, faces


def volume(points, faces):
    """Sum of tetrahedra over the origin; exact where the coordinates are small integers."""
    sixfold = 0.0
    for face in faces:
        for i in range(1, len(face) - 1):
            (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (points[face[k]] for k in (0, i, i + 1))
            sixfold += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz)
            sixfold += az * (bx * cy - by * cx)
    return sixfold / 6


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, (points, faces) in (("l", corner()), ("u", channel()), ("torus", torus()),
                                  ("cup", cup())):
        directed = [(f[i], f[(i + 1) % len(f)]) for f in faces for i in range(len(f))]
        assert len(set(directed)) == len(directed), name
        assert all((b, a) in set(directed) for a, b in directed), name
        with open(os.path.join(folder, name + ".obj"), "w", encoding="ascii") as file:
            file.write(f"o {name}\n")
            file.writelines("v %r %r %r\n" % tuple(float(x) for x in p) for p in points)
            file.writelines("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces)
        print(name, repr(volume(points, faces)))


if __name__ == "__main__":
    main()
