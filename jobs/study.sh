#!/bin/bash
# jobs/study.sh [--row K]... CASE TABLE [-o FOLDER] [OPTION]...   a study without Slurm, row by row
#
# The same as slurm/array.sbatch on this machine: every row of the table, or those that are named, one after the other,
# each on RANKS ranks (1). What is done is not run again: a row goes on from its last checkpoint. LAUNCHER, by default
# `tests/mpirun.sh RANKS`, and DRYSTONE name other programs. Ends with 1 where a row did not end well.
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/slurm/resumable.bash" || exit 2
source "$folder/slurm/study.bash" || exit 2
resumable_root=$(dirname "$folder")

rows=()
while [ "${1-}" = --row ]; do
  [[ ${2-} =~ ^[1-9][0-9]*$ ]] || { resumable_say "--row needs a number from 1, not '${2-}'" >&2; exit 2; }
  rows+=("$2")
  shift 2
done
study_read_words "$@"
resumable_begin
if [ ${#rows[@]} -eq 0 ]; then
  last=$(study_tool rows "$study_table") || exit
  mapfile -t rows < <(seq "$last")
fi

status=0
for row in "${rows[@]}"; do
  study_run "$row"
  [ -z "$resumable_asked" ] || exit "$resumable_code"
  [ "$resumable_code" -eq 0 ] || { resumable_say "row $row ended with code $resumable_code" >&2; status=1; }
done
exit $status
