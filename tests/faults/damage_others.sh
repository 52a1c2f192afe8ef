#!/bin/bash
# Damage to what stands beside the checkpoints: tables, frames, XDMF, counts of ranks, the lock, the case's mesh, things
# that are no files. A restart repairs what follows from the state, names what does not, and keeps the physics; the
# reader for Python names what it cannot read.
# test: needs python3 python3-h5py python3-numpy
# test: timeout 600
# test: early
set -eu
tests=$(cd "$(dirname "$0")/.." && pwd)
source "$tests/faults/scenes.bash"
program=$(realpath "$1")
/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
write_scene scene.yaml
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 "$tests/faults/damage_others.py" "$program" "$tests/mpirun.sh" scene.yaml
