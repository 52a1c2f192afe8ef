#!/bin/bash
# What ranks count: known numbers of a tiny scene, sums that the history knows too, restarts on other numbers of ranks
# without a gap or a repetition, and that counting changes nothing.
# test: needs python3 python3-h5py python3-numpy
# test: ranks 4
# test: timeout 300
source "$(dirname "$0")/runs.bash"
tests=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
rm -rf row whole parts none ./*.txt   # of an earlier run

# a row of turning blocks, half of it on each rank; the pair at the middle is swept before the others of its two bodies
cat >row.yaml <<'END'
units: SI
gravity: [0, 0, 0]
time: {step: 1e-3, end: 1}
materials:
  stone: {density: 1000}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {grid: {box: [1, 1, 1], count: [40, 1, 1], spacing: [1, 0, 0]}, at: [0, 0, 0], material: stone,
     spin: [0.1, 0.02, 0.03]}
solver: {method: gauss-seidel, tolerance: 1e-14, max_sweeps: 12}
output:
  ranks: {every: 1}
END

cat >pile.yaml <<'END'
units: SI
gravity: [0, 2, -9.81]
time: {step: 2e-3, end: 0.24}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.2}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.3, 0.3], count: [3, 2, 3], spacing: [0.4, 0.35, 0.31]}, at: [-0.5, 0, 0.16], material: stone,
     spin: [0.5, 0.3, 0.1], name: heap}
partition: {every: 9}
output:
  checkpoint: {steps: 50}
  ranks: {every: 7}
END

piece "$program" 2 row.yaml row --steps 3
piece "$program" 3 pile.yaml whole --steps 120 --set output.ranks.every=1
piece "$program" 3 pile.yaml none --steps 120 --set output.ranks.every=0
piece "$program" 3 pile.yaml parts --steps 33
piece "$program" 1 pile.yaml parts --steps 50 --restart
piece "$program" 4 pile.yaml parts --steps 51 --restart
piece "$program" 2 pile.yaml parts --steps 120 --restart
same_bits "counting or not" none whole
same_bits "in pieces" parts whole
expect "nothing counted, nothing written" [ "$(find none -name 'ranks-*' | wc -l)" -eq 0 ]

check() { PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/../io/python "$python" - "$@"; }
expect "spans and sums" check whole parts <<'END'
import csv, sys
import drystone, numpy
for folder in sys.argv[1:]:
    ranks = drystone.open(folder).ranks()
    history = {key: numpy.array([float(row[key]) for row in csv.DictReader(open(folder + "/history.csv"))])
               for key in ("points", "bodies", "ghosts", "work", "moved_bodies", "sweeps", "colours")}
    assert ranks["first_step"][0] == 1 and ranks["step"][-1] == 120, ranks["step"]
    assert (ranks["first_step"][1:] == ranks["step"][:-1] + 1).all(), ranks["step"]
    at = ranks["step"] - 1
    assert (ranks["bodies"].sum(axis=1) == history["bodies"][at] + 1).all()
    assert (ranks["contacts"].sum(axis=1) == history["points"][at]).all()
    assert (ranks["points"] >= ranks["contacts"]).all()
    assert (ranks["ghosts"].max(axis=1) == history["ghosts"][at]).all()
    spans = [slice(a - 1, b) for a, b in zip(ranks["first_step"], ranks["step"])]
    for name, column in ("work", "work"), ("migrated", "moved_bodies"):
        assert (ranks[name].sum(axis=1) == [history[column][s].sum() for s in spans]).all(), name
    assert (ranks["colours"].max(axis=1) == history["colours"][at]).all()
    assert ranks["work"].sum() > 0 and ranks["migrated"].sum() > 0 and ranks["memory"].min() > 0
    assert (ranks["messages"] >= ranks["sweep_messages"] + ranks["inner_messages"]).all()
    assert (ranks["bytes"] >= ranks["sweep_bytes"] + ranks["inner_bytes"]).all()
    assert (ranks["sweeps"].max(axis=1) == ranks["sweeps"].min(axis=1)).all()
    present = (~numpy.ma.getmaskarray(ranks["bodies"])).sum(axis=1)
    if folder == "parts":
        expected = numpy.select([ranks["step"] <= 33, ranks["step"] <= 50, ranks["step"] <= 51], [3, 1, 4], 2)
        assert (present == expected).all(), present
        assert ranks["messages"][present == 1, 0].max() == 0 and ranks["wait"][present == 1, 0].max() == 0
        assert ranks["collectives"][present > 1].min() > 0 and ranks["wait"][present > 1].min() > 0
        assert ranks["messages"].max() > 0
    else:
        assert (present == 3).all() and (ranks["steps"] == 1).all()
END

# one message of 48 bytes refreshes the other rank's copy: after each measurement of the residual, which follow sweeps
# 1, 2, 3, 5, 10 and the last one, and after each sweep that is not the last
expect "messages of a row" check row <<'END'
import csv, sys
import drystone, numpy
ranks = drystone.open("row").ranks()
sweeps = [int(row["sweeps"]) for row in csv.DictReader(open("row/history.csv"))]
assert sweeps[0] > 3, sweeps
for i, n in enumerate(sweeps):
    measured = sum(k <= 3 or k % 5 == 0 or k == 12 for k in range(1, n + 1))
    messages = measured + n - (n > 0)
    assert (ranks["sweeps"][i] == n).all(), (i, n, ranks["sweeps"][i])
    assert (ranks["sweep_messages"][i] == messages).all(), (i, n, messages, ranks["sweep_messages"][i])
    assert (ranks["sweep_bytes"][i] == 48 * messages).all()
assert (ranks["neighbours"] == 1).all() and (ranks["ghosts"] == 1).all() and (ranks["bodies"] == 20).all()
assert (ranks["inner"] == 0).all() and (ranks["inner_messages"] == 0).all()
END

# back to an older checkpoint: the records behind it are of a future that was given up
newest=$(ls parts/checkpoint-*.h5 | tail -n 1)
printf 'xxxx' | dd of="$newest" bs=1 seek=5000 conv=notrunc status=none
older=$(ls parts/checkpoint-*.h5 | tail -n 2 | head -n 1 | tr -dc 0-9 | sed 's/^0*//; s/5$//')
piece "$program" 3 pile.yaml parts --steps "$older" --restart
expect "a file is cut back to the checkpoint" check "$older" <<'END'
import sys
import drystone
ranks = drystone.open("parts").ranks()
assert ranks["step"][-1] == int(sys.argv[1]), (ranks["step"], sys.argv)
assert (ranks["first_step"][1:] == ranks["step"][:-1] + 1).all() and ranks["first_step"][0] == 1
assert ranks["bodies"].sum(axis=1)[-1] == 19
END
last=$(ls parts/ranks-*.h5 | tail -n 1)
printf 'xxxxxxxx' | dd of="$last" bs=1 conv=notrunc status=none
piece "$program" 2 pile.yaml parts --steps $((older + 3)) --restart
expect "a damaged file is named" grep -q "$(basename "$last") cannot be cut back" parts.log
piece "$program" 2 pile.yaml parts --steps 20 --overwrite
expect "another run begins anew" [ "$(find parts -name 'ranks-*' | wc -l)" -eq 1 ]
[ "$failures" -eq 0 ]
