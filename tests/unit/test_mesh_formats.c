// Reference solids in every format of meshes: the same bodies, with the exact measures.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_block.h"
#include "mesh_soups.h"

// What is written: polygons, the same surface in triangles, and tetrahedra where there are some.
typedef struct {
  const Sketch *polygons;
  const MeshBlock *surface;
  const Sketch *tetra;
} Reference;

typedef struct {
  const char *name;      // for messages
  const char *path[2];   // the second one: NULL for none
  bool needs_tetra;
  void (*write[2])(const Reference *solid, FILE *file);
} Writer;

// -- text formats ---------------------------------------------------------------------------------

static void write_obj(const Reference *solid, FILE *file)
{
  const MeshSoup *s = &solid->polygons->soup;
  fprintf(file, "# a reference solid\no stone\n");
  for (int i = 0; i < s->point_count; i++) {
    fprintf(file, "v %.17g %.17g %.17g\n", s->points[i].x, s->points[i].y, s->points[i].z);
  }
  for (int f = 0; f < s->face_count; f++) {
    fputs("f", file);
    for (int c = s->face_start[f]; c < s->face_start[f + 1]; c++) {
      if (f % 2) fprintf(file, " %d", s->corners[c] - s->point_count);
      else fprintf(file, " %d//%d", s->corners[c] + 1, f + 1);
    }
    fputs("\n", file);
  }
}

static void write_stl_text(const Reference *solid, FILE *file)
{
  const MeshBlock *b = solid->surface;
  fprintf(file, "solid stone\n");
  for (int t = 0; t < b->triangle_count; t++) {
    fprintf(file, "facet normal 0 0 0\n outer loop\n");
    for (int k = 0; k < 3; k++) {
      const vec3 p = b->points[b->triangles[t][k]];
      fprintf(file, "  vertex %.10e %.10e %.10e\n", p.x, p.y, p.z);
    }
    fprintf(file, " endloop\nendfacet\n");
  }
  fprintf(file, "endsolid stone\n");
}

static void write_smesh(const Reference *solid, FILE *file)
{
  const MeshSoup *s = &solid->polygons->soup;
  fprintf(file, "%d 3 0 0\n", s->point_count);
  for (int i = 0; i < s->point_count; i++) {
    fprintf(file, "%d %.17g %.17g %.17g\n", i, s->points[i].x, s->points[i].y, s->points[i].z);
  }
  fprintf(file, "%d 0\n", s->face_count);
  for (int f = 0; f < s->face_count; f++) {
    fprintf(file, "%d", s->face_start[f + 1] - s->face_start[f]);
    for (int c = s->face_start[f]; c < s->face_start[f + 1]; c++)
      fprintf(file, " %d", s->corners[c]);
    fputs("\n", file);
  }
  fprintf(file, "0\n0\n");
}

static void write_nodes(FILE *file, const vec3 *points, int count)
{
  fprintf(file, "%d 3 0 0\n", count);
  for (int i = 0; i < count; i++)
    fprintf(file, "%d %.17g %.17g %.17g\n", i + 1, points[i].x, points[i].y, points[i].z);
}

static void write_surface_nodes(const Reference *solid, FILE *file)
{
  write_nodes(file, solid->surface->points, solid->surface->point_count);
}

static void write_tetra_nodes(const Reference *solid, FILE *file)
{
  write_nodes(file, solid->tetra->points, solid->tetra->soup.point_count);
}

static void write_faces(const Reference *solid, FILE *file)
{
  const MeshBlock *b = solid->surface;
  fprintf(file, "%d 1\n", b->triangle_count);
  for (int t = 0; t < b->triangle_count; t++) {
    const int *v = b->triangles[t];
    fprintf(file, "%d %d %d %d 1\n", t + 1, v[0] + 1, v[1] + 1, v[2] + 1);
  }
}

static void write_ele(const Reference *solid, FILE *file)
{
  const MeshSoup *s = &solid->tetra->soup;
  fprintf(file, "%d 4 0\n", s->tetra_count);
  for (int t = 0; t < s->tetra_count; t++) {
    const int *v = s->tetra[t];
    fprintf(file, "%d %d %d %d %d\n", t + 1, v[0] + 1, v[1] + 1, v[2] + 1, v[3] + 1);
  }
}

