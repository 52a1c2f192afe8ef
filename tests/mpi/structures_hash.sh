#!/bin/bash
# Walls in bond, arches, vaults, domes and columns on a shaken base: the same hash on any number of ranks, in one piece
# and in several; a springer that moves on its way is one of the bits.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
rm -rf structures* ./*.txt   # of an earlier run

cat >structures.yaml <<'END_OF_CASE'
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [3, 2, 0], angular_frequency: 60}}]}
time: {step: 2e-3, end: 0.03}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.6}
bodies:
  - {box: [20, 20, 0.4], at: [0, 0, -1.2], material: stone, fixed: true, name: ground}
  - {arch: {span: 2, thickness: 0.3, depth: 1, n: 9, piers: {height: 1, courses: 3},
            spandrels: {height: 1.6, courses: 5, length: 0.5, thickness: 0.3},
            backing: {height: 0.8, courses: 2, length: 0.6}}, at: [0, -3, 0], material: stone, name: bridge,
     where: [{match: pier_right.0, motion: {velocity: [0.02, 0, 0]}}]}
  - {vault: {kind: cross, span: 2, thickness: 0.3, n: 7, rows: 3}, at: [5, 0, 0], material: stone, name: groined}
  - {vault: {span: 2, rise: 1.4, form: pointed, thickness: 0.3, n: 7, length: 1.5, rows: 3}, at: [5, 4, 0],
     material: stone, name: barrel}
  - {dome: {span: 2, thickness: 0.3, meridians: 7, hoops: 4, oculus: 0.4}, at: [-4, 0, 0], material: stone, name: dome}
  - {column: {drums: 4, radius: 0.2, height: 1.6, taper: 0.8, base: [0.5, 0.5, 0.2], capital: [0.5, 0.5, 0.1]},
     at: [-2, 3, -1], material: stone, name: column}
  - material: stone
    at: [0, 6, -1]
    name: wall
    wall: {courses: 8, bricks: 7, brick: [0.4, 0.2, 0.15], bond: flemish, openings: [{at: [0.6, 0], size: [0.5, 0.6]},
           {at: [1.7, 0.15], size: [0.5, 0.35], arch: {n: 5, thickness: 0.2}}]}
  - {pipe: {radius: 0.3, thickness: 0.1, height: 0.4, sides: 6}, at: [3, 7, -1], material: stone}
  - {prism: {sides: 5, radius: 0.3, height: 0.4}, at: [4, 7, -1], material: stone}
loads:
  - {on: bridge.keystone, force: [0, 0, -2e3]}
solver: {tolerance: 1e-3, max_sweeps: 100}
output:
  checkpoint: {steps: 20}
END_OF_CASE
bits_on_ranks structures structures- 6
expect "what it says of itself" grep -q '^bodies .* prescribed)$' <("$program" check structures.yaml)

[ "$failures" -eq 0 ]
