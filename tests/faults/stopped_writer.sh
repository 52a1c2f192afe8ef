#!/bin/bash
# A rank that the system stops for seconds inside the writing of a checkpoint, and a clock that jumps by hours at each
# look at it: the others wait, the run ends with code 0 and the results of one that nobody touched.
# test: needs python3
# test: ranks 2
# test: waits
source "$(dirname "$0")/faults.bash"
seconds=${STOPPED_SECONDS:-2}
rm -rf reference stopped-* jumps ./*.log met.txt   # of an earlier run
small_case 2 2 6 >case.yaml

# same TEXT FOLDER
same() { expect "$1: the same results" /usr/bin/python3 "$faults/same_results.py" reference --whole "$2"; }

# start FOLDER: on two ranks in the background, as the process job
start()
{
  "$mpirun" 2 env LD_PRELOAD="$preload" "$program" run case.yaml -o "$1" >"$1.log" 2>&1 &
  job=$!
}

# stop RANK K: at the k-th call on the files of checkpoints
stop()
{
  local folder=stopped-$1-$2 process="" before code
  : >met.txt
  FAULT_NAME=checkpoint with_fault "$folder" "$1" stop "$2" 1 met.txt start "$folder"
  until [ -s met.txt ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
  for process in $(cat /proc/$job/task/*/children); do
    ! grep -qzx "OMPI_COMM_WORLD_RANK=$1" "/proc/$process/environ" || break
  done
  until grep -q '^State:.*T' "/proc/$process/status" || ! kill -0 "$process"; do sleep 0.02; done
  before=$(newest_checkpoint "$folder")
  sleep "$seconds"
  expect "rank $1, $(cut -d' ' -f2 met.txt) of $(basename "$(cut -d' ' -f3 met.txt)"): the others wait, $(
    newest_checkpoint "$folder") after step $before" [ "$(newest_checkpoint "$folder")" -eq "$before" ]
  kill -CONT "$process"
  wait $job
  code=$?
  expect "code $code" [ $code -eq 0 ]
  same "after the stop" "$folder"
}

"$mpirun" 2 "$program" run case.yaml -o reference >reference.log 2>&1
expect "the run that nobody touches" [ $? -eq 0 ]
stop 0 40
stop 1 5

LD_PRELOAD=clock_jumps.so "$program" run case.yaml -o jumps >jumps.log 2>&1
code=$?
expect "under a clock that jumps: code $code" [ $code -eq 0 ]
same "under a clock that jumps" jumps
echo "$failures failures"
[ $failures -eq 0 ]
