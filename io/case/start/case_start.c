// Finds the contacts at the start of a case by the search of a run, and what they lead to.
#include "case_start.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "case_members.h"
#include "detect.h"
#include "kind.h"
#include "log.h"
#include "plural.h"
#include "scene.h"

#define TRIANGLES_PER_PART 50   // of a surface alone: so many cost as much as a convex part
#define EXACT 1e-9              // of the smaller body: overlaps and gaps below are rounding

// The bodies of the start as a run would have them, and what was found between them.
typedef struct {
  const Case *c;
  Arena arena;
  Bodies bodies;
  ShapeSet shapes;
  SurfaceSet bases;   // of the model lmd
  InnerSet inner;     // of contact.geometry 'spheres'
  Contacts contacts;
  Volumes volumes;   // of the volumetric law
  int *parent;       // [bodies] of the forest of what hangs together
  bool *touches;     // [bodies] some contact or joint has it
} Start;

// -- bodies ---------------------------------------------------------------------------------------

static int64_t count_parts(const Case *c, const IdRange *ranges, int count, int64_t most)
{
  int64_t parts = 0;
  for (int r = 0; r < count; r++)
    for (uint64_t id = ranges[r].first; id < ranges[r].end; id++) {
      const ShapeRecipe *shape = &c->shapes[scene_body(c, id).shape];
      parts += shape->part_count > 0 ? shape->part_count : 1;
      // a surface alone costs by its triangles
      if (shape->surface_alone) parts += shape->parts[0].triangle_count / TRIANGLES_PER_PART;
      if (parts > most) return parts;
    }
  return parts;
}

static void append_body(Start *s, uint64_t id)
{
  Bodies *b = &s->bodies;
  const BodyRecipe recipe = scene_body(s->c, id);
  const Shape *shape = shape_set_get(&s->shapes, recipe.shape);
  const int row = scene_append_body(b, id, &recipe, shape);
  b->velocity[row] = b->spin[row] = (vec3){0, 0, 0};
}

// Rows by id; false where they have too many parts.
static bool list_bodies(Start *s, int64_t most_parts)
{
  const Case *c = s->c;
  IdRange *ranges = arena_allocate(&s->arena, ((size_t)c->group_count + 1) * sizeof *ranges);
  const int count = scene_births(c, 0, ranges);
  if (count_parts(c, ranges, count, most_parts) > most_parts) return false;
  for (int r = 0; r < count; r++)
    for (uint64_t id = ranges[r].first; id < ranges[r].end; id++) append_body(s, id);
  table_sort(&s->bodies.table, 0, s->bodies.table.owned);
  return true;
}

// -- contacts -------------------------------------------------------------------------------------

// Is a body of finite elements? The table has no kinds: no body has deformed yet.
static bool has_cells(const Start *s, int row)
{
  assert(row >= 0 && row < s->bodies.table.count && "a row of the table");
  const int kind = scene_body(s->c, s->bodies.id[row]).kind;
  return kind == KIND_FINITE || kind == KIND_FOUNDATION;
}

static DetectReport find_contacts(Start *s)
{
  const Bodies *b = &s->bodies;
  const size_t count = (size_t)b->table.count + 1;
  MidState *mid = arena_allocate_zero(&s->arena, count, sizeof *mid);
  unsigned char *newborn = arena_allocate(&s->arena, count);
  memset(newborn, 1, count);
  bool *displaced = arena_allocate_zero(&s->arena, count, sizeof *displaced);
  // (no body moves: a step, which the volumetric law asks for, changes nothing)
  const bool compliant = s->c->surfaces.compliant;
  const FreeMotion motion = {.step = compliant ? s->c->step : 0};
  Box *boxes = arena_allocate(&s->arena, count * sizeof *boxes);
  for (int i = 0; i < b->table.count; i++) {
    displaced[i] = has_cells(s, i);
    mid[i].rotation = quat_to_mat3(b->orientation[i]);
    boxes[i] = detect_box(b, i, &s->shapes, &s->c->contact, &motion);
  }
  const bool lmd = s->c->contact.model == CONTACT_MODEL_LMD;
  const DetectInput input = {.bodies = b,
                             .mid = mid,
                             .shapes = &s->shapes,
                             .bases = lmd ? &s->bases : NULL,
                             .settings = &s->c->contact,
                             .motion = motion,
                             .surfaces = &s->c->surfaces,
                             .pass_count = s->c->pass_count,
                             .passes = s->c->passes,
                             .displaced = displaced,
                             .volumes = compliant ? &s->volumes : NULL,
                             .inner = s->inner.shapes ? &s->inner : NULL,
                             .newborn = newborn};
  Contacts none;
  contacts_begin(&none);
  const DetectReport report = detect_contacts(&input, boxes, &none, &s->contacts, &s->arena);
  contacts_end(&none);
  return report;
}

static int root_of(Start *s, int row)
{
  while (s->parent[row] != row) row = s->parent[row] = s->parent[s->parent[row]];
  return row;
}

