#!/bin/bash
# The wall for 60 steps: the same hash on any number of ranks, repartitioned or not, restarted on another number.
# With a second program (the release build's, when the first is another build's) that one gives the hash to meet.
# test: ranks 7
# test: timeout 1200
# test: trees
program=$(realpath "$1")
release=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
wall=$here/../../jobs/wall/wall.yaml
failures=0
rm -rf one still? moving? restart other   # of an earlier run

# hash_of FOLDER RANKS STEPS OPTION...: the last line of info --hash after a run
hash_of()
{
  local folder=$1 ranks=$2 steps=$3
  shift 3
  "$here/../mpirun.sh" "$ranks" "$program" run "$wall" --steps "$steps" -o "$folder" \
    --set output.frames.every=0.02 "$@" >"$folder.log" 2>&1 || { tail -n 5 "$folder.log" >&2; return 1; }
  "$program" info --hash "$folder" | tail -n 1
}

expect_same()
{
  if [ -n "$2" ] && [ "$2" = "$reference" ]; then
    echo "fine    $1: $2"
  else
    echo "FAILED  $1: '$2', on one rank '$reference'"
    failures=$((failures + 1))
  fi
}

counts="2 3 4 7"
if [ -n "$release" ]; then
  counts="1 3"
  reference=$(program=$release hash_of one 1 60 --hash-log one.txt)
else
  reference=$(hash_of one 1 60 --hash-log one.txt)
fi
echo "one rank: $reference"
for ranks in $counts; do
  if [ -n "$release" ] && [ "$ranks" -eq 1 ]; then
    expect_same "this build on one rank" "$(hash_of still1 1 60 --hash-log still1.txt)"
    continue
  fi
  expect_same "$ranks ranks" "$(hash_of still$ranks $ranks 60 --hash-log still$ranks.txt)"
  expect_same "$ranks ranks, new partition every 10 steps" \
    "$(hash_of moving$ranks $ranks 60 --set partition.every=10 --hash-log moving$ranks.txt)"
  for log in still$ranks moving$ranks; do
    cmp -s one.txt $log.txt || { echo "first difference, one rank and $log:"; diff one.txt $log.txt | head -n 3; }
  done
done

# written on 3 ranks after 25 steps, continued on 2; and on 1 to 4
hash_of restart 3 25 >/dev/null
expect_same "3 ranks, then 2" "$(hash_of restart 2 60 --restart --set partition.every=10)"
hash_of other 1 31 >/dev/null
expect_same "1 rank, then 4" "$(hash_of other 4 60 --restart)"
[ "$failures" -eq 0 ] && [ ${#reference} -eq 32 ]
