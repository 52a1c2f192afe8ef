#!/bin/bash
# drystone mesh: what it says of good and bad files, on 1 and 3 ranks.
# test: needs python3 tetgen
# test: ranks 3
# test: no_grace
program=$(realpath "$1")
tests=$(cd "$(dirname "$0")/.." && pwd)
checks=0
failures=0
rm -rf work && mkdir work && cd work || exit 1   # of an earlier run
export XDG_CACHE_HOME=$PWD/cache

fail()
{
  echo "FAILED  $1"
  failures=$((failures + 1))
}

# run ARGUMENT...: drystone mesh on so many ranks
ranks=1
run()
{
  if [ $ranks -eq 1 ]; then "$program" mesh "$@" >out.txt 2>err.txt </dev/null
  else "$tests/mpirun.sh" $ranks "$program" mesh "$@" >out.txt 2>err.txt </dev/null; fi
}

# says NAME PATTERN... -- ARGUMENT...: exit code 0, nothing on standard error, each pattern in some line
says()
{
  local name=$1 patterns=() pattern code
  shift
  while [ "$1" != -- ]; do patterns+=("$1"); shift; done
  shift
  run "$@"
  code=$?
  checks=$((checks + 1))
  if [ $code -ne 0 ] || [ -s err.txt ]; then
    fail "$name, $ranks ranks: code $code"
    head -n 5 err.txt
    return
  fi
  for pattern in "${patterns[@]}"; do
    checks=$((checks + 1))
    grep -q -E -- "$pattern" out.txt || { fail "$name, $ranks ranks: no '$pattern' in"; cat out.txt; }
  done
}

# refuses NAME PATTERN ARGUMENT...: exit code 2, one message that matches, nothing on standard output
refuses()
{
  local name=$1 pattern=$2 code
  shift 2
  run "$@"
  code=$?
  checks=$((checks + 1))
  if [ $code -ne 2 ] || [ -s out.txt ] || [ "$(grep -c '^drystone: ' err.txt)" -ne 1 ] ||
    ! grep -q -E -- "$pattern" err.txt; then
    fail "$name, $ranks ranks: code $code, wanted '$pattern', got"
    head -n 5 err.txt
  fi
}

cat >cube.obj <<'END_OF_FILE'
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END_OF_FILE

# what it says of a convex body
says cube "^body 1 'cube'$" '^  surface +8 points, 12 triangles, 6 polygons, closed, convex$' \
  '^  volume +1 m3$' '^  centroid +0.5 0.5 0.5 m$' \
  '^  inertia +xx 0.166666666666667 yy 0.166666666666667 zz 0.166666666666667 xy 0 yz 0 zx 0 m5$' \
  '^  parts +1$' '^cube.obj: 1 body \(1 convex\).*volume 1 m3$' -- cube.obj
checks=$((checks + 1))
grep -q repairs out.txt && fail "repairs where none were needed"
says millimetres '^  volume +1e-09 m3$' '^  box +\[0, 0, 0\] to \[0.001, 0.001, 0.001\] m$' -- cube.obj --scale 0.001
says "up y" '^  box +\[0, -1, 0\] to \[1, 0, 1\] m$' '^  centroid +0.5 -0.5 0.5 m$' -- cube.obj --up y

# COMPAS: names and supports of blocks; one that is open is not closed by its neighbour
cp "$tests/meshes/gate.json" .
says gate "^body 1 'pier_left'$" 'closed, convex, support$' \
  '^gate.json: 3 bodies \(3 convex, 2 supports\).*volume 5\.5 m3$' -- gate.json
says "gate, JSON" '"support": true' '"support": false' '"supports": 2' -- gate.json --json
tac gate.json | sed '0,/, "5": \[1, 3, 7, 5\]/s///' | tac >gap.json
refuses "a face is gone" "^drystone: gap.json: block 'lintel': open: 4 edges belong to one face only" gap.json
cat >halves.json <<'END_OF_FILE'
[{"dtype": "compas.datastructures/Mesh", "data": {
  "vertex": {"0": {"x": 0, "y": 0, "z": 0}, "1": {"x": 1, "y": 0, "z": 0}, "2": {"x": 0, "y": 1, "z": 0},
             "3": {"x": 0, "y": 0, "z": 1}}, "face": {"0": [0, 2, 1], "1": [0, 1, 3]}}},
 {"dtype": "compas.datastructures/Mesh", "data": {
  "vertex": {"0": {"x": 0, "y": 0, "z": 0}, "1": {"x": 1, "y": 0, "z": 0}, "2": {"x": 0, "y": 1, "z": 0},
             "3": {"x": 0, "y": 0, "z": 1}}, "face": {"0": [1, 2, 3], "1": [2, 0, 3]}}}]
