#!/bin/bash
# The wall under gravity turned in its plane by tan 0.3 stands: it moves less than 0.1 mm in 1 s.
# test: slow
# test: ranks 2
# test: timeout 1500
source "$(dirname "$0")/checks.bash"
wall=$(cd "$(dirname "$0")/../.." && pwd)/jobs/wall/wall.yaml
gravity=$(awk 'BEGIN {a = atan2(0.3, 1); printf "[%.17g, 0, %.17g]", 9.81 * sin(a), -9.81 * cos(a)}' </dev/null)
run 2 "$wall" tilt --set "gravity=$gravity" --set output.frames.every=0.25 || finish
check "steps" "$(info tilt step)" '==' 1000
check "largest displacement, m" "$(info tilt largest_displacement)" '<' 1e-4
finish
