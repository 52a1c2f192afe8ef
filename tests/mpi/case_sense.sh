#!/bin/bash
# Cases that are read without error and make no sense: one warning each, by check and by a run; and none for a case that
# makes sense, nor for the jobs.
# test: ranks 3
program=$(realpath "$1")
tests=$(cd "$(dirname "$0")/.." && pwd)
failures=0
rm -rf ran
fail() { echo "FAILED  $1"; failures=$((failures + 1)); cat err.txt; }

cat >sound.yaml <<'END_OF_FILE'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.01}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6}]
bodies:
  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {box: [1, 1, 1], at: [0, 0, 0.5], material: stone, name: low}
  - {box: [1, 1, 1], at: [0, 0, 1.5], material: stone, name: high}
  - {sphere: {radius: 0.5}, at: [0, 3, 5], material: stone, name: ball}
loads: [{on: low, force: [1, 0, 0]}]
output: {frames: {every: 0.005}}
END_OF_FILE

# warns NAME PATTERN SED: what check says of the sound case changed so; no pattern: nothing
warns()
{
  sed -E "$3" sound.yaml >case.yaml
  "$program" check case.yaml >out.txt 2>err.txt || fail "$1: refused"
  if [ -z "$2" ]; then [ ! -s err.txt ] || fail "$1: a warning without need"
  elif [ "$(wc -l <err.txt)" -ne 1 ] || ! grep -q -E "^drystone: warning: $2" err.txt; then fail "$1: wanted '$2'"; fi
}

warns "a case that makes sense" '' ''
warns "gravity upwards" 'gravity: \[0, 0, 9.81\] m/s2 points upwards' 's/-9.81/9.81/'
warns "a step of a second" 'time.step: in one step of 1 s gravity moves a body by 9.81 m' \
  's/step: 1e-3, end: 0.01/step: 1, end: 9/; s/0.005/1/'
warns "frames more often than steps" 'output.frames.every: 0.0001 s is less than time.step' 's/0.005/1e-4/'
warns "values between the steps" 'time.step: values of a function of time are 0.0004 s apart, and steps of 0.001 s' \
  's/force: .1, 0, 0./force: {table: [[0, 0, 0, 0], [2e-4, 1, 0, 0], [8e-4, 0, 0, 0]]}/'
warns "a jump between the steps" '' 's/force: .1, 0, 0./force: {table: [[0, 0, 0, 0], [2e-4, 1, 0, 0]]}/'
warns "nothing that moves" 'bodies: all of them are fixed' \
  's/material: stone, name/material: stone, fixed: true, name/; /^loads/d'
warns "blocks inside each other" 'bodies: 1 \(low\) and 2 \(high\) are inside each other' 's/0, 0, 1.5/0, 0, 1.2/'
warns "a ball inside a block" 'bodies: 2 \(high\) and 3 \(ball\) are inside each other' 's/0, 3, 5/0, 0, 2.2/'
warns "an overlap that is small" '' 's/0, 0, 1.5/0, 0, 1.495/'
warns "a gap under everything" \
  'bodies: those that move touch each other and nothing that stands; the nearest, 1 \(low\), begins 0.05 m from 0' \
  's/0, 0, 0.5\]/0, 0, 0.55]/; s/0, 0, 1.5/0, 0, 1.55/'
floats='those that move touch each other and nothing that stands'
warns "a gap of two blocks under everything" \
  "bodies: $floats; the lowest, 1 \\(low\\), begins 2.1 m above 0 \\(floor\\): all will fall" \
  's/0, 0, 0.5\]/0, 0, 2.6]/; s/0, 0, 1.5/0, 0, 3.6/'
warns "a gap above a slope" "bodies: $floats; the lowest, 1 \\(low\\), begins 3 m above 0 \\(floor\\): all" \
  's/0, 0, 0.5\]/0, 0, 3.5]/; s/0, 0, 1.5/0, 0, 4.5/
   s/at: .0, 0, -0.5./turn: {axis: [1, 0, 0], angle: 20}, at: [0, 0, -0.7178]/'
warns "stacked blocks beside the floor" "bodies: $floats; nothing is below the lowest, 1 \\(low\\): all will fall" \
  's/0, 0, 0.5\]/30, 0, 0.5]/; s/0, 0, 1.5/30, 0, 1.5/'
warns "a body beside its floor" \
  'bodies: those that move touch nothing that stands; nothing is below the lowest, 1 \(low\): all will fall' \
  's/0, 0, 0.5\]/30, 0, 0.5]/; /name: (high|ball)/d'
warns "a body below its floor" \
  'bodies: those that move touch nothing that stands; nothing is below the lowest, 1 \(low\): all will fall' \
  's/0, 0, 0.5\]/0, 0, -3]/; /name: (high|ball)/d'
warns "a body beside a floor that gravity leaves" \
  'bodies: those that move touch nothing that stands; nothing is below the lowest, 1 \(low\): all will fall' \
  's/0, 0, 0.5\]/0, 0, 9]/; s/0, 0, -9.81/9.81, 0, 0/; /name: (high|ball)/d'