END_OF_FILE
refuses "two halves are no block" "^drystone: halves.json: block '0': open" halves.json

says help '^usage: drystone mesh' '^  --hull ' -- cube.obj --help

# repairs, each in words
sed 's/^f 4 3 2 1$/f 1 2 3 4\nf 4 3 2 1\nf 1 2 1/; s/^f 4 1 5 8/f 4 9 5 8\nv 0 0 0\nv 7 7 7/' cube.obj >mended.obj
says mended '^  repairs +1 point merged with another one, 2 faces dropped .*, 1 face turned$' \
  '^1 point of the file in no face$' '^  volume +1 m3$' -- mended.obj
sed -E 's/^f (.) (.) (.) (.)$/f \4 \3 \2 \1/' cube.obj >inside.obj
says "inside out" 'the whole body turned' -- inside.obj

# bodies that are not convex: cut by tetgen the first time, from the cache the second time
cp "$tests/meshes/l.obj" "$tests/meshes/u.obj" .
cat >fin.obj <<'END_OF_FILE'
o fin
v 0 0 0
v 1 0 0
v 1 0 1
v THIN 0 1
v THIN 0 2
v 0 0 2
v 0 1 0
v 1 1 0
v 1 1 1
v THIN 1 1
v THIN 1 2
v 0 1 2
f 1 2 3 4 5 6
f 12 11 10 9 8 7
f 1 7 8 2
f 2 8 9 3
f 3 9 10 4
f 4 10 11 5
f 5 11 12 6
f 6 12 7 1
END_OF_FILE

# the measures of a hull are those a run takes, and no tetrahedra are needed: an L and half a cube
says "hull of an L" '^  hull +10 corners, 7 faces; its measures follow, the surface holds 3 m3$' '^  volume +3\.5 m3$' \
  '^  centroid +0\.904761904761905 0\.904761904761905 0\.5 m$' '1 part, volume 3\.5 m3$' -- l.obj --hull
says "hull of an L, JSON" '"hull": true' '"volume": 3\.5,' '"surface_volume": 3\.0,' -- l.obj --hull --json

# a surface alone and pieces need no tetrahedra either; hull, surface and pieces exclude each other
says "surface of an L" '^  volume +3 m3$' '^  parts +1, the surface itself$' '^l.obj: .*1 part, volume 3 m3$' \
  -- l.obj --surface
says "surface of an L, JSON" '"surface": true' '"tetgen": false' '"parts": 1,' -- l.obj --surface --json
says "pieces of an L" '^  volume +3 m3$' '^  parts +2$' 'the surface holds 3 m3: \+0 %$' \
  '^  distance +of the surface from the pieces at most [0-9.e-]+ m, back at most' -- l.obj --pieces 4
says "one piece of an L" '^  volume +3\.5 m3$' '^  parts +1$' 'the surface holds 3 m3: \+16\.7 %$' -- l.obj --pieces 1
says "pieces of an L, JSON" '"in_pieces": true' '"surface": false' '"from_surface": ' -- l.obj --pieces 4 --json

# inner spheres and their errors: of the pieces of an L, deep to shallow, and none of a surface
says "spheres of an L" '^  spheres +200, which fill 0\.[67][0-9]+ of it; two copies' 'depth % +copies +pairs +lost' \
  '^ +5 +alike +12 ' '^ +0\.1 +turned +24 ' -- l.obj --pieces 4 --spheres 200
says "spheres of an L, JSON" '"inner_spheres": \{' '"share": 0\.' '"turned": true' '"without_normal": ' \
  -- l.obj --pieces 4 --spheres 200 --json
refuses "spheres of a surface" '^drystone: options --spheres, --surface: spheres are compared with' \
  l.obj --surface --spheres 200
