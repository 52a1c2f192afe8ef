// Derives what frames tell of bodies from the case, the rows of bodies and the forces of pairs.
#include "frame_bodies.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_members.h"
#include "id_range.h"
#include "kind.h"
#include "order.h"
#include "parallel.h"
#include "put_joints.h"
#include "scene.h"

// What a pair adds to its higher body.
typedef struct {
  uint64_t body;
  BodyTensor moment;   // N m
  uint64_t bears;      // 1 or 0
} Share;

// Collective. What pairs of all ranks add to those of their higher bodies that are this rank's: a
// message from each rank, by body and then by partner.
static Messages gather_shares(const BodyPairs *all, const Case *c, Arena *arena)
{
  const FramePairs *pairs = all->list;
  Share *sent = arena_allocate(arena, ((size_t)pairs->count + 1) * sizeof *sent);
  Messages sends = {0, arena_allocate(arena, (size_t)par_size() * sizeof(Message))};
  IdRangeCursor cursor = {.body_count = c->body_count, .size = par_size()};
  for (int i = 0; i < pairs->count; i++) {
    const int pair = pairs->by_high[i];
    const PairForces *forces = &all->forces[pair];
    sent[i] = (Share){pairs->of[pair].bodies.high, forces->high, forces->bears};
    par_append(&sends, id_range_find(&cursor, sent[i].body), &sent[i], sizeof *sent);
  }
  return par_exchange(sends.messages, sends.count, arena);
}

static void add_tensor(BodyTensor *sum, const BodyTensor *t, double factor)
{
  sum->xx += factor * t->xx;
  sum->yy += factor * t->yy;
  sum->zz += factor * t->zz;
  sum->xy += factor * t->xy;
  sum->yz += factor * t->yz;
  sum->xz += factor * t->xz;
}

// What the pairs of a body add up to.
typedef struct {
  BodyTensor moment;   // N m
  uint32_t bears;
} Sum;

// A message that is read body by body: its first share of a body that was not asked for yet, and
// its end.
typedef struct {
  const Share *at, *end;
} ShareCursor;

static void add_high_shares(Sum *sum, uint64_t body, ShareCursor *cursor)
{
  assert(cursor->at <= cursor->end && "shares have an end");
  while (cursor->at < cursor->end && cursor->at->body < body) cursor->at++;   // that has left
  for (; cursor->at < cursor->end && cursor->at->body == body; cursor->at++) {
    add_tensor(&sum->moment, &cursor->at->moment, 1);
    sum->bears += (uint32_t)cursor->at->bears;
  }
}

// *at: the first pair of a lower body that was not asked for yet.
static void add_low_shares(Sum *sum, uint64_t body, const BodyPairs *all, int *at)
{
  const FramePairs *pairs = all->list;
  while (*at < pairs->count && pairs->of[*at].bodies.low < body) ++*at;
  for (; *at < pairs->count && pairs->of[*at].bodies.low == body; ++*at) {
    add_tensor(&sum->moment, &all->forces[*at].low, 1);
    sum->bears += all->forces[*at].bears;
  }
}

// Collective. Love (1927): the mean stress of a body at rest is the sum over its contacts of arm
// times force, by its volume. Contacts are added in the order of partners: the lower ones, whose
// ranks have ascending ranges of ids, and then the higher ones.
static void sum_shares(BodyRows *rows, const Bodies *b, const BodyPairs *pairs, const Case *c,
                       ShapeSet *shapes)
{
  Arena arena = arena_new();
  const Messages got = gather_shares(pairs, c, &arena);
  ShareCursor *cursors = arena_allocate(&arena, ((size_t)got.count + 1) * sizeof *cursors);
  for (int m = 0; m < got.count; m++) {
    const Share *first = got.messages[m].data;
    cursors[m] = (ShareCursor){first, first + got.messages[m].bytes / sizeof *first};
  }
  int low = 0;
  for (int i = 0; i < b->table.count; i++) {
    Sum sum = {.bears = 0};
    for (int m = 0; m < got.count; m++) add_high_shares(&sum, b->id[i], &cursors[m]);
    add_low_shares(&sum, b->id[i], pairs, &low);
    if (rows->coordination) rows->coordination[i] = sum.bears;
    if (!rows->stress) continue;
    rows->stress[i] = (BodyTensor){0};
    const bool deforms = bodies_deform(b) && kind_of(b, i)->nodes != NULL;
    if (deforms) rows->stress[i] = b->stress[i];
    else add_tensor(&rows->stress[i], &sum.moment, 1 / shape_set_get(shapes, b->shape[i])->volume);
  }
  arena_destroy(&arena);
}