warns "nothing that gravity pulls" '' 's/0, 0, 0.5\]/30, 0, 0.5]/; s/0, 0, -9.81/0, 0, 0/; /name: (high|ball)/d'
warns "a block that is dropped" '' 's/0, 0, 0.5\]/0, 0, 2.6]/; /name: (high|ball)/d'
warns "blocks that are dropped apart" '' 's/0, 0, 0.5\]/0, 0, 2.6]/; s/0, 0, 1.5/0, 0, 3.9/'
warns "a block that is thrown" '' 's/0, 0, 0.5\], /30, 0, 0.5], velocity: [-20, 0, 0], /; /name: (high|ball)/d'
warns "a floor that comes later" '' 's/fixed: true/&, birth: 0.005/; /name: (high|ball)/d'
warns "blocks in the air without a floor" '' '/name: floor/d; s/, 0.5\]/, 2.5]/; s/0, 0, 1.5/0, 0, 3.5/'
warns "a joint far away" 'joints: line 10, slip: its place is more than 10 sizes away from what it holds$' \
  's/^loads.*/joints: [{ball: [0, 0, 150], between: [low, high], name: slip}]/'
warns "joints far away" 'joints: line 10: its place is more than 10 sizes .*holds; 1 more joint is likewise$' \
  's/^loads.*/joints: [{ball: [0, 0, 150], between: [low, high]}, {ball: [0, 0, 300], between: [low, high]}]/'
warns "a pendulum above nothing" '' \
  's/0, 0, 0.5\]/30, 0, 0.5]/; /name: (high|ball)/d; s/^loads.*/joints: [{ball: [30, 0, 9], between: [low]}]/'
warns "jointed blocks inside each other" '' \
  's/0, 0, 1.5/0, 0, 1.2/; s/^loads.*/joints: [{ball: [0, 0, 1], between: [low, high], touch: false}]/'
stones='stones: {shapes: [{sphere: {radius: 0.5}}], lattice: {count: [2, 2, 2], spacing: [1, 1, 1]}}, at: [0, 0, 3]'
warns "stones that touch each other above the floor" '' \
  "/name: (high|ball)/d; /^loads/d; s/box: (.*) at: .0, 0, 0.5./$stones/"
warns "a grid of spheres above the floor" '' "/name: (high|ball)/d; /^loads/d
  s/box: (.*) at: .0, 0, 0.5./grid: {sphere: {radius: 0.5}, count: [2, 2, 2], spacing: [1, 1, 1]}, at: [0, 0, 3]/"

warns "one name of two entries" "bodies: the entries of lines 7 and 8 have one name, 'low', and its loads act on both" \
  's/name: high/name: low/'
warns "one name of three entries" \
  "bodies: the entries of lines 7 and 8, and 1 more, have one name, 'low', and its loads act on all" \
  's/name: (high|ball)/name: low/'
warns "one name without loads" "bodies: the entries of lines 8 and 9 have one name, 'ball', and no load acts on it" \
  's/name: high/name: ball/'
warns "one name of what stands and what moves" \
  "bodies: the entries of lines 6 and 8 have one name, 'floor', and not all are fixed, prescribed or dynamic alike" \
  's/name: high/name: floor/'
warns "two names, each of two entries" \
  "bodies: the entries of lines 6 and 8 have one name, 'floor', .* alike; 1 more name is of several entries" \
  's/name: high/name: floor/; s/name: ball/name: low/'
warns "one name of walls" '' 's/material: stone, name: (high|ball)/material: stone, fixed: true, name: floor/'
warns "no names" '' 's/, name: (high|ball)//'

# more parts than are looked at: check says so in one line, and has no warning
blocks='{grid: {box: [1, 1, 1], count: [500, 401, 1], spacing: [1, 1, 1]}, at: [0, 0, 99], material: stone, name: high}'
sed -E "s/^  - .*name: high.*/  - $blocks/" sound.yaml >case.yaml
"$program" check case.yaml >out.txt 2>err.txt || fail "many parts: refused"
[ ! -s err.txt ] || fail "many parts: a warning without need"
grep -q '^places       not looked at: the bodies have more than 200000 parts$' out.txt ||
  fail "many parts: nothing said"
"$program" check sound.yaml 2>err.txt | grep -q '^places' && fail "few parts are not looked at"

# a run says so too, once, on any number of ranks; a restart, whose bodies have moved, does not
sed 's/0, 0, 1.5/0, 0, 1.2/' sound.yaml >case.yaml
"$tests/mpirun.sh" 3 "$program" run case.yaml -o ran --steps 1 >out.txt 2>err.txt
[ "$(grep -c 'warning: bodies: .*inside each other' err.txt)" -eq 1 ] || fail "a run on 3 ranks"
"$program" run case.yaml -o ran --restart --steps 2 >out.txt 2>err.txt
grep -q 'inside each other' err.txt && fail "a restart warns of the start"

for job in "$tests"/../jobs/*/*.yaml; do
  "$program" check "$job" 2>err.txt >out.txt || fail "$job"
  grep -q warning err.txt && fail "$job: a warning without need"
done
[ $failures -eq 0 ] || exit 1
echo "senseless cases are warned of, others are not"
