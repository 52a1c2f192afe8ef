"""Reads a folder of results into numpy arrays.

Units stand in results.units("bodies") and results.units("contacts"), what each array is in
results.describe(...). What is told of masonry and of heaps is computed by drystone.measures.
"""
# test: needs python3 python3-h5py python3-numpy

import collections
import contextlib
import csv
import glob
import io
import json
import os
import warnings

import h5py
import numpy

from drystone import measures

REMOVED = ("step", "time", "id", "name", "mass", "x", "y", "z",
           "velocity_x", "velocity_y", "velocity_z")
OVERWRITING = "results.overwriting"   # stands as long as not all earlier results are gone

Frame = collections.namedtuple("Frame", "step time hash path")
Frame.__doc__ = """One frame: step number, time (s), hash of the state, path of its file."""


class DamagedError(Exception):
    """A file of the results cannot be read; the text says which one, and why."""

    __module__ = "drystone"   # as users know it


def _text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


@contextlib.contextmanager
def _read(path):
    """An HDF5 file; whatever is wrong with it is a DamagedError with its name."""
    try:
        with h5py.File(path, "r") as file:
            yield file
    except (OSError, KeyError, ValueError, TypeError, RuntimeError, IndexError) as reason:
        text = reason.args[0] if reason.args else type(reason).__name__
        raise DamagedError(f"{path} is missing or damaged: {text}") from None


def _table(path, types):
    """Columns of a file of comma-separated values; warns of a last line that is cut short."""
    try:
        with io.open(path, newline="", encoding="utf-8") as file:
            text = file.read()
        end = text.rfind("\n") + 1
        if 0 < end < len(text):
            warnings.warn(f"{path} ends within a line, which is left out", stacklevel=3)
        heading, *rows = csv.reader(io.StringIO(text[:end], newline=""))
        if any(len(row) != len(heading) for row in rows):
            raise ValueError("a line has not the fields of the heading")
        return {name: numpy.array([row[i] for row in rows], dtype=types.get(name, float))
                for i, name in enumerate(heading)}
    except (ValueError, csv.Error) as reason:
        raise DamagedError(f"{path} is damaged: {reason}") from None


def _named(group, items):
    """Columns by name; files of version 1 call the column of how bodies are driven `kind`."""
    found = dict(items)
    if group in ("bodies", "mesh") and "kind" in found and "drive" not in found:
        found["drive"] = found.pop("kind")
    return found


def _values(data):
    """The values of a data set; texts as str."""
    values = data[()]
    if values.dtype.kind == "S":
        return numpy.char.decode(values, "utf-8", "replace")
    return values


def _arrays(path, group):
    with _read(path) as file:
        return _named(group, ((name, _values(data)) for name, data in file[group].items()))


def _arrays_if_any(path, group):
    """The same, or an empty dict where the file has no such group."""
    with _read(path) as file:
        if group not in file:
            return {}
    return _arrays(path, group)


