#!/bin/bash
# kill -9 in the middle of a run: of one rank, of all, of mpirun; at a random time, and in each third round inside the
# writing of a checkpoint, at the k-th call on its files, half of a write done. Whoever is left is gone within 10 s,
# with a code that is not 0; an mpirun that stays without ranks because PMIx 4.2.2 stands still, for a rank was killed
# while it was connected, is killed and counted. Restarts on other numbers of ranks, killed again in some rounds, end
# with what the run that nobody touched has: hash, tables, frames, records, and no file besides. At most one interval of
# steps is lost.
#
# KILL_ROUNDS: how many rounds; KILL_SEED: of the random numbers; KILL_FIRST: number of the first round. A round
# depends on seed and number alone, so far as it does not depend on times.
# test: needs python3 procps
# test: ranks 4
# test: timeout 3600
# test: waits
# test: early
source "$(dirname "$0")/faults.bash"
rounds=${KILL_ROUNDS:-4} seed=${KILL_SEED:-1} first=${KILL_FIRST:-1}
interval=20 steps=120
rm -rf reference counted early round-* ./*.log ./*.txt shared-* tmp-*   # of an earlier run

cat >case.yaml <<END
title: blocks that fall on a slope and on each other, some of them joined, one elastic
units: SI
gravity: {table: [[0, 0, 0, -9.81], [0.1, 2, 0, -9.81]]}
time: {step: 2e-3, end: $(awk "BEGIN {print $steps * 2e-3}")}
materials:
  stone: {density: 2400}
  ice: {density: 900, young: 1e9, poisson: 0.3, damping: 1e-4}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.2}
  - {between: [stone, ice], friction: 0.05}
  - {between: [ice, ice], friction: 0.02}
solver: {tolerance: 1e-2, max_sweeps: 30}   # the same bits are asked for, not converged impulses
domain: {low: [-3, -3, -1], high: [1.9, 3, 4]}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.3, 0.3], count: [4, 3, 4], spacing: [0.4, 0.35, 0.31]}, at: [-1, 0, 0.16], material: stone,
     spin: [0.5, 0.3, 0.1], name: heap}
  - {wedge: [0.6, 0.4, 0.3], at: [1.2, 0, 0.01], material: ice, velocity: [3, 0, 0], name: ice,
     elastic: affine}
joints:
  - {weld: [-0.8, 0, 0.16], between: [heap.0, heap.1], axis: [1, 0, 0], strength: {tension: 300, shear: 200}}
  - {tie: [[-1, 0, 0.78], [1.2, 0, 0.2]], between: [heap.24, ice], stiffness: 2e3, yield: {tension: 60}}
  - {ball: [0.2, 0, 1.1], between: [heap.39]}
output:
  frames: {every: 0.02}
  checkpoint: {steps: $interval}
  ranks: {every: 5}
END

# draw N: a random number from 0 to N - 1, as drawn
draw() { drawn=$(((RANDOM * 32768 + RANDOM) % $1)); }

# start FOLDER RANKS OPTION...: in the background, as the process job; what MPI keeps for it is in two folders
start()
{
  mkdir -p "shared-$1" "tmp-$1"
  TMPDIR=$PWD/tmp-$1 OMPI_MCA_btl_vader_backing_directory=$PWD/shared-$1 \
    "$mpirun" "$2" ${FAULT_FOLDER:+env LD_PRELOAD="$preload"} "$program" run case.yaml -o "$1" "${@:3}" \
    >"$1.log" 2>&1 &
  job=$!
}

# ranks_of JOB: processes of its ranks that are there
ranks_of()
{
  local process
  for process in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
    if grep -qz '^OMPI_COMM_WORLD_RANK=' "/proc/$process/environ" 2>/dev/null; then echo "$process"; fi
  done
}

# alive PROCESS...: whether any is there and no zombie
alive()
{
  local process state
  for process in "$@"; do
    read -r _ _ state _ 2>/dev/null <"/proc/$process/stat" || continue
    [ "$state" = Z ] || return 0
  done
  return 1
}

# tenths_since TIME: tenths of a second
tenths_since() { awk "BEGIN {print int(10 * ($EPOCHREALTIME - $1))}"; }

# What PMIx says when a rank is lost between its request to be connected and the answer; mpirun may then stay for ever
cut='PMIX ERROR: UNREACHABLE in file .*ptl_base_connection_hdlr.c'

# still_there TEXT PROCESS...: a failure; the processes are ended
still_there()
{
  fail "$1: $(ps -o pid=,stat=,args= -p "$(IFS=,; echo "${*:2}")" | tr '\n' ';')"
  kill -9 "${@:2}" 2>/dev/null
}

# gone TEXT FOLDER JOB PROCESS...: waits until these ranks of a job and others that it has are gone, and the launcher;
# keeps the slowest time of ranks, in tenths of a second. Sets stays: yes where the launcher had to be killed
slowest=0 stayed=0
gone()
{
  local began=$EPOCHREALTIME last tenths rank
  local -A ranks=()
  last=$began stays=
  while
    for rank in "${@:4}" $(ranks_of "$3"); do ranks[$rank]=yes; done
    alive "$3" "${!ranks[@]}"
  do
    if alive "${!ranks[@]}"; then
      last=$EPOCHREALTIME
      if [ "$(tenths_since "$began")" -gt 100 ]; then
        still_there "$1: ranks are there after 10 s" "$3" "${!ranks[@]}"
        break
      fi
    elif [ "$(tenths_since "$last")" -gt 100 ]; then
      stays=yes
      if grep -q "$cut" "$2.log"; then
        stayed=$((stayed + 1))
        echo "stays   $1: mpirun, without ranks: killed"
        kill -9 "$3"
      else
        still_there "$1: mpirun is there 10 s after its ranks" "$3"
      fi
      break
    fi
    sleep 0.05
  done
  tenths=$(awk "BEGIN {print int(10 * ($last - $began) + 1)}")
  [ "$tenths" -le "$slowest" ] || slowest=$tenths
}

# newest_step FOLDER: that a file tells the run has reached
newest_step()
{
  local name last=0 number
  for name in "$1"/frame-*.h5 "$1"/checkpoint-*.h5; do
    number=${name##*-} number=${number%.h5}
    case $number in *[!0-9]*) continue ;; esac
    [ $((10#$number)) -le "$last" ] || last=$((10#$number))
  done
  echo "$last"
}

# kill_at_call FOLDER RANKS OPTION...: a rank ends at its k-th call on the files of checkpoints; sets how, processes
kill_at_call()
{
  local rank all
  draw 2
  rank=$drawn
  draw "${calls[rank]}"
  : >met.txt
  FAULT_NAME=checkpoint with_fault "$1" $rank kill $((drawn + 1)) 1 met.txt start "$@"
  until [ -s met.txt ] || ! alive $job; do
    all=$(ranks_of $job)
    [ -z "$all" ] || processes=($all)
    sleep 0.02
  done
  how="inside a checkpoint"
}

# kill_at_time FOLDER RANKS OPTION...: from outside; sets how, processes
kill_at_time()
{
  local victims
  start "$@"
  draw 1000
  sleep "$(awk "BEGIN {printf \"%.3f\", $duration * $drawn / 1000}")"
  processes=($(ranks_of $job))
  draw 6
  if [ $drawn -eq 0 ] || [ ${#processes[@]} -eq 0 ]; then
    victims=("$job") how=mpirun
  elif [ $drawn -eq 1 ]; then
    victims=("${processes[@]}") how="all ranks"
  else
    draw ${#processes[@]}
    victims=("${processes[drawn]}") how="one rank"
  fi
  kill -9 "${victims[@]}" 2>/dev/null
}

# disturb TEXT FOLDER RANKS OPTION...: a run that is killed, unless it ends before
declare -A hits
longest=0 left=0
disturb()
{
  local text=$1 folder=$2 how processes=() code step lost stays
  if [ $((round % 3)) -eq 0 ]; then kill_at_call "${@:2}"; else kill_at_time "${@:2}"; fi
  gone "$text ($how)" "$folder" "$job" "${processes[@]}"
  wait "$job" 2>/dev/null
  code=$?
  step=$(newest_checkpoint "$folder")
  if [ $code -eq 0 ]; then
    [ "$step" -eq $steps ] || fail "$text: code 0 after a kill ($how)"
    how="too late"
  else
    lost=$(($(newest_step "$folder") - step))
    [ $lost -le $interval ] || fail "$text: $lost steps lost, back to $step"
    [ $lost -le $longest ] || longest=$lost
  fi
  hits[$how]=$((${hits[$how]-0} + 1))
  if [ -n "$(ls -A "shared-$folder")" ]; then
    # mpirun removes what dead ranks shared; who kills it leaves that to the system's administrator, and so does who
    # kills a rank while it starts, before it has told mpirun of its segment: the run has not said a word then
    if [ "$how" = mpirun ] || [ -n "$stays" ] || ! grep -q ' on [0-9]* ranks*, step ' "$folder.log"; then
      left=$((left + 1))
    else
      fail "$text ($how): left $(ls "shared-$folder"); the log: $(head -n 3 "$folder.log"; tail -n 3 "$folder.log")"
    fi
  fi
  rm -rf "shared-$folder" "tmp-$folder"
}

# finish TEXT FOLDER RANKS: a restart that nobody disturbs, from the newest checkpoint
finish()
{
  local step code
  step=$(newest_checkpoint "$2")
  start "$2" "$3" --restart
  wait "$job"
  code=$?
  [ $code -eq 0 ] || fail "$1: restart on $3 ranks, code $code: $(tail -n 3 "$2.log")"
  if [ "$step" -gt 0 ]; then
    grep -q "restart from step $step," "$2.log" || fail "$1: the checkpoint of step $step is not used"
  fi
  [ -z "$(ls -A "shared-$2")" ] || fail "$1: a run that ended left $(ls "shared-$2")"
  rm -rf "shared-$2" "tmp-$2"
}

began=$EPOCHREALTIME
start reference 2
wait "$job"
expect "the run that nobody touches" [ $? -eq 0 -a "$(newest_checkpoint reference)" -eq $steps ]
duration=$(awk "BEGIN {print 1.1 * ($EPOCHREALTIME - $began)}")
calls=()
for rank in 0 1; do
  : >count.txt
  FAULT_NAME=checkpoint with_fault counted $rank count 0 0 count.txt start counted 2
  wait "$job"
  calls+=("$(wc -l <count.txt)")
  rm -rf counted
done
expect "calls on checkpoints: ${calls[*]}" [ "${calls[0]}" -gt 100 -a "${calls[1]}" -gt 50 ]

# the end comes before the first manifest, twice, with data of two steps: nothing to go back to, and nothing lost
for steps_now in 3 5; do
  : >met.txt
  FAULT_NAME=.manifest.tmp with_fault early 0 kill 1 1 met.txt start early 2 --restart --steps $steps_now
  wait "$job" 2>/dev/null
done
expect "data of step 5 without a manifest" [ -e early/checkpoint-000000005.h5 -a "$(newest_checkpoint early)" -eq 0 ]
rm -rf shared-early tmp-early
finish "twice before the first manifest" early 3
expect "twice before the first manifest" /usr/bin/python3 "$faults/same_results.py" reference --whole early

for ((round = first; round < first + rounds; round++)); do
  RANDOM=$((seed * 4001 + round))
  folder=round-$round text="round $round of seed $seed"
  draw 3
  disturb "$text" $folder $((2 + drawn))
  # the restart is killed as well, some times
  draw 3
  for ((again = drawn; again > 0; again--)); do
    draw 4
    disturb "$text, a restart" $folder $((1 + drawn)) --restart
  done
  draw 4
  finish "$text" $folder $((1 + drawn))
  if /usr/bin/python3 "$faults/same_results.py" reference --whole $folder; then
    rm -rf $folder $folder.log
  else
    fail "$text: contents"
  fi
done
for how in "${!hits[@]}"; do summary="${summary-}${hits[$how]} $how, "; done
echo "$rounds rounds of seed $seed, kills: ${summary}at most $longest steps lost of $interval, ranks gone within" \
  "$(awk "BEGIN {print $slowest / 10}") s, mpirun stayed without ranks $stayed times, shared memory" \
  "of a killed mpirun or a rank that started left $left times; $failures failures"
[ $failures -eq 0 ]
