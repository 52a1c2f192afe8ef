#!/bin/bash
# Spheres, whose contacts are exact: bounces, impacts, sliding and rolling with known answers. Velocities in this scheme
# are exact wherever forces are constant over a step, so most tolerances are rounding and the solver's 1e-13.
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# case_of NAME GRAVITY STEP END FRICTION RESTITUTION <bodies: writes NAME.yaml; spheres of radius 0.1 unless they say so
case_of()
{
  cat >"$1.yaml" <<END
title: $1
units: SI
gravity: $2
time: {step: $3, end: $4}
materials: {steel: {density: 1000}}
contacts: [{between: [steel, steel], friction: $5, restitution: $6}]
solver: {tolerance: 1e-13}
bodies:
$(cat)
END
}
# calculate EXPRESSION [STATEMENTS]: of radius r, mass m and moment J of such a sphere, g, and a, 30 degrees
calculate()
{
  awk "BEGIN {pi = atan2(0, -1); r = 0.1; m = 4000 * pi * r * r * r / 3; J = 0.4 * m * r * r; g = 9.81; a = pi / 6
    ${2:-}; printf \"%.17g\\n\", ($1)}" </dev/null
}
mass=$(calculate m)
inertia=$(calculate J)
floor='  - {box: [40, 40, 1], at: [0, 0, -0.5], material: steel, fixed: true}'

# of the one sphere that moves: a component of the velocity, and the size of the spin from what kinetic energy is left,
# where rounding shows as its root if the spin is nil
velocity() { history "$1" "c[\"momentum_$2\"] / $mass"; }
spin()
{
  history "$1" "sqrt(2 / $inertia * (c[\"kinetic_energy\"] - 0.5 / $mass * (c[\"momentum_x\"] * c[\"momentum_x\"] \
    + c[\"momentum_y\"] * c[\"momentum_y\"] + c[\"momentum_z\"] * c[\"momentum_z\"])))"
}

# a bounce loses 1 - e^2 of the energy: of what is left before the n-th impact, e^(2 n - 2); an impact may come a step
# late or early, which changes the speed by g h, 2.2e-3 of the energy at the first and 3.5e-3 at the third
case_of bounce '[0, 0, -9.81]' 5e-4 1.9 0.3 0.8 <<<"$floor
  - {sphere: {radius: 0.1}, at: [0, 0, 1.1], material: steel}"
impact_energy()
{
  awk -F, -v wanted="$2" -v whole="$(calculate 'm * g')" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
    {e = $n["kinetic_energy"]; if (last > 0.05 * whole && e < 0.9 * last && ++count == wanted)
      printf "%.6g\n", last / whole; last = e}' "$1/history.csv"
}
run 1 bounce.yaml bounce
check_near "energy before the first impact over m g h" "$(impact_energy bounce 1)" 1 2.5e-3
check_near "before the second, e^2" "$(impact_energy bounce 2)" 0.64 2.5e-3
check_near "before the third, e^4" "$(impact_energy bounce 3)" 0.4096 2.5e-3
check_near "no spin from a straight fall, rad/s" "$(spin bounce)" 0 5e-6

# e = 0: it stays where it falls; its overlap goes to the slop, 1e-5 of the diameter
case_of rest '[0, 0, -9.81]' 1e-3 1.5 0.3 0 <<<"$floor
  - {sphere: {radius: 0.1}, at: [0, 0, 0.3], material: steel}"
run 1 rest.yaml rest
check "energy at rest, J" "$(history rest 'c["kinetic_energy"]')" '<' 1e-20
check "points at rest" "$(history rest 'c["points"]')" '==' 1
check "overlap at rest, m" "$(history rest 'c["penetration"]')" '<' 2.01e-6

# central impact of masses 1 : 8 at 4.5 m/s along (1, 2, 2) / 3, e = 0.6: energy and momentum give both velocities
case_of impact '[0, 0, 0]' 1e-3 0.2 0.5 0.6 <<<'  - {sphere: {radius: 0.1}, velocity: [1, 2, 2], material: steel}
  - {sphere: {radius: 0.2}, at: [0.2, 0.4, 0.4], velocity: [-0.5, -1, -1], material: steel}'
