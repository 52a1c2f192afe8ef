"""Draws one frame of a folder of results with ParaView: dynamic bodies solid, fixed ones as edges.

    xvfb-run -a pvbatch jobs/picture.py RESULTS PICTURE.png [--time T] [--by body|speed|material]
                                        [--from X,Y,Z] [--zoom Z] [--size WIDTH,HEIGHT]

--time   of the frame, s (the last one)
--by     what colours the dynamic bodies (body: neighbours differ)
--from   direction in which the viewer stands (-1,-2,0.8)
--zoom   how much larger than what fits everything in (1.4)
"""
# test: needs python3 python3-paraview

import argparse
import os
import sys


def options(words):
    parser = argparse.ArgumentParser(description="draws one frame of a folder of results")
    parser.add_argument("results")
    parser.add_argument("picture")
    parser.add_argument("--time", type=float)
    parser.add_argument("--by", choices=("body", "speed", "material"), default="body")
    parser.add_argument("--from", dest="viewer", default="-1,-2,0.8")
    parser.add_argument("--zoom", type=float, default=1.4)
    parser.add_argument("--size", default="1000,900")
    return parser.parse_args(words)


def only(source, drive):
    """The facets of dynamic (0) or fixed (1) bodies."""
    from paraview import simple

    chosen = simple.Threshold(Input=source)
    chosen.Scalars = ["CELLS", "drive"]
    chosen.LowerThreshold = chosen.UpperThreshold = drive
    return chosen


# tones of stone, as value, red, green, blue
STONE = [0, 0.45, 0.42, 0.38,  3, 0.62, 0.55, 0.45,  6, 0.80, 0.70, 0.52,  8, 0.70, 0.45, 0.33,
         10, 0.90, 0.86, 0.78]


def shades(source):
    """Dynamic bodies with eleven shades in turn, so that neighbours differ."""
    from paraview import simple

    turn = simple.Calculator(Input=source)
    turn.AttributeType = "Cell Data"
    turn.ResultArrayName = "shade"
    turn.Function = "body - 11 * floor(body / 11)"
    return turn


def draw(wanted):
    from paraview import simple

    simple.LoadPalette("WhiteBackground")
    path = os.path.join(wanted.results, "bodies.xmf")
    if not os.path.exists(path):
        sys.exit(f"{wanted.results} holds no bodies.xmf")
    reader = simple.OpenDataFile(path)
    reader.UpdatePipelineInformation()
    times = reader.TimestepValues
    times = list(times) if hasattr(times, "__len__") else [times]
    time = times[-1] if wanted.time is None else min(times, key=lambda t: abs(t - wanted.time))
    view = simple.CreateView("RenderView")
    view.ViewSize = [int(side) for side in wanted.size.split(",")]
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    view.ViewTime = time
    reader.UpdatePipeline(time)

    name = "shade" if wanted.by == "body" else wanted.by
    source = shades(only(reader, 0)) if wanted.by == "body" else only(reader, 0)
    bodies = simple.Show(source, view)
    bodies.Representation = "Surface With Edges"
    bodies.EdgeColor = [0.5, 0.45, 0.4]
    bodies.Ambient, bodies.Diffuse = 0.3, 0.9
    simple.ColorBy(bodies, ("CELLS", name))
    bodies.RescaleTransferFunctionToDataRange(False, True)
    colours = simple.GetColorTransferFunction(name)
    if name == "shade":
        colours.RGBPoints, colours.ColorSpace = STONE, "RGB"
    else:
        colours.ApplyPreset("Viridis (matplotlib)", True)
    bodies.SetScalarBarVisibility(view, name == "speed")

    fixed = simple.Show(only(reader, 1), view)
    fixed.Representation = "Feature Edges"
    simple.ColorBy(fixed, None)
    fixed.AmbientColor = fixed.DiffuseColor = [0.1, 0.1, 0.1]
    fixed.LineWidth = 2

    view.CameraFocalPoint = [0, 0, 0]
    view.CameraPosition = [float(x) for x in wanted.viewer.split(",")]
    view.CameraViewUp = [0, 0, 1]
    view.ResetCamera()
    view.GetActiveCamera().Zoom(wanted.zoom)
    simple.Render(view)
    simple.SaveScreenshot(wanted.picture, view)
    print(f"{wanted.picture}: t = {time:g} s")


if __name__ == "__main__":
    draw(options(sys.argv[1:]))
