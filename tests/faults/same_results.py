"""same_results.py REFERENCE [--part|--whole FOLDER]...: compares folders of results with one of a
run that nothing disturbed; a line for each difference, exit code 1 where there are any.

--whole: the same files, and in them the same of all that does not say how bodies were dealt to
ranks.
--part: what is there can be read and is as in the reference: frames, complete checkpoints, whole
lines of tables."""
# test: needs python3 python3-h5py python3-numpy
import hashlib
import os
import re
import sys

import h5py
import numpy

PHYSICS = 40  # columns of history.csv that belong to the state
TEMPORARY = ".tmp"


def content(path):
    """A digest of the columns of a file, but the ranks of rows, and of its root's attributes."""
    digest = hashlib.sha256()
    with h5py.File(path, "r") as file:
        names = []
        file.visit(names.append)
        for name in sorted(names):
            item = file[name]
            if isinstance(item, h5py.Dataset) and not re.search("(^|/)rank$|^provenance", name):
                digest.update(name.encode() + str(item.shape).encode() + item[()].tobytes())
        for name, value in sorted(file.attrs.items()):
            digest.update(name.encode() + numpy.asarray(value).tobytes())
    return digest.hexdigest()


def lines(path):
    """The whole lines of a table; of the history what belongs to the state."""
    with open(path, "rb") as file:
        whole = file.read().decode().split("\n")[:-1]
    columns = PHYSICS if path.endswith("history.csv") else None
    return [",".join(line.split(",")[:columns]) for line in whole]


def state(path):
    """What the manifest of a checkpoint says of the state."""
    with open(path, "rb") as file:
        found = re.findall(rb"^(step|time_hex|hash|bodies|contacts): (.*)$", file.read(), re.M)
    assert len(found) >= 5, "a manifest that does not tell of a state"
    return found[:5]


def text(path):
    with open(path, "rb") as file:
        return file.read()


def kind(name):
    if name.endswith((".h5", ".hdf5")):
        return content
    if name.endswith(".csv"):
        return lines
    return state if name.endswith(".manifest") else text


def recorded_steps(folder):
    """The steps that the records of ranks cover, in order."""
    steps = []
    for name in sorted(os.listdir(folder)):
        if name.startswith("ranks-") and name.endswith(".h5"):
            with h5py.File(os.path.join(folder, name), "r") as file:
                for last, count in zip(file["records/step"][()], file["records/steps"][()]):
                    steps += range(int(last) - int(count) + 1, int(last) + 1)
    return steps


def names(folder):
    """The files of a folder, but those that tell how a run went: on which ranks, when, how fast."""
    return {name for name in os.listdir(folder)
            if not name.startswith("ranks-") and name != "run.log"}


def same(reference, folder, name, whole):
    """Whether a file is as in the reference: of a part, lines are the first ones."""
    read = kind(name)
    expected, found = (read(os.path.join(where, name)) for where in (reference, folder))
    if read is lines and not whole:
        return found == expected[: len(found)]
    return found == expected


def complete_in_part(folder, name):
    """Whether a file of a part is complete: a frame, a table, a checkpoint with its manifest."""
    if name.startswith("checkpoint-"):
        return os.path.exists(os.path.join(folder, name.split(".")[0] + ".manifest"))
    return name.startswith("frame-") or name.endswith(".csv")


def differences(reference, folder, whole):
    found = []
    there, expected = names(folder), names(reference)
    if whole:
        found += [f"{name} is missing" for name in sorted(expected - there)]
        found += [f"{name} is too much" for name in sorted(there - expected)]
        covered, steps = recorded_steps(folder), recorded_steps(reference)
        if covered != steps:
            found.append(f"ranks-*.h5 cover {covered}, not {steps}")
    for name in sorted(there & expected):
        if name.endswith(TEMPORARY) or not (whole or complete_in_part(folder, name)):
            continue
        try:
            if not same(reference, folder, name, whole):
                found.append(f"{name} differs")
        except Exception as reason:  # what cannot be read, for whatever reason
            found.append(f"{name}: {reason}")
    return found


def main(words):
    reference, failures = words[0], 0
    for option, folder in zip(words[1::2], words[2::2]):
        for difference in differences(reference, folder, option == "--whole"):
            print(f"{folder}: {difference}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
