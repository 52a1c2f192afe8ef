#!/bin/bash
# Bad input ends on all ranks with one message and the right exit code; nothing hangs, nothing is lost.
# test: ranks 3
# test: timeout 600
# test: no_grace
program=$(realpath "$1")
mpirun=$(cd "$(dirname "$0")/.." && pwd)/mpirun.sh
checks=0
failures=0
source "$(dirname "$mpirun")/fine.bash"
rm -rf bad kept hollow hashlog named file unread.pipe   # of an earlier run

# expect NAME CODE PATTERN ARGUMENT...: on 1 and 3 ranks, exit code, exactly one message, which matches
expect() { expect_on "1 3" "$@"; }

# expect_on COUNTS NAME CODE PATTERN ARGUMENT...
expect_on()
{
  local counts=$1 name=$2 code=$3 pattern=$4 ranks got messages
  shift 4
  for ranks in $counts; do
    checks=$((checks + 1))
    if [ $ranks -eq 1 ]; then timeout 60 "$program" "$@" >out.txt 2>err.txt </dev/null
    else timeout 60 "$mpirun" $ranks "$program" "$@" >out.txt 2>err.txt; fi
    got=$?
    messages=$(grep -c '^drystone: ' err.txt)
    if [ "$got" -eq "$code" ] && [ "$messages" -eq 1 ] && grep -q -E -- "$pattern" err.txt; then
      fine "$name, $ranks ranks: $(grep '^drystone: ' err.txt)"
    else
      echo "FAILED  $name, $ranks ranks: code $got for $code, $messages messages, wanted '$pattern', got:"
      head -n 12 err.txt
      failures=$((failures + 1))
    fi
  done
}

