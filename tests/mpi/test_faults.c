// Validators: in a step of a mortared wall nothing is at fault; one field damaged at a time, each
// promise that breaks is named.
#include <math.h>
#include <string.h>

#include "bodies_fault.h"
#include "case_reader.h"
#include "contact_bodies.h"
#include "contacts_fault.h"
#include "distribute.h"
#include "graph_fault.h"
#include "halo_fault.h"
#include "harness.h"
#include "memory.h"
#include "parallel.h"
#include "problem_fault.h"
#include "scene.h"
#include "world.h"

static const char WALL[] =
    "title: a wall in mortar\n"
    "units: SI\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 1e-3, end: 1}\n"
    "materials: {stone: {density: 2400}}\n"
    "contacts:\n"
    "  - {between: [stone, stone], friction: 0.6, bond: {cohesion: 1e5, tensile_strength: 5e4}}\n"
    "bodies:\n"
    "  - {box: [20, 10, 1], at: [0, 0, -0.5], material: stone, fixed: true}\n"
    "  - {wall: {courses: 6, bricks: 8, brick: [0.5, 0.25, 0.2]}, material: stone}\n";

static bool names(const char *fault, const char *words)
{
  return fault != NULL && strstr(fault, words) != NULL;
}

// Sets a field, expects a fault that names the words, and puts the field back.
#define DAMAGE(field, value, fault, words)    \
  do {                                        \
    const __typeof__(field) whole_ = (field); \
    (field) = (value);                        \
    CHECK(names((fault), (words)));           \
    (field) = whole_;                         \
    CHECK((fault) == NULL);                   \
  } while (0)

static void damage_bodies(World *world)
{
  Bodies *b = &world->bodies;
  const int materials = world->c->material_count, shapes = world->shapes.count;
#define FAULT bodies_fault(b, materials, shapes)
  if (!CHECK(b->table.owned > 2) || !CHECK(FAULT == NULL)) return;
  DAMAGE(b->table.owned, b->table.count + 1, FAULT, "in this order");
  DAMAGE(b->table.capacity, b->table.count - 1, FAULT, "in this order");
  DAMAGE(b->id[1], b->id[0], FAULT, "ids of own bodies");
  DAMAGE(b->position[1].y, NAN, FAULT, "position");
  DAMAGE(b->orientation[1].w, 2, FAULT, "orientation");
  DAMAGE(b->orientation[1].x, NAN, FAULT, "orientation");
  DAMAGE(b->velocity[1].x, INFINITY, FAULT, "velocity");
  DAMAGE(b->spin[1].z, NAN, FAULT, "spin");
  DAMAGE(b->angular[1].z, -INFINITY, FAULT, "angular");
  DAMAGE(b->drive[1], 3, FAULT, "driven");
  DAMAGE(b->drive[1], -1, FAULT, "driven");
  DAMAGE(b->mass[1], 0, FAULT, "mass");
  DAMAGE(b->mass[1], NAN, FAULT, "mass");
  DAMAGE(b->material[1], materials, FAULT, "material");
  DAMAGE(b->material[1], -1, FAULT, "material");
  DAMAGE(b->shape[1], shapes, FAULT, "shape");
  b->kind = memory_allocate_zero((size_t)b->table.count, sizeof *b->kind);
  CHECK(FAULT == NULL);
  DAMAGE(b->kind[1], 100, FAULT, "no known kind");
  DAMAGE(b->kind[1], -1, FAULT, "no known kind");
  memory_free(b->kind);
  b->kind = NULL;
  const int ghost = b->table.owned;
  if (ghost + 1 < b->table.count) DAMAGE(b->id[ghost + 1], b->id[ghost], FAULT, "ids of ghosts");
  if (ghost + 1 == b->table.count) DAMAGE(b->id[ghost], b->id[0], FAULT, "an own body, too");
#undef FAULT
}

