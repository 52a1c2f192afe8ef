#pragma once
// Bodies scattered over ranks, of which every rank knows all: own rows by id, then ghosts.
#include <string.h>

#include "bodies.h"
#include "hash.h"
#include "id_pair.h"
#include "parallel.h"
#include "problem.h"

// Ids, materials and shapes of bodies [0, count) in the order of rows; owners[count],
// ghost_ranks[count].
static inline void scattered_rows(Bodies *bodies, int count, const int *owners, int *ghost_ranks)
{
  table_reserve(&bodies->table, count);
  int row = 0;
  for (int ghosts = 0; ghosts < 2; ghosts++) {
    for (int id = 0; id < count; id++) {
      if ((owners[id] != par_rank()) != ghosts) continue;
      if (ghosts) ghost_ranks[row - bodies->table.owned] = owners[id];
      bodies->id[row] = (uint64_t)id;
      bodies->material[row] = bodies->shape[row] = 0;
      row++;
    }
    if (!ghosts) bodies->table.owned = row;
  }
  bodies->table.count = row;
}

// Where rows between two bodies stand here, of which one at least is free to move: 0 among own
// rows, 1 among ghosts, -1 nowhere.
static inline int scattered_half(IdPair pair, const int *owners, bool low_free, bool high_free)
{
  const int rank = par_rank();
  const bool low = owners[pair.low] == rank, high = owners[pair.high] == rank;
  if (!(low_free && low) && !(high_free && high)) return -1;
  return (low_free ? low : high) ? 0 : 1;
}

// Impulses of the points of a pair, each with its bodies and its feature, wherever they stand.
static inline Hash128 scattered_hash(const Problem *problem, const Contacts *contacts, int k)
{
  const SolverPair *pair = &problem->pairs[k];
  Hash128 sum = {0, 0};
  for (int i = pair->first; i < pair->end; i++) {
    const int contact = problem->contacts[k] + i - pair->first;
    unsigned char bytes[sizeof(IdPair) + sizeof(IndexPair) + sizeof(vec3)];
    memcpy(bytes, &contacts->bodies[contact], sizeof(IdPair));
    memcpy(bytes + sizeof(IdPair), &contacts->features[contact], sizeof(IndexPair));
    memcpy(bytes + sizeof(IdPair) + sizeof(IndexPair), &problem->r[i], sizeof(vec3));
    sum = hash_add(sum, hash_bytes(bytes, sizeof bytes, 2));
  }
  return sum;
}
