// Meshes with damaged geometry from the soup to the shape: refused with one message, or a body
// whose parts fill it. MESH_FUZZ_ROUNDS asks for more rounds, MESH_FUZZ_SEED for others, and
// MESH_FUZZ_FILLS for more surfaces that tetgen fills.
// test: needs tetgen
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact_settings.h"
#include "convex_parts.h"
#include "disk.h"
#include "harness.h"
#include "hash.h"
#include "lmd_judge.h"
#include "lmd_search.h"
#include "memory.h"
#include "mesh_block.h"
#include "mesh_damage.h"
#include "mesh_solids.h"
#include "random_solids.h"
#include "shape.h"
#include "tetgen.h"

#define ROUNDS 4000
#define FILLS 25          // surfaces that tetgen fills
#define PATH "fuzz.obj"   // of messages; there is no such file

typedef struct {
  long meshes, refused, bodies, convex, filled, own, thin, unfilled, surfaces, bare;
  long fills;   // that are left
  bool shown;
} Tally;

// What rounding may do to lengths of a body, m.
static double block_rounding(const MeshBlock *mesh_block, double *extent, double *area)
{
  vec3 low = mesh_block->points[0], high = low;
  double farthest = 0;
  for (int i = 0; i < mesh_block->point_count; i++) {
    const vec3 p = mesh_block->points[i];
    low = vec3_min(low, p);
    high = vec3_max(high, p);
    farthest = fmax(farthest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
  }
  const vec3 size = vec3_sub(high, low);
  *extent = fmax(size.x, fmax(size.y, size.z));
  *area = mesh_block_area(mesh_block);
  return MESH_CONVEX * *extent + 0x1p-51 * farthest;
}

// -- bodies ---------------------------------------------------------------------------------------

typedef struct {
  int low, high, sense;
} Side;

static int compare_sides(const void *p, const void *q)
{
  const Side *a = p, *b = q;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->sense > b->sense) - (a->sense < b->sense);
}

