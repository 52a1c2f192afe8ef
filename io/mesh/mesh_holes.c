// Finds the rims of an open surface and says where they are.
#include "mesh_holes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "mesh_union.h"

// Puts a hole where it belongs among the worst ones, behind those of as many edges.
static void keep_worst(MeshHoles *holes, MeshHole hole)
{
  const int known = holes->count < MESH_HOLES_TOLD ? holes->count : MESH_HOLES_TOLD;
  int place = known;
  while (place > 0 && holes->worst[place - 1].edges < hole.edges) place--;
  holes->count++;
  if (place == MESH_HOLES_TOLD) return;
  for (int i = known < MESH_HOLES_TOLD ? known : MESH_HOLES_TOLD - 1; i > place; i--)
    holes->worst[i] = holes->worst[i - 1];
  holes->worst[place] = hole;
}

MeshHoles mesh_holes_find(const Surface *surface, const VertexPlaces *vertices, Arena *scratch)
{
  assert((surface->mates != NULL || surface->count == 0) && "edges are joined");
  const ArenaMark mark = arena_mark(scratch);
  const size_t count = (size_t)vertices->count;
  int *parent = union_new(vertices->count, scratch);
  for (int e = 0; e < 3 * surface->count; e++)
    if (surface->mates[e] == EDGE_OPEN)
      union_join(parent, edge_start(surface, e), edge_end(surface, e));

  // sums over the ends of the edges of each rim, at its root
  int *edges = arena_allocate_zero(scratch, count, sizeof *edges);
  vec3 *sum = arena_allocate_zero(scratch, count, sizeof *sum);
  for (int e = 0; e < 3 * surface->count; e++) {
    if (surface->mates[e] != EDGE_OPEN) continue;
    const int a = edge_start(surface, e), b = edge_end(surface, e), root = union_root(parent, a);
    const vec3 ends =
        vec3_add(vertices->points[vertices->source[a]], vertices->points[vertices->source[b]]);
    sum[root] = vec3_add(sum[root], ends);
    edges[root]++;
  }
  MeshHoles holes = {0};
  for (int v = 0; v < vertices->count; v++)
    if (edges[v] > 0) keep_worst(&holes, (MeshHole){edges[v], vec3_scale(0.5 / edges[v], sum[v])});
  arena_release(scratch, mark);
  return holes;
}

void mesh_holes_text(const MeshHoles *holes, char *text, size_t bytes)
{
  assert(holes->count > 0 && bytes > 0 && "an open surface has a hole");
  size_t used = (size_t)snprintf(text, bytes, "%d hole%s", holes->count,
                                 holes->count == 1 ? "" : "s, the largest");
  for (int i = 0; i < holes->count && i < MESH_HOLES_TOLD && used < bytes; i++) {
    const MeshHole *hole = &holes->worst[i];
    const vec3 c = hole->centre;
    used +=
        (size_t)snprintf(text + used, bytes - used, "%s about (%.6g, %.6g, %.6g) with %d edge%s",
                         i > 0 ? "," : "", c.x, c.y, c.z, hole->edges, hole->edges == 1 ? "" : "s");
  }
}
