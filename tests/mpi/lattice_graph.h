#pragma once
// Contact graphs of regular places for tests of partitions: walls, rubble, loose bodies.
#include "arena.h"
#include "ownership.h"

typedef enum { LATTICE_WALL, LATTICE_RUBBLE, LATTICE_LOOSE } LatticeKind;

// Bodies at nx * ny * nz places; id = x + nx * (y + ny * z).
typedef struct {
  LatticeKind kind;
  int nx, ny, nz;
} Lattice;

int lattice_count(Lattice lattice);

// Neighbours of a body into others[26]; returns how many.
int lattice_neighbours(Lattice lattice, int id, int *others);

// Local. The piece of the graph that this rank holds, owner[lattice_count]; work scaled by `scale`.
OwnershipGraph lattice_graph(Lattice lattice, const int *owner, int64_t scale, Arena *arena);

// What the owners of all bodies mean: largest over ranks of neighbours and of ghosts, largest work
// of bodies over the mean, work of edges between ranks (both ends) and of ghosts.
typedef struct {
  int neighbours, ghosts;
  double imbalance;
  int64_t cut;
} LatticeCut;

LatticeCut lattice_cut(Lattice lattice, const int *owner, Arena *arena);

// Collective. Owners of all bodies out of each rank's own.
void lattice_gather(Lattice lattice, const OwnershipGraph *graph, const int *owners, int *all,
                    Arena *arena);