// Each side is passed twice, once each way, and triangles have three corners.
static bool is_closed(const MeshBlock *mesh_block, Arena *arena)
{
  const int count = 3 * mesh_block->triangle_count;
  Side *sides = arena_allocate(arena, (size_t)count * sizeof *sides);
  for (int i = 0; i < count; i++) {
    const int a = mesh_block->triangles[i / 3][i % 3],
              b = mesh_block->triangles[i / 3][(i + 1) % 3];
    if (a < 0 || a >= mesh_block->point_count || a == b) return false;
    sides[i] = (Side){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
  }
  qsort(sides, (size_t)count, sizeof *sides, compare_sides);
  for (int i = 0; i < count; i++) {
    const Side *other = &sides[i ^ 1];
    if (i + 1 == count && count % 2) return false;
    if (other->low != sides[i].low || other->high != sides[i].high) return false;
    if (other->sense != -sides[i].sense) return false;
    if (i > 1 && i % 2 == 0 && sides[i].low == sides[i - 1].low &&
        sides[i].high == sides[i - 1].high)
      return false;
  }
  return count >= 12;
}

// Moments about all axes are above zero.
static bool is_positive(mat3 m)
{
  const vec3 *r = m.row;
  const double minor = r[0].x * r[1].y - r[0].y * r[1].x;
  return r[0].x > 0 && r[1].y > 0 && r[2].z > 0 && minor > 0 && mat3_determinant(m) > 0;
}

static bool block_is_sound(const MeshBlock *mesh_block, Arena *arena)
{
  if (!CHECK(is_closed(mesh_block, arena))) return false;
  double extent, area;
  const double rounding = block_rounding(mesh_block, &extent, &area);
  bool sound = CHECK(mesh_block->volume > 0 && isfinite(mesh_block->volume));
  sound &= CHECK_NEAR(mesh_block_volume(mesh_block), mesh_block->volume,
                      1e-12 * mesh_block->volume + 1e-15 * extent * (area + extent * extent));
  vec3 low = mesh_block->points[0], high = low;
  for (int i = 0; i < mesh_block->point_count; i++) {
    low = vec3_min(low, mesh_block->points[i]);
    high = vec3_max(high, mesh_block->points[i]);
  }
  const vec3 c = mesh_block->centroid;
  for (int k = 0; k < 3; k++) {
    const double x = (&c.x)[k];
    sound &= CHECK(x >= (&low.x)[k] - rounding && x <= (&high.x)[k] + rounding);
  }
  // a plate thinner than the root of rounding has a moment lost in the others
  if (mesh_block->volume > 1e-6 * extent * area) sound &= CHECK(is_positive(mesh_block->inertia));
  return sound;
}

// Points go no farther than mesh_block.h says: twice the reach of faces, and in joints of bodies
// that share some twice the overlap. (The extent is that before, but for what moved.)
static bool moves_are_short(const MeshBlock *mesh_block, const MeshFlat *flat, double wanted)
{
  double extent, area;
  block_rounding(mesh_block, &extent, &area);
  double reach = MESH_DIGITS * extent;
  if (wanted > 0) reach = wanted * extent;
  else if (wanted == 0) reach = fmax(reach, fmin(MESH_STEPS * flat->step, MESH_BLURRED * extent));
  if (wanted == 0 && flat->joints > 0) reach = fmax(reach, MESH_OVERLAP * extent);
  const double most = wanted < 0 ? 0 : 2 * reach;
  return CHECK(mesh_block->repairs.farthest <= 1.01 * most);
}

// -- shapes ---------------------------------------------------------------------------------------

// Parts together have the mesh block's volume, area, middle and inertia; each is convex.
static bool shape_fits(const Shape *shape, const MeshBlock *mesh_block)
{
  double extent, area, facets = 0, volume = 0;
  const double rounding = block_rounding(mesh_block, &extent, &area);
  bool sound = true;
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    sound &= CHECK(polyhedron_is_valid(&part->hull, 4e-9 + 4 * rounding / part->hull.extent));
    volume += polyhedron_moments(&part->hull).volume;
    for (int i = 0; i < part->facet_count; i++) {
      const Facet *facet = &part->facets[i];
      facets += vec3_norm(polyhedron_area_vector(facet->corners, facet->corner_count));
    }
  }
  const double slack =
      1e-12 * mesh_block->volume + 2 * fmax(rounding, HULL_COPLANAR * extent) * area;
  sound &= CHECK_NEAR(volume, mesh_block->volume, slack);
  sound &= CHECK_NEAR(shape->volume, mesh_block->volume, slack);
  // faces of a plate that are as thin as what a hull merges are known to that
  const double thickness = mesh_block->volume / (extent * area);
  const double share = thickness > 1e-5 ? 1e-8 : thickness > 1e-7 ? 1e-4 : 1e-2;
  sound &= CHECK_NEAR(facets, area, share * area + 8 * rounding * extent);
  sound &= CHECK_NEAR(vec3_norm(vec3_sub(shape->center, mesh_block->centroid)), 0,
                      4 * slack / mesh_block->volume * extent + 2 * rounding);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      const double *mine = &shape->inertia.row[i].x, *other = &mesh_block->inertia.row[i].x;
      sound &= CHECK_NEAR(mine[k], other[k], 16 * slack * extent * extent);
    }
  }
  sound &= CHECK(shape->extent <= 2 * extent && shape->radius <= 2 * extent);
  sound &= CHECK(shape->inradius > 0 && shape->inradius <= shape->radius);
  return sound;
}

static ShapeRecipe corners_of(const MeshBlock *mesh_block, Arena *arena)
{
  PartRecipe *part = arena_allocate_zero(arena, 1, sizeof *part);
  part->points = arena_allocate(arena, (size_t)mesh_block->point_count * sizeof(vec3));
  bool *corner = arena_allocate_zero(arena, (size_t)mesh_block->point_count, sizeof(bool));
  for (int e = 0; e < 3 * mesh_block->triangle_count; e++)
    corner[mesh_block->triangles[e / 3][e % 3]] = true;
  for (int i = 0; i < mesh_block->point_count; i++)
    if (corner[i]) part->points[part->count++] = mesh_block->points[i];
  return (ShapeRecipe){.part_count = 1, .parts = part};
}

// A filling by tetgen, where there is one.
static bool fill(const MeshBlock *mesh_block, Arena *arena, Tetrahedra *filling, Tally *tally)
{
  TetgenReport report;
  char error[1024] = "";
  tally->fills--;
  const TetgenProgram program = {"tetgen", 60};
  if (tetgen_fill(&(TetgenTask){mesh_block, PATH, program, NULL}, arena, filling, &report,
                  (ErrorText){error, sizeof error}))
    return true;
  CHECK(strncmp(error, PATH ":", strlen(PATH) + 1) == 0 && strchr(error, '\n') == NULL);
  if (getenv("MESH_FUZZ_FILLS")) printf("  not filled: %s\n", error);
  tally->unfilled++;
  return false;
}

