#!/usr/bin/env python3
# Writes FCLIB files that are wrong in one way each, and whole ones damaged at random, and checks
# what drystone solve says of them: exit code 4 (damaged) or 2 (a kind of problem that is not
# solved), one message that names file and object, nothing on standard output.
# test: needs python3 python3-h5py python3-numpy
import os
import random
import shutil
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from counted import Counted

COPIES = int(os.environ.get("FCLIB_FUZZ_ROUNDS", 60))   # damaged at random


def put_matrix(group, a):
    rows, columns = np.nonzero(a)
    for name, value in (("nzmax", len(rows)), ("m", a.shape[0]), ("n", a.shape[1]), ("nz", -2)):
        group[name] = np.array([value], np.int32)
    group["p"] = np.searchsorted(rows, range(a.shape[0] + 1)).astype(np.int32)
    group["i"], group["x"] = columns.astype(np.int32), a[rows, columns]


def write(path, form):
    """Two contacts of one body with the ground."""
    h = np.array([[0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1], [1, 0, 0, 1, 0, 0.5]], float)
    with h5py.File(path, "w") as f:
        g = f.create_group("fclib_" + form)
        g["spacedim"] = np.array([3], np.int32)
        v = g.create_group("vectors")
        v["mu"] = np.array([0.5, 0.6])
        if form == "local":
            put_matrix(g.create_group("W"), h.T @ h)
            v["q"] = h.T @ np.array([0.1, 0, -1])
        else:
            put_matrix(g.create_group("M"), np.eye(3))
            put_matrix(g.create_group("H"), h)
            v["f"], v["w"] = np.array([0.1, 0, -1]), np.zeros(6)


def replace(name, value, dtype=None):
    def change(f):
        del f[name]
        f[name] = np.array(value, dtype) if dtype else value
    return change


def remove(name):
    def change(f):
        del f[name]
    return change


def add(name, value):
    def change(f):
        f[name] = value
    return change


def hollow(f):
    del f["fclib_local/vectors/mu"]
    f["fclib_local/vectors"].create_dataset("mu", (2**40,), chunks=(2**16,), dtype="f8")


def wide(f):
    del f["fclib_local/W/i"]
    kind, space = h5py.h5t.STD_I32LE.copy(), h5py.h5s.create_simple((20,))
    kind.set_size(1 << 20)
    h5py.h5d.create(f.id, b"fclib_local/W/i", kind, space)


def dangling(f):
    del f["fclib_local/W/x"]
    f["fclib_local/W/x"] = h5py.SoftLink("/nowhere")


def set_one(name, at, value):
    def change(f):
        f[name][at] = value
    return change


