#!/bin/bash
# The rubble and the silo: the same hash, history and removed bodies on any number of ranks, with bodies shared out anew
# every ten steps and by balance alone; mass, numbers and momenta stay exact across all these migrations.
# test: slow
# test: ranks 7
# test: timeout 2400
program=$(realpath "$1")
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
failures=0
source "$tests/fine.bash"
rm -rf rubble silo *-begin *-on-* *.log

# the columns of a history that do not depend on ranks
history() { awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "moved_bodies") last = i - 1}
  {for (i = 1; i <= last; i++) printf "%s,", $i; print ""}' "$1/history.csv"; }

# moved FOLDER: bodies that changed their owner, over all steps
moved() { awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "moved_bodies") at = i}
  NR > 1 {sum += $at} END {print sum + 0}' "$1/history.csv"; }

# go_on JOB RANKS FOLDER STEPS OPTION...: from the common beginning, on other ranks
go_on()
{
  local job=$1 ranks=$2 folder=$3 steps=$4
  cp -r "$job-begin" "$folder"
  "$tests/mpirun.sh" "$ranks" "$program" run "$tests/../jobs/$job/$job.yaml" -o "$folder" --restart --steps "$steps" \
    --set output.frames.every=0 "${common[@]}" "${@:5}" >"$folder.log" 2>&1 || tail -n 5 "$folder.log"
}

# compare JOB WHAT FOLDER: with the run on one rank
compare()
{
  local one=$1-on-1 differs=
  [ "$(tail -n 1 "$3.log")" = "$(tail -n 1 "$one.log")" ] && cmp -s "$3.hashes" "$one.hashes" || differs=hashes
  cmp -s <(history "$3") <(history "$one") || differs="$differs history"
  [ ! -e "$one/removed.csv" ] || cmp -s "$3/removed.csv" "$one/removed.csv" || differs="$differs removed.csv"
  if [ -z "$differs" ]; then
    fine "$1, $2: $(tail -n 1 "$3.log"), $(moved "$3") bodies moved"
  else
    echo "FAILED  $1, $2: $differs differ; first difference:"
    diff "$3.hashes" "$one.hashes" | head -n 3
    failures=$((failures + 1))
  fi
}

# check_job JOB BEGIN END OPTION...: common steps on one rank, then steps on many
check_job()
{
  local job=$1 begin=$2 end=$3 ranks folder
  common=("${@:4}")
  "$tests/mpirun.sh" 1 "$program" run "$tests/../jobs/$job/$job.yaml" -o "$job-begin" --steps "$begin" \
    --set output.frames.every=0 "${common[@]}" >"$job-begin.log" 2>&1 || tail -n 5 "$job-begin.log"
  go_on "$job" 1 "$job-on-1" "$end" --hash-log "$job-on-1.hashes"
  [[ $(tail -n 1 "$job-on-1.log") =~ ^step\ $end\ hash\ [0-9a-f]{32}$ ]] || {
    echo "FAILED  $job on one rank: '$(tail -n 1 "$job-on-1.log")'"
    failures=$((failures + 1))
  }
  for ranks in 2 3 4 7; do
    folder=$job-on-$ranks
    go_on "$job" $ranks "$folder" "$end" --hash-log "$folder.hashes" --set partition.every=10
    compare "$job" "$ranks ranks, shared out every 10 steps" "$folder"
    [ "$(moved "$folder")" -gt 0 ] || { echo "FAILED  $job: no body moved"; failures=$((failures + 1)); }
  done
  for ranks in 3 4; do
    folder=$job-on-$ranks-balanced
    go_on "$job" $ranks "$folder" "$end" --hash-log "$folder.hashes"
    compare "$job" "$ranks ranks, shared out by balance" "$folder"
  done
  echo "        $(wc -l <"$job-on-1.hashes") steps compared"
}

check_job rubble 820 930 --set solver.max_sweeps=100
check_job silo 420 560 --set 'domain.low=[-1.5, -1.5, 0.3]'
[ "$(wc -l <silo-on-1/removed.csv)" -gt 10 ] || { echo "FAILED  silo: nothing leaves"; failures=$((failures + 1)); }
[ "$failures" -eq 0 ]
