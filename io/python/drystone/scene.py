"""Draws frames of a folder of results with ParaView; pvbatch runs it for `drystone picture`.

    xvfb-run -a pvbatch scene.py WISHES.json

WISHES names folder, times (s; null: of the last frame), pictures (paths, one for each time), by,
forces, viewer, zoom, size and enlarge, as picture.py makes them; marks, if there are any, has lines
of thrust and points of hinges for each time. Dynamic bodies are solid, those that are not are
edges; the camera looks at what moves. By tension or von_mises cells of finite elements are drawn
in place of their bodies, with the displacements of their nodes enlarged, and the others are grey.
"""
# test: needs python3 python3-paraview

import json
import os
import sys

import vtk
from paraview import simple

# tones of stone, as value, red, green, blue
STONE = [0, 0.45, 0.42, 0.38,  3, 0.62, 0.55, 0.45,  6, 0.80, 0.70, 0.52,  8, 0.70, 0.45, 0.33,
         10, 0.90, 0.86, 0.78]
GREY = [0.86, 0.85, 0.83]   # of bodies without stress at nodes
NODAL = {"tension": ("largest tension (MPa)", "principal_stress_X / 1e6", "principal_stress"),
         "von_mises": ("von Mises stress (MPa)", "von_mises / 1e6", "von_mises")}
FORCE, HINGE = [0.69, 0.16, 0.12], [0.10, 0.34, 0.66]
REACH = 0.12   # of the scene: length of the longest arrow
WIDTH = 0.012  # of the scene: radius of the tube of the largest force
LINE, POINT, BALL = 0.004, 0.008, 0.016   # of the scene: radii of a line of thrust, of its points
                                          # and of a hinge


