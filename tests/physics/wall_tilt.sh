#!/bin/bash
# First, a wall of 100 courses that is tilted by 0.3 after three steps, close to its collapse: where convergence is
# demanded the run ends with exit code 3 and names the step, and the state before goes on.
# Then, the wall of 210 blocks under gravity turned in its plane by tan 0.3 stands: it moves less than 0.05 mm in 1 s,
# every step solved to 1e-6. LMGC90 moves it 3.6e-5 m; Bullet lets it slide 0.67 m.
# test: slow
# test: ranks 3
# test: timeout 1500
source "$(dirname "$0")/checks.bash"

cat >high.yaml <<'END'
units: SI
gravity: {table: [[0, 0, 0, -9.81], [0.0031, 0, 0, -9.81], [0.0032, 2.81891, 0, -9.39636]]}
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6}]
bodies:
  - {box: [40, 40, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {wall: {courses: 100, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: stone, name: wall}
output: {checkpoint: {steps: 1}}
solver: {demand_convergence: true}
END

# demand RANKS FOLDER OPTION...: sets code; the log is FOLDER.log
demand()
{
  "$mpirun" "$1" "$program" run high.yaml -o "$2" --steps 5 "${@:3}" >"$2.log" 2>&1
  code=$?
}

rm -rf high high.3 full   # of an earlier run
for folder in high high.3; do
  demand $([ $folder = high ] && echo 1 || echo 3) $folder --set solver.max_sweeps=60
  check "$folder: exit code where 60 sweeps do not do" "$code" '==' 3
  failed=$(info $folder step)
  check "step of the state, one of which the state before is a checkpoint" "$failed" '>' 1
  named=$(grep -c "^drystone: step $failed did not converge, and solver.unsolved" $folder.log)
  check "lines that name the step" "$named" '==' 1
done
check_same "that step on 1 and 3 ranks" "$(info high step)" "$(info high.3 step)"
check_same "hash of that step on 1 and 3 ranks" "$(info high hash)" "$(info high.3 hash)"
hash=$(info high hash)
rm high/checkpoint-"$(printf %09d "$failed")".*   # whoever wants the state before
check "step of the state before" "$(info high step)" '==' $((failed - 1))
demand 1 high --restart --set solver.max_sweeps=60
check "exit code from there" "$code" '==' 3
check_same "the same bits from there" "$(info high hash)" "$hash"

# with all the sweeps of a default case it converges, or says that it does not
demand 1 full
check "exit code with default sweeps, 0 or 3" "$((code == 0 || code == 3))" '==' 1
check "steps that did not converge" \
  "$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next} $n["residual_max"] > 1e-6 {k++} END {print k + 0}' \
  full/history.csv)" '==' "$((code == 3))"
wall=$(cd "$(dirname "$0")/../.." && pwd)/jobs/wall/wall.yaml
gravity=$(awk 'BEGIN {a = atan2(0.3, 1); printf "[%.17g, 0, %.17g]", 9.81 * sin(a), -9.81 * cos(a)}' </dev/null)
tilted=(--set "gravity=$gravity" --set output.frames.every=0)
run 1 "$wall" tilt "${tilted[@]}" || finish
check "steps" "$(info tilt step)" '==' 1000
check "largest displacement, m" "$(info tilt largest_displacement)" '<' 5e-5
check "largest residual of a step" "$(column tilt residual_max)" '<=' 1e-6
check "largest kinetic energy in the last half, J" \
  "$(largest tilt 'c["time"] > 0.5 ? c["kinetic_energy"] : 0')" '<' 1e-6

# the same on three ranks
for ranks in 1 3; do run $ranks "$wall" tilt.$ranks "${tilted[@]}" --steps 20; done
check_same "hash on 1 and 3 ranks after 20 steps" "$(info tilt.1 hash)" "$(info tilt.3 hash)"
finish
