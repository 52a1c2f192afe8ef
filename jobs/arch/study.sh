#!/bin/bash
# jobs/arch/study.sh [RANKS [TABLE]]   builds drystone and runs study.yaml with all rows of a table of this folder
#
# Each row on RANKS ranks (1). The table is study.csv, or edge.csv with rows on either side of the limit alone, for the
# tests.
# test: needs python3
# test: options edge.csv
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1

# limit FRICTION: the least thickness over the radius with which the arch stands, by linear programming (study.yaml)
limit()
{
  case $1 in
    0.30) echo 1e9 ;;
    0.32) echo 0.1838 ;;
    0.34) echo 0.1618 ;;
    0.36) echo 0.1409 ;;
    0.38) echo 0.1211 ;;
    0.40 | 0.60) echo 0.1067 ;;
  esac
}

table=$folder/${2:-study.csv}
results=${RESULTS:-$setup_root/results/arch_study}
program=${DRYSTONE:-$setup_root/build/drystone}
[ -n "${DRYSTONE-}" ] || job_set_up || exit
rm -rf "$results"/[0-9]*   # rows of an earlier run
mkdir -p "$results" || exit 4
PATH=$setup_root/tests:$PATH DRYSTONE=$program LAUNCHER="mpirun.sh ${1:-1}" \
  "$folder/../study.sh" "$folder/study.yaml" "$table" -o "$results" >"$results/log.txt" 2>&1 || {
  tail -n 20 "$results/log.txt"
  exit 1
}
python3 "$folder/../slurm/study.py" collect "$table" "$results" --case "$folder/study.yaml" \
  --program "$program" --output "$results/table.csv" || exit

rows=0
wrong=0
while IFS=, read -r row thickness friction _ _ verdict _; do
  expected=stands
  job_holds "$thickness" '<' "$(awk -v limit="$(limit "$friction")" 'BEGIN {print 10 * limit}')" && expected=falls
  [ "$verdict" = $expected ] || { echo "row $row: $verdict, where it $expected"; wrong=$((wrong + 1)); }
  rows=$((rows + 1))
done < <(tail -n +2 "$results/table.csv")
echo "expected  each row stands or falls as linear programming has it"
echo "happened  $((rows - wrong)) of $rows rows do$([ $wrong -eq 0 ] && [ $rows -gt 0 ] && echo ": as expected")"
echo "results   $(job_relative "$results"), table.csv"
[ $wrong -eq 0 ] && [ $rows -gt 0 ]
