#!/bin/bash
# Bodies that are poured, not in the order of their ids, and leave: the same hash, history and list of removed bodies
# on any number of ranks, in one piece and in many, with a new partition every few steps, and, with a second program
# (the release build's), in all builds.
# test: ranks 7
# test: timeout 900
# test: trees asan
# test: no_grace
source "$(dirname "$0")/runs.bash"
rm -rf one parts void[1-7] voids ranks[1-7] fresh[1-7] ./*.txt   # of an earlier run
cat >pour.yaml <<'END'
title: stones poured on a plate, over whose rim they leave
units: SI
gravity: [1, 0, -9.81]
time: {step: 2e-3, end: 0.4}
materials:
  stone: {density: 2400}
  ice: {density: 900}
contacts:
  - {between: [stone, stone], friction: 0.4, restitution: 0.1}
  - {between: [stone, ice], friction: 0.05}
  - {between: [ice, ice], friction: 0}
bodies:
  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 3, 1], spacing: [0.3, 0.3, 0.3]}, at: [-0.3, -0.3, 0.12], material: ice,
     velocity: [3, 0, 0], name: first}
  - {box: [1, 1, 0.2], at: [0, 0, -0.1], material: stone, fixed: true, name: plate}
  - {grid: {box: [0.15, 0.15, 0.15], count: [3, 3, 1], spacing: [0.25, 0.25, 1]}, at: [-0.2, -0.2, 0.5],
     material: stone, velocity: [2, 0, -2], birth: 0.14, name: third}
  - {grid: {hull: [[0.1, 0, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0, 0, 0.2]], count: [3, 2, 2],
     spacing: [0.35, 0.3, 0.35]}, at: [-0.4, -0.2, 0.35], material: stone, velocity: [1, 0.5, -3], spin: [1, 2, 3],
     birth: 0.05, name: "second, of \"hulls\""}
  - {box: [0.1, 1, 0.3], at: [-0.55, 0, 0.15], material: stone, fixed: true, birth: 0.071, name: fence}
  - {box: [0.3, 0.3, 0.3], at: [0.1, 0.9, 0.4], material: ice, velocity: [0, 0, -4], birth: 0.071, name: beside}
domain: {low: [-2, -2, -0.15], high: [0.45, 2, 3]}
solver: {max_sweeps: 300}
output:
  checkpoint: {steps: 40}
END
# nothing at first, then bodies that all leave, then others in an empty world
cat >void.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.1}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.4}
bodies:
  - {grid: {box: [0.1, 0.1, 0.1], count: [3, 1, 2], spacing: [0.1, 0.3, 0.1]}, material: stone, birth: 0.02,
     velocity: [0, 0, -20]}
  - {box: [0.1, 0.1, 0.1], material: stone, birth: 0.08, spin: [1, 2, 3]}
domain: {low: [-1, -1, -0.5], high: [1, 1, 1]}
output:
  frames: {every: 0.02}
END

number() { "$program" info --json "$1" | sed -E "s/.*\"$2\": ([0-9]+).*/\1/"; }

# alike TEXT FOLDER REFERENCE: two runs of one case
alike()
{
  same_bits "$@"
  expect "$1: history" cmp <(physics "$2") <(physics "$3")
  expect "$1: removed bodies" cmp "$2/removed.csv" "$3/removed.csv"
}

piece "$release" 1 pour.yaml one --overwrite
piece "$release" 1 void.yaml void1 --overwrite
for ranks in $(counts "$whole_ranks" ""); do
  piece "$program" $ranks pour.yaml ranks$ranks --set partition.every=5
  alike "$ranks ranks" ranks$ranks one
done
for ranks in $(counts "1 3" ""); do
  piece "$program" $ranks pour.yaml fresh$ranks --set contact.keep_pairs=false --set partition.every=7
  alike "$ranks ranks, no pairs kept" fresh$ranks one
done
for ranks in $(counts "2 7" ""); do
  piece "$program" $ranks void.yaml void$ranks --set partition.every=3
  alike "nothing at first, $ranks ranks" void$ranks void1
done

