#!/bin/bash
# `drystone report` tells all it can of runs of several kinds, in pictures that are not empty, and says what is wrong
# with a folder that it cannot read.
# test: needs python3 python3-h5py python3-numpy python3-matplotlib
# test: slow
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "$1")
python=/usr/bin/python3
"$python" -c 'import h5py, numpy, matplotlib' 2>/dev/null || { echo "python3-matplotlib is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=$PWD/matplotlib
rm -rf arch box.yaml box damaged ./*.log
mkdir -p matplotlib
fail() { echo "FAILED  $*"; exit 1; }

# an arch that opens its hinges, by stages, with probes
cat >arch.yaml <<'END'
title: an arch <under> its limit
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 2}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.8}]
bodies:
  - {arch: {voussoirs: 15, radius: 10, thickness: 1.02, width: 5}, material: stone, name: arch}
  - {box: [40, 20, 1], at: [0, 0, -2.02], material: stone, fixed: true, name: floor}
stages:
  - {name: still, gravity: [0, 0, -0.01], until: {time: 0.1}}
  - {name: falls, until: {displacement: 0.5}}
output:
  frames: {every: 0.5}
  probes:
    - {name: crown, displacement: {of: arch.7}}
    - {name: left, reaction: {of: arch.15}}
END
"$program" run arch.yaml -o arch >arch.log 2>&1 || fail "the arch: $(tail -n 3 arch.log)"
# stones of several sizes in a box
cat >box.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.6}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {container: {box: [1, 1, 1], thickness: 0.1}, material: stone, name: box}
  - stones:
      shapes: [{random: {points: 12}}]
      sizes: {table: [[0.12, 0], [0.24, 1]]}
      lattice: {count: [3, 3, 3], spacing: [0.31, 0.31, 0.31]}
    at: [-0.3, -0.3, 0.2]
    material: stone
    name: stones
solver: {tolerance: 1e-4}
output: {frames: {every: 0.2}}
END
"$program" run box.yaml -o box >box.log 2>&1 || fail "the box: $(tail -n 3 box.log)"

[ "$("$program" report arch)" = arch/report.html ] || fail "the report of the arch"
[ "$("$program" report box --output elsewhere.html)" = elsewhere.html ] || fail "a report elsewhere"
"$python" "$tests/python/report_pages.py" || exit 1

# refused EXPECTED-CODE WORDS OPTION...
refused()
{
  local code=0
  "$program" report "${@:3}" >refused.log 2>&1 || code=$?
  [ $code -eq "$1" ] && grep -q -- "$2" refused.log || fail "report ${*:3}: code $code, $(cat refused.log)"
}
refused 2 "none holds no results of drystone" none
refused 2 "report needs a folder"
PYTHON3=$PWD/no-python refused 2 "cannot start .*no-python: No such file" arch
cp -r arch damaged
printf 'step,time\n1,x\n' >damaged/history.csv
refused 4 "history.csv is damaged" damaged
[ ! -e damaged/report.html.tmp ] || fail "a report that failed leaves a file"
cmp -s arch/report.html damaged/report.html || fail "a report that failed changes the one before"
