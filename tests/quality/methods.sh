#!/bin/bash
# Erleben's eight methods, run on tetrahedra of every body, beside the scores of his text and the contact models: all of
# them are there, the same whoever asks, and where the turn does not matter they are those of the text.
# test: needs python3 tetgen
# test: ranks 2
program="$1"
command -v tetgen >/dev/null || { echo "tetgen is not installed"; exit 77; }
"$program" quality --methods --turns 3 --json >scores.json || { echo "exit code $?"; exit 1; }
/usr/bin/python3 - scores.json <<'END' || exit 1
import json
import sys

TIPS = ["Spikes", "Spike and wedge", "Wedges"]
SCENES = TIPS + ["Spike in hole", "Spike in crack", "Wedge in crack", "Sliding spike", "Sliding wedge",
                 "Internal edges", "Cliff edges", "Pillar", "Wall", "Arch"]
METHODS = ["Closest points", "Intersection", "Vertex only", "Consistent vertex", "Volume-SAT", "Surface-SAT",
           "Opposing", "Growth"]
STATES = ["gap 0", "overlap", "step"]
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


text = json.load(open(sys.argv[1]))
check(text["turns"] == 3 and text["seed"] == 0 and text["left_out"] == [], "head")
scores = {(s["name"], s["state"], s["normals"], s["method"] or s["model"], s["as_in"]): s for s in text["scores"]}
rows = [(method, wording) for method in METHODS for wording in ("program", "text")]
rows += [(model, None) for model in ("patch", "volumetric", "lmd")]
wanted = {(name, state, normals, *row) for name in SCENES for state in STATES for row in rows
          for normals in (["right", "printed"] if name in TIPS else ["right"])}
check(set(scores) == wanted and len(text["scores"]) == len(wanted), f"{len(scores)} scores, not {len(wanted)}")
for key, score in scores.items():
    for name in ("quality", "coverage", "excess", "points"):
        low, middle, high = score[name]
        check(0 <= low <= middle <= high, f"{key}: {name} {score[name]}")
    check(("P" in score) == (key[0] in ("Internal edges", "Cliff edges", "Pillar", "Wall", "Arch")), f"{key}: P")


def same(key, quality, coverage, excess):
    score = scores[key]
    check(score["quality"] == [quality] * 3 and score["coverage"] == [coverage] * 3 and score["excess"] == [excess] * 3,
          f"{key}: {score['quality']} {score['coverage']} {score['excess']}")


# the model patch is right in every turn
for name in SCENES:
    for state in STATES[:2]:
        same((name, state, "right", "patch", None), 100, 100, 1)
# scores of Table 8 to the last digit, by its own normal
published = {(entry["name"], entry["method"]): entry for entry in text["published"]}
for name, state, method in [("Spike and wedge", "step", "Closest points"), ("Spike and wedge", "step", "Vertex only"),
                            ("Spike and wedge", "step", "Consistent vertex"), ("Spikes", "step", "Vertex only"),
                            ("Spikes", "step", "Consistent vertex"), ("Spike in crack", "gap 0", "Closest points"),
                            ("Spike in crack", "step", "Closest points"), ("Spike in hole", "gap 0", "Closest points"),
                            ("Wedge in crack", "gap 0", "Closest points"), ("Spike in crack", "step", "Intersection"),
                            ("Sliding spike", "step", "Closest points"),
                            ("Sliding spike", "step", "Consistent vertex")]:
    entry = published[name, method]
    normals = "printed" if name in TIPS else "right"
    same((name, state, normals, method, "program"), entry["quality"], entry["coverage"], entry["excess"])
    check((entry["note"] is not None) == (name in TIPS or method == "Intersection"), f"note of {name}, {method}")
# where the text has 0 by its own normal, most are right by the other one
for name in TIPS:
    check(scores[name, "step", "printed", "Volume-SAT", "program"]["quality"] == [0] * 3, f"printed side of {name}")
    check(scores[name, "step", "right", "Volume-SAT", "program"]["quality"][0] > 50, f"right side of {name}")
print(f"{len(scores)} scores, {len(failures)} failures")
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
END

# other turns, other scores; the same on two ranks
"$program" quality --methods --turns 3 --seed 1 --json >other.json || { echo "another seed: exit code $?"; exit 1; }
cmp -s scores.json other.json && { echo "the seed changes nothing"; exit 1; }
"$(dirname "$0")/../mpirun.sh" 2 "$program" quality --methods --turns 3 --json >scores2.json ||
  { echo "two ranks failed"; exit 1; }
cmp scores.json scores2.json || exit 1
# normals that shrinking turned by a degree or two are right within 3
"$program" quality --methods --turns 2 --within 0.05 --json >near.json || { echo "--within: exit code $?"; exit 1; }
/usr/bin/python3 - scores.json near.json <<'END' || exit 1
import json
import sys

exact, near = [{(s["name"], s["state"], s["normals"], s["method"] or s["model"], s["as_in"]): s["quality"][1]
                for s in json.load(open(path))["scores"]} for path in sys.argv[1:]]
key = "Arch", "gap 0", "right", "Closest points", "program"
assert exact[key] < 40 < 60 < near[key], (exact[key], near[key])
END
# the table fits a terminal and says how scores of the text were made
"$program" quality --methods --turns 1 >text.txt || { echo "no text"; exit 1; }
grep -n -E '.{101}| $' text.txt && { echo "lines that are too long or end with blanks"; exit 1; }
grep -q 'do not slide' text.txt && grep -q '^Wall, after one step: 852 needed$' text.txt &&
  [ "$(grep -c '^Growth ' text.txt)" = 48 ] && [ "$(grep -c '^patch ' text.txt)" = 39 ] || { echo "text.txt"; exit 1; }

# refusals, and bodies that nobody cuts
DRYSTONE_TETGEN=./no-such-program "$program" quality --methods >left_out.txt
code=$?
[ "$code" = 2 ] && grep -q "left out: all scores, since .*no-such-program" left_out.txt ||
  { echo "without tetgen: exit code $code"; cat left_out.txt; exit 1; }
for words in "--turns 3" "--seed 1" "--within 0.1" "--methods --fine" "--methods --turns 0" "--methods --within 2"; do
  # shellcheck disable=SC2086   # words
  "$program" quality $words >refused.txt 2>&1
  code=$?
  [ "$code" = 2 ] && [ "$(wc -l <refused.txt)" = 1 ] || { echo "$words: exit code $code"; cat refused.txt; exit 1; }
done
exit 0
