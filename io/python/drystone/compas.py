"""Block models of COMPAS: cases from their files, and answers written back into them.

    from drystone import compas

    compas.solve("DEM_problem.json", "DEM_results.json")          # all in one
    case = compas.case("model.json", friction=0.6, density=2000)   # or step by step
    results = drystone.run(case, "vault")
    compas.write_answers("model.json", results, "answers.json")

Cases are made from assemblies (compas_assembly, compas_cra), block models and problems
(compas_dem). Answers go into block models and problems, with the keys that compas_dem reads there:
`force_normal`, `status`, `contact_polygon` and the others that its LMGC90 solver leaves.
"""
# test: needs python3 python3-numpy

import json
import os
import uuid

import numpy

from drystone import case as case_file
from drystone import program
from drystone.results import turns

ENTRY = "model"   # name of the entry of the case that holds the blocks
STATUS = {0: "noct", 1: "stic", 2: "slid"}   # as LMGC90 calls them, cut as compas_dem stores them
ANSWERS = ("contact_point", "force_normal", "force_tangent1", "force_tangent2", "gap", "status",
           "force_magnitude", "force_vector", "force", "face_contact", "point_contact",
           "edge_contact", "contact_frame", "contact_frames", "contact_polygon", "contact_data")
SPACE = uuid.UUID("6f6a1f0e-8a0c-5a0b-9d6c-5a5c0f6f7a11")   # of the names that ids are made of


class ModelError(ValueError):
    """A file is no model of COMPAS, or does not say what is asked of it; the text says what."""


def _load(path):
    try:
        with open(path, encoding="utf-8") as file:
            tree = json.load(file)
    except ValueError as reason:
        raise ModelError(f"{path} is no JSON file: {reason}") from None
    if not isinstance(tree, dict) or "dtype" not in tree:
        raise ModelError(f"{path} is no model of COMPAS: it has no dtype")
    return tree


def _kind(tree):
    return str(tree["dtype"]).rpartition("/")[2]


def _data(tree, *path):
    """A member of the data of COMPAS objects inside each other, or None."""
    for key in path:
        if isinstance(tree, dict):
            tree = tree.get("data", tree) if "dtype" in tree else tree
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def _model(tree, path):
    """The block model of a document: itself, or that of a problem."""
    model = _data(tree, "model") if _kind(tree) == "Problem" else tree
    if not isinstance(model, dict) or _kind(model) != "BlockModel" or _data(model, "graph") is None:
        raise ModelError(f"{path} holds a {_kind(tree)}; answers go into the graph of a BlockModel "
                         "or of a Problem of compas_dem")
    return model


def _one(values, name, path, told):
    """The value that all blocks share: what the caller says, else what the file says."""
    if told is not None:
        return told
    values = {value for value in values if value is not None}
    if len(values) != 1:
        say = "has no" if not values else f"has several ({', '.join(map(str, sorted(values)))}) for"
        raise ModelError(f"{path} {say} {name}: give {name}=")
    return values.pop()


def _densities(tree):
    model = _data(tree, "model") if _kind(tree) == "Problem" else tree
    materials = _data(model, "materials") or {}
    rows = materials.values() if isinstance(materials, dict) else materials
    return [_data(row, "density") for row in rows]


def _load_entries(conditions):
    """Loads of a problem as entries of `loads`; they act in full from the start."""
    for row in _data(conditions, "body_forces") or []:
        yield {"on": ENTRY, "per": "mass", "force": list(row)}
    for row in _data(conditions, "point_loads") or []:
        entry = {"on": f"{ENTRY}.{row['block_index']}"}
        if row.get("point") is not None:
            entry["at"] = list(_plain(row["point"]))
        entry["force"] = list(_plain(row["force"]))
        if row.get("moment") is not None:
            entry["torque"] = list(_plain(row["moment"]))
        yield entry
    for row in _data(conditions, "surface_loads") or []:
        corners = numpy.array([_plain(p) for p in _data(row["polygon"], "points")], dtype=float)
        fan = numpy.cross(corners[1:-1] - corners[0], corners[2:] - corners[0]) / 2
        area = fan.sum(axis=0)
        size = numpy.linalg.norm(area)
        weights = fan @ area / size
        centre = weights @ (corners[0] + corners[1:-1] + corners[2:]) / (3 * weights.sum())
        way = row.get("direction")
        way = area / size if way is None else numpy.array(_plain(way), dtype=float)
        yield {"on": f"{ENTRY}.{row['block_index']}", "at": centre.tolist(),
               "force": (way * row["magnitude"] * size).tolist()}


