// Exact sums over the pairs of groups.
#include "group_sums.h"

#include <assert.h>

// Groups on several ranks, which all of them know, have exact sums whatever they hold here.
static bool has_one_term(const GroupPlaces *places, int place)
{
  return place >= places->groups->shared_count && places->pair_count[place] <= 1;
}

GroupSums group_sums_new(const GroupPlaces *places, const unsigned char *runs, int terms,
                         Arena *arena)
{
  assert(terms > 0 && terms <= GROUP_SUMS_MOST && runs != NULL && "groups run or do not");
  const int count = places->groups->place_count;
  size_t many = 0;
  for (int p = 0; p < count; p++) many += runs[p] && !has_one_term(places, p);
  const size_t each = (size_t)terms;
  return (GroupSums){
      .places = places,
      .runs = runs,
      .terms = terms,
      .value = arena_allocate_zero(arena, (size_t)count * each + 1, sizeof(double)),
      .at = arena_allocate(arena, ((size_t)count + 1) * sizeof(int)),
      .sums = arena_allocate(arena, (many * each + 1) * sizeof(ExactSum)),
  };
}

// Those of shared groups first, which all ranks know alike.
void group_sums_begin(GroupSums *s)
{
  assert(s->terms > 0 && "groups have sums");
  int made = 0;
  for (int p = 0; p < s->places->groups->place_count; p++) {
    s->at[p] = -1;
    if (!s->runs[p]) continue;
    for (int t = 0; t < s->terms; t++) s->value[p * s->terms + t] = 0;
    if (has_one_term(s->places, p)) continue;
    s->at[p] = made;
    for (int t = 0; t < s->terms; t++) s->sums[made++] = exact_sum_new();
  }
}

void group_sums_end(GroupSums *s)
{
  assert(s->value != NULL && "sums have a place");
  int shared = 0;
  for (int p = 0; p < s->places->groups->shared_count; p++)
    if (s->at[p] >= 0) shared = s->at[p] + s->terms;
  for (int first = 0; first < shared; first += EXACT_SUM_AT_ONCE) {
    const int left = shared - first;
    exact_sum_reduce(&s->sums[first], left < EXACT_SUM_AT_ONCE ? left : EXACT_SUM_AT_ONCE);
  }
  for (int p = 0; p < s->places->groups->place_count; p++)
    for (int t = 0; s->at[p] >= 0 && t < s->terms; t++)
      s->value[p * s->terms + t] = exact_sum_value(&s->sums[s->at[p] + t]);
}
