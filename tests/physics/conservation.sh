#!/bin/bash
# What a step conserves: momentum always, angular momentum without correction of positions, energy by the works of
# loads, contacts and correction.
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# blocks that fly, tumble and collide in free space; one law per restitution
collision_case()
{
  cat <<END
title: blocks that collide in free space
units: SI
gravity: [0, 0, 0]
time: {step: 1e-3, end: 0.6}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.4, restitution: $1}]
bodies:
  - {box: [1, 0.8, 0.6], at: [0, 0, 0], velocity: [1, 0.1, 0], spin: [0.3, 0.2, 0.5], material: stone}
  - {box: [0.7, 0.7, 0.9], at: [1.2, 0.1, 0.1], velocity: [-2, 0, 0.1], spin: [-0.4, 0.1, 0.2], material: stone}
  - {hull: [[0.4, 0, 0], [-0.3, 0.4, 0], [-0.3, -0.4, 0], [0, 0, 0.6], [0, 0.1, -0.5]], at: [-1.1, 0.2, 0.1],
     velocity: [2.5, -0.1, 0], spin: [0.1, 1.0, 0.3], material: stone}
  - {box: [0.5, 0.5, 0.5], at: [0.2, 1.4, 0.1], velocity: [0, -1.5, 0], spin: [0.5, 0.5, -0.5], material: stone}
END
}

# size of the change of a vector over a run, relative to its scale
drift='hypot(c["NAME_x"] - f["NAME_x"], c["NAME_y"] - f["NAME_y"], c["NAME_z"] - f["NAME_z"])'
largest_drift()
{
  awk -F, "function hypot(x, y, z) {return sqrt(x * x + y * y + z * z)}
    NR == 1 {for (i = 1; i <= NF; i++) n[i] = \$i; next}
    {for (i = 1; i <= NF; i++) c[n[i]] = \$i}
    NR == 2 {for (i = 1; i <= NF; i++) f[n[i]] = \$i}
    {d = ${drift//NAME/$2}; if (d > m) m = d}
    END {printf \"%.6g\\n\", m / $3}" "$1/history.csv"
}

for restitution in 0 0.7; do
  collision_case $restitution >collision.$restitution.yaml
  for ranks in 1 3; do
    folder=collision.$restitution.$ranks
    run $ranks collision.$restitution.yaml $folder --set solver.correction=0 || continue
    check "points in contact (restitution $restitution, $ranks ranks)" "$(largest $folder 'c["points"]')" '>' 0
    check "kinetic energy lost, J" "$(largest $folder '-c["contact_work"]')" '>' 1
    # scales: sum of the bodies' |m v| and |L|, N s and N m s
    check "momentum, largest change" "$(largest_drift $folder momentum 2700)" '<' 1e-12
    check "angular momentum, largest change" "$(largest_drift $folder angular_momentum 2000)" '<' 1e-12
    check "energy: kinetic energy gained beyond the works, relative" "$(largest $folder \
      'abs(c["kinetic_energy"] - p["kinetic_energy"] - c["load_work"] - c["contact_work"]) / 4000')" '<' 1e-6
  done
  check_same "hash on 1 and 3 ranks" "$(info collision.$restitution.1 hash)" "$(info collision.$restitution.3 hash)"
done

# with correction on, its share of the angular momentum is reported; momentum is conserved still
run 2 collision.0.yaml corrected || finish
check "momentum with correction, largest change" "$(largest_drift corrected momentum 2700)" '<' 1e-12

# bodies that do not rotate: dE = W_loads + sum r.(U(n) + U(n+1))/2 to rounding
cat >fall.yaml <<'END'
title: blocks that fall on each other and come to rest
units: SI
gravity: [0.5, 0, -9.81]
time: {step: 1e-3, end: 0.5}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {box: [0.5, 0.5, 0.5], at: [0, 0, 0.26], material: stone}
  - {box: [0.5, 0.5, 0.5], at: [0, 0, 0.80], material: stone}
solver: {tolerance: 1e-13, correction: 0}
END
run 1 fall.yaml fall || finish
check "energy of bodies that do not rotate, largest error over its change" "$(largest fall \
  'abs(c["kinetic_energy"] - p["kinetic_energy"] - c["load_work"] - c["contact_work"]) / 100')" '<' 1e-10
check "work of contacts, J" "$(largest fall '-c["contact_work"]')" '>' 1

# a tumbling body: its energy follows its motion at second order in the step
tumble_case()
{
  cat <<END
title: a block that tumbles in free space
units: SI
gravity: [0, 0, 0]
time: {step: $1, end: 2}
materials: {stone: {density: 2000}}
bodies:
  - {box: [1, 0.6, 0.3], spin: [0.5, 3, 0.4], material: stone}
END
}

# largest distance of the kinetic energy from where it began, J
energy_swing()
{
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next} {e = $n["kinetic_energy"]}
    NR == 2 {f = e} {d = e > f ? e - f : f - e; if (d > m) m = d} END {printf "%.9g\n", m}' "$1/history.csv"
}
tumble_case 4e-3 >coarse.yaml
tumble_case 2e-3 >fine.yaml
run 1 coarse.yaml coarse && run 1 fine.yaml fine || finish
check_near "energy swing of a tumbling block, ratio when the step is halved" \
  "$(awk -v a="$(energy_swing coarse)" -v b="$(energy_swing fine)" 'BEGIN {print a / b}' </dev/null)" 4 0.2
check "angular momentum of a tumbling block, largest change" "$(largest_drift coarse angular_momentum 100)" '<' 1e-12
finish
