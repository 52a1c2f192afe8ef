#!/bin/bash
# Stages with loads, motions, gravity, damping, friction, output and steps of their own: the same bits on any number of
# ranks, and after a restart in any of them, at their first and at their last step, on other ranks.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf all-* in-* ./*.txt   # of an earlier run
cat >all.yaml <<'END_CASE'
title: a wall in stages
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 2}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.7}]
bodies:
  - {box: [10, 10, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {box: [1, 1, 1], at: [3, 0, 0.5], material: stone, motion: {velocity: [0, 0, 0]}, name: press}
  - {wall: {courses: 4, bricks: 3, brick: [0.4, 0.2, 0.2], joint: 0.001}, at: [-1, 0, 2e-4], material: stone,
     name: wall}
  - {box: [0.3, 0.3, 0.3], at: [0, 2, 0.151], material: stone, name: late, birth: 0.13}
loads: [{on: wall, force: [0, 0, -20]}]
solver: {tolerance: 1e-2, max_sweeps: 100}
output: {frames: {every: 0.05}}
stages:
  - {name: settle, damping: {local: 0.7, mass: 2}, until: {unbalanced: 1e-3, time: 0.3}}
  - {name: push, loads: [{on: wall, force: {ramp: {to: [0, 40, 0], duration: 0.1}}}], until: {time: 0.1},
     output: {frames: {every: 0.02}}}
  - {name: slide, contacts: [{between: [stone, stone], friction: 0.4}], damping: 0.3, until: {time: 0.08, energy: 1e9},
     motions: [{on: floor, motion: {velocity: {ramp: {to: [0.2, 0, 0], duration: 0.04}}}}, {on: press, fixed: true}]}
  - {name: shake, base: {acceleration: {sine: {amplitude: [0, 2, 0], frequency: 10, cycles: 5}}, frame: moving},
     until: {time: 0.1}}
  - {name: tilt, tilt: {axis: [0, 1, 0], rate: 120}, gravity: [0, 0, -9], until: {displacement: 0.01, every: 1}}
END_CASE
bits_on_ranks all all- 60
expect "stages, and one that fails" awk '/stage .* (holds|fails)/ {n++} END {exit n != 5}' all-one.log

# each stage begins with a checkpoint, and the run may end there; or a step before, or later (a slow program: the first)
begins=$(awk '/stage .* holds/ {sub(",", "", $2); print $2}' all-one.log)
for step in $(counts "$begins" "${begins%%[!0-9]*}"); do
  all="$((step - 1)) $step $((step + 3))"
  [ -z "${later-}" ] || all=$step   # of the first one all three
  later=yes
  for at in $(counts "$all" "$((step + 3))"); do
    piece "$release" 1 all.yaml "in-$at" --steps "$at"
    piece "$program" 3 all.yaml "in-$at" --restart
    same_bits "restart at step $at" "in-$at" all-one
    expect "its stages end alike" cmp "in-$at/outcome.json" all-one/outcome.json
  done
done
exit $((failures > 0))
