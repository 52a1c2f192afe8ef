#!/bin/bash
# house/arguments.sh ROOT   functions that headers declare have at most five arguments
#
# Counted in prototypes, inline functions and types of pointers to functions, outside bodies of functions. More become
# a struct that has a name of its own.
set -u
cd "$1" || exit 1

most=5
find src partition io -name '*.h' -print0 | sort -z | xargs -0 -r awk -v most=$most '
  # the text of a header without comments and lines of the preprocessor
  FNR == 1 {look(file, text); file = FILENAME; text = ""; goes_on = 0}
  {
    is_directive = goes_on || /^ *#/
    goes_on = is_directive && /\\$/
    sub(/\/\/.*$/, "")
    if (!is_directive) text = text " " $0
  }
  END {
    look(file, text)
    print functions + 0 " functions in headers, " failures + 0 " with more than " most " arguments"
    exit failures > 0 || functions == 0
  }

  # look(FILE, TEXT): counts the commas of each pair of parentheses, the innermost first, and cuts the pair out
  function look(file, text,    before, inner, count, name) {
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", text)
    gsub(/"[^"]*"/, " ", text)
    text = without_bodies(text)
    while (match(text, /\([^()]*\)/)) {
      inner = substr(text, RSTART + 1, RLENGTH - 2)
      before = substr(text, 1, RSTART - 1)
      if (inner ~ /^ *\*/) {   # a pointer to a function: its name remains
        sub(/^ *\*+ */, "", inner)
        sub(/\[.*$/, "", inner)
        text = before inner substr(text, RSTART + RLENGTH)
        continue
      }
      count = gsub(/,/, ",", inner) + 1
      functions++
      if (count > most) {
        name = before
        sub(/ *$/, "", name)
        sub(/^.*[^A-Za-z0-9_]/, "", name)
        print file ": " name " has " count
        failures++
      }
      text = before " " substr(text, RSTART + RLENGTH)
    }
  }

  # without_bodies(TEXT): braces behind a parenthesis, and all within, become a semicolon
  function without_bodies(text,    kept, depth, k, letter, last) {
    kept = ""
    depth = 0
    for (k = 1; k <= length(text); k++) {
      letter = substr(text, k, 1)
      if (depth == 0 && letter == "{" && last == ")") {depth = 1; kept = kept ";"}
      else if (depth > 0) depth += (letter == "{") - (letter == "}")
      else kept = kept letter
      if (letter != " ") last = letter
    }
    return kept
  }'
