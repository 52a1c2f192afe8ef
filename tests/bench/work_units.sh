#!/bin/bash
# tests/bench/work_units.sh PROGRAM   instructions of a step per unit of counted work, by valgrind's callgrind, for
# cases whose cost lies in different places. The rates in src/work.h are right when the figures are alike.
# test: needs valgrind
program=$(realpath "${1:?usage: work_units.sh PROGRAM}") || exit 2
wall=$(cd "$(dirname "$0")/../../jobs/wall" && pwd)/wall.yaml
command -v callgrind_annotate >/dev/null || { echo "install valgrind"; exit 77; }
folder=$(mktemp -d) && cd "$folder" || exit 2
trap 'rm -rf "$folder"' EXIT

begin_case()
{
  cat <<'END_OF_CASE'
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0}
bodies:
  - {box: [20, 20, 1], at: [0, 0, -0.5], material: stone, fixed: true}
END_OF_CASE
}

# bodies of 32 cubes
begin_case >parts.yaml
awk 'BEGIN {
  for (i = 0; i < 32; i++)
    parts = parts sprintf("%s{box: [0.1, 0.1, 0.1], at: [%g, %g, %g]}", i ? ", " : "",
                          i % 4 / 10, int(i / 4) % 4 / 10, int(i / 16) / 10)
  printf "  - {grid: {parts: [%s], count: [3, 3, 3], spacing: [0.4, 0.4, 0.2]}, at: [0, 0, 0.05], ", parts
  print "material: stone}"
}' >>parts.yaml

# ball-like polyhedra of 40 corners: pressed together, and near without contact
for gap in 0.19 0.198; do
  begin_case >balls-$gap.yaml
  awk -v gap=$gap 'BEGIN {
    for (i = 0; i < 40; i++) {
      z = 1 - 2 * (i + 0.5) / 40; r = sqrt(1 - z * z); a = i * 2.399963
      points = points sprintf("%s[%.4f, %.4f, %.4f]", i ? ", " : "", 0.1 * r * cos(a), 0.1 * r * sin(a), 0.1 * z)
    }
    printf "  - {grid: {hull: [%s], count: [5, 5, 5], spacing: [%g, %g, %g]}, at: [0, 0, 0.0985], material: stone}\n",
      points, gap, gap, gap
  }' >>balls-$gap.yaml
done

# cubes in a tilted grid with gaps
begin_case >loose.yaml
echo "  - {grid: {box: [0.2, 0.2, 0.2], count: [6, 6, 6], spacing: [0.21, 0.21, 0.21]}, at: [0, 0, 0.3],
     turn: {axis: [1, 1, 0.3], angle: 30}, material: stone}" >>loose.yaml

# measure NAME CASE STEPS
measure()
{
  valgrind --tool=callgrind --callgrind-out-file="$1.out" "$program" run "$2" --steps "$3" -o "$1" \
    --set output.frames.every=0 --set solver.max_sweeps=100 >"$1.log" 2>&1 || { tail -n 5 "$1.log"; exit 1; }
  local instructions units
  instructions=$(callgrind_annotate --inclusive=yes "$1.out" | awk '/world_step/ {gsub(",", "", $1); print $1; exit}')
  units=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "work") c = i; next}
    {sum += $c} END {print sum}' "$1/history.csv")
  awk -v name="$1" -v i="$instructions" -v u="$units" \
    'BEGIN {printf "%-24s %12.4g instructions %10.4g units %6.0f per unit\n", name, i, u, i / u}'
}

measure wall "$wall" 8
measure many-parts parts.yaml 6
measure balls-pressed balls-0.19.yaml 6
measure balls-near balls-0.198.yaml 12
measure loose-cubes loose.yaml 6
