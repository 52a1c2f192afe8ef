#!/bin/bash
# Runs that end before their end: not converged where demanded, motions too large, a folder in use. The exit code says
# which, a checkpoint is left, and the run goes on from it when asked differently.
# test: ranks 3
# test: timeout 300
# test: waits
program=$(realpath "$1")
mpirun=$(cd "$(dirname "$0")/.." && pwd)/mpirun.sh
wall=$(cd "$(dirname "$0")/../.." && pwd)/jobs/wall/wall.yaml
failures=0
source "$(dirname "$mpirun")/fine.bash"
rm -rf demand? large? shared ./*.log   # of an earlier run

# expect TEXT COMMAND...
expect()
{
  local text=$1
  shift
  if "$@"; then fine "$text"; else echo "FAILED  $text"; failures=$((failures + 1)); fi
}

# run RANKS FOLDER OPTION...: sets code; the log is FOLDER.log
run()
{
  timeout 120 "$mpirun" "$1" "$program" run "$wall" -o "$2" --set output.frames.every=0 "${@:3}" >"$2.log" 2>&1
  code=$?
}

for ranks in 1 3; do
  run $ranks demand$ranks --steps 5 --set solver.max_sweeps=7 --set solver.demand_convergence=true
  expect "exit code 3 where convergence is demanded, $ranks ranks" [ $code -eq 3 ]
  expect "said once" [ "$(grep -c 'did not converge' demand$ranks.log)" -eq 1 ]
  expect "the step is in the checkpoint" [ "$("$program" info --json demand$ranks | grep -c '"step": 1,')" -eq 1 ]
  run $ranks demand$ranks --steps 3 --restart --set solver.max_sweeps=7 --set solver.unsolved=end
  expect "a restart may not ask for it by the other word unasked" [ $code -eq 2 ]
  run $ranks demand$ranks --steps 3 --restart --set solver.max_sweeps=7 --set solver.unsolved=end \
    --allow solver.unsolved
  expect "on request it may, with the same end" [ $code -eq 3 ]
  run $ranks demand$ranks --steps 4 --restart --set solver.max_sweeps=7 --set solver.unsolved=halve \
    --allow solver.unsolved
  expect "steps are halved from there on" [ $code -eq 0 ]
  expect "and counted" grep -q "^2 steps did not reach the residual as a whole" demand$ranks.log
  rm demand$ranks/checkpoint-000000004.*
  run $ranks demand$ranks --steps 4 --restart --set solver.max_sweeps=7 --allow solver.unsolved
  expect "goes on where it is not demanded" [ $code -eq 0 ]
  expect "warnings are shown" grep -q "warning: step 3, t .* s: residual" demand$ranks.log

  # a block that leaves at 300 m/s
  run $ranks large$ranks --steps 5 --set 'bodies.1.velocity=[0, 300, 0]' --set contact.stop_on_large_steps=true
  expect "exit code 2 where large motions stop the run, $ranks ranks" [ $code -eq 2 ]
  expect "named" grep -q "step 1: 210 bodies move more than half .* body 1 (wall)" large$ranks.log
  run $ranks large$ranks --steps 3 --restart --set 'bodies.1.velocity=[0, 300, 0]'
  expect "counted where they do not" [ $code -eq 0 ]
  expect "last line of the history counts them" [ "$(tail -n 1 large$ranks/history.csv | cut -d, -f25)" -eq 210 ]
done

# two runs in one folder: the second is refused, the first, which is held meanwhile, ends as if nothing were
"$program" run "$wall" -o shared --steps 100 --set output.frames.every=0 >shared.log 2>&1 </dev/null &
first=$!
until [ -e shared/history.csv ] || ! kill -0 $first; do sleep 0.02; done
kill -STOP $first
"$mpirun" 2 "$program" run "$wall" -o shared --restart >third.log 2>&1 &
third=$!
timeout 60 "$mpirun" 2 "$program" run "$wall" -o shared --overwrite >second.log 2>&1
code=$?
kill -0 $third
waits=$?
wait $third
late=$?
kill -CONT $first
expect "a second run in a folder is refused with code 2" [ $code -eq 2 ]
expect "and says why" [ "$(grep -c '^drystone: .*shared' second.log)" -eq 1 ]
expect "at once" [ $waits -eq 0 ]
expect "a restart is refused after it has waited" [ $late -eq 2 ]
expect "and says that it waits" grep -q '^waiting up to 10 s for another run to leave shared$' third.log
expect "and why it ends" grep -q '^drystone: another run writes to shared ' third.log
wait $first
expect "the first ends well" [ $? -eq 0 ]
expect "with all its steps" [ "$("$program" info --json shared | grep -c '"step": 100,')" -eq 1 ]

# a run that is killed while its restart waits
rm -r shared
"$program" run "$wall" -o shared --overwrite --steps 1000 --set output.frames.every=0 >shared.log 2>&1 </dev/null &
first=$!
until [ -e shared/history.csv ] || ! kill -0 $first; do sleep 0.02; done
kill -STOP $first
"$program" run "$wall" -o shared --restart --steps 3 --set output.frames.every=0 >fourth.log 2>&1 </dev/null &
fourth=$!
until grep -q '^waiting' fourth.log || ! kill -0 $fourth 2>/dev/null; do sleep 0.02; done
kill -KILL $first
wait $fourth
expect "a restart waits for a run that ends in time" [ $? -eq 0 ]
expect "and said so" grep -q '^waiting up to 10 s for another run to leave shared$' fourth.log
[ "$failures" -eq 0 ]
