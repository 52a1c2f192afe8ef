#!/bin/bash
# No fused multiply-add in the program: it would round differently in another build.
# test: trees
command -v objdump >/dev/null || { echo "objdump is not installed"; exit 77; }
functions=$(objdump -d "$1" | grep -cE '^[0-9a-f]+ <.*>:')
[ "$functions" -gt 200 ] || { echo "only $functions functions seen in $1"; exit 1; }
if objdump -d "$1" | grep -E '^[0-9a-f]+ <.*>:|\bvfn?m(add|sub)|\bfn?m(add|sub|la|ls)\b' |
  grep -B1 -vE '^[0-9a-f]+ <.*>:' | head -n 20 | grep .; then
  echo "fused arithmetic in the functions above"
  exit 1
fi
echo "$functions functions without fused arithmetic"
