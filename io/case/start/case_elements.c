// Counts bodies of finite elements and measures each of their meshes once.
#include "case_elements.h"

#include <assert.h>
#include <math.h>

#include "elastic.h"
#include "kind.h"
#include "scene.h"

#define NONE (-1)

typedef struct {
  const Case *c;
  int *last;     // [shapes] the newest row of a shape, or NONE
  int *before;   // [rows] the one before it
  ElementReport report;
} Elements;

// The row of a shape and a material, made where there is none.
static ElementShape *row_of(Elements *all, const BodyGroup *group, int shape)
{
  ElementReport *report = &all->report;
  assert(shape >= 0 && shape < all->c->shape_count && "a shape of the case");
  for (int i = all->last[shape]; i != NONE; i = all->before[i])
    if (report->shapes[i].material == group->material) return &report->shapes[i];
  const int row = report->count++;
  all->before[row] = all->last[shape];
  all->last[shape] = row;
  report->shapes[row] = (ElementShape){.group = group, .shape = shape, .material = group->material};
  return &report->shapes[row];
}

static void count_bodies(Elements *all, const BodyGroup *group, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  int64_t *count = arena_allocate_zero(arena, (size_t)group->shape_count + 1, sizeof *count);
  for (uint64_t i = 0; i < group->body_count; i++) {
    const BodyRecipe body = scene_body(all->c, group->first_id + i);
    const bool has = body.kind == KIND_FINITE || body.kind == KIND_FOUNDATION;
    if (has) count[body.shape - group->first_shape]++;
  }
  for (int s = 0; s < group->shape_count; s++)
    if (count[s] > 0) row_of(all, group, group->first_shape + s)->bodies += count[s];
  arena_release(arena, mark);
}

// nodes_left: for frequencies
static void measure(const Case *c, ShapeSet *shapes, int *nodes_left, ElementShape *of)
{
  const Material *material = &c->materials[of->material];
  const Shape *shape = shape_set_get(shapes, of->shape);
  FiniteMesh mesh = elastic_mesh(shape, &c->elastic_meshes[of->shape]);
  const FiniteMoments moments = {.mass = material->density * shape->volume,
                                 .inertia = mat3_scale(material->density, shape->inertia)};
  const bool modes = mesh.nodes <= *nodes_left;
  if (modes) *nodes_left -= mesh.nodes;
  of->measure = finite_measure(&mesh, &moments, modes ? &material->elastic : NULL);
  of->extent = shape->extent;
  of->crossings =
      sqrt(affine_stiffness_ratio(&material->elastic, material->density, shape->extent, c->step));
  finite_mesh_destroy(&mesh);
}

ElementReport case_elements_look(const Case *c, Arena *arena)
{
  assert(c->densities != NULL && "the case was prepared");
  Elements all = {.c = c};
  if (!c->elastic_meshes) return all.report;
  size_t rows = 1;
  for (int i = 0; i < c->group_count; i++) rows += (size_t)c->groups[i].shape_count;
  const size_t shapes = (size_t)c->shape_count + 1;
  all.report.shapes = arena_allocate(arena, rows * sizeof *all.report.shapes);
  all.before = arena_allocate(arena, rows * sizeof *all.before);
  all.last = arena_allocate(arena, shapes * sizeof *all.last);
  for (size_t s = 0; s < shapes; s++) all.last[s] = NONE;
  for (int i = 0; i < c->group_count; i++)
    if (elastic_mesh_is(&c->groups[i].finite)) count_bodies(&all, &c->groups[i], arena);

  ShapeSet built = shape_set_new(c->shapes, c->shape_count);
  ElementReport *report = &all.report;
  int nodes_left = CASE_ELEMENTS_NODES;
  for (int i = 0; i < report->count; i++) {
    ElementShape *of = &report->shapes[i];
    measure(c, &built, &nodes_left, of);
    report->bodies += of->bodies;
    report->nodes += of->bodies * of->measure.nodes;
    report->cells += of->bodies * of->measure.cells;
    if (of->measure.quality < report->shapes[report->worst].measure.quality) report->worst = i;
  }
  shape_set_destroy(&built);
  return *report;
}
