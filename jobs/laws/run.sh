#!/bin/bash
# jobs/laws/run.sh [RANKS]   an arch, a tower and a wall by both schemes on RANKS ranks (1): limits and cost
# test: needs python3
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$folder/../job.sh" || exit 1
[ -n "${DRYSTONE-}" ] || job_set_up || exit
results=${RESULTS:-$setup_root/results/laws}
program=${DRYSTONE:-$setup_root/build/drystone}
mkdir -p "$results" || exit 4

ranks=${1:-1}

# started LOG WORD...: drystone with these words; what it says is shown where it fails
started()
{
  launcher_run "$folder/../../tests/mpirun.sh" "$ranks" "$program" "${@:2}" --overwrite >"$1" 2>&1 && return
  cat "$1"
  exit 1
}

# search SCENE SCHEME KEY HOLDS,FAILS TOLERANCE: by runs; then one run that stands, for half a second
search()
{
  local name=$1-$2
  started "$results/$name-limit.txt" limit "$folder/$1.yaml" --vary "$3" --between "$4" --tolerance "$5" \
    --set "scheme=$2" -o "$results/$name-limit"
  started "$results/$name.txt" run "$folder/$1.yaml" --set "scheme=$2" --set time.end=0.5 -o "$results/$name"
  "$program" info --json "$results/$name" >"$results/$name-info.json" || exit
}

for scheme in non-smooth barrier; do
  search arch $scheme bodies.0.arch.thickness 0.11,0.08 2e-4
  search tower $scheme gravity.0 1,2 5e-3
  search wall $scheme gravity.0 4,7 0.02
done
for scene in tower wall; do
  "$program" statics "$folder/$scene.yaml" --weight 1,0,0 --json >"$results/$scene-statics.json" || exit
done
python3 "$folder/table.py" "$results"