# a sound case, with one line replaced: sound | sed 's/a/b/' >bad.yaml
sound()
{
  cat <<'END'
title: a block on a floor
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.01}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0}
bodies:
  - {box: [5, 5, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {box: [1, 0.5, 0.5], at: [0, 0, 0.25], material: stone, name: block}
output:
  frames: {every: 0.005}
  checkpoint: {steps: 5}
END
}

# bad NAME PATTERN SED [COUNTS]: a case with one change is refused and leaves nothing behind; on one rank, and on three
# where another stage than in the cases before refuses it
bad()
{
  sound | sed "$3" >bad.yaml
  expect_on "${4:-1}" "$1" 2 "$2" run bad.yaml -o bad
  checks=$((checks + 1))
  [ ! -e bad ] || { echo "FAILED  $1: a refused case left a folder"; failures=$((failures + 1)); rm -r bad; }
}

sound >good.yaml
expect "no command" 2 "no command"
expect "unknown command" 2 "unknown command fly" fly
expect "unknown option" 2 "unknown option --fast" run good.yaml --fast
expect "option without value" 2 "-o needs a value" run good.yaml -o
expect "steps that are no number" 2 "'ten' is not a number" run good.yaml --steps ten
expect "no case" 2 "needs a case file" run
expect "missing file" 2 "nowhere.yaml" run nowhere.yaml
expect "a folder for a case" 2 "[Dd]irectory|folder" run .
expect "override of an unknown key" 2 "solver.tolerence" run good.yaml --set solver.tolerence=1 -o bad
expect "override without a value" 2 "set" run good.yaml --set solver -o bad
bad "unknown key" "bad.yaml:3:1.*gravitty" 's/^gravity/gravitty/' "1 3"
bad "duplicate key" "bad.yaml:4:1.*gravity" 's/^time.*/gravity: [0, 0, -1]\n&/'
bad "missing key" "time" '/^time/d' "1 3"
bad "wrong type" "bad.yaml:3:.*number|bad.yaml:3:.*list" 's/^gravity.*/gravity: heavy/'
bad "number with a tail" "bad.yaml:4:.*1e-3s" 's/step: 1e-3/step: 1e-3s/'
bad "NaN" "bad.yaml:11:.*nan|bad.yaml:11:.*NaN" 's/at: \[0, 0, 0.25\]/at: [0, .nan, 0.25]/' "1 3"
bad "infinity" "bad.yaml:11:" 's/at: \[0, 0, 0.25\]/at: [0, .inf, 0.25]/'
bad "zero size" "bad.yaml:11:" 's/box: \[1, 0.5, 0.5\]/box: [1, 0, 0.5]/'
bad "negative size" "bad.yaml:11:" 's/box: \[1, 0.5, 0.5\]/box: [1, -0.5, 0.5]/'
bad "two numbers for a vector" "bad.yaml:11:" 's/box: \[1, 0.5, 0.5\]/box: [1, 0.5]/'
bad "flat hull" "bad.yaml:11:.*(flat|plane)" \
  's/box: \[1, 0.5, 0.5\]/hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]/' "1 3"
bad "three points" "bad.yaml:11:" 's/box: \[1, 0.5, 0.5\]/hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]/'
points='[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]'
bad "point given twice" "bad.yaml:11:[0-9]+: bodies.1.hull.4: body 'block': part 1: points 1 and 4" \
  "s/box: \[1, 0.5, 0.5\]/hull: $points, [1, 0, 0]]/"
bad "inverted face" "bad.yaml:11:[0-9]+: bodies.1.convex.faces.0: body 'block': part 1: face 0 looks inward" \
  "s/box: \[1, 0.5, 0.5\]/convex: {points: $points], faces: [[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}/" "1 3"
dent='[0.1, 0.1, 0.1]], faces: [[0, 2, 1], [0, 1, 3], [2, 0, 3], [1, 2, 4], [2, 3, 4], [3, 1, 4]]'
bad "convex part that is not" "bad.yaml:11:[0-9]+: bodies.1.parts.1.convex.*body 'block': part 2: not convex: point" \
  "s/box: \[1, 0.5, 0.5\]/parts: [{box: [1, 1, 1], at: [5, 5, 5]}, {convex: {points: $points, $dent}}]/"
bad "overlapping parts" "bad.yaml:11:.*overlap" \
  's/box: \[1, 0.5, 0.5\]/parts: [{box: [1, 1, 1]}, {box: [1, 1, 1], at: [0.5, 0, 0]}]/' "1 3"
bad "unknown material" "bad.yaml:11:.*marble" '11s/material: stone/material: marble/' "1 3"
bad "negative density" "bad.yaml:6:" 's/density: 2400/density: -2400/'
bad "negative friction" "bad.yaml:8:" 's/friction: 0.5/friction: -0.5/'
bad "restitution above one" "bad.yaml:8:" 's/restitution: 0/restitution: 1.5/'
bad "zero step" "bad.yaml:4:" 's/step: 1e-3/step: 0/' "1 3"
bad "units that are not SI" "bad.yaml:2:" 's/units: SI/units: feet/'
# the most there can be
if [ "$(awk '/^MemTotal/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 300 ]; then
  bad "more bodies than there is memory" "bad.yaml: 2000000001 bodies take at least .* GiB on each of [13] ranks" \
    '11s/box: \[1, 0.5, 0.5\]/grid: {box: [1, 1, 1], count: [2000, 1000, 1000], spacing: [2, 2, 2]}/' "1"
fi
joint='s/^output:/joints: [{JOINT, between: [block, PARTNER]}]\n&/'
bad_joint() { bad "$1" "$2" "$(sed "s/JOINT/$3/; s/PARTNER/$4/" <<<"$joint")" "${5:-1}"; }
bad_joint "joint to nobody" "bad.yaml:12:.*joints.0.between.1.*'flor' \(did you mean 'floor'" \
  'ball: [0, 0, 0]' flor "1 3"
bad_joint "joint with itself" "bad.yaml:12:.*joints.0.between: both ends are one body" 'ball: [0, 0, 0]' block
bad_joint "joint at NaN" "bad.yaml:12:.*joints.0.ball.2.*nan" 'ball: [0, 0, .nan]' floor
bad_joint "pretension of a rigid tie" "bad.yaml:12:.*joints.0.pretension.*rigid" \
  'tie: [[0, 0, 0], [0, 0, 1]], pretension: 5' space
ball='{ball: [0, 0, 0], between: [block'
bad "joints that contradict each other" "bad.yaml:13: joint 'b' .*move apart from the start on, by 1 m/s" \
  "10s/fixed: true/motion: {velocity: [1, 0, 0]}/
  s/^output:/joints: [$ball]},\n  $ball, floor], name: b}]\n&/" "1 3"
bad "no YAML" "bad.yaml:4:.*line 3" 's/^gravity.*/gravity: [0, 0/' "1 3"
: >empty.yaml
expect "empty file" 2 "empty.yaml" run empty.yaml -o bad
head -c 2000 /dev/zero >zeros.yaml
expect "zeros" 2 "zeros.yaml" run zeros.yaml -o bad

# output that cannot be written
: >file
expect "output below a file" 4 "file" run good.yaml -o file/results
expect "output where nobody may write" 4 "proc" run good.yaml -o /proc/results
expect "hash log on a full disk" 4 "cannot write /dev/full: No space left" run good.yaml -o hashlog --overwrite \
  --hash-log /dev/full
expect "hash log that cannot be written" 4 "nowhere/log" run good.yaml -o hashlog --overwrite --hash-log nowhere/log

