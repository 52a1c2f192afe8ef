#!/bin/bash
# Records of functions of time: a file and the table of its values have the same bits, on any number of ranks, in
# pieces, and in all builds; a checkpoint knows what its records hold, wherever they lie.
# test: needs python3
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
here=$(cd "$(dirname "$0")" && pwd)
rm -rf one table ranks[1-7] again moved other public* elsewhere ./*.txt   # of an earlier run

python3 - <<'END_OF_PROGRAM'
import math
pulse = [round(math.sin(0.7 * i) * math.exp(-0.002 * (i - 30) ** 2), 5) for i in range(60)] + [0.0]
with open("shake.at2", "w") as file:   # as files of the database, with doubled carriage returns
    lines = ["A RECORD", "OF A TEST", "IN UNITS OF G", "NPTS= %5d, DT= .00500 SEC" % len(pulse)]
    lines += [" ".join("%14.7E" % v for v in pulse[i:i + 5]) for i in range(0, len(pulse), 5)]
    file.write("\r\r\n".join(lines) + "\r\r\n")
rows = [(0.004 * i, math.cos(i), 0.5 * math.sin(0.3 * i), -0.25 * math.sin(0.2 * i)) for i in range(40)]
with open("push.csv", "w") as file:
    file.write("t;x;y;z\n" + "".join("%.17g;%.17g;%.17g;%.17g\n" % row for row in rows))

# the same by hand
def table(rows):
    return "{table: [%s]}" % ", ".join("[%s]" % ", ".join("%.17g" % v for v in row) for row in rows)
shake = [(i * 0.005, float("%14.7E" % v) * 9.80665, 0, 0) for i, v in enumerate(pulse)]
scaled = [(0.05 + i * 0.005, 0, float("%14.7E" % v) * (0.01 * 0.5), 0) for i, v in enumerate(pulse)]
push = [(t, x * 1000.0, y * 1000.0, z * 1000.0) for t, x, y, z in rows]
case = """units: SI
gravity: {sum: [[0, 0, -9.81], %s]}
time: {step: 1e-3, end: 0.15}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {box: [4, 4, 0.2], at: [0, 0, -0.1], material: stone, motion: {acceleration: %s}, name: floor}
  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 2, 2], spacing: [0.3, 0.3, 0.2]}, at: [-0.3, -0.3, 0.1], material: stone,
     name: stacks}
loads:
  - {on: stacks, force: {sum: [%s, {ricker: {amplitude: [0, 200, 0], frequency: 12, at: 0.05}}]}}
  - {on: stacks, torque: {sum: [{sine: {amplitude: [5, 0, 0], frequency: 30, start: 0.02, cycles: 2.5}},
     {smooth: {from: [0, 0, 1], to: [0, 0, -2], start: 0.05, duration: 0.1}}, {ramp: {to: [0, 1, 0], duration: 0.1}}]}}
solver: {tolerance: 1e-2, max_sweeps: 100}
output: {checkpoint: {steps: 50}}
"""
files = ("{file: shake.at2, unit: g, axis: x}", "{file: shake.at2, unit: gal, axis: y, scale: 0.5, start: 0.05}",
         "{file: push.csv, separator: ';', skip: 1, columns: [1, 2, 3, 4], unit: kN, after: hold}")
with open("records.yaml", "w") as file:
    file.write(case % files)
with open("tables.yaml", "w") as file:
    file.write(case % (table(shake), table([(0.0499, 0, 0, 0)] + scaled), table(push)))
END_OF_PROGRAM
[ $? -eq 0 ] || exit 1

piece "$release" 1 tables.yaml table
for ranks in $(counts "1 3 7" 3); do
  piece "$program" "$ranks" records.yaml "ranks$ranks" --set partition.every=7
  same_bits "$ranks ranks" "ranks$ranks" table
done
expect "the stacks are shaken" awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
  $n["kinetic_energy"] > most {most = $n["kinetic_energy"]} END {exit !(most > 10)}' ranks3/history.csv

# the record lies elsewhere: the same bits, and a word
mkdir elsewhere && cp shake.at2 elsewhere/other.AT2
piece "$program" 3 records.yaml again --steps 70
cp -r again moved; cp -r again other
sed 's/shake.at2/elsewhere\/other.AT2/' records.yaml >moved.yaml
piece "$program" 2 moved.yaml moved --restart
expect "another path is told of" grep -q "gravity.sum.1.file: was shake.at2, is elsewhere/other.AT2" moved.log
same_hash "another path" moved table

# it holds something else: refused, or on request
sed -i 's/elsewhere.other.AT2/shake.at2/' moved.yaml
sed -i '6s/E-0/E+0/' shake.at2
"$mpirun" 2 "$program" run records.yaml -o other --restart >refused.log 2>refused.err
expect "another record is refused" [ $? -eq 2 ]
expect "by name" grep -q -E "^  gravity.sum.1: was shake.at2 of sum [0-9a-f]{8}, is shake.at2 of sum" refused.err
expect "for both keys" grep -q "^  bodies.0.motion.acceleration: was shake.at2" refused.err
piece "$program" 2 records.yaml other --restart --allow gravity --allow bodies.0.motion.acceleration
expect "another record is allowed" grep -q "as allowed: gravity.sum.1: was shake.at2 of sum" other.log

# a record that is refused says where, once
sed -i '7s/^/x /' shake.at2
"$mpirun" 3 "$program" run records.yaml -o bad >bad.log 2>bad.err
expect "a bad record: exit code 2" [ $? -eq 2 ]
expect "a bad record: one message" [ "$(grep -c '^drystone: ' bad.err)" -eq 1 ]
expect "a bad record: file and line" \
  grep -q "^drystone: records.yaml:2:.*gravity.sum.1.file: shake.at2:7: expected a value, found 'x'$" bad.err

# public records, where they are; another build reads files of these kinds above
[ -z "$two_programs" ] || { [ "$failures" -eq 0 ]; exit; }
folder=${MASONRY_FILES:-$here/../../../shared/masonry}/records
[ -f "$folder/elCentro.AT2" ] || { echo "skipped: no public records in $folder"; [ "$failures" -eq 0 ]; exit; }
python3 - "$folder" <<'END_OF_PROGRAM'
import sys
CASE = """gravity: {sum: [[0, 0, -9.81], %s]}
time: {step: 2e-3, end: 1}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {box: [4, 4, 0.2], at: [0, 0, -0.1], material: stone, fixed: true}
  - {box: [0.2, 0.2, 1], at: [0, 0, 0.5], material: stone}
"""
for name in ("elCentro.AT2", "ARL360.at2", "A-ELC180.AT2"):
    lines = open("%s/%s" % (sys.argv[1], name), newline="").read().replace("\r", "").split("\n")
    step = float(lines[3].split("DT=")[1].split()[0])
    values = [float(word) for line in lines[4:] for word in line.split()]
    rows = ", ".join("[%.17g, %.17g, 0, 0]" % (i * step, v * 9.80665) for i, v in enumerate(values))
    open(name + "-table.yaml", "w").write(CASE % ("{table: [%s]}" % rows))
    open(name + "-file.yaml", "w").write(CASE % ("{file: '%s/%s', axis: x}" % (sys.argv[1], name)))
END_OF_PROGRAM
for name in elCentro.AT2 ARL360.at2 A-ELC180.AT2; do
  piece "$program" 1 "$name-table.yaml" "public-$name-table"
  piece "$program" 2 "$name-file.yaml" "public-$name-file"
  same_bits "$name" "public-$name-file" "public-$name-table"
done
"$program" check A-ELC180.AT2-file.yaml --set time.end=40 >after.log 2>&1
expect "a record that does not end in zero is not outlasted" grep -q "the record ends at 39.99 s with 0.00389" after.log
"$program" check A-ELC180.AT2-file.yaml --set time.end=40 --set gravity.sum.1.after=zero >after.log 2>&1
expect "unless the case says what follows" [ $? -eq 0 ]
[ "$failures" -eq 0 ]