// -- binary formats -------------------------------------------------------------------------------

static void write_reversed(const void *value, size_t bytes, bool reversed, FILE *file)
{
  unsigned char turned[8];
  for (size_t i = 0; i < bytes; i++) {
    turned[i] = ((const unsigned char *)value)[reversed ? bytes - 1 - i : i];
  }
  fwrite(turned, 1, bytes, file);
}

static void write_stl_binary(const Reference *solid, FILE *file)
{
  const MeshBlock *b = solid->surface;
  const char head[80] = "solid by name, binary by size";
  const uint32_t count = (uint32_t)b->triangle_count;
  fwrite(head, 1, sizeof head, file);
  write_reversed(&count, 4, false, file);
  for (int t = 0; t < b->triangle_count; t++) {
    for (int k = -3; k < 9; k++) {
      const float x = k < 0 ? 0 : (float)(&b->points[b->triangles[t][k / 3]].x)[k % 3];
      write_reversed(&x, 4, false, file);
    }
    fwrite("\0\0", 1, 2, file);
  }
}

typedef enum { PLY_TEXT, PLY_LITTLE, PLY_BIG } PlyKind;

static void write_ply(const Reference *solid, PlyKind kind, FILE *file)
{
  static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  const MeshSoup *s = &solid->polygons->soup;
  fprintf(file,
          "ply\nformat %s 1.0\nelement vertex %d\nproperty double x\nproperty float y\nproperty "
          "double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
          names[kind], s->point_count, s->face_count);
  const bool big = kind == PLY_BIG;
  for (int i = 0; i < s->point_count; i++) {
    const vec3 p = s->points[i];
    const float y = (float)p.y;
    if (kind == PLY_TEXT) {
      fprintf(file, "%.17g %.17g %.17g\n", p.x, p.y, p.z);
      continue;
    }
    write_reversed(&p.x, 8, big, file);
    write_reversed(&y, 4, big, file);
    write_reversed(&p.z, 8, big, file);
  }
  for (int f = 0; f < s->face_count; f++) {
    const unsigned char count = (unsigned char)(s->face_start[f + 1] - s->face_start[f]);
    if (kind == PLY_TEXT) fprintf(file, "%d", count);
    else fwrite(&count, 1, 1, file);
    for (int c = s->face_start[f]; c < s->face_start[f + 1]; c++) {
      const int32_t corner = s->corners[c];
      if (kind == PLY_TEXT) fprintf(file, " %d", corner);
      else write_reversed(&corner, 4, big, file);
    }
    if (kind == PLY_TEXT) fputs("\n", file);
  }
}

static void write_ply_text(const Reference *solid, FILE *file) { write_ply(solid, PLY_TEXT, file); }
static void write_ply_little(const Reference *solid, FILE *file)
{
  write_ply(solid, PLY_LITTLE, file);
}
static void write_ply_big(const Reference *solid, FILE *file) { write_ply(solid, PLY_BIG, file); }

// -- Gmsh -----------------------------------------------------------------------------------------

// Elements of one kind: type, corners each, and where they are.
typedef struct {
  int type, dimension, corners, count;
  const int *vertices;
  int point_count;
  const vec3 *points;
} Elements;

static Elements surface_elements(const Reference *solid)
{
  const MeshBlock *b = solid->surface;
  return (Elements){2, 2, 3, b->triangle_count, b->triangles[0], b->point_count, b->points};
}

static Elements tetra_elements(const Reference *solid)
{
  const MeshSoup *s = &solid->tetra->soup;
  return (Elements){4, 3, 4, s->tetra_count, s->tetra[0], s->point_count, s->points};
}

static void write_gmsh_2(Elements e, FILE *file)
{
  fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", e.point_count);
  for (int i = 0; i < e.point_count; i++) {
    fprintf(file, "%d %.17g %.17g %.17g\n", 3 * i + 5, e.points[i].x, e.points[i].y, e.points[i].z);
  }
  fprintf(file, "$EndNodes\n$Elements\n%d\n", e.count);
  for (int i = 0; i < e.count; i++) {
    fprintf(file, "%d %d 2 0 1", i + 1, e.type);
    for (int k = 0; k < e.corners; k++) fprintf(file, " %d", 3 * e.vertices[e.corners * i + k] + 5);
    fputs("\n", file);
  }
  fprintf(file, "$EndElements\n");
}

