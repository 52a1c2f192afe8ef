// drystone mesh: reads a mesh as a case would, says which bodies are in it, what was mended, and
// how they are cut into convex parts. Rank 0 does the work.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "command.h"
#include "elastic.h"
#include "elastic_cells.h"
#include "finite_measure.h"
#include "mesh_flat.h"
#include "mesh_import.h"
#include "parallel.h"
#include "plural.h"
#include "shape.h"
#include "sphere_errors.h"
#include "values.h"

#define SMALLEST_SCALE 1e-9
#define LARGEST_SCALE 1e9
#define SMALLEST_SIZE 1e-9   // m
#define LARGEST_SIZE 1e9     // m

typedef struct {
  const char *path;
  const char *up;   // axis of the mesh frame
  double flat;      // below 0: by the digits of the file
  MeshFrame mesh_frame;
  bool keep, json;
  int spheres;             // 0: not asked for
  const char *cells;       // NULL: not asked for
  ElasticMesh divisions;   // without cells: not asked for
} MeshOptions;

static bool is_axis(const char *word)
{
  return strcmp(word, "x") == 0 || strcmp(word, "y") == 0 || strcmp(word, "z") == 0;
}

// "NX,NY,NZ" as cells along the axes of a body, or "file"; false: it is none.
static bool read_cells(const char *word, ElasticMesh *cells)
{
  cells->of_file = strcmp(word, "file") == 0;
  if (cells->of_file) return true;
  for (int i = 0; i < 3; i++) {
    char *end;
    const long count = strtol(word, &end, 10);
    if (end == word || *end != (i < 2 ? ',' : 0) || count < 1 || count > ELASTIC_MOST_CELLS)
      return false;
    cells->cells[i] = (int)count;
    word = end + 1;
  }
  return true;
}

static bool is_cells(const char *word)
{
  ElasticMesh cells = {.size = 0};
  return read_cells(word, &cells);
}

static const Option options_of_mesh[] = {
    {"--scale", "S", "metres per unit of the file (default: 1)", OPTION_REAL,
     .offset = offsetof(MeshOptions, mesh_frame.scale), .low = SMALLEST_SCALE,
     .high = LARGEST_SCALE},
    {"--up", "AXIS", "axis of the file that points upwards: x, y or z (default: z)", OPTION_TEXT,
     .offset = offsetof(MeshOptions, up), .accepts = is_axis,
     .refusal = "option --up: expected x, y or z, found '%s'"},
    {"--hull", NULL, "take the convex hull of each body in its place", OPTION_FLAG,
     .offset = offsetof(MeshOptions, mesh_frame.hull)},
    {"--flat", "S",
     "faces are flat to S of the size of a body (default: the digits of\nthe file; 0: as it is)",
     OPTION_REAL, .offset = offsetof(MeshOptions, flat), .low = 0, .high = MESH_FLAT_LARGEST},
    {"--pieces", "N", "cut each body that is not convex into at most N convex pieces near it",
     OPTION_COUNT, .offset = offsetof(MeshOptions, mesh_frame.pieces), .low = 1,
     .high = MESH_MOST_PIECES},
    {"--surface", NULL, "keep each body as its surface alone, for contact.model lmd", OPTION_FLAG,
     .offset = offsetof(MeshOptions, mesh_frame.surface)},
    {"--spheres", "N",
     "fill each body with at most N spheres and say how well they stand\nfor it in contact",
     OPTION_COUNT, .offset = offsetof(MeshOptions, spheres), .low = 1, .high = INNER_MOST_SPHERES},
    {"--cells", "NX,NY,NZ",
     "divide each body into so many finite elements along its axes, as\nelastic.cells does, and "
     "say "
     "how good they are; file: those of the file",
     OPTION_TEXT, .offset = offsetof(MeshOptions, cells), .accepts = is_cells,
     .refusal =
         "option --cells: expected three counts NX,NY,NZ from 1 to 64, or 'file', found '%s'"},
    {"--size", "S",
     "fill each body with tetrahedra of about S m, as elastic.size does, and say\nthe same",
     OPTION_REAL, .offset = offsetof(MeshOptions, divisions.size), .low = SMALLEST_SIZE,
     .high = LARGEST_SIZE},
    {"--keep", NULL,
     "write fillings of TetGen beside the mesh too (FILE.tetra), to\ntravel with it", OPTION_FLAG,
     .offset = offsetof(MeshOptions, keep)},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(MeshOptions, json)}};

