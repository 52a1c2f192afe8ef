#!/bin/bash
# A rank that the system stops for seconds in the middle of a run only delays it: the others wait, and the run ends
# with code 0 and the bits of one that nobody touched. The first rank and another one, over shared memory and over TCP.
# test: ranks 4
# test: timeout 600
# test: waits
source "$(dirname "$0")/runs.bash"
source "$(dirname "$0")/distribution.bash"
seconds=${STOPPED_SECONDS:-3}
rm -rf one stopped-* ./*.txt   # of an earlier run
pouring_case 7 40 >pour.yaml
options=(--set output.checkpoint.steps=2 --set time.end=0.3)

# newest FOLDER: step of the last complete checkpoint, 0 before the first
newest()
{
  find "$1" -name '*.manifest' 2>/dev/null | sed -nE 's/.*checkpoint-0*([0-9]+)\.manifest$/\1/p' | sort -n | tail -n 1 |
    grep . || echo 0
}

# rank_of_job MPIRUN RANK: the process of a rank among the children of a launcher that this script started
rank_of_job()
{
  local child
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
    tr '\0' '\n' <"/proc/$child/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$2" && echo "$child"
  done
}

# stop RANK FOLDER: stops a rank in the middle, looks at what the others do, lets it go on
stop()
{
  local rank=$1 folder=$2 job process before during state code
  "$mpirun" 4 "$program" run pour.yaml -o "$folder" --steps "$steps" --hash-log "$folder.txt" "${options[@]}" \
    >"$folder.log" 2>&1 &
  job=$!
  until [ "$(newest "$folder")" -ge 4 ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
  process=$(rank_of_job $job "$rank")
  expect "$folder: rank $rank is process $process" kill -STOP "$process"
  sleep 0.5
  before=$(newest "$folder")
  sleep "$seconds"
  during=$(newest "$folder")
  state=$(sed -nE 's/^State:\s+(.).*/\1/p' "/proc/$process/status")
  expect "$folder: stopped ($state) in the middle, after step $before of $steps" \
    [ "$state" = T -a "$before" -ge 4 -a "$before" -lt "$steps" ]
  expect "$folder: the others waited" [ "$during" -eq "$before" ]
  kill -CONT "$process"
  wait $job
  code=$?
  expect "$folder: code $code" [ $code -eq 0 ]
  same_steps "$folder" "$folder" one
}

# so long that a rank is stopped before the end
steps=100
piece "$program" 1 pour.yaml one --steps $steps "${options[@]}"
stop 0 stopped-first
stop 2 stopped-other
OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo stop 1 stopped-tcp
[ "$failures" -eq 0 ]
