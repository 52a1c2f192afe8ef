#!/bin/bash
# tests/bench/frames.sh [BUILD [BEFORE [ROUNDS]]]   what frames with all fields take beside those that tell the bare
# state (output.frames.fields: none), of walls of 33 and 980 bricks with a frame after each of 40 steps: bytes,
# processor time of the run less that of one without frames (median of 9 rounds, in turn) and, where valgrind is
# installed, instructions (of the larger wall in 8 steps). Each may be 1.5 times as much. BEFORE is the build whose bare
# frames are the measure, BUILD itself if it is not named. Exit code 1 where one takes more.
# test: needs valgrind
source "$(dirname "$0")/budgets.bash"
before=$(cd "$OLDPWD" && realpath "${2:-$build}") || exit 2
rounds=${3:-9}
allowed=1.5 frames=40

wall()   # COURSES BRICKS; one sweep, since only its frames matter
{
  cat <<END_OF_CASE
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
solver: {max_sweeps: 1}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [40, 10, 1], at: [2, 0, -0.5], material: stone, fixed: true, name: floor}
  - {wall: {courses: $1, bricks: $2, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: stone, name: wall}
output: {ranks: {every: 0}}
END_OF_CASE
}

# run BUILD FIELDS CASE [COMMAND...]: a run under a command; FIELDS off: without frames
run()
{
  local program=$1/drystone fields=$2 case=$3
  shift 3
  local -a what=(--set output.frames.every=1e-3 --set "output.frames.fields=$fields")
  [ "$fields" = none ] && what=("${bare[@]}")
  [ "$fields" = off ] && what=(--set output.frames.every=0)
  "$@" "$program" run "$case.yaml" -o "$case-$fields" --overwrite --steps "$frames" "${what[@]}" >log.txt 2>&1 ||
    { tail -n 5 log.txt >&2; exit 2; }
}

# seconds of the processor that a run takes
seconds()
{
  local TIMEFORMAT="%U %S"
  { time run "$@" 2>/dev/null; } 2>&1 | awk '{print $1 + $2}'
}
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# of_frame WITH WITHOUT SCALE: the share of a frame, of which there is one at the start
of_frame() { awk -v a="$1" -v b="$2" -v s="$3" -v n=$((frames + 1)) 'BEGIN {print s * (a - b) / n}' </dev/null; }

bytes() { du -bs "$1" | cut -f1; }

# millions of instructions of a frame: BUILD FIELDS CASE STEPS
instructions()
{
  local frames=$4
  run "$1" "$2" "$3" valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=frames_write \
    --toggle-collect=frames_finish
  of_frame "$(awk '/Collected/ {print $NF}' log.txt)" 0 1e-6
}

# compare WHAT UNIT ALL NONE: says the ratio, behind both figures
compare()
{
  printf '%-40s all %9.4g, none %9.4g %s\n' "$1" "$3" "$4" "$2"
  say "$1, all over none" "" "$(awk -v a="$3" -v b="$4" 'BEGIN {print a / b}' </dev/null)" $allowed
}

for size in "6 5 33 40" "40 24 980 8"; do
  read -r courses bricks count counted <<<"$size"
  wall "$courses" "$bricks" >wall.yaml
  bare=(--set output.frames.every=1e-3)   # all that a build knows whose frames have no fields to choose
  "$before/drystone" check wall.yaml --set output.frames.fields=none >/dev/null 2>&1 &&
    bare+=(--set output.frames.fields=none)
  : >all.txt; : >none.txt
  for _ in $(seq "$rounds"); do
    off=$(seconds "$build" off wall)
    of_frame "$(seconds "$build" all wall)" "$off" 1e3 >>all.txt
    [ "$before" = "$build" ] || off=$(seconds "$before" off wall)
    of_frame "$(seconds "$before" none wall)" "$off" 1e3 >>none.txt
  done
  compare "$count bricks: a frame's bytes" KB "$(of_frame "$(bytes wall-all)" "$(bytes wall-off)" 1e-3)" \
    "$(of_frame "$(bytes wall-none)" "$(bytes wall-off)" 1e-3)"
  compare "$count bricks: a frame's time" ms "$(median <all.txt)" "$(median <none.txt)"
  command -v valgrind >/dev/null || { echo "instructions are not counted: valgrind is not installed"; continue; }
  compare "$count bricks: a frame's instructions" M "$(instructions "$build" all wall "$counted")" \
    "$(instructions "$before" none wall "$counted")"
done
exit $code
