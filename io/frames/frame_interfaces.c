// Writes interfaces and chains of a frame.
#include "frame_interfaces.h"

#include <assert.h>
#include <math.h>

#include "case.h"
#include "parallel.h"

static bool is_row(const FramePair *pair) { return pair->low.there && pair->high.there; }

static bool is_chain(const FramePair *pair, const PairForces *forces)
{
  return is_row(pair) && forces->pressed > 0;
}

void frame_interfaces_count(Interfaces *all)
{
  int rows = 0, chains = 0;
  for (int i = 0; i < all->count; i++) {
    rows += is_row(&all->pairs[i]);
    chains += is_chain(&all->pairs[i], &all->forces[i]);
  }
  all->chain_count = chains;
  all->first = (uint64_t)par_exclusive_sum(rows);
  all->first_chain = (uint64_t)par_exclusive_sum(chains);
  all->all = (uint64_t)par_sum(rows);
  all->all_chains = (uint64_t)par_sum(chains);
}

InterfaceColumns frame_interfaces_add(Hdf5Writer *w, const Interfaces *all, unsigned fields)
{
  assert(all->first <= all->all && all->first_chain <= all->all_chains && "rows are counted");
  const uint64_t rows = all->all, lines = all->all_chains;
  const Hdf5Column interfaces[INTERFACE_COLUMNS] = {
      {"interfaces", "bodies", "1", "ids of the two bodies, lower first", FIELD_U64, 2, rows},
      {"interfaces", "index", "1", "its row", FIELD_U64, 1, rows},
      {"interfaces", "on", "1", "the body that normal leads into: 0 the lower id, 1 the higher",
       FIELD_U32, 1, rows},
      {"interfaces", "normal", "1",
       "unit, mean over the area, upwards, or along the first axis where it is level", FIELD_F64, 3,
       rows},
      {"interfaces", "force", "N",
       "resultant on the body that normal leads into, mean of the step, world axes", FIELD_F64, 3,
       rows},
      {"interfaces", "normal_force", "N", "sum of the normal forces, pressure above zero",
       FIELD_F64, 1, rows},
      {"interfaces", "point", "m",
       "where the normal forces have their centre; that of the area without them", FIELD_F64, 3,
       rows},
      {"interfaces", "eccentricity", "m", "from the centre of the area to the point, in the joint",
       FIELD_F64, 3, rows},
      {"interfaces", "area", "m2", "sum of tributary areas", FIELD_F64, 1, rows},
      {"interfaces", "opening", "m",
       "of the farthest corner since the case put the bodies; where they did not touch then, the "
       "largest gap now",
       FIELD_F64, 1, rows},
      {"interfaces", "slip", "m",
       "of the mean of the corners along the joint since then; 0 where they did not touch then",
       FIELD_F64, 1, rows},
      {"interfaces", "hinge_rotation", "rad",
       "of the body that normal leads into against the other one since the case put them, about "
       "axes in the joint, world axes",
       FIELD_F64, 3, rows},
      {"interfaces", "points", "1", "contact points, or rows of the volumetric law", FIELD_U32, 1,
       rows},
  };
  const Hdf5Column chains[CHAIN_COLUMNS] = {
      {"chains", "line", "1", "rows of the two bodies whose centres it joins", FIELD_U64, 2, lines},
      {"chains", "force", "N", "sum of the normal forces, above zero", FIELD_F64, 1, lines},
      {"chains", "fixed", "1", "how many of the two bodies are not dynamic", FIELD_U32, 1, lines},
  };
  InterfaceColumns k = {-1, -1};
  for (int i = 0; i < INTERFACE_COLUMNS && (fields & FRAME_INTERFACES); i++) {
    const int number = hdf5_add_column(w, interfaces[i]);
    if (i == 0) k.interfaces = number;
  }
  for (int i = 0; i < CHAIN_COLUMNS && (fields & FRAME_CHAINS); i++) {
    const int number = hdf5_add_column(w, chains[i]);
    if (i == 0) k.chains = number;
  }
  return k;
}

// Rows of interfaces, a column each.
typedef struct {
  IdPair *bodies;
  uint64_t *index;
  uint32_t *on, *points;
  vec3 *normal, *force, *point, *eccentricity, *hinge;
  double *pressed, *area, *opening, *slip;
} InterfaceRows;

