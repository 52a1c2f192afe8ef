#!/bin/bash
# Pipes that nobody writes to, in the places of files that are read: nothing waits for them. What is needed is refused
# by name, what can be made anew or left alone is. A pipe whose reader leaves costs no results. And what is kept of a
# filling has the permissions that umask leaves.
# test: needs tetgen
# test: no_grace
source "$(dirname "$0")/faults.bash"
rm -rf meshes results ./*.log ./*.yaml   # of an earlier run
mkdir meshes
cp "$faults/../meshes/"{torus,l}.obj meshes
printf '4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n' >meshes/one.node
printf '1 4 0\n0 0 1 2 3\n' >meshes/one.ele
small_case 2 2 4 >case.yaml

# program_ends CODE TEXT ARGUMENT...: within 20 s, with that code and text
program_ends()
{
  local code
  timeout -k 5 20 "$program" "${@:3}" >out.log 2>&1 </dev/null
  code=$?
  expect "${*:3}: code $code" [ $code -eq "$1" ]
  expect "$(tail -n 1 out.log)" grep -qE "$2" out.log
}

# pipe FILE: in its place
pipe() { rm -f "$1" && mkfifo "$1"; }

program_ends 0 " volume " mesh meshes/one.ele
pipe meshes/one.node
program_ends 2 "one.node: not a regular file" mesh meshes/one.ele
pipe meshes/one.ele
program_ends 2 "one.ele: not a regular file" mesh meshes/one.ele
pipe problem.hdf5
program_ends 4 "problem.hdf5: not a regular file" solve problem.hdf5
pipe pipe.yaml
program_ends 2 "pipe.yaml: not a regular file" run pipe.yaml -o results
program_ends 2 "pipe.yaml: not a regular file" check pipe.yaml
rm problem.hdf5 pipe.yaml

program_ends 0 "step 4 hash" run case.yaml -o results
rm results/checkpoint-*
for name in history.csv removed.csv; do
  cp results/$name kept
  pipe results/$name
  program_ends 4 "results/$name: not a regular file" run case.yaml -o results --restart
  rm results/$name
  mv kept results/$name
done
# the file of hashes may be a pipe, but not one that nobody reads; lines wait for their reader
pipe hashes.pipe
for options in --overwrite --restart; do
  timeout --signal=KILL 20 "$program" run case.yaml -o hashed $options --hash-log hashes.pipe >out.log 2>&1 </dev/null
  code=$?
  expect "a pipe that nobody reads, $options: code $code" [ $code -eq 4 ]
  expect "$(tail -n 1 out.log)" grep -q '^drystone: cannot write hashes.pipe: nobody reads this pipe' out.log
done
long=(--set time.end=3.125 --set output.frames.every=0 --set output.checkpoint.steps=0)
program_ends 0 "step 400 hash" run case.yaml -o hashed --overwrite "${long[@]}" --hash-log hashes.txt
expect "the hashes fill a pipe" [ "$(stat -c %s hashes.txt)" -gt 65536 ]
exec {hashes}<>hashes.pipe
(sleep 1; exec cat <&"$hashes" >hashes.log) &
reader=$!
program_ends 0 "step 400 hash" run case.yaml -o hashed --overwrite "${long[@]}" --hash-log hashes.pipe
for ((wait = 0; wait < 100; wait++)); do
  cmp -s hashes.log hashes.txt && break
  sleep 0.1
done
kill $reader
exec {hashes}<&-
expect "a pipe that is read late: has all lines" cmp hashes.log hashes.txt

# its reader leaves: the run ends as it does where the log meets a full disk
for path in hashes.pipe /dev/fd/9; do
  exec {both}<>hashes.pipe {read}<hashes.pipe 9>hashes.pipe
  head -n 3 <&"$read" >/dev/null {both}<&- {read}<&- 9>&- &
  exec {both}<&- {read}<&-
  program_ends 4 "^drystone: cannot write $path: Broken pipe" run case.yaml -o left --overwrite "${long[@]}" \
    --hash-log $path
  exec 9>&-
  expect "a reader that leaves $path: results are whole" cmp left/history.csv hashed/history.csv
  expect "a reader that leaves $path: with the last checkpoint" [ "$(newest_checkpoint left)" -eq 400 ]
done

# who reads standard output leaves: no result is lost
(sleep 0.5; exec timeout -k 5 20 "$program" run case.yaml -o left --overwrite "${long[@]}" 2>out.log </dev/null) | true
code=${PIPESTATUS[0]}
expect "standard output without a reader: code $code" [ "$code" -eq 85 ]
expect "standard output without a reader: said" \
  grep -q '^drystone: warning: step 1: nobody reads standard output any more: the run stops here' out.log
expect "standard output without a reader: has its checkpoint" [ "$(newest_checkpoint left)" -eq 1 ]
program_ends 0 "step 400 hash" run case.yaml -o left --restart "${long[@]}"
expect "standard output without a reader: goes on to the same end" cmp left/history.csv hashed/history.csv

for name in frame-000002.h5 ranks-000001.h5 topology.h5 lock STOP; do pipe results/$name; done
program_ends 0 "step 4 hash" run case.yaml -o results --restart

# what is kept of a filling
if ! command -v tetgen >/dev/null; then
  echo "the program tetgen is missing: nothing is kept of fillings"
  exit $((failures > 0))
fi
export XDG_CACHE_HOME=$PWD/cache
folder=cache/drystone/tetra1
for mask in 077 022 002; do
  rm -rf cache
  (umask $mask && program_ends 0 " volume " mesh meshes/torus.obj && exit $failures)
  kept=$(ls $folder/*.tetra)
  expect "umask $mask: $(stat -c %a "$kept")" [ "$(stat -c %a "$kept")" = $(printf '%o' $((0666 & ~mask))) ]
done
mkfifo "$kept.tmp-abcdef"
: >"$kept.tmp-ghijkl"
touch -d '2 hours ago' "$kept.tmp-abcdef" "$kept.tmp-ghijkl"
pipe "$kept"
program_ends 0 " volume " mesh meshes/torus.obj
expect "a pipe in the place of a filling: it is made anew" [ -f "$kept" ]
expect "a pipe of a leftover's name stays" [ -p "$kept.tmp-abcdef" ]
expect "a leftover goes" [ ! -e "$kept.tmp-ghijkl" ]
pipe meshes/torus.obj.tetra
program_ends 0 " volume " mesh meshes/torus.obj
expect "a pipe beside the mesh stays" [ -p meshes/torus.obj.tetra ]
[ $failures -eq 0 ]
