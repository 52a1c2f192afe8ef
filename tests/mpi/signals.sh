#!/bin/bash
# Runs that are asked to stop, by signals to a rank or to mpirun, a file STOP and the clock: exit code 85, a checkpoint,
# and on other numbers of ranks a restart with the bits, lines and frames of a run nobody touched. Asked once more they
# end at once, with code 86. No run ends by itself: what happens when is waited for.
# test: ranks 3
# test: timeout 600
# test: waits
# test: early
source "$(dirname "$0")/runs.bash"
source "$(dirname "$0")/interrupted.bash"
find . -mindepth 1 -delete   # an earlier run
pile_case >pile.yaml

# is_at STEP FOLDER: the run has written the frame of that step
is_at() { [ -e "$2/$(printf 'frame-%06d.h5' "$1")" ]; }

# stopped FOLDER TEXT: the run ended as asked, with its state on the disk, and said why and how to go on
stopped()
{
  ended
  expect "$1: code $code" [ $code -eq 85 ]
  local step
  step=$(newest "$1")
  expect "$1: checkpoint of step $step, verified" "$program" info "$1"
  expect "$1: says why" grep -qE "^step $step: $2: the run stops here$" "$1.log"
  expect "$1: says how to go on" \
    grep -q "^to go on, on any number of ranks: drystone run pile.yaml -o $1 .*--restart$" "$1.log"
  expect "$1: as many lines as steps" [ $(($(wc -l <"$1/history.csv") - 1)) -eq "$step" ]
}

# a signal to one rank, to the launcher, to all at once; another one that comes with it is the same request
begin 3 one && until_true is_at 20 one && kill -USR1 "$(rank_of_job 2)"
stopped one 'signal USR1 came to 1 of 3 ranks'
go_on 2 one
begin 3 launcher && until_true is_at 20 launcher && kill -USR1 $job
stopped launcher 'signal USR1 came to [123] of 3 ranks'
go_on 1 launcher
begin 2 both && until_true is_at 20 both && kill -USR1 "$(rank_of_job 0)" "$(rank_of_job 1)" $job
stopped both 'signal USR1 came to [12] of 2 ranks'
go_on 3 both
begin 3 term && until_true is_at 20 term && kill -TERM "$(rank_of_job 0)"
stopped term 'signal TERM came to 1 of 3 ranks'
go_on 2 term
# to the rank that splits the domain, twice with hardly a step in between
begin 2 terms && until_true is_at 20 terms
first=$(rank_of_job 0)
kill -TERM "$first" && sleep 0.01 && kill -TERM "$first"
stopped terms 'signal TERM came to 1 of 2 ranks'
go_on 3 terms
begin 2 int && until_true is_at 20 int && kill -INT "$(rank_of_job 1)"
stopped int 'signal INT came to 1 of 2 ranks'
go_on 3 int
begin 3 usr2 && until_true is_at 20 usr2 && kill -USR2 "$(rank_of_job 1)"
stopped usr2 'signal USR2 came to 1 of 3 ranks'
go_on 2 usr2
begin 2 forwarded && until_true is_at 20 forwarded && kill -USR2 $job
stopped forwarded 'signal USR2 came to [12] of 2 ranks'
go_on 1 forwarded

# a limit of processor time that the system repeats every second: no second request, even while the rank is held
soft=$(ulimit -S -t)
ulimit -S -t 4
begin 2 limit
ulimit -S -t "$soft"
stopped limit 'signal XCPU came to [12] of 2 ranks'
go_on 3 limit
begin 2 again && until_true is_at 20 again
first=$(rank_of_job 0)
kill -STOP "$(rank_of_job 1)" && kill -XCPU "$first" && sleep 2.5 && kill -XCPU "$first" && sleep 0.5
expect "again: XCPU is no second request" kill -CONT "$(rank_of_job 1)"
stopped again 'signal XCPU came to 1 of 2 ranks'
go_on 1 again

# TERM to the launcher leaves little time: a checkpoint is made or not, the last one is valid in any case
begin 3 killed --set output.checkpoint.steps=10 && until_true is_at 20 killed && kill -TERM $job
ended
expect "killed: code $code" [ $code -ne 0 ]
go_on 2 killed

# before the first step, while ranks still start: one of them is held, so that no step can begin
rank_is_there() { [ -n "$(rank_of_job 1)" ]; }
for attempt in 1 2 3 4 5; do
  rm -rf before before.txt
  begin 3 before && until_true rank_is_there
  held=$(rank_of_job 1)
  until_true catches_signals "$held" && kill -STOP "$held" && kill -USR1 "$held" && kill -CONT "$held"
  ended
  [ "$(newest before)" -gt 0 ] || break   # else it was held too late
