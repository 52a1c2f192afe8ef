#pragma once
// The communicator of all messages, for the few files that call MPI themselves.
#include <mpi.h>

// Local. That of the group in use.
MPI_Comm par_communicator(void);
