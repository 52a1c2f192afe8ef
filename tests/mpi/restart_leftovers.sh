#!/bin/bash
# Folders as a run leaves them that is killed at one point or another: a restart clears them up and leaves what the run
# in one piece leaves, files, frames, tables, hashes of every stage. Checkpoints over many generations.
# test: needs python3 python3-h5py python3-numpy
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/runs.bash"
rm -rf whole at* go snap twenty ./*.txt   # of an earlier run

cat >drop.yaml <<'END_OF_CASE'
title: blocks that slide to an edge and fall out of the domain
units: SI
gravity: [4, 0, -9.81]
time: {step: 2e-3, end: 0.12}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.2}
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.3, 0.3], count: [2, 2, 2], spacing: [0.4, 0.4, 0.3]}, at: [0, 0, 0.15], material: stone,
     spin: [0.1, 0.2, 0], name: heap}
  - {box: [0.2, 0.2, 0.2], at: [1.85, 1, 0.1], velocity: [1.5, 0, 0], material: stone, name: first}
  - {box: [0.2, 0.2, 0.2], at: [1.85, -1, 0.1], velocity: [2.8, 0, 0], material: stone, name: second}
domain: {low: [-3, -3, -3], high: [2, 3, 3]}
output: {frames: {every: 0.01}, checkpoint: {steps: 10}, ranks: {every: 4}}
END_OF_CASE

python=/usr/bin/python3
compare=yes
if ! "$python" -c 'import h5py, numpy' 2>python.txt; then
  compare=
  echo "python3-h5py is not installed: frames and records of ranks are not compared"
fi

same_frames()
{
  [ -n "$compare" ] || return 0
  "$python" - "$1" "$2" <<'END_OF_PYTHON'
import glob, sys
import h5py, numpy
one, two = ([h5py.File(f) for f in sorted(glob.glob(folder + "/frame-*.h5"))] for folder in sys.argv[1:])
assert len(one) == len(two) > 0
for a, b in zip(one, two):
    names = []
    a.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
    assert a.attrs["hash"] == b.attrs["hash"] and a.attrs["step"] == b.attrs["step"], a.filename
    for name in names:
        if name.endswith("/rank") or name.startswith("provenance"):
            continue
        assert numpy.array_equal(a[name][()], b[name][()]), (a.filename, name)
END_OF_PYTHON
}

# each step of a run in one record of its ranks, once
whole_records()
{
  [ -n "$compare" ] || return 0
  "$python" - "$1" <<'END_OF_PYTHON'
import sys
import glob, h5py
spans = []
for name in sorted(glob.glob(sys.argv[1] + "/ranks-*.h5")):
    with h5py.File(name) as file:
        spans += list(zip(file["records/step"][()].tolist(), file["records/steps"][()].tolist()))
step = 0
for last, steps in spans:
    assert last - steps == step, (name, last, steps, step)
    step = last
assert step == 60, step
END_OF_PYTHON
}

names() { (cd "$1" && find . -type f ! -name 'ranks-*' | sort); }

# go_on TEXT FOLDER RANKS OPTION...: restarted to its end, the folder is that of the whole run
go_on()
{
  local text=$1 folder=$2
  piece "$program" "$3" drop.yaml "$folder" --restart "${@:4}"
  same_bits "$text" "$folder" whole
  expect "$text: files" diff <(names "$folder") <(names whole)
  expect "$text: history" cmp <(physics "$folder") <(physics whole)
  expect "$text: removed bodies" cmp "$folder/removed.csv" whole/removed.csv
  expect "$text: frames" same_frames "$folder" whole
  expect "$text: lists of frames" cmp "$folder/bodies.xmf" whole/bodies.xmf
  expect "$text: lists of contacts" cmp "$folder/contacts.xmf" whole/contacts.xmf
  expect "$text: records" whole_records "$folder"
}

# take FOLDER: a copy of the run at step 40, with its hashes
take()
{
  rm -rf "$1"
  cp -r snap "$1"
  cp snap.txt "$1.txt"
}

piece "$program" 2 drop.yaml whole
expect "bodies leave before and after step 30" \
  [ "$(awk -F, '$1 <= 30' whole/removed.csv | wc -l) $(wc -l <whole/removed.csv)" = "1 3" ]
piece "$program" 3 drop.yaml snap --steps 20
cp -r snap twenty
piece "$program" 2 drop.yaml snap --steps 40 --restart
expect "step 20 was pruned" [ ! -e snap/checkpoint-000000020.h5 ]

take at1
rm at1/checkpoint-000000040.manifest
go_on "killed between data and manifest" at1 3

take at2
cp twenty/checkpoint-000000020.* at2
go_on "killed before older generations are removed" at2 1

take at3
cp twenty/bodies.xmf twenty/contacts.xmf at3
go_on "killed between a frame and the list of frames" at3 2

take at4
rm at4/checkpoint-000000040.*
echo '41,0.082,12' >>at4/history.csv
printf '42,0.084' >>at4/history.csv
printf '41 pairs=0123 patc' >>at4.txt
go_on "killed between the tables and the checkpoint, in the middle of lines" at4 3

take at5
rm at5/checkpoint-000000040.*
for name in frame-000035.h5 checkpoint-000000040.h5 checkpoint-000000040.manifest ranks-000031.h5 topology.h5 \
  bodies.xmf contacts.xmf history.csv removed.csv problem-000000033.hdf5; do
  echo half >"at5/$name.tmp"
done
echo old >at5/problem-000000033.hdf5
go_on "half files of every kind, and problems of later steps" at5 2

take at6
rm at6/history.csv at6/removed.csv at6/bodies.xmf at6/contacts.xmf
rm -f at6/ranks-*
piece "$program" 2 drop.yaml at6 --restart
expect "a history that is lost is named" \
  grep -q 'warning: at6/history.csv is damaged: it has no lines of 40 of the steps up to 40, the first is 1' at6.log
expect "and lists of frames are whole again" cmp at6/bodies.xmf whole/bodies.xmf

# the first checkpoint was never completed, twice
rm -rf at7
piece "$program" 2 drop.yaml at7 --steps 10
rm at7/checkpoint-000000010.manifest
piece "$program" 1 drop.yaml at7 --steps 7 --restart
expect "from the beginning" grep -q 'no checkpoint in at7: starting from the beginning' at7.log
expect "without what was not completed" [ ! -e at7/checkpoint-000000010.h5 ]
rm at7/checkpoint-000000007.manifest
go_on "the first checkpoint never completed" at7 2

# frames of another interval behind the checkpoint, those of the case after it
rm -rf at8
piece "$program" 2 drop.yaml at8 --steps 40 --set output.frames.every=0.01
piece "$program" 2 drop.yaml at8 --steps 50 --restart --set output.frames.every=0.002
rm at8/checkpoint-000000050.*
go_on "frames of another interval" at8 3

# the newest is damaged: the one before is taken, and the next two are kept in place of it
take at9
printf 'xxxx' | dd of=at9/checkpoint-000000040.h5 bs=1 seek=5000 conv=notrunc status=none
piece "$program" 2 drop.yaml at9 --restart --steps 37 --set output.checkpoint.steps=0
expect "the damaged one is named" grep -q 'checkpoint of step 40 is damaged: .*000040.h5: block 1 of' at9.log
kept=$(cd at9 && ls | grep checkpoint | tr '\n' ' ')
expect "it is gone" [ "$kept" = "checkpoint-000000030.h5 checkpoint-000000030.manifest checkpoint-000000037.h5 \
checkpoint-000000037.manifest " ]
rm at9/checkpoint-000000037.*
go_on "damaged, and back again" at9 1

# the newest could not be read once, and the run from the one before was killed before its first checkpoint
take at10
printf 'xxxx' | dd of=at10/checkpoint-000000040.h5 bs=1 seek=5000 conv=notrunc status=none
"$program" run drop.yaml -o at10 --restart --set output.checkpoint.steps=0 --set time.end=1000 \
  --hash-log killed.txt >at10.log 2>&1 &
for _ in $(seq 600); do
  ! grep -q '^31 ' killed.txt 2>/dev/null || break
  sleep 0.05
done
kill -KILL $!
wait $!
expect "killed after the fall back" grep -q 'checkpoint of step 40 is damaged' at10.log
expect "what was given up is no checkpoint" [ ! -e at10/checkpoint-000000040.manifest ]
[ ! -e at10/checkpoint-000000040.h5 ] || cp snap/checkpoint-000000040.h5 at10
cp snap.txt at10.txt
go_on "not read once, and readable again" at10 2

# over the generations of several runs the newest two are there and sound
rm -rf go
verdicts=
for steps in 10 20 23 30 41 50 60; do
  piece "$program" $((1 + steps % 3)) drop.yaml go --restart --steps $steps
  verdicts="$verdicts $("$program" info --json go | grep -o -E '"of_step": [0-9]+, "verdict": "[a-z]+"' | tr -d ' "' |
    sed 's/of_step://; s/,verdict//' | tr '\n' ' ')|"
done
expected=" 10:sound | 20:sound 10:sound | 23:sound 20:sound | 30:sound 23:sound |"
expected="$expected 41:sound 40:sound | 50:sound 41:sound | 60:sound 50:sound |"
expect "the newest two of each" [ "$verdicts" = "$expected" ]
[ "$failures" -eq 0 ]
