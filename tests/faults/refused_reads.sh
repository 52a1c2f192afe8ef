#!/bin/bash
# A disk that does not answer once tells nothing of a file: the mesh that frames share and the checkpoint that a run
# would keep stay where reading them fails, and are used when the disk answers again.
# test: ranks 2
# test: no_grace
source "$(dirname "$0")/faults.bash"
rm -rf begun trial shared ./*.log ./*.txt   # of an earlier run
small_case 2 2 6 >case.yaml
small_case 2 2 6 | sed '/^domain:/d' >still.yaml

# run RANKS CASE FOLDER OPTION...: the log to FOLDER.log; sets code
run()
{
  timeout -k 5 60 "$mpirun" "$1" ${FAULT_FOLDER:+env LD_PRELOAD="$preload"} "$program" run "$2" -o "${@:3}" \
    >"$3.log" 2>&1
  code=$?
}

# frames of bodies that stay the same ones, and then they do not
run 1 still.yaml shared --steps 4
: >calls.txt
FAULT_NAME=topology with_fault shared 0 EIO 1 1 calls.txt run 1 case.yaml shared --restart --allow domain
expect "the disk does not answer: code $code" [ $code -eq 4 -a -s calls.txt ]
expect "said with the file" grep -q '^drystone: .*topology.h5: Input/output error' shared.log
expect "the mesh of the frames stays" [ -s shared/topology.h5 ]

# the checkpoint of step 4, which the next run verifies before it prunes that of step 2; the last reads are of that
run 2 case.yaml begun --steps 4
for rank in 0 1; do
  rm -rf trial
  cp -r begun trial
  : >calls.txt
  FAULT_NAME=checkpoint-000000004 with_fault trial $rank count 0 0 calls.txt run 2 case.yaml trial --restart
  expect "pruned" [ $code -eq 0 -a ! -e trial/checkpoint-000000002.h5 -a -e trial/checkpoint-000000004.h5 ]
  numbers=$(grep ' open-read .*4\.h5$' calls.txt | tail -n 1 | cut -d' ' -f1)
  if [ $rank -eq 0 ]; then
    numbers="$(grep ' open-read .*4\.manifest$' calls.txt | tail -n 1 | cut -d' ' -f1) $numbers"
  else
    numbers="$numbers $((numbers + 1))"   # it sums the only block
  fi
  for number in $numbers; do
    rm -rf trial
    cp -r begun trial
    : >log.txt
    FAULT_NAME=checkpoint-000000004 with_fault trial $rank EIO "$number" 1 log.txt run 2 case.yaml trial --restart
    text="rank $rank, call $number, $(cut -d' ' -f2 log.txt)"
    expect "$text: the run goes on" [ $code -eq 0 -a -s log.txt ]
    expect "$text: a warning" grep -q 'warning: old checkpoints stay: .*4\..*: Input/output error' trial.log
    expect "$text: the checkpoint stays" [ -e trial/checkpoint-000000004.h5 -a -e trial/checkpoint-000000004.manifest ]
    expect "$text: and is sound" grep -q 'step *4, sound' <("$program" info trial)
    run 1 case.yaml trial --restart
    expect "$text: pruned by a restart" [ $code -eq 0 -a ! -e trial/checkpoint-000000002.h5 -a \
      -e trial/checkpoint-000000004.h5 ]
  done
done
[ $failures -eq 0 ]
