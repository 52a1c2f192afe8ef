#!/bin/bash
# Random stones poured from two inlets onto a bed of others: the same hash and hash log on any number of ranks, with a
# new partition every ten steps and after a restart in the middle of pouring; another seed gives other stones.
# test: ranks 3
# test: timeout 600
# test: trees
program=$(realpath "$1")
release=${2:-$program}
mpirun=$(cd "$(dirname "$0")/.." && pwd)/mpirun.sh
failures=0
rm -rf one seed restarted ranks[1-3]   # of an earlier run
cat >pour.yaml <<'END'
title: stones poured into a bin
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.3}
seed: 7
materials:
  granite: {density: 2700}
contacts:
  - {between: [granite, granite], friction: 0.5, restitution: 0.1}
bodies:
  - {box: [1.2, 1.2, 0.2], at: [0, 0, -0.1], material: granite, fixed: true, name: floor}
  - stones:
      shapes:
        - {random: {points: 12, ratios: [1, 0.8, 0.6], variety: 6}, share: 3}
        - {box: [2, 1, 1]}
      sizes: {table: [[0.06, 0], [0.1, 0.4], [0.14, 1]], by: number, classes: 3}
      lattice: {count: [2, 2, 1], spacing: [0.4, 0.4, 0.4], jitter: 1}
    at: [-0.2, -0.2, 0.15]
    material: granite
    name: bed
  - stones:
      shapes: [{random: {points: 10, ratios: [1, 0.9, 0.5], variety: 8}}]
      sizes: {table: [[0.06, 0], [0.1, 0.4], [0.14, 1]], classes: 4}
      inlet: {size: [0.5, 0.5], count: 16}
    at: [0, 0, 0.5]
    velocity: [0, 0, -2]
    material: granite
    name: pour
  - stones:
      shapes: [{random: {size: 0.08}}]
      inlet: {size: [0.3, 0.3], count: 12, every: 0.1}
    at: [-0.7, 0, 0.4]
    turn: {axis: [0, 1, 0], angle: 90}
    velocity: [2, 0, 0]
    birth: 0.05
    material: granite
    name: side
output: {checkpoint: {steps: 50}}
END

# run PROGRAM RANKS NAME OPTION...: prints the hash of the state at the end
run()
{
  "$mpirun" "$2" "$1" run pour.yaml -o "$3" --hash-log "$3.txt" "${@:4}" >"$3.log" 2>&1 || tail -n 5 "$3.log" >&2
  "$program" info --hash "$3" | tail -n 1
}

reference=$(run "$release" 1 one)
echo "one rank: $reference; $("$program" info one | grep '^bodies')"
[ ${#reference} -eq 32 ] || failures=$((failures + 1))
for ranks in 1 2 3; do
  hash=$(run "$program" $ranks ranks$ranks --set partition.every=10)
  if [ "$hash" = "$reference" ] && cmp -s one.txt ranks$ranks.txt; then
    echo "fine    $ranks ranks: $hash"
  else
    echo "FAILED  $ranks ranks: $hash; first difference:"
    diff one.txt ranks$ranks.txt | head -n 3
    failures=$((failures + 1))
  fi
done

# stopped while both inlets pour, continued on other ranks
run "$program" 3 restarted --steps 70 >/dev/null
hash=$(run "$program" 2 restarted --restart)
[ "$hash" = "$reference" ] && echo "fine    restarted: $hash" ||
  { echo "FAILED  restarted: $hash"; failures=$((failures + 1)); }
hash=$(run "$program" 1 seed --set seed=8)
[ ${#hash} -eq 32 ] && [ "$hash" != "$reference" ] && echo "fine    other seed: $hash" ||
  { echo "FAILED  other seed: $hash"; failures=$((failures + 1)); }

# all stones that are due have appeared
"$program" info one | grep -q '^bodies *33 present, 33 born, 0 removed$' ||
  { echo "FAILED  other bodies than 33"; failures=$((failures + 1)); }
[ "$(wc -l <one.txt)" -eq 150 ] && [ "$failures" -eq 0 ]
