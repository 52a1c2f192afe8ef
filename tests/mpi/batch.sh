#!/bin/bash
# The batch jobs without Slurm: what they decide after a run, when they pass signals on, and a study row by row. Slurm's
# commands are played by scripts that write down what they are asked; tests/faults/slurm.sh has the real ones.
# test: needs python3
# test: ranks 2
# test: timeout 600
# test: waits
source "$(dirname "$0")/runs.bash"
jobs=$(cd "$(dirname "$0")/../../jobs/slurm" && pwd)
arch=$jobs/../arch/study.yaml
rm -rf tools runs study whole nothing deaf.sh ./*.log ./*.txt   # of an earlier run

mkdir tools
cat >tools/scontrol <<END
#!/bin/bash
echo "\$*" >>'$PWD/asked.txt'
[ "\$1" != show ] || [ "\$3" = -o ] || echo "   Command=$jobs/requeue.sbatch pile.yaml"
[ "\$3" != -o ] || echo "JobId=7 JobState=\${STATE-RUNNING} Requeue=1 PreemptTime=\${PREEMPTED-None} Command=x"
[ "\$1" != requeue ] || [ -z "\${FORBIDDEN-}" ] || { echo "slurm_requeue: Access denied"; exit 1; }
END
printf '#!/bin/bash\necho RUNNING\n' >tools/squeue
printf '#!/bin/bash\nexit ${CODE-85}\n' >tools/ends
printf '#!/bin/bash\nkill -USR1 $PPID; exec mpirun.sh "$@"\n' >tools/asked_early   # by the job that it comes from
chmod +x tools/*
export PATH=$PWD/tools:${mpirun%/*}:$PATH DRYSTONE=$program LAUNCHER="mpirun.sh 2"
export DRYSTONE_JOBS=2   # of a build, and none of a job's business
unset SLURM_ARRAY_TASK_ID

cat >pile.yaml <<'END'
title: blocks that fall
units: SI
gravity: [0.5, 0, -9.81]
time: {step: 1e-3, end: 2}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.4, restitution: 0.2}]
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.3, 0.3], count: [2, 2, 2], spacing: [0.4, 0.35, 0.33]}, at: [-0.5, 0, 0.2], material: stone}
END

# job NAME WORD...: requeue.sbatch as Slurm would start it; sets code. What it says goes to NAME.log.
job()
{
  : >asked.txt
  SLURM_JOB_ID=7 timeout 120 bash "$jobs/requeue.sbatch" "${@:2}" >"$1.log" 2>&1
  code=$?
}
requeued() { [ "$(grep requeue asked.txt)" = "requeue $1" ]; }
not_requeued() { ! grep -q requeue asked.txt; }

# decisions, after a program that is done for at once
DRYSTONE=$PWD/tools/ends job stuck pile.yaml -o runs/stuck --max-wall 9
expect "without progress: the code of the run" [ $code -eq 85 ]
expect "without progress: not requeued" not_requeued
expect "without progress: says so" grep -q "^job: not requeued: no step further than -1" stuck.log
for CODE in 2 3 4 70; do
  CODE=$CODE DRYSTONE=$PWD/tools/ends job failed pile.yaml -o runs/failed --max-wall 9
  expect "code $CODE is the job's, not requeued" eval "[ $code -eq $CODE ] && not_requeued"
done
DRYSTONE=$PWD/tools/nothing job nothing pile.yaml
expect "no program: code 2" [ $code -eq 2 ]
expect "no program: named" grep -q "^job: no program '.*tools/nothing'" nothing.log
job overwrite pile.yaml -o runs/overwrite --overwrite
expect "--overwrite is refused" eval "[ $code -eq 2 ] && grep -q overwrite overwrite.log && [ ! -e runs/overwrite ]"
job options --steps 3
expect "options without a case are refused" [ $code -eq 2 ]

# runs that got further
job further pile.yaml -o runs/further --steps 20
expect "done: code 0, not requeued" eval "[ $code -eq 0 ] && not_requeued && grep -q '^job: done' further.log"
job further pile.yaml -o runs/further --steps 20
expect "once more, as in a chain of jobs: nothing left to do" eval "[ $code -eq 0 ] && grep -q '^job: done' further.log"
job further pile.yaml -o runs/walled --max-wall 1
expect "--max-wall: requeued" eval "[ $code -eq 85 ] && requeued 7"
SLURM_ARRAY_JOB_ID=6 SLURM_ARRAY_TASK_ID=4 job task pile.yaml -o runs/task --max-wall 1
expect "a task of an array: it alone is requeued" requeued 6_4
SLURM_RESTART_COUNT=3 REQUEUES=3 job often pile.yaml -o runs/often --max-wall 1
expect "too often: not requeued" eval "[ $code -eq 85 ] && not_requeued && grep -q 'not requeued: 3 times' often.log"
FORBIDDEN=yes job forbidden pile.yaml -o runs/forbidden --max-wall 1
expect "where it is forbidden: says why" grep -q "^job: cannot requeue: slurm_requeue: Access denied" forbidden.log
expect "where it is forbidden: the code of the run" [ $code -eq 85 ]

# signal_job NAME SIGNAL FILE WORD...: a job that gets the signal as soon as the file is there
signal_job()
{
  : >asked.txt
  SLURM_JOB_ID=7 bash "$jobs/requeue.sbatch" "${@:4}" >"$1.log" 2>&1 &
  local pid=$!
  until [ -s "$3" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
  kill -"$2" $pid
  wait $pid
  code=$?
}

# before the launcher is up, of whom a signal would be the end; the run is so long that the signal finds it at work
LAUNCHER="asked_early 2" job early pile.yaml -o runs/early --set time.end=1000
expect "a signal at the start is kept until the run heeds it" eval "[ $code -eq 85 ] && requeued 7"
last=$(wc -l <runs/early/history.csv)   # one step more than were made, for the first line is the heading
job early pile.yaml -o runs/early --set time.end=1000 --steps "$last"
expect "then it goes on from its checkpoint" grep -q "^job: start .* runs/early from the checkpoint of step" early.log
expect "to the end" [ $code -eq 0 ]
"$mpirun" 1 "$program" run pile.yaml -o whole --set time.end=1000 --steps "$last" >whole.log 2>&1
same_hash "in pieces by signals" runs/early whole
expect "history" diff <(physics whole) <(physics runs/early)

signal_job term TERM runs/term/history.csv pile.yaml -o runs/term --steps 100000 --set time.end=100
expect "TERM to the job alone: a checkpoint, not requeued" eval "[ $code -eq 85 ] && not_requeued"
expect "TERM to the job alone: says so" \
  grep -q "^job: ended by TERM with code 85; the newest checkpoint is of step [0-9]" term.log

for STATE in RUNNING COMPLETING; do
  STATE=$STATE PREEMPTED=2025-01-01T00:00:00 DRYSTONE=$PWD/tools/ends job preempted pile.yaml -o runs/stuck
  requeued 7
  expect "a job that is preempted while it is $STATE: requeued, or not" [ $? -eq $([ $STATE = RUNNING ]; echo $?) ]
done

# a launcher that stays when its ranks are gone; what it reads nobody writes
mkdir -p tools/stays tools/remote tools/stuck
cat >tools/stays/mpirun <<'END'
#!/bin/bash
for rank in 0 1; do OMPI_COMM_WORLD_RANK=$rank sleep "${RANKS_STAY-1}" & done
wait
[ -z "${STEPS-}" ] || { mkdir -p runs/stays && touch "runs/stays/checkpoint-00000000$STEPS.manifest"; }
[ -n "${ENDS-}" ] || read -r <>nothing
exit 4
END
cat >tools/remote/mpirun <<'END'
#!/bin/bash
sleep 3   # its ranks are elsewhere
read -r -t 6 <>nothing
exit 4
END
cat >tools/stuck/mpirun <<'END'
#!/usr/bin/python3
import os, time
for rank in range(2):
    if os.fork() == 0:
        os._exit(0)
time.sleep(1000)   # and does not ask how they ended
END
chmod +x tools/*/mpirun
mkfifo nothing
said='^job: mpirun (process [0-9]*) stays, though its ranks are gone for 2 s: it is killed'
# stays TEXT CODE VARIABLE=VALUE... -- OPTION...: the job ends with that code
stays()
{
  local text=$1 expected=$2 began=$SECONDS settings=(LAUNCHER_PATIENCE=2 "LAUNCHER=./tools/stays/mpirun")
  shift 2
  while [ "$1" != -- ]; do settings+=("$1"); shift; done
  rm -rf runs/stays
  : >asked.txt
  SLURM_JOB_ID=7 timeout 60 env "${settings[@]}" bash "$jobs/requeue.sbatch" pile.yaml -o runs/stays "${@:2}" \
    >stays.log 2>&1
  code=$?
  expect "$text: code $code after $((SECONDS - began)) s" [ $code -eq "$expected" ]
}
left_alone() { ! grep -q 'stays, though' stays.log; }
stays "ranks are gone, mpirun stays" 137 --
expect "said" grep -q "$said" stays.log
expect "as a crash, not requeued" eval "not_requeued && grep -q '^job: failed with code 137;' stays.log"
stays "ranks that are gone before one looks" 137 "LAUNCHER=./tools/stuck/mpirun" --
expect "said" grep -q "$said" stays.log
stays "ranks that stay for longer than the patience" 4 RANKS_STAY=5 ENDS=yes --
expect "left alone" left_alone
stays "without ranks on this machine" 4 "LAUNCHER=./tools/remote/mpirun" --
expect "left alone" left_alone
stays "the queue had asked, the run got further" 85 STEPS=5 -- --max-wall 1h
expect "said, and requeued" eval "requeued 7 && grep -q '$said' stays.log"
stays "the queue had asked, the run got no further" 85 -- --max-wall 1h
expect "not requeued" not_requeued

