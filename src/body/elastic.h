#pragma once
// What bodies that deform are made of: reference data of each shape and material, made on first use
// and stored once per rank.
#include "affine.h"
#include "arena.h"
#include "bodies.h"
#include "check.h"
#include "error_text.h"
#include "finite_response.h"
#include "shape.h"

typedef struct ElasticEntry ElasticEntry;

#define ELASTIC_MOST_CELLS 64            // along an axis
#define ELASTIC_MOST_NODES 250           // of a piece, unless told
#define ELASTIC_MOST_TETRAHEDRA 100000   // of a size, in a shape
#define ELASTIC_FLAT 1e-4                // quality of a cell (finite_mesh.h) below which it is flat
#define ELASTIC_VOLUME 1e-5              // of the shape's, by which that of the cells may differ

// The finite elements of a shape; one of the first three says which, none: it has none.
typedef struct {
  int cells[3];             // hexahedra along each of its axes
  unsigned held;            // sides of these that go with the frame: bit 2 axis + (1: upper one)
  unsigned inner;           // likewise, sides that are cuts through a larger body
  double size;              // length of edges of tetrahedra, about, m
  bool of_file;             // cells of the file that the shape is of
  const FiniteMesh *made;   // those of the last two, in the body frame; NULL: not yet
  const FiniteSurface *outer;   // of a piece of a body of a file: faces that are no cuts; else NULL
  double bulge;                 // m3, of the cuts (finite_pieces.h)
} ElasticMesh;

// Local. Has a shape finite elements? Do two ask for the same?
static inline bool elastic_mesh_is(const ElasticMesh *mesh)
{
  assert_debug(mesh->cells[0] >= 0 && "cells are counted");
  return mesh->cells[0] > 0 || mesh->size > 0 || mesh->of_file;
}
static inline bool elastic_mesh_same(const ElasticMesh *a, const ElasticMesh *b)
{
  assert_debug(a->size >= 0 && b->size >= 0 && "sizes are lengths");
  return a->cells[0] == b->cells[0] && a->cells[1] == b->cells[1] && a->cells[2] == b->cells[2] &&
         a->size == b->size && a->of_file == b->of_file && a->held == b->held &&
         a->inner == b->inner && a->outer == b->outer;
}

struct ElasticSet {
  ShapeSet *shapes;                    // outlive the set
  const double *densities;             // [materials] kg/m3
  const ElasticLaw *laws;              // [materials]
  const ElasticMesh *meshes;           // [shapes]; NULL: no shape has one
  double step, high_frequency_ratio;   // of the time scheme, s, 1
  ElasticEntry **of_shape;             // [shapes] lists by material
  FiniteShape **mesh_of;               // [shapes] NULL until asked for
  Arena arena;
};

// Local. An empty set of as many shapes; others of its fields are those of the template.
ElasticSet elastic_new(const ElasticSet *like);
void elastic_destroy(ElasticSet *set);

// Local. The reference data of a shape of a material that has an elastic law.
const Affine *elastic_affine(ElasticSet *set, int shape, int material);

// A body of finite elements.
typedef struct {
  const FiniteShape *shape;
  FiniteBody *body;
  FiniteResponse response;
  vec3 *load, *rate;   // [nodes] scratch of those who move it
} ElasticFinite;

// Local. What bodies of a material are made of, whose shape has a mesh; that is known to be sound
// (elastic_mesh_fault, elastic_mesh_fits).
const ElasticFinite *elastic_finite(ElasticSet *set, int shape, int material);

// Local. How many nodes the mesh of a shape has.
int elastic_nodes(const ElasticMesh *mesh);

// Local. Is a side of a shape a cut through a larger body? middle: of the side, body frame, m.
bool elastic_is_inner(const ElasticMesh *mesh, const Shape *shape, vec3 middle);

// Local. Fills which nodes are held, [elastic_nodes]. As yet beside this file for the tests.
void elastic_held(const ElasticMesh *mesh, bool *held);

// Local. The mesh of a shape, in the body frame (finite_mesh_destroy).
FiniteMesh elastic_mesh(const Shape *shape, const ElasticMesh *mesh);

// Local. Why a shape cannot have these cells, a phrase; NULL: it can.
const char *elastic_mesh_fault(const Shape *shape, const ElasticMesh *mesh);

// Local. False with a phrase where tetrahedra of a size, m, are too many in a shape.
bool elastic_size_fits(const Shape *shape, double size, ErrorText reason);

// Local. False with a phrase where cells that were made for a shape, in the body frame, are flat,
// turned inside out anywhere, or do not fill it. bulge: volume by which they may differ besides,
// m3.
bool elastic_mesh_fits(const FiniteMesh *mesh, const Shape *shape, double bulge, ErrorText reason);
