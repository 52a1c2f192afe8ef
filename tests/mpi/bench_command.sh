#!/bin/bash
# drystone bench: its options, its JSON, the same loads in every run; figures are not judged here.
# test: needs python3
# test: ranks 3
program=$(realpath "$1")
mpirun=$(cd "$(dirname "$0")/.." && pwd)/mpirun.sh
checks=0
failures=0

fail()
{
  echo "FAILED  $1"
  failures=$((failures + 1))
}

# refuses NAME PATTERN ARGUMENT...: exit code 2, one message that matches, nothing on standard output
refuses()
{
  local name=$1 pattern=$2 code
  shift 2
  "$program" bench "$@" >out.txt 2>err.txt </dev/null
  code=$?
  checks=$((checks + 1))
  if [ $code -ne 2 ] || [ -s out.txt ] || [ "$(grep -c '^drystone: ' err.txt)" -ne 1 ] ||
    ! grep -q -E -- "$pattern" err.txt; then
    fail "$name: code $code, wanted '$pattern', got"
    head -n 5 err.txt
  fi
}

refuses "nothing said" 'bench geometry, bench overlap, bench lmd or bench solver'
refuses "unknown bench" 'bench geometry, bench overlap, bench lmd or bench solver' friction
refuses "unknown option of solver" 'unknown option --pairs of bench solver' solver --pairs 10
refuses "unknown scene" "no scene 'wall'; there are wall-210" solver --scene wall
refuses "unknown solver" "no solver 'newton' to measure; there are gauss-seidel" solver --solver newton
refuses "no scene" '--scene needs a value' solver --scene
refuses "no repeats" "--repeats: expected a whole number from 1 to 10000, found '0'" solver --repeats 0
refuses "unknown option" 'unknown option --fast of bench overlap' overlap --fast
refuses "boxes of geometry" 'unknown option --boxes' geometry --boxes 10
refuses "pairs of overlap" 'unknown option --pairs' overlap --pairs 10
refuses "boxes of lmd" 'unknown option --boxes of bench lmd' lmd --boxes 10
refuses "no poses" "--poses: expected a whole number from 1 to 1000000, found '0'" lmd --poses 0
refuses "no value" '--pairs needs a value' geometry --pairs
refuses "no pairs" "--pairs: expected a whole number from 1 to 10000000, found '0'" geometry --pairs 0
refuses "negative" "--boxes: .*found '-5'" overlap --boxes -5
refuses "too many" "--boxes: .*found '999999999999999999999'" overlap --boxes 999999999999999999999
refuses "a text" "--repeats: .*found '3x'" geometry --repeats 3x
refuses "empty" "--repeats: .*found ''" geometry --repeats ''

# solvers, on one rank and on three, where all work: the table, and JSON whose rows are the same but for times
for ranks in 1 3; do
  checks=$((checks + 1))
  "$mpirun" $ranks "$program" bench solver --scene wall-210 --solver automatic --repeats 1 >out.txt 2>err.txt \
    </dev/null || fail "bench solver on $ranks ranks"
  grep -n -E '.{101}| $' out.txt && fail "lines of bench solver that are too long or end with blanks"
  [ "$(grep -c '^wall-210 .* automatic ' out.txt)" -eq 8 ] && grep -q "slowest of $ranks rank" out.txt ||
    fail "table of bench solver"
  "$mpirun" $ranks "$program" bench solver --scene wall-210 --solver automatic --repeats 2 --json >solver$ranks.json \
    2>err.txt </dev/null || fail "bench solver, JSON, on $ranks ranks"
done

# several problems of one scene
checks=$((checks + 1))
"$program" bench solver --scene arch-falling --solver nesterov --repeats 1 --json >falling.json </dev/null ||
  fail "bench solver of an arch that falls"

# the tables, on one rank and on three, where one answers
for bench in "geometry --pairs 50" "overlap --boxes 500" "lmd --poses 2 --triangles 1000"; do
  for ranks in 1 3; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086   # words of the option
    "$mpirun" $ranks "$program" bench $bench --repeats 2 >out.txt 2>err.txt </dev/null || fail "$bench on $ranks ranks"
    grep -n -E '.{101}| $' out.txt && fail "lines of $bench that are too long or end with blanks"
    [ "$(grep -c '^load ' out.txt)" -eq 1 ] && grep -q 'repeats; processor time' out.txt || fail "table of $bench"
  done
