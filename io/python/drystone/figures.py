"""Drawings of results by matplotlib: elevations with forces, curves of the history, gradings.

Every function draws into axes of matplotlib that it gets, and needs no screen. `axes` below is
always one of these; lengths are in metres, forces in newtons.
"""
# test: needs python3 python3-numpy python3-matplotlib

import matplotlib

matplotlib.use("Agg", force=False)   # no screen, where none has been chosen
import numpy   # noqa: E402
from matplotlib import collections, pyplot   # noqa: E402

from drystone import measures   # noqa: E402

STONE, GROUND, EDGE = "#d8cfc0", "#e8e8e8", "#6b6459"
FORCE, HINGE = "#b02a1e", "#1a56a8"
MOST_FACETS = 200_000   # beyond, a drawing takes minutes and shows no more
LINE_SHARE = 0.6        # of the bodies that press on two others: a line of thrust tells more
HINGE_SHARE = 0.5       # of the joints: where more have turned, as in heaps, none is a hinge


def new(width=7.0, height=3.2):
    """A figure and its axes."""
    return pyplot.subplots(figsize=(width, height), layout="constrained")


def save(figure, path, dots=110):
    """Writes a figure, and frees it."""
    figure.savefig(path, dpi=dots)
    pyplot.close(figure)


class View:
    """The plane of an elevation: across and up, and what the viewer looks along."""

    def __init__(self, bodies, gravity, along=None):
        weight = abs(numpy.asarray(gravity))
        up = int(numpy.argmax(weight)) if weight.any() else 2
        level = [axis for axis in range(3) if axis != up]
        dynamic = bodies["position"][bodies["drive"] == 0]
        places = dynamic if len(dynamic) else bodies["position"]
        across = level[int(numpy.ptp(places[:, level[1]]) > numpy.ptp(places[:, level[0]]))]
        if along is not None:
            across = next(axis for axis in level if axis != "xyz".index(along))
        depth = next(axis for axis in level if axis != across)
        self.axes, self.depth = [across, up], depth
        # the third axis of a right-handed drawing leads to the viewer
        self.towards = numpy.zeros(3)
        self.towards[depth] = -1.0 if (across + 1) % 3 == depth else 1.0
        self.names = ["xyz"[across], "xyz"[up]]

    def flat(self, points):
        """The two coordinates of points in the plane."""
        return numpy.asarray(points)[..., self.axes]


def _seen_facets(mesh, view):
    """Facets that face the viewer, from the back to the front: polygons in the plane, and rows."""
    points, depths, shown = mesh["points"], [], []
    for row, facet in enumerate(mesh["facets"]):
        corners = points[facet]
        normal = numpy.cross(corners[1] - corners[0], corners[2] - corners[0])
        if normal @ view.towards > 0:
            depths.append(float(corners.mean(axis=0) @ view.towards))
            shown.append(row)
    order = numpy.argsort(depths, kind="stable")
    return [view.flat(points[mesh["facets"][shown[k]]]) for k in order], [shown[k] for k in order]


def _limits(axes, polygons):
    """The view takes in what moves, with some room around it."""
    corners = numpy.concatenate(polygons)
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = 0.06 * float((high - low).max() or 1.0)
    axes.set_xlim(low[0] - room, high[0] + room)
    axes.set_ylim(low[1] - room, high[1] + room)


def _values(bodies, by):
    """A number for each body, and what it is called."""
    if by == "displacement":
        return numpy.linalg.norm(bodies["displacement"], axis=1), "displacement (m)"
    if by == "speed":
        return numpy.linalg.norm(bodies["velocity"], axis=1), "speed (m/s)"
    if by == "stress":   # of compression, the largest
        lowest = measures.principal(bodies["stress"])[0][:, 2]
        return -lowest / 1e6, "largest compression (MPa)"
    raise ValueError(f"by: expected displacement, speed or stress, found '{by}'")


def _draw_forces(axes, bodies, interfaces, chains, view):
    """A line of thrust where bodies press on two others, else chains as wide as their force."""
    lines, share = measures.thrust_segments(bodies, interfaces)
    if share >= LINE_SHARE:
        axes.add_collection(collections.LineCollection(view.flat(lines), colors=FORCE,
                                                       linewidths=1.6, zorder=3))
        points = view.flat(interfaces["point"][measures.pressed(interfaces)])
        axes.plot(*points.T, "o", color=FORCE, markersize=2.5, zorder=3)
        return "line of thrust"
    if not chains or not len(chains["force"]):
        return ""
    # the point of a joint bends the line of two bodies
    middle = {tuple(pair): point for pair, point in
              zip(interfaces["bodies"].tolist(), interfaces["point"])}
    ids = bodies["id"][chains["line"].astype(int)]
    paths = [view.flat([a, middle.get(tuple(sorted(pair)), (a + b) / 2), b])
             for (a, b), pair in zip(chains["ends"], ids.tolist())]
    wide = chains["force"] / numpy.percentile(chains["force"], 95)
    # a fixed body's centre may be anywhere: its half of the line is left out
    fixed = {int(n) for n in bodies["id"][bodies["drive"] != 0]}
    paths = [path[1:] if a in fixed else path[:2] if b in fixed else path
             for path, (a, b) in zip(paths, ids.tolist())]
    axes.add_collection(collections.LineCollection(
        paths, colors=FORCE, linewidths=numpy.clip(3 * wide, 0.15, 4), alpha=0.8, zorder=3))
    return "forces between bodies"


