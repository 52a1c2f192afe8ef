// Derives what a frame tells of pairs and bodies, and puts it into the file.
#include "frame_told.h"

#include <assert.h>

#include "contacts.h"
#include "ground.h"

// What of the fields needs forces of pairs.
#define OF_PAIRS (FRAME_STRESS | FRAME_COORDINATION | FRAME_INTERFACES | FRAME_CHAINS)

// Against gravity as the case or its stage begins; the third axis where there is none.
static vec3 upwards(const Case *c)
{
  const vec3 gravity = ground_gravity(c, c->origin ? *c->origin : 0);
  const double size = vec3_norm(gravity);
  return size > 0 ? vec3_scale(-1 / size, gravity) : (vec3){0, 0, 1};
}

// Collective.
static FramePairs tell_pairs(FrameTold *told, const RowSpans *spans, const FrameTelling *telling)
{
  const Case *c = telling->c;
  const unsigned fields = c->output.frame_fields;
  const FramePairs pairs = frame_pairs_find(spans, c->body_count, &told->arena);
  const size_t room = (size_t)pairs.count + 1;
  PairForces *forces = arena_allocate(&told->arena, room * sizeof *forces);
  JointMotion *motions = arena_allocate_zero(&told->arena, room, sizeof *motions);
  pair_forces_sum(spans, &pairs, c->step, told->impulses, forces);
  if (fields & FRAME_INTERFACES) {
    put_joints_follow(telling->joints, &pairs, c, telling->shapes);
    put_joints_motions(telling->joints, &pairs, motions);
  }
  told->interfaces = (Interfaces){.count = pairs.count,
                                  .pairs = pairs.of,
                                  .forces = forces,
                                  .motions = motions,
                                  .up = upwards(c)};
  frame_interfaces_count(&told->interfaces);
  return pairs;
}

FrameTold frame_told_new(const RowSpans *spans, const FrameTelling *telling)
{
  assert(telling->c->step > 0 && "forces are means over a step");
  FrameTold told = {.arena = arena_new(), .c = telling->c};
  const unsigned fields = told.c->output.frame_fields;
  const RowSpan *contacts = row_spans_find(spans, &CONTACTS_SCHEMA);
  if (contacts) told.impulses = frame_contacts_impulses(contacts, &told.arena);
  if (fields == 0) return told;
  FramePairs pairs = {0};
  if (fields & OF_PAIRS) pairs = tell_pairs(&told, spans, telling);
  const BodyPairs all = {&pairs, told.interfaces.forces};
  told.bodies = frame_bodies_derive(spans, &all, telling->c, telling->shapes, &told.arena);
  return told;
}

void frame_told_end(FrameTold *told) { arena_destroy(&told->arena); }

void frame_told_add_bodies(Hdf5Writer *w, const RowSpan *span, const FrameTold *told,
                           ToldColumns *columns)
{
  if (told->c->output.frame_fields != 0) columns->bodies = frame_bodies_add(w, span, &told->bodies);
}

void frame_told_add_contacts(Hdf5Writer *w, const RowSpan *span, const FrameTold *told,
                             ToldColumns *columns)
{
  const unsigned fields = told->c->output.frame_fields;
  columns->contacts = frame_contacts_add(w, span, fields);
  columns->interfaces = frame_interfaces_add(w, &told->interfaces, fields);
}

void frame_told_write_bodies(Hdf5Writer *w, const RowSpan *span, const FrameTold *told,
                             const ToldColumns *columns)
{
  if (told->c->output.frame_fields != 0)
    frame_bodies_write(w, columns->bodies, span, &told->bodies);
}

void frame_told_write_contacts(Hdf5Writer *w, const RowSpan *span, const FrameTold *told,
                               const ToldColumns *columns)
{
  assert(told->c->step > 0 && "forces are means over a step");
  frame_contacts_write(w, columns->contacts, span, told->c->step, told->impulses);
  frame_interfaces_write(w, columns->interfaces, &told->interfaces);
}
