#!/bin/bash
# A wall under a moving load, rubble that is poured, bricks on a raft, all small: the same bits after each stage of each
# step on any number of ranks, whenever bodies are shared out; with a second program (the release build's) in all
# builds.
# test: ranks 7
# test: timeout 600
# test: trees
source "$(dirname "$0")/runs.bash"
source "$(dirname "$0")/distribution.bash"
rm -rf ./*-one ./*-[0-9]* ./*.txt   # of an earlier run
moving_load_case 4 8 >load.yaml
pouring_case 5 20 >pour.yaml
raft_case 12 >raft.yaml

for name in load pour raft; do
  steps=12
  [ $name != pour ] || steps=45
  piece "$release" 1 $name.yaml $name-one --steps $steps
  vary $name 5 asked 3 $steps $name-one
  [ -n "$two_programs" ] || vary $name 2 balance 0 $steps $name-one
  [ -n "$two_programs" ] || vary $name 7 fresh 3 $steps $name-one
  expect "$name: ${moved[$name]} bodies moved" [ "${moved[$name]}" -gt 0 ]
done

# what the cases promise happens: bodies come and leave, and meet
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
expect "stones appear and leave" awk -F, "$names"' {b += $n["born"]; r += $n["removed"]; p += $n["points"]}
  END {exit !(b > 9 && r > 0 && p > 300)}' pour-one/history.csv
expect "bricks on the raft" awk -F, "$names"' $n["points"] < 600 {exit 1}' raft-one/history.csv

# the comparison names step and stage, also where one log ends before the other
sed '7s/warm=./warm=x/' load-one.txt >changed.txt
expect "a difference is named" [ "$(stage_of_difference changed.txt load-one.txt)" = \
  "first difference: step 7, stage warm" ]
head -n 5 load-one.txt >short.txt
expect "a short log is named" [ "$(stage_of_difference short.txt load-one.txt)" = "first difference: 5 steps of 12" ]
[ "$failures" -eq 0 ]