# a shell that ignores TERM, or was started by one
printf 'trap "" TERM\nset -eu\nsource "%s/../launcher.bash"\nlauncher_run sleep 0.3\n' "$jobs" >deaf.sh
timeout --signal=KILL 20 bash deaf.sh >deaf.log 2>&1
expect "TERM is ignored: the watch ends with the launcher" [ $? -eq 0 -a ! -s deaf.log ]

# somebody asks the run, not the job
SLURM_JOB_ID=7 bash "$jobs/requeue.sbatch" pile.yaml -o runs/asked --set time.end=100 >asked.log 2>&1 &
until [ -s runs/asked/history.csv ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
touch runs/asked/STOP
wait $!
code=$?
expect "a file STOP: not requeued" eval "[ $code -eq 85 ] && not_requeued"
expect "a file STOP: says so" grep -q "^job: stopped at step .* on request" asked.log

# a study without Slurm: arches about the thickness below which they fall, which little friction makes larger
cat >arches.csv <<'END'
bodies.0.arch.thickness, contacts.0.friction
"1.10", 0.38
1.10, 0.40

1.05, 0.40
END
LAUNCHER="mpirun.sh 1"
array() { bash "$jobs/../study.sh" "$@" >array.log 2>&1; }
collect() { python3 "$jobs/study.py" collect arches.csv study --case "$arch" --program "$program"; }
array --row 1 --row 3 "$arch" arches.csv -o study
expect "two rows" [ $? -eq 0 ]
collect >study.csv 2>study.txt
expect "a row is missing: code" [ $? -eq 1 ]
expect "a row is missing: named" grep -q "^row 2 missing: not begun" study.txt
array --row 2 "$arch" arches.csv -o study --steps 30 --max-wall 3h && array "$arch" \
  arches.csv -o study
expect "row 2 in two pieces, all rows again" [ $? -eq 0 ]
expect "what is done is not run again" [ "$(grep -c '^restart from step 100,' array.log)" -eq 2 ]
collect >study.csv 2>study.txt
expect "all rows: code" [ $? -eq 0 ]
expect "all rows: counts" grep -q "^3 rows: 2 falls, 1 stands" study.txt
expect "all rows: table" diff <(cut -d, -f1-7 study.csv) - <<'END'
row,bodies.0.arch.thickness,contacts.0.friction,state,reason,verdict,step
1,1.10,0.38,done,,falls,100
2,1.10,0.40,done,,stands,100
3,1.05,0.40,done,,falls,100
END
expect "all rows: map" diff <(sed '1,/down/d' study.txt) - <<'END'
      0.38  0.40
1.10     .     #
1.05           .
END
# probes and peaks: lines behind the last step, one that is cut short, and no numbers do not count
printf 'step,time,crown_z\n1,0.001,2\n2,0.002,nan\n100,0.1,-1\n101,0.101,9\n102,0' >study/1/probes.csv
python3 "$jobs/study.py" collect arches.csv study --case "$arch" --program "$program" --probes \
  --peaks kinetic_energy,sweeps >peaks.csv 2>/dev/null
expect "probes and peaks: heading" grep -q "hash,crown_z.least,crown_z.largest,crown_z.last,kinetic_energy.least,\
kinetic_energy.largest,sweeps.least,sweeps.largest$" peaks.csv
expect "probes of a row" grep -q "^1,.*,-1.0,2.0,-1.0,[0-9]" peaks.csv
expect "a row without probes" grep -q "^2,.*,[0-9a-f]*,,,,[0-9]" peaks.csv
largest=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "kinetic_energy") n = i; next}
  $n > m + 0 {m = $n} END {print m}' study/3/history.csv)
