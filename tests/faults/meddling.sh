#!/bin/bash
# Somebody edits the tables of a run that goes on, or moves its folder: no line is lost without a word. A table in whose
# place another file was put is whole at the end, and the other file is kept; one that was changed in place, and a
# folder that is another one, end the run with code 4 and their names. No file is made in that other folder.
# test: no_grace
source "$(dirname "$0")/faults.bash"
rm -rf reference edited removed gone shorter longer both swapped* taken-* ./*.log   # of an earlier run
# bodies that fall for so long that somebody has the time to meddle
small_case 0 0 100000 | sed 's/^domain:.*/domain: {low: [-1, -1, -1e9], high: [1, 1, 1]}/' >case.yaml

# begin FOLDER OPTION...: a run in the background that waits behind step 150, where it may be meddled with; meddled lets
# it go on. A pipe of the smallest size has room for some fifteen lines of its hash log, so it waits before step 200.
begin()
{
  rm -f "$1.pace"
  mkfifo "$1.pace"
  exec {pace}<>"$1.pace"
  perl -e 'fcntl(STDIN, 1031, 4096) or die "F_SETPIPE_SZ: $!"' <&$pace || fail "$1: no small pipe"
  "$program" run case.yaml -o "$1" --steps 400 --hash-log "$1.pace" --set output.checkpoint.steps=100 "${@:2}" \
    >"$1.log" 2>&1 {pace}<&- &
  job=$!
  for ((step = 1; step <= 150; step++)); do IFS= read -r -t 60 -u $pace _ || break; done
}
meddled()
{
  cat <&$pace >/dev/null &
  local reader=$!
  wait $job
  code=$?
  kill $reader 2>/dev/null
  wait $reader 2>/dev/null
  exec {pace}<&-
}

begin reference
meddled
expect "the run that nobody touches: code $code" [ $code -eq 0 ]
lines=$(wc -l <reference/history.csv)
expect "has $lines lines" [ "$lines" -eq 401 ]
expect "and no warning" eval '! grep -q "somebody" reference.log'

begin edited
sed -i 's/step/STEP/' edited/history.csv
sed -i 's/step/STEP/' edited/removed.csv
meddled
expect "edited: code $code" [ $code -eq 0 ]
for table in history removed; do
  expect "edited: $table.csv has all lines" cmp edited/$table.csv reference/$table.csv
  expect "edited: the other one is kept" grep -q '^STEP,' edited/$table.csv.replaced
  expect "edited: and said" grep -q "warning: somebody put another file in the place of edited/$table.csv" edited.log
done
expect "edited: once each" [ "$(grep -c 'warning: somebody' edited.log)" -eq 2 ]

begin gone
rm gone/history.csv
meddled
expect "removed: code $code" [ $code -eq 0 ]
expect "removed: has all lines" cmp gone/history.csv reference/history.csv
expect "removed: and said" grep -q "warning: somebody put another file in the place of gone/history.csv" gone.log

# steps since the last checkpoint are not lost by it, nor is what somebody wrote
begin shorter
: >shorter/history.csv
meddled
expect "cut short: code $code" [ $code -eq 4 ]
expect "cut short: said" grep -q '^drystone: cannot write shorter/history.csv: it has 0 bytes and the run wrote' \
  shorter.log
begin longer
echo more >>longer/history.csv
meddled
expect "longer: code $code" [ $code -eq 4 ]
expect "longer: said" grep -q '^drystone: cannot write longer/history.csv: it has .* bytes and the run wrote' longer.log
begin both
echo more >>both/removed.csv
sed -i 2d both/history.csv
echo more >>both/history.csv
echo mine >both/history.csv.replaced
truncate -s 1000 both/removed.csv
meddled
expect "both: code $code" [ $code -eq 4 ]
expect "both: said once" [ "$(grep '^drystone: ' both.log | grep -vc warning:)" -eq 1 ]
expect "both: what was there stays" grep -qx mine both/history.csv.replaced
expect "both: and what took its place" grep -qx more both/history.csv.replaced-2
expect "longer: the other text is kept" grep -qx more longer/history.csv.replaced
for folder in shorter longer both; do
  expect "$folder: the checkpoint of its last step" [ "$(newest_checkpoint $folder)" -eq 200 ]
  "$program" run case.yaml -o $folder --steps 400 --set output.checkpoint.steps=100 --restart >$folder.log 2>&1
  code=$?
  expect "$folder: goes on, code $code" [ $code -eq 0 ]
  expect "$folder: from there" grep -q "^restart from step 200" $folder.log
  expect "$folder: to the same end" cmp <(tail -n 200 $folder/history.csv) <(tail -n 200 reference/history.csv)
done
for folder in longer both; do
  expect "$folder: has all lines" cmp $folder/history.csv reference/history.csv
  expect "$folder: and all that left" cmp $folder/removed.csv reference/removed.csv
done
lost=$(sed -nE 's/^drystone: .*has no lines of ([0-9]*) of the steps up to 200, the first is 1$/\1/p' shorter.log)
expect "shorter: lost ${lost:-no} lines and says so" [ "${lost:-0}" -gt 50 -a "${lost:-0}" -lt 200 ]

begin swapped
mv swapped swapped-away
cp -r swapped-away swapped
meddled
expect "another folder: code $code" [ $code -eq 4 ]
expect "another folder: said" \
  grep -q '^drystone: cannot write swapped/history.csv: the folder swapped is not the one in which this run began' \
  swapped.log
expect "another folder: once" [ "$(grep '^drystone: ' swapped.log | grep -vc warning:)" -eq 1 ]
rm -r swapped
mv swapped-away swapped
"$program" run case.yaml -o swapped --steps 400 --set output.checkpoint.steps=100 --restart >swapped.log 2>&1
expect "put back: goes on to the same end" cmp swapped/history.csv reference/history.csv

# taken FILE OPTION...: such a file would be the first to be made after the folder was replaced by an empty one
taken()
{
  local folder=taken-$1
  begin "$folder" --set output.checkpoint.steps=100000 "${@:2}"
  mv "$folder" "$folder-away"
  mkdir "$folder"
  meddled
  expect "$1: code $code" [ $code -eq 4 ]
  expect "$1: the other folder holds $(find "$folder" -mindepth 1 | wc -l) files" rmdir "$folder"
  expect "$1: said" grep -qE "^drystone: (cannot write $folder/history.csv: )?the folder $folder is not the one in " \
    "$folder.log"
  expect "$1: once" [ "$(grep '^drystone: ' "$folder.log" | grep -vc warning:)" -eq 1 ]
}
taken ranks --steps 1100
taken frame --set output.frames.every=2
taken problem --dump-problem 300
taken checkpoint --set output.checkpoint.steps=200 --set output.ranks.every=0
[ $failures -eq 0 ]