run 1 impact.yaml impact
after=$(calculate '0.5 * m * (u * u + 8 * w * w)' \
  'u = (3 - 8 * 1.5 - 0.6 * 8 * 4.5) / 9; w = (3 - 8 * 1.5 + 0.6 * 4.5) / 9')
check_near "energy after a central impact, relative" "$(history impact "c[\"kinetic_energy\"] / $after")" 1 1e-12
for axis in x:1 y:2 z:2; do
  check_near "momentum along ${axis%:*}" "$(history impact "c[\"momentum_${axis%:*}\"] / $mass")" \
    "$(calculate "-9 * ${axis#*:} / 3")" 1e-12
done

# a row at e = 1. Balls apart hit one after another: the last one leaves with all of it. Balls that touch are one
# impact: Newton's law for all contacts at once gives -1/3, 2/3, 2/3 of the speed. It is half way through step 10.
case_of row '[0, 0, 0]' 1e-3 0.1 0.3 1 <<<'  - {sphere: {radius: 0.1}, velocity: [2, 0, 0], material: steel}
  - {grid: {sphere: {radius: 0.1}, count: [4, 1, 1], spacing: [0.205, 1, 1]}, at: [0.205, 0, 0], material: steel}'
run 1 row.yaml row
check_near "momentum of a row" "$(velocity row x)" 2 1e-12
check_near "its energy over m" "$(history row "c[\"kinetic_energy\"] / $mass")" 2 1e-12
check "the ball that goes on" "$(info row farthest_body)" '==' 4
check_near "way of the last ball, m: 2 m/s less the way of the others, 4 impacts half a step off" \
  "$(info row largest_displacement)" 0.18 4e-3
case_of cradle '[0, 0, 0]' 1e-3 0.1 0.3 1 <<<'  - {sphere: {radius: 0.1}, velocity: [2, 0, 0], material: steel}
  - {grid: {sphere: {radius: 0.1}, count: [2, 1, 1], spacing: [0.2, 1, 1]}, at: [0.219, 0, 0], material: steel}'
run 1 cradle.yaml cradle
check_near "way of touching balls, 2/3 of the speed" "$(info cradle largest_displacement)" \
  "$(calculate '4 / 3 * 90.5e-3')" 1e-12
check_near "energy over m" "$(history cradle "c[\"kinetic_energy\"] / $mass")" 2 1e-12

# oblique impact at (3, -2) m/s, e = 0.5: the tangential impulse is mu (1 + e) 2 m while that is less than 2/7 of 3 m,
# and then what ends in rolling
for friction in 0.2 0.5; do
  case_of oblique$friction '[0, 0, 0]' 1e-3 0.1 $friction 0.5 <<<"$floor
  - {sphere: {radius: 0.1}, at: [0, 0, 0.2], velocity: [3, 0, -2], material: steel}"
  run 1 oblique$friction.yaml oblique$friction
  lost=$(calculate "$friction * 3 < 6 / 7 ? $friction * 3 : 6 / 7")
  check_near "speed along the floor" "$(velocity oblique$friction x)" "$(calculate "3 - $lost")" 1e-12
  check_near "speed off the floor" "$(velocity oblique$friction z)" 1 1e-12
  check_near "spin" "$(spin oblique$friction)" "$(calculate "2.5 * $lost / r")" 1e-10
done

# down 30 degrees: rolling with 5/7 g sin a above mu = 2/7 tan a = 0.16496, below it sliding and spinning up
slope="[$(calculate 'g * sin(a)'), 0, $(calculate '-g * cos(a)')]"
for friction in 0 0.1 0.1649 0.165 0.8; do
  case_of slope$friction "$slope" 1e-3 1 $friction 0 <<<"$floor
  - {sphere: {radius: 0.1}, at: [-10, 0, 0.1], material: steel}"
  run 1 slope$friction.yaml slope$friction
  rolls=$(calculate "$friction >= 2 / 7 * sin(a) / cos(a)")
  speed=$(calculate "$rolls ? 5 / 7 * g * sin(a) : g * (sin(a) - $friction * cos(a))")
  turning=$(calculate "$rolls ? $speed / r : 2.5 * $friction * g * cos(a) / r")
  check_near "friction $friction: speed after 1 s" "$(velocity slope$friction x)" "$speed" 1e-10
  check_near "friction $friction: spin" "$(spin slope$friction)" "$turning" \
    $([ $friction = 0 ] && echo 5e-6 || echo 1e-9)
  check_near "friction $friction: way" "$(info slope$friction largest_displacement)" "$(calculate "$speed / 2")" 1e-10
