// drystone mesh: reads a mesh as a case would, says which bodies are in it, what was mended, and
// how they are cut into convex parts. Rank 0 does the work.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
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

static void find_box(const MeshBlock *block, vec3 *low, vec3 *high)
{
  *low = *high = block->points[0];
  for (int i = 1; i < block->point_count; i++) {
    *low = vec3_min(*low, block->points[i]);
    *high = vec3_max(*high, block->points[i]);
  }
}

static void print_body(const MeshBody *body, int number)
{
  const MeshBlock *b = &body->block;
  const mat3 m = b->inertia;
  if (b->name[0]) printf("body %d '%s'\n", number, b->name);
  else printf("body %d\n", number);
  printf("  surface     %d points, %d triangles, %d polygons, closed, %s\n", b->point_count,
         b->triangle_count, b->repairs.polygons, b->convex ? "convex" : "not convex");
  vec3 low, high;
  find_box(b, &low, &high);
  printf("  box         [%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g] m\n", low.x, low.y, low.z, high.x,
         high.y, high.z);
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

// A text in quotation marks; control characters, which names of files may have, are escaped.
static void print_json_text(const char *text)
{
  putchar('"');
  for (const char *p = text; *p; p++) {
    const unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\') printf("\\%c", c);
    else if (c < 0x20 || c == 0x7f) printf("\\u%04x", c);
    else putchar(c);
  }
  putchar('"');
}

static void print_json_body(const MeshBody *body)
{
  const MeshBlock *b = &body->block;
  const MeshRepairs r = b->repairs;
  vec3 low, high;
  find_box(b, &low, &high);
  const mat3 m = b->inertia;
  printf("    {\"name\": ");
  print_json_text(b->name);
  printf(
      ", \"points\": %d, \"triangles\": %d, \"polygons\": %d, \"closed\": true, \"convex\": %s,\n",
      b->point_count, b->triangle_count, r.polygons, b->convex ? "true" : "false");
  printf("     \"low\": [%.17g, %.17g, %.17g], \"high\": [%.17g, %.17g, %.17g],\n", low.x, low.y,
         low.z, high.x, high.y, high.z);
  printf("     \"volume\": %.17g, \"centroid\": [%.17g, %.17g, %.17g],\n", b->volume, b->centroid.x,
         b->centroid.y, b->centroid.z);
  printf("     \"inertia\": [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g],\n", m.row[0].x, m.row[1].y,
         m.row[2].z, m.row[0].y, m.row[1].z, m.row[2].x);
  printf("     \"parts\": %d, \"tetrahedra\": %d, \"tetgen\": %s, \"from_cache\": %s, \"cache\": ",
         body->recipe.part_count, body->tetra_count, body->needed_tetgen ? "true" : "false",
         body->tetgen.from_cache ? "true" : "false");
  print_json_text(body->tetgen.cache);
  printf(
      ",\n     \"repairs\": {\"merged_points\": %d, \"split_points\": %d, \"dropped_faces\": %d, "
      "\"turned_faces\": %d, \"turned_tetrahedra\": %d, \"inside_out\": %s, "
      "\"split_faces\": %d, \"moved_points\": %d, \"farthest_move\": %.17g}}",
      r.merged_points, r.split_points, r.dropped_faces, r.turned_faces, r.turned_tetra,
      r.inside_out ? "true" : "false", r.split_faces, r.moved_points, r.farthest);
}

static void print_json(const MeshOptions *o, const MeshBodies *mesh)
{
  const Totals t = totals_of(mesh);
  printf("{\n  \"file\": ");
  print_json_text(o->path);
  printf(", \"scale\": %.17g, \"up\": \"%c\",\n  \"bodies\": [\n", o->frame.scale,
         "xyz"[o->frame.up]);
  for (int i = 0; i < mesh->count; i++) {
    print_json_body(&mesh->bodies[i]);
    puts(i + 1 < mesh->count ? "," : "");
  }
  printf("  ],\n  \"totals\": {\"bodies\": %d, \"convex\": %lld, \"points\": %lld, "
         "\"triangles\": %lld, \"polygons\": %lld, \"parts\": %lld, \"tetrahedra\": %lld, "
         "\"volume\": %.17g, \"unused_points\": %d}\n}\n",
         mesh->count, t.convex, t.points, t.triangles, t.polygons, t.parts, t.tetrahedra, t.volume,
         mesh->unused_points);
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
