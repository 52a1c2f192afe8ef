#!/bin/bash
# jobs/tied-arch/run.sh [RANKS]   builds drystone and runs stands.yaml on RANKS ranks (1)
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
job_run "$folder/stands.yaml" "$@"
