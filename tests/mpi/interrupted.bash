# Sourced by the tests that interrupt runs: scene, starting and finding processes, comparing with a run nobody touched.
# Sourced after runs.bash.
# test: needs python3 python3-h5py python3-numpy
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
interrupted=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
further=12   # steps that a restart adds

# pile_case: blocks that fall on a slope and on each other, so long that no run comes to its end by itself
pile_case()
{
  cat <<'END_OF_CASE'
title: blocks that fall on a slope and on each other
units: SI
gravity: {table: [[0, 0, 0, -9.81], [0.1, 2, 0, -9.81]]}
time: {step: 2e-3, end: 1000}
materials:
  stone: {density: 2400}
  ice: {density: 900}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.2}
  - {between: [stone, ice], friction: 0.05, restitution: 0}
  - {between: [ice, ice], friction: 0.02, restitution: 0}
solver: {tolerance: 1e-2, max_sweeps: 100}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.3, 0.3], count: [2, 2, 2], spacing: [0.4, 0.35, 0.31]}, at: [-0.5, 0, 0.16], material: stone,
     spin: [0.5, 0.3, 0.1], name: heap}
  - {wedge: [0.6, 0.4, 0.3], at: [1.2, 0, 0.01], material: ice, velocity: [-1, 0, 0], name: ice}
output:
  frames: {every: 0.02}
END_OF_CASE
}

# begin RANKS FOLDER OPTION...: starts a run; sets job, its launcher. Its log is FOLDER.log
begin()
{
  begun=$2
  "$mpirun" "$1" "$program" run pile.yaml -o "$2" --hash-log "$2.txt" "${@:3}" >"$2.log" 2>&1 &
  job=$!
}

# ended: waits for the run; sets code. mpirun may leave before the ranks that it killed: a
# restart would wait for them, but what is looked at before that is final only then
ended()
{
  wait "$job"
  code=$?
  if [ -e "$begun/lock" ] && ! timeout 10 flock "$begun/lock" true; then
    echo "FAILED  $begun: a rank stays for 10 s"
    failures=$((failures + 1))
  fi
}

# until_true COMMAND...: the command comes to succeed while the run goes on
until_true()
{
  until "$@" 2>/dev/null; do
    kill -0 "$job" 2>/dev/null || { echo "FAILED  the run ended before: $*"; failures=$((failures + 1)); return 1; }
    sleep 0.02
  done
}

# rank_of_job RANK: the process of a rank of the run
rank_of_job()
{
  local child
  for child in $(cat /proc/"$job"/task/*/children 2>/dev/null); do
    tr '\0' '\n' <"/proc/$child/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$child"
  done
}

# newest FOLDER: step of the last complete checkpoint, -1: none
newest()
{
  find "$1" -name '*.manifest' 2>/dev/null | sed -nE 's/.*checkpoint-0*([0-9]+)\.manifest$/\1/p' | sort -n | tail -n 1 |
    grep . || echo -1
}

# catches_signals PROCESS: it has its handler of USR1, so that the signal does not end it
catches_signals() { grep -qE '^SigCgt:\s+[0-9a-f]*[2367abef][0-9a-f]{2}$' "/proc/$1/status"; }

# go_on RANKS FOLDER: restarts a run and ends it some steps later, which are remembered for compare
declare -A last_step=()
go_on()
{
  local from
  from=$(newest "$2")
  last_step[$2]=$((from + further))
  cp "$2.log" "$2.first.log" 2>/dev/null
  piece "$program" "$1" pile.yaml "$2" --steps "${last_step[$2]}" --restart
  [ "$from" -lt 0 ] || expect "$2: goes on from step $from on $1 ranks" grep -q "^restart from step $from," "$2.log"
  expect "$2: nothing unfinished is left" [ -z "$(find "$2" -name '*.tmp')" ]
}

# compare FOLDER...: bits of all stages of all steps, history and frames are those of a run nobody touched
compare()
{
  local folder last most=0
  for folder in "$@"; do
    [ "${last_step[$folder]}" -le "$most" ] || most=${last_step[$folder]}
  done
  rm -rf untouched untouched.txt
  piece "$program" 1 pile.yaml untouched --steps "$most"
  for folder in "$@"; do
    last=${last_step[$folder]}
    # a run that ended at once has made steps that the restart makes again
    expect "$folder: $last steps, bits of every stage" \
      cmp <(sort -nu "$folder.txt") <(head -n "$last" untouched.txt)
    expect "$folder: history" cmp <(physics "$folder") <(physics untouched | head -n $((last + 1)))
    expect "$folder: frames" "$python" "$interrupted/same_frames.py" untouched "$folder" "$last"
  done
}
