// drystone mesh: reads a mesh as a case would, says which bodies are in it, what was mended, and
// how they are cut into convex parts. Rank 0 does the work.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "command.h"
#include "command_json.h"
#include "mesh_load.h"
#include "parallel.h"

#define SMALLEST_SCALE 1e-9
#define LARGEST_SCALE 1e9

typedef struct {
  const char *path;
  MeshFrame frame;
  bool json;
} MeshOptions;

static bool parse_scale(const char *word, double *scale)
{
  char *end;
  *scale = strtod(word, &end);
  const bool sound =
      end != word && *end == 0 && *scale >= SMALLEST_SCALE && *scale <= LARGEST_SCALE;
  return all_ok(sound, "option --scale: expected a number from %g to %g, found '%s'",
                SMALLEST_SCALE, LARGEST_SCALE, word);
}

static bool parse_up(const char *word, int *up)
{
  *up = strcmp(word, "x") == 0 ? 0 : strcmp(word, "y") == 0 ? 1 : 2;
  return all_ok(*up < 2 || strcmp(word, "z") == 0, "option --up: expected x, y or z, found '%s'",
                word);
}

static bool parse_words(int count, char **words, MeshOptions *o)
{
  *o = (MeshOptions){.frame = {.scale = 1, .up = 2}};
  for (int i = 0; i < count; i++) {
    const bool scale = strcmp(words[i], "--scale") == 0, up = strcmp(words[i], "--up") == 0;
    if (scale || up) {
      if (i + 1 == count) return all_ok(false, "option %s needs a value", words[i]);
      i++;
      if (!(scale ? parse_scale(words[i], &o->frame.scale) : parse_up(words[i], &o->frame.up)))
        return false;
    } else if (strcmp(words[i], "--hull") == 0) {
      o->frame.hull = true;
    } else if (strcmp(words[i], "--json") == 0) {
      o->json = true;
    } else if (words[i][0] == '-') {
      return all_ok(false, "unknown option %s; drystone --help lists the options", words[i]);
    } else if (o->path) {
      return all_ok(false, "two meshes given, %s and %s; mesh takes one", o->path, words[i]);
    } else {
      o->path = words[i];
    }
  }
  return o->path ? true : all_ok(false, "mesh needs a file: drystone mesh FILE");
}

// -- what is printed ------------------------------------------------------------------------------

static const char *plural(long long count, const char *one, const char *many)
{
  return count == 1 ? one : many;
}

typedef struct {
  long long points, triangles, polygons, parts, tetrahedra, convex;
  double volume;   // m3
} Totals;

static Totals totals_of(const MeshBodies *mesh)
{
  Totals t = {0};
  for (int i = 0; i < mesh->count; i++) {
    const MeshBody *b = &mesh->bodies[i];
    t.points += b->block.point_count;
    t.triangles += b->block.triangle_count;
    t.polygons += b->block.repairs.polygons;
    t.parts += b->recipe.part_count;
    t.tetrahedra += b->tetra_count;
    t.convex += b->block.convex;
    t.volume += b->block.volume;
  }
  return t;
}

static void print_body(const MeshBody *body, int number)
{
  const MeshBlock *b = &body->block;
  const mat3 m = b->inertia;
  if (b->name[0]) printf("body %d '%s'\n", number, b->name);
  else printf("body %d\n", number);
  printf("  surface     %d points, %d triangles, %d polygons, closed, %s\n", b->point_count,
         b->triangle_count, b->repairs.polygons, b->convex ? "convex" : "not convex");
  const Box box = box_of_points(b->points, b->point_count);
  printf("  box         [%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g] m\n", box.low.x, box.low.y,
         box.low.z, box.high.x, box.high.y, box.high.z);
  printf("  volume      %.15g m3\n", b->volume);
  printf("  centroid    %.15g %.15g %.15g m\n", b->centroid.x, b->centroid.y, b->centroid.z);
  printf("  inertia     xx %.15g yy %.15g zz %.15g xy %.15g yz %.15g zx %.15g m5\n", m.row[0].x,
         m.row[1].y, m.row[2].z, m.row[0].y, m.row[1].z, m.row[2].x);
  printf("  parts       %d", body->recipe.part_count);
  if (body->tetra_count > 0) {
    printf(", from %d %s of %s", body->tetra_count,
           plural(body->tetra_count, "tetrahedron", "tetrahedra"),
           body->needed_tetgen ? "tetgen" : "the file");
  }
  puts("");
  const TetgenReport *report = &body->tetgen;
  if (body->needed_tetgen && report->cache[0]) {
    printf("  cache       %s, %s\n", report->cache, report->from_cache ? "read" : "written");
  } else if (body->needed_tetgen) {
    printf("  cache       none: no file can be written beside the mesh\n");
  }
  char repairs[512];
  mesh_repairs_text(b->repairs, repairs, sizeof repairs);
  if (*repairs) printf("  repairs     %s\n", repairs);
}

