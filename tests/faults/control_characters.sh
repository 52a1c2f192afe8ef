#!/bin/bash
# Titles, names and paths that hold what moves a terminal: nothing of it reaches the terminal, in any command, and the
# texts can still be read. What is UTF-8 stays as it is.
# test: no_grace
source "$(dirname "$0")/faults.bash"
find . -mindepth 1 -delete   # of an earlier run
bad=$'e\e[31m\x07\xc2\x9b2Jd'       # of one byte, and of two
mkdir "$bad"
small_case 2 2 4 | sed 's/^title:.*/title: "Mörtel e\\e[31m\\ntwo\\u009b2J"/' >"$bad/case.yaml"
sed -i 's/name: leaves/name: "n\\e[2Jame"/' "$bad/case.yaml"
sed 's/name: floor/name: "n\\e[2Jame", velocity: fast/' "$bad/case.yaml" >"$bad/wrong.yaml"
{ printf 'o b\xc2\x9b31mox\n' && grep -v '^o' "$faults/../meshes/l.obj"; } >"$bad/stone.obj"

moves=$'[\x01-\x08\x0b-\x1f\x7f]\\|\xc2[\x80-\x9f]'

# shown TEXT CODE WORDS ARGUMENT...: a command with no control character in what it prints, and these words
shown()
{
  local code
  "$program" "${@:4}" >out.log 2>&1
  code=$?
  expect "$1: code $code" [ $code -eq "$2" ]
  LC_ALL=C grep -q "$moves" out.log
  expect "$1: no control characters" [ $? -eq 1 ]
  expect "$1: $3" grep -qF -- "$3" out.log
}
folder='e\x1b[31m\x07\xc2\x9b2Jd'
shown "run" 0 'Mörtel e\x1b[31m\x0atwo\xc2\x9b2J: 6 bodies' run "$bad/case.yaml" -o "$bad/o"
shown "its folder" 0 "results in $folder/o" run "$bad/case.yaml" -o "$bad/o" --overwrite
shown "a folder that is taken" 2 "$folder/o holds results" run "$bad/case.yaml" -o "$bad/o"
shown "check" 0 'Mörtel e' check "$bad/case.yaml"
shown "a wrong case" 2 "$folder/wrong.yaml:" check "$bad/wrong.yaml"
shown "info" 0 "$folder/o/checkpoint-000000004.h5, verified" info "$bad/o"
shown "info of nothing" 2 "$folder/none" info "$bad/none"
shown "mesh" 0 'b??31mox' mesh "$bad/stone.obj"
shown "no mesh" 2 "$folder/none.obj" mesh "$bad/none.obj"
shown "solve" 4 "$folder/case.yaml" solve "$bad/case.yaml"
shown "an option" 2 "unknown option --$folder" run "--$bad"
[ $failures -eq 0 ]