static void write_gmsh_4(Elements e, FILE *file)
{
  fprintf(file, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 %d 1 %d\n%d 1 0 %d\n",
          e.point_count, e.point_count, e.dimension, e.point_count);
  for (int i = 0; i < e.point_count; i++) fprintf(file, "%d\n", i + 1);
  for (int i = 0; i < e.point_count; i++)
    fprintf(file, "%.17g %.17g %.17g\n", e.points[i].x, e.points[i].y, e.points[i].z);
  fprintf(file, "$EndNodes\n$Elements\n1 %d 1 %d\n%d 1 %d %d\n", e.count, e.count, e.dimension,
          e.type, e.count);
  for (int i = 0; i < e.count; i++) {
    fprintf(file, "%d", i + 1);
    for (int k = 0; k < e.corners; k++) fprintf(file, " %d", e.vertices[e.corners * i + k] + 1);
    fputs("\n", file);
  }
  fprintf(file, "$EndElements\n");
}

static void write_gmsh_2_surface(const Reference *solid, FILE *file)
{
  write_gmsh_2(surface_elements(solid), file);
}
static void write_gmsh_2_tetra(const Reference *solid, FILE *file)
{
  write_gmsh_2(tetra_elements(solid), file);
}
static void write_gmsh_4_surface(const Reference *solid, FILE *file)
{
  write_gmsh_4(surface_elements(solid), file);
}
static void write_gmsh_4_tetra(const Reference *solid, FILE *file)
{
  write_gmsh_4(tetra_elements(solid), file);
}

static const Writer WRITERS[] = {
    {"OBJ", {"stone.obj"}, false, {write_obj}},
    {"STL, text", {"stone.stl"}, false, {write_stl_text}},
    {"STL, binary", {"stone.STL"}, false, {write_stl_binary}},
    {"PLY, text", {"stone.ply"}, false, {write_ply_text}},
    {"PLY, little-endian", {"stone.ply"}, false, {write_ply_little}},
    {"PLY, big-endian", {"stone.ply"}, false, {write_ply_big}},
    {"TetGen .smesh", {"stone.smesh"}, false, {write_smesh}},
    {"TetGen .face", {"stone.face", "stone.node"}, false, {write_faces, write_surface_nodes}},
    {"TetGen .ele", {"stone.ele", "stone.node"}, true, {write_ele, write_tetra_nodes}},
    {"Gmsh 2.2, surface", {"stone.msh"}, false, {write_gmsh_2_surface}},
    {"Gmsh 2.2, tetrahedra", {"stone.msh"}, true, {write_gmsh_2_tetra}},
    {"Gmsh 4.1, surface", {"stone.msh"}, false, {write_gmsh_4_surface}},
    {"Gmsh 4.1, tetrahedra", {"stone.msh"}, true, {write_gmsh_4_tetra}},
};

// -- comparison -----------------------------------------------------------------------------------

static void check_measures(const MeshBlock *b, ExactMeasures exact)
{
  CHECK_NEAR(b->volume, exact.volume, 1e-12 * exact.volume);
  const double reach = vec3_norm(exact.centroid) + cbrt(exact.volume);
  CHECK_NEAR(vec3_norm(vec3_sub(b->centroid, exact.centroid)), 0, 1e-12 * reach);
  for (int k = 0; k < 9; k++) {
    CHECK_NEAR((&b->inertia.row[k / 3].x)[k % 3], (&exact.inertia.row[k / 3].x)[k % 3],
               1e-12 * exact.inertia.row[0].x);
  }
}

