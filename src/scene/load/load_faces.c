// Finds the faces of a shape that look one way or lie in a box.
#include "load_faces.h"

#include <assert.h>

#define ANGLE_ROUNDING 1e-12   // of a cosine: faces at the very angle count
#define PLACE_ROUNDING 1e-9    // of the extent of the shape: centroids on the box count

// Area and centroid of a plane polygon, by triangles about its first corner.
static LoadFace face_of(const vec3 *corners, int count)
{
  assert(count >= 3 && "a face has corners");
  const vec3 area = polyhedron_area_vector(corners, count);
  const double size = vec3_norm(area);
  vec3 moment = {0, 0, 0};   // from the first corner
  for (int i = 1; i + 1 < count; i++) {
    const vec3 a = vec3_sub(corners[i], corners[0]), b = vec3_sub(corners[i + 1], corners[0]);
    const double share = size > 0 ? vec3_dot(vec3_cross(a, b), area) / (2 * size * size) : 0;
    moment = vec3_axpy(share / 3, vec3_add(a, b), moment);
  }
  return (LoadFace){area, vec3_add(corners[0], moment), count, corners};
}

// Is a place of a body, body frame, in the box of a load? rounding: of places, m
static bool lies_in(const LoadFaces *chosen, const LoadBody *body, vec3 place, double rounding)
{
  assert(chosen->has_box && "there is a box");
  const vec3 q = vec3_add(body->start.centre, mat3_mul(body->start.turn, place));
  const vec3 room = {rounding, rounding, rounding};
  const vec3 low = vec3_sub(chosen->low, room), high = vec3_add(chosen->high, room);
  return q.x >= low.x && q.x <= high.x && q.y >= low.y && q.y <= high.y && q.z >= low.z &&
         q.z <= high.z;
}

static bool is_chosen(const LoadFaces *chosen, const LoadFace *face, const LoadBody *body,
                      double rounding)
{
  const double size = vec3_norm(face->area);
  if (!(size > 0)) return false;
  if (chosen->has_direction) {
    const vec3 normal = mat3_mul(body->start.turn, face->area);
    const double least = chosen->cosine - ANGLE_ROUNDING;
    if (!(vec3_dot(normal, chosen->direction) >= least * size)) return false;
  }
  if (chosen->has_box && !lies_in(chosen, body, face->centroid, rounding)) return false;
  return !body->mesh || !elastic_is_inner(body->mesh, body->shape, face->centroid);
}

// The faces of its cells that are chosen, of a piece of a body of a file: those of its shape may be
// cuts in part.
static int find_of_cells(const LoadFaces *chosen, const LoadBody *body, Arena *arena,
                         LoadFace **faces)
{
  const FiniteSurface *outer = body->mesh->outer;
  const FiniteMesh *cells = body->mesh->made;
  assert(cells != NULL && "cells are made before pressures act on them");
  *faces = arena_allocate(arena, ((size_t)outer->faces + 1) * sizeof **faces);
  const double rounding = PLACE_ROUNDING * body->shape->extent;
  int count = 0;
  for (int f = 0; f < outer->faces; f++) {
    const ArenaMark mark = arena_mark(arena);
    vec3 *corners = arena_allocate(arena, (size_t)outer->corners * sizeof *corners);
    for (int k = 0; k < outer->corners; k++)
      corners[k] = cells->place[outer->corner[outer->corners * f + k]];
    const LoadFace face = face_of(corners, outer->corners);
    if (is_chosen(chosen, &face, body, rounding)) (*faces)[count++] = face;
    else arena_release(arena, mark);
  }
  return count;
}

int load_faces_find(const LoadFaces *chosen, const LoadBody *body, Arena *arena, LoadFace **faces)
{
  assert(faces != NULL && body->shape != NULL && "faces of a shape");
  const Shape *shape = body->shape;
  if (body->mesh && body->mesh->outer) return find_of_cells(chosen, body, arena, faces);
  size_t room = shape->surface ? (size_t)shape->surface->triangle_count : 0;
  for (int p = 0; p < shape->part_count; p++) room += (size_t)shape->parts[p].facet_count;
  *faces = arena_allocate(arena, (room + 1) * sizeof **faces);
  const double rounding = PLACE_ROUNDING * shape->extent;
  int count = 0;
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    for (int f = 0; f < part->facet_count; f++) {
      const LoadFace face = face_of(part->facets[f].corners, part->facets[f].corner_count);
      if (is_chosen(chosen, &face, body, rounding)) (*faces)[count++] = face;
    }
  }
  for (int t = 0; shape->surface && t < shape->surface->triangle_count; t++) {
    const ArenaMark mark = arena_mark(arena);
    vec3 *corners = arena_allocate(arena, 3 * sizeof *corners);
    for (int k = 0; k < 3; k++)
      corners[k] = shape->surface->points[shape->surface->triangles[t][k]];
    const LoadFace face = face_of(corners, 3);
    if (is_chosen(chosen, &face, body, rounding)) (*faces)[count++] = face;
    else arena_release(arena, mark);
  }
  return count;
}