static void damage_contacts(World *world)
{
  Contacts *c = &world->contacts;
#define FAULT contacts_fault(c)
  if (!CHECK(c->table.owned > 2) || !CHECK(FAULT == NULL)) return;
  DAMAGE(c->table.owned, -1, FAULT, "in this order");
  DAMAGE(c->features[1], c->features[0], FAULT, "");
  DAMAGE(c->bodies[1].low, c->bodies[1].high, FAULT, "");
  DAMAGE(c->bodies[0].low, c->bodies[0].high, FAULT, "lower body");
  DAMAGE(c->normal[1].x, 3, FAULT, "normal");
  DAMAGE(c->reaction[1].x, NAN, FAULT, "reaction");
  DAMAGE(c->anchor[1].y, NAN, FAULT, "anchor");
  DAMAGE(c->point[1].y, NAN, FAULT, "place");
  DAMAGE(c->gap[1], NAN, FAULT, "gap");
  DAMAGE(c->area[1], -1, FAULT, "area");
  DAMAGE(c->bond[1], 7, FAULT, "bond");
  if (c->bond[1] == BOND_WHOLE) {
    DAMAGE(c->anchor_high[1].y, NAN, FAULT, "anchor");
    DAMAGE(c->mortar[1].y, NAN, FAULT, "mortar");
    const vec3 reaction = c->reaction[1];
    c->reaction[1].x = -1;
    DAMAGE(c->bond[1], BOND_NONE, FAULT, "pulls");
    c->reaction[1] = reaction;
  }
#undef FAULT
#define FAULT contact_bodies_fault(c, &world->bodies, &world->shapes)
  CHECK(FAULT == NULL);
  DAMAGE(c->bodies[1].high, 1000000, FAULT, "not known");
  DAMAGE(c->parts[1].low, 5, FAULT, "part");
  int32_t *drive = world->bodies.drive;
  const int low = bodies_find(&world->bodies, c->bodies[0].low),
            high = bodies_find(&world->bodies, c->bodies[0].high);
  const int32_t drives[2] = {drive[low], drive[high]};
  drive[low] = DRIVE_FIXED;
  CHECK(high < world->bodies.table.owned || names(FAULT, "another rank's"));
  drive[high] = DRIVE_FIXED;
  CHECK(names(FAULT, "no dynamic body"));
  drive[low] = drives[0];
  drive[high] = drives[1];
  CHECK(FAULT == NULL);
  if (c->table.count > c->table.owned)
    DAMAGE(c->table.owned, c->table.owned + 1, FAULT, "an own contact's pair");
#undef FAULT
}

static void damage_graph(World *world)
{
  ContactGraph *g = &world->graph.graph;
  Arena *arena = &world->scratch;
#define FAULT graph_fault(g, &(GraphSource){&world->bodies, NULL, &world->contacts, NULL, 0}, arena)
  if (!CHECK(g->pair_count > 2) || !CHECK(FAULT == NULL)) return;
  DAMAGE(g->own_rows, g->own_rows - 1, FAULT, "other rows");
  DAMAGE(g->point_count, world->contacts.table.count + 1, FAULT, "more points");
  DAMAGE(g->pairs[1].end, g->pairs[1].first, FAULT, "no points");
  DAMAGE(g->pairs[1].low, -1, FAULT, "no row");
  DAMAGE(g->pairs[1].low, g->pairs[1].high, FAULT, "other bodies");
  DAMAGE(g->contacts[1], -1, FAULT, "no row");
  DAMAGE(g->contacts[1], g->contacts[0], FAULT, "");
  DAMAGE(g->pairs[1], g->pairs[0], FAULT, "");
  DAMAGE(g->owned[0], !g->owned[0], FAULT, "owner");
  DAMAGE(g->colour_start[0], 1, FAULT, "first colour");
  DAMAGE(g->colour_start[g->colour_count], g->pair_count - 1, FAULT, "last colour");
  const int body = g->own_rows - 1;
  if (g->body_start[body] < g->body_start[body + 1]) {
    int *entry = &g->body_pairs[g->body_start[body]];
    DAMAGE(*entry, 2 * g->pair_count, FAULT, "no pair");
    DAMAGE(*entry, *entry ^ 1, FAULT, "between other bodies");
  }
  // two colours run together have a body twice
  if (g->colour_count > 1) DAMAGE(g->colour_start[1], g->colour_start[2], FAULT, "");
#undef FAULT
}

