// Scores contact points: quality, coverage, excess, and areas against true polygons.
#include "quality_score.h"

#include <assert.h>
#include <stdlib.h>

#include "contacts.h"
#include "planar.h"

#define TRUE_CORNER 1e-9   // m: corners of true polygons stand out by more

typedef struct {
  const ShownScene *shown;
  double tolerance;   // distance from a feasible normal up to which one is right, 1
  mat3 turn;          // of the scene
  Arena *arena;
  QualityScore *score;
  int right, normals, seen;          // points and normals, and normals that were found
  double area, carried, true_area;   // of all contacts so far, m2
} Judge;

// The true polygon: the two plane faces as they lie on each other.
static PlanarPolygon true_polygon(const Judge *judge, const QualityInterface *contact)
{
  assert(contact->corner_count[0] > 0 && contact->corner_count[1] > 0 && "the contact has an area");
  const mat3 basis = contacts_basis(contact->normals[0]);
  PlanarPolygon faces[2] = {{.count = contact->corner_count[0]},
                            {.count = contact->corner_count[1]}};
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < faces[side].count; k++) {
      const vec3 x =
          quality_setup_place(judge->shown->scenes, judge->shown->scene, judge->shown->setup,
                              side ? contact->high : contact->low, contact->corners[side][k]);
      faces[side].corners[k] = (PlanarPoint){vec3_dot(basis.row[1], x), vec3_dot(basis.row[2], x)};
    }
  }
  return planar_common(&faces[0], &faces[1]);
}

// Area of the hull of the points projected along the true normal (Erleben, equation 3).
static double hull_area(const Judge *judge, const QualityInterface *contact,
                        const QualityPoints *found)
{
  assert(found->count >= 0 && contact->normal_count > 0 && "the contact has a true normal");
  const mat3 basis = contacts_basis(mat3_mul(judge->turn, contact->normals[0]));
  const ArenaMark mark = arena_mark(judge->arena);
  PlanarPoint *points = arena_allocate(judge->arena, (size_t)found->count * sizeof *points);
  PlanarPoint *scratch = arena_allocate(judge->arena, (size_t)found->count * sizeof *scratch);
  for (int i = 0; i < found->count; i++) {
    const vec3 x = found->points[i].point;
    points[i] = (PlanarPoint){vec3_dot(basis.row[1], x), vec3_dot(basis.row[2], x)};
  }
  const double area = planar_hull_area(points, found->count, scratch);
  arena_release(judge->arena, mark);
  return area;
}

static void judge_area(Judge *judge, const QualityInterface *contact, const QualityPoints *found)
{
  QualityScore *score = judge->score;
  if (contact->corner_count[0] == 0) {
    score->least_points += contact->least_points;
    return;
  }
  // bodies that were pushed aside meet in polygons of other corners
  const PlanarPolygon polygon = true_polygon(judge, contact);
  score->least_points += judge->shown->setup->shove > 0 ? planar_corner_count(&polygon, TRUE_CORNER)
                                                        : contact->least_points;
  const double wanted = fabs(planar_area(polygon.corners, polygon.count));
  const double area = hull_area(judge, contact, found);
  double tributary = 0;
  for (int i = 0; i < found->count; i++) tributary += found->points[i].area;
  judge->area += area;
  judge->carried += tributary;
  judge->true_area += wanted;
  score->low_ratio = smaller_of(score->low_ratio, area / wanted);
  score->high_ratio = larger_of(score->high_ratio, area / wanted);
  score->low_carried = smaller_of(score->low_carried, tributary / wanted);
  score->tributary_error = larger_of(score->tributary_error, fabs(tributary - area) / wanted);
}