# a log that cannot be opened costs no earlier results: a missing folder, a folder, a pipe that nobody reads
mkfifo unread.pipe
"$program" run good.yaml -o kept >/dev/null 2>&1
before=$(cat kept/*.* | cksum)
for log in nowhere/log kept unread.pipe /proc/log; do
  expect "results under a hash log that cannot be written, $log" 4 "$log" run good.yaml -o kept --overwrite \
    --hash-log $log
  checks=$((checks + 1))
  [ "$before" = "$(cat kept/*.* | cksum)" ] ||
    { echo "FAILED  a refused hash log $log cost the results in kept"; failures=$((failures + 1)); }
done
rm -r kept unread.pipe

# a log that would take the place of something else; nothing is changed, and no folder is made
sound >mine.yaml
cp "$(dirname "$mpirun")/meshes/l.obj" l.obj
echo "3 pears" >text
for file in mine.yaml l.obj text; do
  before=$(cksum "$file")
  for option in "" --overwrite --restart; do
    expect_on 1 "hash log over $file $option" 2 "--hash-log: ./$file is there and is no hash log" \
      run mine.yaml -o bad $option --hash-log "./$file"
  done
  checks=$((checks + 1))
  [ "$before" = "$(cksum "$file")" ] && [ ! -e bad ] ||
    { echo "FAILED  $file is not what it was"; failures=$((failures + 1)); }
done
for file in history.csv frame-000000.h5.tmp lock STOP; do
  expect_on 1 "hash log that is a result, $file" 2 "--hash-log: named/$file is a name of the results in named" \
    run good.yaml -o named --overwrite --hash-log "named/$file"
done
: >empty.txt
echo '1 pairs=0' >earlier.txt
for file in empty.txt earlier.txt named/hashes.txt; do
  checks=$((checks + 1))
  "$program" run good.yaml -o named --overwrite --hash-log $file >out.txt 2>&1 && [ "$(wc -l <$file)" -eq 10 ] ||
    { echo "FAILED  hash log over $file: $(cat out.txt)"; failures=$((failures + 1)); }
done
expect "folder without a name" 2 "-o: the name of the folder is empty" run good.yaml -o ''

# results are not lost by a second run
"$mpirun" 2 "$program" run good.yaml -o kept >/dev/null 2>&1
before=$(cat kept/*.h5 kept/history.csv | cksum)
expect "a folder with results" 2 "kept.*--restart.*--overwrite|--restart.*kept" run good.yaml -o kept
checks=$((checks + 1))
[ "$before" = "$(cat kept/*.h5 kept/history.csv | cksum)" ] || {
  echo "FAILED  a refused run changed results"
  failures=$((failures + 1))
}
expect "info of nothing" 2 "nothing" info nothing
mkdir -p hollow
expect "info of an empty folder" 2 "hollow" info hollow

# every checkpoint damaged: said so, exit code 4
for file in kept/checkpoint-*.h5; do
  printf 'x' | dd of="$file" bs=1 seek=3000 conv=notrunc status=none
done
timeout 60 "$mpirun" 3 "$program" run good.yaml -o kept --restart >out.txt 2>err.txt
code=$?
checks=$((checks + 1))
if [ $code -eq 4 ] && grep -q 'checkpoint' err.txt; then
  fine "damaged checkpoints: $(grep -c '^drystone' err.txt) messages, $(tail -n 1 err.txt)"
else
  echo "FAILED  damaged checkpoints: code $code"
  cat err.txt
  failures=$((failures + 1))
fi

# a full disk, where a small file system may be mounted
full_disk()
{
  mkdir -p small && mount -t tmpfs -o size=600k none small || exit 77
  for ranks in 1 3; do
    rm -rf small/*
    timeout 60 "$mpirun" "$ranks" "$program" run good.yaml -o small/results --set output.checkpoint.steps=1 \
      --set output.frames.every=1e-3 --set time.end=1 >out.txt 2>err.txt
    code=$?
    if [ $code -ne 4 ] || [ "$(grep -c '^drystone: ' err.txt)" -ne 1 ] ||
      ! grep -q 'No space left' err.txt; then
      echo "FAILED  full disk, $ranks ranks: code $code"
      head -n 12 err.txt
      exit 3
    fi
    fine "full disk, $ranks ranks: $(grep '^drystone: ' err.txt)"
    "$program" info --hash small/results >out.txt 2>err.txt ||
      { echo "FAILED  no checkpoint left"; cat err.txt; exit 3; }
    ls small/results | grep -q '\.tmp' && { echo "FAILED  temporary files left"; ls small/results; exit 3; }
  done
  exit 0
}
export -f full_disk fine
export program mpirun
# root mounts as root; others, and root of a container, as root of their own users
if unshare -m mount -t tmpfs none /mnt 2>/dev/null; then unshare -m bash -c full_disk
else unshare -rm bash -c full_disk; fi
case $? in
0) checks=$((checks + 4)) ;;
3) checks=$((checks + 1)) failures=$((failures + 1)) ;;
*) echo "skipped: full disk (no small file system can be mounted here)" ;;
esac
echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
