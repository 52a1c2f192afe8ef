# Sourced by the tests of this folder. Sets program, mpirun, preload, faults (this folder), failures.
program=$(realpath "$1")
faults=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mpirun=$faults/../mpirun.sh
preload=failing_io.so   # found by its bare name, for LD_PRELOAD takes no path with a space
export LD_LIBRARY_PATH=$(dirname "$program")/tests${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
failures=0
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$PWD/cache}   # of fillings, and not the user's
source "$faults/../fine.bash"

# fail TEXT...: counts a failure
fail()
{
  echo "FAILED  $*"
  failures=$((failures + 1))
}

# expect TEXT COMMAND...: the command succeeds
expect()
{
  local text=$1
  shift
  if "$@"; then fine "$text"; else fail "$text"; fi
}

# A few blocks that fall, slide and touch; one leaves the domain. Everything a run can write is written every few
# steps: frames, checkpoints, two tables, records of ranks.
# small_case CHECKPOINT_STEPS FRAME_STEPS END_STEP; few sweeps do, for bits are compared and no physics
small_case()
{
  cat <<END_OF_CASE
title: blocks that fall, one of which leaves
units: SI
gravity: [0, 0, -9.81]
time: {step: 0.0078125, end: $(awk "BEGIN {print $3 * 0.0078125}")}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.2}
solver: {tolerance: 1e-2, max_sweeps: 100}
domain: {low: [-1, -1, -1], high: [1, 1, 1]}
bodies:
  - {box: [1.6, 1, 0.2], at: [0, 0, -0.1], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.2, 0.2, 0.2], count: [2, 1, 2], spacing: [0.3, 1, 0.21]}, at: [0, 0, 0.1], velocity: [0.5, 0, 0],
     spin: [0.3, 0.2, 0], material: stone, name: blocks}
  - {box: [0.1, 0.1, 0.1], at: [0.99, 0, 0.5], velocity: [3, 0, 0], material: stone, name: leaves}
output:
  frames: {every: $(awk "BEGIN {print $2 * 0.0078125}")}
  checkpoint: {steps: $1}
  ranks: {every: 1}
END_OF_CASE
}

# with_fault FOLDER RANK KIND K MANY LOG COMMAND...: the command, whose calls on files in the folder meet a fault; for
# ranks that mpirun.sh starts
with_fault()
{
  local log
  log=$(realpath "$6")
  FAULT_FOLDER=$(realpath -m "$1") FAULT_RANK=$2 FAULT_KIND=$3 FAULT_AT=$4 FAULT_MANY=$5 FAULT_LOG=$log \
    ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS-} "${@:7}"
}

# newest_checkpoint FOLDER: its step, 0 before the first
newest_checkpoint()
{
  local last
  last=$(cd "$1" 2>/dev/null && printf '%s\n' checkpoint-*.manifest | tail -n 1)
  last=${last#checkpoint-} last=${last%.manifest}
  case $last in *[!0-9]* | "") echo 0 ;; *) echo $((10#$last)) ;; esac
}
