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

// What a pair adds to one of its bodies.
typedef struct {
  uint64_t body, other;
  BodyTensor moment;   // N m
  bool bears;
} Share;

static int order_shares(const void *p, const void *q)
{
  const Share *a = p, *b = q;
  return a->body != b->body ? order_u64(a->body, b->body) : order_u64(a->other, b->other);
}

// Collective. What all pairs add to the bodies of this rank, by body and partner; *count of them.
static Share *gather_shares(const BodyPairs *all_pairs, const Case *c, int *count, Arena *arena)
{
  const FramePairs *pairs = all_pairs->list;
  const PairForces *forces = all_pairs->forces;
  const size_t own = (size_t)pairs->count;
  Share *sent = arena_allocate_zero(arena, own + 1, sizeof *sent);   // gaps are sent, too
  for (size_t i = 0; i < own; i++) {
    sent[i].body = pairs->of[i].bodies.high;
    sent[i].other = pairs->of[i].bodies.low;
    sent[i].moment = forces[i].high;
    sent[i].bears = forces[i].bears;
  }
  if (own > 0) qsort(sent, own, sizeof *sent, order_shares);
  Messages sends = {0, arena_allocate(arena, (size_t)par_size() * sizeof(Message))};
  IdRangeCursor cursor = {.body_count = c->body_count, .size = par_size()};
  for (size_t i = 0; i < own; i++)
    par_append(&sends, id_range_find(&cursor, sent[i].body), &sent[i], sizeof *sent);
  const Messages got = par_exchange(sends.messages, sends.count, arena);
  size_t all = own;
  for (int m = 0; m < got.count; m++) all += got.messages[m].bytes / sizeof *sent;
  Share *shares = arena_allocate_zero(arena, all + 1, sizeof *shares);
  for (size_t i = 0; i < own; i++)
    shares[i] =
        (Share){pairs->of[i].bodies.low, pairs->of[i].bodies.high, forces[i].low, forces[i].bears};
  size_t at = own;
  for (int m = 0; m < got.count; m++) {
    memcpy(&shares[at], got.messages[m].data, got.messages[m].bytes);
    at += got.messages[m].bytes / sizeof *sent;
  }
  if (all > 0) qsort(shares, all, sizeof *shares, order_shares);
  *count = (int)all;
  return shares;
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

// Love (1927): the mean stress of a body at rest is the sum over its contacts of arm times force,
// by its volume. Shares are added in the order of partners.
static void add_shares(BodyRows *rows, const Bodies *b, const Share *shares, int count,
                       ShapeSet *shapes)
{
  int at = 0;
  for (int i = 0; i < b->table.count; i++) {
    BodyTensor moment = {0};
    uint32_t bears = 0;
    while (at < count && shares[at].body < b->id[i]) at++;   // of bodies that have left
    for (; at < count && shares[at].body == b->id[i]; at++) {
      add_tensor(&moment, &shares[at].moment, 1);
      bears += shares[at].bears;
    }
    if (rows->coordination) rows->coordination[i] = bears;
    if (!rows->stress) continue;
    rows->stress[i] = (BodyTensor){0};
    const bool deforms = bodies_deform(b) && kind_of(b, i)->nodes != NULL;
    if (deforms) rows->stress[i] = b->stress[i];
    else add_tensor(&rows->stress[i], &moment, 1 / shape_set_get(shapes, b->shape[i])->volume);
  }
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
  if (fields & (FRAME_STRESS | FRAME_COORDINATION)) {
    int count;
    Arena parts = arena_new();
    const Share *shares = gather_shares(pairs, c, &count, &parts);
    add_shares(&rows, b, shares, count, shapes);
    arena_destroy(&parts);
  }
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
