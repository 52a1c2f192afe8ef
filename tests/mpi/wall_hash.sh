#!/bin/bash
# The wall for 40 steps: the same hash on any number of ranks, repartitioned or not, restarted on another number.
# With a second program (the release build's, when the first is another build's) that one gives the hash to meet.
# test: ranks 7
# test: timeout 1200
# test: trees
source "$(dirname "$0")/runs.bash"
wall=$(cd "$(dirname "$0")/../../jobs/wall" && pwd)/wall.yaml
rm -rf one still? moving? fresh? restart ./*.txt   # of an earlier run

# wall RANKS FOLDER STEPS OPTION...
wall() { piece "$program" "$1" "$wall" "$2" --steps "$3" --set output.frames.every=0.02 "${@:4}"; }

program=$release wall 1 one 40
for ranks in $(counts "3 7" ""); do
  wall $ranks still$ranks 40
  same_bits "$ranks ranks" still$ranks one
done
for ranks in $(counts "2 3 4 7" ""); do
  wall $ranks moving$ranks 40 --set partition.every=10
  same_bits "$ranks ranks, new partition every 10 steps" moving$ranks one
done
for ranks in $(counts "1 3" ""); do
  wall $ranks fresh$ranks 40 --set contact.keep_pairs=false
  same_bits "$ranks ranks, no pairs kept" fresh$ranks one
done

# in pieces
wall 3 restart 15
wall 2 restart 27 --restart --set partition.every=5
wall 1 restart 33 --restart
wall $(counts 4 3) restart 40 --restart
same_bits "3 ranks, then 2, 1 and others" restart one
[ "$failures" -eq 0 ] && [ "$(wc -l <one.txt)" -eq 40 ]