expect "the peak of a row" awk -F, -v largest="$largest" '$1 == 3 {n++; if ($(NF - 2) + 0 == largest + 0) same++}
  END {exit !(n == 1 && same == 1 && largest > 0)}' peaks.csv
python3 "$jobs/study.py" collect arches.csv study --program "$program" --peaks speed >/dev/null 2>peaks.txt
expect "a peak of no column: code" [ $? -eq 2 ]
expect "a peak of no column: named" grep -q "history.csv has no column 'speed'" peaks.txt
rm study/1/probes.csv
# as anybody starts it: by root, too, and with more ranks than a small machine has cores
env -u LAUNCHER -u OMPI_ALLOW_RUN_AS_ROOT -u OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
  -u OMPI_MCA_rmaps_base_oversubscribe RANKS=3 \
  bash "$jobs/../study.sh" --row 2 "$arch" arches.csv -o study/plain --steps 5 >plain.log 2>&1
expect "by the launcher of this machine" [ $? -eq 0 ]
expect "on three ranks" grep -q " bodies on 3 ranks, " plain.log
# a row that is damaged, one that failed, one that still runs
find study/1 -name '*.manifest' -exec truncate -s 100 {} +
echo '{"set": {"bodies.0.arch.thickness": "1.10", "contacts.0.friction": "0.40"}, "code": 70}' >study/2.json
sed -i 's/"code": 0/"code": null/' study/3.json
collect 2>&1 >study.csv | grep '^row' >study.txt
expect "damage, failures and ends that did not come are named" diff study.txt - <<'END'
row 1 damaged: its results cannot be read
row 2 failed: exit code 70
row 3 unfinished: killed or still running
END

