#!/bin/bash
# Three hundred stones dropped into a box with e = 0 come to rest: no pops, energy decays, overlaps vanish; a thousand
# copies of a mesh are one shape.
# test: needs tetgen
# test: slow
# test: timeout 1200
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
job=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../jobs/rubble" && pwd)
run 1 "$job/rubble.yaml" rubble --set output.frames.every=0

# contacts without restitution only take energy, but for the solver's tolerance; 2 kJ are at stake
check "largest work of contacts in a step, J" "$(largest rubble 'c["contact_work"]')" '<' 1e-3
check "largest work of corrections in a step, J" "$(largest rubble 'c["correction_work"]')" '<' 1e-3
check "kinetic energy while falling, J" "$(largest rubble 'c["kinetic_energy"]')" '>' 2000
# A quarter of it is left after 0.3 s, counted from where the last stones have landed: one that slips or rolls late
# may hold on to what it has for one of these times.
landed=$(largest rubble 'c["time"] > 0.9 ? c["kinetic_energy"] : 0')
check "largest kinetic energy after 0.9 s, J" "$landed" '<' 100
for quarters in 1 2 3; do
  from=$(awk -v n=$quarters 'BEGIN {print 0.9 + 0.3 * n}' </dev/null)
  energy=$(largest rubble "c[\"time\"] > $from ? c[\"kinetic_energy\"] : 0")
  check "largest kinetic energy after $from s, J" "$energy" '<' \
    "$(awk -v n=$quarters -v e="$landed" 'BEGIN {print e / 4 ^ n}' </dev/null)"
done
check "kinetic energy at the end, J" "$(info rubble kinetic_energy)" '<' 0.02

# the smallest stone is 0.08 m wide: a ten-thousandth of it
check "largest overlap in the last 0.2 s, m" "$(largest rubble 'c["time"] > 2 ? c["penetration"] : 0')" '<' 8e-6
check "pairs without a patch in the last 0.5 s" "$(largest rubble 'c["time"] > 1.1 ? c["failed_pairs"] : 0')" == 0
check_same "bodies" "$(info rubble bodies)" 305
check "mass is constant" "$(largest rubble 'abs(c["mass"] - p["mass"])')" == 0

# each mesh is stored once, whatever the number of entries and copies
cp "$(dirname "${BASH_SOURCE[0]}")/../meshes/torus.obj" .
{
  echo "gravity: [0, 0, 0]"
  echo "time: {step: 1e-3, end: 1e-3}"
  echo "materials: {stone: {density: 2600}}"
  echo "contacts: [{between: [stone, stone]}]"
  echo "bodies:"
  echo "  - {grid: {mesh: torus.obj, count: [10, 10, 5], spacing: [6, 6, 2]}, material: stone}"
  for i in $(seq 500); do echo "  - {mesh: torus.obj, at: [$((6 * i)), -10, 0], material: stone}"; done
} >copies.yaml
check_same "shapes of a thousand copies" \
  "$("$program" check copies.yaml | sed -nE 's/^shapes *([0-9]+),.*/\1/p')" 1
finish
