# Sourced by the physics tests: runs cases and compares numbers. Sets program, mpirun, failures.
program=$1
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/mpirun.sh
checks=0
failures=0
source "$(dirname "$mpirun")/fine.bash"

# run RANKS CASE FOLDER [OPTION]...: a fresh run; its log goes to FOLDER.log
run()
{
  local ranks=$1 case=$2 folder=$3
  shift 3
  [ "$ranks" != 1 ] || ranks=alone
  "$mpirun" "$ranks" "$program" run "$case" -o "$folder" --overwrite "$@" >"$folder.log" 2>&1 || {
    echo "run of $case on $ranks ranks failed with code $?:"
    tail -n 20 "$folder.log"
    failures=$((failures + 1))
    return 1
  }
}

# info FOLDER NAME: prints a number that drystone info knows
info() { "$program" info --json "$1" | sed -nE "s/.*\"$2\": *\"?([-+0-9.a-zA-Z]+).*/\1/p"; }

# history FOLDER EXPRESSION: evaluates an awk expression of column names, c["name"], at the last line of the history
history()
{
  awk -F, "NR == 1 {for (i = 1; i <= NF; i++) n[i] = \$i} {for (i = 1; i <= NF; i++) c[n[i]] = \$i}
    function hypot(x, y, z) {return sqrt(x * x + y * y + z * z)}
    END {printf \"%.17g\\n\", $2}" "$1/history.csv"
}

# largest FOLDER EXPRESSION: the largest value of an awk expression over all steps, p["name"] being the step before
largest()
{
  awk -F, "function abs(x) {return x < 0 ? -x : x}
    NR == 1 {for (i = 1; i <= NF; i++) n[i] = \$i; next}
    {for (i = 1; i <= NF; i++) c[n[i]] = \$i}
    NR > 2 {v = $2; if (NR == 3 || v > m) m = v}
    {for (i = 1; i <= NF; i++) p[n[i]] = \$i}
    END {if (NR > 2) printf \"%.17g\\n\", m}" "$1/history.csv"
}

# column FOLDER NAME: the largest value of a column of the history, first step included
column()
{
  awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) k = i; next}
    NR == 2 || $k > m {m = $k} END {printf "%.17g\n", m}' "$1/history.csv"
}

# check TEXT VALUE RELATION LIMIT
check()
{
  checks=$((checks + 1))
  if [ -n "$2" ] && awk -v a="$2" -v b="$4" "BEGIN {exit !(a + 0 $3 b + 0 && a == a + 0)}" </dev/null; then
    fine "$1: $2 $3 $4"
  else
    echo "FAILED  $1: '$2' $3 $4"
    failures=$((failures + 1))
  fi
}

# check_near TEXT VALUE EXPECTED TOLERANCE (absolute)
check_near()
{
  check "$1 ($2 for $3)" "$(awk -v a="$2" -v b="$3" 'BEGIN {d = a - b; printf "%.6g", d < 0 ? -d : d}' </dev/null)" \
    '<=' "$4"
}

check_same()
{
  checks=$((checks + 1))
  if [ -n "$2" ] && [ "$2" = "$3" ]; then
    fine "$1: $2"
  else
    echo "FAILED  $1: '$2' and '$3' differ"
    failures=$((failures + 1))
  fi
}

# the last command of a test
finish()
{
  echo "$checks checks, $failures failed"
  [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
}