def _plain(vector):
    """Three numbers, as a list or as a Point or a Vector of COMPAS."""
    return vector.get("data", vector) if isinstance(vector, dict) else vector


def case(path, friction=None, density=None, gravity=None, step=1e-3, end=10.0, **more):
    """A case that brings the blocks of a file to rest.

    friction, density   1 and kg/m3; without them those of the file, which has to have them
    gravity             m/s2 downwards; without it that of a problem, else 9.81. compas_dem lets
                        gravity act whether a problem has asked for it or not, and so does this
    step, end           s; the run ends before, where forces are in balance to 1e-10. Loads act in
                        full from the start, and stones are rigid
    more                further sections of the case, such as solver={...}
    """
    tree = _load(path)
    conditions = _data(tree, "boundary_conditions") if _kind(tree) == "Problem" else None
    law = _data(tree, "contact_properties", "contact_model") if conditions else None
    friction = _one([_data(law, "mu")], "friction", path, friction)
    density = _one(_densities(tree), "density", path, density)
    if gravity is None:
        gravity = _data(conditions, "g") or 9.81
    made = case_file.Case(os.path.basename(os.fspath(path)), step, end, (0, 0, -float(gravity)))
    made.material("stone", float(density))
    made.contact("stone", "stone", friction=float(friction))
    made.body(compas=os.path.abspath(path), material="stone", name=ENTRY)
    loads = list(_load_entries(conditions)) if conditions else []
    if loads:
        made["loads"] = loads
    made["solver"] = {"tolerance": 1e-11}
    made.set("time.until", {"unbalanced": 1e-10})
    made.set("output.frames.every", float(end))
    for key, value in more.items():
        made[key] = value
    return made


def _object(dtype, data, *name):
    """An object of COMPAS; its id follows from its name, so that answers are the same again."""
    return {"dtype": dtype, "data": data, "guid": str(uuid.uuid5(SPACE, "/".join(map(str, name))))}


def _vector(values):
    return [float(value) for value in values]


def _around(points, normal):
    """Order of points around their mean, as a polygon about a normal."""
    first = numpy.cross(normal, numpy.eye(3)[int(numpy.argmin(abs(normal)))])
    first /= numpy.linalg.norm(first)
    away = points - points.mean(axis=0)
    return numpy.argsort(numpy.arctan2(away @ numpy.cross(normal, first), away @ first),
                         kind="stable")


def _answer(contacts, rows, sign, name):
    """What compas_dem stores of a pair of blocks: rows of contacts; sign: +1 where the first block
    is the lower body. Forces are on the first block, normals lead into it."""
    normals, points = sign * contacts["normal"][rows], contacts["point"][rows]
    mean = normals.sum(axis=0)
    order = _around(points, mean / (numpy.linalg.norm(mean) or 1.0))
    rows, normals, points = rows[order], normals[order], points[order]
    forces = sign * contacts["force"][rows]
    slips = forces - (forces * normals).sum(axis=1)[:, None] * normals
    # tangents as LMGC90 has them: the first one along a world axis where it can be
    first = numpy.array([_tangent(normal) for normal in normals])
    second = numpy.cross(first, normals)
    push = (forces * normals).sum(axis=1)
    along, across = (slips * first).sum(axis=1), (slips * second).sum(axis=1)
    frames = [_object("compas.geometry/Frame", {"point": _vector(p), "xaxis": _vector(t),
                                                "yaxis": _vector(n)}, name, "frame", k)
              for k, (p, t, n) in enumerate(zip(points, first, normals))]
    plane = _object("compas.geometry/Frame", {"point": _vector(points[0]),
                                              "xaxis": _vector(first[0]),
                                              "yaxis": _vector(-second[0])}, name, "plane")
    found = {
        "contact_point": [_vector(p) for p in points],
        "force_normal": _vector(push), "force_tangent1": _vector(along),
        "force_tangent2": _vector(across), "gap": _vector(contacts["gap"][rows]),
        "status": [STATUS[int(status)] for status in contacts["status"][rows]],
        "force_magnitude": float(numpy.linalg.norm(forces.sum(axis=0))),
        "force_vector": [_vector(force) for force in forces],
        "force": _vector(forces.sum(axis=0)),
        "face_contact": len(rows) > 2, "point_contact": len(rows) == 1,
        "edge_contact": len(rows) == 2,
        "contact_frame": frames[0], "contact_frames": frames,
        "contact_data": _object("compas_dem.interactions/FrictionContact", dict(
            points=[_object("compas.geometry/Point", _vector(p), name, "point", k)
                    for k, p in enumerate(points)],
            frame=plane, size=float(contacts["area"][rows].sum()), mesh=None,
            name="FrictionContact",
            forces=[{"c_np": max(float(n), 0.0), "c_nn": max(-float(n), 0.0), "c_u": float(u),
                     "c_v": -float(v)} for n, u, v in zip(push, along, across)]), name, "data"),
    }
    if len(rows) > 1:
        found["contact_polygon"] = _object("compas.geometry/Polygon",
                                           {"points": [_vector(p) for p in points]}, name,
                                           "polygon")
    return found