// The last number stands for what holds others: bodies that stand, and space.
static void join(Start *s, int a, int b)
{
  const int p = root_of(s, a), q = root_of(s, b);
  if (p < q) s->parent[p] = q;
  else s->parent[q] = p;
}

static int support_of(const Start *s) { return s->bodies.table.count; }

static void join_bodies(Start *s, int low, int high)
{
  s->touches[low] = s->touches[high] = true;
  join(s, low, high);
}

static void join_by_joints(Start *s)
{
  for (int j = 0; j < s->c->joint_row_count; j++) {
    const IdPair pair = s->c->joint_rows[j].bodies;
    const int low = bodies_find(&s->bodies, pair.low);
    if (low < 0) continue;
    if (pair.high == BODIES_SPACE) {
      s->touches[low] = true;
      join(s, low, support_of(s));
      continue;
    }
    const int high = bodies_find(&s->bodies, pair.high);
    if (high >= 0) join_bodies(s, low, high);
  }
}

// -- what is told ---------------------------------------------------------------------------------

static bool is_worse(StartPair a, StartPair b)
{
  if (a.size != b.size) return a.size > b.size;
  return a.low != b.low ? a.low < b.low : a.high < b.high;
}

static void note_pair(StartPairs *pairs, StartPair pair)
{
  pairs->count++;
  int at = pairs->named;
  while (at > 0 && is_worse(pair, pairs->worst[at - 1])) at--;
  if (at == CASE_START_WORST) return;
  if (pairs->named < CASE_START_WORST) pairs->named++;
  memmove(pairs->worst + at + 1, pairs->worst + at,
          (size_t)(pairs->named - 1 - at) * sizeof *pairs->worst);
  pairs->worst[at] = pair;
}

static void note_body(StartBodies *bodies, uint64_t id)
{
  if (bodies->count++ < CASE_START_WORST) bodies->first[bodies->named++] = id;
}

// The points of one pair, from a row on. Returns the row behind them.
static int judge_pair(Start *s, int first, StartReport *report)
{
  const Contacts *c = &s->contacts;
  const IdPair ids = c->bodies[first];
  const int low = bodies_find(&s->bodies, ids.low), high = bodies_find(&s->bodies, ids.high);
  const Bodies *b = &s->bodies;
  const Shape *p = shape_set_get(&s->shapes, b->shape[low]);
  const Shape *q = shape_set_get(&s->shapes, b->shape[high]);
  const double exact = EXACT * smaller_of(p->extent, q->extent);
  double least = INFINITY;   // gap as modelled, m
  int end = first;
  for (; end < c->table.owned && id_pair_equal(c->bodies[end], ids); end++) {
    report->closed += c->offset[end] != 0;
    least = fmin(least, c->gap[end] + c->offset[end]);
  }
  report->pairs++;
  report->points += end - first;
  if (least < -exact) note_pair(&report->overlaps, (StartPair){ids.low, ids.high, -least});
  else if (least > exact) note_pair(&report->gaps, (StartPair){ids.low, ids.high, least});
  join_bodies(s, low, high);
  return end;
}

// The rows of the volumetric law of one pair, from a row on: what they share is no overlap to open.
// Returns the row behind them.
static int join_volumes(Start *s, int first, StartReport *report)
{
  const Volumes *v = &s->volumes;
  const IdPair ids = v->bodies[first];
  int end = first;
  while (end < v->table.owned && id_pair_equal(v->bodies[end], ids)) end++;
  report->pairs++;
  report->volumes += end - first;
  join_bodies(s, bodies_find(&s->bodies, ids.low), bodies_find(&s->bodies, ids.high));
  return end;
}

// Does a body stand whatever is below it?
static bool stands(const Start *s, int row)
{
  assert(row >= 0 && row < s->bodies.table.count && "a row of the table");
  return s->bodies.drive[row] != DRIVE_DYNAMIC ||
         scene_body(s->c, s->bodies.id[row]).kind == KIND_FOUNDATION;
}

static void judge_bodies(Start *s, StartReport *report)
{
  const Bodies *b = &s->bodies;
  report->bodies = b->table.count;
  for (int i = 0; i < b->table.count; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    report->dynamic++;
    if (stands(s, i)) continue;
    if (!s->touches[i]) note_body(&report->lone, b->id[i]);
    else if (root_of(s, i) != support_of(s)) note_body(&report->unsupported, b->id[i]);
  }
}

static void look(Start *s, StartReport *report)
{
  const Bodies *b = &s->bodies;
  const size_t count = (size_t)b->table.count + 1;
  s->parent = arena_allocate(&s->arena, count * sizeof *s->parent);
  s->touches = arena_allocate_zero(&s->arena, count, sizeof *s->touches);
  for (size_t i = 0; i < count; i++) s->parent[i] = (int)i;
  for (int i = 0; i < b->table.count; i++)
    if (stands(s, i)) join(s, i, support_of(s));
  const DetectReport found = find_contacts(s);
  report->failed = found.failed;
  report->met = found.met;
  report->first_met = found.first_met;
  for (int row = 0; row < s->contacts.table.owned;) row = judge_pair(s, row, report);
  for (int row = 0; row < s->volumes.table.owned;) row = join_volumes(s, row, report);
  join_by_joints(s);
  judge_bodies(s, report);
}