refuses "no sphere" 'option --spheres: .*0' l.obj --spheres 0
one='^drystone: options --hull, --surface, --pieces: a body is its hull, its surface or pieces: expected one of them$'
refuses "a hull in pieces" "$one" l.obj --hull --pieces 2
refuses "a surface in pieces" "$one" l.obj --surface --pieces 2
refuses "the surface of a hull" "$one" l.obj --surface --hull
refuses "all three" "$one" l.obj --pieces 3 --surface --hull
refuses "no piece" 'option --pieces: .*0' l.obj --pieces 0
if command -v tetgen >tetgen.txt; then
  "$program" mesh l.obj >out.txt 2>err.txt
  checks=$((checks + 1))
  grep -qE '^  cache +/.*/cache/drystone/tetra1/[0-9a-f]{32}\.tetra, written$' out.txt || fail "no cache written"
  says L '^  volume +3 m3$' 'closed, not convex$' '^  parts +2, from [0-9]+ tetrahedra of tetgen$' \
    '^  cache +/.*/cache/drystone/tetra1/[0-9a-f]{32}\.tetra, read$' -- l.obj
  says "L, JSON" '"volume": 3\.0,' '"convex": false' '"from_cache": true' -- l.obj --json
  says U '^  volume' 'not convex$' -- u.obj

  # all fillings of a file travel in one file beside it; without them, and without a program, it is refused
  { cat l.obj; echo "o next"; sed -n 's/^v \(.\)/v 1\1/p' l.obj
    awk '/^f/ { printf "f"; for (i = 2; i <= NF; i++) printf " %d", $i - 13; print "" }' l.obj; } >both.obj
  says "kept beside" '^both.obj: 2 bodies .*, 4 parts' '^2 fillings of TetGen beside the file' -- both.obj --keep
  says "kept beside, another scale" '^2 fillings of TetGen beside the file' -- both.obj --keep --scale 2
  says "nothing to keep" '^  parts +1$' -- cube.obj --keep
  checks=$((checks + 3))
  [ "$(ls ./*.tetra)" = ./both.obj.tetra ] || fail "other files than one of fillings: $(ls ./*.tetra)"
  [ "$(grep -ac 'drystone tetra1' both.obj.tetra)" -ge 1 ] || fail "no fillings in it"
  mv cache elsewhere
  export DRYSTONE_TETGEN=./nowhere/tetgen
  mkdir travelled && cp both.obj both.obj.tetra travelled
  for scale in 1 2; do
    says "taken from beside, scale $scale" '^  cache +travelled/both.obj.tetra, read$' ' 4 parts,' \
      -- travelled/both.obj --scale $scale
    XDG_CACHE_HOME=/dev/null says "without a cache" '^  cache +travelled/both.obj.tetra, read$' \
      -- travelled/both.obj --scale $scale
  done
  refuses "a scale that was not kept" "bring its fillings along \('drystone mesh --keep' writes them\)" \
    travelled/both.obj --scale 3
  rm travelled/both.obj.tetra
  refuses "no fillings" 'there is no such program' travelled/both.obj
  unset DRYSTONE_TETGEN
  mv elsewhere cache

  # a place that takes no file costs a warning alone
  checks=$((checks + 2))
  XDG_CACHE_HOME=/dev/null "$program" mesh u.obj --scale 5 >out.txt 2>err.txt || fail "no cache, no answer"
  said='^drystone: warning: u.obj: 1 filling of TetGen cannot be kept.*/dev/null/drystone: Not a dir'
  [ "$(grep -c "$said" err.txt)" -eq 1 ] &&
    grep -q '^  cache  *none, the filling cannot be kept$' out.txt ||
    fail "nothing said of a place that takes no file"
  checks=$((checks + 1))
  mkdir -p locked/u.obj.tetra && cp u.obj locked
  "$program" mesh locked/u.obj --keep >out.txt 2>err.txt
  code=$?
  [ $code -eq 4 ] && grep -q '^drystone: cannot keep fillings beside the mesh: .*u.obj.tetra: Is a dir' err.txt ||
    fail "a folder in the place of fillings: code $code"
  # two parts, of which one is too thin for a body: a case with it is refused, and so is the mesh
  sed "s/THIN/6e-10/" fin.obj >thin.obj
  sed "s/THIN/6e-3/" fin.obj >thick.obj
  refuses "a part without thickness" \
    "^drystone: thin.obj: body 1 'fin': part [12]: all points lie in one plane.*--hull" thin.obj
  says "a thin part" '^  parts +2, ' -- thick.obj
  cat >thin.yaml <<'END_OF_FILE'
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2000}}
bodies:
  - {mesh: thin.obj, at: [0, 0, 0], material: stone}
END_OF_FILE
  checks=$((checks + 1))
  "$program" check thin.yaml >out.txt 2>err.txt
  [ $? -eq 2 ] && grep -q 'part [12]: all points lie in one plane' err.txt || fail "check takes what mesh refuses"
else
  echo "skipped: bodies that are not convex (no tetgen here)"
fi
DRYSTONE_TETGEN=./nowhere/tetgen refuses "no such program" 'nowhere/tetgen' u.obj --scale 2

# JSON that can be read
if command -v python3 >python.txt; then
  sed 's/^o cube/o a "quoted" \\ name/' cube.obj >quoted.obj
  "$program" mesh quoted.obj --json --scale 2 >out.json 2>err.txt
  checks=$((checks + 1))
  python3 - <<'END_OF_SCRIPT' || fail "JSON"
