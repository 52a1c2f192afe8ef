#!/bin/bash
# Every call with which a rank works on the folder of results fails once, or from then on: open, write, read, fsync,
# ftruncate, rename, close, unlink, mkdir, listing. The run says which file and what the system said, once, and ends
# with code 4; what was complete before stays so, and a restart ends as if nothing had been. What a run can survive, it
# survives: interrupted calls and short transfers; a call without which nothing is lost may fail.
#
# IO_ERRORS: every so many calls meet a fault, each another kind of it; "all": every call meets every kind.
# IO_FIRST: number of the first one; IO_KINDS: only these kinds; IO_CALLS: only these calls, as "write fsync rename";
# IO_RUNS: only these runs, of fresh-0 fresh-1 restart-0 restart-1: a first one or a restart, and the rank that fails.
# test: needs python3
# test: ranks 2
# test: timeout 900
# test: no_grace
source "$(dirname "$0")/faults.bash"
every=${IO_ERRORS:-90} rotate=yes
[ "$every" != all ] || { every=1 rotate=""; }
first=${IO_FIRST:-$((every / 3 + 1))}
# one call; or all that follow, as where a disk stays full or a device stays away
read -r -a kinds <<<"${IO_KINDS:-EIO-1 ENOSPC-0 EINTR-1 short-1 ENOSPC-1 EIO-0}"
calls=${IO_CALLS:+^[0-9]+ (${IO_CALLS// /|}) }   # of those lines
rm -rf reference begun counted kept log fresh-* restart-* trial-* ./*.txt ./*.log   # of an earlier run
small_case 2 2 6 >case.yaml
declare -A ended
finished=()   # runs that met a fault and came to the end all the same

# run FOLDER OPTION...: two ranks, the log to FOLDER.log; sets code
run()
{
  timeout -k 5 60 "$mpirun" 2 ${FAULT_FOLDER:+env LD_PRELOAD="$preload"} "$program" run case.yaml -o "$@" >"$1.log" 2>&1
  code=$?
}

# count SCENARIO RANK: lines of all calls of an undisturbed run to SCENARIO-RANK.txt
count()
{
  rm -rf counted
  [ "$1" = fresh ] || cp -r begun counted
  : >"$1-$2.txt"
  with_fault counted "$2" count 0 0 "$1-$2.txt" run counted "${options[@]}"
  [ $code -eq 0 ] || fail "$1: counting, code $code: $(tail -n 3 counted.log)"
}

# may_go_on KIND CALL PATH LOG: whether code 0 is right although the call failed: nothing that is written depends on
# it; or the messages of the run, which are printed too, and then a warning says so
may_go_on()
{
  if [ "$(basename "$3")" = run.log ]; then
    grep -q "^drystone: warning: cannot write .*run.log: .*; the run goes on" "$4"
    return
  fi
  case $2 in
  list | open-read | close-read | read | unlink) return 0 ;;
  close) [ "$(basename "$3")" = lock ] ;;
  mkdir) [ "$1" = EINTR ] || [[ $(basename "$3") == trial-restart-* ]] ;;   # it is there already
  *) return 1 ;;
  esac
}

# words_of KIND: what the system says
words_of()
{
  case $1 in
  EIO) echo "Input/output error" ;;
  ENOSPC) echo "No space left on device" ;;
  EINTR) echo "Interrupted system call" ;;
  esac
}

# judge TEXT KIND FOLDER: code and messages of a run that met a fault
judge()
{
  local call path name words
  read -r _ call path <log
  [ -n "$call" ] || { fail "$1: met no fault"; return; }
  name=$(basename "${path%.tmp}")
  words=$(words_of "$2")
  if { [ "$2" = short ] || [ "$2" = EINTR ]; } && ! may_go_on "$2" "$call" "$path" "$3.log"; then
    [ $code -eq 0 ] || fail "$1: $call $name: code $code: $(grep '^drystone' "$3.log")"
  elif [ $code -eq 0 ]; then
    may_go_on "$2" "$call" "$path" "$3.log" || fail "$1: $call $name: went unnoticed"
  elif [ $code -ne 4 ]; then
    fail "$1: $call $name: code $code: $(tail -n 3 "$3.log")"
  elif ! grep "$words" "$3.log" | grep -qF "$name" || [ "$(said "$3.log" | wc -l)" -ne 1 ] ||
    [ "$(said "$3.log" | grep -c "$words")" -ne 1 ]; then
    fail "$1: $call $name: not said once by name and reason: $(grep '^drystone' "$3.log")"
  fi
  case $code-$3-$call in *-list | *-unlink) ;; 0-trial-restart-*) finished+=("$3") ;; esac
  ended[$code]=$((${ended[$code]-0} + 1))
}

# said LOG: messages of failures; one of a generation after the other that cannot be read is the first one's
said() { grep '^drystone: ' "$1" | grep -v '^drystone: warning' | awk '!/is damaged:/ || !damaged++'; }

# go_on TEXT FOLDER: a restart of a copy, from the newest complete checkpoint
go_on()
{
  local step
  step=$(newest_checkpoint "$2")
  cp -r "$2" "$2-again" 2>/dev/null || mkdir -p "$2-again"
  run "$2-again" --restart
  [ $code -eq 0 ] || fail "$1: restart, code $code: $(grep '^drystone' "$2-again.log")"
  if [ "$step" -gt 0 ]; then
    grep -q "restart from step $step," "$2-again.log" || fail "$1: the checkpoint of step $step is not used"
  fi
}

# look TEXT: the contents of all trials since the last call
look()
{
  local words=() folder
  for folder in "${finished[@]}"; do words+=(--whole "$folder"); done
  for folder in trial-*; do
    case $folder in
    *.log | trial-\*) ;;
    *-again) words+=(--whole "$folder") ;;
    *) words+=(--part "$folder") ;;
    esac
  done
  [ ${#words[@]} -eq 0 ] || /usr/bin/python3 "$faults/same_results.py" reference "${words[@]}" || fail "$1: contents"
  [ $failures -eq $failures_before ] || { mkdir -p kept; cp -r trial-* kept; }
  rm -rf trial-*
  finished=()
  failures_before=$failures
}

# try SCENARIO RANK KIND K MANY
try()
{
  local text="$1, rank $2, $3, call $4, $5" folder=trial-$1-$2-$3-$4-$5
  [ "$1" = fresh ] || cp -r begun "$folder"
  : >log
  with_fault "$folder" "$2" "$3" "$4" "$5" log run "$folder" "${options[@]}"
  judge "$text" "$3" "$folder"
  go_on "$text" "$folder"
  trials=$((trials + 1))
  [ $((trials % 30)) -ne 0 ] || look "up to $text"
}

# try_calls SCENARIO RANK: every so many calls meet a fault
trials=0 turn=0
try_calls()
{
  local k total transfers at kind kinds_now
  total=$(wc -l <"$1-$2.txt")
  for ((k = first; k <= total; k += every)); do
    sed -n "${k}p" "$1-$2.txt" | grep -qE "$calls" || continue
    kinds_now=("${kinds[@]}")
    [ -z "$rotate" ] || kinds_now=("${kinds[turn++ % ${#kinds[@]}]}")
    for kind in "${kinds_now[@]}"; do
      at=$k
      if [ "${kind%-*}" = short ]; then
        # the number among the calls that transfer something
        transfers=$(head -n "$k" "$1-$2.txt" | grep -cE '^[0-9]+ (read|write) ')
        [ -n "$rotate" ] || sed -n "${k}p" "$1-$2.txt" | grep -qE '^[0-9]+ (read|write) ' || continue
        at=$((transfers > 0 ? transfers : 1))
      fi
      try "$1" "$2" "${kind%-*}" "$at" "${kind#*-}"
    done
  done
  look "$1, rank $2"
}

run reference
expect "the run that nothing disturbs" [ $code -eq 0 ]
# two checkpoints, and what was written after them: a restart cuts back everything
: >log
FAULT_NAME=checkpoint-000000006.manifest.tmp with_fault begun 0 kill 2 1 log run begun
expect "a run that ends before the manifest of its last checkpoint" \
  [ -e begun/checkpoint-000000006.h5 -a "$(newest_checkpoint begun)" -eq 4 ]
failures_before=$failures

for scenario in fresh restart; do
  options=(--steps 4)
  [ $scenario = fresh ] || options=(--restart)
  for rank in 0 1; do
    [[ " ${IO_RUNS:-$scenario-$rank} " == *" $scenario-$rank "* ]] || continue
    count $scenario $rank
    try_calls $scenario $rank
  done
done
for code in "${!ended[@]}"; do summary="${summary-}, ${ended[$code]} ended with code $code"; done
met=$(cat ./*-[01].txt 2>/dev/null | grep -cE "$calls")
echo "$trials trials, $met calls without faults${summary-}; $failures failures"
[ $trials -gt 0 ] && [ $failures -eq 0 ]
