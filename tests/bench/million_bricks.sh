#!/bin/bash
# tests/bench/million_bricks.sh PROGRAM [BRICKS [RANKS [STEPS [running|crossed [METHOD]]]]]   a wall of a million bricks
# on two ranks: seconds until its first solution begins and of its steps, memory of the processes and what is left of it
# for a point, the hash; against what they may be, the memory in proportion to the bricks. Code 1 where one is more.
# Running bond (leaves side by side) has 8 points a brick, crossed bond (bricks overlap both ways) 15; METHOD is the
# solver.method of the case (automatic), whose first step has a linear system; the others go on from a checkpoint. For
# an idle machine.
# test: needs python3
program=$(realpath "$1") && tests=$(realpath "$(dirname "$0")/..") || exit 2
bricks=${2:-1000000} ranks=${3:-2} steps=${4:-3} bond=${5:-running} method=${6:-automatic}
python=/usr/bin/python3
[ -x $python ] || python=python3
folder=$(mktemp -d) && cd "$folder" || exit 2
trap 'rm -rf "$folder"' EXIT
case $bond in running | crossed) ;; *) echo "$0: bond $bond is neither running nor crossed" >&2 && exit 2 ;; esac

# twice as long as high and four times as long as thick, all in bricks: n, n/2, n/4 with as many as asked for
"$python" - "$bricks" "$bond" "$method" >wall.yaml <<'END_OF_PYTHON'
import sys
bricks, crossed, method = int(sys.argv[1]), sys.argv[2] == "crossed", sys.argv[3]
long = max(4, round((8 * bricks) ** (1 / 3)))
thick = max(2, long // 4)
high = max(2, round(bricks / (long * thick)))
print(f"""units: SI
gravity: [0, 0, -9.81]
materials: {{stone: {{density: 2400}}}}
contacts: [{{between: [stone, stone], friction: 0.6}}]
solver: {{method: {method}, tolerance: 1e-6, max_sweeps: 200}}
time: {{step: 1e-3, end: 1}}
output: {{frames: {{every: 0}}, checkpoint: {{steps: 1000000}}}}
bodies:
  - {{box: [4000, 4000, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}}""")

def grid(size, count, at):
    if min(count) < 1:
        return
    print(f"  - {{grid: {{box: [{size[0] - 0.002:.6g}, {size[1] - 0.002:.6g}, 0.2], count: {list(count)}, "
          f"spacing: [0.4, 0.2, 0.4]}}, at: [{at[0]:.6g}, {at[1]:.6g}, {at[2]}], material: stone}}")

grid((0.4, 0.2), (long, thick, (high + 1) // 2), (0.2, 0.1, 0.1))
leaves = [(0.2, 0.1, thick)]
if crossed:   # every second course lies half a leaf aside, with half bricks at both faces
    leaves = [(0.2, 0.2, thick - 1), (0.1, 0.05, 1), (0.1, 0.2 * thick - 0.05, 1)]
for width, y, count in leaves:
    for length, x, number in ((0.4, 0.4, long - 1), (0.2, 0.1, 1), (0.2, 0.4 * long - 0.1, 1)):
        grid((length, width), (number, count, high // 2), (x, y, 0.3))
END_OF_PYTHON

# each rank says at its end what it had of the machine's memory at most
cat >rank.py <<'END_OF_PYTHON'
import resource
import subprocess
import sys
code = subprocess.call(sys.argv[1:])
print("resident kB", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, flush=True)
sys.exit(code)
END_OF_PYTHON

# run LOG OPTION...
run()
{
  "$tests/mpirun.sh" "$ranks" "$python" rank.py "$program" run wall.yaml -o results "${@:2}" >"$1" 2>&1 ||
    { tail -n 20 "$1" && exit 2; }
}

# stage LOG NAME: its seconds, of the slowest rank
stage() { awk -v name="$2" '$1 == name && $5 ~ /%/ {print $4} $1 == "total" && name == $1 {print $2}' "$1"; }

code=0
# say WHAT UNIT TAKEN ALLOWED; allowed "": nothing to hold it against
say()
{
  awk -v what="$1" -v unit="$2" -v taken="$3" -v allowed="$4" 'BEGIN {
    good = taken != "" && taken + 0 > 0 && (allowed == "" || taken + 0 <= allowed)
    limit = allowed == "" ? "" : sprintf("of %6.4g  %s", allowed, good ? "fine" : "MISSED")
    printf "%-58s %10.4g %-5s %s\n", what, taken, unit, limit
    exit !good }' </dev/null || code=1
}

run first.log --steps 1
run later.log --restart --steps "$steps"
sed -n 's/^wall.yaml: //p; s/^step 1: //p' first.log
say "until the first solution begins" s \
  "$(awk -v t="$(stage first.log total)" -v s="$(stage first.log solver)" -v c="$(stage first.log checkpoint)" \
    'BEGIN {print t - s - c}' </dev/null)" 120
say "solution of the first step" s "$(stage first.log solver)" ""
say "a checkpoint" s "$(stage first.log checkpoint)" ""
for name in contacts set-up solver; do
  say "steps 2 to $steps together: $name" s "$(stage later.log $name)" ""
done
for log in first.log later.log; do
  what=$([ $log = first.log ] && echo "first step" || echo "later steps")
  say "memory of all processes, $what" GiB \
    "$(awk '/resident kB/ {n += $NF} END {print n / 1048576}' $log)" \
    "$(awk -v n="$bricks" 'BEGIN {print n < 1e5 ? "" : 24 * n / 1e6}' </dev/null)"
  say "own memory of a point beside 1500 bytes a body, $what" bytes \
    "$(sed -n 's/.* \([0-9]*\) bytes a point beside 1500 a body$/\1/p' $log)" 600
done
sed -n 's/.*own memory at most on a rank, which knew \(.*\): .*/a rank knew at most \1/p' first.log
tail -n 20 later.log | sed -n '/^step .* hash/p'
exit $code
