// Writes the phrase that tells what was mended in a mesh.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "mesh_block.h"

// A list of phrases with commas between them, shortened where it does not fit.
typedef struct {
  char *text;
  size_t bytes, used;
} Phrases;

static void add_phrase(Phrases *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_phrase(Phrases *p, const char *format, ...)
{
  assert(p->used < p->bytes && "a text has room for its end");
  if (p->used > 0) p->used += (size_t)snprintf(p->text + p->used, p->bytes - p->used, ", ");
  if (p->used >= p->bytes) p->used = p->bytes - 1;
  va_list arguments;
  va_start(arguments, format);
  p->used += (size_t)vsnprintf(p->text + p->used, p->bytes - p->used, format, arguments);
  va_end(arguments);
  if (p->used >= p->bytes) p->used = p->bytes - 1;
}

static void add_count(Phrases *p, int count, const char *one, const char *many)
{
  if (count > 0) add_phrase(p, "%d %s", count, count == 1 ? one : many);
}

void mesh_repairs_text(MeshRepairs r, char *text, size_t bytes)
{
  assert(text != NULL && bytes >= 1 && "a text has room");
  Phrases p = {text, bytes, 0};
  *text = 0;
  add_count(&p, r.merged_points, "point merged with another one", "points merged with others");
  add_count(&p, r.split_points, "point split where faces met in a point alone",
            "points split where faces met in a point alone");
  add_count(&p, r.dropped_faces, "face dropped (without area, or repeated)",
            "faces dropped (without area, or repeated)");
  add_count(&p, r.turned_faces, "face turned", "faces turned");
  add_count(&p, r.turned_tetra, "tetrahedron turned", "tetrahedra turned");
  add_count(&p, r.turned_hexa, "hexahedron turned", "hexahedra turned");
  if (r.inside_out) add_phrase(&p, "the whole body turned, which was inside out");
  add_count(&p, r.split_faces, "polygon that is not flat taken as triangles",
            "polygons that are not flat taken as triangles");
  if (r.hulled) add_phrase(&p, "the surface is open or crosses itself, and this is its hull");
  if (r.moved_points > 0)
    add_phrase(&p, "%d %s moved into the planes of faces, by at most %.2g m", r.moved_points,
               r.moved_points == 1 ? "point" : "points", r.farthest);
}
