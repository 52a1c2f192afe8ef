#!/bin/bash
# A checkpoint of all kinds of state, written on 2 ranks, goes on on 1, 3, 4 and 8 with the same bits: hash per stage,
# history, removed bodies, frames; so does a run in pieces that end at births, at breaking bonds and where a body
# leaves. The same run repeated is the same. RANK_COUNTS_REPEATS=20 is the campaign, on
# RANK_COUNTS_REPEATED ranks ("2").
# test: needs python3 python3-h5py python3-numpy
# test: ranks 8
# test: timeout 900
source "$(dirname "$0")/../mpi/runs.bash"
source "$(dirname "$0")/scenes.bash"
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
steps=80
rm -rf whole base from? parts again* amg amg? ./*.txt   # of an earlier run
write_scene scene.yaml
# rigid bodies alone, so that sweeps have a part; mpi.mixture_hash has elastic ones
sed -i '/elastic: affine/d; s/checkpoint: {steps: 1}/checkpoint: {steps: 40}/' scene.yaml

cat >same_frames.py <<'END'
"""Frames and their columns in two folders are the same, but ranks; says the first difference."""
import glob
import os
import sys
import h5py

def columns(path):
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.update({name: item[()].tobytes()})
                        if isinstance(item, h5py.Dataset) else None)
        found.update({name: str(file.attrs[name]) for name in file.attrs})
    return {name: data for name, data in found.items()
            if not name.endswith("/rank") and not name.startswith("provenance")}

frames = [sorted(os.path.basename(path) for path in glob.glob(folder + "/frame-*.h5")) for folder in sys.argv[1:3]]
if frames[0] != frames[1] or not frames[0]:
    sys.exit(f"frames {frames}")
for frame in frames[0]:
    one, other = (columns(os.path.join(folder, frame)) for folder in sys.argv[1:3])
    differ = [name for name in set(one) | set(other) if one.get(name) != other.get(name)]
    if differ or len(one) < 20:
        sys.exit(f"{frame}: {differ} of {len(one)}")
END

stages_from() { awk -v first="$1" '$1 >= first' "$2.txt"; }

# alike TEXT FOLDER REFERENCE FIRST: the whole is the same, and the hashes of stages from step FIRST on
alike()
{
  same_hash "$1" "$2" "$3"
  expect "$1: hash per stage" cmp <(stages_from "$4" "$2") <(stages_from "$4" "$3")
  expect "$1: history" cmp <(physics "$2") <(physics "$3")
  expect "$1: removed bodies" cmp "$2/removed.csv" "$3/removed.csv"
  expect "$1: frames" "$python" same_frames.py "$2" "$3"
}

piece "$release" 2 scene.yaml whole --steps $steps
expect "$steps steps are hashed" [ "$(tail -n 1 whole.txt | cut -d' ' -f1)" -eq $steps ]
expect "a body has left" [ "$(wc -l <whole/removed.csv)" -eq 2 ]
expect "bonds have broken" awk -F, 'NR > 1 {broken += $34 + $35} END {exit broken < 50}' whole/history.csv
piece "$program" 2 scene.yaml base --steps 40
for ranks in $(counts "1 3 4 8" 1); do
  cp -r base from$ranks
  piece "$program" $ranks scene.yaml from$ranks --restart --steps $steps --set partition.every=$((ranks + 3))
  alike "written on 2 ranks, read on $ranks" from$ranks whole 41
done

# births before steps 26 and 56, first bonds that break in step 39, a body that leaves in step 51
piece "$program" 3 scene.yaml parts --steps 25
for next in "26 1" "38 4" "39 2" "50 8" "51 1" "55 3" "56 2" "$steps 4"; do
  piece "$program" ${next#* } scene.yaml parts --restart --steps ${next% *}
done
alike "in pieces" parts whole 1

# what the multigrid solver carries
amg=(--set solver.method=admm-amg --set solver.max_sweeps=400)
piece "$release" 2 scene.yaml amg --steps 56 "${amg[@]}"
piece "$program" 2 scene.yaml amg3 --steps 33 "${amg[@]}"
piece "$program" 3 scene.yaml amg3 --restart --steps 56 "${amg[@]}"
alike "multigrid, on 3 ranks" amg3 amg 1

for ranks in ${RANK_COUNTS_REPEATED:-2}; do
  for repeat in $(seq "${RANK_COUNTS_REPEATS:-$(counts 2 0)}"); do
    rm -rf again again.txt
    piece "$program" "$ranks" scene.yaml again --steps $steps
    alike "repeat $repeat on $ranks ranks" again whole 1
  done
done
[ "$failures" -eq 0 ]
