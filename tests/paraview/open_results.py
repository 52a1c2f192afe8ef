"""Opens a folder of results in ParaView, compares it with the HDF5 files, draws the last frame.

    xvfb-run -a pvbatch tests/paraview/open_results.py FOLDER OUT.png

Exits with 1 after the list of differences, with 0 when there are none. The numbers come from h5py
in a process of its own: two HDF5 libraries in one process disturb each other.
"""
# test: needs python3 python3-h5py python3-numpy python3-paraview

import glob
import json
import math
import os
import subprocess
import sys


def numbers_of(folder):
    """What the HDF5 files hold, frame by frame; runs under a Python with h5py."""
    import h5py
    import numpy

    def span(values):
        return [float(values.min()), float(values.max())] if len(values) else None

    def lengths(vectors):
        return numpy.sqrt((vectors[:] ** 2).sum(axis=1))

    def tensors_of(frame):
        """Ranges of the components of tensors that bodies which deform have."""
        return {name: [span(frame["mesh/" + name][:, k]) for k in range(6)]
                for name in ("strain", "stress") if "mesh/" + name in frame}

    def facets_of(path):
        with h5py.File(path, "r") as file:
            return file["mesh/body"][:]

    def joints_of(frame):
        if "joints" not in frame:
            return None
        joints, ends = frame["joints"], frame["joints/ends"][:]
        return {"rows": len(joints["line"]), "points": len(ends),
                "box": [span(ends[:, axis]) for axis in range(3)],
                "force": span(lengths(joints["force"])), "status": span(joints["status"][:]),
                "joint": span(joints["joint"][:])}

    def elastic_of(frame, shared):
        """Nodes and cells of finite elements; None where a frame has none."""
        if "elastic" not in frame:
            return None
        nodes, points = frame["elastic"], frame["elastic/points"][:]
        cells = nodes if "types" in nodes else shared["elastic"]
        found = {name: span(lengths(nodes[name])) for name in
                 ("velocity", "displacement", "force", "principal_stress")}
        return {"points": len(points), "cells": len(cells["types"]),
                "box": [span(points[:, axis]) for axis in range(3)],
                "nodes": {**found, "von_mises": span(nodes["von_mises"][:])},
                "stress": [span(nodes["stress"][:, k]) for k in range(6)],
                "body": span(cells["body"][:]), "volume": volume_of(points, cells)}

    def volume_of(points, cells):
        """Of all hexahedra: each face of one as two triangles by its first corner."""
        sides = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
        corner = points[cells["connectivity"][:].reshape(-1, 8).astype(int)]
        total = 0.0
        for a, b, c, d in sides:
            for e, f in ((b, c), (c, d)):
                total += numpy.einsum("ij,ij->", corner[:, a],
                                      numpy.cross(corner[:, e], corner[:, f])) / 6
        return float(total)

    def tables_of(frame):
        """Points, rows and ranges of what frames tell besides; None where a frame has it not."""
        if "interfaces" not in frame:
            return None
        places = {"centres": frame["bodies/position"][:], "chains": frame["bodies/position"][:],
                  "interfaces": frame["interfaces/point"][:]}
        rows = {"centres": len(places["centres"]), "chains": len(frame["chains/line"]),
                "interfaces": len(places["interfaces"])}
        shown = {"centres": {name: span(lengths(frame["bodies/" + name]))
                             for name in ("displacement", "rotation")},
                 "chains": {"force": span(frame["chains/force"][:])},
                 "interfaces": {"force": span(lengths(frame["interfaces/force"])),
                                "opening": span(frame["interfaces/opening"][:])}}
        shown["centres"]["volume"] = span(frame["bodies/volume"][:])
        return {name: {"rows": rows[name], "points": len(places[name]), "shown": shown[name],
                       "box": [span(places[name][:, axis]) for axis in range(3)]} for name in rows}

    # in a frame where bodies come or go, else in one file for all
    topology = os.path.join(folder, "topology.h5")
    shared = facets_of(topology) if os.path.exists(topology) else None
    topology_file = None if shared is None else h5py.File(topology, "r")
    frames = []
    for path in glob.glob(os.path.join(folder, "frame-*.h5")):
        facets = facets_of(path) if shared is None else shared
        with h5py.File(path, "r") as frame:
            points = frame["mesh/points"][:]
            frames.append({
                "step": int(frame.attrs["step"]),
                "time": float(frame.attrs["time"]),
                "cells": len(facets),
                "points": len(points),
                "box": [span(points[:, axis]) for axis in range(3)],
                "body": span(facets),
                "speed": span(frame["mesh/speed"][:]),
                "velocity": span(lengths(frame["mesh/velocity"])),
                "rank": span(frame["mesh/rank"][:]),
                "tensors": tensors_of(frame),
                "joints": joints_of(frame),
                "elastic": elastic_of(frame, topology_file),
                "tables": tables_of(frame),
                "displacement": span(lengths(frame["mesh/displacement"])),
                "mean_stress": span(frame["mesh/mean_stress"][:]),
                "force": span(lengths(frame["contacts/force"])),
                "slip": span(frame["contacts/slip"][:]),
                "status": span(frame["contacts/status"][:]),
                "contacts": len(frame["contacts/point"]),
                "gap": span(frame["contacts/gap"][:]),
                "area": span(frame["contacts/area"][:]),
                "reaction": span(lengths(frame["contacts/reaction_world"])),
                "normal": span(lengths(frame["contacts/normal"])),
            })
    return sorted(frames, key=lambda frame: frame["step"])


