# Sourced by the tests of distribution after runs.bash: three cases whose work moves, and runs of them however the
# bodies are dealt to ranks.

# A wall over which a heavy sledge is pushed, while loads in time press on two of its parts.
# moving_load_case COURSES BRICKS
moving_load_case()
{
  local top above
  top=$(awk "BEGIN {print 0.2 * $1}") above=$(awk "BEGIN {print 0.2 * $1 + 0.6}")
  cat <<END
title: a wall under a load that moves
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.2}
materials:
  brick: {density: 2000}
  lead: {density: 11000}
contacts:
  - {between: [brick, brick], friction: 0.6}
  - {between: [brick, lead], friction: 0.1}
  - {between: [lead, lead], friction: 0.1}
bodies:
  - {box: [30, 4, 1], at: [4, 0, -0.5], material: brick, fixed: true, name: floor}
  - {wall: {courses: $1, bricks: $2, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: brick, name: lower}
  - {wall: {courses: 2, bricks: $2, brick: [0.4, 0.2, 0.2], joint: 0.002}, at: [0, 0, $top], material: brick, name: upper}
  - {grid: {box: [0.5, 0.2, 0.4], count: [2, 1, 1], spacing: [0.5, 1, 1]}, at: [0.35, 0, $above], velocity: [6, 0, 0],
     material: lead, name: sledge}
  - {box: [0.1, 0.6, 0.3], at: [0, 0, $above], material: lead, motion: {velocity: [6, 0, 0]}, name: pusher}
loads:
  - {on: upper, force: {table: [[0, 0, 0, 0], [0.1, 0, 8, -100], [0.2, 0, 0, 0]]}, at: [0.1, 0, 0.1]}
  - {on: lower, force: {cosine: {amplitude: [10, 5, 0], angular_frequency: 60}}}
solver: {max_sweeps: 15}          # the same bits are asked for, not converged impulses
END
}

# Stones from two inlets, onto a bed of others whose edge leaves the domain and beside it.
# pouring_case STONES_ALONG_A_SIDE STONES_OF_AN_INLET
pouring_case()
{
  cat <<END
title: rubble that is poured
units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.1}
seed: 11
materials:
  granite: {density: 2700}
contacts:
  - {between: [granite, granite], friction: 0.5, restitution: 0.1}
domain: {low: [-2.93, -2.93, -1], high: [4, 4, 6]}
bodies:
  - {box: [6, 6, 0.2], at: [0, 0, -0.1], material: granite, fixed: true, name: floor}
  - stones:
      shapes: [{random: {points: 12, ratios: [1, 0.8, 0.6], variety: 8}, share: 3}, {box: [1.5, 1, 1]}]
      sizes: {table: [[0.06, 0], [0.09, 0.4], [0.12, 1]], by: number, classes: 3}
      lattice: {count: [$1, $1, 2], spacing: [0.26, 0.26, 0.25], jitter: 1}
    at: [-2.8, -2.8, 0.13]
    material: granite
    velocity: [-3, -1.5, -3]
    name: bed
  - stones:
      shapes: [{random: {points: 10, ratios: [1, 0.9, 0.5], variety: 8}}]
      sizes: {table: [[0.06, 0], [0.1, 0.4], [0.12, 1]], classes: 4}
      inlet: {size: [1.2, 1.2], count: $2}
    at: [-2, -2, 0.75]
    velocity: [0, 0, -5]
    material: granite
    name: pour
  - stones:
      shapes: [{random: {size: 0.08}}]
      inlet: {size: [0.6, 0.6], count: $2}
    at: [1, 1, 0.25]
    turn: {axis: [0, 1, 0], angle: 60}
    velocity: [2, 0, -3]
    birth: 0.02
    material: granite
    name: side
solver: {max_sweeps: 30}
END
}