import json
mesh = json.load(open("out.json"))
body = mesh["bodies"][0]
assert mesh["scale"] == 2 and mesh["up"] == "z" and mesh["totals"]["bodies"] == 1
assert '"quoted" \\' in body["name"] and body["volume"] == 8 and body["centroid"] == [1, 1, 1]
assert body["low"] == [0, 0, 0] and body["high"] == [2, 2, 2]
assert body["convex"] and body["closed"] and body["parts"] == 1 and body["polygons"] == 6
assert abs(body["inertia"][0] - 8 / 6 * 4) < 1e-14 and body["inertia"][3:] == [0, 0, 0]
assert body["repairs"] == dict(merged_points=0, split_points=0, dropped_faces=0, turned_faces=0,
                               turned_tetrahedra=0, turned_hexahedra=0, inside_out=False,
                               split_faces=0, moved_points=0, farthest_move=0, hulled=False)
END_OF_SCRIPT

  # names and paths are bytes: what is no UTF-8 is replaced, control characters are escaped
  bytes=$(printf 'tab\there \303\251 \377\300\257 \355\240\200 \360\237\252\250')
  LC_ALL=C sed "s/^o cube/o $bytes/" cube.obj >"$bytes.obj"
  "$program" mesh "$bytes.obj" --json >out.json 2>err.txt
  checks=$((checks + 1))
  python3 - <<'END_OF_SCRIPT' || { fail "JSON of names that are no UTF-8"; cat err.txt out.json; }
import json
mesh = json.load(open("out.json", encoding="utf-8", errors="strict"))
bad = "\ufffd"
assert mesh["file"] == "tab\there \u00e9 " + 3 * bad + " " + 3 * bad + " \U0001faa8.obj", ascii(mesh["file"])
assert mesh["bodies"][0]["name"].startswith("tab here \u00e9 "), ascii(mesh["bodies"][0]["name"])
END_OF_SCRIPT
fi

# several bodies in one file
{ cat cube.obj; echo "o next"; sed -n 's/^v \(.\)/v 1\1/p' cube.obj
  sed -n -E 's/^f (.) (.) (.) (.)/f -\1 -\2 -\3 -\4/p' cube.obj; } >two.obj
says "two bodies" "^body 1 'cube'" "^body 2 'next'" '^two.obj: 2 bodies \(2 convex\)' -- two.obj

# what is refused
refuses "missing file" 'nowhere.obj: no such file' nowhere.obj
refuses "unknown extension" 'cube.step.*extension' cube.step
mkdir folder.obj
refuses "a folder" 'folder.obj.*(directory|folder)' folder.obj
: >empty.stl
refuses "empty file" 'empty.stl' empty.stl
sed '/^f 4 1 5 8/d' cube.obj >open.obj
refuses open \
  "open.obj: block 'cube': open: 4 edges .*; 1 hole about \\(0, 0.5, 0.5\\) with 4 edges" open.obj
says "hull of an open mesh" \
  '^  volume +1 m3$' 'the surface encloses nothing' 'repairs +the surface is open or crosses' -- open.obj --hull
sed 's/^v 1 1 1$/v nan 1 1/' cube.obj >nan.obj
refuses "not a number" "nan.obj: block 'cube': a coordinate is not a finite number at" nan.obj
sed 's/^v 1 1 1$/v 1e10 1 1/' cube.obj >far.obj
refuses "too far" "block 'cube': a coordinate is beyond 1e9 m" far.obj
sed 's/^f 1 2 6 5$/f 1 6 2 5/' cube.obj >tie.obj
refuses "crossing polygon" "tie.obj: block 'cube': a polygon .* crosses itself" tie.obj
sed 's/^f 1 2 6 5$/f 1 2 99 5/' cube.obj >index.obj
refuses "index" 'index.obj:1[0-9]: ' index.obj
refuses "no file" 'needs a file'
refuses "two files" 'two meshes given' cube.obj two.obj
refuses "unknown option" 'unknown option --fast' cube.obj --fast
refuses "no value" '--scale needs a value' cube.obj --scale
refuses "scale zero" "option --scale: .*found '0'" cube.obj --scale 0
refuses "scale text" "option --scale: .*found '1x'" cube.obj --scale 1x
refuses "scale nan" "option --scale: .*found 'nan'" cube.obj --scale nan
refuses "axis" "option --up: expected x, y or z, found 'w'" cube.obj --up w

# the same on several ranks: one answer, one message
ranks=3
says "cube" '^  volume +1 m3$' -- cube.obj
checks=$((checks + 1))
[ "$(grep -c '^body' out.txt)" -eq 1 ] || fail "not one answer on 3 ranks"
refuses "open" 'open: 4 edges' open.obj
refuses "missing file" 'no such file' nowhere.obj
refuses "unknown option" 'unknown option --fast' cube.obj --fast

echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
