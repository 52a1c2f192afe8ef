#!/bin/bash
# A run in pieces leaves what a run in one piece leaves: history, frames, hash, hash per stage.
# test: ranks 8
# test: timeout 300
source "$(dirname "$0")/runs.bash"
rm -rf whole parts fresh shared ./*.txt   # of an earlier run

cat >pile.yaml <<'END'
title: blocks that fall on a slope and on each other
units: SI
gravity: {table: [[0, 0, 0, -9.81], [0.1, 2, 0, -9.81]]}
time: {step: 2e-3, end: 0.24}
materials:
  stone: {density: 2400}
  ice: {density: 900}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.2}
  - {between: [stone, ice], friction: 0.05, restitution: 0}
  - {between: [ice, ice], friction: 0.02, restitution: 0}
bodies:
  - {box: [6, 6, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [0.3, 0.3, 0.3], count: [3, 2, 3], spacing: [0.4, 0.35, 0.31]}, at: [-0.5, 0, 0.16], material: stone,
     spin: [0.5, 0.3, 0.1], name: heap}
  - {wedge: [0.6, 0.4, 0.3], at: [1.2, 0, 0.01], material: ice, velocity: [-1, 0, 0], name: ice}
solver: {tolerance: 1e-2, max_sweeps: 100}
output:
  frames: {every: 0.03}
  checkpoint: {steps: 50}
END

piece "$program" 1 pile.yaml whole --steps 120
piece "$program" 3 pile.yaml parts --steps 0
piece "$program" 3 pile.yaml parts --steps 33 --restart
piece "$program" 1 pile.yaml parts --steps 50 --restart
piece "$program" 4 pile.yaml parts --steps 51 --restart --set partition.every=7
piece "$program" 2 pile.yaml parts --steps 80 --restart
piece "$program" 8 pile.yaml parts --steps 90 --restart
piece "$program" 2 pile.yaml parts --steps 120 --restart

same_bits "in pieces" parts whole
expect "history of 120 steps" diff <(physics whole) <(physics parts)
expect "120 lines and a heading" [ "$(wc -l <parts/history.csv)" -eq 121 ]
expect "names of the frames" diff <(ls whole | grep frame) <(ls parts | grep frame)
expect "frames" [ "$(ls parts | grep -c frame)" -ge 8 ]
expect "two generations of checkpoints" [ "$(ls parts | grep -c 'manifest')" -eq 2 ]

# back to an older checkpoint: the newest is damaged, its frames and lines are made again
newest=$(ls parts/checkpoint-*.h5 | tail -n 1)
printf 'xxxx' | dd of="$newest" bs=1 seek=5000 conv=notrunc status=none
piece "$program" 2 pile.yaml parts --steps 120 --restart
expect "damaged checkpoint is named" grep -q "$(basename "$newest" .h5)" parts.log
same_hash "after the older checkpoint" parts whole
expect "history after the older checkpoint" diff <(physics whole) <(physics parts)

# what has changed is said, and only then; steps keep their length
piece "$program" 2 pile.yaml parts --steps 120 --restart --set time.end=0.23
expect "a change is told of" grep -q "^changed since the checkpoint of step 120: time.end: was 0.24, is 0.23$" parts.log
piece "$program" 2 pile.yaml parts --steps 120 --restart
expect "and not without reason" [ "$(grep -c "^changed" parts.log)" -eq 0 ]
state=$(cd parts && cat checkpoint-* history.csv | sha256sum)
"$mpirun" 2 "$program" run pile.yaml -o parts --restart --set time.step=1e-3 --allow time >parts.log 2>&1
expect "another time.step is refused" [ $? -eq 2 ]
expect "with both" grep -q "^  time.step: was 2e-3, is 1e-3 (never: the time is a number of steps" parts.log
expect "and leaves the folder" [ "$state" = "$(cd parts && cat checkpoint-* history.csv | sha256sum)" ]

# no checkpoint: from the start, saying so
piece "$program" 2 pile.yaml fresh --steps 10 --restart
expect "a restart without checkpoint says so" grep -q "no checkpoint" fresh.log

# bodies are shared out by contacts before any work is known: points with a fixed body count for one body alone
cat >courses.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.6}
bodies:
  - {box: [60, 20, 1], at: [20, 0, -0.5], material: stone, fixed: true, name: floor}
  - {wall: {courses: 1, bricks: 100, brick: [0.4, 0.2, 0.2], joint: 0.002}, at: [0, 0, 0], material: stone}
  - {wall: {courses: 10, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, at: [0, 5, 0], material: stone}
solver: {max_sweeps: 20}
END
piece "$program" 1 courses.yaml shared --steps 2
piece "$program" 4 courses.yaml shared --steps 3 --restart
expect "work after a restart on other ranks" awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "imbalance") c = i}
  END {print $c; exit !(c && $c < 1.2)}' shared/history.csv
[ "$failures" -eq 0 ]
