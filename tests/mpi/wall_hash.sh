#!/bin/bash
# The wall for 40 steps: the same hash on any number of ranks, repartitioned or not, restarted on another number.
# With a second program (the release build's, when the first is another build's) that one gives the hash to meet.
# test: ranks 7
# test: timeout 1200
# test: trees
source "$(dirname "$0")/runs.bash"
wall=$(cd "$(dirname "$0")/../../jobs/wall" && pwd)/wall.yaml
rm -rf one still? moving? fresh? restart other ./*.txt   # of an earlier run

# wall RANKS FOLDER STEPS OPTION...
wall() { piece "$program" "$1" "$wall" "$2" --steps "$3" --set output.frames.every=0.02 "${@:4}"; }

program=$release wall 1 one 40
for ranks in $(counts "3 7" "1 3"); do
  wall $ranks still$ranks 40
  same_bits "$ranks ranks" still$ranks one
done
for ranks in $(counts "2 3 4 7" 3); do
  wall $ranks moving$ranks 40 --set partition.every=10
  same_bits "$ranks ranks, new partition every 10 steps" moving$ranks one
done
for ranks in $(counts "1 3" 3); do
  wall $ranks fresh$ranks 40 --set contact.keep_pairs=false
  same_bits "$ranks ranks, no pairs kept" fresh$ranks one
done

# written on 3 ranks after 15 steps, continued on 2; and on 1 to 4
wall 3 restart 15
wall 2 restart 40 --restart --set partition.every=10
same_bits "3 ranks, then 2" restart one
wall 1 other 21
wall 4 other 40 --restart
same_bits "1 rank, then 4" other one
[ "$failures" -eq 0 ] && [ "$(wc -l <one.txt)" -eq 40 ]