done

# a sliding start rolls after 2/7 (v - r w) / (mu g), at v = (5 v + 2 r w) / 7 whatever mu is; backspin brings it back
for start in 0 -30 -60; do
  case_of slide$start '[0, 0, -9.81]' 1e-3 0.9 0.3 0 <<<"$floor
  - {sphere: {radius: 0.1}, at: [0, 0, 0.1], velocity: [2, 0, 0], spin: [0, $start, 0], material: steel}"
  run 1 slide$start.yaml slide$start
  speed=$(calculate "(10 + 2 * r * ($start)) / 7")
  check_near "start at $start rad/s: speed" "$(velocity slide$start x)" "$speed" 1e-10
  check_near "its spin, rolling" "$(spin slide$start)" "$(calculate "($speed) < 0 ? -($speed) / r : ($speed) / r")" 1e-9
  rolls=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next} $n["sticking"] == 1 {print $n["time"]; exit}' \
    slide$start/history.csv)
  check_near "time of rolling, to the end of its step" "$rolls" \
    "$(calculate "2 / 7 * (2 - r * ($start)) / (0.3 * g) + 0.5e-3")" 0.51e-3
done
run 1 slide-30.yaml smooth --set contacts.0.friction=0
check_near "without friction: speed" "$(velocity smooth x)" 2 1e-13
check_near "without friction: spin" "$(spin smooth)" 30 1e-10

# a floor of tiles as one body: no bump at their joints, in both orders of ids
tiles='  - parts:'
for x in 0 1 2 3 4 5 6 7; do
  for y in -0.25 0.25; do
    tiles+=$'\n'"      - {box: [0.3, 0.5, 0.2], at: [$(calculate "0.3 * $x"), $y, -0.1]}"
  done
done
tiles+=$'\n    material: steel\n    fixed: true'
ball='  - {sphere: {radius: 0.1}, at: [0, 0, 0.1], velocity: [2, 0.05, 0], spin: [-0.5, 20, 0], material: steel}'
for order in first last; do
  [ $order = first ] && bodies="$ball"$'\n'"$tiles" || bodies="$tiles"$'\n'"$ball"
  case_of tiles_$order '[0, 0, -9.81]' 1e-3 1 0.5 0 <<<"$bodies"
  run 1 tiles_$order.yaml tiles_$order
  check_near "speed over tiles, sphere $order" "$(velocity tiles_$order x)" 2 1e-12
  check_near "speed across" "$(velocity tiles_$order y)" 0.05 1e-12
  check "largest vertical speed" "$(largest tiles_$order "abs(c[\"momentum_z\"]) / $mass")" '<' 1e-12
  check "most points" "$(largest tiles_$order 'c["points"]')" '==' 1
  check "fewest points" "$(largest tiles_$order '-c["points"]')" '==' -1
  check "overlap, m" "$(largest tiles_$order 'c["penetration"]')" '<' 1e-14
done

# in a groove of two wedges at 45 degrees each wall carries W / sqrt(2): friction along the groove slows the sphere by
# sqrt(2) mu g and turns it up by 5/2 mu g / r while it slides
case_of groove '[0, 0, -9.81]' 1e-3 0.1 0.2 0 <<<'  - {wedge: [1, 20, 1], at: [0.5, 0, 0], material: steel, fixed: true}
  - {wedge: [1, 20, 1], at: [-0.5, 0, 0], turn: {axis: [0, 0, 1], angle: 180}, material: steel, fixed: true}
  - {sphere: {radius: 0.1}, at: [0, 0, 0.14142135623730951], velocity: [0, 2, 0], material: steel}'
run 1 groove.yaml groove
check "points in a groove" "$(history groove 'c["points"]')" '==' 2
check_near "speed after 0.1 s along a groove" "$(velocity groove y)" "$(calculate '2 - sqrt(2) * 0.02 * g')" 1e-10
check_near "its spin" "$(spin groove)" "$(calculate '2.5 * 0.02 * g / r')" 1e-9

# in the corner of an L floor and wall carry W each under gravity between them: two points of one pair of bodies
case_of corner '[-9.81, 0, -9.81]' 1e-3 0.1 0.1 0 <<<'  - {parts: [{box: [2, 20, 1], at: [1, 0, -0.5]},
     {box: [1, 20, 2], at: [-0.5, 0, 0]}], material: steel, fixed: true}
  - {sphere: {radius: 0.1}, at: [0.1, 0, 0.1], velocity: [0, 2, 0], material: steel}'