def _tangent(normal):
    """A unit vector in the plane of a normal, level where the normal is not upright."""
    level = numpy.cross([0.0, 0.0, 1.0], normal)
    if numpy.linalg.norm(level) < 1e-6:
        level = numpy.array([1.0, 0.0, 0.0]) - normal[0] * normal
    return level / numpy.linalg.norm(level)


def _transformation(row, now, name):
    """The motion of a block since the start, as a matrix that acts on places of the model."""
    turn = turns(now["rotation"][row])
    place = now["position"][row]
    matrix = numpy.eye(4)
    matrix[:3, :3] = turn
    matrix[:3, 3] = place - turn @ (place - now["displacement"][row])
    return _object("compas.geometry/Transformation", {"matrix": matrix.tolist()}, name, "motion")


def write_answers(path, results, output, frame=-1):
    """Writes a model with the answers of a frame; returns how many pairs of blocks have some.

    path      a BlockModel or a Problem of compas_dem, from which the case of the run was made
    results   drystone.Results of that run
    output    the file to write, whole or not at all; it may be the same

    Every edge of the graph whose blocks touch gets the keys that compas_dem's LMGC90 solver
    leaves there; pairs without an edge get one. Forces (N) are on the first block of the edge, and
    normals lead into it. Every node gets `transformation`, its motion. Answers of before go.
    """
    tree = _load(path)
    model = _model(tree, path)
    graph = _data(model, "graph")
    graph = graph.get("data", graph) if "dtype" in graph else graph
    nodes, edges = graph["node"], graph["edge"]
    bodies, contacts = results.bodies(frame), results.contacts(frame)
    for column, rows in (("name", bodies), ("displacement", bodies), ("force", contacts),
                         ("status", contacts)):
        if column not in rows:
            raise ModelError(f"{results.folder} tells no {column}: run it with "
                             "output.frames.fields: all")
    key = {}
    for number, name in zip(bodies["id"], bodies["name"]):
        entry, _, member = str(name).partition(".")
        if entry == ENTRY:
            key[int(number)] = member
    strange = sorted(set(key.values()) ^ set(map(str, nodes)))
    if strange:
        raise ModelError(f"{results.folder} is no run of {path}: block '{strange[0]}' is in one "
                         "of them alone")

    for row, number in enumerate(bodies["id"]):
        if int(number) in key:
            nodes[key[int(number)]]["transformation"] = _transformation(
                row, bodies, key[int(number)])
    for ways in edges.values():
        for edge in ways.values():
            for answer in ANSWERS:
                edge.pop(answer, None)
    pairs, which = numpy.unique(contacts["bodies"], axis=0, return_inverse=True)
    which, count = which.ravel(), 0
    for number, (low, high) in enumerate(pairs):
        u, v = key.get(int(low)), key.get(int(high))
        if u is None or v is None:
            continue
        sign = 1.0
        if u not in edges.get(v, {}):
            edge = edges.setdefault(u, {}).setdefault(v, {"contacts": []})
        else:
            edge, sign = edges[v][u], -1.0
        edge.update(_answer(contacts, numpy.flatnonzero(which == number), sign, f"{u}-{v}"))
        count += 1
    with open(os.fspath(output) + ".tmp", "w", encoding="utf-8") as file:
        json.dump(tree, file)
    os.replace(os.fspath(output) + ".tmp", output)
    return count


def solve(path, output, folder=None, ranks=1, launcher=None, overwrite=True, **options):
    """Brings a model to rest and writes the answers; returns the results of the run.

    path, output   a BlockModel or a Problem of compas_dem, and the same with answers
    folder         of the results; without it OUTPUT.results
    options        as case() takes them: friction, density, step, ...

    Raises ModelError where the run ends at `end` and forces are not in balance: the structure
    moves. The results are in the folder then.
    """
    _model(_load(path), path)
    folder = folder or os.fspath(output) + ".results"
    results = program.run(case(path, **options), folder, ranks, overwrite=overwrite,
                          launcher=launcher)
    told = results.outcome()
    if told.get("outcome") != "rest":
        raise ModelError(f"{path} does not come to rest: {told.get('text', 'nothing is told')}; "
                         f"what became of it is in {folder}")
    write_answers(path, results, output)
    return results
