// Checks that tetrahedra fill the whole mesh block and nothing else.
#include "tetra_check.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_sum.h"
#include "tetra_faces.h"

typedef struct {
  int corner[3];   // the lowest first, in the order of the loop
} Loop;

static Loop loop_of(const int corner[3])
{
  int first = 0;
  for (int k = 1; k < 3; k++) {
    if (corner[k] < corner[first]) first = k;
  }
  return (Loop){{corner[first], corner[(first + 1) % 3], corner[(first + 2) % 3]}};
}

static int compare_loops(const void *p, const void *q)
{
  const Loop *a = p, *b = q;
  for (int k = 0; k < 3; k++) {
    if (a->corner[k] != b->corner[k]) return a->corner[k] < b->corner[k] ? -1 : 1;
  }
  return 0;
}

static bool outer_faces_match(const MeshBlock *mesh_block, const TetraFaces *faces, Arena *scratch)
{
  assert(mesh_block->triangle_count > 0 && "a mesh block has a surface");
  const size_t count = (size_t)mesh_block->triangle_count;
  Loop *wanted = arena_allocate(scratch, count * sizeof *wanted);
  Loop *found = arena_allocate(scratch, (size_t)faces->count * sizeof *found);
  size_t found_count = 0;
  for (size_t t = 0; t < count; t++) wanted[t] = loop_of(mesh_block->triangles[t]);
  for (int f = 0; f < faces->count; f++) {
    if (faces->faces[f].tetra[1] < 0) found[found_count++] = loop_of(faces->faces[f].corner);
  }
  if (found_count != count) return false;
  qsort(wanted, count, sizeof *wanted, compare_loops);
  qsort(found, count, sizeof *found, compare_loops);
  return memcmp(wanted, found, count * sizeof *wanted) == 0;
}

// Indices, volumes and their sum; turns tetrahedra of negative volume round.
static bool volumes_fit(const MeshBlock *mesh_block, const Tetrahedra *filling, int (*tetra)[4],
                        char *reason, size_t bytes)
{
  assert(mesh_block->volume > 0 && "a mesh block has a volume");
  if (filling->tetra_count <= 0) {
    snprintf(reason, bytes, "there are no tetrahedra");
    return false;
  }
  ExactSum sum = exact_sum_new();
  for (int t = 0; t < filling->tetra_count; t++) {
    for (int k = 0; k < 4; k++) {
      if (tetra[t][k] >= 0 && tetra[t][k] < filling->point_count) continue;
      snprintf(reason, bytes, "number %d names point %d of %d", t, tetra[t][k],
               filling->point_count);
      return false;
    }
    double sixfold = tetra_sixfold_volume(filling, t);
    if (sixfold < 0) {
      const int held = tetra[t][2];
      tetra[t][2] = tetra[t][3];
      tetra[t][3] = held;
      sixfold = tetra_sixfold_volume(filling, t);
    }
    if (!(sixfold > 0)) {
      snprintf(reason, bytes, "number %d has no volume", t);
      return false;
    }
    exact_sum_add(&sum, sixfold);
  }
  const double volume = exact_sum_value(&sum) / 6;
  if (!(fabs(volume - mesh_block->volume) <= TETRA_VOLUME * mesh_block->volume)) {
    snprintf(reason, bytes, "their volume is %.15g m3 instead of %.15g m3", volume,
             mesh_block->volume);
    return false;
  }
  return true;
}

static bool check_block(const MeshBlock *mesh_block, const Tetrahedra *filling, int (*tetra)[4],
                        bool split, char *reason, size_t bytes)
{
  assert((tetra != NULL || filling->tetra_count <= 0) && "tetrahedra can be turned");
  assert(reason != NULL && bytes > 0 && "a phrase has room");
  if (!volumes_fit(mesh_block, filling, tetra, reason, bytes)) return false;
  Arena scratch = arena_new();
  TetraFaces faces;
  const bool sound = tetra_find_faces(filling, &scratch, &faces);
  const bool match = sound && (split || outer_faces_match(mesh_block, &faces, &scratch));
  if (!sound) snprintf(reason, bytes, "they do not meet face to face");
  else if (!match) snprintf(reason, bytes, "their surface is not that of the block");
  arena_destroy(&scratch);
  return match;
}

bool tetra_check_block(const MeshBlock *mesh_block, const Tetrahedra *filling, int (*tetra)[4],
                       char *reason, size_t bytes)
{
  assert(filling->point_count >= mesh_block->point_count &&
         "a filling begins with the points of its block");
  return check_block(mesh_block, filling, tetra, false, reason, bytes);
}

bool tetra_check_split_block(const MeshBlock *mesh_block, const Tetrahedra *filling,
                             int (*tetra)[4], char *reason, size_t bytes)
{
  assert(filling->point_count >= mesh_block->point_count &&
         "a filling begins with the points of its block");
  return check_block(mesh_block, filling, tetra, true, reason, bytes);
}
