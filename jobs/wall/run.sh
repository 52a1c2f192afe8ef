#!/bin/bash
# jobs/wall/run.sh [RANKS]   builds drystone and runs wall.yaml on RANKS ranks (1)
# test: ranks 2
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
job_run "$folder/wall.yaml" "$@"
