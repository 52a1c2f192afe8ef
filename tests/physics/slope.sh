#!/bin/bash
# A block on a plane: sticks and slides on either side of the friction angle; slides at 30 degrees as Newton says.
# test: ranks 7
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# slope_case DEGREES END: a block 1 x 0.5 x 0.5 m on a plane, gravity turned instead of the plane; friction 0.5
slope_case()
{
  awk -v a="$1" -v end="$2" 'BEGIN {
    pi = atan2(0, -1); g = 9.81
    printf "title: block on a slope of %s degrees\nunits: SI\n", a
    printf "gravity: [%.17g, 0, %.17g]\n", g * sin(a * pi / 180), -g * cos(a * pi / 180)
    printf "time: {step: 1e-3, end: %s}\n", end
    print "materials: {granite: {density: 2700}}"
    print "contacts: [{between: [granite, granite], friction: 0.5, restitution: 0}]"
    print "bodies:"
    print "  - {box: [30, 10, 1], at: [0, 0, -0.5], material: granite, fixed: true, name: floor}"
    print "  - {box: [1, 0.5, 0.5], at: [0, 0, 0.25], material: granite, name: block}"
    print "solver: {tolerance: 1e-9}"
  }' </dev/null
}

angle=$(awk 'BEGIN {printf "%.12f", atan2(0.5, 1) * 180 / atan2(0, -1)}' </dev/null)
slope_case "$(awk -v a="$angle" 'BEGIN {printf "%.12f", a - 0.05}' </dev/null)" 1 >stick.yaml
slope_case "$(awk -v a="$angle" 'BEGIN {printf "%.12f", a + 0.05}' </dev/null)" 1 >slip.yaml
slope_case 30 4 >slide.yaml
mass=675
for ranks in 1 3; do
  run $ranks stick.yaml stick.$ranks || continue
  check "displacement below the friction angle, m" "$(info stick.$ranks largest_displacement)" '<' 1e-9
  check "speed below the friction angle, m/s" \
    "$(history stick.$ranks "hypot(c[\"momentum_x\"], c[\"momentum_y\"], c[\"momentum_z\"]) / $mass")" '<' 1e-8

  # a = g (sin - mu cos); v = a t; x = a t^2 / 2 up to half a step
  run $ranks slip.yaml slip.$ranks || continue
  a=$(awk -v d="$angle" 'BEGIN {a = (d + 0.05) * atan2(0, -1) / 180; printf "%.12g", 9.81 * (sin(a) - 0.5 * cos(a))}' \
    </dev/null)
  check_near "speed just above the friction angle, m/s" \
    "$(history slip.$ranks "c[\"momentum_x\"] / $mass")" "$a" "$(awk -v a="$a" 'BEGIN {print 1e-3 * a}' </dev/null)"

  run $ranks slide.yaml slide.$ranks || continue
  check_near "speed at 30 degrees after 4 s, m/s" "$(history slide.$ranks "c[\"momentum_x\"] / $mass")" 2.62858 2.6e-3
  check_near "way at 30 degrees after 4 s, m" "$(info slide.$ranks largest_displacement)" 5.25716 5.2e-3
done
check_same "hash on 1 and 3 ranks" "$(info slide.1 hash)" "$(info slide.3 hash)"

# one moving body on seven ranks: most ranks hold nothing
run 7 slip.yaml slip.7 --steps 100 --set partition.every=10 && run 1 slip.yaml slip.1 --steps 100
check_same "hash on 1 and 7 ranks" "$(info slip.1 hash)" "$(info slip.7 hash)"
finish