// The body as a surface alone: its moments are those of the mesh block, its faces hold its volume,
// and beside itself it is found by trees as by all pairs. Where it cannot be moved inwards the
// phrase names a triangle.
static bool surface_is_sound(const MeshBlock *mesh_block, Arena *arena, Tally *tally)
{
  PartRecipe part = {.count = mesh_block->point_count,
                     .points = mesh_block->points,
                     .triangle_count = mesh_block->triangle_count,
                     .triangles = mesh_block->triangles};
  double extent, area;
  const double rounding = block_rounding(mesh_block, &extent, &area);
  const double slack =
      1e-12 * mesh_block->volume + 2 * fmax(rounding, SURFACE_FLAT * extent) * area;
  Shape shape;
  const ShapeResult result = shape_build(
      &(ShapeRecipe){.part_count = 1, .parts = &part, .surface_alone = true}, arena, &shape);
  if (!CHECK(result.status == SHAPE_OK)) return false;
  bool sound = CHECK_NEAR(shape.volume, mesh_block->volume, slack);
  sound &= CHECK_NEAR(vec3_norm(vec3_sub(shape.center, mesh_block->centroid)), 0,
                      4 * slack / mesh_block->volume * extent + 2 * rounding);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      const double *mine = &shape.inertia.row[i].x, *other = &mesh_block->inertia.row[i].x;
      sound &= CHECK_NEAR(mine[k], other[k], 16 * slack * extent * extent);
    }
  }
  const SurfacePieces pieces = surface_pieces_of_shape(&shape, arena);
  for (int k = 0; k < 2; k++) {
    const double dilation = k ? CONTACT_DILATION * shape.extent : 0;
    SurfaceBase judged_surface;
    const SurfaceBaseResult judged = lmd_judge_surface(&pieces, dilation, arena, &judged_surface);
    tally->surfaces++;
    if (judged.status != SURFACE_BASE_OK) {
      char text[400];
      surface_base_text(judged, dilation, "triangle", text, sizeof text);
      sound &= CHECK(strstr(text, "triangle ") != NULL && strchr(text, '\n') == NULL);
      tally->bare += k == 0;
      if (k == 0 && getenv("MESH_FUZZ_REASONS")) printf("no surface: %s\n", text);
      continue;
    }
    SurfaceBase surface;
    sound &=
        CHECK(surface_base_build(&pieces, dilation, arena, &surface).status == SURFACE_BASE_OK);
    sound &= CHECK_NEAR(surface_complex_volume(&surface.sharp), shape.volume, 8 * slack);
    const LmdBody a = {&surface, mat3_diagonal(1, 1, 1), {0, 0, 0}};
    LmdBody b = a;
    b.center = vec3_scale(shape.extent, vec3_new(1, 0.25, 0));
    const LmdQuery query = {.a = &a, .b = &b, .turn = 0.02, .limit = 0.3 * shape.extent};
    const LmdSet all = lmd_search_pairs(&query, arena), fast = lmd_search_trees(&query, arena);
    sound &= CHECK(all.meets == fast.meets && all.count == fast.count &&
                   (all.count == 0 ||
                    memcmp(all.points, fast.points, (size_t)all.count * sizeof *all.points) == 0));
  }
  return sound;
}

static bool body_is_sound(const MeshBlock *mesh_block, bool hull, Arena *arena, Tally *tally)
{
  if (!block_is_sound(mesh_block, arena)) return false;
  if (!surface_is_sound(mesh_block, arena, tally)) return false;
  ShapeRecipe recipe;
  tally->bodies++;
  tally->convex += mesh_block->convex;
  if (mesh_block->convex || hull) {
    recipe = corners_of(mesh_block, arena);
  } else {
    Tetrahedra filling = {.point_count = mesh_block->point_count,
                          .points = mesh_block->points,
                          .tetra_count = mesh_block->tetra_count,
                          .tetra = (const int(*)[4])mesh_block->tetra};
    tally->own += mesh_block->tetra_count > 0;
    tally->filled += mesh_block->tetra_count == 0 && tally->fills > 0;
    if (mesh_block->tetra_count == 0 && tally->fills <= 0) return true;
    if (mesh_block->tetra_count == 0 && !fill(mesh_block, arena, &filling, tally)) return true;
    recipe = convex_parts(&filling, arena);
    if (recipe.part_count == 0) {   // slivers that are flat to rounding
      tally->unfilled++;
      return true;
    }
  }
  Shape shape;
  const ShapeResult result = shape_build(&recipe, arena, &shape);
  if (result.status == SHAPE_OK)
    return (hull && !mesh_block->convex) || shape_fits(&shape, mesh_block);
  // only what is thinner or nearer to itself than a hull may be is refused
  tally->thin++;
  return CHECK(result.status == SHAPE_HULL && result.hull != HULL_NOT_FINITE);
}

