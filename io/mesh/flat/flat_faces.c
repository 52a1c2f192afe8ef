// Lists the flat faces of bodies with their corners, areas and boxes.
#include "flat_faces.h"

#include <assert.h>
#include <string.h>

#include "flatten.h"

#define APART 1e-9   // of the extent: corners this near a plane lie in it, whatever the digits are

// Regions of one body, about the middle of which planes are best known.
static FlatRegions regions_of(const FlatBody *body, Arena *scratch)
{
  const Box box = box_of_points(body->points, body->point_count);
  const vec3 middle = vec3_scale(0.5, vec3_add(box.low, box.high));
  vec3 *local = arena_allocate(scratch, (size_t)body->point_count * sizeof *local);
  for (int i = 0; i < body->point_count; i++) local[i] = vec3_sub(body->points[i], middle);
  const FlatSurface surface = {body->point_count, local, body->triangle_count, body->triangles};
  const FlatRegions regions = flatten_regions(&surface, body->reach, scratch);
  if (4 * (int64_t)regions.count <= 3 * (int64_t)body->triangle_count) return regions;
  return flatten_regions(&surface, fmin(body->reach, APART * body->extent), scratch);
}

static void measure(const FlatBody *body, const int *triangles, FlatFace *face)
{
  vec3 sum = {0, 0, 0};
  double weight = 0;
  const vec3 origin = body->points[body->triangles[triangles[0]][0]];
  face->box = (Box){origin, origin};
  face->area = (vec3){0, 0, 0};
  for (int i = 0; i < face->triangle_count; i++) {
    const int *v = body->triangles[triangles[i]];
    vec3 arm[3];
    for (int k = 0; k < 3; k++) {
      const vec3 p = body->points[v[k]];
      arm[k] = vec3_sub(p, origin);
      face->box = (Box){vec3_min(face->box.low, p), vec3_max(face->box.high, p)};
    }
    const vec3 own =
        vec3_scale(0.5, vec3_cross(vec3_sub(arm[1], arm[0]), vec3_sub(arm[2], arm[0])));
    const double area = vec3_norm(own);
    face->area = vec3_add(face->area, own);
    sum = vec3_axpy(area / 3, vec3_add(arm[0], vec3_add(arm[1], arm[2])), sum);
    weight += area;
  }
  face->middle = weight > 0 ? vec3_axpy(1 / weight, sum, origin) : origin;
}

// Triangles by face, corners of a face once: seen[point] is the last face that had it, counted from
// 1.
static void list_faces(FlatFaces *all, int body, const FlatRegions *regions, int *at, int *seen)
{
  const FlatBody *b = &all->bodies[body];
  const int first = all->count;
  for (int g = 0; g < regions->count; g++) all->faces[first + g] = (FlatFace){.body = body};
  for (int t = 0; t < b->triangle_count; t++)
    if (regions->region[t] >= 0) all->faces[first + regions->region[t]].triangle_count++;
  for (int g = 0; g < regions->count; g++) {
    FlatFace *face = &all->faces[first + g];
    face->first_triangle = at[0];
    at[0] += face->triangle_count;
    face->triangle_count = 0;
  }
  for (int t = 0; t < b->triangle_count; t++) {
    if (regions->region[t] < 0) continue;
    FlatFace *face = &all->faces[first + regions->region[t]];
    all->triangles[face->first_triangle + face->triangle_count++] = t;
  }
  memset(seen, 0, (size_t)b->point_count * sizeof *seen);
  for (int g = 0; g < regions->count; g++) {
    FlatFace *face = &all->faces[first + g];
    face->first_corner = at[1];
    for (int i = 0; i < 3 * face->triangle_count; i++) {
      const int point = b->triangles[all->triangles[face->first_triangle + i / 3]][i % 3];
      if (seen[point] == g + 1) continue;
      seen[point] = g + 1;
      all->corners[at[1]++] = point;
    }
    face->corner_count = at[1] - face->first_corner;
    measure(b, all->triangles + face->first_triangle, face);
  }
  all->count += regions->count;
}

FlatFaces flat_faces_find(const FlatBody *bodies, int count, Arena *arena)
{
  assert(count >= 0 && "bodies are counted");
  size_t triangles = 0, most_points = 0;
  for (int b = 0; b < count; b++) {
    triangles += (size_t)bodies[b].triangle_count;
    if ((size_t)bodies[b].point_count > most_points) most_points = (size_t)bodies[b].point_count;
  }
  FlatFaces all = {.bodies = bodies, .body_count = count};
  all.faces = arena_allocate(arena, triangles * sizeof *all.faces);
  all.triangles = arena_allocate(arena, triangles * sizeof *all.triangles);
  all.corners = arena_allocate(arena, 3 * triangles * sizeof *all.corners);
  all.first_of_body = arena_allocate(arena, ((size_t)count + 1) * sizeof *all.first_of_body);
  int *seen = arena_allocate(arena, most_points * sizeof *seen), at[2] = {0, 0};
  for (int b = 0; b < count; b++) {
    all.first_of_body[b] = all.count;
    const ArenaMark mark = arena_mark(arena);
    const FlatRegions regions = regions_of(&bodies[b], arena);
    list_faces(&all, b, &regions, at, seen);
    arena_release(arena, mark);
  }
  all.first_of_body[count] = all.count;
  return all;
}

FlatPlane flat_faces_plane(const FlatFace *face)
{
  const double area = vec3_norm(face->area);
  assert(area > 0 && "a face has an area");
  return (FlatPlane){vec3_scale(1 / area, face->area), face->middle};
}