const OptionTable COMMAND_MESH_OPTIONS = {
    .command = "mesh",
    .purpose = "read a mesh, say which bodies are in it and what was\nmended",
    .file = "FILE",
    .files = "meshes",
    .no_file = "mesh needs a file: drystone mesh FILE",
    .file_offset = offsetof(MeshOptions, path),
    .count = sizeof options_of_mesh / sizeof *options_of_mesh,
    .options = options_of_mesh,
};

// -- what a run makes of it -----------------------------------------------------------------------

// A body as a run has it: of the hull or of pieces where these are taken, else of the surface.
typedef struct {
  bool hull;
  int corners, faces;       // of the hull
  double volume;            // m3
  vec3 centroid;            // m
  mat3 inertia;             // about the centroid, for unit density, m5
  SphereErrors inner;       // no spheres: not asked for
  char whole[1000];         // why it has no cells; "": it has, or nobody asked
  FiniteMeasure elements;   // no cells: likewise
} SolidMeasure;

typedef struct {
  const MeshBodies *mesh;
  SolidMeasure *solids;   // [mesh->count]
  int kept;               // fillings that lie beside the mesh now
} Solids;

static SolidMeasure solid_of(const MeshBody *body, const Shape *shape, bool hull)
{
  assert((!hull || shape->part_count == 1) && "a hull is one part");
  const MeshBlock *mesh_block = &body->mesh_block;
  if (body->in_pieces)
    return (SolidMeasure){
        .volume = shape->volume, .centroid = shape->center, .inertia = shape->inertia};
  if (!hull)
    return (SolidMeasure){.volume = mesh_block->volume,
                          .centroid = mesh_block->centroid,
                          .inertia = mesh_block->inertia};
  const Polyhedron *p = &shape->parts[0].hull;
  return (SolidMeasure){.hull = true,
                        .corners = p->vertex_count,
                        .faces = p->face_count,
                        .volume = shape->volume,
                        .centroid = shape->center,
                        .inertia = shape->inertia};
}

// The finite elements of a body; false with a reason.
static bool make_elements(const MeshBody *body, const Shape *shape, const ElasticMesh *divisions,
                          FiniteMesh *mesh, ErrorText reason)
{
  assert(elastic_mesh_is(divisions) && "cells are asked for");
  const char *fault = elastic_mesh_fault(shape, divisions);
  const FiniteMesh own = divisions->of_file ? mesh_import_cells(body) : (FiniteMesh){0};
  if (!fault && divisions->of_file && own.cells == 0) fault = "the file has faces alone";
  if (fault) snprintf(reason.text, reason.bytes, "%s", fault);
  if (fault) return false;
  if (divisions->cells[0] > 0) {
    *mesh = elastic_mesh(shape, divisions);
    return true;
  }
  if (divisions->of_file) *mesh = finite_mesh_copy(&own, shape->center);
  else if (!elastic_size_fits(shape, divisions->size, reason) ||
           !elastic_cells_make(shape, divisions->size, mesh, reason))
    return false;
  const bool fits = elastic_mesh_fits(mesh, shape, 0, reason);
  if (!fits) finite_mesh_destroy(mesh);
  return fits;
}

// No material is known here: no frequencies.
static void divide(const MeshBody *body, const Shape *shape, const ElasticMesh *divisions,
                   SolidMeasure *solid)
{
  assert(solid->elements.cells == 0 && "a body is divided once");
  FiniteMesh mesh;
  const ErrorText reason = {solid->whole, sizeof solid->whole};
  if (!make_elements(body, shape, divisions, &mesh, reason)) return;
  const FiniteMoments moments = {.mass = shape->volume, .inertia = shape->inertia};
  solid->elements = finite_measure(&mesh, &moments, NULL);
  finite_mesh_destroy(&mesh);
}

