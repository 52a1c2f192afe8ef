#!/bin/bash
# jobs/arch/thin.sh [RANKS]   builds drystone and runs thin.yaml on RANKS ranks (1)
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
job_run "$folder/thin.yaml" "$@"
