// Selects the touches of parts that are local minima of the distance to their body.
#include "part_touch.h"

#include "check.h"
#include "contacts.h"

// Faces go before edges and vertices, then the lower part: what stands for places that are one.
static bool goes_first(const PartTouch *p, const PartTouch *q)
{
  const unsigned kind_p = feature_kind(p->feature), kind_q = feature_kind(q->feature);
  return kind_p != kind_q ? kind_p < kind_q : p->part < q->part;
}

// Is the place of a part no local minimum, or another one's? A part that holds it and is nearest
// elsewhere comes nearer on the way there.
static bool is_left_out(const Shape *shape, const PartTouch *all, int count, int index,
                        double one_place)
{
  assert_debug(index >= 0 && index < count && "a place has a number");
  const PartTouch *touch = &all[index];
  for (int j = 0; j < count; j++) {
    if (j == index) continue;
    if (vec3_norm(vec3_sub(touch->place, all[j].place)) <= one_place) {
      if (goes_first(&all[j], touch)) return true;
    } else if (polyhedron_holds(&shape->parts[all[j].part].hull, touch->place, one_place)) {
      return true;
    }
  }
  return false;
}

int part_touch_keep_minima(const Shape *shape, PartTouch *touches, int count, double one_place)
{
  assert_debug(count >= 0 && count <= shape->part_count && one_place >= 0 &&
               "parts touch once each");
  if (count == 0) return 0;

  // every place is judged against all others; the deepest of all is a minimum whatever rounding
  // says
  int kept = 0, deepest = 0;
  for (int i = 0; i < count; i++) {
    touches[i].left_out = is_left_out(shape, touches, count, i, one_place);
    if (touches[i].gap < touches[deepest].gap) deepest = i;
  }
  const PartTouch last_resort = touches[deepest];
  for (int i = 0; i < count; i++)
    if (!touches[i].left_out) touches[kept++] = touches[i];
  if (kept == 0) touches[kept++] = last_resort;
  return kept;
}