def elevation(axes, results, frame=-1, by=None, along=None, forces=True, hinges=1e-3):
    """The bodies of a frame as seen from the side, with their forces and hinges; what it shows.

    by       colours bodies by "displacement", "speed" or "stress"; None: stones are stones
    along    the viewer looks along this axis, "x", "y" or "z"; None: bodies spread across
    forces   whether the line of thrust, or chains of force, are drawn
    hinges   joints that turned by more than this angle (rad) get a circle; None: none do
    """
    bodies, mesh = results.bodies(frame), results.mesh(frame)
    if len(mesh["facets"]) > MOST_FACETS:
        raise ValueError(f"{results.folder}: {len(mesh['facets'])} facets are too many to draw")
    view = View(bodies, results.gravity(frame), along)
    polygons, rows = _seen_facets(mesh, view)
    at = {int(number): k for k, number in enumerate(bodies["id"])}
    owner = numpy.array([at[int(mesh["body"][row])] for row in rows], dtype=int)
    dynamic = bodies["drive"][owner] == 0
    colours = numpy.where(dynamic, STONE, GROUND).astype(object)
    told = []
    if by:
        values, name = _values(bodies, by)
        shown = values[bodies["drive"] == 0]
        scale = matplotlib.colors.Normalize(min(0.0, float(shown.min())) if len(shown) else 0.0,
                                            float(shown.max()) or 1.0 if len(shown) else 1.0)
        map_of = matplotlib.colormaps["viridis"]
        for k in numpy.flatnonzero(dynamic):
            colours[k] = map_of(scale(values[owner[k]]))
        axes.figure.colorbar(matplotlib.cm.ScalarMappable(scale, map_of), ax=axes, label=name,
                             shrink=0.7)
        told.append(name)
    for moves, layer in ((False, 1), (True, 2)):   # walls of a box would hide what is in it
        axes.add_collection(collections.PolyCollection(
            [polygon for polygon, d in zip(polygons, dynamic) if d == moves],
            facecolors=list(colours[dynamic == moves]), edgecolors=EDGE, linewidths=0.4,
            zorder=layer))
    interfaces = results.interfaces(frame)
    if forces and interfaces:
        told.append(_draw_forces(axes, bodies, interfaces, results.chains(frame), view))
    if hinges is not None and interfaces:
        found = measures.hinges(interfaces, hinges)
        if len(found["angle"]) > HINGE_SHARE * measures.pressed(interfaces).sum():
            found = measures.only(found, slice(0))
        axes.plot(*view.flat(found["point"]).T, "o", markersize=8, markerfacecolor="none",
                  markeredgecolor=HINGE, markeredgewidth=1.6, zorder=4)
        if len(found["angle"]):
            told.append(f"{len(found['angle'])} joints turned by more than {hinges:g} rad "
                        "(circles)")
    moving = [polygon for polygon, moves in zip(polygons, dynamic) if moves]
    _limits(axes, moving or polygons or [numpy.zeros((1, 2))])
    axes.set_aspect("equal")
    axes.set_xlabel(f"{view.names[0]} (m)")
    axes.set_ylabel(f"{view.names[1]} (m)")
    return ", ".join(text for text in told if text)


def curves(axes, time, columns, unit, logarithmic=False):
    """Columns of a history over time: {label: values}."""
    for label, values in columns.items():
        values = numpy.asarray(values, dtype=float)
        if logarithmic:
            values = numpy.where(values > 0, values, numpy.nan)
        axes.plot(time, values, linewidth=1.1, label=label)
    if logarithmic and any((numpy.asarray(v) > 0).any() for v in columns.values()):
        axes.set_yscale("log")
    axes.set_xlabel("time (s)")
    axes.set_ylabel(unit)
    axes.grid(True, linewidth=0.3)
    axes.legend(fontsize="small", loc="best")


def force_histogram(axes, told):
    """What measures.force_histogram gives."""
    axes.stairs(told["density"], told["edges"], fill=True, color=FORCE, alpha=0.7)
    axes.set_xlabel(f"normal force over its mean, {told['mean']:.3g} N")
    axes.set_ylabel("density")


def grading(axes, diameters, masses):
    """The sieve curve: share of the mass in bodies no larger than a diameter."""
    order = numpy.argsort(diameters)
    share = numpy.cumsum(numpy.asarray(masses)[order])
    axes.step(numpy.asarray(diameters)[order], 100 * share / share[-1], where="post", color=HINGE)
    axes.set_xscale("log")
    axes.set_xlabel("diameter of a sphere of the same volume (m)")
    axes.set_ylabel("finer, % of the mass")
    axes.grid(True, which="both", linewidth=0.3)
