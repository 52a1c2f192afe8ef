// Keeps reference data of bodies that deform by shape and material.
#include "elastic.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "finite_jacobian.h"
#include "hexahedron.h"
#include "memory.h"
#include "trig.h"

struct ElasticEntry {
  int material;
  Affine affine;
  bool is_affine;
  ElasticFinite finite;   // body NULL: not asked for yet
  ElasticEntry *next;     // of the same shape
};

ElasticSet elastic_new(const ElasticSet *like)
{
  assert(like->shapes != NULL && like->step > 0 && "a set has shapes and a step");
  ElasticSet set = *like;
  const size_t shapes = (size_t)set.shapes->count + 1;
  set.arena = arena_new();
  set.of_shape = arena_allocate_zero(&set.arena, shapes, sizeof(ElasticEntry *));
  set.mesh_of = arena_allocate_zero(&set.arena, shapes, sizeof(FiniteShape *));
  return set;
}

void elastic_destroy(ElasticSet *set)
{
  for (int s = 0; set->of_shape && s < set->shapes->count; s++) {
    for (ElasticEntry *entry = set->of_shape[s]; entry; entry = entry->next) {
      finite_body_destroy(entry->finite.body);
      finite_response_destroy(&entry->finite.response);
    }
    finite_shape_destroy(set->mesh_of[s]);
  }
  arena_destroy(&set->arena);
  set->of_shape = NULL;
  set->mesh_of = NULL;
}

static ElasticEntry *find_entry(ElasticSet *set, int shape, int material)
{
  assert(shape >= 0 && shape < set->shapes->count && material >= 0 && "a shape of a material");
  for (ElasticEntry *entry = set->of_shape[shape]; entry; entry = entry->next)
    if (entry->material == material) return entry;
  ElasticEntry *entry = arena_allocate_zero(&set->arena, 1, sizeof *entry);
  entry->material = material;
  entry->next = set->of_shape[shape];
  set->of_shape[shape] = entry;
  return entry;
}

const Affine *elastic_affine(ElasticSet *set, int shape, int material)
{
  ElasticEntry *entry = find_entry(set, shape, material);
  if (entry->is_affine) return &entry->affine;
  const Shape *reference = shape_set_get(set->shapes, shape);
  const double density = set->densities[material];
  entry->affine = affine_new(&(AffineInput){.mass = density * reference->volume,
                                            .volume = reference->volume,
                                            .inertia = mat3_scale(density, reference->inertia),
                                            .law = set->laws[material],
                                            .step = set->step,
                                            .high_frequency_ratio = set->high_frequency_ratio});
  entry->is_affine = true;
  return &entry->affine;
}

// ------------------------------------------------------------------------------------------------
// Finite elements.

int elastic_nodes(const ElasticMesh *mesh)
{
  assert(elastic_mesh_is(mesh) && "a mesh with cells");
  if (mesh->made) return mesh->made->nodes;
  assert(mesh->cells[0] > 0 && mesh->cells[1] > 0 && mesh->cells[2] > 0 &&
         "cells that are counted");
  return (mesh->cells[0] + 1) * (mesh->cells[1] + 1) * (mesh->cells[2] + 1);
}

void elastic_held(const ElasticMesh *mesh, bool *held)
{
  assert(held != NULL && "every node is held or not");
  for (int n = 0; n < elastic_nodes(mesh); n++) {
    int rest = n;   // the number of a node runs fastest along the first axis
    held[n] = false;
    for (int a = 0; a < 3; a++) {
      const int at = rest % (mesh->cells[a] + 1);
      rest /= mesh->cells[a] + 1;
      if (at == 0 && mesh->held >> (2 * a) & 1) held[n] = true;
      if (at == mesh->cells[a] && mesh->held >> (2 * a + 1) & 1) held[n] = true;
    }
  }
}

bool elastic_is_inner(const ElasticMesh *mesh, const Shape *shape, vec3 middle)
{
  assert(mesh->inner == 0 || mesh->cells[0] > 0);
  if (mesh->inner == 0) return false;
  vec3 corner[FINITE_HEXAHEDRON];
  const bool found = hexahedron_corners(&shape->parts[0].hull, corner);
  assert(found && "a block has six sides");
  (void)found;
  double nearest = INFINITY;
  int side = 0;
  for (int s = 0; s < 6; s++) {
    double at[3] = {0, 0, 0};
    at[s / 2] = s % 2 ? 1 : -1;
    const vec3 place = finite_mesh_place(corner, (vec3){at[0], at[1], at[2]});
    const double far = vec3_norm(vec3_sub(place, middle));
    if (far >= nearest) continue;
    nearest = far;
    side = s;
  }
  return mesh->inner >> side & 1;
}

const char *elastic_mesh_fault(const Shape *shape, const ElasticMesh *mesh)
{
  assert(elastic_mesh_is(mesh) && "a mesh is asked for");
  vec3 corner[FINITE_HEXAHEDRON];
  const bool divided = mesh->cells[0] > 0;
  if (shape->sphere_radius > 0 || shape->radii.x > 0) return "a round body has no sides";
  if (shape->surface) return "a body that is a surface has no convex part";
  if (divided && shape->part_count != 1) return "a body of several parts has no six sides";
  if (divided && !hexahedron_corners(&shape->parts[0].hull, corner))
    return "it has no six sides of four corners each";
  return NULL;
}