static void check_format(const Writer *writer, const Reference *solid, ExactMeasures exact)
{
  Arena arena = arena_new();
  char *bytes[2] = {NULL, NULL};
  MeshText texts[2];
  int count = 0;
  for (; count < 2 && writer->path[count]; count++) {
    size_t size = 0;
    FILE *file = open_memstream(&bytes[count], &size);
    writer->write[count](solid, file);
    fclose(file);
    texts[count] = (MeshText){writer->path[count], bytes[count], size};
  }
  MeshSoup soup;
  MeshBlocks mesh_blocks = {0};
  char error[1024] = "";
  const bool sound = mesh_parse((MeshFiles){mesh_format(writer->path[0]), count, texts}, &arena,
                                &soup, (ErrorText){error, sizeof error}) &&
                     mesh_block_make(&soup, (MeshFrame){.scale = 1, .up = 2, .flat = MESH_AS_IT_IS},
                                     &arena, &mesh_blocks, (ErrorText){error, sizeof error});
  if (CHECK(sound && mesh_blocks.count == 1)) {
    check_measures(&mesh_blocks.of[0], exact);
    CHECK(mesh_blocks.of[0].convex == solid->surface->convex);
    CHECK(mesh_blocks.of[0].repairs.polygons == solid->surface->repairs.polygons);
    CHECK((mesh_blocks.of[0].tetra_count > 0) == writer->needs_tetra);
    CHECK(mesh_blocks.of[0].repairs.turned_faces == 0 && !mesh_blocks.of[0].repairs.inside_out);
  } else {
    printf("%s: %d bodies, %s\n", writer->name, mesh_blocks.count, error);
  }
  for (int i = 0; i < count; i++) free(bytes[i]);
  arena_destroy(&arena);
}

// Tetrahedra of a convex solid: a fan from its first point. Of an L: its boxes. NULL for others.
static const Sketch *fill(const Sketch *s, const MeshBlock *surface, int kind, Arena *arena)
{
  Sketch *t = sketch_new(arena);
  if (surface->convex) {
    t->soup.point_count = surface->point_count;
    memcpy(t->points, surface->points, (size_t)surface->point_count * sizeof(vec3));
    for (int i = 0; i < surface->triangle_count; i++) {
      const int *v = surface->triangles[i], *p = surface->polygon;
      bool beside = false;   // in a plane through the first point
      for (int k = 0; k < surface->triangle_count; k++) {
        const int *w = surface->triangles[k];
        beside = beside || (p[k] == p[i] && (w[0] == 0 || w[1] == 0 || w[2] == 0));
      }
      if (!beside) sketch_tetra(t, 0, v[0], v[1], v[2]);
    }
    return t;
  }
  if (kind != 4) return NULL;
  for (int b = 0; b < 4; b++) {
    const vec3 low = {b < 3 ? b : 0, 0, b < 3 ? 0 : 1};
    sketch_tetra_box(t, low, vec3_add(low, (vec3){1, 1, 1}));
  }
  // common points, and no others
  for (int c = 0; c < 4 * t->soup.tetra_count; c++) {
    int *v = &t->tetra[c / 4][c % 4];
    for (int i = 0; i < *v; i++) {
      if (memcmp(&t->points[i], &t->points[*v], sizeof(vec3)) == 0) *v = i;
    }
  }
  CHECK(s->soup.face_count > 0);
  return t;
}

int main(void)
{
  for (int kind = 0; kind < SKETCH_KINDS; kind++) {
    Arena arena = arena_new();
    Sketch *s = sketch_new(&arena);
    sketch_solid(s, kind);
    const ExactMeasures exact = sketch_measures(s);
    MeshBlocks mesh_blocks;
    char error[1024];
    if (CHECK(mesh_block_make(&s->soup, (MeshFrame){.scale = 1, .up = 2, .flat = MESH_AS_IT_IS},
                              &arena, &mesh_blocks, (ErrorText){error, sizeof error}))) {
      const MeshBlock *surface = &mesh_blocks.of[0];
      const Reference solid = {s, surface, fill(s, surface, kind, &arena)};
      for (size_t w = 0; w < sizeof WRITERS / sizeof WRITERS[0]; w++) {
        if (solid.tetra || !WRITERS[w].needs_tetra) check_format(&WRITERS[w], &solid, exact);
      }
    }
    arena_destroy(&arena);
  }
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
