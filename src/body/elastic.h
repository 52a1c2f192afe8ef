#pragma once
// What bodies that deform are made of: reference data of each shape and material, made on first use
// and stored once per rank.
#include "affine.h"
#include "arena.h"
#include "bodies.h"
#include "finite_response.h"
#include "shape.h"

typedef struct ElasticEntry ElasticEntry;

#define ELASTIC_MOST_CELLS 64   // along an axis

// The finite elements of a shape.
typedef struct {
  int cells[3];    // hexahedra along each of its axes; zeros: it has none
  unsigned held;   // sides whose nodes go with the body's frame: bit 2 axis + (1: the upper one)
} ElasticMesh;

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
// (elastic_mesh_fault).
const ElasticFinite *elastic_finite(ElasticSet *set, int shape, int material);

// Local. How many nodes the mesh of a shape has.
int elastic_nodes(const ElasticMesh *mesh);

// Local. Fills which nodes are held, [elastic_nodes]. As yet beside this file for the tests.
void elastic_held(const ElasticMesh *mesh, bool *held);

// Local. The mesh of a shape, in the body frame (finite_mesh_destroy).
FiniteMesh elastic_mesh(const Shape *shape, const ElasticMesh *mesh);

// Local. Why a shape cannot have these cells, a phrase; NULL: it can.
const char *elastic_mesh_fault(const Shape *shape, const ElasticMesh *mesh);
