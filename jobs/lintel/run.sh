#!/bin/bash
# jobs/lintel/run.sh [RANKS]   builds drystone, runs lintel.yaml on RANKS ranks (1), prints it beside a beam's theory
# test: needs python3 python3-h5py python3-numpy
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
job_run "$folder/lintel.yaml" "$@" || exit
/usr/bin/python3 -c 'import h5py, numpy' || exit   # what the package reads results with
PYTHONPATH=$setup_root/io/python /usr/bin/python3 "$folder/table.py" "${RESULTS:-$job_home/results/lintel}"
