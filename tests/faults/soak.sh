#!/bin/bash
# A scene that never rests, for SOAK_STEPS steps (60,000; the campaign takes 1e6) on SOAK_RANKS ranks ("1 2"), with
# births, removals, frames and checkpoints: resident memory and open files do not grow.
# test: needs python3
# test: slow
# test: ranks 2
# test: timeout 600
set -eu
tests=$(cd "$(dirname "$0")/.." && pwd)
source "$tests/faults/scenes.bash"
program=$(realpath "$1")
steps=${SOAK_STEPS:-60000}
write_stream stream.yaml "$steps"
exec /usr/bin/python3 "$tests/faults/soak.py" "$program" "$tests/mpirun.sh" stream.yaml "$steps"
