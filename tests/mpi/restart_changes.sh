#!/bin/bash
# A restart of a changed case is refused by the names of the keys, and the folder stays as it was; what is allowed
# goes on, says so, and is the case of the checkpoints that follow. A mesh that changed is named.
# test: needs python3 tetgen
# test: ranks 3
# test: timeout 300
# test: no_grace
source "$(dirname "$0")/runs.bash"
rm -rf base go scaled ./*.txt   # of an earlier run

cat >cube.obj <<'END_OF_MESH'
v 0 0 0
v 0.4 0 0
v 0 0.4 0
v 0.4 0.4 0
v 0 0 0.4
v 0.4 0 0.4
v 0 0.4 0.4
v 0.4 0.4 0.4
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
END_OF_MESH
cat >fall.yaml <<'END_OF_CASE'
title: two blocks, and one that comes later
units: SI
gravity: [0.5, 0, -9.81]
time: {step: 2e-3, end: 0.1}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {mesh: cube.obj, at: [0, 0, 0.01], material: stone}
  - {box: [0.3, 0.3, 0.3], at: [1, 0, 0.16], material: stone, spin: [0, 0, 2]}
  - {box: [0.2, 0.2, 0.2], at: [2, 0, 0.5], material: stone, birth: 0.06}
solver: {tolerance: 1e-8}
output: {frames: {every: 0.01}, checkpoint: {steps: 10}}
END_OF_CASE

content() { (cd "$1" && find . -type f ! -name lock -exec sha256sum {} + | sort -k 2); }

# refused TEXT PATTERN RANKS OPTION...: exit code 2, one message that has the pattern, nothing in the folder touched
refused()
{
  local text=$1 pattern=$2 ranks=$3 code
  shift 3
  touch base/frame-000099.h5.tmp   # what a restart that is taken would remove
  content base >before.sums
  "$mpirun" "$ranks" "$program" run fall.yaml -o base --restart "$@" >refused.log 2>refused.err
  code=$?
  expect "$text: exit code $code" [ $code -eq 2 ]
  expect "$text: one message" [ "$(grep -c '^drystone: ' refused.err)" -eq 1 ]
  expect "$text: named" grep -q -E -- "$pattern" refused.err
  expect "$text: nothing touched" diff <(content base) before.sums
  rm base/frame-000099.h5.tmp
}

piece "$program" 2 fall.yaml base --steps 20
refused "friction" '^  contacts.0.friction: was 0.5, is 0.4$' 3 --set contacts.0.friction=0.4
refused "gravity" '^  gravity: was \[0.5, 0, -9.81\], is \[0, 0, -9.81\]$' 1 --set 'gravity=[0, 0, -9.81]'
refused "tolerance" '^  solver.tolerance: was 1e-8, is 1e-6$' 2 --set solver.tolerance=1e-6 --allow contacts
expect "with what to do" grep -q -- '--allow KEY' refused.err
refused "a density, allowed or not" 'materials.stone.density: was 2400, is 2500 \(never: ' 2 \
  --set materials.stone.density=2500 --allow materials
refused "the shape of a body" 'bodies.2.box: was \[0.3, 0.3, 0.3\], is \[0.3, 0.3, 0.4\] \(never: ' 1 \
  --set 'bodies.2.box=[0.3, 0.3, 0.4]' --allow bodies
refused "a body that is there" 'bodies.2.spin: .*\(never: ' 1 --set 'bodies.2.spin=[0, 0, 3]' --allow bodies
refused "two keys" 'contacts.0.friction.*' 2 --set contacts.0.friction=0.4 --set solver.max_sweeps=50
expect "both named" grep -q '^  solver.max_sweeps: was 2000 by default, is 50$' refused.err
refused "no key of a case" "'solver.tolerence' is no key" 2 --allow solver.tolerence
cp fall.yaml whole.yaml
sed -i '/birth/i \  - {box: [1, 1, 1], at: [0, 3, 0.5], material: stone}' fall.yaml
refused "a body more, in between" 'bodies.3.box: was \[0.2, 0.2, 0.2\], is \[1, 1, 1\] \(never' 2 --allow bodies
cp whole.yaml fall.yaml
sed -i '/birth/a \  - {box: [1, 1, 1], at: [0, 3, 0.5], material: stone}' fall.yaml
refused "a body more, at the end" 'bodies: was a list of 4, is a list of 5 \(never: only bodies whose birth' 2 \
  --allow bodies
cp whole.yaml fall.yaml

# meshes by what they hold
cp cube.obj kept.obj
sed -i '/^v/s/ 0.4$/ 0.41/' cube.obj
refused "another mesh" '^  bodies.1.mesh: was cube.obj of sum [0-9a-f]{8}, is cube.obj of sum [0-9a-f]{8}$' 2
cp kept.obj cube.obj
awk '/^v/' kept.obj >cube.obj && echo 'v 0.2 0.2 0.6' >>cube.obj &&
  awk '/^f/' kept.obj | sed 's/f 5 6 8 7/f 5 6 9\nf 6 8 9\nf 8 7 9\nf 7 5 9/' >>cube.obj
refused "a mesh of other corners" 'bodies.1.mesh: .*\(never: the mesh has other numbers' 2 --allow bodies.1.mesh
cp kept.obj cube.obj
echo '# a remark' >>cube.obj

# free: said, and the same bits
cp -r base go
piece "$program" 2 fall.yaml whole --overwrite
piece "$program" 3 fall.yaml go --restart --set output.frames.every=0.02 --set title=other --set partition.every=3
expect "a free key is told of" \
  grep -q '^changed since the checkpoint of step 20: output.frames.every: was 0.01, is 0.02$' go.log
expect "a remark in a mesh is nothing" [ "$(grep -c '^changed' go.log)" -eq 3 ]
same_hash "free keys" go whole

# allowed: said, goes on, and is the case from then on
rm -r go
cp -r base go
options=(--set contacts.0.friction=0.4 --set 'bodies.3.velocity=[0, 0, -1]')
piece "$program" 3 fall.yaml go --restart "${options[@]}" --allow contacts.0.friction --allow bodies.3 --steps 25
expect "allowed is told of" \
  grep -q '^changed since the checkpoint of step 20, as allowed: contacts.0.friction: was 0.5, is 0.4$' go.log
piece "$program" 1 fall.yaml go --restart "${options[@]}"
expect "it is the case of the next checkpoint" [ "$(grep -c '^changed' go.log)" -eq 0 ]
expect "it has consequences" [ "$(hash_of go)" != "$(hash_of whole)" ]

# the same on other ranks, by the long way round
rm -rf scaled
cp -r base scaled
piece "$program" 1 fall.yaml scaled --restart "${options[@]}" --allow contacts --allow bodies
same_hash "allowed keys on other ranks" scaled go

# a body is added at the end, to come
sed -i '/birth/a \  - {box: [1, 1, 1], at: [0, 2.5, 0.6], material: stone, birth: 0.07}' fall.yaml
rm -r go
cp -r base go
piece "$program" 2 fall.yaml go --restart --allow bodies
expect "a body is added" [ "$("$program" info --json go | grep -c '"bodies": 5,')" -eq 1 ]

# the mesh that is allowed to differ
cp whole.yaml fall.yaml
sed -i '/^v/s/ 0.4$/ 0.41/' cube.obj
rm -r go
cp -r base go
piece "$program" 2 fall.yaml go --restart --allow bodies.1.mesh
expect "a mesh of as many corners is taken" grep -q 'as allowed: bodies.1.mesh: was cube.obj of sum' go.log

# a checkpoint by another program
rm -r go
cp -r base go
cp kept.obj cube.obj
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$mpirun")/faults \
  /usr/bin/python3 - go/checkpoint-000000020.manifest <<'END'
import re
import sys
import damage_kinds

text = open(sys.argv[1], "rb").read()
open(sys.argv[1], "wb").write(damage_kinds.seal(re.sub(rb"\nversion: .*", b"\nversion: 0.0.3", text)))
END
piece "$program" 3 fall.yaml go --restart
expect "another version is told of" grep -q '^that checkpoint is by drystone 0.0.3, .*, and this is ' go.log
same_hash "a checkpoint by another version" go whole

# without --restart there is nothing to allow
"$program" run fall.yaml -o base --overwrite --allow solver >refused.log 2>&1
expect "--allow without --restart" [ $? -eq 2 ]
[ "$failures" -eq 0 ]