class Results:
    """A folder of results.

    folder   its path
    frames   list of Frame, by step
    """

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        self.frames = []
        self.refresh()
        if not self.frames and not any(os.path.exists(os.path.join(self.folder, name))
                                       for name in ("topology.h5", "history.csv")):
            raise FileNotFoundError(f"{self.folder} holds no results of drystone")

    def refresh(self):
        """Looks for frames again, while a run goes on; warns of those that cannot be read."""
        if os.path.exists(os.path.join(self.folder, OVERWRITING)):
            warnings.warn(f"{self.folder} holds what is left of results that a run with "
                          "--overwrite began to remove", stacklevel=2)
        frames = []
        for path in glob.glob(os.path.join(glob.escape(self.folder), "frame-*.h5")):
            try:
                frames.append(self._look_at_frame(path))
            except DamagedError as reason:
                warnings.warn(f"a frame is left out: {reason}", stacklevel=2)
        self.frames = sorted(frames)

    @staticmethod
    def _look_at_frame(path):
        with _read(path) as file:
            attributes = file.attrs
            if _text(attributes["format"]) != "drystone frame":
                raise ValueError(f"it holds a '{_text(attributes['format'])}'")
            return Frame(int(attributes["step"]), float(attributes["time"]),
                         _text(attributes["hash"]), path)

    @property
    def times(self):
        """Times of all frames, s."""
        return numpy.array([frame.time for frame in self.frames])

    def frame(self, which=-1):
        """A frame by its place in the list, or the one nearest to a time given as a float (s)."""
        if isinstance(which, Frame):
            return which
        if not self.frames:
            raise IndexError(f"{self.folder} holds no frames")
        if isinstance(which, float):
            return self.frames[int(numpy.argmin(abs(self.times - which)))]
        return self.frames[which]

    def bodies(self, frame=-1):
        """Arrays of all bodies in a frame: id, position, orientation (w x y z), velocity, ...

        Rows are sorted by id. Where bodies appear or leave, a frame has those that are there.
        name is that of the entry in the case, with the member behind a dot where it has several.
        """
        found = _arrays(self.frame(frame).path, "bodies")
        if "name" not in found and os.path.exists(self._topology_path()):
            with _read(self._topology_path()) as file:
                names = file["bodies"].get("name")
                if names is not None and len(names) == len(found["id"]):
                    found["name"] = _values(names)
        return found

    def time_step(self, frame=-1):
        """Length of the step before a frame, s: forces are impulses over it."""
        with _read(self.frame(frame).path) as file:
            return float(file.attrs["time_step"])

    def gravity(self, frame=-1):
        """Gravity at the middle of the step before a frame, m/s2."""
        with _read(self.frame(frame).path) as file:
            return numpy.array(file.attrs["gravity"])

    def interfaces(self, frame=-1):
        """Arrays of all pairs of bodies in contact: bodies, normal, force, point, opening, ...

        normal leads upwards (along the first axis where it is level), whichever of the two bodies
        has the lower id; force is on the body that it leads into, N. point is where the normal
        forces have their centre. Frames of before, or without the field, give an empty dict.
        """
        return _arrays_if_any(self.frame(frame).path, "interfaces")

    def chains(self, frame=-1):
        """Lines between centres of bodies that are pressed together: line, force, fixed, ends.

        line holds two rows of bodies, force the sum of the normal forces, N, and ends both centres
        (n, 2, 3), m. Frames of before, or without the field, give an empty dict.
        """
        path = self.frame(frame).path
        found = _arrays_if_any(path, "chains")
        if found:
            with _read(path) as file:
                places = file["bodies/position"][()]
            found["ends"] = places[found["line"].astype(numpy.int64)]
        return found

    def select(self, of, frame=-1):
        """Rows of the bodies of a frame that are called so: a name, a pattern, or a list of both.

        An entry of the case means all its members, `arch.3` one of them, `pier_*` those that fit.
        """
        return self._rows(self.bodies(frame), of)

    def _told(self, found, field):
        """What a frame tells; an error where the run was made without that field."""
        if found is None or isinstance(found, dict) and not found:
            raise measures.SelectionError(f"{self.folder} tells no {field}: the run was made "
                                          f"without output.frames.fields: {field}")
        return found

    def _rows(self, bodies, of):
        """Rows of bodies that are called so; None where all are meant."""
        return None if of is None else measures.select(self._told(bodies.get("name"), "name"), of)

    def _joints_told(self, frame):
        return self._told(self.interfaces(frame), "interfaces")

    def thrust_line(self, of, frame=-1):
        """The line of thrust through the bodies that are called so: see measures.thrust_line."""
        bodies = self.bodies(frame)
        return measures.thrust_line(bodies, self._joints_told(frame), self._rows(bodies, of))

    def hinges(self, of=None, frame=-1, angle=1e-3):
        """Joints that turned by more than an angle (rad) and press: see measures.hinges."""
        bodies = {} if of is None else self.bodies(frame)
        ids = None if of is None else bodies["id"][self._rows(bodies, of)]
        return measures.hinges(self._joints_told(frame), angle, ids)

    def stress(self, of=None, frame=-1):
        """Mean stress (n, 3, 3) of bodies, Pa, tension above zero, in world axes.

        Of a rigid body by the forces of its contacts (Love 1927), of others that of their material.
        """
        bodies = self.bodies(frame)
        stress, rows = self._told(bodies.get("stress"), "stress"), self._rows(bodies, of)
        return measures.tensors(stress if rows is None else stress[rows])

    def coordination(self, of=None, frame=-1):
        """How many others bodies are pressed by: see measures.coordination."""
        bodies = self.bodies(frame)
        return measures.coordination(bodies, self._joints_told(frame), self._rows(bodies, of))

    def fabric(self, frame=-1, weights="count"):
        """The fabric tensor of all joints that press: see measures.fabric."""
        return measures.fabric(self._joints_told(frame), weights)

    def force_histogram(self, frame=-1, bins=20, largest=None):
        """How normal forces are spread about their mean: see measures.force_histogram."""
        return measures.force_histogram(self._joints_told(frame), bins, largest)

    def balance(self, of=None, frame=-1):
        """What forces of joints and weight leave on bodies, N: see measures.balance."""
        bodies = self.bodies(frame)
        return measures.balance(bodies, self._joints_told(frame), self.gravity(frame),
                                self._rows(bodies, of))

    def outcome(self):
        """How a run with `time.until` or `stages` ended: a dict; empty for other runs."""
        path = os.path.join(self.folder, "outcome.json")
        try:
            with io.open(path, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as reason:
            raise DamagedError(f"{path} is damaged: {reason}") from None

    def base(self, frame=-1):
        """How far a base that moves all fixed bodies is from its start in a frame, m."""
        with _read(self.frame(frame).path) as file:
            return numpy.array([float(file.attrs.get("base_" + axis, 0.0)) for axis in "xyz"])

    def displacements(self, frame=-1, since=0):
        """Ways (n, 3) of all bodies from one frame to another, relative to the base, m.

        Rows are those of the bodies that both frames have, by id.
        """
        now, then = self.bodies(frame), self.bodies(since)
        here, there = (numpy.isin(a["id"], b["id"]) for a, b in ((now, then), (then, now)))
        return (now["position"][here] - then["position"][there]
                - (self.base(frame) - self.base(since)))

    def contacts(self, frame=-1):
        """Arrays of all contact points in a frame: bodies, point, normal, gap, reaction_world, ...

        The normal points from the body with the higher id into the one with the lower id;
        reaction_world is the impulse on the lower body in world axes.
        """
        return _arrays(self.frame(frame).path, "contacts")

    def joints(self, frame=-1):
        """Arrays of all rows of joints in a frame: bodies, joint, status, force, elongation, ...

        A joint has a row for each point that it holds. force is on the lower body in world axes,
        N, the mean of the step; ends holds both places of each row, one behind the other. Frames
        of a case without joints have no arrays of them: the dict is empty.
        """
        return _arrays_if_any(self.frame(frame).path, "joints")

    def volumes(self, frame=-1):
        """Arrays of all rows of the volumetric law in a frame: bodies, point, normal, volume, ...

        impulse and couple of the last step are on the lower body in world axes. Frames of a case
        without that law have no arrays of them: the dict is empty.
        """
        return _arrays_if_any(self.frame(frame).path, "volumes")

    def mesh(self, frame=-1):
        """The surface of all bodies: points (n, 3), facets (arrays of rows of points), body.

        points holds the corners in this frame, body the id of each facet's body.
        """
        path = self.frame(frame).path
        mesh = _arrays(path, "mesh")
        if "topology" not in mesh:   # bodies stay the same ones, and so do their polygons
            with _read(self._topology_path()) as file:
                mesh.update((name, file["mesh"][name][()]) for name in ("topology", "body"))
        points, words, body = mesh["points"], mesh["topology"], mesh["body"]
        facets, at = [], 0
        while at < len(words):
            corners = int(words[at + 1])
            facets.append(words[at + 2:at + 2 + corners].astype(numpy.int64))
            at += 2 + corners
        return {"points": points, "facets": facets, "body": body}

    def elastic(self, frame=-1):
        """Nodes and cells of bodies of finite elements in a frame: points, cells, body, stress, ...

        points (n, 3) holds where the nodes are, m, and velocity, displacement (by deformation
        alone), force (of contacts), stress (n, 6: xx yy zz xy yz xz), principal_stress (the largest
        first) and von_mises a row for each, in world axes. cells (m, 8) holds rows of points as VTK
        orders them, of a tetrahedron four and -1 behind them; types (VTK's numbers), body (ids),
        material and rank have a row for each cell. Frames without such bodies give an empty dict.
        """
        path = self.frame(frame).path
        found = _arrays_if_any(path, "elastic")
        if found and "types" not in found:   # bodies stay the same ones, and so do their cells
            found.update(_arrays(self._topology_path(), "elastic"))
        if found:
            nodes, ends = found.pop("connectivity").astype(numpy.int64), found.pop("offsets")
            found.pop("topology")
            corners = numpy.diff(ends.astype(numpy.int64))
            cells = numpy.full((len(corners), 8), -1, dtype=numpy.int64)
            cells[numpy.arange(8) < corners[:, None]] = nodes
            found["cells"] = cells
        return found

    def removed(self):
        """The bodies that left the domain, in order: step, time (s), id, name, mass (kg), ...

        A dict of arrays with the columns of removed.csv; they are empty where nothing left.
        """
        path = os.path.join(self.folder, "removed.csv")
        types = {"step": numpy.int64, "id": numpy.int64, "name": str}
        if not os.path.exists(path):   # as where there is no domain
            return {name: numpy.array([], dtype=types.get(name, float)) for name in REMOVED}
        return _table(path, types)

    def probes(self):
        """The probes of the case, step by step: step, time (s), and columns that begin with names.

        A dict of arrays with the columns of probes.csv; empty where the case has no probes.
        """
        path = os.path.join(self.folder, "probes.csv")
        return _table(path, {"step": numpy.int64}) if os.path.exists(path) else {}

    def history(self):
        """The numbers of each step: step, time (s), kinetic_energy (J), sweeps, method, ...

        A dict of arrays with the columns of history.csv, one value per step.
        """
        path = os.path.join(self.folder, "history.csv")
        if not os.path.exists(path):
            raise FileNotFoundError(f"{self.folder} has no history.csv")
        return _table(path, {"step": numpy.int64, "method": str})

    def ranks(self):
        """What every rank counted: arrays [records, ranks], and [records] of the steps.

        A record covers the steps up to and with its step; first_step and steps say which. Where a
        run went on with fewer ranks, those that were not there are masked.
        """
        spans, pieces = {}, []
        for path in sorted(glob.glob(os.path.join(glob.escape(self.folder), "ranks-*.h5")),
                           key=lambda name: int(os.path.basename(name)[6:-3])):
            with _read(path) as file:
                count, ranks = int(file.attrs["records"]), int(file.attrs["ranks"])
                for name, data in file["records"].items():
                    spans.setdefault(name, []).append(data[()].astype(numpy.int64))
                pieces.append({name: data[()].astype(numpy.int64).reshape(ranks, count).T
                               for name, data in file["ranks"].items()})
        if not pieces:
            return {}
        found = {name: numpy.concatenate(columns) for name, columns in spans.items()}
        found["first_step"] = found["step"] - found["steps"] + 1
        most = max(next(iter(piece.values())).shape[1] for piece in pieces)
        for name in pieces[-1]:
            columns = [piece.get(name, numpy.zeros((len(next(iter(piece.values()))), 0), int))
                       for piece in pieces]
            found[name] = numpy.ma.concatenate([numpy.ma.masked_array(
                numpy.pad(column, ((0, 0), (0, most - column.shape[1]))),
                numpy.broadcast_to(numpy.arange(most) >= column.shape[1], (len(column), most)))
                for column in columns])
        return found

    def units(self, group):
        """Units of the arrays of "bodies", "contacts" or "mesh"."""
        return self._attribute(group, "unit")

    def describe(self, group):
        """What the arrays of "bodies", "contacts" or "mesh" are."""
        return self._attribute(group, "text")

    def provenance(self, frame=-1):
        """Who wrote a frame from which case: version, compiler, ranks, case_text, overrides, ..."""
        with _read(self.frame(frame).path) as file:
            group = file["provenance"]
            found = {name: value if isinstance(value, numpy.integer) else _text(value)
                     for name, value in group.attrs.items()}
            found.update({name: _text(data[()]) for name, data in group.items()})
        return found

    def _attribute(self, group, name):
        with _read(self.frame(0).path) as file:
            return _named(group, ((key, _text(data.attrs[name]))
                                  for key, data in file[group].items()))

    def _topology_path(self):
        return os.path.join(self.folder, "topology.h5")


def rotations(orientation):
    """Rotation matrices (n, 3, 3), body to world, of unit quaternions (n, 4), w x y z."""
    w, x, y, z = numpy.asarray(orientation, dtype=float).T
    return numpy.stack([
        numpy.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
        numpy.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
        numpy.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
    ], axis=-2)


def turns(rotation):
    """Rotation matrices (n, 3, 3) of axes times angles (n, 3), rad."""
    rotation = numpy.asarray(rotation, dtype=float)
    angle = numpy.linalg.norm(rotation, axis=-1, keepdims=True)
    axis = rotation / numpy.where(angle > 0, angle, 1.0)
    return rotations(numpy.concatenate([numpy.cos(angle / 2), numpy.sin(angle / 2) * axis],
                                       axis=-1))
