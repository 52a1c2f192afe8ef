#!/bin/bash
# A plate on which many blocks stand: one body with more pairs than a word has bits, on ranks that share them.
# test: ranks 4
# test: timeout 300
source "$(dirname "$0")/checks.bash"
cat >raft.yaml <<'END'
title: a raft of 144 blocks on two beams
units: SI
gravity: [0.3, 0, -9.81]
time: {step: 1e-3, end: 0.01}
materials: {stone: {density: 2400}}
contacts: [{between: [stone, stone], friction: 0.6, restitution: 0}]
bodies:
  - {box: [1, 12, 1], at: [-4, 0, -1], material: stone, fixed: true, name: beam}
  - {box: [1, 12, 1], at: [4, 0, -1], material: stone, fixed: true, name: beam}
  - {box: [10, 10, 1], at: [0, 0, 0], material: stone, name: raft}
  - {grid: {box: [0.5, 0.5, 0.5], count: [12, 12, 1], spacing: [0.75, 0.75, 1]}, at: [-4.125, -4.125, 0.75],
     material: stone, name: load}
solver: {max_sweeps: 300}
partition: {every: 3}
END
for ranks in 1 2 4; do
  run $ranks raft.yaml raft.$ranks || continue
  check "contact points" "$(history raft.$ranks 'c["points"]')" '==' 584
  check "colours" "$(history raft.$ranks 'c["colours"]')" '>' 144
  check_same "hash on $ranks ranks" "$(info raft.$ranks hash)" "$(info raft.1 hash)"
done
check "largest displacement, m" "$(info raft.1 largest_displacement)" '<' 1e-4
finish
