#!/bin/bash
# A run from the beginning replaces nothing: neither what a run left that was killed before its first checkpoint, nor
# files of somebody else with names that a run gives. It names the file and the ways out, each of which works.
# test: no_grace
source "$(dirname "$0")/faults.bash"
rm -rf reference killed now own ./*.log ./*.txt   # of an earlier run
small_case 0 0 6 | sed 's/ranks: {every: 1}/ranks: {every: 0}/' >case.yaml
small_case 2 2 6 >full.yaml

# run CASE FOLDER OPTION...: alone, the log to run.log; sets code
run()
{
  bash -c 'env "$@" >run.log 2>&1 </dev/null' bash ${FAULT_FOLDER:+LD_PRELOAD="$preload"} \
    "$program" run "$1" -o "${@:2}" 2>shell.txt
  code=$?
}
picture() { (cd "$1" && find . -type f ! -name lock -printf '%p %s %T@ ' -exec cksum {} \; | sort); }

# refused TEXT CASE FOLDER NAME: the folder stays as it is, and the message names the file and the ways out
refused()
{
  local before
  before=$(picture "$3")
  run "$2" "$3"
  expect "$1: code $code" [ $code -eq 2 ]
  expect "$1: $(tail -n 1 run.log)" grep -qE \
    "^drystone: the folder $3 holds results, $4; .*--restart.*--overwrite.*another folder with -o$" run.log
  expect "$1: one message" [ "$(grep -c ^drystone: run.log)" -eq 1 ]
  expect "$1: nothing is changed" [ "$before" = "$(picture "$3")" ]
}

run case.yaml reference
expect "the run that nobody touches" [ $code -eq 0 ]

# killed when its checkpoint of the end is about to be written: the table tells of 6 steps
: >met.txt
FAULT_RANK= FAULT_NAME=checkpoint with_fault killed '' kill 1 1 met.txt run case.yaml killed
expect "killed before the first checkpoint: code $code" [ $code -eq 137 -a -s met.txt ]
expect "its history is left, $(wc -l <killed/history.csv) lines" [ "$(wc -l <killed/history.csv)" -eq 7 ]
rm -f killed/*.tmp killed/*.xmf killed/topology.h5
cp -r killed now
refused "the history of a run that was killed" case.yaml now history.csv
run case.yaml now --restart
expect "a restart begins: code $code" \
  eval '[ $code -eq 0 ] && grep -q "no checkpoint in now: starting from the" run.log'
expect "and has the results" cmp now/history.csv reference/history.csv
rm -rf now
cp -r killed now
run case.yaml now --overwrite
expect "--overwrite replaces them: code $code" [ $code -eq 0 ]
expect "and has the results" cmp now/history.csv reference/history.csv

# what somebody else has put there
for name in history.csv removed.csv bodies.xmf contacts.xmf topology.h5 ranks-000001.h5 problem-000000002.hdf5 \
  frame-000002.h5; do
  rm -rf own
  mkdir own
  echo "my own notes" >"own/$name"
  refused "somebody's own $name" full.yaml own "$name"
done

# a restart that begins anew replaces tables of runs alone
for name in history.csv removed.csv; do
  rm own/*
  echo "my own notes" >"own/$name"
  run full.yaml own --restart
  expect "a restart beside somebody's own $name: code $code" [ $code -eq 2 ]
  expect "$(tail -n 1 run.log)" grep -q "^drystone: own/$name is no table of a run.*another folder with -o$" run.log
  expect "stays" [ "$(cat "own/$name")" = "my own notes" ]
done
echo "my own notes" >own/frame-000002.h5

# the file that tells most is named; what a run never writes does not matter
: >own/history.csv
refused "a frame beside a table" full.yaml own frame-000002.h5
rm own/*
echo "my own notes" >own/notes.txt
touch own/STOP
run full.yaml own
expect "other files: code $code" [ $code -eq 0 ]
expect "stay" [ "$(cat own/notes.txt)" = "my own notes" ]
[ $failures -eq 0 ]