def numbers_from_another_process(folder):
    """The same through whichever Python has h5py."""
    for python in ("/usr/bin/python3", "python3"):
        try:
            answer = subprocess.run([python, os.path.abspath(__file__), "--numbers", folder],
                                    capture_output=True, text=True, check=True)
            return json.loads(answer.stdout)
        except (OSError, subprocess.CalledProcessError) as error:
            reason = getattr(error, "stderr", None) or error
    sys.exit(f"cannot read {folder} through h5py: {reason}")


class Comparison:
    """Counts what was compared and lists what differs."""

    def __init__(self):
        self.count = 0
        self.differences = []

    def equal(self, what, found, expected):
        """Numbers, None, or lists of them: equal up to rounding in their last digits."""
        self.count += 1
        if not self.near(found, expected):
            self.differences.append(f"{what}: ParaView has {found}, the files have {expected}")

    def near(self, found, expected):
        if isinstance(expected, list):
            return (isinstance(found, (list, tuple)) and len(found) == len(expected)
                    and all(self.near(f, e) for f, e in zip(found, expected)))
        if expected is None or found is None:
            return found is expected
        return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-300)


def span_of(arrays, name):
    """Range of an array, of the length of its rows where they are vectors."""
    array = arrays[name]
    return list(array.GetRange(-1 if array.GetNumberOfComponents() > 1 else 0))


def compare_bodies(reader, frames, label, comparison):
    for frame in frames:
        reader.UpdatePipeline(frame["time"])
        data, where = reader.GetDataInformation(), f"{label} bodies, step {frame['step']}"
        comparison.equal(f"{where}, cells", data.GetNumberOfCells(), frame["cells"])
        comparison.equal(f"{where}, points", data.GetNumberOfPoints(), frame["points"])
        if not frame["cells"]:
            continue
        bounds = data.GetBounds()
        box = [list(bounds[2 * axis:2 * axis + 2]) for axis in range(3)]
        comparison.equal(f"{where}, box", box, frame["box"])
        for name in ("body", "speed", "velocity", "rank", "mean_stress"):
            comparison.equal(f"{where}, {name}", span_of(reader.CellData, name), frame[name])
        for name, expected in frame["tensors"].items():
            array = reader.CellData[name]
            found = [list(array.GetRange(k)) for k in range(array.GetNumberOfComponents())]
            comparison.equal(f"{where}, {name}", found, expected)
        for name in ("material", "drive", "part"):
            comparison.equal(f"{where}, {name} there", name in reader.CellData.keys(), True)


def compare_contacts(reader, frames, label, comparison):
    for frame in frames:
        reader.UpdatePipeline(frame["time"])
        data, where = reader.GetDataInformation(), f"{label} contacts, step {frame['step']}"
        comparison.equal(f"{where}, cells", data.GetNumberOfCells(), frame["contacts"])
        comparison.equal(f"{where}, points", data.GetNumberOfPoints(), frame["contacts"])
        if not frame["contacts"]:
            continue
        for name in ("gap", "area", "reaction", "normal", "force", "slip", "status"):
            comparison.equal(f"{where}, {name}", span_of(reader.PointData, name), frame[name])
        for name, width in (("bodies", 2), ("key", 6)):
            found = reader.PointData[name].GetNumberOfComponents()
            comparison.equal(f"{where}, components of {name}", found, width)


