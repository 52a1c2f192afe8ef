#!/bin/bash
# Housner's rocking block: it swings from corner to corner, and each impact leaves 1 - 1.5 sin^2 alpha of its spin
# (Housner 1963). Without restitution and with corners that stick this is the one solution of the impact: to stop at
# once would need an impulse that pulls at the old corner.
# test: ranks 3
# test: timeout 300
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"

# rock_case START STEP END: width 0.5, height 2, depth 1 m; leans by a share START of alpha on an edge at 20 degrees to
# the axes
rock_case()
{
  cat <<END
title: a rocking block
units: SI
gravity: [0, 0, -9.81]
time: {step: $2, end: $3}
materials: {stone: {density: 1000}}
contacts: [{between: [stone, stone], friction: 2, restitution: 0}]
bodies:
  - {box: [9, 9, 1], at: [0, 0, -0.5], turn: {axis: [0, 0, 1], angle: 20}, material: stone, fixed: true}
  - parts: [{box: [0.5, 1, 2], at: [0.25, 0, 1]}]
    turn: {axis: [0, 1, 0], angle: $(calculate "-($1) * alpha * 180 / pi")}
    material: stone
solver: {tolerance: 1e-9, demand_convergence: true}
END
}

# of the block: alpha, half diagonal R, mass m, p = sqrt(3 g / (4 R)), energy at rest on its foot less that at a share s
# of alpha, the share that has an energy, and the time from rest at a share to the foot: theta'' = -p^2 sin(alpha -
# theta)
calculate()
{
  awk "
    function depth(s) {return m * g * R * (cos(alpha * (1 - s)) - cos(alpha))}
    function share(e,   c) {c = e / (m * g * R) + cos(alpha); return 1 - atan2(sqrt(1 - c * c), c) / alpha}
    function f(t) {return -p * p * sin(alpha - t)}
    function fall(s,   t, w, d, k1, k2, k3, k4, time) {
      t = s * alpha
      w = 0
      d = 1e-4
      for (time = 0; t > 0; time += d) {
        k1 = f(t); k2 = f(t + d / 2 * w); k3 = f(t + d / 2 * w + d * d / 4 * k1); k4 = f(t + d * w + d * d / 2 * k2)
        t += d * w + d * d / 6 * (k1 + k2 + k3)
        w += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
      }
      return time - t / w
    }
    BEGIN {
      pi = atan2(0, -1); g = 9.81; alpha = atan2(0.25, 1); R = sqrt(1.0625); m = 1000; p = sqrt(0.75 * g / R)
      ratio = 1 - 1.5 * sin(alpha) * sin(alpha)
      printf \"%.12g\\n\", ($1)
    }" </dev/null
}

# swings FOLDER START: a line per impact with its time (of the step after which the energy is that of the next swing)
# and the ratio of spins, from the energy over that at rest at the highest place of each swing
swings()
{
  awk -F, -v level="$(calculate "depth($2)")" '
    NR == 1 {before = level; for (i = 1; i <= NF; i++) n[$i] = i; next}
    {
      kinetic = $n["kinetic_energy"]
      released += $n["load_work"] + $n["correction_work"]
      # the fastest step of a swing is the last one before an impact
      if (kinetic > fastest) {fastest = kinetic; time = $n["time"]}
      # turning: slower and then faster again
      if (kinetic > last && falling) {
        printf "%.9g %.9g\n", time, sqrt((level + last - released_last) / before)
        before = level + last - released_last
        fastest = 0
      }
      falling = kinetic < last && kinetic < 0.2 * fastest
      last = kinetic
      released_last = released
    }' "$1/history.csv"
}

# the first swing from eight angles: the impact takes a step, in which the old corner has left the floor by up to the
# way of a step, so the ratio errs by O(h) with a share that depends on where in the step the corner arrives
starts='0.4 0.43 0.46 0.5 0.53 0.56 0.6 0.63'
previous=
for step in 2e-3 1e-3 5e-4; do
  for start in $starts; do
    rock_case $start $step 1.3 >first.yaml
    run 1 first.yaml first || continue
    read -r time ratio <<<"$(swings first $start)"
    echo "$(calculate "$time - fall($start)") $(calculate "($ratio) / ratio - 1")"
  done >first.$step.list
  check_same "swings measured with steps of $step s" "$(wc -l <first.$step.list)" 8
  check "quarter periods, largest error in steps" \
    "$(awk -v h=$step '{e = $1 < 0 ? -$1 : $1; if (e > m) m = e} END {print m / h}' first.$step.list)" '<' 1.6
  error=$(awk '{s += $2 * $2} END {printf "%.6g\n", sqrt(s / NR)}' first.$step.list)
  check "ratio of spins at the impact, relative error in the mean" "$error" '<' "$(calculate "7 * $step")"
  # halved with the step; the eight phases scatter by a fifth
  [ -z "$previous" ] || check "order of that error" "$(calculate "log($previous / $error) / log(2)")" '>' 0.75
  previous=$error
done

# until it stands: each impact by itself to 1 %, and what remains after n of them; the swings between them are of second
# order, so that each lasts as long as its amplitude says, up to the steps at which it begins and ends
start=0.5
rock_case $start 5e-4 14 >rock.yaml
run 1 rock.yaml rock || finish
swings rock $start >rock.list
sum=0
amplitude=$start
product=1
for n in 1 2 3 4 5 6; do
  read -r time ratio <<<"$(sed -n ${n}p rock.list)"
  check_near "impact $n: ratio of spins" "$ratio" "$(calculate ratio)" "$(calculate '0.01 * ratio')"
  sum=$(calculate "$sum + fall($amplitude) * ($n > 1 ? 2 : 1)")
  check_near "its time, s" "$time" "$sum" "$(calculate "1.6 * 5e-4 * $n")"
  product=$(calculate "$product * $ratio")
  amplitude=$(calculate "share(depth($start) * $product ^ 2)")
  expected=$(calculate "share(depth($start) * ratio ^ (2 * $n))")
  check_near "amplitude after it over alpha" "$amplitude" "$expected" "$(calculate "0.01 * $n * $expected")"
  # Housner's closed form is for small angles, and off by 0.3 % here
  check_near "and by Housner's formula" "$amplitude" \
    "$(calculate "1 - sqrt(1 - ratio ^ (2 * $n) * (1 - (1 - $start) ^ 2))")" \
    "$(calculate "0.01 * ($n + 1) * $expected")"
done
# turned upright about its edge, and not along the floor
check_near "way of its centre in the end, m" "$(info rock largest_displacement)" \
  "$(calculate "2 * R * sin($start * alpha / 2)")" 2e-5
check "kinetic energy in the end, J" "$(info rock kinetic_energy)" '<' 1e-12

# two impacts on three ranks
for ranks in 1 3; do run $ranks rock.yaml rock.$ranks --steps 3000; done
check_same "hash on 1 and 3 ranks" "$(info rock.1 hash)" "$(info rock.3 hash)"
finish
