# Sourced by tests that need cases with much state: each function writes a case file, with a mesh beside it.
# test: needs tetgen

# write_scene FILE: a wall of bonds that break, a body from a mesh under a load, a sphere, a prescribed body, bodies
# that appear late, one that leaves, one that deforms, and joints that break, yield and begin late; under gravity that
# shakes. Few sweeps do, for the same bits are asked for and no converged impulses; ranks wait for each other in each.
write_scene()
{
  cp "$(dirname "${BASH_SOURCE[0]}")/../meshes/l.obj" "$(dirname "$1")/l.obj"
  cat >"$1" <<'YAML'
title: all kinds of state
units: SI
gravity: {sum: [[0, 0, -9.81], {cosine: {amplitude: [1, 0, 0], angular_frequency: 60}}]}
time: {step: 2e-3, end: 0.4}
solver: {tolerance: 1e-2, max_sweeps: 100}
materials:
  stone: {density: 2400}
  brick: {density: 1800}
  soft: {density: 1200, young: 1e7, poisson: 0.3, damping: 1e-3}
  steel: {density: 7800}
contacts:
  - {between: [stone, stone], friction: 0.5, restitution: 0.1}
  - {between: [stone, brick], friction: 0.5}
  - {between: [steel, steel], friction: 0.2}
  - {between: [stone, steel], friction: 0.3}
  - {between: [brick, steel], friction: 0.3}
  - {between: [stone, soft], friction: 0.4}
  - {between: [brick, soft], friction: 0.4}
  - {between: [steel, soft], friction: 0.2}
  - {between: [brick, brick], friction: 0.6, bond: {cohesion: 2e4, tensile_strength: 4e3}}
bodies:
  - {box: [3, 3, 0.4], at: [0, 0, -0.2], material: stone, fixed: true, name: floor}
  - {wall: {courses: 6, bricks: 3, brick: [0.2, 0.1, 0.08], joint: 0}, at: [-0.3, 0, 0], material: brick, name: wall}
  - {mesh: {file: l.obj, scale: 0.2}, at: [0.7, 0.5, 0.01], material: stone, name: corner}
  - {sphere: {radius: 0.08}, at: [-1.0, 0, 0.2], material: steel, velocity: [8, 0, 1], spin: [0, 3, 1], name: ball}
  - {box: [0.1, 0.6, 0.2], at: [0.5, -0.6, 0.11], material: steel, name: pusher,
     motion: {velocity: {cosine: {amplitude: [-0.5, 0, 0], angular_frequency: 30}}}}
  - {box: [0.1, 0.1, 0.1], at: [-1.4, 1.2, 0.4], material: stone, velocity: [-6, 0, 1], name: leaver}
  - {grid: {wedge: [0.2, 0.15, 0.12], count: [2, 2, 1], spacing: [0.3, 0.3, 1]}, at: [0.1, -0.8, 0.3], material: stone,
     velocity: [1, 0, -2], spin: [1, 2, 3], birth: 0.05, name: stones}
  - {grid: {box: [0.12, 0.12, 0.12], count: [2, 1, 2], spacing: [0.3, 1, 0.2]}, at: [-0.2, 0.05, 0.8], material: stone,
     velocity: [0, 2, -3], birth: 0.11, name: late}
  - {box: [0.2, 0.1, 0.3], at: [-0.9, -0.8, 0.2], material: soft, elastic: affine, velocity: [0, 0, -2], name: soft}
joints:
  - {weld: [1.0, 0.7, 0.1], between: [corner], axis: [1, 0, 0], strength: {shear: 150}}
  - {spring: [[-1.0, 0, 0.2], [-1.2, 0, 1]], between: [ball], stiffness: 900, damping: 3, yield: {tension: 40}}
  - {hinge: [-0.05, 0.05, 0.8], axis: [0, 1, 0], between: [late.0, late.1], touch: false}
  - {cable: [[-0.2, 0.05, 0.8], [0.1, -0.8, 0.4]], between: [late.0, stones.0], length: 1.2}
loads:
  - {on: corner, force: {table: [[0, 0, 0, 0], [0.2, 60, 0, 0]]}, at: [0, 0, 0.2]}
domain: {low: [-2, -2, -0.5], high: [2, 2, 3]}
output:
  frames: {every: 0.02}
  checkpoint: {steps: 1}
YAML
}

# write_blocks FILE SIDE: SIDE^3 cubes that touch, with a checkpoint after each step; few sweeps, for the size is all
# that matters
write_blocks()
{
  cat >"$1" <<YAML
title: a block of cubes
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.01}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.5}
bodies:
  - {box: [100, 100, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}
  - {grid: {box: [1, 1, 1], count: [$2, $2, $2], spacing: [1, 1, 1]}, at: [0, 0, 0.5], material: stone, name: cubes}
solver: {method: gauss-seidel, max_sweeps: 2}
output:
  checkpoint: {steps: 1}
YAML
}

# write_stream FILE STEPS: bodies that never rest: some bounce in a pit on a shaken plate, others appear all the time,
# slide down a slope and leave; a hundred frames and checkpoints, at most one in 2000 steps; a file of ranks' counts,
# of 1024 records, is full within a tenth of the steps
write_stream()
{
  local every=$(($2 < 200000 ? $2 / 100 : 2000)) records=$(($2 < 200000 ? 1 : 10))
  cat >"$1" <<YAML
title: bodies that come, bounce and go
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: $(awk "BEGIN {print $2 * 2e-3}")}
materials:
  stone: {density: 2400}
  rubber: {density: 1100}
contacts:
  - {between: [stone, stone], friction: 0.2, restitution: 0.1}
  - {between: [rubber, rubber], friction: 0.4, restitution: 0.8}
  - {between: [stone, rubber], contact: false}
bodies:
  - {box: [1, 1, 0.2], at: [0, 0, -0.1], material: rubber, name: plate,
     motion: {velocity: {cosine: {amplitude: [0, 0, 0.8], angular_frequency: 40}}}}
  - {box: [0.2, 1, 4], at: [0.6, 0, 1.5], material: rubber, fixed: true, name: wall}
  - {box: [0.2, 1, 4], at: [-0.6, 0, 1.5], material: rubber, fixed: true, name: wall}
  - {box: [1, 0.2, 4], at: [0, 0.6, 1.5], material: rubber, fixed: true, name: wall}
  - {box: [1, 0.2, 4], at: [0, -0.6, 1.5], material: rubber, fixed: true, name: wall}
  - {sphere: {radius: 0.1}, at: [0.2, 0.2, 0.5], material: rubber, name: ball}
  - {box: [0.2, 0.15, 0.1], at: [-0.2, 0.1, 0.5], material: rubber, spin: [1, 2, 3], name: block}
  - {hull: [[0.1, 0, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0, 0, 0.2]], at: [0, -0.2, 0.5], material: rubber}
  - {box: [4, 1, 0.2], at: [0, 3, 0], turn: {axis: [0, 1, 0], angle: 25}, material: stone, fixed: true, name: slope}
  - {stones: {shapes: [{random: {points: 10, size: 0.2}}], inlet: {size: [0.4, 0.4], count: $(($2 / 400 + 1)),
     every: 0.8}}, at: [-1, 3, 1.2], material: stone, name: stream}
domain: {low: [-3, -3, -3], high: [3, 5, 9]}
output:
  frames: {every: $(awk "BEGIN {print $every * 2e-3}")}
  checkpoint: {steps: $every}
  ranks: {every: $records}
YAML
}
