"""same_frames.py REFERENCE FOLDER LAST: the frames up to a step of two folders of results are the
same: names, columns and attributes, but for the ranks of rows. A line for each difference, exit
code 1 where there are any."""
# test: needs python3 python3-h5py python3-numpy
import os
import re
import sys

import h5py
import numpy


def frames(folder, last):
    """Names of the frames up to a step."""
    found = [re.fullmatch(r"frame-(\d+)\.h5", name) for name in os.listdir(folder)]
    return sorted(match.group() for match in found if match and int(match.group(1)) <= last)


def content(path):
    """Columns by name, and the attributes of the root; who wrote the file and ranks left out."""
    columns = {}
    with h5py.File(path, "r") as file:

        def add(name, item):
            if isinstance(item, h5py.Dataset) and not re.search("(^|/)rank$|^provenance", name):
                columns[name] = (item.shape, item[()].tobytes())

        file.visititems(add)
        for name, value in file.attrs.items():
            columns["@" + name] = numpy.asarray(value).tobytes()
    return columns


def main(reference, folder, last):
    expected, found = frames(reference, int(last)), frames(folder, int(last))
    differences = [f"{name} is in one folder alone" for name in set(expected) ^ set(found)]
    for name in set(expected) & set(found):
        one, other = (content(os.path.join(where, name)) for where in (reference, folder))
        different = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
        differences += [f"{name}: {key} differs" for key in different]
    if not expected:
        differences.append("no frames")
    print("\n".join(sorted(differences)))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