# in pieces: before the first births, at them, while bodies leave
piece "$program" 3 pour.yaml parts --steps 0
piece "$program" 2 pour.yaml parts --restart --steps 25
piece "$program" $(counts 4 2) pour.yaml parts --restart --steps 36 --set partition.every=4
piece "$program" 1 pour.yaml parts --restart --steps 90
piece "$program" 3 pour.yaml parts --restart
alike "in pieces" parts one

# checkpoints without a body: before any appeared, and after all have left
piece "$program" 3 void.yaml voids --steps 5 --set partition.every=3
expect "no body yet" [ "$(number voids bodies) $(number voids born) $(number voids removed)" = "0 0 0" ]
piece "$program" 2 void.yaml voids --restart --steps 38
expect "no body any more" [ "$(number voids bodies) $(number voids born) $(number voids removed)" = "0 6 6" ]
piece "$program" 3 void.yaml voids --restart
alike "nothing at first, in pieces" voids void1
newest=$(ls parts/checkpoint-*.h5 | tail -n 1)
printf 'xxxx' | dd of="$newest" bs=1 seek=5000 conv=notrunc status=none
lines=$(wc -l <parts/removed.csv)
sed -n '$p' parts/removed.csv >>parts/removed.csv   # of a future that is given up
cp parts.txt again.txt
piece "$program" 2 pour.yaml parts --restart
cp again.txt parts.txt
alike "back to an older checkpoint" parts one
expect "lines of the future are cut" [ "$(wc -l <parts/removed.csv)" -eq "$lines" ]

# numbers: who came and went, and what that does to counts and masses
removed=$(($(wc -l <one/removed.csv) - 1))
expect "some bodies stay, some left: $removed" [ "$removed" -ge 5 -a "$removed" -lt 30 ]
expect "bodies born" [ "$(number one born)" -eq 33 ]
expect "bodies there and removed" [ "$(number one bodies) $(number one removed)" = "$((33 - removed)) $removed" ]
expect "the log says so" grep -q "$removed bodies left the domain" one.log
expect "and names the first" grep -q "body [0-9]* (first) left the domain" one.log
expect "five of them" [ "$(grep -c "left the domain at" one.log)" -eq 5 ]
expect "nobody leaves twice" [ -z "$(awk -F, 'NR > 1 {print $3}' one/removed.csv | sort | uniq -d)" ]
expect "names with commas and quotes" grep -q '"second, of ""hulls"""' one/removed.csv
expect "sorted by step and id" sort -c -t, -k1,1n -k3,3n <(tail -n +2 one/removed.csv)
cat >balance.awk <<'END'
NR == FNR {
  line = $0
  sub(/"second, of ""hulls"""/, "second", line)
  split(line, f, ",")
  gone[f[1]] += f[5]
  count[f[1]]++
  next
}
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; bodies = 9; mass = 9 * 0.008 * 900; next }
{
  s = $column["step"]; b = $column["bodies"]; m = $column["mass"]; born = $column["born"]; r = $column["removed"]
  if (b != bodies + born - r || r != count[s] + 0) {print "step " s ": " bodies " + " born " - " r " gives " b; bad = 1}
  change = m - mass + gone[s]
  if (born == 0 && (change > 1e-9 || change < -1e-9)) {print "step " s ": mass changes by " change; bad = 1}
  if (born > 0) births = births " " s
  bodies = b; mass = m
}
END { if (births != " 26 37 71") {print "births in steps" births; bad = 1}; exit bad }
END
expect "bodies and mass balance" awk -F, -f balance.awk one/removed.csv one/history.csv
bodies=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "bodies") k = i}
  NR == 2 || NR == 12 || NR == 40 || NR == 51 {printf "%d ", $k}' void1/history.csv)
expect "nobody, six, nobody, another one: $bodies" [ "$bodies" = "0 6 0 1 " ]

# a body that would appear outside is no case
for ranks in 1 3; do
  "$mpirun" $ranks "$program" check pour.yaml --set 'bodies.5.at=[3, 0, 0]' >outside.log 2>&1
  expect "a body that appears outside: code 2" [ $? -eq 2 ]
  expect "it is named" grep -q "pour.yaml:22: body 32 of 'beside' appears at \[3, 0, .*outside the domain" outside.log
done
[ "$failures" -eq 0 ]
