#!/bin/bash
# Entries whose bodies are told apart: in parts that have the same keys a wall has the bits of the wall; in others the
# hash is the same on any number of ranks, in one piece and in several.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf whole parts where* ./*.txt   # of an earlier run

# wall KEYS: a wall that falls on its lowest course
wall()
{
  cat <<END_OF_CASE
gravity: [0, 1, -9.81]
time: {step: 2e-3, end: 0.06}
materials:
  stone: {density: 2400}
  brick: {density: 1800}
contacts:
  - {between: [stone, stone], friction: 0.5}
  - {between: [stone, brick], friction: 0.5}
  - {between: [brick, brick], friction: 0.5}
bodies:
  - {box: [4, 1, 0.2], at: [1, 0, -0.1], material: stone, fixed: true, name: ground}
  - wall: {courses: 6, bricks: 5, brick: [0.4, 0.2, 0.2], joint: 0.002}
    material: stone
    name: wall
    $1
output:
  checkpoint: {steps: 20}
END_OF_CASE
}

wall "" >whole.yaml
wall "where: [{match: 1*, material: stone}, {number: [3, 7], fixed: false}, {box: [[0, -1, 0], [1, 1, 1]], birth: 0}]" \
  >parts.yaml
piece "$program" 1 whole.yaml whole
piece "$program" 3 parts.yaml parts
same_bits "parts with the same keys" parts whole

wall "where: [{number: [0, 4], fixed: true}, {match: ['1?', 7], material: brick}, {number: 9, leave: true},
      {number: 20, motion: {velocity: [0, 0.5, 0]}}, {match: '3?', birth: 0.03}, {number: 25, velocity: [0, 0, 1]}]" \
  >where.yaml
cat >>where.yaml <<'END_OF_CASE'
loads:
  - {on: wall.22, force: [0, 40, 0]}
  - {on: wall, torque: [0, 0, 0.5]}
joints:
  - {rod: [[0.2, 0, 0.1], [0.2, 0, 0.9]], between: [wall.0, wall.22]}
END_OF_CASE
bits_on_ranks where where 17
expect "bodies of each kind" \
  grep -q '^bodies  *33 (26 dynamic, 6 fixed, 1 prescribed)$' <("$program" check where.yaml)

[ "$failures" -eq 0 ]