def compare_joints(reader, frames, label, comparison):
    for frame in frames:
        reader.UpdatePipeline(frame["time"])
        data, where = reader.GetDataInformation(), f"{label} joints, step {frame['step']}"
        expected = frame["joints"]
        comparison.equal(f"{where}, lines", data.GetNumberOfCells(), expected["rows"])
        if not expected["rows"]:
            continue
        comparison.equal(f"{where}, ends", data.GetNumberOfPoints(), expected["points"])
        bounds = data.GetBounds()
        comparison.equal(f"{where}, box",
                         [[bounds[2 * axis], bounds[2 * axis + 1]] for axis in range(3)],
                         expected["box"])
        for name in ("force", "status", "joint"):
            comparison.equal(f"{where}, {name}", span_of(reader.CellData, name), expected[name])


def compare_elastic(reader, frames, label, comparison):
    from paraview import simple

    for frame in frames:
        reader.UpdatePipeline(frame["time"])
        data, where = reader.GetDataInformation(), f"{label} elastic, step {frame['step']}"
        expected = frame["elastic"]
        comparison.equal(f"{where}, cells", data.GetNumberOfCells(), expected["cells"])
        comparison.equal(f"{where}, points", data.GetNumberOfPoints(), expected["points"])
        bounds = data.GetBounds()
        comparison.equal(f"{where}, box",
                         [[bounds[2 * axis], bounds[2 * axis + 1]] for axis in range(3)],
                         expected["box"])
        for name, span in expected["nodes"].items():
            comparison.equal(f"{where}, {name}", span_of(reader.PointData, name), span)
        array = reader.PointData["stress"]
        comparison.equal(f"{where}, stress", [list(array.GetRange(k)) for k in range(6)],
                         expected["stress"])
        comparison.equal(f"{where}, body", span_of(reader.CellData, "body"), expected["body"])
        # cells are whole and not inside out
        measured = simple.IntegrateVariables(Input=reader)
        measured.UpdatePipeline(frame["time"])
        volume = measured.CellData["Volume"].GetRange(0)[0]
        comparison.equal(f"{where}, volume", math.isclose(volume, expected["volume"], rel_tol=1e-3)
                         and volume > 0, True)


def compare_tables(reader, name, frames, label, comparison):
    """Centres, interfaces and chains."""
    for frame in frames:
        reader.UpdatePipeline(frame["time"])
        data, where = reader.GetDataInformation(), f"{label} {name}, step {frame['step']}"
        expected = frame["tables"][name]
        comparison.equal(f"{where}, rows", data.GetNumberOfCells(), expected["rows"])
        if not expected["rows"]:
            continue
        comparison.equal(f"{where}, points", data.GetNumberOfPoints(), expected["points"])
        bounds = data.GetBounds()
        comparison.equal(f"{where}, box",
                         [[bounds[2 * axis], bounds[2 * axis + 1]] for axis in range(3)],
                         expected["box"])
        arrays = reader.CellData if name == "chains" else reader.PointData
        for array, span in expected["shown"].items():
            comparison.equal(f"{where}, {array}", span_of(arrays, array), span)


