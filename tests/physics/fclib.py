#!/usr/bin/env python3
# drystone solve on contact problems with known properties, written here in the FCLIB format: every
# solver reaches its residual on any number of ranks, and what cannot be solved is said to be so.
# test: needs python3 python3-h5py python3-numpy
# test: slow
# test: ranks 3
import json
import os
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from counted import Counted

GRAVITY = 9.81
STEP = 1e-3


# -- scenes of boxes and spheres ------------------------------------------------------------------
class Scene:
    """Bodies with mass and inertia about their axes, contacts with arms; -1 is a fixed body."""

    def __init__(self):
        self.mass, self.inertia, self.place, self.velocity = [], [], [], []
        self.contacts = []

    def add_box(self, place, size, density=2400):
        m = density * size[0] * size[1] * size[2]
        a, b, c = (s * s for s in size)
        return self.add(m, [m / 12 * (b + c), m / 12 * (a + c), m / 12 * (a + b)], place)

    def add_sphere(self, place, radius, density=2400):
        m = density * 4 / 3 * np.pi * radius**3
        return self.add(m, [0.4 * m * radius * radius] * 3, place)

    def add(self, mass, inertia, place):
        self.mass.append(mass)
        self.inertia.append(inertia)
        self.place.append(np.array(place, float))
        self.velocity.append(np.zeros(6))
        return len(self.mass) - 1

    def touch(self, low, high, point, normal, friction):
        """Normal points from high to low."""
        self.contacts.append((low, high, np.array(point, float), np.array(normal, float), friction))

    def accelerate(self, acceleration):
        for u in self.velocity:
            u[:3] += STEP * np.array(acceleration)

    def matrices(self):
        n, c = 6 * len(self.mass), 3 * len(self.contacts)
        mass = np.array([[m] * 3 + list(i) for m, i in zip(self.mass, self.inertia)]).reshape(-1)
        h = np.zeros((n, c))
        for k, (low, high, point, normal, _) in enumerate(self.contacts):
            helper = np.eye(3)[np.argmin(np.abs(normal))]
            t1 = np.cross(normal, helper)
            t1 /= np.linalg.norm(t1)
            axes = np.stack([normal, t1, np.cross(normal, t1)])
            for body, sign in ((low, 1), (high, -1)):
                if body < 0:
                    continue
                arm = point - self.place[body]
                for j in range(3):
                    h[6 * body:6 * body + 3, 3 * k + j] += sign * axes[j]
                    h[6 * body + 3:6 * body + 6, 3 * k + j] += sign * np.cross(arm, axes[j])
        friction = np.array([contact[4] for contact in self.contacts], float)
        free = np.array(self.velocity).reshape(-1)
        return mass, h, friction, free


def face(scene, low, high, x, y, z, friction):
    for px in x:
        for py in y:
            scene.touch(low, high, [px, py, z], [0, 0, 1], friction)


def wall(columns, courses, friction, tilt):
    """Bricks in running bond on the ground, pushed in plane."""
    scene, below = Scene(), []
    for k in range(courses):
        edges = ([0.4 * i for i in range(columns + 1)] if k % 2 == 0 else
                 [0] + [0.4 * i - 0.2 for i in range(1, columns + 1)] + [0.4 * columns])
        row = []
        for x0, x1 in zip(edges[:-1], edges[1:]):
            x0, x1 = x0 + 0.001, x1 - 0.001
            b = scene.add_box([(x0 + x1) / 2, 0, 0.2 * k + 0.1], [x1 - x0, 0.2, 0.2])
            row.append((b, x0, x1))
            if k == 0:
                face(scene, b, -1, [x0, x1], [-0.1, 0.1], 0, friction)
            for other, y0, y1 in below:
                left, right = max(x0, y0), min(x1, y1)
                if right - left > 1e-6:
                    face(scene, b, other, [left, right], [-0.1, 0.1], 0.2 * k, friction)
        below = row
    c = 1 / np.sqrt(1 + tilt * tilt)
    scene.accelerate([GRAVITY * tilt * c, 0, -GRAVITY * c])
    return scene


