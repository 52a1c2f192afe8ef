#!/bin/bash
# Cubes that meet corner on corner and pyramids tip on tip, where geometry names no normal: each slides off on the side
# it moves to, and no energy appears, by the models patch and lmd. The direction once taken is state of the former. Both
# have the same bits on 1 and 3 ranks, repartitioned and restarted.
# test: needs python3 python3-h5py
# test: ranks 3
# test: timeout 300
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"

# pairs of cubes in a row, the lower ones fixed; 54.7356 degrees put a diagonal upright
pairs()
{
  awk -v friction="$1" -v speed="$2" -v model="$3" 'BEGIN {
    print "contact: {model: " model "}"
    print "gravity: [0, 0, -9.81]\ntime: {step: 1e-3, end: 0.45}\nmaterials: {stone: {density: 2600}}"
    printf "contacts: [{between: [stone, stone], friction: %g}]\nbodies:\n", friction
    turn = "turn: {axis: [1, -1, 0], angle: 54.735610317245346}"
    for (i = 0; i < 8; i++) {
      a = i * 0.785398163397448 + 0.2
      vx = speed * cos(a)
      vy = speed * sin(a)
      printf "  - {box: [1, 1, 1], at: [%d, 0, -0.8660254037844386], %s, material: stone, fixed: true}\n", 4 * i, turn
      printf "  - {box: [1, 1, 1], at: [%d, 0, 0.876], %s, velocity: [%.6g, %.6g, -0.4], material: stone, name: %d}\n",
        4 * i, turn, vx, vy, i
    }
    # pyramids tip on tip, the upper ones turned
    low = "[[0, 0, 0], [0.5, 0.5, -1], [-0.5, 0.5, -1], [0.5, -0.5, -1], [-0.5, -0.5, -1]]"
    high = "[[0, 0, 0], [0.5, 0.5, 1], [-0.5, 0.5, 1], [0.5, -0.5, 1], [-0.5, -0.5, 1]]"
    for (i = 0; i < 8; i++) {
      a = i * 0.785398163397448 + 0.2
      printf "  - {hull: %s, at: [%d, 5, 0], material: stone, fixed: true}\n", low, 4 * i
      printf "  - {hull: %s, at: [%d, 5, 0.01], turn: {axis: [0, 0, 1], angle: %d}, ", high, 4 * i, 10 * i + 5
      printf "velocity: [%.6g, %.6g, -0.4], material: stone}\n", speed * cos(a), speed * sin(a)
    }
    print "output: {frames: {every: 0.15}}"
  }'
}

# places FOLDER: how many of the upper bodies have not gone down on the side they moved to
places()
{
  /usr/bin/python3 - "$1" <<'PY'
import glob, h5py, math, sys
newest = sorted(glob.glob(sys.argv[1] + "/frame-*.h5"))[-1]
with h5py.File(newest) as f:
  ids, x = f["bodies/id"][:], f["bodies/position"][:]
wrong = 0
for i, p in zip(ids, x):
  if i % 2 == 0:
    continue
  k = int(i) // 2 % 8
  a = k * 0.785398163397448 + 0.2
  along = (p[0] - 4 * k) * math.cos(a) + (p[1] - 5 * (int(i) // 16)) * math.sin(a)
  wrong += not (along > 0.05 and p[2] < (0.8 if i < 16 else 0.7))
print(wrong)
PY
}

for way in "patch 0" "patch 0.4" "lmd 0" "lmd 0.4"; do
  read -r model friction <<<"$way"
  case=$model-$friction
  pairs "$friction" 0.25 "$model" >tips$case.yaml
  run 1 tips$case.yaml one$case
  run 3 tips$case.yaml three$case --set partition.every=7
  check_same "$case: hash on 1 rank and 3 that share anew" "$(info one$case hash)" \
    "$(info three$case hash)"
  # the contact is under way at step 60; in the middle of a slide at step 150
  for stop in 60 150; do
    rm -rf part
    run 3 tips$case.yaml part --steps $stop
    "$mpirun" 2 "$program" run tips$case.yaml -o part --restart >part.rest.log 2>&1
    check_same "$case: hash after a restart at step $stop" "$(info part hash)" "$(info one$case hash)"
  done
  check "$case: contacts while they slide" "$(largest one$case 'c["step"] == 100 ? c["points"] : 0')" '>=' 16
  check "$case: work of contacts in any step, J" "$(largest one$case 'c["contact_work"]')" '<' 1e-9
  check "$case: energy that appears in a step, J" \
    "$(largest one$case 'c["kinetic_energy"] - p["kinetic_energy"] - c["load_work"]')" '<' 0.05
  check_same "$case: pairs without a patch" "$(largest one$case 'c["failed_pairs"]')" 0
  check "$case: penetration, m" "$(largest one$case 'c["penetration"]')" '<' 2e-3
  if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    check_same "$case: bodies that went another way than they moved" "$(places one$case)" 0
  fi
done
finish
