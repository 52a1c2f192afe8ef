#!/bin/bash
# Erleben's suite: every score that is promised, in the text that drystone quality writes for programs.
# test: needs python3 tetgen
# test: ranks 2
program="$1"
command -v tetgen >/dev/null || { echo "tetgen is not installed"; exit 77; }
"$program" quality --json >scores.json
code=$?
[ "$code" = 0 ] || echo "exit code $code"
/usr/bin/python3 - scores.json <<'END' || exit 1
import json
import sys

TEN = {"Spikes": 1, "Spike and wedge": 1, "Wedges": 2, "Spike in hole": 4, "Spike in crack": 2, "Wedge in crack": 4,
       "Sliding spike": 1, "Sliding wedge": 2, "Internal edges": 4, "Cliff edges": 4}
POINTS = dict(TEN, Pillar=40, Wall=852, Arch=56)
WHOLE_PARTS = {"Spike in hole": 5, "Spike in crack": 3, "Wedge in crack": 3, "Pillar": 8, "Wall": 81, "Arch": 14}
BODIES = {"": "gap 0", "overlap": "overlap", "raw tetrahedra": "raw tetrahedra",
          "raw tetrahedra, overlap": "raw tetrahedra, overlap"}
PROMISED = set(BODIES.values()) | {"scene turned" + (", " + name if name else "") for name in BODIES}
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


def exact(entry, tolerance):
    return all(abs(entry[key] - 1) <= tolerance
               for key in ("P", "pair_coverage_min", "pair_coverage_max", "carried_area", "pair_carried_min"))


text = json.load(open(sys.argv[1]))
seen = {}
for entry in text["cases"]:
    name, variant = entry["name"], entry["variant"]
    where = f"{name}, {variant}: {entry}"
    seen[name, variant] = True
    check(entry["quality"] == 100 and entry["coverage"] == 100 and entry["excess"] == 1, where)
    check(entry["points"] == POINTS[name] and entry["failed"] == 0, where)
    check(entry["worst_normal"] <= 1e-9 and abs(entry["Q"] - 1) <= 1e-9, where)
    check(name in TEN and name not in ("Internal edges", "Cliff edges") or exact(entry, 1e-9), where)
    check(entry["model"] == "patch" and entry["holds"], where)
    whole = WHOLE_PARTS.get(name, 2)
    check(entry["parts"] > whole if "raw" in variant else entry["parts"] == whole, where)
check(set(seen) == {(name, variant) for name in POINTS for variant in PROMISED}, f"scores are {sorted(seen)}")

reference = {(entry["name"], entry["variant"]): entry for entry in text["reference"]}
for cut in ("", ", raw tetrahedra"):
    for angle in (1e-6, 1e-4, 1e-3):
        for name in ("Pillar", "Wall", "Arch"):
            entry = reference[name, f"stones turned {angle:.0e} rad{cut}".replace("e-0", "e-")]
            where = f"{name}, {entry['variant']}: {entry}"
            check(entry["quality"] == 100 and entry["coverage"] == 100 and entry["points"] == POINTS[name], where)
            check(entry["worst_normal"] <= 1.001 * angle and entry["pair_carried_min"] >= 1 - 2e-3, where)
# the model lmd: the same but for two tips of tilted stones, where the tilt decides which normal parts them most, and
# areas of bodies that overlap
TIPS = ("Spikes", "Spike and wedge", "Wedges")
for variant in PROMISED | {f"stones turned {angle} rad" for angle in ("1e-6", "1e-4", "1e-3")}:
    tilt = float(variant.split()[2]) if "stones" in variant else 0
    for name in POINTS:
        plain = tilt == 0 and "overlap" not in variant and "gap" not in variant
        entry = reference[name, "lmd, " + variant + (", gap 0" if plain else "")]
        where = f"{name}, {entry['variant']}: {entry}"
        check(entry["model"] == "lmd" and entry["failed"] == 0 and entry["holds"], where)
        if tilt and name in TIPS:
            continue
        check(entry["quality"] == 100 and entry["coverage"] == 100, where)
        check(entry["points"] <= (1.02 if tilt else 1) * POINTS[name], where)
        check(entry["worst_normal"] <= 2 * tilt + 1e-9, where)
        if tilt:
            check(name in TEN or entry["pair_carried_min"] >= 1 - 3e-3, where)
            continue
        check(entry["points"] == POINTS[name] and entry["excess"] == 1, where)
        check("overlap" in variant or name in TEN or exact(entry, 1e-9), where)