def draw(bodies, contacts, frame, picture):
    """Bodies by speed, half transparent; contact points with arrows along their reactions."""
    from paraview import simple

    view = simple.CreateView("RenderView")
    view.ViewSize = [1200, 800]
    view.OrientationAxesVisibility = 1
    # without a window the view still follows the palette of the session
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.ViewTime = frame["time"]
    shown = simple.Show(bodies, view)
    shown.Representation = "Surface With Edges"
    shown.Opacity = 0.6
    simple.ColorBy(shown, ("CELLS", "speed"))
    shown.RescaleTransferFunctionToDataRange(True)
    shown.SetScalarBarVisibility(view, True)
    bar = simple.GetScalarBar(simple.GetColorTransferFunction("speed"), view)
    bar.Title, bar.ComponentTitle = "speed (m/s)", ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    if frame["contacts"]:
        size = max(high - low for low, high in frame["box"])
        points = simple.Glyph(Input=contacts, GlyphType="Sphere")
        points.ScaleArray = ["POINTS", "No scale array"]
        points.ScaleFactor = 0.012 * size
        points.GlyphMode = "All Points"
        arrows = simple.Glyph(Input=contacts, GlyphType="Arrow")
        arrows.OrientationArray = ["POINTS", "force"]
        arrows.ScaleArray = ["POINTS", "force"]
        arrows.ScaleFactor = 0.1 * size / max(frame["force"][1], 1e-300)
        arrows.GlyphMode = "All Points"
        for glyph, colour in ((points, [0.8, 0, 0]), (arrows, [0, 0, 0])):
            drawn = simple.Show(glyph, view)
            simple.ColorBy(drawn, None)
            drawn.AmbientColor = drawn.DiffuseColor = colour
    view.CameraPosition, view.CameraFocalPoint = [-2, -4, 2], [0, 0, 0]
    view.CameraViewUp = [0, 0, 1]
    view.ResetCamera()
    simple.Render(view)
    simple.SaveScreenshot(picture, view)


def main(folder, picture):
    from paraview import simple

    frames = numbers_from_another_process(folder)
    if not frames:
        sys.exit(f"no frames in {folder}")
    comparison = Comparison()
    files = [os.path.join(folder, name) for name in ("bodies.xmf", "contacts.xmf")]
    times = [frame["time"] for frame in frames]

    # the reader ParaView takes by itself
    bodies, contacts = (simple.OpenDataFile(file) for file in files)
    for reader, name in ((bodies, "bodies"), (contacts, "contacts")):
        reader.UpdatePipelineInformation()
        found = reader.TimestepValues   # a number where there is one alone
        comparison.equal(f"times of {name}",
                         list(found) if hasattr(found, "__len__") else [found], times)
    compare_bodies(bodies, frames, "default reader,", comparison)
    compare_contacts(contacts, frames, "default reader,", comparison)

    joined = [frame for frame in frames if frame["joints"]]
    file = os.path.join(folder, "joints.xmf")
    comparison.equal("a file for joints where there are any", os.path.exists(file), bool(joined))
    if joined:
        compare_joints(simple.OpenDataFile(file), joined, "default reader,", comparison)
        compare_joints(simple.XDMFReader(FileNames=[file]),
                       [frame for frame in joined if frame["joints"]["rows"]], "old reader,",
                       comparison)

    elastic = [frame for frame in frames if frame["elastic"]]
    file = os.path.join(folder, "elastic.xmf")
    comparison.equal("a file for finite elements where there are any", os.path.exists(file),
                     bool(elastic))
    if elastic:
        compare_elastic(simple.OpenDataFile(file), elastic, "default reader,", comparison)
        compare_elastic(simple.XDMFReader(FileNames=[file]), elastic, "old reader,", comparison)

    for name in ("centres", "interfaces", "chains"):
        file = os.path.join(folder, name + ".xmf")
        compare_tables(simple.OpenDataFile(file), name, frames, "default reader,", comparison)
        compare_tables(simple.XDMFReader(FileNames=[file]), name,
                       [frame for frame in frames if frame["tables"][name]["rows"]], "old reader,",
                       comparison)

    # the older one, which complains of frames without bodies or contacts
    compare_bodies(simple.XDMFReader(FileNames=files[:1]),
                   [frame for frame in frames if frame["cells"]], "old reader,", comparison)
    compare_contacts(simple.XDMFReader(FileNames=files[1:]),
                     [frame for frame in frames if frame["contacts"]], "old reader,", comparison)

    for reader in (bodies, contacts):
        reader.UpdatePipeline(times[-1])
    draw(bodies, contacts, frames[-1], picture)
    comparison.equal("the picture is there", os.path.getsize(picture) > 10000, True)
    for difference in comparison.differences:
        print(difference)
    failed = len(comparison.differences)
    print(f"{comparison.count} comparisons in {len(frames)} frames, {failed} failed")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--numbers":
        print(json.dumps(numbers_of(sys.argv[2])))
    elif len(sys.argv) == 3:
        code = main(os.path.abspath(sys.argv[1]), sys.argv[2])
        sys.stdout.flush()
        # leaving through the interpreter's end would make ParaView print about its own leaks
        os._exit(code)
    else:
        sys.exit(__doc__)
