// Cuts convex polygons of the plane of x and z, and extrudes them along y.
#include "section.h"

#include <assert.h>
#include <math.h>

#include "structure.h"

Section section_new(int count, Arena *arena)
{
  assert(count >= 0 && "corners are counted");
  return (Section){count, arena_allocate(arena, (size_t)count * sizeof(SectionPoint))};
}

Section section_box(SectionPoint low, SectionPoint high, Arena *arena)
{
  assert(low.x < high.x && low.z < high.z && "a rectangle has an area");
  Section box = section_new(4, arena);
  box.corners[0] = low;
  box.corners[1] = (SectionPoint){high.x, low.z};
  box.corners[2] = high;
  box.corners[3] = (SectionPoint){low.x, high.z};
  return box;
}

static SectionPoint corner_after(const Section *s, int i)
{
  return s->corners[i + 1 < s->count ? i + 1 : 0];
}

double section_area(const Section *section)
{
  double twice = 0;
  for (int i = 1; i + 1 < section->count; i++) {
    const SectionPoint o = section->corners[0], p = section->corners[i],
                       q = section->corners[i + 1];
    twice += (p.x - o.x) * (q.z - o.z) - (p.z - o.z) * (q.x - o.x);
  }
  return 0.5 * twice;
}

// Largest side along x or z, m.
static double extent_of(const Section *section)
{
  assert(section->count > 0 && "a polygon has corners");
  SectionPoint low = section->corners[0], high = low;
  for (int i = 1; i < section->count; i++) {
    const SectionPoint p = section->corners[i];
    low = (SectionPoint){smaller_of(low.x, p.x), smaller_of(low.z, p.z)};
    high = (SectionPoint){larger_of(high.x, p.x), larger_of(high.z, p.z)};
  }
  return larger_of(high.x - low.x, high.z - low.z);
}

void section_append(Sections *list, Section section, Arena *arena)
{
  assert(section.count >= 3 && "a polygon has three corners");
  list->items = arena_grow(arena, list->items, (int64_t)list->count + 1, &list->capacity,
                           sizeof *list->items);
  list->items[list->count++] = section;
}

// How far a point lies to the left of the line from a to b, m.
static double height_of(SectionPoint a, SectionPoint b, SectionPoint p)
{
  const double dx = b.x - a.x, dz = b.z - a.z;
  return (dx * (p.z - a.z) - dz * (p.x - a.x)) / sqrt(dx * dx + dz * dz);
}

// Where the heights of an edge's ends, which have different signs, say that it crosses the line.
// The lower end comes first, so that both owners of an edge find the same bits.
static SectionPoint crossing(SectionPoint p, double p_height, SectionPoint q, double q_height)
{
  if (q.z < p.z || (q.z == p.z && q.x < p.x)) return crossing(q, q_height, p, p_height);
  const double t = p_height / (p_height - q_height);
  return (SectionPoint){p.x + t * (q.x - p.x), p.z + t * (q.z - p.z)};
}

SectionHalves section_cut(const Section *section, SectionPoint a, SectionPoint b, Arena *arena)
{
  const int count = section->count;
  SectionHalves halves = {section_new(count + 2, arena), section_new(count + 2, arena)};
  halves.left.count = halves.right.count = 0;
  if (count == 0) return halves;
  double *heights = arena_allocate(arena, (size_t)count * sizeof *heights);
  const double tolerance = SECTION_TOLERANCE * extent_of(section);
  bool any_left = false, any_right = false;
  for (int i = 0; i < count; i++) {
    heights[i] = height_of(a, b, section->corners[i]);
    if (fabs(heights[i]) <= tolerance) heights[i] = 0;
    any_left = any_left || heights[i] > 0;
    any_right = any_right || heights[i] < 0;
  }
  for (int i = 0; i < count; i++) {
    const int next = i + 1 < count ? i + 1 : 0;
    const SectionPoint p = section->corners[i], q = section->corners[next];
    const double here = heights[i], there = heights[next];
    if (any_left && here >= 0) halves.left.corners[halves.left.count++] = p;
    if (any_right && here <= 0) halves.right.corners[halves.right.count++] = p;
    if (!(here < 0 && there > 0) && !(here > 0 && there < 0)) continue;
    const SectionPoint cut = crossing(p, here, q, there);
    halves.left.corners[halves.left.count++] = cut;
    halves.right.corners[halves.right.count++] = cut;
  }
  return halves;
}

// Whether the line of a side of p has all of q to its right, where p is not.
static bool is_beyond_side(const Section *p, const Section *q, double tolerance)
{
  for (int i = 0; i < p->count; i++) {
    bool beyond = true;
    for (int k = 0; k < q->count && beyond; k++)
      beyond = height_of(p->corners[i], corner_after(p, i), q->corners[k]) <= tolerance;
    if (beyond) return true;
  }
  return false;
}

bool section_overlaps(const Section *p, const Section *q)
{
  const double tolerance = SECTION_TOLERANCE * smaller_of(extent_of(p), extent_of(q));
  return !is_beyond_side(p, q, tolerance) && !is_beyond_side(q, p, tolerance);
}

// Length on which the sides p to q and r to s, of two polygons, lie side by side, m.
static double shared_length(const SectionPoint side[2], const SectionPoint other[2],
                            double tolerance)
{
  const SectionPoint p = side[0], q = side[1];
  if (fabs(height_of(p, q, other[0])) > tolerance || fabs(height_of(p, q, other[1])) > tolerance)
    return 0;
  const double dx = q.x - p.x, dz = q.z - p.z, length = sqrt(dx * dx + dz * dz);
  const double begin = (dx * (other[1].x - p.x) + dz * (other[1].z - p.z)) / length;
  const double end = (dx * (other[0].x - p.x) + dz * (other[0].z - p.z)) / length;
  return larger_of(0, smaller_of(end, length) - larger_of(begin, 0));
}

