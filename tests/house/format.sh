#!/bin/bash
# house/format.sh ROOT [--fix]   C files are as clang-format leaves them; --fix makes them so
# test: needs clang-format
set -u
cd "$1" || exit 1

command -v clang-format >/dev/null || { echo "clang-format is not installed"; exit 77; }
mapfile -d '' -t files < <(find src partition io tests -name '*.[ch]' -print0 | sort -z)
[ ${#files[@]} -gt 0 ] || { echo "no C files in $1"; exit 1; }

if [ "${2-}" = --fix ]; then
  clang-format -i "${files[@]}"
else
  clang-format --dry-run -Werror "${files[@]}" 2>&1 | grep -E 'error:' | sort -u -t: -k1,1
  [ "${PIPESTATUS[0]}" -eq 0 ] || { echo "tests/house/format.sh . --fix formats all"; exit 1; }
fi
