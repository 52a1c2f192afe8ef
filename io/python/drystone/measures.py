"""What results tell of masonry and of heaps: numbers and lines from arrays of bodies and joints.

Every function takes the dicts of arrays that `drystone.Results` gives, and knows nothing of files.
Forces are in newtons, lengths in metres, angles in radians.
"""
# test: needs python3 python3-numpy

import difflib
import fnmatch

import numpy

WORLD_AXES = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))   # xx yy zz xy yz xz
RATTLER = 2   # a dynamic body with fewer neighbours is not held


class SelectionError(ValueError):
    """No body, or not the bodies that a question needs, have a name; the text says which have."""

    __module__ = "drystone"   # as users know it


def _parts(name):
    """`a.b.c` and what stands before each dot: `a.b`, `a`."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def select(names, wanted):
    """Rows of the bodies that are called so, in the order of the rows.

    names    one for each body, `ENTRY` or `ENTRY.MEMBER`
    wanted   a name, a pattern with * or ?, or a list of both that means all of them together. An
             entry means all its members. A name that is there goes before a pattern.
    """
    names = numpy.asarray(names)
    chosen = numpy.zeros(len(names), dtype=bool)
    for word in [wanted] if isinstance(wanted, str) else list(wanted):
        fits = numpy.array([word in _parts(name) for name in names], dtype=bool)
        if not fits.any() and ("*" in word or "?" in word):
            fits = numpy.array([any(fnmatch.fnmatchcase(part, word) for part in _parts(name))
                                for name in names], dtype=bool)
        if not fits.any():
            known = sorted({part for name in names for part in _parts(name)})
            near = difflib.get_close_matches(word, known, 3) or known[:8]
            raise SelectionError(f"no body is called '{word}'"
                                 + (f"; there are {', '.join(near)}" if near else ""))
        chosen |= fits
    return numpy.flatnonzero(chosen)


def tensors(six):
    """Symmetric tensors (n, 3, 3) from rows of xx yy zz xy yz xz."""
    six = numpy.asarray(six, dtype=float)
    made = numpy.empty(six.shape[:-1] + (3, 3))
    for k, (i, j) in enumerate(WORLD_AXES):
        made[..., i, j] = made[..., j, i] = six[..., k]
    return made


def principal(stress):
    """Principal values (n, 3), the largest first, and their unit directions (n, 3, 3) as rows.

    stress   tensors (n, 3, 3), or rows of xx yy zz xy yz xz
    """
    stress = numpy.asarray(stress, dtype=float)
    values, vectors = numpy.linalg.eigh(stress if stress.shape[-2:] == (3, 3) else tensors(stress))
    return values[..., ::-1], numpy.swapaxes(vectors, -1, -2)[..., ::-1, :]


def pressed(interfaces):
    """Which joints carry pressure: a mask of the rows."""
    return interfaces["normal_force"] > 0


def only(rows, chosen):
    """Some rows of a dict of arrays."""
    return {name: values[chosen] for name, values in rows.items()}


def joints_of(interfaces):
    """Rows of the joints that press on each body, by its id; bodies without one are left out."""
    found = {}
    for row in numpy.flatnonzero(pressed(interfaces)):
        for number in interfaces["bodies"][row]:
            found.setdefault(int(number), []).append(int(row))
    return found


def _towards(interfaces, rows, bodies):
    """+1 where the normal of a joint leads into that body of its two, else -1."""
    into = interfaces["bodies"][rows, interfaces["on"][rows].astype(int)]
    return numpy.where(into == bodies, 1.0, -1.0)


def _turn_around(edges, start, between):
    """The joints of a chain of bodies in order, and the bodies on both sides of each.

    edges     {joint: (body, body)}; a body outside the chain is None
    start     joint to begin with, and the side from which it is walked through
    between   {body of the chain: its joints}
    """
    joint, before = start
    order, ways = [], []
    while joint is not None and joint not in order:
        a, b = edges[joint]
        after = b if before == a else a
        order.append(joint)
        ways.append((before, after))
        joint = next((k for k in between.get(after, ()) if k != joint), None)
        before = after
    return order, ways


def thrust_line(bodies, interfaces, rows):
    """The line along which forces go through a row of bodies: an arch, a pier, a flying buttress.

    bodies, interfaces   arrays of a frame
    rows                 the bodies of the row, as from select(); each presses on two at most, and
                         those beside the row are its supports

    Returns a dict with a row for each joint that is pressed, from the end with the lower first
    coordinate (or second, third: along the longest side) to the other:
    point (m), force (N, on the body that the line enters), normal (unit, into that body),
    normal_force (N), eccentricity (m, from the centre of the joint), area (m2), bodies (ids, as
    the line meets them), length (m, along the line), row (of interfaces), and closed: whether the
    line is a ring.
    """
    inside, pressing = {int(number) for number in bodies["id"][rows]}, joints_of(interfaces)
    between = {number: pressing[number] for number in sorted(inside) if number in pressing}
    edges = {joint: tuple(number if number in inside else None
                          for number in interfaces["bodies"][joint].tolist())
             for joints in between.values() for joint in joints}
    crowded = [number for number, joints in between.items() if len(joints) > 2]
    if crowded:
        raise SelectionError(f"no thrust line: body {crowded[0]} is pressed by "
                             f"{len(between[crowded[0]])} others; name a row of bodies, each of "
                             "which presses on two at most")
    if not edges:
        raise SelectionError("no thrust line: no joint of these bodies is pressed")

    ends = [(joint, None) for joint, pair in edges.items() if None in pair]
    ends += [(joints[0], number) for number, joints in between.items() if len(joints) == 1
             and None not in edges[joints[0]]]
    closed = not ends
    starts = ends or [(min(edges), edges[min(edges)][0])]
    points = interfaces["point"][list(edges)]
    axis = int(numpy.argmax(numpy.ptp(points, axis=0))) if len(edges) > 1 else 0
    start = min(starts, key=lambda end: (interfaces["point"][end[0], axis], end[0]))
    order, ways = _turn_around(edges, start, between)
    if len(order) < len(edges):
        raise SelectionError(f"no thrust line: the {len(inside)} bodies are several rows, of which "
                             f"one has {len(order)} of {len(edges)} joints")

    order = numpy.array(order)
    pairs = interfaces["bodies"][order].astype(numpy.int64)
    met = numpy.array([pair if a == pair[0] or b == pair[1] else pair[::-1]
                       for pair, (a, b) in zip(pairs, ways)])
    sign = _towards(interfaces, order, met[:, 1])[:, None]
    point = interfaces["point"][order]
    steps = numpy.linalg.norm(numpy.diff(point, axis=0), axis=1)
    return {"point": point, "force": sign * interfaces["force"][order],
            "normal": sign * interfaces["normal"][order],
            "normal_force": interfaces["normal_force"][order],
            "eccentricity": interfaces["eccentricity"][order], "area": interfaces["area"][order],
            "bodies": met, "length": numpy.concatenate([[0.0], numpy.cumsum(steps)]),
            "row": order, "closed": closed}


def thrust_segments(bodies, interfaces):
    """Lines (n, 2, 3) through bodies that two others press, from joint to joint; and their share.

    The share is that of all dynamic bodies that something presses.
    """
    joints = joints_of(interfaces)
    dynamic = {int(number) for number in bodies["id"][bodies["drive"] == 0]}
    pressing = [number for number in joints if number in dynamic]
    two = [joints[number] for number in sorted(pressing) if len(joints[number]) == 2]
    lines = interfaces["point"][numpy.array(two, dtype=int).reshape(-1, 2)]
    return lines, len(two) / max(len(pressing), 1)


def hinges(interfaces, angle=1e-3, of=None):
    """Joints that turned by more than an angle (rad) and still press: where a mechanism turns.

    of   ids of bodies; only joints of these

    Returns the rows of interfaces, with `angle` and `axis` (unit, about which the body turned that
    `normal` leads into).
    """
    turn = numpy.linalg.norm(interfaces["hinge_rotation"], axis=1)
    chosen = (turn > angle) & pressed(interfaces)
    if of is not None:
        chosen &= numpy.isin(interfaces["bodies"], of).any(axis=1)
    found = only(interfaces, chosen)
    found["angle"] = turn[chosen]
    found["axis"] = interfaces["hinge_rotation"][chosen] / turn[chosen][:, None]
    return found


def coordination(bodies, interfaces, rows=None):
    """How many others each body is pressed by.

    rows   the bodies that count; without it those that are dynamic

    Returns a dict: count (one for each of the rows), mean, rattlers (share of the bodies that
    press on fewer than two others), mean_held (of the rest; nan without one), histogram (how many
    bodies have 0, 1, 2, ... neighbours).
    """
    rows = numpy.flatnonzero(bodies["drive"] == 0) if rows is None else numpy.asarray(rows)
    joints = joints_of(interfaces)
    count = numpy.array([len(joints.get(int(number), ())) for number in bodies["id"][rows]], int)
    held = count[count >= RATTLER]
    return {"count": count, "mean": float(count.mean()) if len(count) else numpy.nan,
            "rattlers": float((count < RATTLER).mean()) if len(count) else numpy.nan,
            "mean_held": float(held.mean()) if len(held) else numpy.nan,
            "histogram": numpy.bincount(count) if len(count) else numpy.zeros(0, numpy.int64)}


def fabric(interfaces, weights="count"):
    """The fabric tensor of the joints that press: mean of n n^T (Satake 1982), of trace 1.

    weights   "count": each joint counts once; "force": by its normal force; "area": by its area

    Returns a dict: tensor (3, 3), values (largest first), directions (rows), anisotropy (largest
    less smallest value), joints (how many).
    """
    if weights not in ("count", "force", "area"):
        raise ValueError(f"weights: expected count, force or area, found '{weights}'")
    rows = only(interfaces, pressed(interfaces))
    share = {"count": numpy.ones(len(rows["area"])), "force": rows["normal_force"],
             "area": rows["area"]}[weights]
    if share.sum() <= 0:
        raise ValueError(f"no fabric: no joint presses, or their {weights} is nil")
    tensor = numpy.einsum("k,ki,kj->ij", share, rows["normal"], rows["normal"]) / share.sum()
    values, directions = principal(tensor)
    return {"tensor": tensor, "values": values, "directions": directions,
            "anisotropy": float(values[0] - values[2]), "joints": len(share)}


def force_histogram(interfaces, bins=20, largest=None):
    """How normal forces of joints that press are spread about their mean.

    bins      how many
    largest   end of the last bin, in means; without it that of the largest force

    Returns a dict: edges (of the bins, in means), density (share of the joints by width of a bin;
    with a `largest` those beyond it are left out), mean (N), joints (how many).
    """
    force = interfaces["normal_force"][pressed(interfaces)]
    if not len(force):
        raise ValueError("no histogram: no joint presses")
    relative = force / force.mean()
    counts, edges = numpy.histogram(relative, bins=bins,
                                    range=(0.0, float(largest or relative.max())))
    return {"edges": edges, "density": counts / (len(force) * numpy.diff(edges)),
            "mean": float(force.mean()), "joints": len(force)}


def balance(bodies, interfaces, gravity, rows=None):
    """What forces of joints and weight leave on each body, N: nil in equilibrium without loads.

    gravity   m/s2, as Results.gravity gives it
    rows      the bodies asked about; without it those that are dynamic

    Joints of `joints:` and loads of the case are not in it.
    """
    rows = numpy.flatnonzero(bodies["drive"] == 0) if rows is None else numpy.asarray(rows)
    left = bodies["mass"][:, None] * numpy.asarray(gravity)
    order = numpy.argsort(bodies["id"])
    for side in (0, 1):
        ids = interfaces["bodies"][:, side]
        at = order[numpy.minimum(numpy.searchsorted(bodies["id"][order], ids), len(order) - 1)]
        sign = numpy.where(interfaces["on"] == side, 1.0, -1.0)[:, None]
        known = bodies["id"][at] == ids
        numpy.add.at(left, at[known], (sign * interfaces["force"])[known])
    return left[rows]
