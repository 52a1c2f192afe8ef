#!/bin/bash
# Affine bodies that nothing touches: energy, momenta, strain by temperature and by forces at points.
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/checks.bash"

closure='abs(c["kinetic_energy"] + c["elastic_energy"] - p["kinetic_energy"] - p["elastic_energy"]'
closure+=' - c["load_work"] - c["damping_work"] - c["scheme_work"])'

# a block that tumbles: momenta to rounding, energy to second order
tumble_case()
{
  cat <<END
title: an affine block that tumbles
units: SI
gravity: [0, 0, 0]
time: {step: $1, end: 2, high_frequency_ratio: 1}
materials: {stone: {density: 2500, young: 1e10, poisson: 0.2}}
bodies:
  - {box: [0.4, 0.2, 0.1], spin: [0.01, 10, 0.02], material: stone, $2 name: block}
END
}
# energy, J, in all
swing()
{
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
    {e = $n["kinetic_energy"] + $n["elastic_energy"]} NR == 2 {f = e}
    {d = e > f ? e - f : f - e; if (d > m) m = d} END {printf "%.9g\n", m / f}' "$1/history.csv"
}
tumble_case 1e-3 "elastic: affine," >tumble.yaml
tumble_case 1e-3 "" >rigid.yaml
run 1 tumble.yaml tumble && run 1 rigid.yaml rigid || finish
check "energy of a tumbling block, largest change" "$(swing tumble)" '<' 5e-6
check "the same of a rigid one" "$(swing rigid)" '<' 5e-6
check_near "affine against rigid" "$(swing tumble)" "$(swing rigid)" 1e-9
check "elastic energy of centrifugal strain, J" "$(column tumble elastic_energy)" '>' 1e-9
for axis in x y z; do
  check "angular momentum about $axis, largest change" \
    "$(largest tumble 'abs(c["angular_momentum_'$axis'"] - p["angular_momentum_'$axis'"])')" '<' 1e-14
done

# bodies that do not turn: the energy gained is the sum of the named works
cat >works.yaml <<'END'
title: affine blocks under forces at points and temperature
units: SI
gravity: [0.5, 0, -9.81]
time: {step: 1e-4, end: 0.2}
materials:
  stone: {density: 2500, young: 1e8, poisson: 0.2, damping: 1e-5, expansion: 1e-5}
contacts: [{between: [stone, stone], contact: false}]
bodies:
  - {box: [0.4, 0.2, 0.1], velocity: [1, 0, 2], material: stone, elastic: affine, name: pulled}
  - {box: [0.3, 0.2, 0.2], at: [2, 0, 0], material: stone, elastic: affine, name: warm}
loads:
  - {on: pulled, force: {cosine: {amplitude: [3e4, 0, 0], angular_frequency: 2000}}, at: [0.2, 0, 0]}
  - {on: pulled, force: {cosine: {amplitude: [-2e4, 0, 0], angular_frequency: 2000}}, at: [-0.2, 0, 0]}
  - {on: warm, temperature: {table: [[0, 0], [0.05, 40], [0.1, 10]]}}
output: {frames: {every: 0.1}}
END
run 1 works.yaml works || finish
run 3 works.yaml works3 || finish
check_same "hash on 1 and 3 ranks" "$(info works hash)" "$(info works3 hash)"
check "energy gained beyond the works, J" "$(largest works "$closure")" '<' 1e-10
check "elastic energy, J" "$(column works elastic_energy)" '>' 0.1
check "work of damping, J" "$(largest works '-c["damping_work"]')" '>' 1e-6
check "work of the time scheme, J" "$(largest works '-c["scheme_work"]')" '>' 1e-8
check "work of loads, J" "$(largest works 'c["load_work"]')" '>' 0.1

# warm for long: the strain of expansion, no stress; pulled for long: stress of the force
cat >rest.yaml <<'END'
title: affine blocks, warm and pulled, that come to rest
units: SI
gravity: [0, 0, 0]
time: {step: 1e-3, end: 0.5, high_frequency_ratio: 0.5}
materials:
  stone: {density: 2500, young: 1e9, poisson: 0.2, damping: 1e-4, expansion: 1e-5}
contacts: [{between: [stone, stone], contact: false}]
bodies:
  - {box: [0.4, 0.2, 0.1], material: stone, elastic: affine, name: warm}
  - {box: [0.4, 0.2, 0.1], at: [2, 0, 0], turn: {axis: [0, 0, 1], angle: 90}, material: stone, elastic: affine,
     name: pulled}
  - {sphere: {radius: 0.1}, at: [4, 0, 0], material: stone, elastic: affine, name: ball}
loads:
  - {on: [warm], temperature: 20}
  - {on: pulled, force: [2e4, 0, 0], at: [0.2, 0, 0], frame: body}
  - {on: pulled, force: [-2e4, 0, 0], at: [-0.2, 0, 0], frame: body}
output: {frames: {every: 0.5}}
END
sed -i 's/\[warm\]/warm/' rest.yaml
run 2 rest.yaml rest || finish
check "elastic energy at rest, J" "$(history rest 'c["elastic_energy"]')" '<' 4.0001
# 1 MPa in 0.008 m3 of 1e9 Pa
check_near "elastic energy of the pulled block, J" "$(history rest 'c["elastic_energy"]')" 4 1e-9

# what cannot be stepped is refused with the largest step and modulus
sed 's/young: 1e9/young: 1e14/' rest.yaml >stiff.yaml
"$program" check stiff.yaml >stiff.log 2>&1
check "exit code of a case too stiff for its step" $? '==' 2
check "the step it would need" "$(sed -nE 's/.*time.step to at most ([0-9.e-]+) s.*/\1/p' stiff.log)" '<' 9e-4
finish
