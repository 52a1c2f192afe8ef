#!/bin/bash
# What drystone check and a run say of the start: contacts, overlaps, gaps, bodies that touch nothing or lead to nothing
# that stands, by name, as text and as JSON, on 1 and 3 ranks.
# test: needs python3 tetgen
# test: ranks 3
# test: trees asan
# test: no_grace
source "$(dirname "$0")/runs.bash"
rm -rf ran ./*.txt ./*.yaml   # of an earlier run
tests=$(cd "$(dirname "$0")/.." && pwd)
cp "$tests/meshes/gate.json" .
cat >start.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 2e-3}
materials: {stone: {density: 2000}, light: {density: 1}}
contacts:
  - {between: [stone, stone], friction: 0.6}
  - {between: [stone, light], contact: false}
bodies:
  - {box: [9, 9, 0.2], at: [0, 0, -0.1], material: stone, fixed: true, name: ground}
  - {grid: {box: [0.2, 0.2, 0.2], count: [2, 1, 2], spacing: [0.198, 1, 0.2]}, at: [0, 3, 0.1], material: stone,
     name: heap}
  - {box: [0.2, 0.2, 0.2], at: [3, 3, 0.1001], material: stone, name: above}
  - {box: [0.2, 0.2, 0.2], at: [-3, 0, 2], material: stone, name: bird}
  - {grid: {box: [0.2, 0.2, 0.2], count: [1, 1, 2], spacing: [1, 1, 0.195]}, at: [-3, 3, 3], material: stone,
     name: cloud}
  - {box: [0.2, 0.2, 0.2], at: [-3, -3, 1], material: stone, name: lamp}
  - {box: [0.2, 0.2, 0.2], at: [3, -3, 0.1], material: light}
  - {compas: gate.json, name: gate, material: stone}
joints:
  - {rod: [[-3, -3, 1], [-3, -3, 3]], between: [lamp, space]}
END

# says PATTERN: some line of the last output is like it
says() { expect "$1" grep -q -E -- "$1" out.log; }

overlaps='3 overlap by up to 0.005 m \(cloud.0 and cloud.1\)'
gaps='1 gapes by up to 0.0001 m'
nothing='2 bodies touch nothing; 2 lead to nothing that stands'
for ranks in 1 3; do
  "$mpirun" $ranks "$program" check start.yaml >out.log 2>&1 || { cat out.log; failures=$((failures + 1)); }
  says '^start +[0-9]+ contacts between [0-9]+ pairs of bodies$'
  says '^overlaps +3 pairs overlap:$'
  says '^ +0.005 m  cloud.0, cloud.1$'
  says '^ +0.002 m  heap.0, heap.1$'
  says '^gaps +1 pair gapes within the margin:$'
  says '^ +0.0001 m  ground, above$'
  says '^alone +2 bodies touch nothing: bird, 10 \(unnamed\)$'
  says '^unsupported +2 bodies lead to nothing that stands: cloud.0, cloud.1$'
  "$mpirun" $ranks "$program" check start.yaml --set contact.initial=4e-3 >out.log 2>&1
  says '^start .*, [0-9]+ taken as closed \(contact.initial\)$'
  "$mpirun" $ranks "$program" check start.yaml --json >out.json 2>err.log
  expect "JSON on $ranks ranks" python3 - <<'END'
import json
with open("out.json", encoding="utf-8") as file:
  start = json.load(file)["start"]
assert start["looked"] and start["bodies"] == 14 and start["dynamic"] == 11, start
assert start["overlaps"]["pairs"] == 3 and start["gaps"]["pairs"] == 1, start
worst = start["overlaps"]["worst"]
assert worst[0]["names"] == ["cloud.0", "cloud.1"] and abs(worst[0]["size"] - 5e-3) < 1e-12, worst
assert [pair["size"] for pair in worst] == sorted((pair["size"] for pair in worst), reverse=True)
assert [body["name"] for body in start["alone"]["first"]] == ["bird", "10 (unnamed)"], start
assert start["unsupported"]["bodies"] == 2 and start["closed"] == 0, start
END
  piece "$program" $ranks start.yaml ran --overwrite
  expect "the log of the run on $ranks ranks" grep -q -E \
    "^start: [0-9]+ contacts of [0-9]+ pairs, $overlaps, $gaps; $nothing$" \
    ran.log
done

# members of a file by their names, and a step that is too long for what moves
"$program" check start.yaml --set 'bodies.7={compas: gate.json, name: gate, material: stone, at: [0, 0, 0.5]}' \
  --set 'bodies.3.velocity=[0, 0, 300]' >out.log 2>&1
says '^drystone: warning: body 6 \(bird\): goes 0.3 m in a step and is 0.2 m thick'
"$program" check start.yaml --set 'bodies.1={compas: gate.json, name: other, material: stone, at: [0, 0, 0.001]}' \
  >out.log 2>&1
says 'm  other\.[a-z_]+, gate\.[a-z_]+$'

# warnings stand in JSON as on standard error, and what is said of meshes is no part of it
odd=(--set 'bodies.3.velocity=[0, 0, 300]' --set 'gravity=[0, 0, 9.81]'
  --set 'bodies.7={compas: {file: gate.json, hull: true, scale: 1.25}, name: "ga\"te", material: stone}')
for ranks in 1 3; do
  "$mpirun" $ranks "$program" check start.yaml "${odd[@]}" --json >out.json 2>err.log
  expect "warnings in JSON on $ranks ranks" python3 - <<'END'
import json
with open("out.json", encoding="utf-8") as file:
  warnings = json.load(file)["warnings"]
with open("err.log", encoding="utf-8") as file:
  begin = "drystone: warning: "
  told = [line[len(begin):-1] for line in file if line.startswith(begin)]
assert warnings == told and len(told) >= 2, (warnings, told)
assert any("points upwards" in text for text in told), told
assert any("goes 0.3 m in a step" in text for text in told), told
END
done
"$program" check start.yaml --json >out.json 2>err.log
expect "no warnings, an empty list" python3 -c 'import json; assert json.load(open("out.json"))["warnings"] == []'
cp "$tests/meshes/l.obj" .
"$program" check start.yaml --json --set 'bodies.3={mesh: {file: l.obj, pieces: 2}, at: [-9, 0, 2], material: stone}' \
  >out.json 2>err.log
expect "of meshes in JSON" python3 -c 'import json; assert "2 convex pieces" in json.load(open("out.json"))["meshes"]'
[ "$failures" -eq 0 ]
