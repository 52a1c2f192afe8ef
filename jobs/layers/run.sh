#!/bin/bash
# jobs/layers/run.sh [RANKS]   builds drystone, runs the three cases on RANKS ranks (1), prints measured beside theory
# test: needs python3
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
[ -n "${DRYSTONE-}" ] || job_set_up || exit
results=${RESULTS:-$setup_root/results/layers}
program=${DRYSTONE:-$setup_root/build/drystone}
for name in block disk cylinder; do
  mkdir -p "$results" || exit 4
  launcher_run "$folder/../../tests/mpirun.sh" "${1:-1}" "$program" run "$folder/$name.yaml" -o "$results/$name" \
    --overwrite || exit
done
python3 "$folder/table.py" "$results"
