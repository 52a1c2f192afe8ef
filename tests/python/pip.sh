#!/bin/bash
# pip makes the Python package what its pyproject.toml says, with all of its modules, and the installed one reads a run
# test: needs python3 python3-h5py python3-pip python3-setuptools python3-wheel
# test: slow
# test: ranks 2
set -u
program=$(realpath "$1")
tests=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
"$python" -c 'import setuptools, wheel, h5py, pip' 2>/dev/null || { echo "python3-pip is not installed"; exit 77; }
rm -rf source site results
cp -r "$tests/../io/python" source   # what pip leaves beside its source stays here
rm -rf source/drystone/__pycache__
"$python" -m pip install --quiet --no-index --no-build-isolation --no-deps --root-user-action=ignore --target site \
  ./source >pip.log 2>&1 || { cat pip.log; exit 1; }
expected=$(cd source && find drystone -type f | sort) found=$(cd site && find drystone -name '*.py' | sort)
[ "$expected" = "$found" ] || { echo "FAILED  modules: $found"; exit 1; }
"$tests/mpirun.sh" 2 "$program" run "$tests/../jobs/arch/arch.yaml" -o results --steps 20 \
  --set output.frames.every=0.01 >run.log 2>&1 || { tail -n 5 run.log; exit 1; }
cd / && PYTHONPATH=$OLDPWD/site "$python" - "$OLDPWD" <<'END'
import sys
import drystone
folder = sys.argv[1]
assert drystone.__file__.startswith(folder + "/site/"), drystone.__file__
results = drystone.open(folder + "/results")
assert len(results.frames) == 3 and len(results.history()["time"]) == 20, results.frames
print("read", len(results.frames), "frames by the package that pip installed")
END
