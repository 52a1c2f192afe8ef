#!/bin/bash
# A box and a ball dropped from 1 m bounce with e = 0.8 until they rest, after sqrt(2 H / g) (1 + e) / (1 - e) and a
# path of H (1 + e^2) / (1 - e^2). Restitution ends where gravity gives the speed of approach within five steps: what is
# cut off the end, like what each impact errs, is of first order in the step.
# test: ranks 3
# test: timeout 300
source "$(dirname "$0")/checks.bash"

# bounce_case BODY HEIGHT STEP: bodies are 0.5 m high
bounce_case()
{
  cat <<END
title: bounces until it rests
units: SI
gravity: [0, 0, -9.81]
time: {step: $3, end: 4.6}
materials: {stone: {density: 1000}}
contacts: [{between: [stone, stone], friction: 0, restitution: 0.8}]
bodies:
  - {box: [4, 4, 1], at: [0, 0, -0.5], material: stone, fixed: true}
  - {$1, at: [0, 0, $(calculate "0.25 + $2")], material: stone}
solver: {tolerance: 1e-12}
END
}
calculate() { awk "BEGIN {printf \"%.12g\\n\", $1}" </dev/null; }

# measure FOLDER HEIGHT: time of the last motion and path, less what they should be. The path is that of the weight's
# work.
measure()
{
  awk -F, -v height="$2" 'function abs(x) {return x < 0 ? -x : x}
    NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
    {path += abs($n["load_work"] + $n["correction_work"]) / (9.81 * $n["mass"])}
    $n["kinetic_energy"] > 1e-9 {time = $n["time"]}
    END {printf "%.9g %.9g\n", time - sqrt(2 * height / 9.81) * 1.8 / 0.2, path - height * 1.64 / 0.36}' \
    "$1/history.csv"
}

# After the last bounce the approach is below 5 g h, and what is cut off would have taken up to 2 e v / (g (1 - e)) = 40
# steps; impacts that come within a step, and change the speed by up to g h, scatter that and shorten the path by a
# multiple of v h in the sum of all. Five heights put the impacts at other places in their steps.
for body in 'box: [0.5, 0.5, 0.5]' 'sphere: {radius: 0.25}'; do
  name=${body%%:*}
  previous=
  for step in 4e-3 2e-3 1e-3; do
    for height in 1 1.013 1.029 1.048 1.071; do
      bounce_case "$body" $height $step >$name.yaml
      run 1 $name.yaml $name || continue
      measure $name $height
    done >$name.$step.list
    check_same "$name, steps of $step s: runs" "$(wc -l <$name.$step.list)" 5
    read -r time path late far <<<"$(awk 'function larger(x, m) {x = x < 0 ? -x : x; return x > m ? x : m}
      {t += $1 * $1; p += $2 * $2; late = larger($1, late); far = larger($2, far)}
      END {print sqrt(t / NR), sqrt(p / NR), late, far}' $name.$step.list)"
    check "time until rest, largest error, s" "$late" '<' "$(calculate "40 * $step")"
    check "path until rest, largest error, m" "$far" '<' "$(calculate "12 * $step")"
    if [ -n "$previous" ]; then
      check "order of the error of time" "$(calculate "log(${previous% *} / $time) / log(2)")" '>' 0.85
      check "order of the error of path" "$(calculate "log(${previous#* } / $path) / log(2)")" '>' 0.85
    fi
    previous="$time $path"
  done
  bounce_case "$body" 1 1e-3 >$name.yaml
  for ranks in 1 3; do run $ranks $name.yaml $name.$ranks --steps 1500; done
  check_same "hash on 1 and 3 ranks" "$(info $name.1 hash)" "$(info $name.3 hash)"
done
finish
