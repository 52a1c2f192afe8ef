#!/bin/bash
# results.vtkhdf holds what its specification asks for and what the frames hold: after runs, restarts, a kill
# test: needs python3 python3-h5py python3-numpy
# test: slow
# test: ranks 3
set -u
program=$1
tests=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
failures=0
expect() { "${@:2}" || { echo "FAILED  $1"; failures=$((failures + 1)); }; }

# run RANKS CASE FOLDER [OPTION]...
run()
{
  "$tests/mpirun.sh" "$1" "$program" run "$2" -o "$3" "${@:4}" >"$3.log" 2>&1 </dev/null && return
  tail -n 5 "$3.log"
  exit 1
}
look() { (cd / && "$python" "$tests/python/vtkhdf.py" "$OLDPWD/$1"); }

arch=$tests/../jobs/arch/arch.yaml
run 3 "$arch" arch --overwrite --steps 100 --set output.frames.every=0.02
expect "an arch" look arch
run 1 "$arch" one --overwrite --steps 0 --set output.frames.every=0.02
expect "a single frame" look one
run 1 "$arch" none --overwrite --steps 10 --set output.frames.every=0
expect "no file without frames" [ ! -e none/results.vtkhdf ]

# with what frames tell besides, without it, and with part of it; the same bytes as on other ranks at once
run 2 "$arch" fields --overwrite --steps 40 --set output.frames.every=0.02 --set output.frames.fields=none
run 3 "$arch" fields --restart --steps 80 --set output.frames.every=0.02 --set output.frames.fields='[force, stress]'
run 1 "$arch" fields --restart --steps 120 --set output.frames.every=0.02
expect "columns that some frames have" look fields
run 1 "$arch" whole --overwrite --steps 100 --set output.frames.every=0.02
run 2 "$arch" parts --overwrite --steps 50 --set output.frames.every=0.02
run 3 "$arch" parts --restart --steps 100 --set output.frames.every=0.02
expect "the same bytes after a restart" cmp whole/results.vtkhdf parts/results.vtkhdf

# bodies that appear and leave, joints; bodies that deform; rows of the volumetric law
cases=$tests/paraview
every=output.frames.every=0.02
run 2 "$cases/changing.yaml" changing --overwrite --steps 60 --set $every
run 3 "$cases/changing.yaml" changing --restart --set $every
expect "bodies that come and go" look changing
run 3 "$cases/soft.yaml" soft --overwrite --set $every
expect "bodies that deform" look soft
run 3 "$cases/lintel.yaml" lintel --overwrite --set $every
expect "finite elements" look lintel
sed 's/name: block/&, birth: 0.05/' "$cases/lintel.yaml" >comes.yaml
run 2 comes.yaml comes --overwrite --steps 30 --set $every
run 3 comes.yaml comes --restart --set $every
expect "finite elements that come" look comes
run 1 comes.yaml straight --overwrite --set $every
expect "the same list of their frames after a restart" cmp comes/elastic.xmf straight/elastic.xmf
run 2 "$tests/../jobs/layers/disk.yaml" layers --overwrite --steps 20 --set output.frames.every=1e-9
expect "the volumetric law" look layers

# a run that is killed leaves a whole file of the frames that it links; a restart links all
run 2 "$arch" killed --overwrite --steps 60 --set output.frames.every=2e-3
setsid "$tests/mpirun.sh" 2 "$program" run "$arch" -o killed --restart --steps 4000 --set output.frames.every=2e-3 \
  >killed.log 2>&1 </dev/null &
launcher=$!
for _ in {1..1500}; do   # of a tenth of a second, on a busy machine
  [ "$(find killed -name 'frame-*.h5' | wc -l)" -gt 140 ] && break
  sleep 0.1
done
kill -KILL -- -$launcher
wait $launcher 2>/dev/null
linked=$("$python" -c "
import h5py
print(h5py.File('killed/results.vtkhdf')['VTKHDF/bodies/Steps'].attrs['NSteps'])")
there=$(find killed -name 'frame-*.h5' | wc -l)
expect "at least half of $there frames are linked after a kill: $linked" [ $((2 * linked)) -ge "$((there - 1))" ]
expect "not all $there are, or the restart shows nothing: $linked" [ "$linked" -lt "$there" ]
rm -f killed/frame-*.tmp
run 1 "$arch" killed --restart --steps 400 --set output.frames.every=2e-3
expect "all frames after the restart" look killed

# memory for links of many frames: that of one column at a time, not of all
peak()   # KiB
{
  "$python" -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$program" run "$arch" -o memory --overwrite \
    --steps 300 --set output.frames.every="$1"
}
few=$(peak 0.3)
many=$(peak 1e-9)
[ "$(find memory -name 'frame-*.h5' | wc -l)" -eq 301 ] || { echo "not every step has a frame"; exit 1; }
expect "$few KiB with few frames, $many KiB with 301" [ $((many - few)) -le $((301 * 100)) ]
echo "$few KiB with few frames, $many KiB with 301"

# frames of before, without polygons as the format has them, are left out
"$python" - <<'END'
import glob
import h5py
path = sorted(glob.glob("changing/frame-*.h5"))[3]
with h5py.File(path, "r+") as file:
    del file["mesh/connectivity"]
END
run 1 "$cases/changing.yaml" changing --restart --set $every --set time.end=0.22
steps=$("$python" -c "
import h5py
print(h5py.File('changing/results.vtkhdf')['VTKHDF/bodies/Steps'].attrs['NSteps'])")
there=$(find changing -name 'frame-*.h5' | wc -l)
expect "one of $there frames is left out: $steps" [ "$steps" -eq $((there - 1)) ]

[ $failures -eq 0 ]
