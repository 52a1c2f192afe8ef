#!/bin/bash
# tests/bench/elastic_walls.sh [BUILD [STEPS [KIND...]]]   how walls of bricks that deform converge: cold, in their
# first step, by size and modulus (iterations, inner iterations, residual, seconds); and 210 bricks that are shaken at
# 0.3 g for some steps (300), by modulus and Poisson's ratio: how many steps miss 1e-6, the worst residual, iterations
# in the mean, and of affine bricks in how many steps points gave and by what; with rigid joints and, of affine bricks,
# with a joint_stiffness of 100 times the modulus over their thickness, and with rigid ones that never give (1 GPa). Of
# finite elements also 1010 bricks that have come to rest: processor time of a step.
# KIND: affine, finite (4 x 2 x 2 cells a brick); both unless named.
# For people: 300 steps of affine bricks take half an hour of a core, as many of finite elements more than an hour.
build=$(realpath "${1:-$(dirname "$0")/../../build}") || exit 2
steps=${2:-300}
kinds=("${@:3}")
[ ${#kinds[@]} -gt 0 ] || kinds=(affine finite)
folder=$(mktemp -d) && cd "$folder" || exit 2
trap 'rm -rf "$folder"' EXIT

stiffness= give=automatic   # of joints, as keys of the case
wall()   # COURSES BRICKS YOUNG POISSON GRAVITY ELASTIC [DAMPING]
{
  cat >case.yaml <<END_OF_CASE
units: SI
gravity: $5
time: {step: 1e-3, end: 10}
materials: {stone: {density: 2400, young: $3, poisson: $4, damping: ${7:-1e-5}}}
contacts: [{between: [stone, stone], friction: 0.6$stiffness}]
solver: {give: $give}
bodies:
  - {box: [400, 400, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {wall: {courses: $1, bricks: $2, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: stone, elastic: $6}
END_OF_CASE
}

go() { "$build/drystone" run case.yaml -o out "$@" >log.txt 2>&1 || { tail -n 3 log.txt; exit 1; }; }
run() { go --overwrite "$@"; }
seconds_to() { { TIMEFORMAT=%U && time go --restart --steps "$1"; } 2>&1; }
shaken='{sum: [[0, 0, -9.81], {cosine: {amplitude: [2.943, 0, 0], angular_frequency: 30, phase: 90}}]}'
names='NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}'
of_finite=("5 3" "10 5" "20 10" "20 50" "40 50")
of_affine=("20 10" "20 50" "50 60" "100 200")

for kind in "${kinds[@]}"; do
  case $kind in
  affine) elastic=affine sizes=("${of_affine[@]}") ;;
  finite) elastic='{cells: [4, 2, 2]}' sizes=("${of_finite[@]}") ;;
  *) echo "elastic_walls.sh: no kind is called $kind: affine, finite" >&2 && exit 2 ;;
  esac
  for size in "${sizes[@]}"; do
    for young in 1e8 1e9 1e10 5e10 1e12; do
      [ $kind$young = affine1e8 ] && continue
      # shellcheck disable=SC2086
      wall $size $young 0 "[0, 0, -9.81]" "$elastic"
      begin=$SECONDS
      run --steps 1
      awk -F, -v size="$size" -v young=$young -v kind=$kind -v s=$((SECONDS - begin)) "$names"' {
        printf "%s, cold, %s bricks, E %s: %d iterations, %d inner, residual %.1e, %d s\n", kind, size, young,
          $n["sweeps"], $n["inner"], $n["residual_max"], s}' out/history.csv
    done
  done
  if [ $kind = finite ]; then
    wall 20 50 1e10 0.2 "[0, 0, -9.81]" "$elastic" 5e-4
    run --steps 110
    first=$(seconds_to 111) && more=$(seconds_to 121) || { echo "$first $more"; exit 1; }
    awk -F, -v first="$first" -v more="$more" "$names"' $n["step"] > 111 {
      sum += $n["sweeps"]; inner += $n["inner"]; count++}
      END {printf "finite, at rest, 1010 bricks: %.2f s a step, %.1f iterations and %.1f inner in the mean\n",
        (more - first) / (count - 1), sum / count, inner / count}' out/history.csv
  fi
  joints=(rigid)
  [ $kind = affine ] && joints=(rigid sprung held)
  for joint in "${joints[@]}"; do
    for poisson in 0 0.2; do
      for young in 1e9 1e10 5e10 1e12; do
        [ "$joint$young" = held1e9 ] || [ "$joint" != held ] || continue
        k=$(awk "BEGIN {print 100 * $young / 0.2}")
        [ "$joint" = sprung ] && stiffness=", joint_stiffness: {normal: $k, shear: $k}"
        [ "$joint" = held ] && give=0
        wall 20 10 $young $poisson "$shaken" "$elastic"
        stiffness= give=automatic
        run --steps "$steps"
        awk -F, -v poisson=$poisson -v young=$young -v kind=$kind -v joint="$joint" "$names"' {
          sum += $n["sweeps"]; r = $n["residual_max"]; if (r > 1e-6) missed++; if (r > worst) worst = r
          if ($n["given"] > 0) gave++; if ($n["given"] > most) most = $n["given"]}
          END {printf "%s, %s joints, shaken, E %s, nu %s: %d of %d steps missed, worst %.1e, %.0f iterations " \
            "in the mean; points gave in %d, by %.1e m/s at most\n", kind, joint, young, poisson, missed, NR - 1,
            worst, sum / (NR - 1), gave, most}' out/history.csv
      done
    done
  done
done