def stack(boxes, friction, copies=1, ratio=1.0):
    """Boxes upon each other, each heavier than the one below by a ratio; contacts repeated."""
    scene = Scene()
    for k in range(boxes):
        b = scene.add_box([0, 0, k + 0.5], [1, 1, 1], 1000 * ratio**k)
        for _ in range(copies):
            face(scene, b, b - 1, [-0.5, 0.5], [-0.5, 0.5], k, friction)
    scene.accelerate([0, 0, -GRAVITY])
    return scene


def heap(side, layers, friction, push):
    """Spheres in the gaps of the layer below, on a floor, pushed sideways so that some slide."""
    scene, places, r = Scene(), [], 0.1
    for k in range(layers):
        for i in range(side - k):
            for j in range(side - k):
                place = [r * (2 * i + k), r * (2 * j + k), r * (1 + np.sqrt(2) * k)]
                b = scene.add_sphere(place, r, 2400 + 37 * ((7 * i + 5 * j + 3 * k) % 11))
                if k == 0:
                    scene.touch(b, -1, [place[0], place[1], 0], [0, 0, 1], friction)
                for other, there in enumerate(places):
                    gap = np.array(place) - there
                    if np.linalg.norm(gap) < 2 * r * (1 + 1e-9):
                        n = gap / np.linalg.norm(gap)
                        scene.touch(b, other, there + r * n, n, friction)
                places.append(np.array(place))
    scene.accelerate([push * GRAVITY, 0.3 * push * GRAVITY, -GRAVITY])
    return scene


def wedge(friction, angle):
    """A wedge pressed down between two fixed walls that it jams."""
    scene = Scene()
    b = scene.add_box([0, 0, 0], [1, 1, 1])
    s, c = np.sin(angle), np.cos(angle)
    for side in (-1, 1):
        for y in (-0.5, 0.5):
            for z in (-0.4, 0.4):
                place = [side * (0.5 + z * np.tan(angle)), y, z]
                scene.touch(b, -1, place, [-side * c, 0, s], friction)
    scene.accelerate([0.1, 0, -GRAVITY])
    return scene


# -- files ----------------------------------------------------------------------------------------
def put_matrix(group, a, storage):
    rows, columns = np.nonzero(a)
    order = np.lexsort((rows, columns)) if storage == "columns" else np.lexsort((columns, rows))
    rows, columns = rows[order], columns[order]
    count = len(rows)
    if storage == "columns":
        p, i, nz = np.searchsorted(columns, range(a.shape[1] + 1)), rows, -1
    elif storage == "rows":
        p, i, nz = np.searchsorted(rows, range(a.shape[0] + 1)), columns, -2
    elif storage == "csparse":
        p, i, nz = columns, rows, count
    else:
        p, i, nz = rows, columns, count
    for name, value in (("nzmax", count), ("m", a.shape[0]), ("n", a.shape[1]), ("nz", nz)):
        group[name] = np.array([value], np.int32)
    group["p"], group["i"] = p.astype(np.int32), i.astype(np.int32)
    group["x"] = a[rows, columns]


def begin(path, form, title):
    f = h5py.File(path, "w")
    g = f.create_group("fclib_" + form)
    g["spacedim"] = np.array([3], np.int32)
    g.create_group("info")["title"] = np.bytes_(title)
    return f, g


def write_global(path, scene, storage="columns"):
    mass, h, friction, free = scene.matrices()
    f, g = begin(path, "global", os.path.basename(path))
    put_matrix(g.create_group("M"), np.diag(mass), storage)
    put_matrix(g.create_group("H"), h, storage)
    v = g.create_group("vectors")
    v["f"], v["w"], v["mu"] = mass * free, np.zeros(h.shape[1]), friction
    f.close()


def write_local(path, w, q, friction, storage="rows"):
    f, g = begin(path, "local", os.path.basename(path))
    put_matrix(g.create_group("W"), w, storage)
    v = g.create_group("vectors")
    v["q"], v["mu"] = q, friction
    f.close()


def local_of(scene):
    mass, h, friction, free = scene.matrices()
    return h.T @ (h / mass[:, None]), h.T @ free, friction


def skewed(scene, share):
    """A Delassus matrix that is unsymmetric, as where contact points of two bodies differ."""
    w, q, friction = local_of(scene)
    noise = np.sin(np.arange(w.size).reshape(w.shape) * 0.7) * (w != 0)
    return w + share * np.abs(w).max() * (noise - noise.T) / 2, q, friction