BodyRows frame_bodies_derive(const RowSpans *spans, const BodyPairs *pairs, const Case *c,
                             ShapeSet *shapes, Arena *arena)
{
  const Bodies *b = bodies_of(&spans->copies);
  const unsigned fields = c->output.frame_fields;
  const size_t room = (size_t)b->table.count + 1;
  assert(fields != 0 && "something is asked for");
  BodyRows rows = {.index = arena_allocate(arena, room * sizeof *rows.index)};
  if (fields & FRAME_DISPLACEMENT)
    rows.displacement = arena_allocate(arena, room * sizeof *rows.displacement);
  if (fields & FRAME_ROTATION) rows.rotation = arena_allocate(arena, room * sizeof *rows.rotation);
  if (fields & FRAME_VOLUME) rows.volume = arena_allocate(arena, room * sizeof *rows.volume);
  if (fields & FRAME_STRESS) rows.stress = arena_allocate(arena, room * sizeof *rows.stress);
  if (fields & FRAME_COORDINATION)
    rows.coordination = arena_allocate(arena, room * sizeof *rows.coordination);
  for (int i = 0; i < b->table.count; i++) {
    const Shape *shape = shape_set_get(shapes, b->shape[i]);
    rows.index[i] = spans->of[0].first_row + (uint64_t)i;
    if (rows.volume) rows.volume[i] = shape->volume;
    if (!rows.displacement && !rows.rotation) continue;
    const BodyRecipe recipe = scene_body(c, b->id[i]);
    if (rows.displacement)
      rows.displacement[i] = vec3_sub(b->position[i], scene_recipe_start(&recipe, shape).centre);
    if (!rows.rotation) continue;
    const quat turn = recipe.turn, back = {turn.w, -turn.x, -turn.y, -turn.z};
    const bool same = memcmp(&turn, &b->orientation[i], sizeof turn) == 0;
    rows.rotation[i] = same ? (vec3){0} : put_joints_rotation(quat_mul(b->orientation[i], back));
  }
  if (fields & (FRAME_STRESS | FRAME_COORDINATION)) sum_shares(&rows, b, pairs, c, shapes);
  return rows;
}

BodyColumns frame_bodies_add(Hdf5Writer *w, const RowSpan *span, const BodyRows *rows)
{
  const uint64_t count = span->row_count;
  assert(span->table->schema == &BODIES_SCHEMA && "the span is that of bodies");
  BodyColumns k = {-1, -1, -1, -1, -1, -1};
  k.index =
      hdf5_add_column(w, (Hdf5Column){"bodies", "index", "1", "its row", FIELD_U64, 1, count});
  if (rows->displacement)
    k.displacement = hdf5_add_column(
        w, (Hdf5Column){"bodies", "displacement", "m",
                        "of the centre of mass since the case put the body", FIELD_F64, 3, count});
  if (rows->rotation)
    k.rotation = hdf5_add_column(
        w, (Hdf5Column){"bodies", "rotation", "rad",
                        "since the case put the body: axis times angle, at most half a turn",
                        FIELD_F64, 3, count});
  if (rows->volume)
    k.volume = hdf5_add_column(
        w, (Hdf5Column){"bodies", "volume", "m3", "without deformation", FIELD_F64, 1, count});
  if (rows->coordination)
    k.coordination = hdf5_add_column(w, (Hdf5Column){"bodies", "coordination", "1",
                                                     "bodies that it has a force with, by contacts",
                                                     FIELD_U32, 1, count});
  if (rows->stress && bodies_deform((const Bodies *)span->table))
    k.stress = hdf5_find_column(w, "bodies", "stress");   // the table has the column
  else if (rows->stress)
    k.stress = hdf5_add_column(w, (Hdf5Column){"bodies", "stress", "Pa",
                                               "world frame: xx yy zz xy yz xz, tension above zero",
                                               FIELD_F64, 6, count});
  return k;
}

void frame_bodies_write(Hdf5Writer *w, BodyColumns k, const RowSpan *span, const BodyRows *rows)
{
  const uint64_t first = span->first_row, count = (uint64_t)span->table->count;
  assert((k.stress >= 0) == (rows->stress != NULL) && "columns are those of the rows");
  hdf5_write_rows(w, k.index, first, count, rows->index);
  if (k.displacement >= 0) hdf5_write_rows(w, k.displacement, first, count, rows->displacement);
  if (k.rotation >= 0) hdf5_write_rows(w, k.rotation, first, count, rows->rotation);
  if (k.volume >= 0) hdf5_write_rows(w, k.volume, first, count, rows->volume);
  if (k.coordination >= 0) hdf5_write_rows(w, k.coordination, first, count, rows->coordination);
  if (k.stress >= 0) hdf5_write_rows(w, k.stress, first, count, rows->stress);
}

// ------------------------------------------------------------------------------------------------
// Names.

BodyNameRows frame_bodies_name(const RowSpans *spans, const Case *c, Arena *arena)
{
  const Bodies *b = bodies_of(&spans->copies);
  if (!(c->output.frame_fields & FRAME_NAME)) return (BodyNameRows){0};
  char text[MEMBER_NAME_BYTES];
  double width = 1;
  for (int i = 0; i < b->table.count; i++)
    width = larger_of(width, (double)strlen(case_member_name(c, b->id[i], text)));
  BodyNameRows names = {.width = (int)par_max(width)};
  const size_t bytes = (size_t)names.width;
  names.text = arena_allocate_zero(arena, (size_t)b->table.count + 1, bytes);
  for (int i = 0; i < b->table.count; i++) {
    const char *name = case_member_name(c, b->id[i], text);
    memcpy(names.text + bytes * (size_t)i, name, strlen(name));
  }
  return names;
}
