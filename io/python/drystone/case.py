"""A case as it is built in Python, and written as the YAML file that the program reads."""
# test: needs python3

import json
import math
import os
import re

from drystone import program

SECTIONS = ("title", "units", "seed", "gravity", "time", "materials", "contacts", "tilt", "base",
            "damping", "domain", "bodies", "joints", "loads", "servos", "stages", "solver",
            "contact", "output")   # the order in which a reader meets them
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
RESERVED = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}   # words of YAML


def _plain(value, where):
    """A value of numbers, texts, lists and dicts alone; arrays of numpy become lists."""
    if isinstance(value, dict):
        return {str(key): _plain(member, f"{where}.{key}") for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(member, f"{where}.{k}") for k, member in enumerate(value)]
    if hasattr(value, "tolist"):   # of numpy, without having to load it
        return _plain(value.tolist(), where)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where}: expected a number, found {value}")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{where}: a {type(value).__name__} has no place in a case")


def _scalar(value):
    if isinstance(value, str) and WORD.fullmatch(value) and value.lower() not in RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)


def _key(word):
    return word if WORD.fullmatch(word) else json.dumps(word, ensure_ascii=False)


def _flow(value):
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(member) for member in value) + "]"
    return _scalar(value)


def _lines(key, value):
    """A section of the file: lists of entries and tables have a line for each."""
    if isinstance(value, dict) and value:
        return [f"{key}:"] + [f"  {_key(k)}: {_flow(v)}" for k, v in value.items()]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [f"{key}:"] + [f"  - {_flow(member)}" for member in value]
    return [f"{key}: {_flow(value)}"]


class Case:
    """A case: the keys of the case file, as methods that add to it and as `case["solver"]`.

        case = drystone.Case("two blocks", step=1e-3, end=1)
        case.material("stone", density=2400)
        case.contact("stone", "stone", friction=0.6)
        case.body(box=[4, 4, 1], at=[0, 0, -0.5], material="stone", fixed=True, name="floor")
        case.body(box=[1, 1, 1], at=[0, 0, 0.5], material="stone", name="block")
        case.set("solver.tolerance", 1e-8)
        case.write("blocks.yaml")

    Keys, units and defaults are those of the file (io/README.md). The program checks them, when
    the case is checked or run; paths of meshes count from the folder of the file.
    """

    def __init__(self, title="", step=None, end=None, gravity=(0.0, 0.0, -9.81), **more):
        self.keys = {"units": "SI", "gravity": gravity}
        if title:
            self.keys["title"] = title
        if step is not None:
            self.set("time.step", step)
        if end is not None:
            self.set("time.end", end)
        self.keys.update(more)

    def __getitem__(self, key):
        return self.keys[key]

    def __setitem__(self, key, value):
        self.keys[key] = value

    def set(self, path, value):
        """A key by its path, as `--set` takes it: "solver.tolerance", "bodies.0.fixed"."""
        at, words = self.keys, path.split(".")
        for word, following in zip(words, words[1:]):
            try:
                if isinstance(at, list):
                    at = at[int(word)]
                else:
                    at = at.setdefault(word, [] if following.isdigit() else {})
            except (IndexError, ValueError):
                raise KeyError(f"{path}: there is no entry {word}") from None
            if not isinstance(at, (dict, list)):
                raise KeyError(f"{path}: {word} is a value, and has no keys below it")
        if isinstance(at, dict):
            at[words[-1]] = value
        elif words[-1].isdigit() and int(words[-1]) < len(at):
            at[int(words[-1])] = value
        else:
            raise KeyError(f"{path}: there is no entry {words[-1]}")
        return self

    def material(self, name, density, **more):
        """A material, by its density, kg/m3, and whatever else `materials` takes."""
        self.keys.setdefault("materials", {})[name] = {"density": density, **more}
        return self

    def contact(self, one, other, **law):
        """The law between two materials: friction, restitution, bond, joint_stiffness, ..."""
        return self._add("contacts", {"between": [one, other], **law})

    def body(self, **keys):
        """A body or a group of bodies, by the keys of an entry of `bodies`."""
        return self._add("bodies", keys)

    def load(self, **keys):
        """A load, by the keys of an entry of `loads`."""
        return self._add("loads", keys)

    def joint(self, **keys):
        """A joint, by the keys of an entry of `joints`."""
        return self._add("joints", keys)

    def stage(self, **keys):
        """A stage, by the keys of an entry of `stages`."""
        return self._add("stages", keys)

    def probe(self, name, **keys):
        """A probe, by the keys of an entry of `output.probes`."""
        self.keys.setdefault("output", {}).setdefault("probes", []).append({"name": name, **keys})
        return self

    def _add(self, section, keys):
        self.keys.setdefault(section, []).append(keys)
        return self

    def text(self):
        """The case file; raises ValueError or TypeError where a value has no place in one."""
        keys = {key: _plain(value, key) for key, value in self.keys.items()}
        order = [key for key in SECTIONS if key in keys] + [k for k in keys if k not in SECTIONS]
        return "\n".join(line for key in order for line in _lines(key, keys[key])) + "\n"

    def write(self, path):
        """Writes the case file, whole or not at all; returns its path."""
        text, path = self.text(), os.fspath(path)
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".tmp", path)
        return path

    def check(self, folder=None):
        """What `drystone check --json` tells of it: bodies, mass, contacts, warnings; a dict.

        folder   where paths of meshes count from; without it the current one

        Raises ProgramError with the program's message where the case is refused.
        """
        return program.check(self, folder)
