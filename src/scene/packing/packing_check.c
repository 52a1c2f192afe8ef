// Looks at packed stones without the lists and axes that packed them.
#include "packing_check.h"

#include <assert.h>

#include "box_overlap.h"
#include "intersection.h"

static Box box_of_piece(const StonePiece *piece)
{
  if (piece->ellipsoid) {
    const vec3 half = ellipsoid_half_box(piece->ellipsoid);
    return (Box){vec3_sub(piece->middle, half), vec3_add(piece->middle, half)};
  }
  assert(piece->count > 0 && "a piece has points");
  return box_grow(box_of_points(piece->points, piece->count), piece->radius);
}

// The solid of a part, as it stands; pieces are counted over all stones.
static Polyhedron solid_of(const PackedStones *p, int stone, int piece, vec3 from, Arena *scratch)
{
  const PackedStone *s = &p->stones[stone];
  assert(s->form->shape.part_count > 0 && "a part has a hull");
  const Polyhedron *hull = &s->form->shape.parts[piece - s->first_piece].hull;
  return polyhedron_place(hull, quat_to_mat3(s->turn), vec3_sub(s->place, from), scratch);
}

// Whether two pieces are apart: parts have no common solid, and anything else an axis between.
static bool are_apart(const PackedStones *p, const int stone[2], const int piece[2], Arena *scratch)
{
  const bool parts = p->stones[stone[0]].form->shape.part_count > 0 &&
                     p->stones[stone[1]].form->shape.part_count > 0;
  if (!parts) {
    PieceScratch room = p->scratch;
    return stone_piece_apart(&p->pieces[piece[0]], &p->pieces[piece[1]], &room);
  }
  const vec3 from = p->stones[stone[0]].place;
  const Polyhedron a = solid_of(p, stone[0], piece[0], from, scratch);
  const Polyhedron b = solid_of(p, stone[1], piece[1], from, scratch);
  return intersection_labels(&a, &b, 0, scratch).status == INTERSECTION_EMPTY;
}

const char *packing_check_fault(const PackedStones *p)
{
  assert(p->scale == 1 && "stones have their sizes");
  for (int i = 0; i < p->count; i++)
    if (!room_holds(&p->packing->room, p->pieces[p->stones[i].first_piece].middle))
      return "a stone is outside of its room";

  // all pieces and the stones that they are of
  const PackedStone *last = &p->stones[p->count - 1];
  const int count = last->first_piece + last->form->piece_count;
  Arena memory = arena_new(), scratch = arena_new();
  Box *boxes = arena_allocate(&memory, (size_t)count * sizeof *boxes);
  int *stone_of = arena_allocate(&memory, (size_t)count * sizeof *stone_of);
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < p->stones[i].form->piece_count; k++) {
      const int piece = p->stones[i].first_piece + k;
      stone_of[piece] = i;
      boxes[piece] = box_of_piece(&p->pieces[piece]);
    }
  const BoxPairs pairs = box_overlap_find(boxes, count, &memory);
  bool apart = true;
  for (int64_t k = 0; k < pairs.count && apart; k++) {
    const int piece[2] = {pairs.pairs[k].a, pairs.pairs[k].b};
    const int stone[2] = {stone_of[piece[0]], stone_of[piece[1]]};
    if (stone[0] == stone[1]) continue;
    apart = are_apart(p, stone, piece, &scratch);
    arena_reset(&scratch);
  }
  arena_destroy(&scratch);
  arena_destroy(&memory);
  return apart ? NULL : "two stones overlap";
}
