#!/bin/bash
# house/headers.sh   each header compiles alone, seeing only the folders its module may use
#
# A header that stands in front of all else in the source of its name is compiled alone with that, in each build.
#
# MODULES names a file with a line per module: name, folder, folders it sees, separated by tabs.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0 with_source=0
shopt -s nullglob
while IFS=$'\t' read -r -a words; do
  includes=()
  for folder in "${words[@]:2}"; do includes+=(-I "$folder"); done
  rm -f "$work"/*
  sources=()
  all=("${words[1]}"/*.c)
  first=$(awk 'FNR == 1 {found = 0}
    /^#include/ && !found++ {
      name = FILENAME
      gsub(/.*\/|\.c$/, "", name)
      if ($2 == "\"" name ".h\"") printf "/%s.h/", name
    }' "${all[@]}" </dev/null)
  for header in "${words[1]}"/*.h; do
    [[ $first != */"${header##*/}"/* ]] || { with_source=$((with_source + 1)); continue; }
    source=$work/${header##*/}.c
    echo "#include \"$header\"" >"$source"
    sources+=("$source")
  done
  [ ${#sources[@]} -gt 0 ] || continue
  count=$((count + ${#sources[@]}))
  "${CC:-cc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only \
    "${includes[@]}" "${sources[@]}" ||
    { echo "a header of module ${words[0]} does not compile alone"; failed=1; }
done <"$MODULES"

echo "$count headers, and $with_source with their sources"
[ $((count + with_source)) -gt 0 ] && [ $failed -eq 0 ]
