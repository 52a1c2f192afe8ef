#!/bin/bash
# tests/fuzz/run.sh TARGET [SECONDS [FOLDER]]   fuzzes a reader for so many seconds of processor time (600)
#
# Targets: case, mesh, manifest, fclib, tetra, history, record. Builds build-fuzz/ (clang, libFuzzer; FUZZ_BUILD=no
# takes what is there) and keeps in FOLDER (build-fuzz/runs/TARGET): corpus/ grows from run to run, finds/ holds inputs
# that broke a promise, new/ the inputs of this run that reach what the committed ones do not, reduced in number,
# which may go to tests/fuzz/found/TARGET. The last line says executions, processor time, coverage and finds; exit
# code 1 with finds. MINIMISE=no leaves new/ out. An input's processor time is limited by the target itself, since
# the clock on the wall says little on a busy machine.
# test: needs clang
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${1:?a target: case, mesh, manifest, fclib, tetra, history or record}
seconds=${2:-600}
tree=$root/build-fuzz
folder=${3:-$tree/runs/$target}
slice=300   # seconds on the wall of one process: a crash ends one, and memory starts afresh

[ -f "$here/fuzz_$target.c" ] || { echo "no target $target"; exit 2; }
source "$root/tests/setup.sh"
if [ "${FUZZ_BUILD-}" != no ]; then
  setup_packages clang libclang-rt-dev || exit 2
  mkdir -p "$tree"
  cmake -S "$root" -B "$tree" -DCMAKE_BUILD_TYPE=Fuzz -DCMAKE_C_COMPILER=clang -DDRYSTONE_TESTS=ON \
    >"$tree/build.log" 2>&1 &&
    cmake --build "$tree" -j "$(setup_jobs)" --target "fuzz_$target" "replay_$target" >>"$tree/build.log" 2>&1 ||
    { tail -n 20 "$tree/build.log"; exit 2; }
fi
# the programs of this run, whatever is built meanwhile
mkdir -p "$folder/seeds" "$folder/corpus" "$folder/finds" "$folder/bin" || exit 2
cp "$tree/tests/fuzz_$target" "$tree/tests/replay_$target" "$folder/bin/" || exit 2
cd "$folder" || exit 2

corpora=()
for corpus in "$here/$target" "$here/found/$target"; do
  [ -d "$corpus" ] && corpora+=("$corpus")
done
bin/"replay_$target" --seeds seeds "${corpora[@]}" >/dev/null || exit 2

# words of the readers
case $target in
case)
  sources=("$root"/io/case/{,tree/,members/,time/}*.c "$root/src/solver/cone/convergence.c" "$root/src/contact/model.c")
  ;;
mesh) sources=("$root"/io/mesh/formats/*.c) ;;
record) sources=("$root"/io/records/*.c) ;;
*) sources=("$root/io/checkpoint/manifest.c") ;;
esac
grep -ohE '"[A-Za-z0-9$_][A-Za-z0-9$_ -]{0,28}"' "${sources[@]}" | sort -u >words
options=(-max_len=8192 -timeout=120 -rss_limit_mb=2048 -malloc_limit_mb=2048 -detect_leaks=1 -close_fd_mask=1
  -print_final_stats=1 -artifact_prefix=finds/ -dict=words)

# where the inputs become files: in memory if there is such a place; a crash leaves some
FUZZ_FOLDER=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)/drystone-fuzz-XXXXXX") || exit 2
export FUZZ_FOLDER
trap 'rm -rf "$FUZZ_FOLDER"' EXIT

count_finds() { find finds -type f ! -name 'slow-unit-*' | wc -l; }

executions=0
spent=0
TIMEFORMAT='%U %S'
while [ "$spent" -lt "$seconds" ]; do
  { time bin/"fuzz_$target" corpus seeds "${options[@]}" -max_total_time=$slice >log 2>&1; } 2>took
  tail -n 40 log >log.last
  new=$(sed -n 's/^stat::number_of_executed_units: *//p' log)
  executions=$((executions + ${new:-0}))
  # a process that did nothing counts as a second, so that this comes to an end
  spent=$(awk -v spent="$spent" '{ used = $1 + $2 } END { printf "%d", spent + (used < 1 ? 1 : used) }' took)
  coverage=$(grep -oE 'cov: [0-9]+' log | tail -n 1)
  echo "$spent s of processor time, $executions executions, $coverage," \
    "$(ls corpus | wc -l) inputs, $(count_finds) finds" >>progress
done

if [ "${MINIMISE-}" != no ]; then
  # what the committed inputs reach is in them already: first those, then what adds to them
  rm -rf new merged && mkdir new merged
  cp seeds/* merged/ 2>/dev/null
  before=$(ls merged | wc -l)
  bin/"fuzz_$target" -merge=1 -use_counters=0 "${options[@]}" -max_len=2048 merged corpus >merge.log 2>&1
  for input in merged/*; do
    [ -e "seeds/${input##*/}" ] || cp "$input" new/
  done
  echo "$before committed inputs, $(ls new | wc -l) new ones in $folder/new"
fi
for find in finds/*; do
  [ -f "$find" ] && [[ $find != */slow-unit-* ]] && echo "find: $folder/$find"
done
finds=$(count_finds)
echo "$target: $executions executions in $spent s of processor time, ${coverage:-no coverage}, $finds finds"
[ "$finds" -eq 0 ]