// The points of two bodies; contact NULL: these do not touch.
static void judge_pair(Judge *judge, const QualityInterface *contact, const QualityPoints *found)
{
  assert((contact == NULL || contact->normal_count <= SCENE_MAX_NORMALS) &&
         "normals are in their room");
  QualityScore *score = judge->score;
  bool seen[SCENE_MAX_NORMALS] = {false};
  for (int i = 0; i < found->count; i++) {
    const QualityPoint *point = &found->points[i];
    double nearest = 2, cosine = 0;
    for (int k = 0; contact && k < contact->normal_count; k++) {
      const vec3 wanted = mat3_mul(judge->turn, contact->normals[k]);
      const double off = vec3_norm(vec3_sub(point->normal, wanted));
      if (off <= judge->tolerance) seen[k] = true;
      nearest = smaller_of(nearest, off);
      cosine = larger_of(cosine, fabs(vec3_dot(point->normal, wanted)));
    }
    judge->right += nearest <= judge->tolerance;
    score->worst_normal = larger_of(score->worst_normal, nearest);
    score->mean_cosine += cosine;
    score->low_gap = smaller_of(score->low_gap, point->gap);
    score->high_gap = larger_of(score->high_gap, point->gap);
  }
  score->points += found->count;
  score->failed += found->failed;
  if (!contact) return;
  judge->normals += contact->normal_count;
  for (int k = 0; k < contact->normal_count; k++) judge->seen += seen[k];
  judge_area(judge, contact, found);
}

QualityScore quality_score(const ShownScene *shown, const QualityFinder *finder, double tolerance,
                           Arena *arena)
{
  const QualityScene *scene = shown->scene;
  assert(scene->body_count > 0 && "the scene has bodies");
  assert(tolerance >= 0 && "a normal is right within a distance");
  QualityScore score = {.area_ratio = 1,
                        .carried_ratio = 1,
                        .low_carried = 1,
                        .low_ratio = 1,
                        .high_ratio = 1,
                        .low_gap = INFINITY,
                        .high_gap = -INFINITY};
  Judge judge = {.shown = shown,
                 .tolerance = tolerance,
                 .turn = quality_setup_turn(shown->setup),
                 .arena = arena,
                 .score = &score};
  int next = 0;   // contact, in the order of pairs
  for (int low = 0; low < scene->body_count; low++) {
    for (int high = low + 1; high < scene->body_count; high++) {
      const QualityInterface *contact =
          next < scene->interface_count ? &scene->interfaces[next] : NULL;
      if (contact && (contact->low != low || contact->high != high)) contact = NULL;
      if (contact) next++;
      const ArenaMark mark = arena_mark(arena);
      const QualityPoints found = finder->find(finder, low, high, arena);
      judge_pair(&judge, contact, &found);
      arena_release(arena, mark);
    }
  }
  score.coverage = 100.0 * judge.seen / judge.normals;
  if (judge.true_area > 0) {
    score.has_area = true;
    score.true_area = judge.true_area;
    score.area_ratio = judge.area / judge.true_area;
    score.carried_ratio = judge.carried / judge.true_area;
  }
  if (score.points == 0) {
    score.low_gap = score.high_gap = 0;
    return score;
  }
  score.quality = 100.0 * judge.right / score.points;
  score.mean_cosine /= score.points;
  return score;
}

double quality_excess(const QualityScore *score)
{
  assert(score->least_points > 0 && "a scene needs points");
  return (double)score->points / score->least_points;
}

// Of two ratios that should be 1.
static double worse_ratio(double a, double b) { return fabs(a - 1) >= fabs(b - 1) ? a : b; }

QualityScore quality_score_worse(const QualityScore *a, const QualityScore *b)
{
  const bool first = abs(a->points - a->least_points) >= abs(b->points - b->least_points);
  return (QualityScore){.points = first ? a->points : b->points,
                        .least_points = first ? a->least_points : b->least_points,
                        .failed = a->failed > b->failed ? a->failed : b->failed,
                        .quality = smaller_of(a->quality, b->quality),
                        .coverage = smaller_of(a->coverage, b->coverage),
                        .worst_normal = larger_of(a->worst_normal, b->worst_normal),
                        .mean_cosine = smaller_of(a->mean_cosine, b->mean_cosine),
                        .has_area = a->has_area,
                        .true_area = a->true_area,
                        .area_ratio = worse_ratio(a->area_ratio, b->area_ratio),
                        .low_ratio = smaller_of(a->low_ratio, b->low_ratio),
                        .high_ratio = larger_of(a->high_ratio, b->high_ratio),
                        .carried_ratio = worse_ratio(a->carried_ratio, b->carried_ratio),
                        .low_carried = smaller_of(a->low_carried, b->low_carried),
                        .tributary_error = larger_of(a->tributary_error, b->tributary_error),
                        .low_gap = smaller_of(a->low_gap, b->low_gap),
                        .high_gap = larger_of(a->high_gap, b->high_gap)};
}
