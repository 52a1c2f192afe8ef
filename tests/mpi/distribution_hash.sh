#!/bin/bash
# A wall under a moving load, rubble that is poured, 3000 bricks on a raft: the same bits after each stage of 100 steps
# on 1, 2, 3, 4 and 7 ranks, and of the last 10 of them on 16 and 64, with bodies shared out anew every 10 steps (every
# 3), by balance and never, and without what is kept between steps. Each number of ranks takes one of these ways in
# each case, another one in the next; with DISTRIBUTION_WAYS=all all of them, which takes three times as long.
# test: slow
# test: ranks 64
# test: timeout 7200
source "$(dirname "$0")/runs.bash"
source "$(dirname "$0")/distribution.bash"
rm -rf ./*-one ./*-start ./*-[0-9]* ./*.txt   # of an earlier run
moving_load_case 12 12 >load.yaml
pouring_case 12 120 >pour.yaml
raft_case 55 >raft.yaml

read -r -a cases <<<"${DISTRIBUTION_CASES:-load pour raft}"
read -r -a few <<<"${DISTRIBUTION_FEW:-2 3 4 7}"
read -r -a many <<<"${DISTRIBUTION_MANY:-16 64}"
# ways TURN WAY...: all of them, or the one whose turn it is
ways()
{
  local turn=$1
  shift
  if [ "${DISTRIBUTION_WAYS-}" = all ]; then echo "$@"; else echo "${@:turn % $# + 1:1}"; fi
}
for number in "${!cases[@]}"; do
  name=${cases[number]}
  piece "$program" 1 $name.yaml $name-one --steps 90
  cp -r $name-one $name-start
  cp $name-one.txt $name-start.txt
  piece "$program" 1 $name.yaml $name-one --steps 100 --restart
  vary $name 1 fresh 10 100 $name-one
  for i in "${!few[@]}"; do
    for way in $(ways $((number + i + 1)) asked balance never); do vary $name ${few[i]} $way 10 100 $name-one; done
  done
  vary $name 3 fresh 10 100 $name-one
  for i in "${!many[@]}"; do
    for way in $(ways $((number + i + 2)) asked balance never fresh); do
      vary $name ${many[i]} $way 3 100 $name-one $name-start
    done
  done
  expect "$name: ${moved[$name]} bodies moved" [ "${moved[$name]}" -gt 100 ]
done
# stones come and go, so that balance finds something to do
! compgen -G 'pour-*-balance.log' >/dev/null ||
  expect "rubble was shared out ${balanced[pour]} times for balance" [ "${balanced[pour]}" -gt 0 ]
[ "$failures" -eq 0 ]
