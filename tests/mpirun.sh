#!/bin/bash
# tests/mpirun.sh RANKS|alone PROGRAM [ARGUMENT]...   starts a program on RANKS ranks of this machine, or one without a
# launcher, which takes a third of the time of a launcher for one rank
#
# The settings let more ranks than cores run side by side with other jobs, for root, in containers
# that forbid one process to read another's memory, and without network. Looking for networks, too,
# takes 0.2 s of each start, of which the tests make thousands. Looking for graphics cards asks ten
# displays of "localhost", which takes 5 s or more where /etc/hosts does not name it. What the
# environment sets stays.
set -eu

ranks=$1
shift

export OMPI_ALLOW_RUN_AS_ROOT="${OMPI_ALLOW_RUN_AS_ROOT-1}"
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM-1}"
export OMPI_MCA_rmaps_base_oversubscribe="${OMPI_MCA_rmaps_base_oversubscribe-1}"
export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle-1}"
export OMPI_MCA_hwloc_base_binding_policy="${OMPI_MCA_hwloc_base_binding_policy-none}"
export OMPI_MCA_pml="${OMPI_MCA_pml-^cm}"
export HWLOC_COMPONENTS="${HWLOC_COMPONENTS--gl}"
export OMPI_MCA_btl="${OMPI_MCA_btl-self,vader}"
export OMPI_MCA_btl_vader_single_copy_mechanism="${OMPI_MCA_btl_vader_single_copy_mechanism-none}"
export OMPI_MCA_ess_singleton_isolated="${OMPI_MCA_ess_singleton_isolated-1}"

[ "$ranks" != alone ] || exec "$@" </dev/null
exec mpirun -n "$ranks" --oversubscribe "$@" </dev/null
