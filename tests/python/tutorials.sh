#!/bin/bash
# The commands of the tutorials and of the recipes run as they are written, and print what the pages say
# test: needs python3 python3-h5py python3-matplotlib
# test: slow
# test: ranks 2
# test: timeout 900
set -u
program=$(realpath "$1")
tests=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, matplotlib' 2>/dev/null || { echo "python3-matplotlib is not installed"; exit 77; }

# what a user has: the program, mpirun for anybody, and Python with the module
rm -rf bin launcher pages
mkdir -p bin launcher pages matplotlib
ln -sf "$program" bin/drystone
ln -sf "$python" bin/python3
export PATH=$PWD/bin:$PATH
printf '#!/bin/bash\n[ "$1" = -n ] || exit 2\nPATH=%q exec "%s" "${@:2}"\n' "$PATH" "$tests/mpirun.sh" >launcher/mpirun
chmod +x launcher/mpirun
export PATH=$PWD/launcher:$PATH PYTHONPATH=$tests/../io/python PYTHONDONTWRITEBYTECODE=1
export MPLCONFIGDIR=$PWD/matplotlib
export DRYSTONE=$program

failures=0
for page in "$tests"/../src/docs/tutorials/*.md "$tests/../src/docs/howto.md"; do
  name=$(basename "$page" .md)
  mkdir -p "pages/$name"
  (cd "pages/$name" && "$python" "$tests/python/tutorials.py" "$page") || { echo "FAILED  $name"; failures=1; }
done
exit $failures