double section_contact(const Section *p, const Section *q)
{
  assert(p->count >= 3 && q->count >= 3 && "polygons have sides");
  const double tolerance = SECTION_TOLERANCE * larger_of(extent_of(p), extent_of(q));
  double longest = 0;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < q->count; k++) {
      const SectionPoint side[2] = {p->corners[i], corner_after(p, i)};
      const SectionPoint other[2] = {q->corners[k], corner_after(q, k)};
      longest = larger_of(longest, shared_length(side, other, tolerance));
    }
  return longest > 10 * tolerance ? longest : 0;
}

// -- holes ----------------------------------------------------------------------------------------

static bool is_same(SectionPoint p, SectionPoint q) { return p.x == q.x && p.z == q.z; }

// The union of two polygons where it is convex and they have a whole side in common.
static bool unite(const Section *p, const Section *q, Arena *arena, Section *both)
{
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < q->count; k++) {
      if (!is_same(p->corners[i], corner_after(q, k)) ||
          !is_same(corner_after(p, i), q->corners[k]))
        continue;
      // all corners of p from the end of the side on, then those of q between the ends
      Section all = section_new(p->count + q->count, arena);
      all.count = 0;
      for (int m = 1; m <= p->count; m++) all.corners[all.count++] = p->corners[(i + m) % p->count];
      for (int m = 2; m < q->count; m++) all.corners[all.count++] = q->corners[(k + m) % q->count];
      const double tolerance = SECTION_TOLERANCE * extent_of(&all);
      Section kept = section_new(all.count, arena);
      kept.count = 0;
      for (int m = 0; m < all.count; m++) {
        const SectionPoint before = all.corners[(m + all.count - 1) % all.count];
        const double height = height_of(before, corner_after(&all, m), all.corners[m]);
        if (height > tolerance) return false;
        if (height < -tolerance) kept.corners[kept.count++] = all.corners[m];
      }
      *both = kept;
      return kept.count >= 3;
    }
  return false;
}

// Unites pieces from the first one on as long as any two of them are one convex piece.
static void unite_all(Sections *pieces, int first, Arena *arena)
{
  for (int i = first; i < pieces->count; i++)
    for (int k = i + 1; k < pieces->count; k++) {
      Section both;
      if (!unite(&pieces->items[i], &pieces->items[k], arena, &both)) continue;
      pieces->items[i] = both;
      pieces->items[k] = pieces->items[--pieces->count];
      unite_all(pieces, first, arena);
      return;
    }
}

// A point on the line that halves the corner of a hole, outside of it.
static SectionPoint outward(const Section *hole, int i)
{
  const SectionPoint p = hole->corners[i], q = corner_after(hole, i);
  const SectionPoint o = hole->corners[(i + hole->count - 1) % hole->count];
  const double before = sqrt((p.x - o.x) * (p.x - o.x) + (p.z - o.z) * (p.z - o.z));
  const double after = sqrt((q.x - p.x) * (q.x - p.x) + (q.z - p.z) * (q.z - p.z));
  return (SectionPoint){p.x + (p.z - o.z) / before + (q.z - p.z) / after,
                        p.z - (p.x - o.x) / before - (q.x - p.x) / after};
}

static bool is_rectangle(const Section *hole)
{
  if (hole->count != 4) return false;
  for (int i = 0; i < 4; i++) {
    const SectionPoint p = hole->corners[i], q = corner_after(hole, i);
    if (p.x != q.x && p.z != q.z) return false;
  }
  return true;
}

void section_subtract(const Section *section, const Section *hole, Arena *arena, Sections *pieces)
{
  assert(section->count >= 3 && hole->count >= 3 && "polygons have corners");
  if (!section_overlaps(section, hole)) {
    section_append(pieces, *section, arena);
    return;
  }
  const bool rays = !is_rectangle(hole);
  const int first = pieces->count;
  Section rest = *section;
  for (int i = 0; i < hole->count; i++) {
    const SectionPoint a = hole->corners[i], b = corner_after(hole, i);
    const SectionHalves halves = section_cut(&rest, a, b, arena);
    Section piece = halves.right;
    if (!rays) rest = halves.left;
    if (rays) piece = section_cut(&piece, a, outward(hole, i), arena).left;
    if (rays) piece = section_cut(&piece, b, outward(hole, (i + 1) % hole->count), arena).right;
    if (piece.count >= 3) section_append(pieces, piece, arena);
    if (rest.count == 0) break;
  }
  unite_all(pieces, first, arena);
}

ShapeRecipe section_extrude(const Sections *sections, double y_low, double y_high, Arena *arena)
{
  assert(sections->count > 0 && y_low < y_high && "a solid has a section and a depth");
  ShapeRecipe solid = structure_solid(sections->count, arena);
  for (int i = 0; i < sections->count; i++) {
    const Section *s = &sections->items[i];
    const double tolerance = SECTION_TOLERANCE * extent_of(s);
    PartRecipe part = structure_part(2 * s->count, arena);
    part.count = 0;
    for (int k = 0; k < s->count; k++) {
      // a corner on the line between its neighbours is none of the solid
      const SectionPoint before = s->corners[(k + s->count - 1) % s->count], p = s->corners[k];
      if (fabs(height_of(before, corner_after(s, k), p)) <= tolerance) continue;
      part.points[part.count++] = (vec3){p.x, y_low, p.z};
      part.points[part.count++] = (vec3){p.x, y_high, p.z};
    }
    solid.parts[i] = part;
  }
  return solid;
}
