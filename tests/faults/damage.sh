#!/bin/bash
# Damaged checkpoints are named and the generation before is taken: bits, sizes, pages, generations that are mixed up,
# versions, well-formed lies. DAMAGE_ROUNDS=1700 is the campaign; DAMAGE_KIND, DAMAGE_SEED,
# DAMAGE_FIRST, DAMAGE_WORKERS.
# test: needs python3 python3-h5py python3-numpy
# test: ranks 2
# test: trees asan
# test: timeout 900
set -eu
tests=$(cd "$(dirname "$0")/.." && pwd)
source "$tests/faults/scenes.bash"
program=$(realpath "$1")
/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
export DAMAGE_ROUNDS=${DAMAGE_ROUNDS:-$((80 / $#))}   # fewer with the slow builds
write_scene scene.yaml
write_blocks blocks.yaml 10
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 "$tests/faults/damage.py" "$program" "$tests/mpirun.sh" scene.yaml blocks.yaml
