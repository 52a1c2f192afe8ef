// Sums over the simplices that see a place, equal terms merged.
//
// Every simplex has its nearest point in some open cell, edge or vertex, the feature. Terms of one
// feature are one number times an integer, so that they cancel to the bit where they do.
#include "barrier_place.h"

#include <assert.h>
#include <math.h>

#include "barrier_law.h"
#include "symmetric.h"

// The feature where a simplex is nearest: cells come first, then edges, then vertices.
typedef struct {
  int number;
  double distance;   // m
  vec3 normal;       // from there to the place, unit
} Feature;

typedef struct {
  Feature at;
  int times;
} Term;

typedef struct {
  const BarrierSurface *surface;
  vec3 place;
  double distance;
  int count, capacity;
  Term *terms;
  Arena *scratch;
} Sum;

static Feature feature_of(int number, vec3 between)
{
  const double d = vec3_norm(between);
  return (Feature){number, d, d > 0 ? vec3_scale(1 / d, between) : (vec3){0, 0, 0}};
}

static Feature nearest_vertex(const Sum *sum, int vertex)
{
  const BarrierSurface *s = sum->surface;
  return feature_of(s->cell_count + s->edge_count + vertex,
                    vec3_sub(sum->place, s->vertices[vertex]));
}

static Feature nearest_of_edge(const Sum *sum, int e)
{
  const BarrierEdge *edge = &sum->surface->edges[e];
  const vec3 from = vec3_sub(sum->place, sum->surface->vertices[edge->vertex[0]]);
  const double along = vec3_dot(from, edge->direction);
  if (along <= 0) return nearest_vertex(sum, edge->vertex[0]);
  if (along >= edge->length) return nearest_vertex(sum, edge->vertex[1]);
  return feature_of(sum->surface->cell_count + e, vec3_axpy(-along, edge->direction, from));
}

// height: of the place above the cell's plane, above 0.
static Feature nearest_of_cell(const Sum *sum, int c, double height)
{
  const BarrierSurface *s = sum->surface;
  const BarrierCell *cell = &s->cells[c];
  Feature nearest = {c, height, cell->normal};
  for (int k = cell->first; k < cell->end; k++) {
    const BarrierCorner corner = s->corners[k];
    const BarrierEdge *edge = &s->edges[corner.edge];
    const vec3 from = vec3_sub(sum->place, s->vertices[corner.vertex]);
    const vec3 inwards = vec3_cross(cell->normal, edge->direction);
    const double inside = vec3_dot(inwards, from);
    if ((edge->vertex[0] == corner.vertex ? inside : -inside) >= 0) continue;
    const Feature beside = nearest_of_edge(sum, corner.edge);
    if (nearest.number == c || beside.distance < nearest.distance) nearest = beside;
  }
  return nearest;
}

static void add_term(Sum *sum, Feature feature, int times)
{
  if (feature.distance >= sum->distance) return;
  for (int i = 0; i < sum->count; i++) {
    if (sum->terms[i].at.number != feature.number) continue;
    sum->terms[i].times += times;
    return;
  }
  sum->terms =
      arena_grow(sum->scratch, sum->terms, sum->count + 1, &sum->capacity, sizeof *sum->terms);
  sum->terms[sum->count++] = (Term){feature, times};
}

static double height_above(const Sum *sum, int c)
{
  const BarrierCell *cell = &sum->surface->cells[c];
  return vec3_dot(cell->normal, sum->place) - cell->offset;
}

static bool all_see(const Sum *sum, const int *cells, int count)
{
  for (int k = 0; k < count; k++) {
    if (!(height_above(sum, cells[k]) > 0)) return false;
  }
  return true;
}

// A cell that sees the place, with the edges and vertices inside of which it is the first one.
static void add_cell(Sum *sum, int c, double height)
{
  const BarrierSurface *s = sum->surface;
  const BarrierCell *cell = &s->cells[c];
  add_term(sum, nearest_of_cell(sum, c, height), 1);
  for (int k = cell->first; k < cell->end; k++) {
    const BarrierEdge *edge = &s->edges[s->corners[k].edge];
    if (edge->cell[0] == c && all_see(sum, &edge->cell[1], 1))
      add_term(sum, nearest_of_edge(sum, s->corners[k].edge), -1);
    const int v = s->corners[k].vertex;
    const int *around = s->around_cells + s->around[v];
    if (around[0] == c && all_see(sum, around + 1, s->around[v + 1] - s->around[v] - 1))
      add_term(sum, nearest_vertex(sum, v), 1);
  }
}

// The rest of the sum: a barrier for each term.
static BarrierPlace add_up(const Sum *sum)
{
  BarrierPlace place = {.gap = INFINITY};
  bool negative = false;
  for (int i = 0; i < sum->count; i++) {
    const Term *term = &sum->terms[i];
    if (term->times == 0) continue;
    const vec3 n = term->at.normal;
    const double times = term->times;
    if (!(term->at.distance > 0)) {
      place.gap = 0;
      continue;
    }
    const BarrierValue b = barrier_law_at(term->at.distance, sum->distance);
    place.terms++;
    place.value += times * b.value;
    place.gradient = vec3_axpy(times * b.slope, n, place.gradient);
    place.weight = symmetric_add_dyad(place.weight, times * b.curvature, n);
    negative = negative || term->times < 0;
    if (term->times > 0 && term->at.distance < place.gap) {
      place.gap = term->at.distance;
      place.normal = n;
    }
  }
  if (negative) place.weight = symmetric_positive_part(place.weight);
  return place;
}

BarrierPlace barrier_place_find(const BarrierSurface *surface, vec3 place, double distance,
                                Arena *scratch)
{
  assert(distance > 0 && surface->cell_count > 0 && "a surface and how far it acts");
  const ArenaMark mark = arena_mark(scratch);
  Sum sum = {.surface = surface, .place = place, .distance = distance, .scratch = scratch};
  for (int c = 0; c < surface->cell_count; c++) {
    const Box box = surface->cells[c].box;
    if (place.x < box.low.x - distance || place.x > box.high.x + distance ||
        place.y < box.low.y - distance || place.y > box.high.y + distance ||
        place.z < box.low.z - distance || place.z > box.high.z + distance)
      continue;
    const double height = height_above(&sum, c);
    if (height > 0 && height < distance) add_cell(&sum, c, height);
  }
  const BarrierPlace result = add_up(&sum);
  arena_release(scratch, mark);
  return result;
}
