#!/bin/bash
# Batch jobs on a real Slurm, which the test starts for itself: whatever ends a job, the run goes on where it was, and
# ends with the hash and the history of one that nothing interrupted. The end of the job's time, signals, scancel,
# preemption, a node that loses power; by mpirun and by srun; on other ranks; a study as an array.
# test: needs python3
# test: slow
# test: early
# test: waits
# test: ranks 2
# test: timeout 1200
source "$(dirname "$0")/../mpi/runs.bash"
source "$(dirname "$0")/slurm_machine.bash"
jobs=$(cd "$(dirname "$0")/../../jobs/slurm" && pwd)
arch=$jobs/../arch/study.yaml
rm -rf machine whole quarter study limit twice moved grace power ./*.log ./*.pace   # of an earlier run
machine=machine
case $PWD in *[[:space:]]*) machine=$(mktemp -d) ;; esac   # Slurm's settings know no spaces
leave() { slurm_machine_stop; [ "$machine" = machine ] || rm -rf "$machine"; }
trap leave EXIT
trap 'exit 1' INT TERM
slurm_machine_start "$machine" || exit

# for root and for more ranks than cores, as in mpirun.sh; jobs inherit it
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export DRYSTONE=$program

cat >pile.yaml <<'END'
title: blocks that fall on each other
units: SI
gravity: [0.5, 0, -9.81]
time: {step: 1e-3, end: 1.6}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.4, restitution: 0.2}]
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.3, 0.3], count: [2, 2, 2], spacing: [0.4, 0.35, 0.33]}, at: [-0.5, 0, 0.2], material: stone,
     spin: [0.5, 0.3, 0.1], name: heap}
output: {frames: {every: 0.2}, checkpoint: {steps: 100}}
END
steps=1600
quarter=400

# what nothing interrupts
"$mpirun" 1 "$program" run pile.yaml -o quarter --steps $quarter >quarter.log 2>&1
"$mpirun" 1 "$program" run pile.yaml -o whole --hash-log whole.txt >whole.log 2>&1
expect "the reference has all steps" [ "$(wc -l <whole/history.csv)" -eq $((steps + 1)) ]

# Runs below take their time on any machine, since they write their hashes into pipes that are emptied at the pace of
# 20 steps a second, and hold no more than a page.
bytes=$(($(stat -c %s whole.txt) / steps))
readers=()
pace()
{
  local pipe
  mkfifo -m 600 "$1.pace" && exec {pipe}<>"$1.pace" || exit
  python3 -c "import fcntl; fcntl.fcntl($pipe, 1031, 4096)" || exit   # F_SETPIPE_SZ
  # One process, which ends when it is told to and keeps nothing of this script's output open.
  env -u SLURM_CONF python3 -c "import os, time
while os.read(0, $((bytes * 10))): time.sleep(0.5)" <&"$pipe" >/dev/null 2>&1 &
  readers+=($!)
}
trap 'leave; [ ${#readers[@]} -eq 0 ] || kill "${readers[@]}" 2>/dev/null' EXIT
for name in limit twice power; do pace $name; done

# submit FOLDER RANKS LAUNCHER SBATCH-OPTIONS OPTION...: sets job; what it says goes to FOLDER.log
submit()
{
  local sbatch paced=()
  read -ra sbatch <<<"$4"
  [ ! -p "$1.pace" ] || paced=(--hash-log "$1.pace")
  job=$(LAUNCHER=$3 sbatch --parsable --job-name="$1" --output="$1.log" -n "$2" "${sbatch[@]}" \
    "$jobs/requeue.sbatch" pile.yaml -o "$1" "${paced[@]}" "${@:5}")
}

# of the job JOB
job_field() { scontrol show job -o "$1" | sed -nE "s/(^|.* )$2=([^ ]+).*/\2/p"; }
# job_ended JOB: all its tasks, as Slurm says; where it says nothing, they have not
job_ended()
{
  local states
  states=$(job_field "$1" JobState)
  [ -n "$states" ] && ! grep -qvE '^(COMPLETED|FAILED|CANCELLED|TIMEOUT|OUT_OF_MEMORY)$' <<<"$states"
}
job_is() { [ "$(job_field "$1" JobState)" = "$2" ]; }

# checkpoint_beyond FOLDER STEP: there is one of that step or a later one
checkpoint_beyond()
{
  [ "$(find "$1" -name 'checkpoint-*.manifest' | sed 's/.*-0*//; s/[.].*//' | sort -n | tail -n 1)" -ge "$2" ]
}
starts() { grep -c "^job: start" "$1.log"; }
started() { [ "$(starts "$1")" -ge "$2" ]; }

# is_whole TEXT FOLDER REFERENCE JOB STARTS: the job is over and well, and what it left is what the reference left
is_whole()
{
  expect "$1: the job ends" slurm_machine_wait 240 job_ended "$4"
  expect "$1: completed" job_is "$4" COMPLETED
  expect "$1: said so" grep -q "^job: done" "$2.log"
  same_hash "$1" "$2" "$3"
  expect "$1: history" diff <(physics "$3") <(physics "$2")
  expect "$1: frames" [ -z "$(cd "$3" && for name in frame*; do [ -s "../$2/$name" ] || echo "$name"; done)" ]
  expect "$1: starts: $(starts "$2")" [ "$(starts "$2")" -ge "$5" ]
}

pmix="srun --mpi=pmix"
srun --mpi=list 2>&1 | grep -qw pmix || { pmix=mpirun; echo "skipped: srun, which has no pmix here"; }

# a run that is longer than its job may be, by mpirun; it goes on in the background
submit limit 2 mpirun "-t 1 --signal=B:USR1@10"
limit=$job