done
expect "before: code $code" [ $code -eq 85 ]
expect "before: checkpoint of step 0" [ "$(newest before)" -eq 0 ]
go_on 2 before
# of a restart: nothing new is to be written
begin 3 before --restart && until_true rank_is_there
until_true catches_signals "$(rank_of_job 1)" && kill -USR1 "$(rank_of_job 1)"
stopped before 'signal USR1 came to 1 of 3 ranks'
go_on 1 before

# while a checkpoint is written: a rank is held in the middle of one
unfinished() { compgen -G 'during/checkpoint-*.tmp' >/dev/null; }
begin 3 during --set output.checkpoint.steps=1 && until_true rank_is_there
held=$(rank_of_job 1)
while until_true unfinished; do
  kill -STOP "$held"
  sleep 0.1   # others come to where they wait
  if unfinished; then break; fi
  kill -CONT "$held"
done
kill -USR1 "$(rank_of_job 2)" && kill -CONT "$held"
stopped during 'signal USR1 came to 1 of 3 ranks'
go_on 2 during

# twice: a step that never ends is left at once, the checkpoint before it stays. The step after the 36th is one; a
# machine that is busy may take longer than a second to come to it
endless=(--restart --allow solver --set solver.method=gauss-seidel --set solver.tolerance=1e-14)
endless+=(--set solver.max_sweeps=2147483647)
piece "$program" 3 pile.yaml twice --steps 36
line='^drystone: asked to stop once more: stopped at once, without a checkpoint; earlier ones stay valid$'
for second in USR1 INT; do
  for pause in 1 5 20; do
    begin 3 twice "${endless[@]}"
    until_true grep -q '^restart' twice.log && sleep $pause && kill -USR1 "$(rank_of_job 0)"
    sleep 2.5   # longer than what counts as one request
    if kill -0 $job 2>/dev/null; then break; fi
    ended   # the request came before the step
  done
  expect "twice: the step goes on" kill -0 $job
  kill -$second "$(rank_of_job 0)"
  ended
  expect "twice, then $second: code $code" [ $code -eq 86 ]
  expect "twice: says so once" [ "$(grep -cE "$line" twice.log)" -eq 1 ]
done
head -n 36 twice.txt >kept.txt && mv kept.txt twice.txt   # without the step of other settings that was left
expect "twice: the checkpoint before is the last" [ "$(newest twice)" -eq 36 ]
expect "twice: and valid" "$program" info twice
go_on 2 twice

# a file STOP
begin 3 file && until_true is_at 20 file && touch file/STOP
stopped file 'there is a file file/STOP'
expect "file: STOP is removed" [ ! -e file/STOP ]
touch file/STOP && sleep 0.1
go_on 1 file
expect "file: one from before the restart is removed, not followed" \
  grep -q '^removed a file file/STOP from before this run$' file.log
expect "file: and gone" [ ! -e file/STOP ]

# the clock
begin 3 wall --max-wall 4s
stopped wall '[0-9.e+-]* s of --max-wall are left, .*'
go_on 2 wall
begin 2 wall --restart --max-wall 0.001
stopped wall '0 s of --max-wall are left, .*'
expect "wall: a run makes one step at least" [ "$(newest wall)" -eq $((last_step[wall] + 1)) ]
go_on 1 wall
for word in 5x 0 -3 1:30 ''; do
  "$program" run pile.yaml -o none --max-wall "$word" >none.log 2>&1
  expect "--max-wall '$word' is refused" [ $? -eq 2 ]
  expect "and quoted" grep -qF -- "--max-wall: '$word' is no wall time" none.log
done

# checkpoints by wall time: what is killed goes on from the last one
begin 3 minutes --set output.checkpoint.minutes=0.005
has_checkpoint() { [ "$(newest minutes)" -gt 0 ]; }
until_true is_at 20 minutes && until_true has_checkpoint
kill -KILL "$(rank_of_job 1)"
ended
expect "minutes: code $code" [ $code -ne 0 ]
go_on 2 minutes

# a run that is at its end has nothing to stop
begin 2 end --steps 20
ended
begin 2 end --steps 20 --restart && until_true rank_is_there
until_true catches_signals "$(rank_of_job 1)" && kill -USR1 "$(rank_of_job 1)"
ended
expect "a run at its end: code $code" [ $code -eq 0 ]

# other commands leave signals alone, to their end: there TERM is raised
echo '#include <signal.h>
int PMPI_Finalize(void);
int MPI_Finalize(void) { return raise(SIGTERM) + PMPI_Finalize(); }' >finalize.c
if cc -shared -fPIC finalize.c -o finalize.so; then
  LD_PRELOAD=./finalize.so "$program" info one >info.log 2>&1
  expect "TERM ends the command info" [ $? -eq 143 ]
fi

compare one launcher both term terms int usr2 forwarded limit again killed before during twice file wall minutes
[ "$failures" -eq 0 ]
