// Which group pairs and rows belong to.
#include "group_task.h"

#include <assert.h>

#include "parallel.h"
#include "split.h"

GroupPlaces group_places_new(const Problem *problem, const ContactGroups *groups, Arena *arena)
{
  assert(groups->place != NULL && "groups are joined");
  const size_t pairs = (size_t)problem->pair_count + 1, rows = (size_t)problem->own_rows + 1;
  GroupPlaces p = {.groups = groups,
                   .of_pair = arena_allocate(arena, pairs * sizeof(int)),
                   .of_row = arena_allocate(arena, rows * sizeof(int)),
                   .pair_count =
                       arena_allocate_zero(arena, (size_t)groups->place_count + 1, sizeof(int))};
  for (int k = 0; k < problem->pair_count; k++) {
    p.of_pair[k] = contact_groups_place(groups, &problem->pairs[k]);
    p.pair_count[p.of_pair[k]] += split_pair(problem, k).swept;
  }
  for (int b = 0; b < problem->own_rows; b++) p.of_row[b] = contact_groups_place_of_row(groups, b);
  return p;
}

int group_tasks_most(const GroupPlaces *places, const GroupTask *tasks)
{
  assert((places->groups->place_count == 0 || tasks != NULL) && "groups have tasks");
  double most = 0;
  for (int p = 0; p < places->groups->place_count; p++) most = fmax(most, tasks[p].sweeps);
  return (int)par_max(most);
}