// -- meshes ---------------------------------------------------------------------------------------

static void sketch_hull(Sketch *s, const Polyhedron *hull)
{
  const int first = s->soup.point_count;
  for (int i = 0; i < hull->vertex_count; i++) {
    (void)sketch_point(s, hull->vertices[i].x, hull->vertices[i].y, hull->vertices[i].z);
  }
  for (int f = 0; f < hull->face_count; f++) {
    int loop[64];
    const int count = hull->face_start[f + 1] - hull->face_start[f];
    for (int k = 0; k < count && k < 64; k++) {
      loop[k] = first + hull->face_vertices[hull->face_start[f] + k];
    }
    sketch_face(s, loop, count);
  }
}

// Seen from its middle, every corner of a hull has a distance of its own.
static void sketch_star(Sketch *s, Random *random, Arena *arena)
{
  const Polyhedron ball = solid_ball(random, 12 + random_below(random, 40), (vec3){1, 1, 1}, arena);
  Sketch *whole = sketch_new(arena);
  sketch_hull(whole, &ball);
  for (int i = 0; i < whole->soup.point_count; i++) {
    whole->points[i] = vec3_scale(random_between(random, 0.3, 1), whole->points[i]);
  }
  const Sketch *cut = rewrite(whole, (Rewrite){.triangulate = true}, random, arena);
  *s = *cut;
  s->soup.points = s->points;
  s->soup.face_start = s->start;
  s->soup.corners = s->corners;
  s->soup.face_block = s->mesh_block;
  s->soup.tetra = s->tetra;
  s->soup.tetra_block = s->tetra_block;
  s->soup.mesh_block_names = s->names;
}

// Tetrahedra's points at the same places become one.
static void share_points(Sketch *s)
{
  int number[SOUP_POINTS], count = 0;
  for (int i = 0; i < s->soup.point_count; i++) {
    int known = 0;
    while (known < count && memcmp(&s->points[known], &s->points[i], sizeof(vec3)) != 0) known++;
    if (known == count) s->points[count++] = s->points[i];
    number[i] = known;
  }
  s->soup.point_count = count;
  for (int i = 0; i < 4 * s->soup.tetra_count; i++) {
    s->tetra[i / 4][i % 4] = number[s->tetra[i / 4][i % 4]];
  }
}

// Cubes of a grid, most of which hang together, in six tetrahedra each; or a fan about a point.
static void sketch_tetrahedra(Sketch *s, Random *random, Arena *arena)
{
  if (random_below(random, 3) == 0) {
    const Polyhedron hull = solid_random(random, random_below(random, SOLID_KINDS), arena);
    const vec3 c = polyhedron_moments(&hull).centroid;
    for (int i = 0; i < hull.vertex_count; i++) {
      (void)sketch_point(s, hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z);
    }
    const int middle = sketch_point(s, c.x, c.y, c.z);
    for (int f = 0; f < hull.face_count; f++) {
      const int *v = hull.face_vertices + hull.face_start[f];
      for (int k = 1; k + 1 < hull.face_start[f + 1] - hull.face_start[f]; k++) {
        sketch_tetra(s, middle, v[0], v[k], v[k + 1]);
      }
    }
    return;
  }
  int at[3] = {0, 0, 0};
  bool taken[9][9][9] = {{{false}}};
  at[0] = at[1] = at[2] = 4;
  const int cubes = 1 + random_below(random, 7);
  for (int i = 0; i < cubes; i++) {
    if (!taken[at[0]][at[1]][at[2]]) {
      const vec3 low = {at[0], at[1], at[2]};
      sketch_tetra_box(s, low, vec3_add(low, (vec3){1, 1, 1}));
      taken[at[0]][at[1]][at[2]] = true;
    }
    int *x = &at[random_below(random, 3)];
    *x += random_below(random, 2) ? 1 : -1;
    if (*x < 0 || *x > 8) *x = 4;
  }
  share_points(s);
}

