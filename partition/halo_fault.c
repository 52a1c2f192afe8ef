// Mirrors and ghosts are asked for the ids of their rows.
#include "halo_fault.h"

#include <assert.h>

#include "parallel.h"

#define NO_ID UINT64_MAX

static const char *plan_fault(const HaloPlan *plan, int owned, int count)
{
  for (int k = 0; k < plan->neighbour_count; k++) {
    if (plan->ranks[k] < 0 || plan->ranks[k] >= par_size() || plan->ranks[k] == par_rank())
      return "a neighbour is no other rank";
    if (k > 0 && plan->ranks[k - 1] >= plan->ranks[k]) return "neighbours do not ascend";
    if (plan->send_start[k] > plan->send_start[k + 1] ||
        plan->receive_start[k] > plan->receive_start[k + 1])
      return "rows of a neighbour end before they begin";
  }
  if (plan->neighbour_count == 0) return NULL;
  for (int i = 0; i < plan->send_start[plan->neighbour_count]; i++)
    if (plan->send_rows[i] < 0 || plan->send_rows[i] >= owned) return "a mirror is no own row";
  for (int i = 0; i < plan->receive_start[plan->neighbour_count]; i++)
    if (plan->receive_rows[i] < owned || plan->receive_rows[i] >= count)
      return "a ghost is no ghost row";
  return NULL;
}

const char *halo_fault(const HaloPlan *plan, const uint64_t *ids, int owned, int count,
                       Arena *arena)
{
  assert(owned >= 0 && owned <= count && "ghosts come after own rows");
  const char *fault = plan_fault(plan, owned, count);
  if (par_any(fault != NULL)) return fault;
  const ArenaMark mark = arena_mark(arena);
  const size_t rows = (size_t)count + 1;
  uint64_t *seen = arena_allocate(arena, rows * sizeof *seen);
  unsigned char *times = arena_allocate_zero(arena, rows, 1);
  for (int i = 0; i < count; i++) seen[i] = ids[i];
  const int arriving = plan->neighbour_count > 0 ? plan->receive_start[plan->neighbour_count] : 0;
  for (int i = 0; i < arriving; i++) {
    if (times[plan->receive_rows[i]]++ > 0) fault = "a ghost has two senders";
    seen[plan->receive_rows[i]] = NO_ID;
  }
  halo_refresh(plan, seen, sizeof *seen, arena);
  for (int i = 0; i < count && !fault; i++)
    if (seen[i] != ids[i]) fault = "a ghost gets what is another row's";
  arena_release(arena, mark);
  return fault;
}

const char *halo_ranks_fault(const Halo *halo, int ghost_count)
{
  assert(ghost_count >= 0 && "ghosts are counted");
  if (halo->ghost_count != ghost_count) return "the halo has not as many ghosts as the table";
  for (int i = 0; i < ghost_count; i++)
    if (halo->ghost_ranks[i] < 0 || halo->ghost_ranks[i] >= par_size() ||
        halo->ghost_ranks[i] == par_rank())
      return "a ghost's owner is no other rank";
  return NULL;
}