// Builds the shape of every body, as a run and "drystone check" do. False with a message for the
// first one that they refuse.
static bool judge(const MeshOptions *o, const MeshBodies *mesh, Arena *arena, Solids *all,
                  char *error, size_t bytes)
{
  assert(mesh->count >= 0 && bytes > 0 && "bodies are counted, a message has room");
  *all = (Solids){.mesh = mesh,
                  .solids = arena_allocate(arena, (size_t)mesh->count * sizeof(SolidMeasure))};
  for (int i = 0; i < mesh->count; i++) {
    const MeshBody *body = &mesh->bodies[i];
    const ArenaMark mark = arena_mark(arena);
    Shape shape;
    const ShapeResult result = shape_build(&body->recipe, arena, &shape);
    if (result.status != SHAPE_OK) {
      const char *name = body->mesh_block.name;
      char reason[256];
      shape_result_text(result, reason, sizeof reason);
      snprintf(error, bytes, "%s: body %d%s%s%s: %s, so no case can have it; %s", o->path, i + 1,
               *name ? " '" : "", name, *name ? "'" : "", reason,
               o->mesh_frame.hull ? "mend the mesh" : "mend the mesh, or take its hull (--hull)");
      return false;
    }
    all->solids[i] = solid_of(body, &shape, o->mesh_frame.hull);
    if (o->spheres > 0) all->solids[i].inner = sphere_errors_measure(&shape, o->spheres, arena);
    if (elastic_mesh_is(&o->divisions)) divide(body, &shape, &o->divisions, &all->solids[i]);
    arena_release(arena, mark);
  }
  return true;
}

// -- what is printed ------------------------------------------------------------------------------

static void list_repairs(MeshRepairs r, Value *body)
{
  char text[512];
  mesh_repairs_text(r, text, sizeof text);
  values_add(body, "-repairs %s", text);
  Value *repairs = values_group(body, "repairs");
  values_add(repairs, "merged_points %d split_points %d", r.merged_points, r.split_points);
  values_add(repairs, "dropped_faces %d turned_faces %d", r.dropped_faces, r.turned_faces);
  values_add(repairs, "turned_tetrahedra %d turned_hexahedra %d inside_out %i", r.turned_tetra,
             r.turned_hexa, r.inside_out);
  values_add(repairs, "split_faces %d moved_points %d", r.split_faces, r.moved_points);
  values_add(repairs, "farthest_move %g hulled %i", r.farthest, r.hulled);
}

// How near pieces are to the surface; nothing where there are none.
static void list_pieces(const MeshBody *body, Value *all)
{
  const PiecesMeasure *m = &body->pieces;
  char share[32];
  snprintf(share, sizeof share, "%+.3g", 100 * m->excess);
  values_add(all, "in_pieces %i corners %d", body->in_pieces, m->corners);
  values_add(all, "from_surface %g from_pieces %g", m->from_surface, m->from_pieces);
  values_add(all, "-in_pieces %s", body->in_pieces ? share : "");
}

static void list_inner(const SphereErrors *errors, Value *all)
{
  assert(errors->spheres >= 0 && "spheres are counted");
  if (!(errors->rows[0].depth > 0)) return;   // nobody asked
  Value *inner = values_group(all, "inner_spheres");
  values_add(inner, "count %d share %g", errors->spheres, errors->share);
  Value *rows = values_list(inner, "errors");
  for (int r = 0; r < 2 * SPHERE_DEPTHS; r++) {
    const SphereErrorRow *row = &errors->rows[r];
    Value *error = values_group(rows, NULL);
    values_add(error, "depth %g -depth %g", row->depth, 100 * row->depth);
    values_add(error, "turned %i -copies %s", row->turned, row->turned ? "turned" : "alike");
    values_add(error, "pairs %d without_normal %d", row->pairs, row->apart);
    values_add(error, "volume %g %g %g", row->mean, row->least, row->most);
    values_add(error, "normal %g %g", row->mean_turn, row->most_turn);
    values_add(error, "-turn %g %g", 1e3 * row->mean_turn, 1e3 * row->most_turn);
    values_add(error, "centroid %g %g", row->mean_off, row->most_off);
    values_add(error, "-off %g %g", 100 * row->mean_off, 100 * row->most_off);
  }
}

