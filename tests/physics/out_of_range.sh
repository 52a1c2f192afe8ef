#!/bin/bash
# What doubles and the step cannot carry is said: motion lost to rounding far from the origin, and turns beyond 2 rad in
# a step, whose energy is false. `check` and the run say it, one line each, and nothing of other cases.
# test: ranks 3
source "$(dirname "$0")/checks.bash"

# scene NAME SHAPE [KEY]...: one body without gravity, steps of 1e-4 s
scene()
{
  cat >"$1.yaml" <<END
gravity: [0, 0, ${gravity:-0}]
time: {step: 1e-4, end: 2e-3}
materials: {stone: {density: 2700}}
bodies:
  - {$2, material: stone, name: one$3}
  - {box: [1, 1, 1], at: [0, 9, 0], material: stone, name: still}
${4-}
contacts: [{between: [stone, stone]}]
END
}

# says NAME WORDS COUNT: lines of warning with the words, of check and of a run on 3 ranks
says()
{
  "$program" check "$1.yaml" >"$1.check" 2>&1
  check "$1: check says '$2'" "$(grep -c "warning.*$2" "$1.check")" == "$3"
  run 3 "$1.yaml" "$1.3" || return
  check "$1: so does the run" "$(grep -c "warning.*body [0-9]* (.*$2" "$1.3.log")" == "$3"
}

box='box: [1, 0.6, 0.3]'
scene far "$box" ', at: [5e6, 0, 0], velocity: [1e-4, 0, 0]'
says far "lost to rounding" 1
check "far: the body is named" "$(grep -c "body 0 (one)" far.check)" == 1
gravity=-9.81 scene resting "$box" ', at: [5e6, 0, 0]'
says resting "lost to rounding" 1
scene near "$box" ', at: [5e3, 0, 0], velocity: [1e-4, 0, 0]'
says near "lost to rounding" 0
scene fast "$box" ', at: [5e6, 0, 0], velocity: [1, 0, 0]'
says fast "lost to rounding" 0
check "no other warning" "$(cat fast.check fast.3.log | grep -c warning)" == 0

# turns of 1.9 and 2.1 rad in a step
scene slow_turn "$box" ', spin: [1.1e4, 1.1e4, 1.1e4]'
says slow_turn "energy is false" 0
check "slow_turn: no step's energy is false" "$(grep -c 'energy is false' slow_turn.3.log)" == 0
scene fast_turn "$box" ', spin: [1.3e4, 1.3e4, 1.3e4]'
says fast_turn "energy is false" 1
check "fast_turn: one body is told as one" \
  "$(grep -c "warning: step 1: 1 body turns by .*; its energy is false" fast_turn.3.log)" == 1
check "fast_turn: steps that are counted at the end" \
  "$(sed -n 's/^\([0-9]*\) steps had bodies that turned by more.*/\1/p' fast_turn.3.log)" == 20
scene ball 'sphere: {radius: 0.5}' ', spin: [1.3e4, 1.3e4, 1.3e4]'
says ball "energy is false" 0

# a torque brings a body there: the case does not show it, the run does
scene torque "$box" '' 'loads: [{on: one, torque: [0, 0, 1.2e9]}]'
says torque "energy is false" 0
check "torque: the run counts such steps" \
  "$(sed -n 's/^\([0-9]*\) steps had bodies that turned by more.*/\1/p' torque.3.log)" '>' 3
finish