lmd = [entry for entry in text["reference"] if entry["model"] == "lmd"]
check(len(lmd) == 11 * 13, f"{len(lmd)} scores of the model lmd")
volumetric = [entry for entry in text["reference"] if entry["model"] == "volumetric"]
check(len(volumetric) == 4 * 13, f"{len(volumetric)} scores of the model volumetric")

# Table 8: best coverage and quality of two points; Table 7
published = {(entry["name"], entry["method"]): entry for entry in text["published"]}
check(len(published) == 8 * 11 + 4, f"{len(published)} published scores")
spikes = published["Spikes", "Opposing"]
check(spikes["quality"] == 22.2 and spikes["excess"] == 18 and spikes["best"], "published Spikes")
check(published["Pillar", "Closest points"]["points"] == 188, "published Pillar")
check(published["Wall", "Opposing"]["P"] == 0.93 and published["Arch", "Opposing"]["P"] == 0.9, "published P")

# where scoring explains a score of the text, it is said beside it
for (name, method), entry in published.items():
    if name in ("Spikes", "Spike and wedge", "Wedges"):
        check("do not slide" in entry["note"], f"note of {name}, {method}: {entry['note']}")
    elif method == "Intersection" and name not in ("Internal edges", "Cliff edges", "Pillar"):
        check(entry["quality"] == 0 and "not of unit length" in entry["note"], f"note of {name}, {method}")
    else:
        check(entry["note"] is None, f"note of {name}, {method}: {entry['note']}")
check(text["left_out"] == [] and text["holds"], f"left out: {text['left_out']}")
print(f"{len(seen)} scores, {len(failures)} failures")
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
END
[ "$code" = 0 ] || exit 1

# without tetgen: whole bodies alone, said by name, another exit code
DRYSTONE_TETGEN=./no-such-program "$program" quality >left_out.txt
code=$?
[ "$code" = 2 ] || { echo "without tetgen: exit code $code"; exit 1; }
grep -q "left out: bodies of raw tetrahedra, since .*no-such-program" left_out.txt ||
  { echo "without tetgen: not said"; cat left_out.txt; exit 1; }
# tables fit a terminal; a disk that is full does not pass for one that has all of them
"$program" quality >text.txt || { echo "no text"; exit 1; }
grep -q 'do not slide' text.txt && grep -q 'Intersection: .* unit length' text.txt ||
  { echo "no note on the scores of the text"; exit 1; }
grep -n -E '.{101}| $' text.txt && { echo "lines that are too long or end with blanks"; exit 1; }
if [ -c /dev/full ]; then
  for option in "" --json; do
    # shellcheck disable=SC2086   # none or one word
    "$program" quality $option >/dev/full 2>full.txt
    code=$?
    [ "$code" = 4 ] && [ "$(grep -c 'cannot write to standard output: ' full.txt)" = 1 ] ||
      { echo "quality $option on a full disk: exit code $code"; cat full.txt; exit 1; }
  done
fi
"$program" quality nothing 2>refused.txt
code=$?
[ "$code" = 2 ] || { echo "a file given: exit code $code"; exit 1; }
# the same on several ranks, said once
"$(dirname "$0")/../mpirun.sh" 2 "$program" quality --json >scores2.json || { echo "two ranks failed"; exit 1; }
cmp scores.json scores2.json