static void list_elements(const SolidMeasure *solid, Value *all)
{
  const FiniteMeasure *m = &solid->elements;
  const char *whole = *solid->whole ? solid->whole : NULL;
  assert((!whole || m->cells == 0) && "a body that stays whole has no cells");
  values_add(all, "-cells %d -nodes %d -worst %d -quality %g -off %g", m->cells, m->nodes, m->worst,
             m->quality, m->inertia_error);
  values_text(all, "-whole", whole);
  if (m->cells == 0 && !whole) return;   // nobody asked
  Value *elements = values_group(all, "elements");
  values_text(elements, "refusal", whole);
  values_add(elements, "nodes %d cells %d", m->nodes, m->cells);
  values_add(elements, "worst_cell %d quality %g inertia_error %g", m->worst, m->quality,
             m->inertia_error);
}

// Cells of a file, which are hexahedra or tetrahedra, or tetrahedra of a filling.
typedef struct {
  int tetrahedra, hexahedra;   // one of them is 0
} BodyCells;

static BodyCells cells_of(const MeshBody *body)
{
  const int whole = body->tetra_count > 0 ? body->mesh_block.hexa_count : 0;
  return (BodyCells){whole > 0 ? 0 : body->tetra_count, whole};
}

static void list_body(const MeshBody *body, const SolidMeasure *solid, int number, Value *list)
{
  assert(number >= 1 && solid->volume > 0 && "a body has a number and a volume");
  const MeshBlock *b = &body->mesh_block;
  const Box box = box_of_points(b->points, b->point_count);
  const vec3 c = solid->centroid;
  const mat3 m = solid->inertia;
  const BodyCells cells = cells_of(body);
  const char *cache = body->tetgen.cache;
  Value *all = values_group(list, NULL);
  values_add(all, "-number %d name %s points %d", number, b->name, b->point_count);
  values_add(all, "triangles %d polygons %d", b->triangle_count, b->repairs.polygons);
  values_add(all, "closed %i convex %i support %i", !b->repairs.hulled, b->convex, b->fixed);
  values_add(all, "-closed %s", b->repairs.hulled ? "not sound" : "closed");
  values_add(all, "-support %s", b->fixed ? ", support" : "");
  values_add(all, "-convex %s", b->convex ? "convex" : "not convex");
  values_add(all, "low %g %g %g", box.low.x, box.low.y, box.low.z);
  values_add(all, "high %g %g %g", box.high.x, box.high.y, box.high.z);
  char holds[64] = ", the surface encloses nothing";
  if (!b->repairs.hulled) snprintf(holds, sizeof holds, ", the surface holds %.6g m3", b->volume);
  values_add(all, "-holds %s", holds);
  values_add(all, "hull %i -corners %d -faces %d", solid->hull, solid->corners, solid->faces);
  values_add(all, "surface_volume %g volume %g", b->volume, solid->volume);
  values_add(all, "centroid %g %g %g", c.x, c.y, c.z);
  values_add(all, "inertia %g %g %g %g %g %g", m.row[0].x, m.row[1].y, m.row[2].z, m.row[0].y,
             m.row[1].z, m.row[2].x);
  values_add(all, "parts %d tetrahedra %d hexahedra %d", body->recipe.part_count, cells.tetrahedra,
             cells.hexahedra);
  const bool surface = body->recipe.surface_alone;
  values_add(all, "surface %i -surface %s", surface, surface ? ", the surface itself" : "");
  values_add(all, "-tetrahedra %s", plural(cells.tetrahedra, "tetrahedron", "tetrahedra"));
  values_add(all, "-hexahedra %s", plural(cells.hexahedra, "hexahedron", "hexahedra"));
  values_add(all, "-tetgen %s", body->needed_tetgen ? "tetgen" : "the file");
  values_add(all, "tetgen %i from_cache %i", body->needed_tetgen, body->tetgen.from_cache);
  values_add(all, "cache %s -cache %s", cache, body->tetgen.from_cache ? "read" : "written");
  values_add(all, "-no_cache %s",
             body->needed_tetgen && !*cache ? "none, the filling cannot be kept" : "");
  list_repairs(b->repairs, all);
  list_pieces(body, all);
  list_inner(&solid->inner, all);
  list_elements(solid, all);
}