StartReport case_start_look(const Case *c, int64_t most_parts)
{
  assert(c->group_count >= 0 && most_parts >= 0 && "a case is read");
  StartReport report = {0};
  Start s = {.c = c, .arena = arena_new(), .shapes = shape_set_new(c->shapes, c->shape_count)};
  if (c->contact.model == CONTACT_MODEL_LMD)
    s.bases = surface_set_new(&s.shapes, c->contact.lmd.dilation, c->bases);
  if (c->contact.inner_spheres > 0)
    s.inner = inner_set_new(&s.shapes, c->contact.inner_spheres, c->inner);
  bodies_begin(&s.bodies);
  contacts_begin(&s.contacts);
  table_begin(&s.volumes.table, &VOLUMES_SCHEMA);
  report.looked = list_bodies(&s, most_parts);
  if (report.looked) look(&s, &report);
  contacts_end(&s.contacts);
  table_end(&s.volumes.table);
  bodies_end(&s.bodies);
  if (c->contact.model == CONTACT_MODEL_LMD) surface_set_destroy(&s.bases);
  if (s.inner.shapes) inner_set_destroy(&s.inner);
  shape_set_destroy(&s.shapes);
  arena_destroy(&s.arena);
  return report;
}

const char *case_start_name(const Case *c, uint64_t id, char text[CASE_START_NAME_BYTES])
{
  assert(id < c->body_count && "the case has the body");
  const BodyGroup *group = scene_group(c, id);
  const uint64_t number = case_member_number(group, id - group->first_id);
  char room[MEMBER_LABEL_BYTES];
  const bool alone = group->kind == GROUP_BODY;
  if (!*group->name) snprintf(text, CASE_START_NAME_BYTES, "%" PRIu64 " (unnamed)", id);
  else
    snprintf(text, CASE_START_NAME_BYTES, "%.80s%s%.60s", group->name, alone ? "" : ".",
             alone ? "" : case_member_label(group, number, room));
  return text;
}

const char *case_start_refusal(const Case *c, IdPair pair, char *text, size_t bytes)
{
  assert(bytes > 0 && pair.low < pair.high && "two bodies");
  char names[2][CASE_START_NAME_BYTES];
  snprintf(text, bytes,
           "bodies %s and %s overlap by more than contact.model 'lmd' bears, which is the dilation "
           "of both; move them apart, raise contact.lmd.dilation, or take contact.model 'patch'",
           case_start_name(c, pair.low, names[0]), case_start_name(c, pair.high, names[1]));
  return text;
}

const char *case_start_line(const Case *c, const StartReport *r, char *text, size_t bytes)
{
  assert(bytes > 0 && "a line has room");
  *text = 0;
  if (!r->looked || r->bodies == 0) return text;
  char names[2][CASE_START_NAME_BYTES], rest[CASE_START_NAME_BYTES * 3] = "", volumes[48] = "";
  if (r->volumes > 0)
    snprintf(volumes, sizeof volumes, " and %" PRId64 " common %s", r->volumes,
             plural(r->volumes, "volume", "volumes"));
  size_t used = (size_t)snprintf(text, bytes, "start: %" PRId64 " %s%s of %" PRId64 " %s",
                                 r->points, plural(r->points, "contact", "contacts"), volumes,
                                 r->pairs, plural(r->pairs, "pair", "pairs"));
  const StartPair *worst = r->overlaps.worst;
  if (r->overlaps.count > 0)
    snprintf(rest, sizeof rest, ", %" PRId64 " %s by up to %.2g m (%s and %s)", r->overlaps.count,
             plural(r->overlaps.count, "overlaps", "overlap"), worst->size,
             case_start_name(c, worst->low, names[0]), case_start_name(c, worst->high, names[1]));
  if (used < bytes) used += (size_t)snprintf(text + used, bytes - used, "%s", rest);
  if (used < bytes && r->gaps.count > 0)
    used += (size_t)snprintf(text + used, bytes - used, ", %" PRId64 " %s by up to %.2g m",
                             r->gaps.count, plural(r->gaps.count, "gapes", "gape"),
                             r->gaps.worst->size);
  if (used < bytes && r->closed > 0)
    used += (size_t)snprintf(text + used, bytes - used, ", %" PRId64 " %s taken as closed",
                             r->closed, plural(r->closed, "point is", "points are"));
  if (used < bytes && r->lone.count > 0)
    used += (size_t)snprintf(text + used, bytes - used, "; %" PRId64 " %s nothing", r->lone.count,
                             plural(r->lone.count, "body touches", "bodies touch"));
  if (used < bytes && r->unsupported.count > 0)
    snprintf(text + used, bytes - used, "; %" PRId64 " %s to nothing that stands",
             r->unsupported.count, plural(r->unsupported.count, "leads", "lead"));
  return text;
}
