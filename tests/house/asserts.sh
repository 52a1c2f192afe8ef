#!/bin/bash
# house/asserts.sh ROOT   the sources assert their promises: at least 20 times in 1000 lines
#
# Counted in .c and .h of each folder: assert, assert_debug, check_valid and _Static_assert outside
# comments, over lines of all kinds.
set -u
cd "$1" || exit 1

least=20
find src partition io -name '*.[ch]' -print0 | sort -z | xargs -0 -r awk '
  {
    folder = FILENAME
    sub("/[^/]*$", "", folder)
    lines[folder]++
    sub("//.*$", "")
    count = split($0, before, "(")   # a call is a name in front of a bracket
    for (i = 1; i < count; i++)
      if (before[i] ~ /(^|[^A-Za-z0-9_])(assert|assert_debug|check_valid|_Static_assert)$/) found[folder]++
  }
  END {for (folder in lines) print folder, lines[folder], found[folder] + 0}' | awk -v least=$least '
  {lines[$1] += $2; found[$1] += $3; all_lines += $2; all_found += $3}
  END {
    for (folder in lines)
      printf "%-28s %6d lines %5d asserts %6.1f in 1000\n", folder, lines[folder], found[folder],
             1000 * found[folder] / lines[folder] | "sort"
    close("sort")
    if (all_lines == 0) {print "no sources"; exit 1}
    printf "%-28s %6d lines %5d asserts %6.1f in 1000, more than %d\n", "all", all_lines, all_found,
           1000 * all_found / all_lines, least
    exit 1000 * all_found <= least * all_lines
  }'