static void list_flat(MeshFlat f, Value *all)
{
  char text[512];
  mesh_flat_text(f, text, sizeof text);
  values_add(all, "-flat %s", text);
  Value *flat = values_group(all, "flat");
  values_add(flat, "asked %i step %g joints %d", f.asked, f.step, f.joints);
  values_add(flat, "moved_bodies %d moved_points %d farthest %g", f.moved_bodies, f.moved_points,
             f.farthest);
  values_add(flat, "widest_gap %g deepest_overlap %g", f.widest, f.deepest);
}

static void list_totals(const Solids *solids, Value *all)
{
  assert((solids->solids != NULL || solids->mesh->count == 0) && "every body has been measured");
  const int bodies = solids->mesh->count, unused = solids->mesh->unused_points;
  long long points = 0, triangles = 0, polygons = 0, parts = 0, tetrahedra = 0, convex = 0;
  long long supports = 0, hexahedra = 0;
  double volume = 0;   // m3
  for (int i = 0; i < bodies; i++) {
    const MeshBody *b = &solids->mesh->bodies[i];
    points += b->mesh_block.point_count;
    triangles += b->mesh_block.triangle_count;
    polygons += b->mesh_block.repairs.polygons;
    parts += b->recipe.part_count;
    const BodyCells cells = cells_of(b);
    hexahedra += cells.hexahedra;
    tetrahedra += cells.tetrahedra;
    convex += b->mesh_block.convex;
    supports += b->mesh_block.fixed;
    volume += solids->solids[i].volume;
  }
  values_add(all, "bodies %d -bodies %s", bodies, plural(bodies, "body", "bodies"));
  values_add(all, "convex %lld points %lld triangles %lld", convex, points, triangles);
  values_add(all, "supports %lld -supports %s", supports, plural(supports, "support", "supports"));
  values_add(all, "polygons %lld parts %lld", polygons, parts);
  values_add(all, "-parts %s", plural(parts, "part", "parts"));
  values_add(all, "tetrahedra %lld hexahedra %lld volume %g", tetrahedra, hexahedra, volume);
  values_add(all, "remark %s", solids->mesh->remark);
  const int kept = solids->kept;
  values_add(all, "kept %d -kept %s", kept, plural(kept, "filling", "fillings"));
  list_flat(solids->mesh->flat, all);
  values_add(all, "unused_points %d -unused_points %s", unused, plural(unused, "point", "points"));
}

static Value *values_of(const MeshOptions *o, const Solids *solids, Arena *arena)
{
  Value *all = values_new(arena);
  values_add(all, "file %s scale %g up %s", o->path, o->mesh_frame.scale, o->up);
  Value *bodies = values_list(all, "bodies");
  for (int i = 0; i < solids->mesh->count; i++)
    list_body(&solids->mesh->bodies[i], &solids->solids[i], i + 1, bodies);
  list_totals(solids, values_group(all, "totals"));
  return all;
}

static const char *const body_layout =
    "body {-number}< '{name}'>\n"
    "  surface     {points} points, {triangles} triangles, {polygons} polygons, {-closed}, "
    "{-convex}<{-support}>\n"
    "  box         [{low.0:.6g}, {low.1:.6g}, {low.2:.6g}] to "
    "[{high.0:.6g}, {high.1:.6g}, {high.2:.6g}] m\n"
    "<  hull        {-corners} corners, {-faces} faces; its measures follow{-holds}\n>"
    "  volume      {volume:.15g} m3\n"
    "  centroid    {centroid.0:.15g} {centroid.1:.15g} {centroid.2:.15g} m\n"
    "  inertia     xx {inertia.0:.15g} yy {inertia.1:.15g} zz {inertia.2:.15g} "
    "xy {inertia.3:.15g} yz {inertia.4:.15g} zx {inertia.5:.15g} m5\n"
    "  parts       {parts}<, from {tetrahedra} {-tetrahedra} of {-tetgen}>"
    "<, from {hexahedra} {-hexahedra} of the file><{-surface}>\n"
    "<  pieces      of {corners} corners; their measures are above, the surface holds "
    "{surface_volume:.6g} m3: {-in_pieces} %\n"
    "  distance    of the surface from the pieces at most {from_surface:.3g} m, back at most "
    "{from_pieces:.3g} m\n>"
    "<  cache       {cache}, {-cache}\n><  cache       {-no_cache}\n>"
    "<  repairs     {-repairs}\n>"
    "<  elements    {-cells} cells, {-nodes} nodes; the worst is cell {-worst}, quality "
    "{-quality:.3g}; inertia off by {-off:.2g} of itself\n>"
    "<  elements    none: {-whole}\n>";

