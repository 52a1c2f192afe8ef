#!/bin/bash
# A block on a plane: sticks and slides on either side of the friction angle; slides at 30 degrees as Newton says,
# without going astray or turning, with any step.
# test: needs python3 python3-h5py
# test: ranks 7
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# slope_case DEGREES END [FRICTION [TURN]]: a block 1 x 0.5 x 0.5 m on a plane, gravity turned instead of the plane;
# friction 0.5; block and way down turned about z by TURN degrees
slope_case()
{
  awk -v a="$1" -v end="$2" -v friction="${3:-0.5}" -v turn="${4:-0}" 'BEGIN {
    pi = atan2(0, -1); g = 9.81
    printf "title: block on a slope of %s degrees\nunits: SI\n", a
    along = g * sin(a * pi / 180)
    printf "gravity: [%.17g, %.17g, %.17g]\n", along * cos(turn * pi / 180), along * sin(turn * pi / 180),
      -g * cos(a * pi / 180)
    printf "time: {step: 1e-3, end: %s}\n", end
    print "materials: {granite: {density: 2700}}"
    print "contacts: [{between: [granite, granite], friction: " friction ", restitution: 0}]"
    print "bodies:"
    print "  - {box: [30, 10, 1], at: [0, 0, -0.5], material: granite, fixed: true, name: floor}"
    printf "  - {box: [1, 0.5, 0.5], at: [0, 0, 0.25], turn: {axis: [0, 0, 1], angle: %s}, ", turn
    print "material: granite, name: block}"
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

  # a = g (sin - mu cos); v = a t and x = a t^2 / 2, exact but for the solver's tolerance
  run $ranks slip.yaml slip.$ranks || continue
  a=$(awk -v d="$angle" 'BEGIN {a = (d + 0.05) * atan2(0, -1) / 180; printf "%.12g", 9.81 * (sin(a) - 0.5 * cos(a))}' \
    </dev/null)
  check_near "speed just above the friction angle, m/s" \
    "$(history slip.$ranks "c[\"momentum_x\"] / $mass")" "$a" 1e-8

  run $ranks slide.yaml slide.$ranks || continue
  check_near "speed at 30 degrees after 4 s, m/s" "$(history slide.$ranks "c[\"momentum_x\"] / $mass")" 2.6285816 1e-7
  check_near "way at 30 degrees after 4 s, m" "$(info slide.$ranks largest_displacement)" 5.2571632 2e-7
done
check_same "hash on 1 and 3 ranks" "$(info slide.1 hash)" "$(info slide.3 hash)"

# strayed FOLDER DEGREES: way across and off the plane in m, turn in rad, after the last step
strayed()
{
  /usr/bin/python3 - "$1" "$2" <<'PY'
import glob, h5py, math, sys
with h5py.File(sorted(glob.glob(sys.argv[1] + "/frame-*.h5"))[-1]) as f:
  x, q = f["bodies/position"][1], f["bodies/orientation"][1]
a = math.radians(float(sys.argv[2]))
# vector part of q times the inverse of the first orientation: half the angle
w, z = math.cos(a / 2), -math.sin(a / 2)
turn = q[1] * w + q[2] * z, q[2] * w - q[1] * z, q[3] * w + q[0] * z
print(abs(x[1] * math.cos(a) - x[0] * math.sin(a)), abs(x[2] - 0.25), 2 * math.hypot(*turn))
PY
}
# constant forces: velocity and way are exact whatever the step, to the solver's tolerance; the thesis of which this is
# the first test (Koziara 2008) reached 5e-6 m across and 6e-5 rad
speed=$(awk 'BEGIN {printf "%.15g", 4 * 9.81 * (0.5 - 0.25 * sqrt(3))}' </dev/null)
for step in 4e-3 1e-3; do
  for turn in 0 33; do
    slope_case 30 4 0.5 $turn >turned.yaml
    run 1 turned.yaml turned --set time.step=$step --set output.frames.every=4 || continue
    check_near "30 degrees, turned by $turn, steps of $step s: speed after 4 s, m/s" \
      "$(history turned "hypot(c[\"momentum_x\"], c[\"momentum_y\"], 0) / $mass")" "$speed" 1e-7
    check_near "way after 4 s, m" "$(info turned largest_displacement)" \
      "$(awk -v v=$speed 'BEGIN {printf "%.15g", 2 * v}' </dev/null)" 1e-8
    if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
      read -r across off pitch <<<"$(strayed turned $turn)"
      check "way across, m" "$across" '<' 1e-7
      check "way off the plane, m" "$off" '<' 1e-7
      check "turn, rad" "$pitch" '<' 1e-7
    fi
  done
done

# the scene slopeTest of Rigid-IPC: 26.565 degrees, 5e-5 degrees below the friction angle of 0.5
for friction in 0.49 0.5 1; do
  slope_case 26.565 1 $friction >ipc.yaml
  for ranks in 1 3; do run $ranks ipc.yaml ipc.$ranks; done
  expected=$(awk -v mu=$friction 'BEGIN {a = 26.565 * atan2(0, -1) / 180
    v = 9.81 * (sin(a) - mu * cos(a)); printf "%.12g", (v > 0 ? v : 0)}' </dev/null)
  check_near "friction $friction at 26.565 degrees: speed after 1 s, m/s" \
    "$(history ipc.1 "hypot(c[\"momentum_x\"], c[\"momentum_y\"], c[\"momentum_z\"]) / $mass")" $expected 1e-8
  check_near "way, m" "$(info ipc.1 largest_displacement)" \
    "$(awk -v v=$expected 'BEGIN {printf "%.15g", v / 2}' </dev/null)" 1e-8
  check_same "hash on 1 and 3 ranks" "$(info ipc.1 hash)" "$(info ipc.3 hash)"
done

# one moving body on seven ranks: most ranks hold nothing
run 7 slip.yaml slip.7 --steps 100 --set partition.every=10 && run 1 slip.yaml slip.1 --steps 100
check_same "hash on 1 and 7 ranks" "$(info slip.1 hash)" "$(info slip.7 hash)"
finish