run 1 corner.yaml corner
check "points in a corner" "$(history corner 'c["points"]')" '==' 2
check "pairs of bodies" "$(history corner 'c["pairs"]')" '==' 1
check_near "speed after 0.1 s along a corner" "$(velocity corner y)" "$(calculate '2 - 0.02 * g')" 1e-10
check_near "its spin" "$(spin corner)" "$(calculate 'sqrt(2) * 2.5 * 0.01 * g / r')" 1e-9

# a sphere that is inside a block when the run begins is named
case_of inside '[0, 0, 0]' 1e-3 2e-3 0.1 0 <<<"$floor
  - {sphere: {radius: 0.1}, at: [0, 0, -0.3], material: steel}"
run 1 inside.yaml inside
check "spheres inside a body" "$(history inside 'c["failed_pairs"]')" '==' 1
check "and said so" "$(grep -c '1 pair of parts overlaps too deep for a patch and got one point, .* bodies 0 and 1' \
  inside.log)" '>' 0

# a cloud that implodes in free space: momenta to rounding; energy by the work of contacts, for turning does not change
# a sphere; the same bits on 3 ranks. The scales are the sums of |m v| and |x| |m v| of the bodies.
case_of cloud '[0, 0, 0]' 1e-3 0.3 0.4 0.7 <<<'  - {grid: {sphere: {radius: 0.1}, count: [3, 3, 2],
     spacing: [0.25, 0.23, 0.24]}, at: [-0.7, -0.3, -0.1], turn: {axis: [1, 2, 3], angle: 10}, velocity: [2, 0.2, 0],
     spin: [5, 20, -10], material: steel}
  - {grid: {sphere: {radius: 0.13}, count: [2, 3, 2], spacing: [0.3, 0.27, 0.3]}, at: [0.6, -0.3, -0.1],
     velocity: [-3, 0, 0.1], spin: [0, 0, 40], material: steel}'
drift()
{
  awk -F, "NR == 1 {for (i = 1; i <= NF; i++) n[\$i] = i; next}
    {d = 0; for (k = 1; k <= 3; k++) {i = n[\"$2_\" substr(\"xyz\", k, 1)]; if (NR == 2) first[k] = \$i
      d += (\$i - first[k]) ^ 2} if (d > most) most = d} END {printf \"%.6g\\n\", sqrt(most) / $3}" "$1/history.csv"
}
for ranks in 1 3; do
  run $ranks cloud.yaml cloud.$ranks --set solver.correction=0 --set solver.tolerance=1e-9 --set partition.every=10
  check "most points ($ranks ranks)" "$(largest cloud.$ranks 'c["points"]')" '>' 3
  check "momentum, largest change" "$(drift cloud.$ranks momentum 480)" '<' 1e-12
  check "angular momentum, largest change" "$(drift cloud.$ranks angular_momentum 400)" '<' 1e-12
  check "energy lost, J" "$(largest cloud.$ranks '-c["contact_work"]')" '>' 1
  check "energy beyond the work of contacts, relative" \
    "$(largest cloud.$ranks 'abs(c["kinetic_energy"] - p["kinetic_energy"] - c["contact_work"]) / 500')" '<' 1e-12
done
check_same "hash on 1 and 3 ranks" "$(info cloud.1 hash)" "$(info cloud.3 hash)"
finish
