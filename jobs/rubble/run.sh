#!/bin/bash
# jobs/rubble/run.sh [RANKS]   builds drystone and runs rubble.yaml on RANKS ranks (1)
# test: needs tetgen
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
job_run "$folder/rubble.yaml" "$@"
