#!/bin/bash
# drystone info says of every checkpoint whether it is sound, and what is wrong with it; the exit code is 4 where the
# newest is damaged, and the one that a restart takes is shown all the same.
# test: needs python3 python3-h5py
# test: ranks 2
# test: timeout 300
# test: no_grace
source "$(dirname "$0")/runs.bash"
rm -rf base bad ./*.txt   # of an earlier run

cat >stack.yaml <<'END_OF_CASE'
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 1}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {grid: {box: [0.3, 0.3, 0.3], count: [20, 20, 4], spacing: [0.4, 0.4, 0.3]}, at: [-4, -4, 0.15], material: stone}
output: {checkpoint: {steps: 1}}
END_OF_CASE
piece "$program" 2 stack.yaml base --steps 2
newest=bad/checkpoint-000000002 older=bad/checkpoint-000000001

# look TEXT CODE PATTERN COMMAND: after the command damaged a copy, info ends with that code and has that in its text;
# one message says so, and there is JSON all the same
look()
{
  local text=$1 code=$2 pattern=$3 found
  rm -rf bad
  cp -r base bad
  eval "$4"
  if [ "$ranks" -gt 1 ]; then set -- "$@" "$mpirun" "$ranks"; fi
  "${@:5}" "$program" info bad >out.log 2>err.log
  found=$?
  expect "$text: exit code $found" [ $found -eq "$code" ]
  expect "$text: named" grep -q -E -- "$pattern" out.log
  expect "$text: one message" [ "$(grep -c '^drystone: ' err.log)" -eq $((code == 4)) ]
  "$program" info --json bad >json.log 2>err.log
  expect "$text: code with --json" [ $? -eq "$code" ]
  expect "$text: JSON" /usr/bin/python3 -c 'import json; json.load(open("json.log"))["checkpoints"][0]["reason"]'
}

# overwrite FILE OFFSET TEXT
overwrite() { printf '%s' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

# seal FILE: a manifest gets the checksum that fits it
seal()
{
  /usr/bin/python3 - "$1" <<'END_OF_PYTHON'
import sys
text = open(sys.argv[1], "rb").read()[:-17]
table = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    table.append(n)
crc = 0xFFFFFFFF
for byte in text:
    crc = crc >> 8 ^ table[(crc ^ byte) & 255]
open(sys.argv[1], "wb").write(text + b"crc32c: %08x\n" % (crc ^ 0xFFFFFFFF))
END_OF_PYTHON
}

# without_meshes GENERATION: a data file that lacks the list of meshes, and a manifest that fits its bytes
without_meshes()
{
  /usr/bin/python3 - "$1" "$(dirname "$mpirun")/faults" <<'END_OF_PYTHON'
import sys, h5py
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
from damage_kinds import reseal_data
with h5py.File(sys.argv[1] + ".h5", "r+") as file:
    del file["provenance/meshes"]
manifest = open(sys.argv[1] + ".manifest", "rb").read()
data = open(sys.argv[1] + ".h5", "rb").read()
open(sys.argv[1] + ".manifest", "wb").write(reseal_data(manifest, data))
END_OF_PYTHON
}

ranks=1
look "sound" 0 '^checkpoint of step    2, sound$' true
expect "the older one too" grep -q '^checkpoint of step    1, sound$' out.log
expect "the newest is described" grep -q '^step                  2, t = 0.004 s$' out.log
hash=$(tail -n 1 out.log)
taken='^step                  1, t = 0.002 s$'
for ranks in 1 2; do
  look "a block of the newest" 4 'step    2, damaged: .*2.h5: block 2 of [0-9]+ has another checksum' \
    'overwrite $newest.h5 1100000 xxxx'
  expect "a restart takes the other one" grep -q "$taken" out.log
  expect "which is named" grep -q 'a restart goes on from step 1$' err.log
  look "the first of two blocks" 4 'damaged: .*: block 1 of' \
    'overwrite $newest.h5 1100000 xxxx; overwrite $newest.h5 5000 x'
  look "a block of the older one" 0 'step    1, damaged: .*1.h5: block 1 of' 'overwrite $older.h5 5000 xxxx'
done
ranks=1
expect "the newest is described all the same" [ "$(tail -n 1 out.log)" = "$hash" ]
look "data cut short" 4 'damaged: .*2.h5 has 5000 bytes, its manifest says' 'truncate -s 5000 $newest.h5'
look "data missing" 4 'damaged: .*2.h5: No such file' 'rm $newest.h5'
look "data of the other one" 4 'damaged: ' 'cp $older.h5 $newest.h5'
look "manifest of the other one" 4 'damaged: .*2.manifest is the manifest of step 1' \
  'cp $older.manifest $newest.manifest'
look "manifest damaged" 4 'damaged: .*manifest does not match its own checksum' 'overwrite $newest.manifest 100 xx'
look "manifest empty" 4 'damaged: .*manifest is cut short' ': >$newest.manifest'
look "manifest a folder" 4 'damaged: .*2.manifest: ' 'rm $newest.manifest; mkdir $newest.manifest'
look "data a folder" 4 'damaged: .*2.h5( has|:) ' 'rm $newest.h5; mkdir $newest.h5'
look "never completed" 0 '^checkpoint of step    2, incomplete: it has no manifest' 'rm $newest.manifest'
look "manifest of another version" 4 "written by drystone [0-9.]* in format 9; this program reads format 2" \
  'sed -i "1s/manifest [0-9]*/manifest 9/" $newest.manifest; seal $newest.manifest'