def opened(folder, name):
    """A reader of one of the XDMF files, or None where the run has no such file."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return None
    reader = simple.OpenDataFile(path)
    reader.UpdatePipelineInformation()
    return reader


def times_of(reader):
    times = reader.TimestepValues
    return list(times) if hasattr(times, "__len__") else [times]


def only(source, dynamic):
    """The facets of dynamic bodies, or of the others."""
    chosen = simple.Threshold(Input=source)
    chosen.Scalars = ["CELLS", "drive"]
    chosen.LowerThreshold, chosen.UpperThreshold = (0, 0) if dynamic else (1, 2)
    return chosen


def computed(source, name, kind, formula):
    """A source with another array, of its points or cells, by a formula of its arrays."""
    made = simple.Calculator(Input=source)
    made.AttributeType = kind
    made.ResultArrayName = name
    made.Function = formula
    return made


def coloured(bodies, by):
    """Source and array by which bodies are coloured."""
    if by == "body":   # neighbours differ: eleven shades in turn
        return computed(bodies, "shade", "Cell Data", "body - 11 * floor(body / 11)"), "shade"
    if by == "displacement":
        name = "displacement (m)"
        return computed(bodies, name, "Cell Data", "mag(displacement)"), name
    if by == "stress":   # pressure above zero
        name = "mean pressure (MPa)"
        return computed(bodies, name, "Cell Data", "-mean_stress / 1e6"), name
    return bodies, by


def ranges_of(numbers):
    """First and last of each run of numbers without a hole."""
    found = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def without(bodies, ids):
    """The facets of all bodies but these."""
    inside = " + ".join(f"(abs(body - {(low + high) / 2:.1f}) < {(high - low + 1) / 2:.1f})"
                        for low, high in ranges_of(ids))
    others = simple.Threshold(Input=computed(bodies, "cut", "Cell Data", inside))
    others.Scalars = ["CELLS", "cut"]
    others.LowerThreshold = others.UpperThreshold = 0
    return others


def show_cells(bodies, view, wishes):
    """Cells of finite elements by a stress at their nodes; other bodies that move are grey."""
    folder, (name, formula, needed) = wishes["folder"], NODAL[wishes["by"]]
    cells = opened(folder, "elastic.xmf")
    if cells is None:
        sys.exit(f"{folder} has no bodies of finite elements, which --by {wishes['by']} colours")
    cells.UpdatePipeline(view.ViewTime)
    missing = [word for word in (needed, "displacement") if word not in cells.PointData.keys()]
    if missing:
        field = "stress" if missing[0] == needed else "displacement"
        sys.exit(f"{folder} tells no {missing[0]} of nodes: the run was made without "
                 f"output.frames.fields: {field}")
    held = simple.servermanager.Fetch(cells).GetCellData().GetArray("body")
    ids = [int(held.GetTuple1(row)) for row in range(held.GetNumberOfTuples())]
    others = without(bodies, ids)
    others.UpdatePipeline(view.ViewTime)
    if others.GetDataInformation().GetNumberOfCells() > 0:
        stones = simple.Show(others, view)
        stones.Representation = "Surface With Edges"
        paint(stones, GREY)
        stones.EdgeColor = [0.5, 0.45, 0.4]
        stones.Opacity = 0.35 if wishes["forces"] != "none" else 1.0
    warped = simple.WarpByVector(Input=cells, Vectors=["POINTS", "displacement"],
                                 ScaleFactor=wishes["enlarge"] - 1)
    shown = simple.Show(computed(warped, name, "Point Data", formula), view)
    shown.Representation = "Surface With Edges"
    shown.EdgeColor = [0.5, 0.45, 0.4]
    shown.Ambient, shown.Diffuse = 0.3, 0.9
    simple.ColorBy(shown, ("POINTS", name))
    shown.RescaleTransferFunctionToDataRange(False, True)
    simple.GetColorTransferFunction(name).ApplyPreset("Viridis (matplotlib)", True)
    shown.SetScalarBarVisibility(view, True)


def show_bodies(reader, view, wishes):
    dynamic = only(reader, True)
    dynamic.UpdatePipeline(view.ViewTime)
    needed = {"displacement": "displacement", "stress": "mean_stress"}.get(wishes["by"])
    if needed and needed not in dynamic.CellData.keys():
        sys.exit(f"{wishes['folder']} tells no {needed}: the run was made without "
                 f"output.frames.fields: {wishes['by']}")
    count = dynamic.GetDataInformation().GetNumberOfCells()
    if wishes["by"] in NODAL:
        show_cells(dynamic, view, wishes)
    elif count > 0:
        source, name = coloured(dynamic, wishes["by"])
        bodies = simple.Show(source, view)
        bodies.Representation = "Surface With Edges"
        bodies.EdgeColor = [0.5, 0.45, 0.4]
        bodies.Ambient, bodies.Diffuse = 0.3, 0.9
        bodies.Opacity = 0.35 if wishes["forces"] != "none" or wishes.get("marks") else 1.0
        simple.ColorBy(bodies, ("CELLS", name))
        bodies.RescaleTransferFunctionToDataRange(False, True)
        colours = simple.GetColorTransferFunction(name)
        if name == "shade":
            colours.RGBPoints, colours.ColorSpace = STONE, "RGB"
        else:
            colours.ApplyPreset("Viridis (matplotlib)", True)
        bodies.SetScalarBarVisibility(view, name not in ("shade", "material"))
    others = only(reader, False)
    others.UpdatePipeline(view.ViewTime)
    if others.GetDataInformation().GetNumberOfCells() > 0:
        fixed = simple.Show(others, view)
        fixed.Representation = "Feature Edges"
        paint(fixed, [0.1, 0.1, 0.1])
        fixed.LineWidth = 2
    return dynamic if count > 0 else reader


def show_forces(wishes, view, extent):
    """Chains as tubes as wide as their force, or arrows at the joints, upwards as the normal is.

    Chains to bodies that do not move are left out: their centres may lie anywhere.
    """
    name = {"chains": "chains.xmf", "arrows": "interfaces.xmf"}[wishes["forces"]]
    source = opened(wishes["folder"], name)
    if source is None:
        sys.exit(f"{wishes['folder']} has no {name}: the run was made without "
                 f"output.frames.fields: {name[:-4]}")
    source.UpdatePipeline(view.ViewTime)
    if source.GetDataInformation().GetNumberOfCells() == 0:
        return
    if wishes["forces"] == "chains":
        line = simple.CellDatatoPointData(Input=simple.Threshold(
            Input=source, Scalars=["CELLS", "fixed"], LowerThreshold=0, UpperThreshold=0))
        line.UpdatePipeline(view.ViewTime)
        if line.GetDataInformation().GetNumberOfCells() == 0:
            return
        largest = line.PointData["force"].GetRange()[1] or 1.0
        wide = computed(simple.ExtractSurface(Input=line), "radius", "Point Data",
                        f"force * {WIDTH * extent / largest:.9g}")
        shape = simple.Tube(Input=wide, Scalars=["POINTS", "radius"],
                            VaryRadius="By Absolute Scalar")
    else:
        largest = max(abs(bound) for k in range(3)
                      for bound in source.PointData["force"].GetRange(k)) or 1.0
        shape = simple.Glyph(Input=source, GlyphType="Arrow")
        shape.OrientationArray = ["POINTS", "force"]
        shape.ScaleArray = ["POINTS", "force"]
        shape.ScaleFactor = REACH * extent / largest
        shape.GlyphMode = "All Points"
    paint(simple.Show(shape, view), FORCE)


def paint(shown, colour):
    shown.ColorArrayName = ["POINTS", ""]   # ColorBy fails where there is no array
    shown.AmbientColor = shown.DiffuseColor = colour


def polygons_of(groups, set_cells):
    """Cells of VTK, one for each group of points (m): a line, or a single point."""
    points, cells = vtk.vtkPoints(), vtk.vtkCellArray()
    for group in groups:
        cells.InsertNextCell(len(group))
        for point in group:
            cells.InsertCellPoint(points.InsertNextPoint(point))
    made = vtk.vtkPolyData()
    made.SetPoints(points)
    set_cells(made, cells)
    return made


def show_made(made, colour, view):
    """What a filter of VTK makes, in one colour."""
    made.Update()
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(made.GetOutput())
    paint(simple.Show(source, view), colour)


def show_lines(lines, radius, colour, view):
    """Lines (m, each a list of points) as tubes."""
    tubes = vtk.vtkTubeFilter()
    tubes.SetInputData(polygons_of(lines, vtk.vtkPolyData.SetLines))
    tubes.SetRadius(radius)
    tubes.SetNumberOfSides(12)
    tubes.CappingOn()
    show_made(tubes, colour, view)


def show_balls(points, radius, colour, view):
    """Balls at points (m)."""
    ball = vtk.vtkSphereSource()
    ball.SetRadius(radius)
    ball.SetThetaResolution(16)
    ball.SetPhiResolution(16)
    balls = vtk.vtkGlyph3D()
    balls.SetInputData(polygons_of([[point] for point in points], vtk.vtkPolyData.SetVerts))
    balls.SetSourceConnection(ball.GetOutputPort())
    balls.ScalingOff()
    show_made(balls, colour, view)


def show_marks(marks, view, extent):
    """A line of thrust with its points, and hinges."""
    if marks["thrust"]:
        show_lines(marks["thrust"], LINE * extent, FORCE, view)
        joints = sorted({tuple(point) for line in marks["thrust"] for point in line})
        show_balls(joints, POINT * extent, FORCE, view)
    if marks["hinges"]:
        show_balls(marks["hinges"], BALL * extent, HINGE, view)


def extent_of(source):
    low_x, high_x, low_y, high_y, low_z, high_z = source.GetDataInformation().GetBounds()
    return max(high_x - low_x, high_y - low_y, high_z - low_z, 1e-12), \
        [(low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2]


def look_at(view, source, wishes):
    """The camera on what moves, wherever floors and walls reach."""
    extent, middle = extent_of(source)
    way = wishes["viewer"]
    length = sum(x * x for x in way) ** 0.5
    view.CameraFocalPoint = middle
    view.CameraPosition = [m + 10 * extent * x / length for m, x in zip(middle, way)]
    view.CameraViewUp = [0, 0, 1] if abs(way[2]) < 0.999 * length else [0, 1, 0]
    view.ResetCamera(*source.GetDataInformation().GetBounds())
    view.GetActiveCamera().Zoom(wishes["zoom"])


def main(path):
    with open(path, encoding="utf-8") as file:
        wishes = json.load(file)
    simple.LoadPalette("WhiteBackground")
    simple._DisableFirstRenderCameraReset()   # it would take in floors, however far they reach
    reader = opened(wishes["folder"], "bodies.xmf")
    if reader is None:
        sys.exit(f"{wishes['folder']} holds no bodies.xmf")
    have = times_of(reader)
    looked = None
    marks = wishes.get("marks") or [None] * len(wishes["times"])
    for wanted, picture, marked in zip(wishes["times"], wishes["pictures"], marks):
        time = have[-1] if wanted is None else min(have, key=lambda t: abs(t - wanted))
        view = simple.CreateView("RenderView")
        view.ViewSize = wishes["size"]
        view.UseColorPaletteForBackground = 0
        view.Background = [1, 1, 1]
        view.OrientationAxesVisibility = 0
        view.ViewTime = time
        reader.UpdatePipeline(time)
        source = show_bodies(reader, view, wishes)
        extent = extent_of(source)[0]
        if wishes["forces"] in ("chains", "arrows"):
            show_forces(wishes, view, extent)
        if marked:
            show_marks(marked, view, extent)
        if looked is None:   # of a movie the camera stays
            look_at(view, source, wishes)
            camera = view.GetActiveCamera()
            looked = (list(camera.GetPosition()), list(camera.GetFocalPoint()),
                      list(camera.GetViewUp()), camera.GetViewAngle())
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp, view.CameraViewAngle = looked
        simple.Render(view)
        simple.SaveScreenshot(picture, view)
        print(f"{picture}: t = {time:g} s", flush=True)
        simple.Delete(view)


if __name__ == "__main__":
    main(sys.argv[1])
