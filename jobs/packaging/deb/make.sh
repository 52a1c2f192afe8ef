#!/bin/bash
# jobs/packaging/deb/make.sh [--build FOLDER] [--try] [OUT]
#
# Makes packages of Debian from what is committed: the program, the library, and its header. The last lines are their
# paths, in OUT (default: build-deb), that of the program behind the others. It needs the packages debhelper and
# dh-python beside those of the build; lintian looks at them where it is installed.
#
#   --build FOLDER   packs the program that was built there, of this very tree, instead of building it once more
#   --try            as root, with mmdebstrap: installs the packages in a bare Debian, uses them, and removes them
# test: needs debhelper dh-python dpkg-dev git lintian
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build='' try=no
while [ $# -gt 0 ]; do
  case $1 in
  --build)
    build=$(realpath "${2-}") && [ -f "$build/CMakeCache.txt" ] ||
      { echo "make.sh: --build: no build tree in '${2-}'" >&2; exit 2; }
    shift 2 ;;
  --try) try=yes; shift ;;
  -*) echo "make.sh: unknown option $1" >&2; exit 2 ;;
  *) break ;;
  esac
done
mkdir -p "${1-$root/build-deb}"
out=$(realpath "${1-$root/build-deb}")
missing=()
for tool in debhelper:dh dh-python:dh_python3 dpkg-dev:dpkg-buildpackage git:git; do
  command -v "${tool#*:}" >/dev/null || missing+=("${tool%:*}")
done
[ ${#missing[@]} -eq 0 ] || { echo "make.sh: install the packages ${missing[*]}" >&2; exit 2; }

# -- an export of the tree, with debian/ where Debian wants it
version=$(sed -n 's/^project(drystone VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
rm -rf "${out:?}/drystone-$version"
mkdir "$out/drystone-$version"
git -C "$root" archive HEAD | tar -x -C "$out/drystone-$version"
cd "$out/drystone-$version"
cp -r jobs/packaging/deb/debian .
stamp=$(git -C "$root" log -1 --format=%ct)
cat >debian/changelog <<END
drystone ($version) unstable; urgency=medium

  * As src/CHANGELOG.md has it.

 -- drystone maintainers <maintainers@drystone.invalid>  $(LC_ALL=C date -u -R -d "@$stamp")
END

# -- the packages
export SOURCE_DATE_EPOCH=$stamp
[ -z "$build" ] || export DRYSTONE_BUILD=$build
dpkg-buildpackage -b -us -uc ${build:+-d} >"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log" >&2; exit 1; }
packages=()
for package in libdrystone-dev libdrystone0 drystone; do
  packages+=("$out/${package}_${version}_$(dpkg --print-architecture).deb")
done
cd "$out"
rm -rf "drystone-$version"
# what a build tree that was not configured for Debian lacks
unlike_debian=hardening-no-pie,hardening-no-bindnow,pkg-config-unavailable-for-cross-compilation
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error,warning ${build:+--suppress-tags $unlike_debian} \
    "${packages[@]}" >&2
fi
[ $try = no ] || "$root/jobs/packaging/deb/try.sh" "${packages[@]}" >&2
printf '%s\n' "${packages[@]}"