// Cells of TetGen have in the mean 0.4 of the largest volume that it is asked for
// (elastic_cells.c).
bool elastic_size_fits(const Shape *shape, double size, ErrorText reason)
{
  assert(size > 0 && reason.bytes > 0 && "edges have a length, a reason has room");
  const double count = 11 * (shape->volume / size / size / size);
  if (count <= ELASTIC_MOST_TETRAHEDRA) return true;
  const double larger = trig_exp(trig_log(count / ELASTIC_MOST_TETRAHEDRA) / 3);
  snprintf(
      reason.text, reason.bytes,
      "about %.3g cells of %.3g m in %.3g m3, and a body has %d at most: sizes from %.3g m on do",
      count, size, shape->volume, ELASTIC_MOST_TETRAHEDRA, 1.01 * size * larger);
  return false;
}

// Has a cell volume at all of its places? Its corners are known to be sound.
static bool has_volume(const FiniteMesh *mesh, int cell)
{
  if (mesh->corners == FINITE_TETRAHEDRON) return true;
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = mesh->place[mesh->corner[(size_t)cell * FINITE_HEXAHEDRON + (size_t)c]];
  return finite_jacobian_is_positive(corner);
}

bool elastic_mesh_fits(const FiniteMesh *mesh, const Shape *shape, double bulge, ErrorText reason)
{
  assert(mesh->cells > 0 && shape->volume > 0 && !(bulge < 0) && "cells in a shape");
  double volume = 0;
  for (int c = 0; c < mesh->cells; c++) {
    const double quality = finite_mesh_quality(mesh, c);
    const vec3 at = mesh->place[mesh->corner[(size_t)mesh->corners * (size_t)c]];
    volume += finite_mesh_volume(mesh, c);
    if (quality >= ELASTIC_FLAT && has_volume(mesh, c)) continue;
    snprintf(reason.text, reason.bytes,
             "cell %d, at (%.6g, %.6g, %.6g) from the centre of mass, is %s: its quality is %.3g",
             c, at.x, at.y, at.z,
             quality >= ELASTIC_FLAT ? "turned inside out between its corners"
             : quality > 0           ? "flat"
                                     : "turned inside out",
             quality);
    return false;
  }
  if (fabs(volume - shape->volume) <= ELASTIC_VOLUME * shape->volume + bulge) return true;
  snprintf(reason.text, reason.bytes, "its %d cells fill %.9g m3 and the body has %.9g m3",
           mesh->cells, volume, shape->volume);
  return false;
}

FiniteMesh elastic_mesh(const Shape *shape, const ElasticMesh *mesh)
{
  assert(elastic_mesh_is(mesh) && "a shape with a mesh");
  if (mesh->made) return finite_mesh_copy(mesh->made, (vec3){0, 0, 0});
  vec3 corner[FINITE_HEXAHEDRON];
  const bool found = hexahedron_corners(&shape->parts[0].hull, corner);
  assert(found && "its cells were checked");
  return finite_mesh_hexahedra(corner, mesh->cells);
}

static const FiniteShape *shape_of(ElasticSet *set, int shape)
{
  assert(shape >= 0 && shape < set->shapes->count && set->meshes && "a shape with a mesh");
  if (set->mesh_of[shape]) return set->mesh_of[shape];
  const Shape *reference = shape_set_get(set->shapes, shape);
  const ElasticMesh *mesh = &set->meshes[shape];
  FiniteShape *made = finite_shape_new(elastic_mesh(reference, mesh));
  if (mesh->inner) finite_shape_cut_sides(made, mesh->cells, mesh->inner);
  if (mesh->outer) finite_shape_cut_beside(made, mesh->outer);
  set->mesh_of[shape] = made;
  return made;
}

const ElasticFinite *elastic_finite(ElasticSet *set, int shape, int material)
{
  ElasticEntry *entry = find_entry(set, shape, material);
  ElasticFinite *finite = &entry->finite;
  if (finite->body) return finite;
  const Shape *reference = shape_set_get(set->shapes, shape);
  const double density = set->densities[material];
  finite->shape = shape_of(set, shape);
  const ElasticMesh *mesh = &set->meshes[shape];
  const size_t nodes = (size_t)elastic_nodes(mesh);
  const ArenaMark mark = arena_mark(&set->arena);
  bool *held = arena_allocate(&set->arena, nodes * sizeof *held);
  elastic_held(mesh, held);
  const FiniteInput input = {.moments = {.mass = density * reference->volume,
                                         .inertia = mat3_scale(density, reference->inertia)},
                             .law = set->laws[material],
                             .step = set->step,
                             .high_frequency_ratio = set->high_frequency_ratio,
                             .held = mesh->held ? held : NULL};
  int bad = 0;
  finite->body = finite_body_new(&finite->shape->mesh, &input, &bad);
  assert(finite->body != NULL && "convex cells have volume");
  arena_release(&set->arena, mark);
  finite->response = finite_response_new(finite->body, &finite->shape->surface);
  finite->load = arena_allocate(&set->arena, nodes * sizeof *finite->load);
  finite->rate = arena_allocate(&set->arena, nodes * sizeof *finite->rate);
  return finite;
}
