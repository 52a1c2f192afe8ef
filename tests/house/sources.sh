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

report "message passing outside src/base/parallel.c, partition/ and io/, or in io/mesh/, which is local" "$(
  printf '%s\n' "${files[@]}" | grep -vE '^(src/base/parallel\.c|partition/|io/[^/]*$)' |
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

report "random numbers of the C library (the project's come from hash_mix)" "$(
  printf '%s\n' "${files[@]}" | search_code '(^|[^A-Za-z0-9_])(rand|srand|random|drand48)\(')"

exit $failed
