#!/bin/bash
# The recipe of the image (jobs/packaging/Containerfile) names what the package needs, and what is sent to its build is
# what a package is made of: no build trees, no results. The build itself takes minutes and a mirror of Debian:
#
#   CONTAINER_BUILD=yes   builds the image and uses it, by jobs/packaging/container/try.sh
# test: needs buildah git
# test: slow
# test: timeout 3600
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
packaging=$root/jobs/packaging
try=$packaging/container/try.sh
rm -rf sent store state ./*.txt ./*.tar
failures=0
fail()
{
  echo "FAILED  $*"
  failures=$((failures + 1))
}

# -- packages: those that Debian recommends for reports, and those that packages are made by
# between FIELD: names after it in debian/control, of the last package that has it
between() { sed -n "s/^$1: //p" "$packaging/deb/debian/control" | tail -n 1 | tr -d ',' | tr ' ' '\n'; }
for package in $(between Recommends); do
  grep -q "^ARG PYTHON=.*[\" ]${package}[\" ]" "$packaging/Containerfile" || fail "the image lacks $package"
done
for package in $(sed -n 's/^# test: needs //p' "$packaging/deb/make.sh"); do
  case $package in
  dpkg-dev | lintian) ;;   # of build-essential; not for a build that nobody looks at
  *) grep -qw -- "$package" "$packaging/Containerfile" || fail "the image is built without $package" ;;
  esac
done
sed -n 's/^COPY \([^-].*\) [^ ]*$/\1/p' "$packaging/Containerfile" | tr ' ' '\n' >copied.txt
[ -s copied.txt ] || fail "nothing is copied into the image"
while read -r path; do
  [ -e "$root/$path" ] || fail "the image is built from $path, which is not there"
done <copied.txt

# -- bad calls
"$try" --bsae x >said.txt 2>&1
[ $? -eq 2 ] && grep -q "unknown option --bsae" said.txt || fail "an unknown option: $(cat said.txt)"
"$try" --base "$PWD" >said.txt 2>&1
[ $? -eq 2 ] && grep -q "no Debian in '$PWD'" said.txt || fail "a base that is none: $(cat said.txt)"
[ "$failures" -eq 0 ] || exit 1

# -- what is sent, of a folder like a checkout
command -v buildah >/dev/null || { echo "buildah is not installed: what is sent was not looked at"; exit 77; }
export BUILDAH_ISOLATION=${BUILDAH_ISOLATION-chroot}
store=(buildah --root "$PWD/store" --runroot "$PWD/state" --storage-driver vfs)
"${store[@]}" from scratch >said.txt 2>&1 ||
  { echo "buildah makes no images here: $(tail -n 1 said.txt)"; exit 77; }
kept=(.git/HEAD CMakeLists.txt src/main.c tests/build.sh jobs/packaging/Containerfile io/results/results.c)
left_out=(build/drystone build-asan/drystone build-deb/drystone.deb results/arch/frames.h5 src/build.pyc
  io/python/drystone/__pycache__/case.pyc mesh.tetra jobs/bell/bell.tetra)
for path in "${kept[@]}" "${left_out[@]}"; do
  mkdir -p "sent/$(dirname "$path")"
  echo "$path" >"sent/$path"
done
cp "$packaging/Containerfile.dockerignore" sent/jobs/packaging/
printf 'FROM scratch\nCOPY . /\n' >sent/jobs/packaging/Containerfile
(cd sent && "${store[@]}" bud --output type=tar,dest=../sent.tar -f jobs/packaging/Containerfile .) >said.txt 2>&1 ||
  fail "a small image is not built: $(tail -n 3 said.txt)"
tar -tf sent.tar | sed 's,^\./,,' | grep -v '/$' | sort >sent.txt
for path in "${kept[@]}"; do
  grep -qxF "$path" sent.txt || fail "$path is not sent"
done
for path in "${left_out[@]}"; do
  grep -qxF "$path" sent.txt && fail "$path is sent"
done
"${store[@]}" rm --all >/dev/null 2>&1
"${store[@]}" rmi --all --force >/dev/null 2>&1
rm -rf --one-file-system sent store state
[ "$failures" -eq 0 ] || exit 1

if [ -n "${CONTAINER_BUILD-}" ]; then
  DRYSTONE=$(realpath "$1") exec "$try"
fi
echo "${#kept[@]} files sent, ${#left_out[@]} not; CONTAINER_BUILD=yes builds the image"