static void damage_problem(Problem *p)
{
#define FAULT problem_fault(p)
  if (!CHECK(p->point_count > 2) || !CHECK(FAULT == NULL)) return;
  DAMAGE(p->levers[1].normal.x, 5, FAULT, "normal");
  DAMAGE(p->levers[1].tangent.x, 5, FAULT, "tangent");
  DAMAGE(p->levers[1].tangent, p->levers[1].normal, FAULT, "stand");
  DAMAGE(p->levers[1].low_arm.z, NAN, FAULT, "arm");
  DAMAGE(p->friction[1], -0.5, FAULT, "friction");
  DAMAGE(p->rho[1], NAN, FAULT, "rho");
  DAMAGE(p->offset[1], NAN, FAULT, "offset");
  DAMAGE(p->r[1].x, INFINITY, FAULT, "impulse");
  if (p->limits) {
    DAMAGE(p->limits[1].tension, -1, FAULT, "strength");
    DAMAGE(p->limits[1].push, NAN, FAULT, "strength");
    DAMAGE(p->limits[1].give[1], -1, FAULT, "compliance");
    DAMAGE(p->limits[1].along[0], NAN, FAULT, "offset");
  }
#undef FAULT
}

static bool looked;

static void look(void *context, Problem *problem, Velocities free)
{
  (void)free;
  World *world = context;
  if (world->step != 1) return;
  looked = true;
  damage_bodies(world);
  damage_contacts(world);
  damage_graph(world);
  damage_problem(problem);
}

// Ids that arrive where they should not are seen by the rank where they arrive.
static void damage_halo(World *world)
{
  const Box *boxes;
  arena_reset(&world->scratch);
  Halo halo = distribute_ghosts(world, &boxes);
  Arena *arena = &world->scratch;
  Bodies *b = &world->bodies;
  const int owned = b->table.owned, count = b->table.count;
  CHECK(halo_fault(&halo.plan, b->id, owned, count, arena) == NULL);
  CHECK(halo_ranks_fault(&halo, count - owned) == NULL);
  CHECK(halo_ranks_fault(&halo, count - owned + 1) != NULL);
  if (halo.ghost_count > 0)
    DAMAGE(halo.ghost_ranks[0], par_rank(), halo_ranks_fault(&halo, count - owned), "no other");
  if (par_size() == 1) return;

  // rank 0 sends another row than was agreed on
  const bool sends =
      par_rank() == 0 && halo.plan.neighbour_count > 0 && halo.plan.send_start[1] > 0;
  CHECK(par_any(sends));
  int *row = sends ? &halo.plan.send_rows[0] : NULL;
  if (sends) *row = *row == 0 ? 1 : *row - 1;
  CHECK(par_any(halo_fault(&halo.plan, b->id, owned, count, arena) != NULL));
  if (sends) *row = owned;
  CHECK(par_any(names(halo_fault(&halo.plan, b->id, owned, count, arena), "no own row")));
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const int64_t live = memory_live_bytes();
  char error[500];
  Case c;
  const CaseOptions options = {0};
  if (CHECK(case_parse((CaseFile){"wall.yaml", WALL, strlen(WALL)}, &options, &c,
                       (ErrorText){error, sizeof error})) &&
      CHECK(scene_prepare(&c) == NULL)) {
    World world;
    world_begin(&world, &c);
    distribute_start(&world);
    world.hook.call = look;
    world.hook.context = &world;
    CHECK(world_step(&world) == EXIT_DONE);
    CHECK(world_step(&world) == EXIT_DONE);
    CHECK(looked);
    damage_halo(&world);
    world_end(&world);
    case_destroy(&c);
  } else puts(error);
  CHECK(memory_live_bytes() == live);
  const int code = test_report_parallel();
  par_end();
  return code;
}
