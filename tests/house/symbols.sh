#!/bin/bash
# house/symbols.sh ROOT   rules about exported names, read from the compiled modules
#
# LIBRARIES names a file with a line per static library of a module, or object file of the program.
# - no circle of calls between files;
# - an exported name begins with words of its file's name, or of the header that declares it;
# - every exported name is used by another file; where the tests alone use it, its header says so. Names of the
#   library's header, drystone_..., are for its users.
set -u
cd "$1" || exit 1

# prefixes that differ from the file's name, and names that stand for themselves
prefixes="parallel:par"
names="main all_ok die_at"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
report()
{
  [ -z "$2" ] && return
  printf '%s:\n%s\n' "$1" "$2"
  failed=1
}

# a line per symbol of an object: file, kind (U: wanted, T D B R C: given), name
tr '\n' '\0' <"$LIBRARIES" | xargs -0 -r nm -A -g 2>/dev/null |
  sed -nE 's|^.*[/:]([A-Za-z0-9_]+)\.c\.o:[ 0-9a-f]* ([A-Za-z]) ([A-Za-z0-9_]+)$|\1 \2 \3|p' \
    >"$work/symbols"
[ -s "$work/symbols" ] || { echo "no symbols in the libraries of $LIBRARIES"; exit 1; }
awk '$2 ~ /[TDBRC]/ {print $1, $3}' "$work/symbols" | sort -u >"$work/given"

awk 'FILENAME == ARGV[1] {home[$2] = $1; next}
     $2 == "U" && $3 in home && home[$3] != $1 {print $1, home[$3]}' \
  "$work/given" "$work/symbols" | sort -u >"$work/calls"
report "files that call each other in a circle" "$(tsort "$work/calls" 2>&1 >/dev/null |
  sed -n 's/^tsort: \([a-z0-9_]*\)$/  \1/p')"

# how often each word stands in files: word, file, its kind (c or h), number
find src partition io -name '*.[ch]' -print0 | xargs -0 -r awk '
  FNR == 1 {
    stem = FILENAME
    sub(".*/", "", stem)
    kind = substr(stem, length(stem))
    stem = substr(stem, 1, length(stem) - 2)
  }
  {
    sub("//.*$", "")
    count = split($0, words, "[^A-Za-z0-9_]+")
    for (i = 1; i <= count; i++)
      if (words[i] ~ /^[A-Za-z_][A-Za-z0-9_]+$/) found[words[i] " " stem " " kind]++
  }
  END {for (word in found) print word, found[word]}' | sort >"$work/texts"
awk '$3 == "h" {print $2, $1}' "$work/texts" >"$work/words"   # header, word

report "exported names that begin with no word of their file" "$(
  awk -v prefixes="$prefixes" -v names="$names" '
    function begins(name, stem,    words, count, i, prefix) {
      count = split(stem, words, "_")
      prefix = ""
      for (i = 1; i <= count; i++) {
        prefix = prefix (i > 1 ? "_" : "") words[i]
        if (name == prefix || name ~ "^" prefix "s?_") return 1
      }
      return name == prefix "s" || (stem in other && index(name, other[stem] "_") == 1)
    }
    BEGIN {
      n = split(prefixes, list, " ")
      for (i = 1; i <= n; i++) {split(list[i], pair, ":"); other[pair[1]] = pair[2]}
      n = split(names, list, " ")
      for (i = 1; i <= n; i++) alone[list[i]] = 1
    }
    FILENAME == ARGV[1] {headers[$2] = headers[$2] " " $1; next}
    $2 in alone {next}
    {
      name = tolower($2)
      fine = begins(name, $1)
      n = split(headers[$2], list, " ")
      for (i = 1; i <= n && !fine; i++) fine = begins(name, list[i])
      if (!fine) print "  " $1 ".c: " $2
    }' "$work/words" "$work/given")"

# names that no other file of the program wants: neither its object nor, where a build leaves a
# promise out (check.h), its text
awk 'FILENAME == ARGV[1] {if ($2 == "U") wanted[$3] = 1; next}
     !($2 in wanted) && $2 != "main" && $2 !~ /^drystone_/ {print $1, $2}' "$work/symbols" "$work/given" >"$work/alone"
awk 'FILENAME == ARGV[1] {
       if ($3 == "c") sources[$1] = sources[$1] " " $2 " "
       else headers[$1] += $4
       next
     }
     {
       others = sources[$2]
       gsub(" " $1 " ", "", others)
       if (others == "" && headers[$2] <= 1) print
     }' "$work/texts" "$work/alone" >"$work/unused"
[ -d tests ] && find tests -name '*.[ch]' -print0 | xargs -0 -r cat |
  grep -oE '[A-Za-z_][A-Za-z0-9_]+' | sort -u >"$work/in_tests"
report "exported names that nobody else uses (make them static)" "$(
  awk 'FILENAME == ARGV[1] {tested[$1] = 1; next} !($2 in tested) {print "  " $1 ".c: " $2}' \
    "$work/in_tests" "$work/unused")"
report "exported names that the tests alone use, and whose header does not say so (\"tests\")" "$(
  awk 'FILENAME == ARGV[1] {tested[$1] = 1; next} $2 in tested {print $2}' "$work/in_tests" "$work/unused" \
    >"$work/tested"
  find src partition io -name '*.h' -print0 | xargs -0 awk '
    FILENAME == ARGV[1] {wanted[$1] = 1; next}
    FNR == 1 {comment = ""}
    /^\/\// {comment = comment " " $0; next}
    /^$/ {comment = ""; next}
    comment ~ /tests/ {
      count = split($0, words, "[^A-Za-z0-9_]+")
      for (i = 1; i <= count; i++) delete wanted[words[i]]
    }
    END {for (name in wanted) print "  " name}' "$work/tested" | sort)"

exit $failed
