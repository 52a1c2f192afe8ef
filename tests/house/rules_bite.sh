#!/bin/bash
# house/rules_bite.sh ROOT   every house rule fails on a small tree that breaks it
set -u
house=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# A tree without faults.
make_tree()
{
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{src/base,src/body,partition,io,tests/unit,jobs}
  touch "$tree"/CMakeLists.txt "$tree"/CMakePresets.json "$tree"/LICENSE
  printf '#pragma once\n// Numbers.\nint number(void);\n' >"$tree/src/base/number.h"
  printf '#pragma once\n// Bodies.\n#include "number.h"\nint body(void);\n' >"$tree/src/body/body.h"
  printf '#include "number.h"\n\nint number(void)\n{\n  return 1;   // exp(0)\n}\n' \
    >"$tree/src/base/number.c"
  printf 'base\t%s/src/base\t%s/src/base\n' "$tree" "$tree" >"$tree/modules"
  printf 'body\t%s/src/body\t%s/src/body\t%s/src/base\n' "$tree" "$tree" "$tree" >>"$tree/modules"
}

# expect STATUS RULE WHAT: runs a rule on the tree as it is
expect()
{
  local status=0
  MODULES=$tree/modules bash "$house/$2.sh" "$tree" >"$tree/.log" 2>&1 || status=1
  if [ $status -ne "$1" ]; then
    echo "house/$2.sh on $3: exit status $status, expected $1"
    cat "$tree/.log"
    failed=1
  fi
}

# breaks RULE WHAT FILE LINE: appends a line to a file of a sound tree, which the rule must notice
breaks()
{
  make_tree
  mkdir -p "$(dirname "$tree/$3")"
  printf '%b\n' "$4" >>"$tree/$3"
  expect 1 "$1" "$2"
}

make_tree
mv "$tree/modules" "$tree/.modules"
for rule in sources text layout; do expect 0 $rule "a sound tree"; done
mv "$tree/.modules" "$tree/modules"
expect 0 headers "a sound tree"

breaks headers "a type that is not declared" src/base/number.h 'Missing missing(void);'
breaks headers "an include against the direction" src/base/number.h '#include "body.h"'
breaks sources "message passing in a kernel" src/base/number.c 'int r(void) { return MPI_Init(); }'
breaks sources "message passing in mesh import" io/mesh/number.c 'int r(void) { return MPI_Init(); }'
breaks sources "ranks in mesh import" io/mesh/number.c 'int r(void) { return par_rank(); }'
breaks sources "a logarithm in mesh import" io/mesh/number.c 'double s(double x) { return log(x); }'
breaks sources "a sine of libm" src/base/number.c 'double s(double x) { return sin(x); }'
breaks sources "a power of libm" src/base/number.c 'double s(double x) { return 2*pow(x, 3); }'
breaks sources "an include by path" src/base/number.c '#include "../body/body.h"'
breaks sources "dead code" src/base/number.c '#if 0\n#endif'
breaks sources "a random number" src/base/number.c 'int r(void) { return rand(); }'
breaks sources "a header without guard" src/base/other.h '// Something.'
breaks sources "a header without purpose" src/base/other.h '#pragma once\nint other(void);'
breaks text "a to-do mark" src/base/number.c '// TO''DO: more'
breaks text "a long line" src/base/number.c "// $(printf '%0130d' 0)"
breaks text "a space at the end" src/base/number.c 'int a; '
breaks text "a long file" src/base/number.c "$(printf '\\n%.0s' {1..801})"
breaks layout "a folder too many" extra/file ''
breaks layout "a test that is not found" tests/unit/number.c ''
make_tree
rm "$tree/LICENSE"
expect 1 layout "a missing licence"

if command -v clang-format >/dev/null; then
  make_tree
  cp "$1/.clang-format" "$tree"
  expect 0 format "a sound tree"
  breaks format "a badly indented line" src/base/number.c '      int   a ;'
fi

exit $failed
