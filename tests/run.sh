#!/bin/bash
# tests/run.sh [--all] [CTEST-OPTION]...
#
# Installs what is missing, builds, runs the tests; exit code 0 when all passed. With --all also
# the slow tests and those of the asan and debug builds. Further options go to ctest: -R mpi, say.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh" || exit 1

if [ "${1-}" = --all ]; then
  shift
  export TESTS_BRIEF=yes
  setup_packages --all || exit
  setup_build -DDRYSTONE_TESTS=ON -DDRYSTONE_ALL_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON || exit 1
else
  setup_packages --quick || exit
  setup_build -DDRYSTONE_TESTS=ON -DDRYSTONE_ALL_TESTS=OFF || exit 1
fi

# also for programs that start without mpirun.sh
export OMPI_MCA_pml="${OMPI_MCA_pml-^cm}" HWLOC_COMPONENTS="${HWLOC_COMPONENTS--gl}"

# more places than there are cores: starting ranks is waiting for much of the time
places=2
exec ctest --test-dir "$setup_root/build" --output-on-failure --no-tests=error --no-label-summary \
  -j $(($(setup_jobs) + places)) "$@"
