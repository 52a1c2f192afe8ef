# Sourced by the benches that hold times to what they may be, with their arguments. Sets build, code; goes to a
# folder of its own.
build=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build}") || exit 2
folder=$(mktemp -d) && cd "$folder" || exit 2
trap 'rm -rf "$folder"' EXIT
code=0

# say WHAT UNIT TAKEN ALLOWED
say()
{
  awk -v what="$1" -v unit="$2" -v taken="$3" -v allowed="$4" 'BEGIN {
    good = taken != "" && taken + 0 > 0 && taken + 0 <= allowed
    printf "%-62s %9.3g %-3s of %5g  %s\n", what, taken, unit, allowed, good ? "fine" : "MISSED"
    exit !good }' </dev/null || code=1
}
