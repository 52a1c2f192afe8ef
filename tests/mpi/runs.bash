# Sourced by the tests that compare runs bit by bit. Sets program, release (the second program, else the first), mpirun,
# failures.
program=$(realpath "$1")
release=${2:-$program}
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/mpirun.sh
two_programs=${2:+yes}
failures=0
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$PWD/cache}   # of fillings, and not the user's
source "$(dirname "$mpirun")/fine.bash"

# counts ONE TWO: numbers of ranks for a test of one program, or of two, of which the first is slow and proves once
# that it has the bits of the second; what other numbers of ranks do is shown by the second one's own test
counts() { if [ -n "$two_programs" ]; then echo "$2"; else echo "$1"; fi; }

# piece PROGRAM RANKS CASE FOLDER OPTION...: a run or a part of one; its hashes go to FOLDER.txt, its log to FOLDER.log
piece()
{
  local ranks=$2
  [ "$ranks" != 1 ] || ranks=alone
  "$mpirun" "$ranks" "$1" run "$3" -o "$4" --hash-log "$4.txt" "${@:5}" >"$4.log" 2>&1 ||
    { echo "FAILED  run in $4: code $?"; tail -n 5 "$4.log"; failures=$((failures + 1)); }
}

# expect TEXT COMMAND...: the command succeeds
expect()
{
  local text=$1
  shift
  if "$@" >difference.txt 2>&1; then
    fine "$text"
  else
    echo "FAILED  $text"
    head -n 5 difference.txt
    failures=$((failures + 1))
  fi
}

hash_of() { "$program" info --hash "$1" | tail -n 1; }

# same_hash TEXT FOLDER REFERENCE: the states at the end of two runs
same_hash()
{
  local hash
  hash=$(hash_of "$2")
  expect "$1: hash $hash" [ ${#hash} -eq 32 -a "$hash" = "$(hash_of "$3")" ]
}

# same_bits TEXT FOLDER REFERENCE: also after each stage of each step
same_bits()
{
  same_hash "$@"
  expect "$1: hash per stage" cmp "$2.txt" "$3.txt"
}

# Numbers of ranks on which runs go from their beginning to their end. Ranks cost time, and 3 and 4 of them are those of
# runs in pieces; mpi.wall_hash, mpi.solvers_hash and mpi.distribution_hash take all numbers for whole runs.
whole_ranks="2 7"

# bits_on_ranks CASE PREFIX STEPS: CASE.yaml has the bits of the run on one rank, PREFIXone, on any number of ranks with a
# new partition every three steps, and in PREFIXagain, written on 3 ranks after some steps and continued on 4; a slow
# program makes the last of these runs alone, continued on 1
bits_on_ranks()
{
  local ranks next
  next=$(counts 4 1)
  piece "$release" 1 "$1.yaml" "$2one"
  for ranks in $(counts "$whole_ranks" ""); do
    piece "$program" "$ranks" "$1.yaml" "$2ranks$ranks" --set partition.every=3
    same_bits "$1, $ranks ranks" "$2ranks$ranks" "$2one"
  done
  piece "$program" 3 "$1.yaml" "$2again" --steps "$3" $(counts "" "--set partition.every=3")
  piece "$program" "$next" "$1.yaml" "$2again" --restart $(counts "--set partition.every=3" "")
  same_bits "$1, 3 ranks, then $next" "$2again" "$2one"
}

# columns of the history that belong to the state; how it was distributed differs with the ranks
physics() { cut -d, -f1-40 "$1/history.csv"; }
