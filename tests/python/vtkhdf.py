"""Reads results.vtkhdf as its specification tells readers to, and compares it with the frames.

    python3 tests/python/vtkhdf.py FOLDER...

VTKHDF format specification 2.1 (Kitware): PartitionedDataSetCollection, UnstructuredGrid, temporal
data. What the specification asks for is checked first, then every value against the frames' own
data sets. Exits with 1 after the differences.
"""
# test: needs python3 python3-h5py python3-numpy
import glob
import os
import sys

import h5py
import numpy

POLYGON, VERTEX, LINE, HEXAHEDRON = 7, 1, 3, 12
VIEWS = {"bodies": POLYGON, "centres": VERTEX, "contacts": VERTEX, "interfaces": VERTEX,
         "chains": LINE, "joints": LINE, "volumes": VERTEX, "elastic": HEXAHEDRON}


def check(held, what):
    if not held:
        raise SystemExit("FAILED  " + what)


def text_of(value):
    return value.decode("ascii") if isinstance(value, bytes) else str(value)


def keeps_order(group):
    kept = group.id.get_create_plist().get_link_creation_order()
    return kept == h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED


def type_of(group):
    """The attribute Type, which is a text of fixed length in ASCII."""
    kind = group.attrs.get_id("Type").get_type()
    check(kind.get_class() == h5py.h5t.STRING and not kind.is_variable_str()
          and kind.get_cset() == h5py.h5t.CSET_ASCII, f"{group.name}: Type is a fixed ASCII text")
    return text_of(group.attrs["Type"])


def series(group, name, shape):
    numbers = group[name]
    check(numbers.shape == shape, f"{numbers.name}: of shape {shape}, not {numbers.shape}")
    check(numbers.dtype.kind == "i", f"{numbers.name}: whole numbers with a sign")
    return numbers[:].ravel()


class Block:
    """An UnstructuredGrid in steps."""

    def __init__(self, group):
        self.group, name = group, group.name
        check(tuple(group.attrs["Version"]) == (2, 1), f"{name}: version")
        check(type_of(group) == "UnstructuredGrid", f"{name}: type")
        parts = group["NumberOfPoints"].shape
        self.points, self.cells, self.corners = (
            series(group, "NumberOf" + of, parts) for of in ("Points", "Cells", "ConnectivityIds"))
        steps = group["Steps"]
        count = int(steps.attrs["NSteps"])
        self.times = steps["Values"][:]
        check(self.times.shape == (count,), f"{name}: a time for each step")
        check((numpy.diff(self.times) > 0).all(), f"{name}: times grow")
        self.part, parts_of, self.first_point = (
            series(steps, of, (count,)) for of in ("PartOffsets", "NumberOfParts", "PointOffsets"))
        check((parts_of == 1).all(), f"{name}: a part for each step")
        self.first_cell, self.first_corner = (
            series(steps, of, (count, 1)) for of in ("CellOffsets", "ConnectivityIdOffsets"))
        check(group["Types"].dtype == numpy.uint8, f"{name}: types are bytes")
        check(group["Points"].shape[1:] == (3,), f"{name}: points have three coordinates")
        check(group["Offsets"].shape == (self.cells.sum() + len(self.cells),),
              f"{name}: offsets have one row more than each part has cells")
        check(group["Types"].shape == (self.cells.sum(),), f"{name}: a type for each cell")

    def rows(self, name, first, count):
        numbers = self.group[name]
        check(0 <= first and first + count <= numbers.shape[0],
              f"{numbers.name}: rows {first} to {first + count} of {numbers.shape[0]}")
        return numbers[first:first + count]

    def step(self, t):
        """Points, cells as lists of points, their types, and columns of one step."""
        part, offset = self.part[t], self.first_cell[t]
        cells, corners, points = (of[part] for of in (self.cells, self.corners, self.points))
        ends = self.rows("Offsets", offset + part, cells + 1)
        check(ends[0] == 0 and ends[-1] == corners and (numpy.diff(ends) > 0).all(),
              f"{self.group.name}: offsets of step {t} grow from 0 to {corners}")
        ids = self.rows("Connectivity", self.first_corner[t], corners)
        check(corners == 0 or 0 <= ids.min() <= ids.max() < points,
              f"{self.group.name}: corners of step {t} are points of it")
        columns = {}
        for kind, rows in (("PointData", points), ("CellData", cells)):
            for name in self.group.get(kind, ()):
                check("." not in name, f"{name}: no dots in names")
                first = self.group[f"Steps/{kind}Offsets/{name}"]
                check(first.shape == self.times.shape, f"{first.name}: a row for each step")
                columns[name] = self.rows(f"{kind}/{name}", first[t], rows)
        return {"points": self.rows("Points", self.first_point[t], points), "ends": ends,
                "corners": ids, "types": self.rows("Types", offset, cells), "columns": columns}


