#!/bin/bash
# Signals at random times, from the start of a rank on, many of them while files are written: USR1, TERM and INT, to one
# rank, to all, to mpirun, once or several times within the time of one request. A run that is given the time ends with
# exit code 85 within 20 s; the restart, on another number of ranks, has the bits, lines and frames of a run nobody
# touched. SIGNALS_ROUNDS=100 asks for so many rounds of each, SIGNALS_SEED for other times.
# test: slow
# test: ranks 3
# test: timeout 900
mpi=$(cd "$(dirname "$0")/../mpi" && pwd)
source "$mpi/runs.bash"
source "$mpi/interrupted.bash"
find . -mindepth 1 -delete   # an earlier run
pile_case >pile.yaml
rounds=${SIGNALS_ROUNDS:-1}
RANDOM=${SIGNALS_SEED:-1}
declare -A late=()
longest=0

# send SIGNAL TARGET: to one rank, to all, or to the launcher
send()
{
  local rank
  case $2 in
  one) kill -"$1" "$(rank_of_job $((RANDOM % ranks)))" ;;
  all) for ((rank = 0; rank < ranks; rank++)); do kill -"$1" "$(rank_of_job $rank)"; done ;;
  mpirun) kill -"$1" $job ;;
  esac 2>/dev/null
}

# all_catch: every rank has its handlers
all_catch()
{
  local rank process
  for ((rank = 0; rank < ranks; rank++)); do
    process=$(rank_of_job $rank)
    [ -n "$process" ] && catches_signals "$process" || return 1
  done
}

# round SIGNAL TARGET NAME
round()
{
  local signal=$1 target=$2 name=$3 times=$((1 + RANDOM % 2)) began took
  ranks=$((2 + RANDOM % 2))
  begin $ranks "$name" --set output.checkpoint.steps=2
  until_true all_catch || return
  sleep "$(printf '%d.%03d' $((RANDOM % 2)) $((RANDOM % 1000)))"
  began=$EPOCHREALTIME
  send "$signal" "$target"
  [ $times -eq 1 ] || { sleep "0.$((RANDOM % 5))" && send "$signal" "$target"; }
  ended
  took=$(("${EPOCHREALTIME/./}" - "${began/./}"))
  [ $took -le $longest ] || longest=$took
  [ $took -le 20000000 ] || { echo "FAILED  $name: took $took us"; failures=$((failures + 1)); }
  # mpirun kills the ranks soon after it has got TERM or INT itself
  if [ "$target" = mpirun ] && [ "$signal" != USR1 ]; then
    [ $code -ne 0 ] || { echo "FAILED  $name: code $code"; failures=$((failures + 1)); }
    [ $code -eq 85 ] || late[$signal]=$((${late[$signal]-0} + 1))
  elif [ $code -ne 85 ]; then
    echo "FAILED  $name: code $code, expected 85"
    tail -n 3 "$name.log"
    failures=$((failures + 1))
  fi
  go_on $((1 + (ranks + RANDOM % 2) % 3)) "$name" >restarted.txt
  grep -v "^fine" restarted.txt
}

names=()
for ((i = 1; i <= rounds; i++)); do
  for signal in USR1 TERM INT; do
    for target in one all mpirun; do
      names+=("$signal-$target-$i")
      round $signal $target "$signal-$target-$i"
    done
  done
done
compare "${names[@]}"
echo "$rounds rounds of each; at most $((longest / 1000)) ms from signal to end; mpirun's own TERM and INT were too" \
  "quick for code 85 ${late[TERM]-0} and ${late[INT]-0} times"
[ "$failures" -eq 0 ]