look "more rows than there can be" 4 'damaged: .* (different states|more than it can hold)' \
  'sed -i "s/^bodies: .*/bodies: 99999999999/" $newest.manifest; seal $newest.manifest'
look "negative rows" 4 "damaged: .*2.manifest: the manifest's line 'bodies' holds no number" \
  'sed -i "s/^bodies: .*/bodies: -1/" $newest.manifest; seal $newest.manifest'
look "a text of the case missing" 4 "damaged: .*2.h5: .*meshes" 'without_meshes $newest'
look "both damaged" 4 'step    1, damaged: ' 'overwrite $older.h5 5000 xxxx; overwrite $newest.h5 5000 xxxx'
expect "there is no other" grep -q 'there is no other$' err.log
look "manifests lost" 4 'step    1, damaged: its manifest is lost' 'rm bad/*.manifest'

# one checkpoint alone, by either file
rm -rf bad
cp -r base bad
overwrite $newest.h5 5000 xxxx
"$program" info $older.h5 >out.log 2>err.log
expect "one by its data" [ $? -eq 0 -a "$(grep -c '^checkpoint of' out.log)" -eq 1 ]
(cd bad && "$program" info checkpoint-000000002.manifest) >out.log 2>err.log
expect "one by its manifest, damaged" [ $? -eq 4 ]
for path in bad/history.csv bad/none /dev/null; do
  "$program" info $path >out.log 2>err.log
  expect "not $path" [ $? -eq 2 ]
done

# whatever bytes: a verdict
for seed in $(seq 1 20); do
  rm -rf bad
  cp -r base bad
  /usr/bin/python3 - $seed <<'END_OF_PYTHON'
import os, random, sys
random.seed(int(sys.argv[1]))
path = "bad/checkpoint-000000002." + random.choice(["h5", "manifest"])
data = bytearray(open(path, "rb").read())
for _ in range(random.choice([1, 1, 100])):
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
if random.random() < 0.3:
    data = data[:random.randrange(len(data))]
open(path, "wb").write(data)
END_OF_PYTHON
  "$program" info bad >out.log 2>err.log
  [ $? -eq 4 ] || { echo "FAILED  damage $seed"; failures=$((failures + 1)); }
done
[ "$failures" -eq 0 ]