def blocks_of(file):
    """The blocks of a collection by name, as the assembly leads to them."""
    root = file["VTKHDF"]
    check(tuple(root.attrs["Version"]) == (2, 1), "version")
    check(type_of(root) == "PartitionedDataSetCollection", "type")
    check(keeps_order(root) and keeps_order(root["Assembly"]), "groups keep their order")
    names = [name for name in root if name != "Assembly"]
    check(sorted(int(root[name].attrs["Index"]) for name in names) == list(range(len(names))),
          "blocks are numbered")
    for name, node in root["Assembly"].items():
        link = node.get(name, getlink=True)
        check(isinstance(link, h5py.SoftLink) and link.path == "/VTKHDF/" + name,
              f"the assembly leads to {name}")
    check(sorted(root["Assembly"]) == sorted(names), "the assembly leads to all blocks")
    blocks = {name: Block(root[name]) for name in names}
    times = next(iter(blocks.values())).times
    check(all((block.times == times).all() for block in blocks.values()), "the times are common")
    return blocks


# ---------------------------------------------------------------------------------------------
# What the frames have themselves.

PATHS = {"contacts": {"reaction": "reaction_world"}, "centres": {"body": "id"}}
TABLES = {"centres": "bodies"}


def cells_of(view, frame, mesh):
    """Points and cells of a view by the frame's own tables."""
    if view == "bodies":
        words, cells = mesh["mesh/topology"][:].astype(int), []
        while len(words):
            check(words[0] == 3, "a polygon")
            cells.append(words[2:2 + words[1]])
            words = words[2 + words[1]:]
        return frame["mesh/points"][:], cells
    if view == "elastic":
        nodes, ends = mesh["elastic/connectivity"][:], mesh["elastic/offsets"][:].astype(int)
        return frame["elastic/points"][:], [nodes[a:b] for a, b in zip(ends, ends[1:])]
    if view == "joints":
        return frame["joints/ends"][:], list(frame["joints/line"][:])
    if view == "chains":
        return frame["bodies/position"][:], list(frame["chains/line"][:])
    table = TABLES.get(view, view)
    points = frame[f"{table}/{'position' if view == 'centres' else 'point'}"][:]
    return points, [[i] for i in range(len(points))]


def column_of(view, name, frame, mesh):
    """A column in the frame, or None where it has none."""
    if view in ("bodies", "elastic"):
        path = {"bodies": "mesh/"}.get(view, "elastic/") + name
        return (frame if path in frame else mesh).get(path)
    table = TABLES.get(view, view)
    return frame.get(f"{table}/{PATHS.get(view, {}).get(name, name)}")


def compare(name, t, shown, frame, mesh):
    there = {"bodies": "mesh", "centres": "bodies/index"}.get(name, name) in frame
    points, cells = cells_of(name, frame, mesh) if there else (numpy.zeros((0, 3)), [])
    if not cells:
        points = points[:0]
    where = f"{name}, step {t}"
    check((shown["points"] == points).all() and shown["points"].shape == points.shape,
          where + ": points")
    check((shown["types"] == VIEWS[name]).all(), where + ": types")
    flat = numpy.concatenate(cells) if cells else numpy.zeros(0)
    check((shown["corners"] == flat).all() and len(shown["corners"]) == len(flat),
          where + ": corners")
    check((numpy.diff(shown["ends"]) == [len(cell) for cell in cells]).all(), where + ": ends")
    compared = 0
    for column, values in shown["columns"].items():
        own = column_of(name, column, frame, mesh)
        if own is None or not cells:
            nothing = numpy.isnan(values) if values.dtype.kind == "f" else values == 0
            check(nothing.all(), f"{where}: {column} is not told")
            continue
        check(values.shape == own.shape, f"{where}: shape of {column}")
        check((values.astype(own.dtype) == own[:]).all(), f"{where}: {column}")
        compared += 1
    return compared


def main(folder):
    frames = [h5py.File(path, "r") for path in sorted(glob.glob(folder + "/frame-*.h5"))]
    frames.sort(key=lambda frame: frame.attrs["step"])
    shared = os.path.join(folder, "topology.h5")
    shared = h5py.File(shared, "r") if os.path.exists(shared) else None
    with h5py.File(os.path.join(folder, "results.vtkhdf"), "r") as file:
        blocks = blocks_of(file)
        check("bodies" in blocks, "bodies are a block")
        times = blocks["bodies"].times
        check(list(times) == [frame.attrs["time"] for frame in frames], f"times of frames: {times}")
        for name, table in (("contacts", "contacts/gap"), ("interfaces", "interfaces/index"),
                            ("chains", "chains/line"), ("joints", "joints/line"),
                            ("volumes", "volumes/index"), ("elastic", "elastic/points")):
            rows = any(len(frame.get(table, ())) for frame in frames)
            check(rows == (name in blocks), f"{name} is a block where there are rows")
        columns = sum(compare(name, t, block.step(t), frame,
                              frame if "mesh/topology" in frame else shared)
                      for name, block in blocks.items() for t, frame in enumerate(frames))
        held = sum(file[name].id.get_storage_size() for name in ("counts/by_1", "counts/by_2"))
    check(columns > 0, "columns were compared")
    print(f"{folder}: {len(frames)} steps, {len(blocks)} views, {columns} columns the same, "
          f"{held} bytes of counts")


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        main(folder)
