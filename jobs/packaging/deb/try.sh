#!/bin/bash
# jobs/packaging/deb/try.sh DEB...
#
# As root: a bare Debian, in which the packages are installed by apt, used as a user would, and removed. What is left
# afterwards of what they brought is a failure. It needs mmdebstrap, and a mirror of Debian.
# test: needs mmdebstrap
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
[ $# -gt 0 ] || { echo "try.sh DEB..." >&2; exit 2; }
packages=("$@")
for package in "${packages[@]}"; do
  [ -s "$package" ] || { echo "try.sh: there is no $package" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "try.sh: needs root" >&2; exit 2; }
command -v mmdebstrap >/dev/null || { echo "try.sh: install the package mmdebstrap" >&2; exit 2; }
base=$(mktemp -d)
room=$base/root
trap 'umount "$room"/{proc,sys,dev/shm,dev/pts} 2>/dev/null || true; rm -rf --one-file-system "$base"' EXIT
# shellcheck disable=SC1091
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
sources=/etc/apt/sources.list
[ -s $sources ] || sources=/etc/apt/sources.list.d/debian.sources
mmdebstrap --quiet --mode=root --variant=apt --include=ca-certificates "$release" "$room" <$sources
cp /etc/resolv.conf "$room/etc/" 2>/dev/null || true
cp -a /etc/apt/apt.conf.d/99* "$room/etc/apt/apt.conf.d/" 2>/dev/null || true
mount -t proc proc "$room/proc"
mount -t sysfs -o ro sysfs "$room/sys"
mkdir -p "$room"/dev/{shm,pts}
mount -t tmpfs tmpfs "$room/dev/shm"
mount -t devpts devpts "$room/dev/pts"
mkdir "$room/root/packages"
cp "${packages[@]}" "$room/root/packages/"
cp "$root/tests/python/completes.bash" "$room/root/"
# pages for man are left out of bare systems
rm -f "$room/etc/dpkg/dpkg.cfg.d/docker" "$room/etc/dpkg/dpkg.cfg.d/excludes"
cat >"$room/root/use.sh" <<'END'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive HOME=/root
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
apt-get -q update >/dev/null
apt-get -q install -y man-db bash-completion zsh gcc libc6-dev pkgconf /root/packages/*.deb >/root/install.log 2>&1 ||
  { cat /root/install.log; exit 1; }
cd /root
drystone --version
man drystone | grep -q -- --hash-log || { echo "no page for man"; exit 1; }
# completion as the shells of Debian find it: of commands, options and keys
bash -ic 'source /usr/share/bash-completion/bash_completion
  _completion_loader drystone
  completes()
  {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _drystone
    echo "|${COMPREPLY[*]}|"
  }
  completes drystone rep
  completes drystone run --re
  completes drystone run case.yaml --set solver.tol' >bash.txt 2>/dev/null
[ "$(tr -d '\n' <bash.txt)" = '|report||--restart||solver.tolerance=|' ] ||
  { echo "bash completes to $(cat bash.txt)"; exit 1; }
source ./completes.bash
printf '%s\n' 'drystone rep' 'drystone run --re' 'drystone run case.yaml --set solver.tol' | zsh_completes '' >zsh.txt
[ "$(tr -d '\n' <zsh.txt)" = \
  '|drystone report | 1|drystone run --restart | 1|drystone run case.yaml --set solver.tolerance=| 1' ] ||
  { echo "zsh completes to $(cat zsh.txt)"; exit 1; }
hashes=$(for ranks in 1 3; do
  mpirun --oversubscribe -n $ranks drystone run /usr/share/drystone/jobs/arch/arch.yaml -o r$ranks --steps 20 \
    >/dev/null
  drystone info r$ranks | tail -n 1
done | sort -u)
echo "$hashes"
[ "$(echo "$hashes" | wc -l)" -eq 1 ] || { echo "bits differ between 1 and 3 ranks"; exit 1; }
drystone report r1
python3 -c 'import drystone; print(len(drystone.open("r1").bodies()["id"]), "bodies")'
# the library, by a program that is compiled here
cp -r /usr/share/drystone/jobs/library .
cc library/push.c -o push $(pkg-config --cflags --libs drystone) || { echo "push.c is not compiled"; exit 1; }
./push library/push.yaml 0 1000
dpkg -L drystone libdrystone0 libdrystone-dev | sort -u >files.txt
apt-get -q purge -y drystone libdrystone0 libdrystone-dev >remove.log 2>&1 || { cat remove.log; exit 1; }
left=$(while read -r path; do if [ ! -d "$path" ] && [ -e "$path" ]; then echo "$path"; fi; done <files.txt
  find / -xdev -path '*drystone*' -not -path '/root/*' -not -path '/var/cache/man/*')   # man's own, of pages seen
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "installed, used and removed: $(wc -l <files.txt) paths, nothing left"
END
chroot "$room" bash /root/use.sh