# signals that come from anywhere, by srun
submit twice 2 "$pmix" "-t 30" --steps $quarter
for step in 100 200; do
  expect "signal after step $step" slurm_machine_wait 120 checkpoint_beyond twice $step
  scancel --batch --signal=USR1 "$job"
  expect "requeued and started again" slurm_machine_wait 120 started twice $((step / 100 + 1))
done
is_whole "two signals, srun" twice quarter "$job" 3
expect "requeues counted" [ "$(job_field "$job" Restarts)" -eq 2 ]

# cancelled, and submitted again on other ranks by the other launcher; then again. A frame in each step takes time
# enough here: a pipe that is full would be written to when the signal comes.
for try in 1 2; do
  if [ $try -eq 1 ]; then submit moved 2 "$pmix" "-t 30" --set output.frames.every=1e-3
  else submit moved 4 mpirun "-t 30" --set output.frames.every=1e-3; fi
  expect "checkpoint before scancel" slurm_machine_wait 120 checkpoint_beyond moved $((try * 300))
  scancel "$job"
  expect "cancelled: the job ends" slurm_machine_wait 60 job_ended "$job"
  expect "cancelled: and stays so" job_is "$job" CANCELLED
  expect "cancelled: said so" [ "$(grep -c "^job: ended by TERM with code" moved.log)" -eq $try ]
  expect "cancelled: before the end" [ "$(wc -l <moved/history.csv)" -le $steps ]
  if [ $try -eq 1 ] && [ "$pmix" != mpirun ]; then
    expect "cancelled: a checkpoint in the time that is left" grep -q "signal TERM came to 2 of 2 ranks" moved.log
  fi
done
submit moved 3 "$pmix" "-t 30"
is_whole "on 2, 4 and 3 ranks" moved whole "$job" 3
expect "from the checkpoint" grep -q "^job: start 1 .* 4 ranks by mpirun, moved from the checkpoint of step" moved.log

is_whole "end of time, mpirun" limit whole "$limit" 2
expect "end of time: by the signal" grep -q "^job: USR1: the run is asked" limit.log

# a job of a better partition takes all cores; what was there gets 15 s of grace
if [ "$pmix" != mpirun ]; then
  submit grace 2 "$pmix" "-t 30" --set output.frames.every=2e-3
  expect "checkpoint before preemption" slurm_machine_wait 120 checkpoint_beyond grace 200
  sbatch --partition=urgent -n 8 -t 5 --output=urgent.log --wrap "sleep 1" >urgent.txt
  expect "preempted: requeued and started again" slurm_machine_wait 60 started grace 2
  expect "preempted: the next start is not" [ "$(job_field "$job" PreemptTime)" = None ]
  is_whole "preempted" grace whole "$job" 2
  expect "preempted: said so" grep -q "^job: preempted and requeued at step" grace.log
fi

# the node goes down with all processes; Slurm requeues the job by itself
submit power 2 mpirun "-t 30" --steps $quarter
expect "checkpoint before power is lost" slurm_machine_wait 120 checkpoint_beyond power 200
slurm_machine_lose_power
slurm_machine_return
is_whole "power lost" power quarter "$job" 2

# a study: every row its own task; two of them are asked to make room while they run, with steps short enough to be met
cat >arches.csv <<'END'
bodies.0.arch.thickness, contacts.0.friction
1.10, 0.38
1.10, 0.40
1.30, 0.34
1.30, 0.38
END
study=$(sbatch --parsable --output=study-%a.log --array="1-$(python3 "$jobs/study.py" rows arches.csv)" -n 2 -t 30 \
  "$jobs/array.sbatch" "$arch" arches.csv -o study --set time.step=2e-4 --set time.end=0.6)
# the last task has the number of the whole array
for row in 2 4; do
  expect "row $row runs" slurm_machine_wait 120 checkpoint_beyond study/$row 50
  scancel --batch --signal=USR1 "${study}_$row"
done
expect "study: all tasks end" slurm_machine_wait 480 job_ended "$study"
expect "study: rows 2 and 4 started again, no others" \
  [ "$(grep -c '^job: start' study-?.log | paste -sd ' ')" = "study-1.log:1 study-2.log:2 study-3.log:1 study-4.log:2" ]
python3 "$jobs/study.py" collect arches.csv study --case "$arch" --program "$program" >study.csv
expect "study: all rows are done" [ $? -eq 0 ]
expect "study: verdicts" diff <(cut -d, -f1-6 study.csv) - <<'END'
row,bodies.0.arch.thickness,contacts.0.friction,state,reason,verdict
1,1.10,0.38,done,,falls
2,1.10,0.40,done,,stands
3,1.30,0.34,done,,falls
4,1.30,0.38,done,,stands
END
"$mpirun" 1 "$program" run "$arch" -o row2 --overwrite --set time.step=2e-4 --set time.end=0.6 \
  --set bodies.0.arch.thickness=1.10 --set contacts.0.friction=0.40 >row2.log 2>&1
same_hash "study: row 2" study/2 row2

# what fails is not tried again (more time than 5 minutes: else the signal that asks for a checkpoint comes at once)
job=$(sbatch --parsable --output=wrong.log -n 1 -t 30 "$jobs/requeue.sbatch" nowhere.yaml)
expect "no case: the job ends" slurm_machine_wait 60 job_ended "$job"
expect "no case: with the code of the run" [ "$(job_field "$job" ExitCode)" = 2:0 ]
expect "no case: failed" job_is "$job" FAILED

slurm_machine_stop
expect "nothing is left running" [ -z "$(slurm_machine_processes)" ]
[ "$failures" -eq 0 ]
