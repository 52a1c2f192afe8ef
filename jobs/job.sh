#!/bin/bash
# Sourced by the scripts of the jobs: job_run CASE [RANKS] sets up, builds, runs a case, judges it.
#
# A case says what shall come out in comments of its own,
#   # expect: largest_displacement < 1e-3
# where the name is one that `drystone info --json` prints, or a column of history.csv, whose last
# line counts. Results go to results/NAME of the checkout, NAME being that of the case file.
# DRYSTONE names a program to use instead of building one, RESULTS another folder. Debian packages that
# a job needs besides those of the build stand in a line "test: needs" of its script.

job_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$job_folder/../tests/setup.sh" || exit 1
source "$job_folder/launcher.bash" || exit 1
job_home=$setup_root
if [ ! -e "$setup_root/CMakeLists.txt" ]; then   # installed, with the program
  DRYSTONE=${DRYSTONE:-$(cd "$setup_root/../../bin" && pwd)/drystone}
  job_home=$PWD
fi

# job_number NAME: prints a number of the JSON text on standard input
job_number() { sed -nE "s/.*\"$1\": *([-+0-9.eE]+).*/\1/p" | head -n 1; }

# job_history NAME FOLDER: prints that column of the last line of the history
job_history()
{
  awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) at = i}
    END {if (at) print $at}' "$2/history.csv"
}

# job_holds VALUE RELATION LIMIT
job_holds() { awk -v a="$1" -v b="$3" "BEGIN {exit !(a + 0 $2 b + 0)}" </dev/null; }

# job_relative PATH: prints it relative to the current folder where it lies below
job_relative() { echo "${1#"$PWD"/}"; }

# job_judge CASE RESULTS PROGRAM: compares what happened with what the case expects
job_judge()
{
  local name relation limit json value verdict judged=0 status=0
  json=$("$job_folder/../tests/mpirun.sh" 1 "$3" info --json "$2") || return 1
  while read -r name relation limit; do
    value=$(job_number "$name" <<<"$json")
    [ -n "$value" ] || value=$(job_history "$name" "$2")
    if [ -z "$value" ]; then
      echo "job: neither $3 info --json $2 nor its history names $name" >&2
      return 1
    fi

    verdict="as expected"
    job_holds "$value" "$relation" "$limit" || { verdict="NOT as expected"; status=1; }
    echo "expected  $name $relation $limit"
    echo "happened  $name = $value at step $(job_number step <<<"$json")," \
      "t = $(job_number time <<<"$json") s: $verdict"
    judged=$((judged + 1))
  done < <(sed -n 's/^# expect: *//p' "$1")
  [ $judged -gt 0 ] || { echo "job: $1 says nothing of what to expect" >&2; return 1; }
  return $status
}

# job_set_up: installs what the script that runs needs, and builds
job_set_up()
{
  local packages
  mapfile -t packages < <(suite_needs "$0")
  setup_packages "${packages[@]}" || return
  setup_build --target drystone || return 1
}

# job_run CASE [RANKS]
job_run()
{
  local case=$1 ranks=${2:-1} name results program status=0
  [[ $ranks =~ ^[1-9][0-9]*$ ]] || { echo "job: the number of ranks is '$ranks'" >&2; return 2; }
  name=$(basename "$case" .yaml)
  results=${RESULTS:-$job_home/results/$name}
  program=${DRYSTONE:-$setup_root/build/drystone}

  [ -n "${DRYSTONE-}" ] || job_set_up || return

  mkdir -p "$(dirname "$results")" || return 4
  launcher_run "$job_folder/../tests/mpirun.sh" "$ranks" "$program" run "$case" -o "$results" \
    --overwrite || return
  echo
  echo "case      $(job_relative "$case") on $ranks rank$([ "$ranks" -eq 1 ] || echo s)"
  job_judge "$case" "$results" "$program" || status=1
  echo "results   $(job_relative "$results")"
  echo "ParaView  paraview '$(job_relative "$results")/bodies.xmf'" \
    "'$(job_relative "$results")/contacts.xmf'   (choose the reader Xdmf3 Reader S)"
  echo "Python    PYTHONPATH='$(job_relative "$setup_root/io/python")' and import drystone read the same folder"
  echo "report    '$(job_relative "$program")' report '$(job_relative "$results")'"
  return $status
}