static vec3 along(vec3 v, vec3 normal) { return vec3_axpy(-vec3_dot(v, normal), normal, v); }

static void fill_row(InterfaceRows *rows, int row, const Interfaces *all, int i)
{
  const FramePair *pair = &all->pairs[i];
  const PairForces *f = &all->forces[i];
  const JointMotion *m = &all->motions[i];
  const double side = pair_forces_side(f->normal, all->up);
  rows->bodies[row] = pair->bodies;
  rows->index[row] = all->first + (uint64_t)row;
  rows->on[row] = side > 0 ? 0 : 1;
  rows->normal[row] = vec3_scale(side, f->normal);
  rows->force[row] = vec3_scale(side, f->force);
  rows->pressed[row] = f->pressed;
  rows->point[row] = f->point;
  rows->eccentricity[row] = along(vec3_sub(f->point, f->centre), f->normal);
  rows->area[row] = f->area;
  rows->opening[row] = m->touched ? m->opening : fmax(f->gap, 0);
  rows->slip[row] = m->slip;
  rows->hinge[row] = vec3_scale(side, along(m->turn, f->normal));
  rows->points[row] = (uint32_t)(pair->end - pair->first + pair->end_volume - pair->first_volume);
}

static void write_interfaces(Hdf5Writer *w, int k, const Interfaces *all)
{
  Arena arena = arena_new();
  const size_t room = (size_t)all->count + 1;
  InterfaceRows r = {.bodies = arena_allocate(&arena, room * sizeof *r.bodies),
                     .index = arena_allocate(&arena, room * sizeof *r.index),
                     .on = arena_allocate(&arena, room * sizeof *r.on),
                     .points = arena_allocate(&arena, room * sizeof *r.points)};
  vec3 **vectors[] = {&r.normal, &r.force, &r.point, &r.eccentricity, &r.hinge};
  double **numbers[] = {&r.pressed, &r.area, &r.opening, &r.slip};
  for (int i = 0; i < 5; i++) *vectors[i] = arena_allocate(&arena, room * sizeof(vec3));
  for (int i = 0; i < 4; i++) *numbers[i] = arena_allocate(&arena, room * sizeof(double));
  int count = 0;
  for (int i = 0; i < all->count; i++)
    if (is_row(&all->pairs[i])) fill_row(&r, count++, all, i);
  const void *columns[INTERFACE_COLUMNS] = {r.bodies,  r.index, r.on,           r.normal, r.force,
                                            r.pressed, r.point, r.eccentricity, r.area,   r.opening,
                                            r.slip,    r.hinge, r.points};
  for (int i = 0; i < INTERFACE_COLUMNS; i++)
    hdf5_write_rows(w, k + i, all->first, (uint64_t)count, columns[i]);
  arena_destroy(&arena);
}

static void write_chains(Hdf5Writer *w, int k, const Interfaces *all)
{
  Arena arena = arena_new();
  const size_t room = (size_t)all->chain_count + 1;
  uint64_t *line = arena_allocate(&arena, 2 * room * sizeof *line);
  double *force = arena_allocate(&arena, room * sizeof *force);
  uint32_t *fixed = arena_allocate(&arena, room * sizeof *fixed);
  int count = 0;
  for (int i = 0; i < all->count; i++) {
    const FramePair *pair = &all->pairs[i];
    if (!is_chain(pair, &all->forces[i])) continue;
    line[2 * count] = pair->low.row;
    line[2 * count + 1] = pair->high.row;
    force[count] = all->forces[i].pressed;
    fixed[count++] =
        (uint32_t)((pair->low.drive != DRIVE_DYNAMIC) + (pair->high.drive != DRIVE_DYNAMIC));
  }
  assert(count == all->chain_count && "chains are counted");
  const void *columns[CHAIN_COLUMNS] = {line, force, fixed};
  for (int i = 0; i < CHAIN_COLUMNS; i++)
    hdf5_write_rows(w, k + i, all->first_chain, (uint64_t)count, columns[i]);
  arena_destroy(&arena);
}

void frame_interfaces_write(Hdf5Writer *w, InterfaceColumns k, const Interfaces *all)
{
  assert(all->count >= 0 && "rows are counted");
  if (k.interfaces >= 0) write_interfaces(w, k.interfaces, all);
  if (k.chains >= 0) write_chains(w, k.chains, all);
}
