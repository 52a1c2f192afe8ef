# Sourced by the tests that compare runs bit by bit. Sets program, release (the second program, else the first), mpirun,
# failures.
program=$(realpath "$1")
release=${2:-$program}
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/mpirun.sh
two_programs=${2:+yes}
failures=0
source "$(dirname "$mpirun")/fine.bash"

# counts ONE TWO: numbers of ranks for a test of one program, or of two, of which one may be slow
counts() { if [ -n "$two_programs" ]; then echo "$2"; else echo "$1"; fi; }

# piece PROGRAM RANKS CASE FOLDER OPTION...: a run or a part of one; its hashes go to FOLDER.txt, its log to FOLDER.log
piece()
{
  "$mpirun" "$2" "$1" run "$3" -o "$4" --hash-log "$4.txt" "${@:5}" >"$4.log" 2>&1 ||
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

# columns of the history that belong to the state; how it was distributed differs with the ranks
physics() { cut -d, -f1-40 "$1/history.csv"; }