# -- what is tested -------------------------------------------------------------------------------
SOLVERS = ("automatic", "admm", "nesterov", "anderson", "gauss-seidel")


def globals_():
    """Scenes, and the solvers that reach 1e-8 on them."""
    every = SOLVERS
    strong = ("automatic", "admm")
    return {
        "stack": (stack(5, 0.5), strong + ("nesterov",)),
        "stack-of-30": (stack(30, 0.5), strong),
        "repeated-points": (stack(8, 0.5, 8), strong),
        "mass-ratio-1e5": (stack(6, 0.5, 1, 10), strong),
        "mass-ratio-down": (stack(6, 0.5, 1, 0.1), every),
        "no-friction": (stack(8, 0.0), every),
        "friction-10": (heap(6, 6, 10, 0.3), strong),
        "smooth-heap": (heap(5, 5, 0, 0), strong),
        "sliding-heap": (heap(3, 2, 0.2, 0.6), every),
        "wedge": (wedge(0.6, 0.2), every),
        "slipping-wedge": (wedge(0.1, 0.2), every),
        "wall": (wall(5, 25, 0.6, 0), strong),
        "wall-tilted": (wall(5, 25, 0.6, 0.3), strong),
        "wall-collapsing": (wall(10, 10, 0.6, 0.65), ("automatic",)),
    }


def locals_():
    return {
        "skewed-heap": (skewed(heap(4, 3, 0.3, 0.4), 0.01), ("automatic",)),
        "skewed-stack": (skewed(stack(6, 0.5), 0.01), ("automatic",)),
        "box": (local_of(stack(1, 0.5)), SOLVERS),
    }


