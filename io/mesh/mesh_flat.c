// Makes the faces of all bodies of a file flat, and gives neighbours the planes of their joints.
#include "mesh_flat.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "box.h"
#include "flat_places.h"
#include "mesh_body.h"

static double extent_of(const MeshBlock *body)
{
  return box_longest_side(box_of_points(body->points, body->point_count));
}

// How far points of a body may be from their planes. Dents of files of few digits are larger in
// bodies that are not convex, where they cost parts: there the digits may be those of a program
// before.
static FlatBody flat_body(const MeshBlock *body, double wanted, double step)
{
  FlatBody flat = {.point_count = body->point_count,
                   .points = body->points,
                   .triangle_count = body->triangle_count,
                   .triangles = (const int(*)[3])body->triangles,
                   .extent = extent_of(body)};
  if (wanted > 0) {
    flat.reach = flat.overlap = wanted * flat.extent;
    return flat;
  }
  flat.reach = fmin(MESH_STEPS * step, MESH_BLURRED * flat.extent);
  if (!body->convex) flat.reach = fmax(flat.reach, MESH_DIGITS * flat.extent);
  flat.overlap = MESH_OVERLAP * flat.extent;
  return flat;
}

MeshFlat mesh_flat_make(MeshBlock *const *bodies, int count, double wanted, double step,
                        Arena *scratch)
{
  assert(count >= 0 && step >= 0 && "bodies are counted");
  MeshFlat done = {.asked = mesh_flat_is_asked(wanted, step), .step = step};
  if (!done.asked) return done;
  FlatBody *flat = arena_allocate(scratch, (size_t)count * sizeof *flat);
  MeshBlock **movable = arena_allocate(scratch, (size_t)count * sizeof *movable);
  int movable_count = 0;
  for (int i = 0; i < count; i++) {
    if (bodies[i]->tetra_count > 0 || bodies[i]->repairs.split_points > 0) continue;
    flat[movable_count] = flat_body(bodies[i], wanted, step);
    movable[movable_count++] = bodies[i];
  }
  const FlatPlaces places = flat_places_find(flat, movable_count, scratch);
  done.joints = places.joints;
  done.widest = places.widest;
  done.deepest = places.deepest;
  for (int i = 0; i < movable_count; i++) {
    const FlatMove *move = &places.moves[i];
    if (move->moved == 0) continue;
    const ArenaMark mark = arena_mark(scratch);
    const bool moved = mesh_body_move(movable[i], move->points, scratch);
    arena_release(scratch, mark);
    if (!moved) continue;
    movable[i]->repairs.moved_points = move->moved;
    movable[i]->repairs.farthest = move->farthest;
    done.moved_points += move->moved;
    done.moved_bodies++;
    done.farthest = fmax(done.farthest, move->farthest);
  }
  return done;
}

bool mesh_flat_is_asked(double wanted, double step)
{
  return wanted > 0 || (wanted == 0 && step > 0);
}

void mesh_flat_text(MeshFlat flat, char *text, size_t bytes)
{
  assert(bytes >= 1 && "a text has room");
  *text = 0;
  if (flat.moved_points == 0) return;
  snprintf(
      text, bytes,
      "%d %s of %d %s moved into the planes of faces, by at most %.2g m; neighbours share %d %s",
      flat.moved_points, flat.moved_points == 1 ? "point" : "points", flat.moved_bodies,
      flat.moved_bodies == 1 ? "body" : "bodies", flat.farthest, flat.joints,
      flat.joints == 1 ? "plane" : "planes");
  const size_t used = strlen(text);
  if (used < bytes && (flat.widest > 0 || flat.deepest > 0))
    snprintf(text + used, bytes - used, " (gaps up to %.2g m, overlaps up to %.2g m were closed)",
             flat.widest, flat.deepest);
}
