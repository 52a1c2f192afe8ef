// Counts over groups of touching bodies.
#include "group_look.h"

#include <assert.h>
#include <string.h>

#include "choice.h"
#include "parallel.h"

#define LEAST_BODIES 100   // of a heap; sweeps are cheaper for fewer

static void look_at_pair(GroupLooks *looks, const Problem *problem, const ContactGroups *groups,
                         int k)
{
  const SolverPair *pair = &problem->pairs[k];
  if (!problem->owned[pair->first]) return;
  int64_t *count = looks->of[contact_groups_place(groups, pair)].count;
  count[LOOK_PAIRS]++;
  count[LOOK_POINTS] += pair->end - pair->first;
  for (int i = problem_contacts_end(problem, k); i < pair->end; i++)
    count[LOOK_JOINTS] += !problem->joint_states[problem_joint(problem, k, i)].is_contact;
  for (int i = pair->first; i < pair->end; i++) {
    const vec3 r = problem->r[i];
    count[LOOK_PUSHED] += r.x != 0 || r.y != 0 || r.z != 0;
  }
}

static void look_at_row(GroupLooks *looks, const Problem *problem, const ContactGroups *groups,
                        int b)
{
  const int place = contact_groups_place_of_row(groups, b);
  if (place < 0) return;
  int64_t *count = looks->of[place].count;
  count[LOOK_BODIES] += motion_moves(&problem->mid[b]);
  count[LOOK_ELASTIC] += problem_deforms(problem, b);
  count[LOOK_AFFINE] += elastic_rows_find(problem->elastic, b) != NULL;
}

bool group_look_faces(const GroupLook *look)
{
  assert(look->count[LOOK_PAIRS] >= 0 && "pairs are counted");
  return (double)look->count[LOOK_POINTS] > POINTS_OF_FACES * (double)look->count[LOOK_PAIRS];
}

bool group_look_heap(const GroupLook *look)
{
  const int64_t *count = look->count;
  return !group_look_faces(look) && count[LOOK_JOINTS] == 0 && count[LOOK_ELASTIC] == 0 &&
         count[LOOK_BODIES] >= LEAST_BODIES;
}

// Of the places in a range.
static int64_t count_heaps(const GroupLooks *looks, int from, int to)
{
  int64_t count = 0;
  for (int p = from; p < to; p++) count += group_look_heap(&looks->of[p]);
  return count;
}

GroupLooks group_looks_new(const Problem *problem, const ContactGroups *groups, Arena *arena)
{
  assert((groups->place_count == 0 || groups->place != NULL) && "groups are joined");
  const int shared = groups->shared_count;
  GroupLooks looks = {
      .of = arena_allocate_zero(arena, (size_t)groups->place_count + 1, sizeof *looks.of)};
  for (int k = 0; k < problem->pair_count; k++) look_at_pair(&looks, problem, groups, k);
  for (int b = 0; b < problem->own_rows; b++) look_at_row(&looks, problem, groups, b);
  const ArenaMark mark = arena_mark(arena);
  int64_t *all = arena_allocate(arena, ((size_t)shared * LOOKS + 2) * sizeof *all);
  int64_t *alone = all + shared * LOOKS;   // groups of one rank, and the heaps among these
  memcpy(all, looks.of, (size_t)shared * sizeof *looks.of);
  alone[0] = groups->place_count - shared;
  alone[1] = count_heaps(&looks, shared, groups->place_count);
  par_sum_many(all, shared * LOOKS + 2);
  memcpy(looks.of, all, (size_t)shared * sizeof *looks.of);
  looks.group_count = shared + alone[0];
  looks.heap_count = count_heaps(&looks, 0, shared) + alone[1];
  arena_release(arena, mark);
  return looks;
}
