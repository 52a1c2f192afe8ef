#pragma once
// What bodies that deform are made of: reference data of each shape and material, made on first use
// and stored once per rank.
#include "affine.h"
#include "arena.h"
#include "bodies.h"
#include "shape.h"

typedef struct ElasticEntry ElasticEntry;

struct ElasticSet {
  ShapeSet *shapes;                    // outlive the set
  const double *densities;             // [materials] kg/m3
  const ElasticLaw *laws;              // [materials]
  double step, high_frequency_ratio;   // of the time scheme, s, 1
  ElasticEntry **of_shape;             // [shapes] lists by material
  Arena arena;
};

// Local. An empty set of as many shapes; others of its fields are those of the template.
ElasticSet elastic_new(const ElasticSet *like);
void elastic_destroy(ElasticSet *set);

// Local. The reference data of a shape of a material that has an elastic law.
const Affine *elastic_affine(ElasticSet *set, int shape, int material);