done

# JSON: what is promised is there, and all but the times is the same again
if command -v python3 >python.txt; then
  for run in 1 2; do
    "$program" bench geometry --pairs 60 --repeats $run --json >geometry$run.json || fail "geometry, JSON"
    "$program" bench overlap --boxes 3000 --repeats $run --json >overlap$run.json || fail "overlap, JSON"
    "$program" bench lmd --poses 3 --triangles 1280 --repeats $run --json >lmd$run.json || fail "lmd, JSON"
  done
  checks=$((checks + 1))
  python3 - <<'END_OF_SCRIPT' || fail "JSON"
import json
def rows(name, times):
    found = json.load(open(name))["rows"]
    for row in found:
        low, median, high = (row.pop(key) for key in times)
        assert 0 < low <= median <= high, (name, row)
    return found
solver = [rows(f"solver{ranks}.json", ["seconds_low", "seconds", "seconds_high"]) for ranks in (1, 3)]
for row in solver[0] + solver[1]:
    assert row.pop("ns_per_point_sweep") >= 0
assert solver[0] == solver[1] and len(solver[0]) == 8
for row in solver[0]:
    assert row["residual_max"] <= row["target"] and row["scene"] == "wall-210" and row["solver"] == "automatic"
    assert row["points"] == 1560 and row["pairs"] == 390 and row["bodies"] == 211
assert [row["start"] for row in solver[0]] == 4 * ["cold"] + 4 * ["warm"]
assert [row["target"] for row in solver[0]] == 2 * [1e-3, 1e-4, 1e-6, 1e-8]
assert min(row["sweeps"] for row in solver[0][:4]) > 0
for row in solver[0]:
    assert row["problems"] == 1 and row["missed"] == 0
falling = rows("falling.json", ["seconds_low", "seconds", "seconds_high"])
assert [row["target"] for row in falling] == [1e-3, 1e-4, 1e-6, 1e-8]
asked = 10   # problems that reached all targets before
for row in falling:
    assert row["start"] == "warm" and row["problems"] == asked and 0 < row["sweeps"] <= 2000
    assert (row["missed"] == 0) == (row["residual_max"] <= row["target"])
    asked -= row["missed"]
assert falling[0]["sweeps"] < falling[1]["sweeps"] < falling[2]["sweeps"]
geometry = [rows(f"geometry{run}.json", ["ns_low", "ns_per_pair", "ns_high"]) for run in (1, 2)]
overlap = [rows(f"overlap{run}.json", ["seconds_low", "seconds", "seconds_high"]) for run in (1, 2)]
assert geometry[0] == geometry[1] and overlap[0] == overlap[1]
lmd = [rows(f"lmd{run}.json", ["us_low", "us_per_pair", "us_high"]) for run in (1, 2)]
for row in lmd[0] + lmd[1]:
    assert row.pop("build_seconds") >= row.pop("tree_seconds") > 0 and row["requests"] > 0 and row["points"] >= 3
assert lmd[0] == lmd[1]
found = {}
for row in lmd[0]:
    found.setdefault(row["load"], {})[row["search"]] = row
assert set(found) == {"stones-320", "stones-1280", "slot-40", "slot-160", "slot-1000", "bricks"}
for searches in found.values():   # all ways find the same points
    assert {"trees", "no kinds", "turned cuts", "model"} <= set(searches)
    of_model = searches.pop("model")["points"]   # without those on the chord of their neighbours
    assert len({row["points"] for row in searches.values()}) == 1 and of_model <= searches["trees"]["points"]
    assert searches["no kinds"]["requests"] > searches["trees"]["requests"]
    assert searches["no kinds"]["nodes"] > searches["trees"]["nodes"]
kernels = {}
for row in geometry[0]:
    assert row["pairs"] == 60
    kernels.setdefault(row["load"], set()).add(row["kernel"])
loads = {"box-box", "box-resting", "box-turned", "tet-tet", "hull-20", "hull-50", "separated"}
assert set(kernels) == loads and all({"clip", "reference", "patch", "gjk"} <= k for k in kernels.values())
assert "cached plane" in kernels["separated"]
assert {row["load"] for row in overlap[0]} == {
    "random", "polydisperse", "ordered wall", "shuffled wall", "random and floors"}
assert all(row["boxes"] == 3000 and row["pairs"] > 3000 for row in overlap[0])
END_OF_SCRIPT
fi

echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
