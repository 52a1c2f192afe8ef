#!/bin/bash
# A file system that knows no locks: a run says so and does its work, so does a restart, which waits for nobody. Where
# there are locks, a second run is kept out, and any other answer of the system is a failure.
# test: ranks 2
# test: no_grace
source "$(dirname "$0")/faults.bash"
rm -rf reference without-* held ./*.log   # of an earlier run
small_case 2 2 6 >case.yaml

# run NUMBER FOLDER OPTION...: where flock answers with that error, 0: as it is; sets code
run()
{
  local without=()
  [ "$1" -eq 0 ] || without=(env FLOCK_ERRNO="$1" LD_PRELOAD=no_locks.so)
  timeout -k 5 60 "$mpirun" 2 "${without[@]}" "$program" run case.yaml -o "${@:2}" >"$2.log" 2>&1
  code=$?
}
said() { grep -c "^drystone: warning: the file system of $1 has no locks ($2): see to it yourself" "$1.log"; }

run 0 reference
expect "the run with locks: code $code" [ $code -eq 0 ]
expect "no warning" eval '! grep -q "has no locks" reference.log'
while read -r number words; do
  folder=without-$number
  run "$number" "$folder" --steps 3
  expect "$words: code $code" [ $code -eq 0 ]
  expect "$words: said once" [ "$(said "$folder" "$words")" -eq 1 ]
  run "$number" "$folder" --restart
  expect "$words, restart: code $code" [ $code -eq 0 ]
  expect "$words, restart: said once" [ "$(said "$folder" "$words")" -eq 1 ]
  expect "$words: the results" cmp "$folder/history.csv" reference/history.csv
done <<'END'
38 Function not imple[m]ented
37 No locks available
95 Operation not supported
END
run 5 without-5
expect "a disk that does not answer: code $code" [ $code -eq 4 ]
expect "said" grep -q '^drystone: cannot lock without-5/lock: Input/output error' without-5.log

mkdir held
exec {lock}>held/lock
flock -n "$lock" || fail "this script cannot lock"
run 0 held
expect "a lock that is held: code $code" [ $code -eq 2 ]
expect "said" grep -q '^drystone: another run writes to held' held.log
[ $failures -eq 0 ]
