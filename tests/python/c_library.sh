#!/bin/bash
# The installed library outside the checkout: its header says all names that programs see and no others; the examples of
# jobs/library are built by CMake's find_package and by pkg-config, and have the bits of the program on any number of
# ranks; and the bisection in Python finds the force that statics knows.
# test: needs python3 python3-h5py python3-numpy g++
# test: slow
# test: installs
# test: ranks 3
# test: timeout 900
set -u
build=$(cd "$(dirname "$1")" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "python3-h5py is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
failures=0
fail()
{
  echo "FAILED  $*"
  failures=$((failures + 1))
}
rm -rf prefix example r ./*.txt
cmake --install "$build" --prefix "$PWD/prefix" >install.txt || { tail -n 5 install.txt; exit 1; }
libraries=$(dirname "$(find "$PWD/prefix" -name libdrystone.so)")

# -- names
nm -D --defined-only "$libraries/libdrystone.so" | awk '{print $NF}' | sort >names.txt
grep -oE '^DRYSTONE_API .*\bdrystone_[a-z_]+\(' prefix/include/drystone.h | grep -oE 'drystone_[a-z_]+' |
  sort >header.txt
[ "$(wc -l <header.txt)" -ge 25 ] || fail "the header has $(wc -l <header.txt) functions"
cmp -s names.txt header.txt || fail "names that are visible, and of the header: $(diff names.txt header.txt)"
printf '#include <drystone.h>\nint main() { return drystone_setup().size ? 0 : 1; }\n' >header.cpp
c++ -std=c++17 -Wall -Wextra -Werror -Iprefix/include header.cpp -o header && ./header || fail "the header in C++"
printf '#include <drystone.h>\nint main(void) { return drystone_setup().size ? 0 : 1; }\n' >header.c
cc -std=c99 -pedantic -Wall -Wextra -Werror -Iprefix/include -fsyntax-only header.c || fail "the header in C99"

# -- the example, from the installed sources
cp -r prefix/share/drystone/jobs/library example
cd example || exit 1
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
{ cmake -S . -B by-cmake -DCMAKE_PREFIX_PATH="$PWD/../prefix" && cmake --build by-cmake; } >cmake.txt 2>&1 ||
  fail "find_package: $(tail -n 3 cmake.txt)"
# shellcheck disable=SC2046
cc -Wall -Wextra -Werror push.c -o push $(pkg-config --cflags --libs drystone) || fail "pkg-config"
[ "$(pkg-config --modversion drystone)" = "$(../prefix/bin/drystone --version | sed 's/drystone //')" ] ||
  fail "pkg-config says another version"
for ranks in 1 3; do
  "$here/../mpirun.sh" $ranks by-cmake/push push.yaml 0 1000 >"cmake-$ranks.txt" 2>&1
  "$here/../mpirun.sh" $ranks ./push push.yaml 0 1000 >"push-$ranks.txt" 2>&1
done
./push push.yaml 0 1000 >push-alone.txt 2>&1 || fail "without mpirun: $(cat push-alone.txt)"
[ "$(cat push-*.txt cmake-[13].txt | sort -u | wc -l)" -eq 2 ] || fail "they differ: $(cat push-*.txt cmake-[13].txt)"

# -- the same force as a load of the case: a table of four seconds has the products of push.c to the bit
step=$(sed -n 's/^moves at step \([0-9]*\),.*/\1/p' push-alone.txt)
{ cat push.yaml; echo 'loads: [{on: top, force: {table: [[0, 0, 0, 0], [4, 4000, 0, 0]]}}]'; } >load.yaml
../prefix/bin/drystone run load.yaml -o load --steps "${step:-1}" >load.txt 2>&1 || fail "run: $(tail -n 1 load.txt)"
[ "step $step hash $(tail -n 1 push-alone.txt)" = "$(tail -n 1 load.txt)" ] ||
  fail "the program has other bits: $(cat push-alone.txt; tail -n 1 load.txt)"
# the pillar turns over an edge of its foot from W b / (2 z) = 1765.8 N on, which need time to move it by a millimetre
sed -n 's/.*under \([0-9.]*\) N/\1/p' push-alone.txt | awk '{exit !($1 > 1765.8 && $1 < 1.1 * 1765.8)}' ||
  fail "the force: $(head -n 1 push-alone.txt)"

# -- bad calls
./push >bad.txt 2>&1 && fail "no case is taken"
./push none.yaml 0 1 >bad.txt 2>&1 && fail "a case that is not there is taken"
grep -q "none.yaml: No such file" bad.txt || fail "a case that is not there: $(cat bad.txt)"
./push push.yaml 9 1 >bad.txt 2>&1 && fail "a body that is not there is taken"
grep -q "there is no body 9" bad.txt || fail "a body that is not there: $(cat bad.txt)"

# -- the bisection in Python
PYTHONPATH="$PWD/../prefix/lib/python3/dist-packages" env -u DRYSTONE "$python" bisection.py push.yaml top 4000 found \
  >bisection.txt 2>&1 || fail "bisection: $(tail -n 2 bisection.txt)"
sed -n 's/^falls between \([0-9.]*\) and \([0-9.]*\) N/\1 \2/p' bisection.txt |
  awk '{found = 1; fine = $1 <= 1765.8 && 1765.8 < $2 + 20 && $2 - $1 <= 40} END {exit !(found && fine)}' ||
  fail "bisection: $(tail -n 1 bisection.txt)"
echo "$(wc -l <../names.txt) names; $(head -n 1 push-alone.txt); $(tail -n 1 bisection.txt)"
[ $failures -eq 0 ]
