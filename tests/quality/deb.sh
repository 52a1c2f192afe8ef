#!/bin/bash
# The packages of Debian hold what `cmake --install` puts under a prefix and nothing else, lintian finds no fault in
# them, and the program says which version it is. Their use takes minutes and a mirror of Debian:
#
#   DEB_TRY=yes   as root: installs them in a bare Debian, uses and removes them, by jobs/packaging/deb/try.sh
# test: needs git debhelper dh-python dpkg-dev lintian python3
# test: slow
# test: installs
# test: timeout 1800
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$(dirname "$1")" && pwd)
for tool in git dh dh_python3 dpkg-buildpackage lintian; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || { echo "no git checkout"; exit 77; }
rm -rf out inside prefix ./*.txt
fail() { echo "FAILED  $*"; exit 1; }

"$root/jobs/packaging/deb/make.sh" --build "$build" out >made.txt 2>said.txt || fail "the package: $(cat said.txt)"
package=$(tail -n 1 made.txt)
[ -s "$package" ] || fail "no package: $(cat made.txt)"
while read -r made; do
  dpkg-deb -x "$made" inside || fail "$made cannot be opened"
done < <(tail -n 3 made.txt)
for name in libdrystone0 libdrystone-dev; do
  dpkg-deb -c "$(grep "/${name}_" made.txt)" | grep -v '/$' >"$name.txt"
done
grep -q 'libdrystone\.so\.0' libdrystone0.txt && ! grep -q 'include/\|\.so$\|\.so ' libdrystone0.txt ||
  fail "the package of the library: $(cat libdrystone0.txt)"
grep -q 'include/drystone\.h' libdrystone-dev.txt || fail "the package of the header: $(cat libdrystone-dev.txt)"

# -- what the installation has, less the license and with texts where Debian wants them; more is of Debian
cmake --install "$build" --prefix "$PWD/prefix" >install.txt || fail "$(tail -n 3 install.txt)"
(cd prefix && find . -type f) | grep -v '^\./share/doc/' | sort >installed.txt
(cd inside/usr && find . -type f) | sed 's/drystone\.1\.gz$/drystone.1/' |
  grep -vE '^\./share/(doc|lintian|python3)/' | sort >packed.txt
cmp -s installed.txt packed.txt || fail "other files: $(diff installed.txt packed.txt)"
[ -z "$(cd inside && find . -type f -not -path './usr/*')" ] || fail "files outside usr"
for text in README.md changelog.gz copyright io/README.md io/FORMATS.md src/README.md src/CONTRIBUTING.md \
  src/docs/howto.md src/docs/tutorials/arch.md tests/README.md; do
  [ -s "inside/usr/share/doc/drystone/$text" ] || fail "no $text"
done
[ "$(readlink inside/usr/share/doc/drystone/jobs)" = ../../drystone/jobs ] || fail "texts of jobs are elsewhere"
version=$(inside/usr/bin/drystone --version) || fail "the program does not start"
[ "$version" = "drystone $(dpkg-deb -f "$package" Version)" ] || fail "the package of $version says another version"
dpkg-deb -f "$package" Depends | grep -q 'libhdf5-openmpi.*openmpi-bin' || fail "$(dpkg-deb -f "$package" Depends)"

# -- recipes and the Python package have the version of the program, and the package what setup.sh installs for builds
version=${version#drystone }
for recipe in jobs/packaging/spack/package.py:"version(\"$version\")" \
  io/python/pyproject.toml:"version = \"$version\"" \
  jobs/packaging/easybuild/drystone-$version-foss-2023a.eb:"version = '$version'"; do
  grep -qF -- "${recipe#*:}" "$root/${recipe%%:*}" || fail "${recipe%%:*} has not ${recipe#*:}"
done
for library in $(source "$root/tests/setup.sh" && printf '%s\n' "${setup_base[@]}" | grep -x 'lib.*-dev' |
  grep -vx libc6-dev); do
  grep -q " $library[,]*" "$root/jobs/packaging/deb/debian/control" || fail "Build-Depends lacks $library"
done

# -- bad calls
"$root/jobs/packaging/deb/make.sh" --build none out >said.txt 2>&1 && fail "a build that is none is taken"
grep -q "no build tree in 'none'" said.txt || fail "a build that is none: $(cat said.txt)"
"$root/jobs/packaging/deb/make.sh" --biuld x >said.txt 2>&1 && fail "an unknown option is taken"
grep -q "unknown option --biuld" said.txt || fail "an unknown option: $(cat said.txt)"

if [ -n "${DEB_TRY-}" ]; then
  mapfile -t packages < <(tail -n 3 made.txt)
  exec "$root/jobs/packaging/deb/try.sh" "${packages[@]}"
fi
echo "$(wc -l <packed.txt) files in $(basename "$package"); DEB_TRY=yes installs, uses and removes it"