static void damage_tetrahedra(Sketch *s, Random *random)
{
  const int t = random_below(random, s->soup.tetra_count);
  switch (random_below(random, 12)) {
  case 0: memcpy(s->tetra[t], s->tetra[--s->soup.tetra_count], sizeof s->tetra[t]); break;
  case 1: s->tetra[t][random_below(random, 4)] = random_below(random, s->soup.point_count); break;
  case 2: {
    const int keep = s->tetra[t][0];
    s->tetra[t][0] = s->tetra[t][1], s->tetra[t][1] = keep;
    break;
  }
  default: damage_points(s, random_below(random, 7), random);
  }
}

// Turned, of another size, elsewhere, and in the digits of a file.
static void sketch_place(Sketch *s, Random *random)
{
  const bool turned = random_below(random, 2);
  const mat3 turn = turned ? random_rotation(random) : mat3_diagonal(1, 1, 1);
  const double size = random_below(random, 2) ? 1 : fabs(random_size(random, -9, 7));
  vec3 to = {0, 0, 0};
  if (random_below(random, 3) == 0) {
    const double way = random_below(random, 2) ? size : fabs(random_size(random, -9, 6));
    to = vec3_scale(way, random_direction(random));
  }
  const int digits = random_below(random, 6);
  for (int i = 0; i < s->soup.point_count; i++) {
    s->points[i] = vec3_axpy(size, mat3_mul(turn, s->points[i]), to);
    if (digits == 0) s->points[i] = round_point(s->points[i], 0);
    if (digits == 1) s->points[i] = round_point(s->points[i], 6);
  }
}

static Sketch *make_mesh(Random *random, Arena *arena)
{
  Sketch *s = sketch_new(arena);
  const int kind = random_below(random, SKETCH_KINDS + 8);
  int damages = random_below(random, 4);
  if (kind < SKETCH_KINDS) {
    sketch_solid(s, kind);
  } else if (kind < SKETCH_KINDS + 3) {
    const Polyhedron hull = solid_random(random, random_below(random, SOLID_KINDS), arena);
    sketch_hull(s, &hull);
  } else if (kind < SKETCH_KINDS + 5) {
    sketch_star(s, random, arena);
  } else {
    sketch_tetrahedra(s, random, arena);
    while (damages-- > 0 && s->soup.tetra_count > 1) damage_tetrahedra(s, random);
    sketch_place(s, random);
    return s;
  }
  const int early = random_below(random, damages + 1);
  for (int i = 0; i < early; i++) sketch_damage(s, random);
  if (random_below(random, 3) == 0) {
    const Rewrite how = {.explode = random_below(random, 2),
                         .triangulate = kind < 4 || kind >= 6,
                         .shuffle = true,
                         .flip = random_below(random, 3) ? 0 : 0.3,
                         .jitter = random_below(random, 2) ? 0 : 1e-11};
    s = rewrite(s, how, random, arena);
  }
  for (int i = early; i < damages; i++) sketch_damage(s, random);
  sketch_place(s, random);
  return s;
}

static bool is_message(const char *message)
{
  return strncmp(message, PATH ":", strlen(PATH) + 1) == 0 && strlen(message) > 20 &&
         strchr(message, '\n') == NULL;
}