# Bricks by the thousand on one dynamic plate, which is laid on blocks; some of the bricks slide.
# raft_case BRICKS_ALONG_A_SIDE
raft_case()
{
  local spacing size first
  spacing=$(awk "BEGIN {print 15 / $1}") size=$(awk "BEGIN {print 13.5 / $1}")
  first=$(awk "BEGIN {print -9.5 + 7.5 / $1}")
  cat <<END
title: a raft that carries bricks
units: SI
gravity: [1, 0.5, -9.81]
time: {step: 1e-3, end: 0.1}
materials:
  stone: {density: 2400}
  ice: {density: 900}
contacts:
  - {between: [stone, stone], friction: 0.6}
  - {between: [stone, ice], friction: 0.02}
  - {between: [ice, ice], friction: 0.02}
bodies:
  - {box: [24, 24, 1], at: [0, 0, -2], material: stone, fixed: true, name: ground}
  - {grid: {box: [1, 1, 1], count: [4, 4, 1], spacing: [5, 5, 1]}, at: [-7.5, -7.5, -1], material: stone, name: block}
  - {box: [20, 20, 0.5], at: [0, 0, -0.25], material: stone, name: raft}
  - {grid: {box: [$size, $size, 0.2], count: [$1, $1, 1], spacing: [$spacing, $spacing, 1]}, at: [$first, $first, 0.1], material: stone, name: load}
  - {grid: {box: [0.4, 0.4, 0.2], count: [4, 4, 1], spacing: [0.5, 0.5, 1]}, at: [8.1, 8.1, 0.1], velocity: [-4, -4, 0],
     material: ice, name: sliding}
solver: {max_sweeps: 8}
END
}

# stage_of_difference LOG REFERENCE: where two hash logs part, or nothing
stage_of_difference()
{
  awk 'NR == FNR {for (i = 1; i <= NF; i++) line[FNR, i] = $i; lines = FNR; next}
    {for (i = 1; i <= NF; i++)
      if ($i != line[FNR, i]) {
        print "first difference: step " $1 ", stage " (i > 1 ? substr($i, 1, index($i, "=") - 1) : "(number of the step)")
        differs = 1
        exit
      }
    }
    END {if (!differs && FNR != lines) print "first difference: " FNR " steps of " lines}' "$2" "$1"
}

# same_steps TEXT FOLDER REFERENCE: the bits after each stage of each step, and the columns of bodies in the history
same_steps()
{
  same_hash "$1" "$2" "$3"
  expect "$1: stages of $(wc -l <"$2.txt") steps" [ -s "$2.txt" -a -z "$(stage_of_difference "$2.txt" "$3.txt")" ]
  stage_of_difference "$2.txt" "$3.txt"
  expect "$1: history" cmp <(physics "$2") <(physics "$3")
}

# shared_out FOLDER: how often bodies were shared out anew, "BY_BALANCE AS_ASKED MOVED"
shared_out()
{
  sed -nE 's/^shared out anew ([0-9]+) times for balance, ([0-9]+) times as asked: ([0-9]+) bod[a-z]+ moved.*/\1 \2 \3/p' \
    "$1.log"
}

# options of the ways to deal bodies to ranks: asked for every $1 steps, by balance, never, and without what is kept
# between steps
way_options()
{
  case $1 in
  asked) echo "--set partition.balance=false --set partition.every=$2" ;;
  balance) ;;
  never) echo "--set partition.balance=false" ;;
  fresh) echo "--set contact.keep_pairs=false --set partition.every=$2" ;;
  esac
}

# vary CASE RANKS WAY EVERY STEPS REFERENCE [FROM]: a run that must have the bits of another, from its start or from a
# folder with a checkpoint; adds to the associative arrays balanced, asked and moved of the case
declare -A balanced asked moved
vary()
{
  local name=$1 ranks=$2 way=$3 every=$4 steps=$5 reference=$6 from=${7-} folder text options restart="" counts
  folder=$name-$ranks-$way text="$name, $ranks ranks, $way"
  rm -rf "$folder" "$folder".*
  [ -z "$from" ] || { cp -r "$from" "$folder"; cp "$from.txt" "$folder.txt"; restart=--restart; }
  read -r -a options < <(way_options "$way" "$every") || true
  piece "$program" "$ranks" "$name.yaml" "$folder" --steps "$steps" $restart "${options[@]}"
  same_steps "$text" "$folder" "$reference"
  rm -rf "$folder"
  [ "$ranks" -gt 1 ] || return 0
  read -r -a counts < <(shared_out "$folder")
  balanced[$name]=$((${balanced[$name]-0} + counts[0]))
  moved[$name]=$((${moved[$name]-0} + counts[2]))
  case $way in
  asked) expect "$text: asked for ${counts[1]} times" [ "${counts[1]}" -ge 2 ] ;;
  never) expect "$text: nothing moves" [ "${counts[2]}" -eq 0 ] ;;
  esac
}
