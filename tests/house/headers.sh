#!/bin/bash
# house/headers.sh   each header compiles alone, seeing only the folders its module may use
#
# MODULES names a file with a line per module: name, folder, folders it sees, separated by tabs.
set -u

failed=0 count=0
while IFS=$'\t' read -r -a words; do
  includes=()
  for folder in "${words[@]:2}"; do includes+=(-I "$folder"); done
  for header in "${words[1]}"/*.h; do
    [ -e "$header" ] || continue
    count=$((count + 1))
    "${CC:-cc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
      -fsyntax-only -x c -include "$header" "${includes[@]}" /dev/null ||
      { echo "$header does not compile alone in module ${words[0]}"; failed=1; }
  done
done <"$MODULES"

echo "$count headers"
[ $count -gt 0 ] && [ $failed -eq 0 ]
