#!/bin/bash
# tests/bench/solver_budgets.sh [BUILD]   what the solvers take against what they may, in one run on one core: a point
# in a sweep, a warm step of the wall of 210 blocks with all that belongs to it, cold starts to 1e-8 of that wall and of
# one of a million points. Processor time, least of the repeats. For an idle machine; exit code 1 where one takes more.
# test: needs python3
wall=$(realpath "$(dirname "$0")/../../jobs/wall/wall.yaml") || exit 2
source "$(dirname "$0")/budgets.bash"
python=/usr/bin/python3

"$build/tests/bench_sweep" 5 >sweeps.txt || exit
say "a point in a sweep, in cache" ns "$(awk '/points/ && NR == 2 {print $5}' sweeps.txt)" 25
say "a point in a sweep, of a million" ns "$(awk '/points/ {last = $5} END {print last}' sweeps.txt)" 60

# steps 101 to 1000: the first ones are not warm; user and system time of the process less that of 100 steps
seconds()
{
  local TIMEFORMAT="%U %S"
  { time "$build/drystone" run "$wall" -o wall --overwrite --steps "$1" --set output.frames.every=0 >log.txt 2>&1; } \
    2>&1 | awk '{print $1 + $2}'
}
for _ in 1 2 3 4 5; do
  short=$(seconds 100)
  long=$(seconds 1000)
  awk -v a="$short" -v b="$long" 'BEGIN {print (b - a) * 1e6 / 900 / 1560}' </dev/null
done | sort -g >warm.txt
say "a point in a warm step of the wall of 210 blocks, everything" us "$(head -n 1 warm.txt)" 1

# cold SCENE REPEATS: seconds to 1e-8
cold()
{
  "$build/drystone" bench solver --scene "$1" --solver automatic --repeats "$2" --json >rows.json || return
  "$python" -c 'import json
for row in json.load(open("rows.json"))["rows"]:
    if row["start"] == "cold" and row["target"] == 1e-8 and row["residual_max"] <= 1e-8:
        print(row["seconds"])'
}
say "cold start to 1e-8 of the wall of 210 blocks" ms "$(cold wall-210 7 | awk '{print $1 * 1e3}')" 10
say "cold start to 1e-8 of a wall of a million points" s "$(cold wall-million 1)" 15
exit $code
