#!/bin/bash
# house/rules_bite.sh ROOT   every house rule fails on a small tree that breaks it
# test: needs clang-format python3
set -u
house=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

tree=$(mktemp -d "${TMPDIR:-/tmp}/a house XXXXXX")   # a path may have blanks
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
  printf '// The number one.\n#include "number.h"\n\nint number(void)\n{\n  return 1;   // exp(0)\n}\n' \
    >"$tree/src/base/number.c"
  printf 'base\t%s/src/base\t%s/src/base\n' "$tree" "$tree" >"$tree/modules"
  printf 'body\t%s/src/body\t%s/src/body\t%s/src/base\n' "$tree" "$tree" "$tree" >>"$tree/modules"
  printf 'base\t%s/src/base\t\t\nbody\t%s/src/body\tbase\t\n' "$tree" "$tree" >"$tree/.arrows"
  printf '// Bodies.\n#include "body.h"\n\n#include <assert.h>\n\nint body(void)\n{\n%b\n}\n' \
    '  assert(number() == 1 && "the number is one");\n  return number();' >"$tree/src/body/body.c"
  printf '#include "body.h"\nint main(void) { return body(); }\n' >"$tree/.main.c"
}

# Compiles the tree for rules that read symbols.
compile_tree()
{
  local source
  mkdir -p "$tree/.objects"
  rm -f "$tree"/.objects/* "$tree/.libraries"
  for source in "$tree"/src/*/*.c "$tree/.main.c"; do
    "${CC:-cc}" -I "$tree/src/base" -I "$tree/src/body" -c "$source" \
      -o "$tree/.objects/$(basename "${source##*/.}").o"
  done
  printf '%s\n' "$tree"/.objects/* >"$tree/.libraries"
}

# expect STATUS RULE WHAT: runs a rule on the tree as it is
expect()
{
  local status=0
  [ "$2" != symbols ] || compile_tree
  MODULES=$tree/modules ARROWS=$tree/.arrows LIBRARIES=$tree/.libraries \
    bash "$house/$2.sh" "$tree" >"$tree/.log" 2>&1 || status=1
  if [ $status -ne "$1" ]; then
    echo "house/$2.sh on $3: exit status $status, expected $1"
    cat "$tree/.log"
    failed=1
  fi
}

# breaks RULE WHAT FILE LINE [FILE LINE]...: appends lines to files of a sound tree, which the rule must notice
breaks()
{
  local rule=$1 what=$2
  shift 2
  make_tree
  while [ $# -gt 1 ]; do
    mkdir -p "$(dirname "$tree/$1")"
    printf '%b\n' "$2" >>"$tree/$1"
    shift 2
  done
  expect 1 "$rule" "$what"
}

# fault FILE LINE: puts a file of its own with the line into the tree; its name, from FILE with a number, in $path
fault()
{
  local begin=
  faults=$((faults + 1))
  path=${1/number/fault_$faults}
  [[ $1 != *.c ]] || begin='// A fault.\n'
  [[ $1 != *.h ]] || begin='#pragma once\n// A fault.\n'
  mkdir -p "$(dirname "$tree/$path")"
  printf '%b\n' "$begin$2" >"$tree/$path"
}

# breaks_each RULE: lines 'WHAT|FILE|LINE' of standard input, all in one tree; the rule must name every file
breaks_each()
{
  local what file line faults=0 whats=() paths=() i
  make_tree
  while IFS='|' read -r what file line; do
    fault "$file" "$line"
    whats+=("$what") paths+=("$path")
  done
  expect 1 "$1" "$faults faults"
  for i in "${!paths[@]}"; do
    grep -qF "${paths[i]}:" "$tree/.log" || { echo "house/$1.sh does not notice ${whats[i]}"; failed=1; }
  done
}

make_tree
mv "$tree/modules" "$tree/.modules"
for rule in sources text layout; do expect 0 $rule "a sound tree"; done
mv "$tree/.modules" "$tree/modules"
for rule in headers arrows symbols asserts arguments; do expect 0 $rule "a sound tree"; done

breaks headers "a type that is not declared" src/base/other.h '#pragma once\nMissing missing(void);'
breaks headers "an include against the direction" src/base/other.h '#include "body.h"'
make_tree
printf '#include <stdint.h>\n%s\n' "$(cat "$tree/src/base/number.c")" >"$tree/src/base/number.c"
echo 'int32_t number_two(void);' >>"$tree/src/base/number.h"
expect 1 headers "a header that needs what its source includes before"
breaks arrows "an arrow that is not named" src/base/number.h '#include "body.h"'
breaks arrows "an arrow of a source that is not named" src/base/number.c '#include "body.h"'
make_tree
printf 'base\t%s/src/base\t\t\nbody\t%s/src/body\t\tbase\n' "$tree" "$tree" >"$tree/.arrows"
expect 1 arrows "an arrow of a header that only the sources name"
make_tree
sed -i '/number.h/d' "$tree/src/body/body.h"
expect 1 arrows "an arrow that nothing needs"
make_tree
sed -i '1!G;h;$!d' "$tree/.arrows"
expect 1 arrows "modules in the wrong order"
breaks symbols "a circle of calls" src/base/number.c 'int body(void); int number_two(void) { return body(); }' \
  src/body/body.c 'int number_two(void); int body_two(void) { return number_two(); }' \
  .main.c 'int body_two(void); int m(void) { return body_two(); }'
breaks symbols "a name without its file's words" src/base/number.c 'int other(void) { return 1; }' \
  .main.c 'int other(void); int m(void) { return other(); }'
breaks symbols "a name that nobody else uses" src/base/number.c 'int number_two(void) { return 1; }'
breaks symbols "a name that the tests alone use" src/base/number.c 'int number_two(void) { return 1; }' \
  src/base/number.h 'int number_two(void);' tests/unit/test_number.c 'int main(void) { return number_two(); }'
breaks arguments "a function of six arguments" src/base/number.h \
  'int six(int a, int b, int c,\n        int d, int e, int f);'
breaks arguments "an inline one" src/base/number.h \
  'static inline int six(int a[2], int b, int c, int d, int e, int f)\n{\n  return a[0];\n}'
breaks arguments "a pointer to one" io/number.h \
  'typedef struct {\n  int (*six)(int, int, int, int (*)(int, int), int, int);\n} Door;'
breaks arguments "one behind a body" src/base/number.h \
  'static inline int one(void)\n{\n  return 1;\n}\nint six(int, int, int, int, int, int);'
breaks asserts "code that promises nothing" src/base/number.c "$(printf 'int a%d;\\n' {1..50})"
breaks_each sources <<'END'
message passing in a kernel|src/base/number.c|int r(void) { return MPI_Init(); }
message passing in mesh import|io/mesh/number.c|int r(void) { return MPI_Init(); }
ranks in mesh import|io/mesh/number.c|int r(void) { return par_rank(); }
a logarithm in mesh import|io/mesh/number.c|double s(double x) { return log(x); }
a sine of libm|src/base/number.c|double s(double x) { return sin(x); }
a power of libm|src/base/number.c|double s(double x) { return 2*pow(x, 3); }
a kind of body asked outside body/|src/base/number.c|int r(const B *b) { return b->kind[0]; }
a kind of body named outside body/|src/base/number.c|int r(const K *k) { return k == &kind_rigid; }
an include by path|src/base/number.c|#include "../body/body.h"
dead code|src/base/number.c|#if 0\n#endif
a random number|src/base/number.c|int r(void) { return rand(); }
numbers compared by hand|src/body/number.c|int r(int *p, int *q) { return (*p > *q) - (*p < *q); }
a list that grows by hand|src/body/number.c|int r(L *l) { return l->capacity = 2 * l->capacity + 8; }
a list that grows by hand, in short|src/body/number.c|void r(int capacity) { capacity *= 2; }
END
breaks sources "a header without guard" src/base/other.h '// Something.'
breaks sources "a header without purpose" src/base/other.h '#pragma once\nint other(void);'
breaks sources "a source without purpose" src/base/other.c '#include "number.h"'
breaks sources "a type with two meanings" src/body/body.h 'typedef struct {\n  int a;\n} Row;' \
  src/base/number.c 'typedef struct {\n  int b;\n} Row;'
breaks text "a to-do mark" src/base/number.c '// TO''DO: more'
breaks text "a long line" src/base/number.c "// $(printf '%0130d' 0)"
breaks text "a space at the end" src/base/number.c 'int a; '
breaks text "a long file" src/base/number.c "$(printf '\\n%.0s' {1..801})"
breaks layout "a folder too many" extra/file ''
breaks layout "a test that is not found" tests/unit/number.c ''
make_tree
for number in {1..29}; do : >"$tree/src/base/many_$number.h"; done
expect 1 layout "a folder that no reader can hold"
make_tree
rm "$tree/LICENSE"
expect 1 layout "a missing licence"

if command -v python3 >/dev/null; then
  make_tree
  printf '%s\n' 'first() { local it=$1; awk "{print}" <<<"$it" | { read -r a; echo "$((1 + 2)) ${a%x}"; }; }' \
    'for x in a b; do case $x in a | b) first "$x" >/dev/null 2>&1 ;; *) : ;; esac; done' \
    'cat <<END' 'jq is a word here' 'END' '[[ $x == jq* ]] || "$program" --version; words=(jq jq) # jq' \
    'if ! x=$(date +%s); then (cd / && ./jq); fi' >"$tree/jobs/first.sh"
  expect 0 needs "a script with words of all kinds"
  make_tree
  printf '# test: needs python3\nim''port os, sys\nim''port helper\n' >"$tree/tests/number.py"
  printf '# test: needs python3\nfr''om os import path\n' >"$tree/tests/helper.py"
  expect 0 needs "modules of Python itself, and one beside"
  breaks_each needs <<'END'
a program nobody knows|tests/number.sh|jq . file
one that is substituted|jobs/number.sh|echo "it is $(true \x7c jq .)"
one behind others|tests/number.bash|if true; then\n  FOLDER=. timeout -k 5 60 env A=b jq .; fi
one among cases|tests/number.sh|case $1 in\na) true ;;\nb) jq . ;;\nesac
a module nobody knows|tests/number.py|# test: needs python3\nimport unheard_of
a header nobody knows|tests/unit/test_number.c|#include <unheard_of.h>
a package without use|tests/number.sh|# test: needs tetgen\ntrue
END
  # uses of packages are noticed, and are none of the rule's business once a line names them
  uses=$(cat <<'END'
tetgen|a program|tests/number.sh|tetgen -v
python3|a program that another one starts|tests/number.sh|start() { "$@"; }\nstart /usr/bin/python3 -c 1
python3|a script in Python|tests/number.py|print(1)
python3 git|a program of a script in Python|tests/number.py|import subprocess\nsubprocess.run(["git", "log"])
python3 python3-numpy|a module|tests/number.py|import os, numpy as np
python3 python3-h5py|a module in a script|tests/number.sh|python3 - <<STOP\nimport h5py\nSTOP
libgmp-dev|a header|tests/unit/exact.h|#include <gmp.h>
tetgen|a case with a mesh|tests/number.sh|cat <<STOP >case.yaml\n  - {mesh:\x20l.obj}\nSTOP
END
  )
  breaks_each needs < <(cut -d '|' -f 2- <<<"$uses")
  make_tree
  faults=0
  while IFS='|' read -r packages _ file line; do
    mark='#'
    [[ $file != *.[ch] ]] || mark=//
    fault "$file" "$mark test: needs $packages\n$line"
  done <<<"$uses"
  expect 0 needs "uses that are named"
fi

if command -v python3 >/dev/null; then
  entry='- **base-1.** Sums are exact. *Reason:* Order must not count. *Evidence:* `unit.base`.'
  make_tree
  printf '# Base\n\nSee `number.c`, [numbers](number.h#one) and `src/body/`.\n\n    tests/unit/test_X.c\n' \
    >"$tree/src/base/README.md"
  printf '# Decisions: base\n\n%s\n%s\n' "$entry" "${entry/base-1/base-2}" >"$tree/src/base/DECISIONS.md"
  expect 0 prose "a sound text"
  while IFS='|' read -r what file line; do breaks prose "$what" "$file" "$line"; done <<END
long sentences|README.md|$(printf 'word %.0s' {1..26})end.
a long sentence among short ones|README.md|$(printf 'One. %.0s' {1..20})$(printf 'word %.0s' {1..900})end.
a long sentence in a list|README.md|- Short: $(printf 'word %.0s' {1..60})end.
a file that is gone|README.md|See \x60src/base/gone.c\x60.
a file that is gone, by name|src/README.md|See \x60gone.c\x60.
a folder that is gone|src/README.md|See \x60io/gone/\x60.
a link to a file that is gone|src/README.md|See [it](base/gone.md).
a script that is gone|README.md|Run it:\n\n    jobs/gone.sh 2
a list of decisions of nobody|src/base/DECISIONS.md|$entry
a decision without a number|src/base/DECISIONS.md|# Decisions: base\n\n${entry/-1}
a decision without evidence|src/base/DECISIONS.md|# Decisions: base\n\n${entry/\*Evidence*}
a reason of two sentences|src/base/DECISIONS.md|# Decisions: base\n\n${entry/count./count. It must not.}
a number given twice|src/base/DECISIONS.md|# Decisions: base\n\n$entry\n$entry
a decision of another module|src/base/DECISIONS.md|# Decisions: base\n\n${entry/base/body}
END
fi

if command -v clang-format >/dev/null; then
  make_tree
  cp "$1/.clang-format" "$tree"
  expect 0 format "a sound tree"
  breaks format "a badly indented line" src/base/number.c '      int   a ;'
fi

exit $failed