class Tests(Counted):
    def solve(self, path, *options, ranks=0):
        here = os.path.dirname(os.path.abspath(__file__))
        launcher = [os.path.join(here, "../mpirun.sh"), str(ranks)] if ranks else []
        done = subprocess.run([*launcher, self.program, "solve", path, "--json", *options],
                              capture_output=True, text=True, check=False)
        text = json.loads(done.stdout) if done.stdout else {}
        return done.returncode, text, done.stderr

    def reaches(self, path, solver):
        code, text, error = self.solve(path, "--tolerance", "1e-8", "--solver", solver)
        name = os.path.basename(path)
        self.check(code == 0 and text.get("converged") is True and text["residual"] <= 1e-8,
                   f"{name} by {solver}: code {code}, residual {text.get('residual')} {error}")
        if text:
            print(f"{name:28s} {solver:12s} {text['sweeps']:6d} sweeps {text['residual']:.1e}")
        return text

    def problems(self):
        for name, (scene, solvers) in globals_().items():
            write_global(name + ".hdf5", scene)
            for solver in solvers:
                self.reaches(name + ".hdf5", solver)
        for name, ((w, q, friction), solvers) in locals_().items():
            write_local(name + ".hdf5", w, q, friction)
            for solver in solvers:
                self.reaches(name + ".hdf5", solver)

    def choice(self):
        """Bodies on points are swept first, those on faces get the linear system at once."""
        for path, solver, faces in (("sliding-heap.hdf5", "nesterov", False),
                                    ("wall.hdf5", "admm-cholesky", True),
                                    ("stack-of-30.hdf5", "admm-cholesky", True)):
            code, text, _ = self.solve(path, "--tolerance", "1e-8")
            self.check(code == 0 and text["solver"] == solver and text["faces"] is faces,
                       f"{path}: {text.get('solver')} chosen, faces {text.get('faces')}")
        # what sweeps do not solve soon is left to the system, and the trial is told
        code, text, _ = self.solve("friction-10.hdf5", "--tolerance", "1e-12")
        self.check(code == 0 and text["solver"] == "admm-cholesky" and not text["faces"] and
                   text["trial_residual"] > 1e-12 and text["trial_sweeps"] % 30 == 0 and
                   0 < text["trial_sweeps"] < text["sweeps"],
                   f"friction-10: trial of {text.get('trial_sweeps')} of {text.get('sweeps')}, "
                   f"then {text.get('solver')}")
        found = [self.solve("wall.hdf5", "--solver", name)[1] for name in ("admm", "admm-cholesky")]
        for text in found:
            text.pop("seconds")
        self.check(found[0] == found[1], "admm and admm-cholesky differ")
        code, text, error = self.solve("wall.hdf5", "--solver", "admm-amg")
        self.check(code == 2 and not text and "places of bodies" in error,
                   f"admm-amg: code {code}, {error}")

    def forms(self):
        """One problem in every form and storage: the same iterations to the same residual."""
        scene = heap(3, 2, 0.2, 0.6)
        found = []
        for storage in ("columns", "rows", "csparse", "rows-first"):
            write_global(f"form-{storage}.hdf5", scene, storage)
            found.append(self.reaches(f"form-{storage}.hdf5", "admm"))
        self.check(len({(t.get("sweeps"), t.get("residual")) for t in found}) == 1,
                   f"storages of one problem differ: {[t.get('residual') for t in found]}")
        for storage in ("columns", "rows", "csparse"):
            write_local(f"local-{storage}.hdf5", *skewed(heap(3, 2, 0.2, 0.6), 0.01), storage)
            found.append(self.reaches(f"local-{storage}.hdf5", "admm"))
        self.check(len({(t.get("sweeps"), t.get("residual")) for t in found[4:]}) == 1,
                   "storages of an unsymmetric W differ")

    def ranks(self):
        """The same answer on 1 and 3 ranks, to the last digit."""
        for path in ("wall.hdf5", "skewed-stack.hdf5"):
            found = []
            for ranks in (1, 3):
                code, text, error = self.solve(path, ranks=ranks)
                self.check(code == 0 and not error, f"{path} on {ranks} ranks: code {code} {error}")
                found.append({k: v for k, v in text.items() if k != "seconds"})
            self.check(found[0] == found[1], f"{path}: ranks differ, {found}")

    def limits(self):
        """Too few sweeps, and a contact that approaches and that nothing moves."""
        code, text, _ = self.solve("wall-tilted.hdf5", "--tolerance", "1e-8", "--max-sweeps", "3",
                                   "--solver", "admm")
        self.check(code == 3 and text["converged"] is False and text["residual"] > 1e-8,
                   f"3 sweeps: code {code}, {text.get('residual')}")
        w, q, friction = local_of(stack(1, 0.5))
        more = np.zeros((15, 15))
        more[:12, :12] = w
        for speed, wanted, unsolvable in ((0.1, 0, 0), (-0.1, 3, 1)):
            write_local("immovable.hdf5", more, np.concatenate([q, [speed, 0, 0]]),
                        np.concatenate([friction, [0.5]]))
            for solver in SOLVERS:
                code, text, _ = self.solve("immovable.hdf5", "--solver", solver)
                self.check(code == wanted and text.get("immovable") == 1 and
                           text.get("unsolvable") == unsolvable,
                           f"a contact that nothing moves, {speed} m/s, {solver}: code {code}")

    def nothing(self):
        """Without contacts, or without velocities, nothing converged."""
        for contacts, word in ((0, "contacts"), (1, "velocities")):
            scene = Scene()
            for _ in range(contacts):
                scene.touch(-1, -1, [0, 0, 0], [0, 0, 1], 0.5)
            write_global("nothing.hdf5", scene)
            done = subprocess.run([self.program, "solve", "nothing.hdf5"], capture_output=True,
                                  text=True, check=False)
            self.check(done.returncode == 0 and "converged" not in done.stdout and
                       done.stdout.endswith(f"\nnothing to solve: the problem has no {word}\n"),
                       f"no {word}: code {done.returncode}, {done.stdout}")
            code, text, _ = self.solve("nothing.hdf5")
            self.check(code == 0 and text["contacts"] == contacts and text["velocities"] == 0,
                       f"no {word}: code {code}, {text}")

    def given(self, folder):
        """Problems of the collection in a folder."""
        files = sorted(f for f in os.listdir(folder) if f.endswith(".hdf5")) if os.path.isdir(
            folder) else []
        if not files:
            print("skipped: no problems of the FCLIB collection (FCLIB_FILES names no folder)")
        for name in files:
            self.reaches(os.path.join(folder, name), "automatic")


if __name__ == "__main__":
    tests = Tests(sys.argv[1])
    tests.problems()
    tests.choice()
    tests.forms()
    tests.ranks()
    tests.limits()
    tests.nothing()
    tests.given(os.environ.get("FCLIB_FILES", ""))
    tests.finish()
