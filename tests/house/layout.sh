#!/bin/bash
# house/layout.sh ROOT   the visible top level is fixed, a folder has at most thirty sources, and no test
# lies where it is not found
# test: needs git
set -u
cd "$1" || exit 1

failed=0
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  entries=$(git ls-files --cached --others --exclude-standard | sed 's:/.*::' | sort -u)
else
  entries=$(ls | grep -vE '^(build|results)')
fi
extra=$(grep -vE '^\.' <<<"$entries" |
  grep -vxE 'CMakeLists\.txt|CMakePresets\.json|README\.md|LICENSE|src|partition|io|tests|jobs')
if [ -n "$extra" ]; then
  printf 'not allowed at the top level:\n%s\n' "$extra"
  failed=1
fi

for file in CMakeLists.txt CMakePresets.json LICENSE src partition io tests jobs; do
  [ -e "$file" ] || { echo "$file is missing"; failed=1; }
done

crowded=$(find src partition io -name '*.[ch]' -printf '%h\n' | sort | uniq -c | awk '$1 > 30')
if [ -n "$crowded" ]; then
  printf 'more than 30 sources in a folder:\n%s\n' "$crowded"
  failed=1
fi

for file in tests/unit/*.c tests/mpi/*.c; do
  [ -e "$file" ] || continue
  if [[ ${file##*/} != test_* && ! -e ${file%.c}.h ]]; then
    echo "$file is not run: names of test programs begin with test_"
    failed=1
  fi
done

exit $failed
