#!/bin/bash
# What goes beyond numbers or memory ends the run on all ranks with a code and a message of its own: 5 for bodies that
# loads or steps throw out of the range of numbers, 71 for memory that is gone. Nothing hangs and
# nothing counts as a bug of ours.
# test: ranks 3
# test: no_grace
program=$(realpath "$1")
mpirun=$(cd "$(dirname "$0")/.." && pwd)/mpirun.sh
failures=0
rm -rf thrown kept gone

# ends NAME CODE PATTERN RANKS ARGUMENT...: the code, and one message or, from ranks that die at once, several
ends()
{
  local name=$1 code=$2 pattern=$3 ranks=$4 got
  shift 4
  timeout 100 "$mpirun" "$ranks" "$program" "$@" >out.txt 2>err.txt </dev/null
  got=$?
  if [ "$got" -ne "$code" ] || ! grep -q -E -- "$pattern" err.txt; then
    echo "FAILED  $name, $ranks ranks: code $got, wanted $code and '$pattern'"
    head -n 5 err.txt
    failures=$((failures + 1))
  fi
}

case_of()
{
  cat <<END_OF_FILE
gravity: [0, 0, -9.81]
time: {step: $1, end: 1e7}
materials: {stone: {density: $2}}
contacts: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {box: [10, 10, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {sphere: {radius: 1e-9}, at: [0, 0, 1], material: stone, name: grain}
  - {box: [1, 1, 1], at: [2, 2, 0.5], material: stone, name: block}
loads: [{on: grain, force: [$3, 0, 0]}, {on: block, torque: [0, $3, $3]}]
END_OF_FILE
}
case_of 1e-3 1 1e18 >pushed.yaml
case_of 1e-3 1 0 >calm.yaml
case_of 1e-3 1e-9 1e12 >light.yaml
for ranks in 1 3; do
  for case in pushed light; do
    ends "$case" 5 '^drystone: body 1 \(grain\): .* not finite after step [0-9]+, t .* time\.step' $ranks \
      run $case.yaml -o thrown --overwrite --steps 20
    [ "$(grep '^drystone: ' err.txt | grep -vc '^drystone: warning: ')" -eq 1 ] ||
      { echo "FAILED  $case: not one message"; failures=$((failures + 1)); }
  done
done

# a body that is thrown in the first half of a step that is halved: there is no second one
cat >halved.yaml <<'END_OF_FILE'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2400}, dust: {density: 1e-9}}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [stone, dust], contact: false}
  - {between: [dust, dust], contact: false}
bodies:
  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 3, 3], spacing: [0.21, 0.2, 0.2]}, at: [0, 0, 0.1], material: stone}
  - {sphere: {radius: 1e-9}, at: [0, 0, 90], material: dust, name: stray}
loads: [{on: stray, force: {table: [[0.0031, 0, 0, 0], [0.0032, 0, 0, 1e18]]},
     torque: {table: [[0.0031, 0, 0, 0], [0.0032, 1e18, 0, 1e18]]}}]
solver: {max_sweeps: 7, tolerance: 1e-14, unsolved: halve}
END_OF_FILE
for ranks in 1 3; do
  ends "thrown in a half" 5 'body 28 \(stray\): .* not finite after step 4, t 0.004' $ranks \
    run halved.yaml -o thrown --overwrite --steps 20 --hash-log halved.txt
  tail -n 1 halved.txt | grep -q '^4 .*unsolved=.*poses-1=' && ! grep -q '^4 .*pairs-2=' halved.txt ||
    { echo "FAILED  there is a second half"; failures=$((failures + 1)); }
done

# what was written before stays good: the run goes on from there
ends "calm" 0 '^' 1 run calm.yaml -o kept --steps 5
ends "thrown later" 5 'not finite after step 6' 3 run pushed.yaml -o kept --restart --allow loads --steps 20
"$program" info kept >info.txt || { echo "FAILED  no checkpoint left"; cat info.txt; failures=$((failures + 1)); }

# a wall of two million boxes takes 2 GB on one rank and 600 MB on each of three
cat >many.yaml <<'END_OF_FILE'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6}]
bodies:
  - grid: {box: [0.9, 0.9, 0.9], count: [200, 100, 100], spacing: [1, 1, 1]}
    material: stone
END_OF_FILE
ulimit -v 500000
for ranks in 1 3; do
  ends "memory gone" 71 '^drystone: rank [0-2]: out of memory: [0-9]+ bytes wanted .*; take more machines' $ranks \
    run many.yaml -o gone --overwrite --steps 1
done
[ $failures -eq 0 ] || exit 1
echo "numbers and memory that are gone end runs by name"