static const char *const totals_layout =
    "{bodies} {-bodies} ({convex} convex<, {supports} {-supports}>), {points} points, {triangles} "
    "triangles, "
    "{polygons} polygons, {parts} {-parts}<, {tetrahedra} tetrahedra><, {hexahedra} hexahedra>, "
    "volume {volume:.15g} m3\n"
    "<{unused_points} {-unused_points} of the file in no face\n>"
    "<{-flat}\n>"
    "<{kept} {-kept} of TetGen beside the file, to travel with it\n>"
    "<not read, a case gives it: {remark}\n>";

static const char *const errors_layout =
    "  {-depth:7.3g:depth %}  {-copies:6:copies}  {pairs:5:pairs} {without_normal:4:lost}  "
    "{volume.0:8.4f:volume} {volume.1:8.4f:least} {volume.2:8.4f:most}  {-turn.0:8.2f:turn mrad} "
    "{-turn.1:8.2f:most}  {-off.0:7.3f:off %} {-off.1:7.3f:most}\n";

static void print_text(const Value *all, bool spheres)
{
  const Value *body = values_find(all, "bodies")->first;
  for (; body; body = body->next) {
    values_print(body, body_layout);
    if (!spheres) continue;
    values_print(body, "  spheres     {inner_spheres.count}, which fill "
                       "{inner_spheres.share:.4f} of it; two copies, by spheres over exact:\n");
    values_table(values_find(body, "inner_spheres.errors"), errors_layout);
  }
  values_print(all, "{file}: ");
  values_print(values_find(all, "totals"), totals_layout);
}

int command_mesh(int count, char **words)
{
  MeshOptions options = {.up = "z", .flat = -1, .mesh_frame = {.scale = 1}};
  if (!options_read(&COMMAND_MESH_OPTIONS, count, words, &options)) return EXIT_USER;
  options.mesh_frame.up = *options.up - 'x';
  if (options.flat >= 0) options.mesh_frame.flat = options.flat > 0 ? options.flat : MESH_AS_IT_IS;
  if (!mesh_block_one_form(options.mesh_frame)) {
    (void)all_ok(false, "options --hull, --surface, --pieces: " MESH_FORMS_EXCLUDE);
    return EXIT_USER;
  }
  if (options.spheres > 0 && options.mesh_frame.surface) {
    (void)all_ok(false, "options --spheres, --surface: spheres are compared with a body of parts, "
                        "and --surface makes none; leave out one of the two");
    return EXIT_USER;
  }
  if (options.cells && options.divisions.size > 0) {
    (void)all_ok(false,
                 "options --cells, --size: a body has finite elements of one kind; leave out "
                 "one of the two");
    return EXIT_USER;
  }
  if (options.cells && !read_cells(options.cells, &options.divisions)) return EXIT_BUG;
  assert(options.mesh_frame.up >= 0 && options.mesh_frame.up < 3 && "names of no axis are refused");
  assert(options.mesh_frame.scale > 0 && "limits of options hold");
  Arena arena = arena_new();
  MeshBodies mesh = {0};
  char error[2048] = "";
  Solids solids = {0};
  const bool sound =
      par_rank() != 0 || (mesh_import(options.path, options.mesh_frame, &arena, &mesh,
                                      (ErrorText){error, sizeof error}) &&
                          judge(&options, &mesh, &arena, &solids, error, sizeof error));
  bool all = all_ok(sound, "%s", error);
  int code = all ? EXIT_DONE : EXIT_USER;
  if (all && options.keep) {
    const ErrorText reason = {error, sizeof error};
    all = all_ok(par_rank() != 0 || mesh_import_keep(options.path, &mesh, &solids.kept, reason),
                 "cannot keep fillings beside the mesh: %s", error);
    if (!all) code = EXIT_IO;
  }
  if (all && par_rank() == 0) {
    const Value *values = values_of(&options, &solids, &arena);
    if (options.json) values_json(values, true);
    else print_text(values, options.spheres > 0);
  }
  arena_destroy(&arena);
  return code;
}
