#pragma once
// Tables of frames with a row per pair of bodies in contact: interfaces, and chains, which lead
// from centre to centre of pairs that are pressed together.
#include "hdf5_writer.h"
#include "pair_forces.h"
#include "put_joints.h"

// This rank's rows, in the order of ids.
typedef struct {
  int count, chain_count;
  uint64_t first, all;   // interfaces: row of the first one here, rows of all ranks
  uint64_t first_chain, all_chains;
  const FramePair *pairs;       // [count]
  const PairForces *forces;     // [count]
  const JointMotion *motions;   // [count]
  vec3 up;                      // unit, against gravity as the case begins
} Interfaces;

// Numbers of columns in a file; -1: the frame has none.
enum { INTERFACE_COLUMNS = 13, CHAIN_COLUMNS = 3 };
typedef struct {
  int interfaces, chains;   // of the first one; the others follow
} InterfaceColumns;

// Collective. Counts rows; of pairs whose bodies are both there.
void frame_interfaces_count(Interfaces *interfaces);

// Local. Columns of the tables that the fields ask for (FRAME_...), and this rank's rows of them
// after the file was laid out.
InterfaceColumns frame_interfaces_add(Hdf5Writer *writer, const Interfaces *interfaces,
                                      unsigned fields);
void frame_interfaces_write(Hdf5Writer *writer, InterfaceColumns columns,
                            const Interfaces *interfaces);
