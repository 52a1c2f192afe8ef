#!/bin/bash
# Fine meshes of Erleben's pillar: asked for as in the text, and which were made, body by body.
# test: needs python3 tetgen
# test: slow
# test: early
# test: timeout 600
program="$1"
command -v tetgen >/dev/null || { echo "tetgen is not installed"; exit 77; }
"$program" quality --fine >text.txt || { echo "exit code $?"; exit 1; }
grep -n -E '.{101}| $' text.txt && { echo "lines that are too long or end with blanks"; exit 1; }
"$program" quality --fine --json >scores.json || { echo "JSON: exit code $?"; exit 1; }
/usr/bin/python3 - scores.json <<'END'
import json
import sys

text = json.load(open(sys.argv[1]))
meshes = text["fine_meshes"]
assert sorted(body for mesh in meshes for body in mesh["bodies"]) == list(range(8)), meshes
for mesh in meshes:
    assert mesh["name"] == "Pillar" and mesh["ratio_asked"] == 1.015 and mesh["tetrahedra"] > 100, mesh
    as_asked = mesh["ratio"] == 1.015 and mesh["reason"] is None
    instead = mesh["ratio"] == 1.1 and any(
        reason in mesh["reason"]
        for reason in ("came to no end with 50000 points added", "has no volume"))   # flat on the grid
    assert as_asked or instead, mesh
# the second block of the pillar is one where TetGen reaches the ratio of the text
assert any(mesh["ratio"] == 1.015 for mesh in meshes), meshes
fine = [entry for entry in text["reference"] if entry["variant"].startswith("meshed fine")]
assert [entry["variant"] for entry in fine] == ["meshed fine, gap 0", "meshed fine, overlap"], fine
for entry in fine:
    assert entry["quality"] == 100 and entry["coverage"] == 100 and entry["points"] == 40, entry
    assert entry["parts"] == sum(mesh["tetrahedra"] * len(mesh["bodies"]) for mesh in meshes), entry
END
