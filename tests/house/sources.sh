#!/bin/bash
# house/sources.sh ROOT   rules that a search can check in the solver's sources
set -u
cd "$1" || exit 1

failed=0

# Prints what was found under a rule and remembers the failure.
report()
{
  [ -z "$2" ] && return
  printf '%s:\n%s\n' "$1" "$2"
  failed=1
}

mapfile -t files < <(find src partition io -name '*.[ch]' | sort)
[ ${#files[@]} -gt 0 ] || { echo "no sources in $1"; exit 1; }
mapfile -t headers < <(printf '%s\n' "${files[@]}" | grep '\.h$')

# the sources without comments
bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
cp --parents "${files[@]}" "$bare"
(cd "$bare" && sed -i 's://.*$::' "${files[@]}")

# Prints file:line:text of a pattern outside comments in the files read from standard input.
search_code() { (cd "$bare" && xargs -r grep -nHE "$1"); }

report "message passing outside src/base/parallel*, partition/ and io/, or in io/mesh/, which is local" "$(
  printf '%s\n' "${files[@]}" | grep -vP '^(src/base/parallel(\.c|_mpi\.h)|partition/|io/(?!mesh/))' |
    search_code '\bMPI_[A-Za-z]|mpi\.h')"

report "io/mesh/ knows of ranks (what is shared with them is the matter of io/)" "$(
  printf '%s\n' "${files[@]}" | grep '^io/mesh/' | search_code '\bpar_[a-z]+|parallel\.h')"

# libm picks variants by processor; src/base/trig.h has ours. fabs, floor, sqrt are exact.
functions='a?(sin|cos|tan)h?|atan2|sincos|pow|exp|exp2|exp10|expm1'
functions+='|log|log2|log10|log1p|cbrt|hypot|[tl]gamma|erfc?'
report "functions of libm whose last bits depend on the machine" "$(
  printf '%s\n' "${files[@]}" | search_code "(^|[^A-Za-z0-9_])($functions)[fl]?\\(")"

report "includes by path (a bare file name shows which module it comes from)" "$(
  printf '%s\n' "${files[@]}" | search_code '#include "[^"]*/')"

report "code switched off or forked by the preprocessor" "$(
  printf '%s\n' "${files[@]}" |
    search_code '^ *# *(if 0|ifdef (MPI|USE_MPI|HAVE_MPI)|if (MPI|USE_MPI))')"

report "headers without #pragma once as first line" "$(
  [ ${#headers[@]} -eq 0 ] || awk 'FNR == 1 && $0 != "#pragma once" {print FILENAME}' "${headers[@]}")"

report "headers without a sentence of purpose under #pragma once" "$(
  [ ${#headers[@]} -eq 0 ] || awk 'FNR == 2 && !/^\/\/ / {print FILENAME}' "${headers[@]}")"

report "sources whose first line does not say, after //, what they are for" "$(
  printf '%s\n' "${files[@]}" | grep '\.c$' | xargs -r awk 'FNR == 1 && !/^\/\/ [A-Za-z]/ {print FILENAME}')"

# file and name of each type that a file defines
types=$(printf '%s\n' "${files[@]}" |
  search_code '^\} [A-Z][A-Za-z0-9]*;|^typedef .*[ *][A-Z][A-Za-z0-9]*;' |
  sed -E 's/^([^:]*):[0-9]+:.*[ *]([A-Z][A-Za-z0-9]*);.*/\1 \2/')
report "types of a header whose name another file gives to a type of its own" "$(
  awk '{files[$2] = files[$2] " " $1; if (!seen[$0]++) ++count[$2]; if ($1 ~ /\.h$/) public[$2] = 1}
       END {for (name in public) if (count[name] > 1) print name ":" files[name]}' <<<"$types" | sort)"

or_column='|bodies->kind([^A-Za-z0-9_]|$)|b->kind\['
report "a kind of body named outside src/body/ and src/solver/problem/rigid_pairs.h, which cuts out batches" "$(
  printf '%s\n' "${files[@]}" | grep -vE '^src/(body/|solver/problem/rigid_pairs\.h$)' |
    search_code '(^|[^A-Za-z0-9_])(kind_rigid|in_lanes|KINDS)([^A-Za-z0-9_]|$)'"$or_column")"

report "random numbers of the C library (the project's come from hash_mix)" "$(
  printf '%s\n' "${files[@]}" | search_code '(^|[^A-Za-z0-9_])(rand|srand|random|drand48)\(')"

report "plain numbers compared by hand (src/base/order.h does it)" "$(
  printf '%s\n' "${files[@]}" | grep -v '^src/base/' |
    search_code '\(\*?[a-z]+ > \*?[a-z]+\) - \(\*?[a-z]+ < \*?[a-z]+\)')"

report "a list that grows by hand (memory_grow and arena_grow do it)" "$(
  printf '%s\n' "${files[@]}" | grep -v '^src/base/' |
    search_code '2 \* [^;]*capacity|capacity \*= 2')"

exit $failed
