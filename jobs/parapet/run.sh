#!/bin/bash
# jobs/parapet/run.sh [RANKS]   builds drystone and runs parapet.yaml on RANKS ranks (1)
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
job_run "$folder/parapet.yaml" "$@"