static void print_text(const MeshOptions *o, const MeshBodies *mesh)
{
  const Totals t = totals_of(mesh);
  for (int i = 0; i < mesh->count; i++) print_body(&mesh->bodies[i], i + 1);
  printf("%s: %d %s (%lld convex), %lld points, %lld triangles, %lld polygons, %lld %s", o->path,
         mesh->count, plural(mesh->count, "body", "bodies"), t.convex, t.points, t.triangles,
         t.polygons, t.parts, plural(t.parts, "part", "parts"));
  if (t.tetrahedra > 0) printf(", %lld tetrahedra", t.tetrahedra);
  printf(", volume %.15g m3\n", t.volume);
  if (mesh->unused_points > 0) {
    printf("%d %s of the file in no face\n", mesh->unused_points,
           plural(mesh->unused_points, "point", "points"));
  }
}

static json_t *repairs_json(MeshRepairs r)
{
  json_t *repairs = json_object();
  command_json_add(repairs, "merged_points", json_integer(r.merged_points));
  command_json_add(repairs, "split_points", json_integer(r.split_points));
  command_json_add(repairs, "dropped_faces", json_integer(r.dropped_faces));
  command_json_add(repairs, "turned_faces", json_integer(r.turned_faces));
  command_json_add(repairs, "turned_tetrahedra", json_integer(r.turned_tetra));
  command_json_add(repairs, "inside_out", json_boolean(r.inside_out));
  command_json_add(repairs, "split_faces", json_integer(r.split_faces));
  command_json_add(repairs, "moved_points", json_integer(r.moved_points));
  command_json_add(repairs, "farthest_move", command_json_number(r.farthest));
  return repairs;
}

// xx, yy, zz, xy, yz, zx
static json_t *inertia_json(mat3 m)
{
  const double numbers[] = {m.row[0].x, m.row[1].y, m.row[2].z, m.row[0].y, m.row[1].z, m.row[2].x};
  json_t *list = json_array();
  for (int i = 0; i < 6; i++) json_array_append_new(list, command_json_number(numbers[i]));
  return list;
}

static json_t *body_json(const MeshBody *body)
{
  const MeshBlock *b = &body->block;
  const Box box = box_of_points(b->points, b->point_count);
  json_t *text = json_object();
  command_json_add(text, "name", command_json_text(b->name));
  command_json_add(text, "points", json_integer(b->point_count));
  command_json_add(text, "triangles", json_integer(b->triangle_count));
  command_json_add(text, "polygons", json_integer(b->repairs.polygons));
  command_json_add(text, "closed", json_true());
  command_json_add(text, "convex", json_boolean(b->convex));
  command_json_add(text, "low", command_json_vector(box.low));
  command_json_add(text, "high", command_json_vector(box.high));
  command_json_add(text, "volume", command_json_number(b->volume));
  command_json_add(text, "centroid", command_json_vector(b->centroid));
  command_json_add(text, "inertia", inertia_json(b->inertia));
  command_json_add(text, "parts", json_integer(body->recipe.part_count));
  command_json_add(text, "tetrahedra", json_integer(body->tetra_count));
  command_json_add(text, "tetgen", json_boolean(body->needed_tetgen));
  command_json_add(text, "from_cache", json_boolean(body->tetgen.from_cache));
  command_json_add(text, "cache", command_json_text(body->tetgen.cache));
  command_json_add(text, "repairs", repairs_json(b->repairs));
  return text;
}

static json_t *totals_json(const MeshBodies *mesh)
{
  const Totals t = totals_of(mesh);
  json_t *totals = json_object();
  command_json_add(totals, "bodies", json_integer(mesh->count));
  command_json_add(totals, "convex", json_integer(t.convex));
  command_json_add(totals, "points", json_integer(t.points));
  command_json_add(totals, "triangles", json_integer(t.triangles));
  command_json_add(totals, "polygons", json_integer(t.polygons));
  command_json_add(totals, "parts", json_integer(t.parts));
  command_json_add(totals, "tetrahedra", json_integer(t.tetrahedra));
  command_json_add(totals, "volume", command_json_number(t.volume));
  command_json_add(totals, "unused_points", json_integer(mesh->unused_points));
  return totals;
}

static void print_json(const MeshOptions *o, const MeshBodies *mesh)
{
  const char up[] = {"xyz"[o->frame.up], 0};
  json_t *text = json_object(), *bodies = json_array();
  for (int i = 0; i < mesh->count; i++) json_array_append_new(bodies, body_json(&mesh->bodies[i]));
  command_json_add(text, "file", command_json_text(o->path));
  command_json_add(text, "scale", command_json_number(o->frame.scale));
  command_json_add(text, "up", command_json_text(up));
  command_json_add(text, "bodies", bodies);
  command_json_add(text, "totals", totals_json(mesh));
  command_json_print(text, true);
}

int command_mesh(int count, char **words)
{
  MeshOptions options;
  if (!parse_words(count, words, &options)) return EXIT_USER;
  Arena arena = arena_new();
  MeshBodies mesh = {0};
  char error[2048] = "";
  const bool sound =
      par_rank() != 0 || mesh_load(options.path, options.frame, &arena, &mesh, error, sizeof error);
  const bool all = all_ok(sound, "%s", error);
  if (all && par_rank() == 0) {
    if (options.json) print_json(&options, &mesh);
    else print_text(&options, &mesh);
  }
  arena_destroy(&arena);
  return all ? EXIT_DONE : EXIT_USER;
}
