#!/bin/bash
# tests/bench/checkpoint.sh PROGRAM [--side N] [--repeats N] [--wall STEPS]   what files cost
#
# Bandwidth of checkpoints of N^3 cubes (42: some 120 MB) on 1 and 2 ranks beside that of dd with conv=fsync, which
# writes the same number of bytes to the same disk before and after each run; medians. Holes of the files do not count.
# Where others use the cores the clock tells of them: `chrt -f 1` before the command, for those who may, gives figures
# of this program. Then the share of frames and checkpoints in STEPS steps (100) of a wall of 20,000 bricks with the
# intervals of jobs/wall, by its table of stages. Exit code 1: less than half of dd's bandwidth, or a share over 5 %.
# FOLDER is where it writes (a temporary one).
set -u
program=$(realpath "${1:?usage: checkpoint.sh PROGRAM [--side N] [--repeats N] [--wall STEPS]}") || exit 2
tests=$(cd "$(dirname "$0")/.." && pwd)
shift
side=42 repeats=3 wall_steps=100
while [ $# -gt 1 ]; do
  case $1 in
    --side) side=$2 ;;
    --repeats) repeats=$2 ;;
    --wall) wall_steps=$2 ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
folder=${FOLDER:-$(mktemp -d)} && mkdir -p "$folder" && cd "$folder" || exit 2
[ -n "${FOLDER-}" ] || trap 'rm -rf "$folder"' EXIT
source "$tests/faults/scenes.bash"
steps=3   # a checkpoint after each
write_blocks blocks.yaml "$side"
failures=0

# seconds a stage took in all, and its share, from the table at the end of a log
seconds_of() { awk -v stage="$2" '$1 == stage {print $3; found = 1} END {if (!found) print 0}' "$1"; }
share_of() { awk -v stage="$2" '$1 == stage {print $5 + 0; found = 1} END {if (!found) print 0}' "$1"; }
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# MB/s of dd for that many bytes
dd_bandwidth()
{
  local begin end
  begin=$(date +%s%N)
  dd if=/dev/zero of=dd.out bs=1M count=$((($1 + 1048575) / 1048576)) conv=fsync status=none || exit 2
  end=$(date +%s%N)
  rm -f dd.out
  awk "BEGIN {print $1 * 1e3 / ($end - $begin)}"
}

bytes=$((64 << 20))
for ranks in 1 2; do
  : >ours.txt; : >dd.txt
  for repeat in $(seq "$repeats"); do
    dd_bandwidth "$bytes" >>dd.txt
    rm -rf out
    "$tests/mpirun.sh" $ranks "$program" run blocks.yaml -o out --steps $steps --set output.ranks.every=0 \
      >run.log 2>&1 ||
      { tail -n 5 run.log; exit 2; }
    bytes=$(du -B1 out/checkpoint-*$steps.h5 | cut -f1)
    awk -v bytes="$bytes" -v seconds="$(seconds_of run.log checkpoint)" -v steps=$steps \
      'BEGIN {print bytes * steps / seconds / 1e6}' >>ours.txt
    dd_bandwidth "$bytes" >>dd.txt
  done
  ours=$(median <ours.txt) theirs=$(median <dd.txt)
  ratio=$(awk "BEGIN {print $ours / $theirs}")
  echo "$ranks ranks, $((bytes / 1000000)) MB: checkpoints $ours MB/s, dd $theirs MB/s, ratio $ratio"
  awk "BEGIN {exit !($ours < 0.5 * $theirs)}" && failures=$((failures + 1))
  rm -rf out
done

if [ "$wall_steps" -gt 0 ]; then
  wall=$tests/../jobs/wall/wall.yaml
  "$tests/mpirun.sh" 2 "$program" run "$wall" -o wall --overwrite --steps "$wall_steps" \
    --set bodies.1.wall.courses=100 --set bodies.1.wall.bricks=200 --set 'bodies.0.box=[200, 10, 1]' >wall.log 2>&1 ||
    { tail -n 5 wall.log; exit 2; }
  frames=$(share_of wall.log frames) checkpoints=$(share_of wall.log checkpoint)
  grep -E '^(stage|frames|checkpoint|total) ' wall.log
  echo "wall of 20,000 bricks, $wall_steps steps: frames $frames %, checkpoints $checkpoints %"
  awk "BEGIN {exit !($frames + $checkpoints > 5)}" && failures=$((failures + 1))
fi
[ $failures -eq 0 ]
