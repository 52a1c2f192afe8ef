#!/bin/bash
# house/text.sh ROOT   words and sizes that no file of the project may have
set -u
cd "$1" || exit 1

failed=0
mapfile -t files < <(find src partition io tests jobs .ci CMakeLists.txt CMakePresets.json \
  README.md -type f \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -name '*.md' \
  -o -name '*.txt' -o -name '*.json' -o -name '*.yaml' -o -name run \) 2>/dev/null | sort)
[ ${#files[@]} -gt 0 ] || { echo "no files in $1"; exit 1; }

# brackets keep this file out of its own net
unfinished='\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K|place[h]olders?|stu[b]s?|not (yet )?imple[m]ented)\b'
if grep -nIiE "$unfinished" "${files[@]}"; then
  echo "words of unfinished work"
  failed=1
fi

if grep -nE '.{101,}' $(printf '%s\n' "${files[@]}" | grep -E '\.([ch]|py)$') ||
  grep -nE '.{121,}' $(printf '%s\n' "${files[@]}" | grep -E '\.sh$'); then
  echo "lines over 100 columns (120 in shell scripts)"
  failed=1
fi

if grep -nI ' $' $(printf '%s\n' "${files[@]}" | grep -E '\.([ch]|py|sh)$'); then
  echo "spaces at the end of a line"
  failed=1
fi

long=$(printf '%s\0' "${files[@]}" | grep -zE '\.([ch]|py|sh)$' | xargs -0 -r awk '
  {lines[FILENAME] = FNR}
  END {for (name in lines) if (lines[name] > 800) printf "%s has %d lines, 800 is the most\n", name, lines[name]}')
if [ -n "$long" ]; then
  echo "$long"
  failed=1
fi

exit $failed