# refusals
PYTHON3=no-such-python array "$arch" arches.csv -o study
expect "no Python: code" [ $? -eq 2 ]
expect "no Python: said once" [ "$(grep -c "^job: a study needs Python 3: .*'no-such-python'" array.log)" -eq 1 ]
array --row 4 "$arch" arches.csv -o study
expect "row 4 of 3" eval "[ $? -eq 2 ] && grep -q 'no row 4, but rows 1 to 3' array.log"
sed -i 's/1.05, 0.40/1.06, 0.40/' arches.csv
array --row 3 "$arch" arches.csv -o study
expect "a row with other values than it was begun with" eval "[ $? -eq 2 ] && grep -q 'has other values' array.log"
# refused TABLE TEXT: what study.py says of a table
refused()
{
  printf "$1" >bad.csv
  python3 "$jobs/study.py" rows bad.csv >bad.txt 2>&1
  expect "refused: $2" eval "[ $? -eq 2 ] && grep -q -F '$2' bad.txt"
}
refused 'a.b\n' 'a heading and at least one row are needed'
refused 'a.b,c d\n1,2\n' "'c d' in the heading is no key of a case"
refused 'a.b,a.b\n1,2\n' 'a.b is twice in the heading'
refused 'a.b,c\n1,2\n1\n' 'bad.csv:3: 2 values are needed'
refused 'a.b,c\n1,2\n1,"2\n' 'bad.csv: '
refused 'a.b,c\n1,\n' 'bad.csv:2: 2 values are needed'
[ "$failures" -eq 0 ]
