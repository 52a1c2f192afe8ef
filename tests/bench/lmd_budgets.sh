#!/bin/bash
# tests/bench/lmd_budgets.sh [BUILD]   what the contact model lmd takes against what it may, in one run on one core:
# stones that touch, bricks, the tree over a surface, reading and checking a stone of 100,000 triangles, contacts of a
# heap of 300 stones of 5,120 triangles. Processor time, least of the repeats. For an idle machine; exit code 1 where
# one takes more. The stones' budgets are a third of FCL's nearest pair (tests/bench/peers/run.sh measures both).
# test: needs python3 tetgen
source "$(dirname "$0")/budgets.bash"
python=/usr/bin/python3

# rows of the bench: what is named with a budget, and the largest tree of up to 60,000 simplices
"$build/drystone" bench lmd --poses 50 --repeats 5 --triangles 20480 --json >rows.json || exit
$python - >rows.txt <<'END'
import json
for row in json.load(open("rows.json"))["rows"]:
    if row.get("budget"):
        name = "bricks, from two poses to patches" if row["load"] == "bricks" else row["load"] + ", touching"
        print(name, row["us_low"], row["budget"], sep=";")
    if row["load"] == "stones-20480" and row["search"] == "trees":
        print("tree", 1e3 * row["tree_seconds"] * 60000 / row["simplices"], 100, sep=";")
END
while IFS=';' read -r name taken allowed; do
  if [ "$name" = tree ]; then say "a tree over 60,000 simplices" ms "$taken" "$allowed"
  else say "a pair of $name" us "$taken" "$allowed"; fi
done <rows.txt

# stone SEED CUTS RADIUS FILE: a bumpy ball of 20 CUTS^2 triangles
stone()
{
  $python - "$@" <<'END'
import math, random, sys
seed, cuts, radius = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
random.seed(seed)
g = 0.5 * (1 + math.sqrt(5))
corners = [(p, q, 0) for q in (g, -g) for p in (-1, 1)]
corners = [corners[k] for k in range(4)] + [(0, p, q) for q in (g, -g) for p in (-1, 1)] \
    + [(q, 0, p) for q in (g, -g) for p in (-1, 1)]
faces = ((0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
         (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7),
         (9, 8, 1))
def unit(x):
    length = math.sqrt(sum(c * c for c in x))
    return tuple(c / length for c in x)
bumps = [(unit([random.gauss(0, 1) for _ in range(3)]), random.uniform(-0.2, 0.2)) for _ in range(24)]
known, lines, out = {}, [], open(sys.argv[4], "w")
def number(face, i, j):
    a, b, c = (corners[k] for k in face)
    at = tuple(a[k] + (b[k] - a[k]) * i / cuts + (c[k] - a[k]) * j / cuts for k in range(3))
    key = tuple(round(x, 9) + 0.0 for x in at)
    if key not in known:
        known[key] = len(known) + 1
        way = unit(at)
        r = radius * (1 + sum(h * (0.5 + 0.5 * sum(w * t for w, t in zip(way, top))) ** 12 for top, h in bumps))
        out.write("v %.9g %.9g %.9g\n" % tuple(r * w for w in way))
    return known[key]
for face in faces:
    for i in range(cuts):
        for j in range(cuts - i):
            right, up = number(face, i + 1, j), number(face, i, j + 1)
            lines.append("f %d %d %d\n" % (number(face, i, j), right, up))
            if i + j + 1 < cuts:
                lines.append("f %d %d %d\n" % (right, number(face, i + 1, j + 1), up))
out.writelines(lines)
END
}

head='gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 2400}}\ncontact: {model: lmd}
contacts: [{between: [stone, stone], friction: 0.5, restitution: 0}]\n'

# seconds COMMAND...: of the processor, the least of five
seconds()
{
  local TIMEFORMAT="%U %S"
  for _ in 1 2 3 4 5; do
    { time "$@" >log.txt 2>&1; } 2>&1 | awk '{print $1 + $2}'
  done | sort -g | head -n 1
}

# less what a case of a box takes: the start of the program and of MPI
stone 1 71 1 stone.obj
for shape in 'mesh: {file: stone.obj, surface: true}' 'box: [1, 1, 1]'; do
  {
    printf '%btime: {step: 1e-3, end: 1e-3}\nbodies:\n' "$head"
    echo "  - {box: [9, 9, 1], at: [0, 0, -1.3], material: stone, fixed: true}"
    echo "  - {$shape, material: stone}"
  } >"${shape%%:*}.yaml"
done
read=$(awk -v a="$(seconds "$build/drystone" check mesh.yaml)" -v b="$(seconds "$build/drystone" check box.yaml)" \
  'BEGIN {print a - b}' </dev/null)
say "a stone of 100,820 triangles, read, checked, ready on a floor" s "$read" 1

# 300 stones that fall into a box, until they have settled a little
for k in 1 2 3 4 5; do stone "$k" 16 0.085 "stone$k.obj"; done
{
  printf '%btime: {step: 1e-3, end: 1}\nsolver: {max_sweeps: 200}\nbodies:\n' "$head"
  echo "  - {box: [4, 4, 0.5], at: [0, 0, -0.25], material: stone, fixed: true}"
  for side in 1 -1; do
    awk -v s=$side 'BEGIN {
      printf "  - {box: [0.2, 1.6, 4], at: [%g, 0, 2], material: stone, fixed: true}\n", 0.9 * s
      printf "  - {box: [2, 0.2, 4], at: [0, %g, 2], material: stone, fixed: true}\n", 0.9 * s}' </dev/null
  done
  awk 'BEGIN {
    srand(4)
    for (n = 0; n < 300; n++)
      printf "  - {mesh: {file: stone%d.obj, surface: true}, at: [%g, %g, %g], turn: {axis: [%.3f, %.3f, 1], " \
        "angle: %.1f}, velocity: [%.3f, %.3f, -1], material: stone}\n", n % 5 + 1, -0.65 + 0.26 * (n % 6),
        -0.65 + 0.26 * (int(n / 6) % 6), 0.16 + 0.28 * int(n / 36), 2 * rand() - 1, 2 * rand() - 1, 180 * rand(),
        0.6 * rand() - 0.3, 0.6 * rand() - 0.3}' </dev/null
} >heap.yaml
"$build/drystone" run heap.yaml -o heap --steps 700 >heap.txt 2>&1 || { tail -n 5 heap.txt; exit 1; }
read -r sum pairs points < <(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  {sum += $n["pairs"]; pairs = $n["pairs"]; points = $n["points"]}
  END {print sum, pairs, points}' heap/history.csv)
say "contacts of a heap of 300 stones, a near pair (by the clock)" ms \
  "$(awk -v pairs="$sum" '$1 == "contacts" {print 1e3 * $3 / pairs}' heap.txt)" 0.15
echo "  (the heap at its last step: $pairs near pairs, $points points)"
exit $code
