#!/bin/bash
# Stacks of cubes on a plane that tilts topple in one piece at atan(b / (n h)): they stand 0.002 degrees below that,
# and above it they turn as the equation of motion of a rigid column says.
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# stack_case COUNT WIDTH HEIGHT DEGREES AXIS STEP: gravity turns instead of the plane, along x, or along y for a stack
# turned about z by 30 degrees, so that the edge it turns about is along no axis
stack_case()
{
  awk -v n="$1" -v b="$2" -v h="$3" -v a="$4" -v turned="$5" -v step="$6" 'BEGIN {
    pi = atan2(0, -1); g = 9.81; c = cos(turned * pi / 180); s = sin(turned * pi / 180)
    printf "title: %d blocks on a slope of %s degrees\nunits: SI\n", n, a
    along = g * sin(a * pi / 180)
    printf "gravity: [%.17g, %.17g, %.17g]\n", along * c, along * s, -g * cos(a * pi / 180)
    printf "time: {step: %s, end: 1.5}\n", step
    print "materials: {granite: {density: 2700}}"
    print "contacts: [{between: [granite, granite], friction: 2, restitution: 0}]"
    print "bodies:"
    print "  - {box: [30, 30, 1], at: [0, 0, -0.5], material: granite, fixed: true, name: floor}"
    printf "  - {grid: {box: [%s, %s, %s], count: [1, 1, %d], spacing: [9, 9, %s]}, ", b, b, h, n, h
    printf "at: [0, 0, %.17g], turn: {axis: [0, 0, 1], angle: %s}, material: granite}\n", h / 2, turned
    print "solver: {tolerance: 1e-9, demand_convergence: true}"
  }' </dev/null
}

# limit COUNT WIDTH HEIGHT: the angle in degrees
limit()
{
  awk -v n="$1" -v b="$2" -v h="$3" 'BEGIN {printf "%.15g\n", atan2(b, n * h) * 180 / atan2(0, -1)}' </dev/null
}

# way COUNT WIDTH HEIGHT EXCESS: of the top block after 1.5 s, the slope being steeper than the limit by the excess in
# degrees: theta'' = 3 g / (4 R) sin(theta + excess) about the edge, R half the diagonal of the column (Runge-Kutta)
way()
{
  awk -v n="$1" -v b="$2" -v h="$3" -v excess="$4" 'function f(t) {return p2 * sin(t + excess)} BEGIN {
    excess *= atan2(0, -1) / 180
    p2 = 0.75 * 9.81 / (0.5 * sqrt(b * b + n * n * h * h)); d = 1.5e-4
    for (i = 0; i < 10000; i++) {
      k1 = f(t); k2 = f(t + d / 2 * w); k3 = f(t + d / 2 * w + d * d / 4 * k1); k4 = f(t + d * w + d * d / 2 * k2)
      t += d * w + d * d / 6 * (k1 + k2 + k3); w += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    }
    printf "%.9g\n", 2 * sqrt(b * b / 4 + (n - 0.5) * (n - 0.5) * h * h) * sin(t / 2)
  }' </dev/null
}

add() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.15g\n", a + b}' </dev/null; }

while read -r count width height turned; do
  name=stack.$count.$turned
  angle=$(limit $count $width $height)
  stack_case $count $width $height "$(add $angle -0.002)" $turned 1e-3 >$name.stand.yaml
  run 1 $name.stand.yaml $name.stand || continue
  check "$count blocks of $width x $height m stand 0.002 degrees below $angle: way, m" \
    "$(info $name.stand largest_displacement)" '<' 1e-9
  check "their largest kinetic energy, J" "$(column $name.stand kinetic_energy)" '<' 1e-12
  # 1e-5: of second order in the step, as seen below
  expected=$(way $count $width $height 0.002)
  stack_case $count $width $height "$(add $angle 0.002)" $turned 1e-3 >$name.fall.yaml
  run 1 $name.fall.yaml $name.fall || continue
  check_near "they turn over 0.002 degrees above it: way of the top block, m" \
    "$(info $name.fall largest_displacement)" $expected "$(awk -v w=$expected 'BEGIN {print 1e-5 * w}' </dev/null)"
done <<END_OF_LIST
1 1 1 0
3 1 1 0
3 1 1 30
5 1 1 0
4 0.5 0.3 0
END_OF_LIST

# with the step: below (p h)^2 / 4, p^2 = 3 g / (4 R) (a second-order term and, where the edge lets go, a smaller one of
# first order and the other sign, so that errors fall faster than with the square)
expected=$(way 3 1 1 0.2)
for step in 1.2e-2 6e-3 3e-3; do
  stack_case 3 1 1 "$(add "$(limit 3 1 1)" 0.2)" 30 $step >order.yaml
  run 1 order.yaml order || continue
  check_near "three blocks 0.2 degrees above, steps of $step s: way" "$(info order largest_displacement)" $expected \
    "$(awk -v w=$expected -v h=$step 'BEGIN {print w * h * h / 4 * 0.75 * 9.81 / (0.5 * sqrt(10))}' </dev/null)"
done

# the same on three ranks
for case in stand fall; do
  run 3 stack.5.0.$case.yaml three --set partition.every=100
  check_same "5 blocks $case: hash on 1 and 3 ranks" "$(info three hash)" "$(info stack.5.0.$case hash)"
done
finish
