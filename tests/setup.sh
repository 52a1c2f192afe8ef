#!/bin/bash
# tests/setup.sh [--quick|--all] [PACKAGE]...   installs what the build needs and the packages named,
# also those of the quick tests or of all tests (suite.sh)
#
# Sourced, it gives setup_packages and setup_build to tests/run.sh and to the scripts in jobs/.
# As root, missing Debian packages are installed; anybody else is told the command and gets exit
# code 2. DRYSTONE_SETUP=no skips the look for packages, where the libraries come from elsewhere
# (a cluster's modules, say).

setup_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$setup_root/tests/suite.sh" || exit 1

setup_base=(gcc libc6-dev make cmake pkg-config openmpi-bin libopenmpi-dev libhdf5-openmpi-dev
            libmetis-dev libsuitesparse-dev libyaml-dev libjansson-dev)

# What was compiled before, in this or another folder, is taken from the store of ccache where that is installed; tests
# have other caches than the user, and build with the same store.
# test: needs ccache
if [ "${CMAKE_C_COMPILER_LAUNCHER-ccache}" = ccache ] && command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$setup_root CCACHE_NOHASHDIR=yes
  export CCACHE_DIR="${CCACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ccache}"
fi

# Prints the packages among the arguments that are not installed, a line each.
setup_missing()
{
  local package
  for package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      echo "$package"
  done
}

# Runs a command quietly, up to three times since a mirror may be busy; shows what it printed
# when it fails.
setup_try()
{
  local log try status
  log=$(mktemp)
  for try in 1 2 3; do
    status=0
    "$@" >"$log" 2>&1 </dev/null || status=$?
    [ $status -eq 0 ] && break
    [ $try -eq 3 ] || sleep $((5 * try))
  done
  [ $status -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return $status
}

# setup_packages [--quick|--all] [PACKAGE]...: installs what is missing
setup_packages()
{
  local wanted=("${setup_base[@]}") suite missing
  case ${1-} in
  --quick) mapfile -t suite < <(suite_packages); shift ;;
  --all) mapfile -t suite < <(suite_packages --all); shift ;;
  esac
  wanted+=("${suite[@]}" "$@")
  [ "${DRYSTONE_SETUP-}" = no ] && return 0
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: no apt-get here; needed are what Debian calls: ${wanted[*]}" >&2
    return 0
  fi

  mapfile -t missing < <(setup_missing "${wanted[@]}")
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "setup: packages are missing; install them by" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends" \
      "${missing[*]}" >&2
    echo "or set DRYSTONE_SETUP=no when they come from elsewhere" >&2
    return 2
  fi

  echo "setup: installing ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  setup_try "${apt[@]}" update || return 1
  setup_try "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

# Cores to use at once: DRYSTONE_JOBS, or all.
setup_jobs() { echo "${DRYSTONE_JOBS:-$(nproc 2>/dev/null || echo 2)}"; }

# setup_build [--target TARGET] [CMAKE-OPTION]...: configures and builds the release preset in build/, or a part of it
setup_build()
{
  (
    cd "$setup_root" || exit 1
    what=()
    [ "${1-}" != --target ] || { what=(--target "$2"); shift 2; }
    setup_forget_moved_tree build
    cmake --preset release "$@" || exit 1
    cmake --build --preset release "${what[@]}" -j "$(setup_jobs)"
  )
}

# A checkout that was moved or copied carries a build tree that cmake refuses.
setup_forget_moved_tree()
{
  local cache=$1/CMakeCache.txt home there
  [ -f "$cache" ] || return 0
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
  there=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$cache")
  [ "$home" -ef . ] && [ "$there" -ef "$1" ] && return 0
  echo "setup: $1 was made in $home; starting it afresh"
  rm -rf "$cache" "$1/CMakeFiles"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  setup_packages "$@"
  exit $?
fi
