#!/bin/bash
# drystone check of large cases: as many loads as bodies with a name, and an inlet of two thousand million stones. The
# limits on processor time are ten times what the programs take, half of what work by pairs of names would take, and a
# thousandth of what work by stones would.
# test: ranks 3
program=$(realpath "$1")
mpirun=$(cd "$(dirname "$0")/.." && pwd)/mpirun.sh
failures=0
fail() { echo "FAILED  $1"; failures=$((failures + 1)); }

names=60000
{
  printf '%s\n' 'gravity: [0, 0, -9.81]' 'time: {step: 1e-3, end: 1}' 'materials: {stone: {density: 1000}}' \
    'contacts: [{between: [stone, stone], friction: 0.5}]' bodies:
  seq "$names" | awk '{ printf "  - {box: [1, 1, 1], at: [%d, %d, 0], material: stone, name: b%d}\n",
    $1 % 500 * 2, $1 / 500 * 2, $1 }'
  echo loads:
  seq "$names" | awk '{ printf "  - {on: b%d, force: [1, 0, 0]}\n", $1 }'
} >names.yaml
(ulimit -t 15 && "$program" check names.yaml) >out.txt 2>err.txt ||
  { fail "a load for each of $names names"; head -n 3 err.txt; }
grep -q "^loads  *$names, on $names bodies$" out.txt || fail "loads on all bodies"

# stones COUNT WIDTH HIGH: a case whose inlet of that many stones lies in a domain up to that height
stones()
{
  cat <<END_OF_FILE
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 10}
materials: {stone: {density: 2500}}
contacts: [{between: [stone, stone], friction: 0.5}]
domain: {low: [-20, -20, -20], high: [20, 20, $3]}
bodies:
  - stones:
      shapes: [{random: {points: 12, variety: 10}}, {sphere: {radius: 0.5}}]
      sizes: {table: [[0.06, 0], [0.08, 1]], by: number, classes: 3}
      inlet: {size: [$2, $2], count: $1}
    at: [0, 0, 5]
    velocity: [0, 0, -2]
    material: stone
END_OF_FILE
}

stones 2000000000 20 6 >inlet.yaml
for ranks in 1 3; do
  (ulimit -t 20 && "$mpirun" $ranks "$program" check inlet.yaml) >out.txt 2>err.txt ||
    { fail "an inlet of 2e9 stones, $ranks ranks"; head -n 3 err.txt; }
  for line in 'bodies +2000000000 \(2000000000 dynamic, 0 fixed\)$' 'mass +about [0-9.]+e\+08 kg dynamic, ' \
    'bounding box within \[-10, -10, 4\.9[0-9]*\] to \[10, 10, 5\.0[0-9]*\] m$'; do
    grep -q -E "^$line" out.txt || { fail "no line '$line'"; cat out.txt; }
  done
done

# a domain that cuts through the layers: some stone of the first ones is outside
stones 2000000000 20 5.001 >cut.yaml
(ulimit -t 20 && "$program" check cut.yaml) >out.txt 2>err.txt
[ $? -eq 2 ] && grep -q 'appears at .*outside the domain' err.txt || { fail "stones outside the domain"; cat err.txt; }

# what is expected of stones and what is drawn: within a hundredth
mass() { "$program" check "$1" | awk '$1 == "mass" { print $2 == "about" ? $3 : $2 }'; }
stones 1000000 2 6 >few.yaml
stones 1000001 2 6 >more.yaml
few=$(mass few.yaml)
more=$(mass more.yaml)
awk -v a="$few" -v b="$more" 'BEGIN { exit !(a > 0 && b / a > 0.995 && b / a < 1.005) }' ||
  fail "mass $few and $more kg"

[ $failures -eq 0 ] || exit 1
echo "large cases are checked"
