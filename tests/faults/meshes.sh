#!/bin/bash
# Between a run and its restart a mesh goes, is cut short, is another one, or the tetrahedra that were kept of it are
# damaged. What cannot be read is said by name, with code 2, and the folder of results stays as it is; kept
# tetrahedra are made again. With the mesh back, the restart ends as if nothing had been.
# test: needs python3 tetgen
# test: ranks 2
# test: no_grace
source "$(dirname "$0")/faults.bash"
rm -rf reference begun again cache elsewhere ./*.obj ./*.tetra ./*.log   # of an earlier run
export XDG_CACHE_HOME=$PWD/cache
cp "$faults/../meshes/torus.obj" solid.obj
cp "$faults/../meshes/l.obj" .
command -v tetgen >/dev/null || { echo "skipped: the program tetgen is missing"; exit 77; }
body='{mesh: {file: solid.obj, scale: 0.15}, at: [-0.2, 0, 0.6], material: stone, name: solid}'
small_case 2 2 6 | sed "s/^bodies:/bodies:\n  - $body/" >case.yaml

# run RANKS FOLDER OPTION...: the log to FOLDER.log; sets code
run()
{
  timeout -k 5 60 "$mpirun" "$1" "$program" run case.yaml -o "${@:2}" >"$2.log" 2>&1
  code=$?
}

# picture FOLDER: names, sizes, times and bytes of everything
picture() { (cd "$1" || kill $$; find . -printf '%p %s %T@\n' | sort; find . -type f -exec sha256sum {} + | sort); }

# refused TEXT WORDS: a restart that cannot read the mesh
refused()
{
  local ranks before
  for ranks in 1 2; do
    before=$(picture begun)
    run $ranks begun --restart
    expect "$1: code $code, $ranks ranks" [ $code -eq 2 ]
    expect "said once, by name" [ "$(grep '^drystone: ' begun.log | grep -vc warning)" -eq 1 -a \
      -n "$(grep '^drystone: ' begun.log | grep 'solid\.obj' | grep -iE "$2")" ]
    expect "the results are as they were" [ "$before" = "$(picture begun)" ]
  done
}

# goes_on TEXT: a restart of a copy ends like the run that nothing disturbed
goes_on()
{
  rm -rf again
  cp -r begun again
  run 2 again --restart
  expect "$1: code $code" [ $code -eq 0 ]
  expect "the same results" /usr/bin/python3 "$faults/same_results.py" reference --whole again
}

run 1 reference
expect "the run that nothing disturbs" [ $code -eq 0 ]
run 2 begun --steps 3
expect "its beginning" [ $code -eq 0 ]
goes_on "nothing has happened"
tetra=$(ls cache/drystone/tetra1/*.tetra)
expect "tetrahedra are kept in $tetra" cp "$tetra" sound

mv solid.obj kept
refused "the mesh is missing" "No such file"
head -c $(($(stat -c %s kept) / 2)) kept >solid.obj
refused "the mesh is cut short" "."
: >solid.obj
refused "the mesh is empty" "."
rm solid.obj && mkdir solid.obj
refused "the mesh is a folder" "directory|folder|regular"
rmdir solid.obj

# another mesh is refused by its key and file
cp l.obj solid.obj
rm -rf again
cp -r begun again
run 2 again --restart
expect "another mesh: code $code" [ $code -eq 2 ]
expect "said by name" grep -q '^  bodies\.0\.mesh: was solid\.obj of sum .*never' again.log
expect "the results are as they were" diff -r begun again
cp kept solid.obj
goes_on "the mesh is back"

# what is kept of TetGen's work
head -c 100 sound >"$tetra"
goes_on "kept tetrahedra cut short"
{ head -c 200 sound; printf 'xxxx'; tail -c +205 sound; } >"$tetra"
goes_on "kept tetrahedra with other bytes"
rm "$tetra" && mkdir "$tetra"
goes_on "a folder in their place"
rmdir "$tetra"
goes_on "kept tetrahedra are gone"
expect "they are kept again, the same" cmp sound "$tetra"

# where there is no TetGen, tetrahedra beside the mesh do; another home, and a restart there
"$program" mesh solid.obj --scale 0.15 --keep >keep.log 2>&1
expect "tetrahedra beside the mesh" cmp sound solid.obj.tetra
mv cache elsewhere
export DRYSTONE_TETGEN=/nowhere/tetgen
goes_on "tetrahedra beside the mesh alone"
expect "nothing is written to the cache" [ ! -e cache ]
rm solid.obj.tetra
refused "no tetrahedra, and no TetGen" "drystone mesh --keep"
unset DRYSTONE_TETGEN
XDG_CACHE_HOME=/dev/null goes_on "no place to keep them"
expect "a warning says so" grep -q '^drystone: warning: .*solid.obj: 1 filling of TetGen cannot be kept' again.log
echo "$failures failures"
[ $failures -eq 0 ]
