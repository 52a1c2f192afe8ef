#!/bin/bash
# tests/paraview/open_results.sh PROGRAM   ParaView opens and renders the results of the arch
# test: slow
# test: ranks 2
# test: timeout 900
set -u
program=$1
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

for tool in pvbatch xvfb-run; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done

"$tests/mpirun.sh" 2 "$program" run "$tests/../jobs/arch/arch.yaml" -o results --overwrite \
  --steps 100 --set output.frames.every=0.02 || exit 1

# the X server of a busy machine may be late: one more try, as for no other test
render()
{
  rm -f arch.png
  timeout 300 xvfb-run -a pvbatch "$tests/paraview/open_results.py" results arch.png </dev/null
}
render || { echo "once more"; render; } || exit 1
[ -s arch.png ] || { echo "no picture was written"; exit 1; }
