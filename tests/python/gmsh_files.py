"""Files of Gmsh that tests write: grids of hexahedra."""
# test: needs python3 python3-numpy
import numpy

ORDER = (0, 1, 3, 2, 4, 5, 7, 6)   # corners by bits of x, y, z, as Gmsh goes round them


def grid(counts, low, high):
  """Nodes [n, 3] of a box, fastest along x, and hexahedra [n, 8] as rows of nodes."""
  axes = [numpy.linspace(a, b, n + 1) for a, b, n in zip(low, high, counts)]
  nodes = numpy.array([(x, y, z) for z in axes[2] for y in axes[1] for x in axes[0]])
  number = numpy.arange(len(nodes)).reshape([n + 1 for n in counts[::-1]])
  cells = [[number[k + (c >> 2), j + (c >> 1 & 1), i + (c & 1)] for c in ORDER]
           for k in range(counts[2]) for j in range(counts[1]) for i in range(counts[0])]
  return nodes, numpy.array(cells)


def inner(nodes):
  """Which nodes lie within the box of all."""
  low, high = nodes.min(axis=0), nodes.max(axis=0)
  return ((nodes > low + 1e-9) & (nodes < high - 1e-9)).all(axis=1)


def write_mesh(path, nodes, cells, kind=5, more=()):
  """A file of version 2.2; more: rows (kind, nodes) of other elements."""
  rows = [(kind, cell) for cell in cells] + list(more)
  with open(path, "w", encoding="utf-8") as file:
    file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(nodes)}\n")
    for i, (x, y, z) in enumerate(nodes):
      file.write(f"{i + 1} {float(x)!r} {float(y)!r} {float(z)!r}\n")
    file.write(f"$EndNodes\n$Elements\n{len(rows)}\n")
    for i, (of, cell) in enumerate(rows):
      file.write(f"{i + 1} {of} 2 0 1 {' '.join(str(n + 1) for n in cell)}\n")
    file.write("$EndElements\n")
  return path
