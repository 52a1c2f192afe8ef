#!/bin/bash
# Fast heavy bodies on a thin plate, with contacts between surfaces as they are: those that come from afar stop on it.
# Those that are in it within the first step are counted in failed_pairs and named, and none is refused as if it had
# begun so. No body goes through in silence, whether it is made of parts or a surface alone, on 1 and 3 ranks.
# test: ranks 3
# test: needs tetgen
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# box NAME X Y Z: a mesh with these sides about its middle
box()
{
  for k in 0 1 2 3 4 5 6 7; do
    awk -v k=$k -v x="$2" -v y="$3" -v z="$4" 'BEGIN {printf "v %.15g %.15g %.15g\n",
      (k % 2 - 0.5) * x, (int(k / 2) % 2 - 0.5) * y, (int(k / 4) - 0.5) * z}' </dev/null
  done >"$1"
  printf 'f %s\n' "1 3 4 2" "5 6 8 7" "1 2 6 5" "3 7 8 4" "1 5 7 3" "2 4 8 6" >>"$1"
}
box plate.obj 4 4 0.05
box hammer.obj 1 1 1

# plate_case PLATE HAMMER SPEED HEIGHT TURN
plate_case()
{
  cat <<YAML
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.1}
materials: {steel: {density: 78000}, stone: {density: 2600}}
contacts: [{between: [steel, stone], friction: 0.6, restitution: 0}]
contact: {model: lmd}
domain: {low: [-100, -100, -3], high: [100, 100, 1000]}
bodies:
  - {$1, at: [0, 0, -0.025], material: stone, fixed: true, name: plate}
  - {$2, at: [0.13, 0.21, $4], turn: {axis: [1, 0.4, 0.2], angle: $5}, velocity: [0, 0, -$3], material: steel,
     name: hammer}
YAML
}

# both NAME: the case on one rank, and with the same hash on three
both()
{
  run 1 "$1.yaml" "$1.1" && run 3 "$1.yaml" "$1.3" || return 1
  check_same "hash on 3 ranks" "$(info "$1.3" hash)" "$(info "$1.1" hash)"
}

for kind in parts surfaces; do
  plate='box: [4, 4, 0.05]'
  hammer='box: [1, 1, 1]'
  [ $kind = parts ] || plate='mesh: {file: plate.obj, surface: true}'
  [ $kind = parts ] || hammer='mesh: {file: hammer.obj, surface: true}'
  # it stops on the plate, from a distance that is no multiple of its way in a step
  for speed in 30 240; do
    name=far.$kind.$speed
    plate_case "$plate" "$hammer" $speed 1.7137 0 >$name.yaml
    both $name || continue
    check "$kind, $speed m/s: overlap at the end, m" "$(history $name.1 'c["penetration"]')" '<' 1e-5
    check_same "points, and pairs too deep" "$(history $name.1 'c["points"]') $(column $name.1 failed_pairs)" "4 0"
    check "kinetic energy at the end, J" "$(history $name.1 'c["kinetic_energy"]')" '<' 1e-3
  done
  # in the plate in the middle of the first step, which no body was at the start: on a face and on a corner
  for case in "300 0 0.6" "300 7 0.72" "600 0 0.6" "600 7 0.72" "1000 0 0.6" "1000 7 0.72"; do
    read -r speed turn height <<<"$case"
    name=near.$kind.$speed.$turn
    plate_case "$plate" "$hammer" $speed $height $turn >$name.yaml
    if [ $speed = 600 ]; then both $name || continue; else run 1 $name.yaml $name.1 || continue; fi
    check "$kind, $speed m/s, turned by $turn degrees: pairs too deep" "$(column $name.1 failed_pairs)" '>' 0
    check "and named" "$(grep -c 'the first between bodies 0 and 1' $name.1.log)" '>' 0
    check_same "bodies that went through" "$(history $name.1 'c["removed"]')" 0
  done
done
finish