L, G = "fclib_local/", "fclib_global/"
BAD = [
    # name, form, exit code, what the message holds, change
    ("no-problem", "local", 4, "fclib_local and /fclib_global are missing", remove("fclib_local")),
    ("no-vectors", "local", 4, L + "vectors/mu is missing", remove(L + "vectors")),
    ("no-matrix", "local", 4, L + "W/m is missing", remove(L + "W")),
    ("no-spacedim", "local", 4, L + "spacedim is missing", remove(L + "spacedim")),
    ("spacedim", "local", 4, L + "spacedim is 7", replace(L + "spacedim", [7], np.int32)),
    ("rolling", "local", 2, "rolling friction", replace(L + "spacedim", [5], np.int32)),
    ("rolling-mu", "global", 2, "rolling friction", add(G + "vectors/mu_r", [0.1, 0.1])),
    ("rolling-form", "local", 2, "rolling friction", add("fclib_global_rolling/x", [1])),
    ("mixed", "local", 2, "mixed problem", add(L + "V/m", [1])),
    ("bilateral", "global", 2, "bilateral constraints", add(G + "G/m", [1])),
    ("two", "local", 4, "two problems", add("fclib_global/x", [1])),
    ("negative-mu", "local", 4, "mu: coefficient 2 is negative",
     replace(L + "vectors/mu", [0.5, -0.1])),
    ("nan-mu", "local", 4, "mu: number 1 is not finite", replace(L + "vectors/mu", [np.nan, 0.1])),
    ("infinite-q", "local", 4, "q: number 3 is not finite", set_one(L + "vectors/q", 2, np.inf)),
    ("nan-w", "local", 4, "W/x: number 1 is not finite", set_one(L + "W/x", 0, np.nan)),
    ("short-q", "local", 4, "q has 5 numbers, 6", replace(L + "vectors/q", np.zeros(5))),
    ("long-q", "local", 4, "q has 9 numbers, 6", replace(L + "vectors/q", np.zeros(9))),
    ("text-mu", "local", 4, "mu is not of real numbers", replace(L + "vectors/mu", ["a", "b"])),
    ("integer-x", "local", 4, "W/x is not of real numbers",
     replace(L + "W/x", [1] * 20, np.int32)),
    ("real-index", "local", 4, "W/i is not of integers", replace(L + "W/i", [0.5] * 20)),
    ("group-for-set", "local", 4, "q is no data set",
     lambda f: (remove(L + "vectors/q")(f), f.create_group(L + "vectors/q"))),
    ("dangling", "local", 4, "W/x leads nowhere", dangling),
    ("wide", "local", 4, "W/i is of numbers of more than 16 bytes", wide),
    ("hollow", "local", 4, "claims more numbers", hollow),
    ("size", "local", 4, "W is 6 by 9, not 6 by 6", replace(L + "W/n", [9], np.int32)),
    ("negative-size", "local", 4, "rows and", replace(L + "W/m", [-6], np.int32)),
    ("huge-size", "local", 4, "p has 7 numbers", replace(L + "W/m", [2**31 - 1], np.int32)),
    ("storage", "local", 4, "nz is -3", replace(L + "W/nz", [-3], np.int32)),
    ("index", "local", 4, "entries outside", set_one(L + "W/i", 1, 6)),
    ("negative-index", "local", 4, "entries outside", set_one(L + "W/i", 1, -1)),
    ("pointers", "local", 4, "p does not ascend", set_one(L + "W/p", 2, 1)),
    ("pointer-start", "local", 4, "p does not ascend", set_one(L + "W/p", 0, 1)),
    ("pointer-end", "local", 4, "numbers,", set_one(L + "W/p", 6, 1000)),
    ("triplets", "global", 4, "H has entries outside",
     lambda f: (replace(G + "H/nz", [4], np.int32)(f), set_one(G + "H/i", 0, 77)(f))),
    ("few-triplets", "global", 4, "numbers,", replace(G + "H/nz", [500], np.int32)),
    ("short-f", "global", 4, "M is 3 by 3, not 2 by 2", replace(G + "vectors/f", np.zeros(2))),
    ("skewed-m", "global", 4, "M is not symmetric",
     lambda f: (set_one(G + "M/i", 0, 1)(f))),
    ("negative-m", "global", 4, "M is not positive definite", set_one(G + "M/x", 1, -1.0)),
    ("zero-m", "global", 4, "M is not positive definite", set_one(G + "M/x", 1, 0.0)),
]
GOOD = [("good-local", "local"), ("good-global", "global")]


class Tests(Counted):
    def solve(self, path):
        return subprocess.run([self.program, "solve", path], capture_output=True, text=True,
                              check=False, timeout=60, errors="replace")

    def refuses(self, path, code, words):
        done = self.solve(path)
        lines = done.stderr.splitlines()
        self.check(done.returncode == code and len(lines) == 1 and not done.stdout and
                   lines[0].startswith("drystone: " + path) and words in lines[0],
                   f"{path}: code {done.returncode}, wanted {code} '{words}', got {lines[:3]}")

    def one_fault(self):
        for name, form in GOOD:
            write(name + ".hdf5", form)
            self.check(self.solve(name + ".hdf5").returncode == 0, name + " is not solved")
        for name, form, code, words, change in BAD:
            path = f"bad-{name}.hdf5"
            write(path, form)
            with h5py.File(path, "r+") as f:
                change(f)
            self.refuses(path, code, words)

    def no_file(self):
        self.refuses("missing.hdf5", 4, "No such file")
        with open("text.hdf5", "w", encoding="ascii") as f:
            f.write("no file of that kind\n" * 100)
        self.refuses("text.hdf5", 4, "expected an HDF5 file with a contact problem")
        with open("empty.hdf5", "w", encoding="ascii"):
            pass
        self.refuses("empty.hdf5", 4, "")
        for part in (100, 1000, 5000):
            shutil.copy("good-local.hdf5", "cut.hdf5")
            os.truncate("cut.hdf5", part)
            self.refuses("cut.hdf5", 4, "")

    def damaged(self):
        """Bytes changed: whatever comes out, it is an answer or one message."""
        chance = random.Random(5)
        for k in range(COPIES):
            with open(GOOD[k % 2][0] + ".hdf5", "rb") as f:
                data = bytearray(f.read())
            for _ in range(chance.choice((1, 3, 10, 100))):
                at = chance.randrange(len(data))
                data[at] = chance.choice((0, 1, 255, chance.randrange(256)))
            with open("damaged.hdf5", "wb") as f:
                f.write(data)
            done = self.solve("damaged.hdf5")
            lines = done.stderr.splitlines()
            message = len(lines) == 1 and lines[0].startswith("drystone: damaged.hdf5")
            sound = done.returncode in (0, 3) and not lines and done.stdout
            self.check(sound or (done.returncode in (2, 4) and message and not done.stdout),
                       f"copy {k}: code {done.returncode}, {lines[:3]}")


if __name__ == "__main__":
    tests = Tests(sys.argv[1])
    tests.one_fault()
    tests.no_file()
    tests.damaged()
    tests.finish()
