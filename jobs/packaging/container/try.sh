#!/bin/bash
# jobs/packaging/container/try.sh [--base FOLDER]
#
# Builds the image of ../Containerfile by buildah, of what is committed, and uses it as a user would: check, runs of
# jobs/arch on 1 and 2 ranks, as root and as a user that the image does not know, a restart, info, report. The hashes
# must be those of the program outside, which DRYSTONE names (default: build/drystone). The last line says how long the
# build took and how large the image is. It needs a mirror of Debian. Images lie in a store of their own, which is
# removed.
#
#   --base FOLDER   a root file system of Debian 12, which is copied to be the base image. Without it the base image is
#                   pulled, and where no registry answers, root makes one by mmdebstrap
#
# Exit code 77: what it needs is not there.
# test: needs buildah git mmdebstrap
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
program=${DRYSTONE:-$root/build/drystone}
base=''
case ${1-} in
--base)
  [ -e "${2-}/etc/debian_version" ] || { echo "try.sh: --base: no Debian in '${2-}'" >&2; exit 2; }
  base=$(realpath "$2") ;;
?*) echo "try.sh: unknown option $1" >&2; exit 2 ;;
esac
missing() { echo "try.sh: $*" >&2; exit 77; }
fail() { echo "FAILED  $*"; exit 1; }
command -v buildah >/dev/null || missing "install the package buildah"
[ -x "$program" ] || missing "there is no $program to compare with; DRYSTONE names another one"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || missing "$root is no git checkout, of which packages are made"

work=$(mktemp -d "${TMPDIR:-/var/tmp}/drystone-container-XXXXXX")
# chroot and vfs need nothing of the kernel, so that this works in a container, too
export BUILDAH_ISOLATION=${BUILDAH_ISOLATION-chroot} STORAGE_DRIVER=${STORAGE_DRIVER-vfs}
store=(buildah --root "$work/store" --runroot "$work/state" --storage-driver "$STORAGE_DRIVER")
# files of the image belong to other users where the store is not root's
trap '"${store[@]}" rm --all >/dev/null 2>&1 || true; "${store[@]}" rmi --all --force >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"' EXIT

# -- the base image, as the Containerfile names it
image=$(sed -n 's/^FROM \([^ ]*\)$/\1/p' "$root/jobs/packaging/Containerfile")
if [ -z "$base" ] && ! "${store[@]}" pull -q "$image" >"$work/pull.log" 2>&1; then
  [ "$(id -u)" = 0 ] || missing "no registry has $image: $(tail -n 1 "$work/pull.log"); root makes it by mmdebstrap"
  command -v mmdebstrap >/dev/null || missing "no registry has $image; install the package mmdebstrap, or use --base"
  sources=/etc/apt/sources.list
  [ -s $sources ] || sources=/etc/apt/sources.list.d/debian.sources
  grep -qs bookworm $sources || sources=/dev/null
  base=$work/base
  mmdebstrap --quiet --mode=root --variant=minbase --include=ca-certificates bookworm "$base" <$sources
fi
if [ -n "$base" ]; then
  container=$("${store[@]}" from scratch)
  "${store[@]}" copy -q "$container" "$base" / >/dev/null
  "${store[@]}" commit -q --rm "$container" "$image" >/dev/null
fi

# -- the image
began=$SECONDS
"${store[@]}" bud --pull-never --network host -f "$root/jobs/packaging/Containerfile" -t drystone "$root" \
  >"$work/build.log" 2>&1 || { tail -n 20 "$work/build.log" >&2; fail "the image is not built"; }
took=$((SECONDS - began))
settings=$("${store[@]}" inspect --type image --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}' drystone)
[ "$settings" = "[drystone] [help]" ] || fail "podman run would start $settings"

# -- its use
container=$("${store[@]}" from --pull-never drystone)
mkdir "$work/user"
chmod 777 "$work/user"
cp "$root/jobs/arch/arch.yaml" "$work/user/"
# inside USER COMMAND...
inside()
{
  "${store[@]}" run --network host ${1:+--user "$1"} -v "$work/user:/work" "$container" -- "${@:2}"
}
[ "$(inside '' drystone --version)" = "$("$program" --version)" ] || fail "the image has another version"
# nothing is left of the build: neither its folders, lists and packages nor a compiler
left=$(inside '' sh -c 'ls -d /source /package /root/* /tmp/* /var/tmp/* /var/cache/apt/archives/*.deb
  ls /var/lib/apt/lists
  for tool in cc gcc g++ make cmake git; do command -v $tool; done
  dpkg-query -W -f "\${Package}\n" | grep -- "-dev$"
  echo "and nothing else"' 2>/dev/null)
[ "$left" = "and nothing else" ] || fail "left in the image: $left"
inside '' drystone check arch.yaml >"$work/check.log" || fail "check: $(cat "$work/check.log")"
inside '' drystone run arch.yaml -o r1 --steps 40 >"$work/r1.log" 2>&1 || fail "1 rank: $(cat "$work/r1.log")"
inside '' mpirun --oversubscribe -n 2 drystone run arch.yaml -o r2 --steps 20 >"$work/r2.log" 2>&1 ||
  fail "2 ranks: $(cat "$work/r2.log")"
inside '' mpirun --oversubscribe -n 2 drystone run arch.yaml -o r2 --steps 40 --restart >"$work/r2.log" 2>&1 ||
  fail "a restart: $(cat "$work/r2.log")"
inside 12345:12345 mpirun --oversubscribe -n 2 drystone run arch.yaml -o other --steps 40 >"$work/other.log" 2>&1 ||
  fail "a user that the image does not know: $(cat "$work/other.log")"
inside '' drystone report r1 >"$work/report.log" 2>&1 || fail "report: $(cat "$work/report.log")"
[ -s "$work/user/r1/report.html" ] || fail "there is no report"
"$root/tests/mpirun.sh" alone "$program" run "$root/jobs/arch/arch.yaml" -o "$work/outside" --steps 40 \
  >"$work/outside.log" 2>&1 || fail "outside: $(cat "$work/outside.log")"
hashes=$(for folder in r1 r2 other; do inside '' drystone info "$folder" | tail -n 1; done
  "$root/tests/mpirun.sh" alone "$program" info "$work/outside" | tail -n 1)
[ "$(wc -l <<<"$hashes")" -eq 4 ] && [ "$(sort -u <<<"$hashes" | wc -l)" -eq 1 ] ||
  fail "bits differ inside on 1 and 2 ranks, of another user, outside: $hashes"
noise=$(cat "$work"/{r1,r2,other}.log | grep -iE 'warning|error|could not|unable' || true)
[ -z "$noise" ] || fail "runs complain: $noise"
echo "image of drystone: hash $(head -n 1 <<<"$hashes"), built in $took s," \
  "$("${store[@]}" images --format '{{.Size}}' drystone)"
