"""drystone in Python: cases, runs, and their results as numpy arrays.

    import drystone

    results = drystone.open("results/wall")
    for frame in results.frames:
        bodies = results.bodies(frame)       # dict of arrays, one row per body, by id
        contacts = results.contacts(frame)   # dict of arrays, one row per contact point, by key
        print(frame.step, frame.time, bodies["position"][:, 2].max(), contacts["gap"].min())
    line = results.thrust_line("arch")       # joint by joint: point, force, eccentricity, ...

    case = drystone.Case(step=1e-3, end=1)   # a case from scratch, checked by the program
    case.material("stone", density=2400)
    case.contact("stone", "stone", friction=0.6)
    case.body(box=[1, 1, 1], at=[0, 0, 0.5], material="stone", name="block")
    results = drystone.run(case, "results/block", ranks=2)

`drystone.compas` reads block models of COMPAS and writes answers into them. Results need h5py and
numpy, cases and runs numpy alone; runs need the program `drystone`, and mpirun for several ranks.
"""
# test: needs python3

import importlib

from drystone.case import Case
from drystone.measures import SelectionError
from drystone.program import ProgramError, check, find_program, run, study

__all__ = ["Case", "DamagedError", "Frame", "ProgramError", "Results", "SelectionError", "check",
           "compas", "figures", "find_program", "open", "rotations", "run", "study", "turns"]

READER = ("DamagedError", "Frame", "Results", "rotations", "turns")


def open(folder):
    """The results in a folder; raises FileNotFoundError where there are none."""
    return importlib.import_module("drystone.results").Results(folder)


def __getattr__(name):
    """The reader and COMPAS are loaded when they are asked for: h5py takes a while."""
    if name in READER:
        return getattr(importlib.import_module("drystone.results"), name)
    if name in ("compas", "figures"):
        return importlib.import_module("drystone." + name)
    raise AttributeError(f"module 'drystone' has no attribute '{name}'")