// The mesh as a file, to look at where a check failed.
static void write_mesh(const Sketch *s, const char *name)
{
  FILE *file = fopen(name, "w");
  if (!file) return;
  for (int i = 0; i < s->soup.point_count; i++) {
    fprintf(file, "v %.17g %.17g %.17g\n", s->points[i].x, s->points[i].y, s->points[i].z);
  }
  for (int f = 0; f < s->soup.face_count; f++) {
    if (f == 0 || s->mesh_block[f] != s->mesh_block[f - 1])
      fprintf(file, "o block%d\n", s->mesh_block[f]);
    fprintf(file, "f");
    for (int c = s->start[f]; c < s->start[f + 1]; c++) fprintf(file, " %d", s->corners[c] + 1);
    fprintf(file, "\n");
  }
  for (int t = 0; t < s->soup.tetra_count; t++) {
    const int *v = s->tetra[t];
    fprintf(file, "# tetrahedron %d %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1, v[3] + 1);
  }
  fclose(file);
}

static void test_round(uint64_t seed, long round, Tally *tally)
{
  Random random = {hash_mix(seed, (uint64_t)round)};
  Arena arena = arena_new();
  const Sketch *sketch = make_mesh(&random, &arena);
  MeshFrame mesh_frame = {random_below(&random, 3) ? 1 : fabs(random_size(&random, -3, 3)),
                          random_below(&random, 3),
                          random_below(&random, 8) == 0,
                          0,
                          false,
                          0,
                          false,
                          0};
  static const double flats[] = {0, 0, MESH_AS_IT_IS, 1e-3};
  mesh_frame.flat = flats[hash_mix(seed + 1, (uint64_t)round) % 4];
  MeshBlocks mesh_blocks;
  char error[1024] = "";
  bool sound = CHECK(mesh_soup_is_valid(&sketch->soup));
  tally->meshes++;
  MeshSoup soup = sketch->soup;
  soup.path = PATH;
  if (mesh_block_make(&soup, mesh_frame, &arena, &mesh_blocks, (ErrorText){error, sizeof error})) {
    sound &= CHECK(mesh_blocks.count > 0 && error[0] == 0);
    for (int i = 0; i < mesh_blocks.count && sound; i++) {
      sound = body_is_sound(&mesh_blocks.of[i], mesh_frame.hull, &arena, tally);
      sound &= moves_are_short(&mesh_blocks.of[i], &mesh_blocks.flat, mesh_frame.flat);
    }
  } else {
    tally->refused++;
    sound &= CHECK(is_message(error));
    if (getenv("MESH_FUZZ_REASONS")) printf("refused: %s\n", error);
  }
  if (!sound) {
    char name[64];
    snprintf(name, sizeof name, "failed-%ld.obj", round);
    printf("  round %ld of seed %llu: %s\n", round, (unsigned long long)seed, error);
    write_mesh(sketch, name);
  }
  arena_destroy(&arena);
}

// An L of tetrahedra, as large as a hand, in the coordinates of a map: their digits dent its faces
// by more than hulls merge, and yet no facet is lost.
static void test_map(Tally *tally)
{
  Random random = {7};
  Arena arena = arena_new();
  for (int trial = 0; trial < 30; trial++) {
    Sketch *s = sketch_new(&arena);
    sketch_tetra_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
    sketch_tetra_box(s, (vec3){1, 0, 0}, (vec3){2, 1, 1});
    sketch_tetra_box(s, (vec3){0, 1, 0}, (vec3){1, 2, 1});
    share_points(s);
    const mat3 turn = random_rotation(&random);
    for (int i = 0; i < s->soup.point_count; i++) {
      s->points[i] = vec3_axpy(0.05, mat3_mul(turn, s->points[i]), (vec3){431234, 5612345, 300});
    }
    MeshBlocks mesh_blocks;
    char error[1024] = "";
    const MeshFrame mesh_frame = {.scale = 1, .up = 2};
    s->soup.path = PATH;
    if (!CHECK(mesh_block_make(&s->soup, mesh_frame, &arena, &mesh_blocks,
                               (ErrorText){error, sizeof error}))) {
      printf("  %s\n", error);
      continue;
    }
    CHECK(mesh_blocks.count == 1 && body_is_sound(&mesh_blocks.of[0], false, &arena, tally));
    CHECK_NEAR(mesh_blocks.of[0].volume, 3 * 0.05 * 0.05 * 0.05, 1e-10);
  }
  arena_destroy(&arena);
}

static long wanted(const char *variable, long usual)
{
  const char *text = getenv(variable);
  return text ? strtol(text, NULL, 10) : usual;
}

int main(void)
{
  const long usual = test_rounds(ROUNDS);
  const long rounds = wanted("MESH_FUZZ_ROUNDS", usual);
  const uint64_t seed = (uint64_t)wanted("MESH_FUZZ_SEED", 1);
  setenv("XDG_CACHE_HOME", "/dev/null", 1);   // every filling is tetgen's
  Tally tally = {.fills = wanted("MESH_FUZZ_FILLS", FILLS)};
  for (long round = 0; round < rounds; round++) test_round(seed, round, &tally);
  test_map(&tally);
  printf("%ld meshes, %ld refused; %ld bodies: %ld convex, %ld with tetrahedra of their own, "
         "%ld given to tetgen, %ld not filled, %ld too thin; %ld surfaces, %ld of which are none\n",
         tally.meshes, tally.refused, tally.bodies, tally.convex, tally.own, tally.filled,
         tally.unfilled, tally.thin, tally.surfaces, tally.bare);
  CHECK(tally.refused < tally.meshes && tally.convex > 0 && tally.own > 0);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
