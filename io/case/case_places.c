// Looks at where bodies are at the start: what is inside what, what carries them, what is below.
#include "case_places.h"

#include <assert.h>
#include <math.h>

#include "arena.h"
#include "box_overlap.h"
#include "check.h"
#include "gjk.h"
#include "ground.h"
#include "kind.h"
#include "log.h"
#include "plural.h"
#include "recipe.h"
#include "scene.h"
#include "search.h"

// Pairs of a part at rest and one that stands that are looked at, within about a second.
#define MOST_LOOKS 100000000

// Steps of a falling part until it lands, and the distance at which it has, of the way it can fall.
#define MOST_FALLS 200
#define FALLEN 1e-6

// Parts that still meet when each is this much of its size overlap by a tenth of it: far more than
// the rounding of files and mortar joints, less than a slip of a whole block.
#define CORE 0.9

// Of its extent a part's box is grown by this to find what it nearly touches; closer than TOUCH it
// does touch: ten times the default margin of contacts.
#define NEAR 0.1
#define TOUCH 1e-2

// Points on a side of the grid on a cube that stands for an ellipsoid: the hull of its points is
// within half a hundredth of the radius of the ellipsoid.
#define ROUND_POINTS 12

// One convex part, sphere or ellipsoid of a body of the start.
typedef struct {
  int body, part;
} StartPart;

typedef struct {
  uint64_t id;
  BodyRecipe recipe;
  mat3 rotation;
  bool rests;    // it is dynamic and begins without velocity: what it stands on must be there
  bool poured;   // one of many stones, which are meant to fall
} StartBody;

typedef struct {
  const Case *c;
  int body_count, piece_count;
  StartBody *bodies;
  StartPart *pieces;
  Box *boxes;   // of pieces, m
  Arena arena;
} Start;

// Points all over an ellipsoid in the world: those of a grid on a cube, thrown onto it.
static vec3 *ellipsoid_points(Start *start, const StartBody *body, double scale, int *count)
{
  const vec3 radii = vec3_scale(scale, start->c->shapes[body->recipe.shape].radii);
  vec3 *points = arena_allocate(&start->arena, 6 * ROUND_POINTS * ROUND_POINTS * sizeof *points);
  *count = 0;
  for (int side = 0; side < 6; side++) {
    for (int i = 0; i < ROUND_POINTS * ROUND_POINTS; i++) {
      double x[3];
      x[side % 3] = side < 3 ? -1 : 1;
      x[(side + 1) % 3] = 2.0 * (i / ROUND_POINTS) / (ROUND_POINTS - 1) - 1;
      x[(side + 2) % 3] = 2.0 * (i % ROUND_POINTS) / (ROUND_POINTS - 1) - 1;
      const double size = 1 / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      const vec3 arm = {size * radii.x * x[0], size * radii.y * x[1], size * radii.z * x[2]};
      points[(*count)++] = vec3_add(body->recipe.origin, mat3_mul(body->rotation, arm));
    }
  }
  return points;
}

// The corners of the box of a surface, which stand for it here.
static PartRecipe box_of_surface(Start *start, const ShapeRecipe *shape)
{
  assert(shape->surface_alone && "a surface is one list of points");
  vec3 low, high;
  recipe_bounds(shape, &low, &high);
  PartRecipe box = recipe_box(vec3_sub(high, low), &start->arena);
  const vec3 middle = vec3_scale(0.5, vec3_add(low, high));
  for (int i = 0; i < box.count; i++) box.points[i] = vec3_add(box.points[i], middle);
  return box;
}

// The corners of a piece in the world, shrunk towards their middle; of a sphere its centre.
static vec3 *piece_points(Start *start, int index, double scale, int *count)
{
  assert(index >= 0 && scale > 0 && "a piece has a number and a size");
  const StartBody *body = &start->bodies[start->pieces[index].body];
  const ShapeRecipe *shape = &start->c->shapes[body->recipe.shape];
  if (shape->radii.x > 0) return ellipsoid_points(start, body, scale, count);
  const PartRecipe box = shape->surface_alone ? box_of_surface(start, shape) : (PartRecipe){0};
  const PartRecipe *part = shape->surface_alone    ? &box
                           : shape->part_count > 0 ? &shape->parts[start->pieces[index].part]
                                                   : NULL;
  *count = part ? part->count : 1;
  vec3 *points = arena_allocate(&start->arena, (size_t)*count * sizeof *points);
  if (!part) {
    points[0] = body->recipe.origin;
    return points;
  }
  vec3 middle = {0, 0, 0};
  for (int i = 0; i < *count; i++) middle = vec3_add(middle, part->points[i]);
  middle = vec3_scale(1.0 / *count, middle);
  for (int i = 0; i < *count; i++) {
    const vec3 arm = vec3_axpy(scale, vec3_sub(part->points[i], middle), middle);
    points[i] = vec3_add(body->recipe.origin, mat3_mul(body->rotation, arm));
  }
  return points;
}

static double piece_radius(const Start *start, int index)
{
  return start->c->shapes[start->bodies[start->pieces[index].body].recipe.shape].radius;
}

// Distance of two pieces when each is so much of its size, m; at most 0: they meet.
static double distance(Start *start, int a, int b, double scale)
{
  assert(a != b && scale > 0 && "two pieces have a distance");
  const ArenaMark mark = arena_mark(&start->arena);
  int a_count, b_count;
  const vec3 *a_points = piece_points(start, a, scale, &a_count);
  const vec3 *b_points = piece_points(start, b, scale, &b_count);
  const double apart = gjk_distance(a_points, a_count, b_points, b_count).distance;
  arena_release(&start->arena, mark);
  return apart - scale * (piece_radius(start, a) + piece_radius(start, b));
}

static double extent_of(Box box)
{
  const vec3 side = vec3_sub(box.high, box.low);
  return fmax(side.x, fmax(side.y, side.z));
}

static Box piece_box(Start *start, int index)
{
  const ArenaMark mark = arena_mark(&start->arena);
  int count;
  const vec3 *points = piece_points(start, index, 1, &count);
  const Box box = box_grow(box_of_points(points, count), piece_radius(start, index));
  arena_release(&start->arena, mark);
  return box;
}

static int64_t count_pieces(const Case *c, const IdRange *ranges, int range_count)
{
  assert(range_count >= 0 && "ranges are counted");
  int64_t pieces = 0;
  for (int r = 0; r < range_count; r++)
    for (uint64_t id = ranges[r].first; id < ranges[r].end; id++) {
      const int parts = c->shapes[scene_body(c, id).shape].part_count;
      pieces += parts > 0 ? parts : 1;
      if (pieces > CASE_PLACES_MOST_PARTS) return pieces;
    }
  return pieces;
}

// Bodies that stand whatever is below them.
static bool is_support(const BodyRecipe *recipe)
{
  assert(recipe->drive >= DRIVE_DYNAMIC && "a body is driven");
  return recipe->drive != DRIVE_DYNAMIC || recipe->kind == KIND_FOUNDATION;
}

static StartBody start_body(const Case *c, uint64_t id, const BodyRecipe *recipe)
{
  assert(id < c->body_count && "a body has an id");
  const GroupKind kind = scene_group(c, id)->kind;
  const bool still = vec3_norm(recipe->velocity) == 0 && vec3_norm(recipe->spin) == 0;
  return (StartBody){.id = id,
                     .recipe = *recipe,
                     .rotation = quat_to_mat3(recipe->turn),
                     .rests = !is_support(recipe) && still,
                     .poured = kind == GROUP_STONES || kind == GROUP_INLET || kind == GROUP_FILL};
}

// Pieces are none where they are too many. Returns false then.
static bool find_start(const Case *c, Start *start)
{
  *start = (Start){.c = c, .arena = arena_new()};
  IdRange *ranges = arena_allocate(&start->arena, ((size_t)c->group_count + 1) * sizeof *ranges);
  const int range_count = scene_births(c, 0, ranges);
  const int64_t pieces = count_pieces(c, ranges, range_count);
  if (pieces > CASE_PLACES_MOST_PARTS) return false;
  start->bodies = arena_allocate(&start->arena, ((size_t)pieces + 1) * sizeof *start->bodies);
  start->pieces = arena_allocate(&start->arena, ((size_t)pieces + 1) * sizeof *start->pieces);
  start->boxes = arena_allocate(&start->arena, ((size_t)pieces + 1) * sizeof *start->boxes);
  for (int r = 0; r < range_count; r++)
    for (uint64_t id = ranges[r].first; id < ranges[r].end; id++) {
      const BodyRecipe body = scene_body(c, id);
      const int parts = c->shapes[body.shape].part_count, number = start->body_count++;
      start->bodies[number] = start_body(c, id, &body);
      for (int p = 0; p < (parts > 0 ? parts : 1); p++) {
        start->pieces[start->piece_count] = (StartPart){number, p};
        start->boxes[start->piece_count] = piece_box(start, start->piece_count);
        start->piece_count++;
      }
    }
  assert(start->piece_count == pieces && "pieces are those that were counted");
  return true;
}

static const char *name_of(const Start *start, int body)
{
  assert(body >= 0 && body < start->body_count && "a body has a number");
  const char *name = scene_group(start->c, start->bodies[body].id)->name;
  return *name ? name : "unnamed";
}

typedef struct {
  int64_t inside;         // pairs of parts that overlap deeply
  int first[2];           // bodies of the first of these
  bool carried, joined;   // a dynamic body touches one that stands; two at rest touch each other
  double nearest;         // of dynamic bodies and bodies that stand, m
  int near[2];            // bodies of that
} Findings;

static Box core_of(Box box)
{
  const vec3 middle = vec3_scale(0.5, vec3_add(box.low, box.high));
  return (Box){vec3_axpy(CORE, vec3_sub(box.low, middle), middle),
               vec3_axpy(CORE, vec3_sub(box.high, middle), middle)};
}

// Whether two bodies that touch are meant to stand so: neither stones nor spheres on spheres do,
// nor ellipsoids.
static bool are_stacked(const Start *start, int p, int q)
{
  const StartBody *a = &start->bodies[p], *b = &start->bodies[q];
  const ShapeRecipe *shapes = start->c->shapes;
  const bool round =
      shapes[a->recipe.shape].part_count == 0 && shapes[b->recipe.shape].part_count == 0;
  return a->rests && b->rests && !a->poured && !b->poured && !round;
}

static const SurfaceLaw *law_between(const Start *start, int p, int q)
{
  assert_debug(p != q && "two bodies");
  const StartBody *a = &start->bodies[p], *b = &start->bodies[q];
  return surface_laws_between(&start->c->surfaces, (LawSide){a->id, a->recipe.material},
                              (LawSide){b->id, b->recipe.material});
}

// Whether joints let two bodies pass through each other.
static bool passes(const Start *start, int p, int q)
{
  assert(start->c->pass_count >= 0 && "pairs that pass are counted");
  const Case *c = start->c;
  const IdPair pair = id_pair_of(start->bodies[p].id, start->bodies[q].id);
  const int at = search_pair(c->passes, 0, c->pass_count, pair);
  return at < c->pass_count && id_pair_equal(c->passes[at], pair);
}

static void look_at_pair(Start *start, int a, int b, Findings *found)
{
  assert_debug(a >= 0 && a < start->piece_count && b >= 0 && b < start->piece_count &&
               "pieces have numbers");
  const int p = start->pieces[a].body, q = start->pieces[b].body;
  const bool p_moves = !is_support(&start->bodies[p].recipe);
  const bool q_moves = !is_support(&start->bodies[q].recipe);
  if (p == q || (!p_moves && !q_moves)) return;
  const SurfaceLaw *law = law_between(start, p, q);
  if (law->excluded || passes(start, p, q)) return;
  // boxes of cores may be apart while cores are not, but only by what the middle of points is off
  const ShapeRecipe *shapes = start->c->shapes;
  const Box core = core_of(start->boxes[a]);
  if (!shapes[start->bodies[p].recipe.shape].surface_alone &&
      !shapes[start->bodies[q].recipe.shape].surface_alone &&
      box_overlaps(core, core_of(start->boxes[b])) && distance(start, a, b, CORE) <= 0) {
    if (found->inside++ == 0) found->first[0] = p, found->first[1] = q;
  }
  const bool both = p_moves && q_moves;
  if (both ? found->joined : found->carried) return;
  const double gap = distance(start, a, b, 1);
  const double touch = TOUCH * fmin(extent_of(start->boxes[a]), extent_of(start->boxes[b]));
  if (gap <= touch && !both) found->carried = true;
  if (gap <= touch && both) found->joined = are_stacked(start, p, q);
  if (both || gap >= found->nearest) return;
  found->nearest = gap;
  found->near[0] = p_moves ? p : q;
  found->near[1] = p_moves ? q : p;
}

static void warn_of_overlaps(const Start *start, const Findings *found)
{
  if (found->inside == 0) return;
  const int p = found->first[0], q = found->first[1];
  log_warning("bodies: %llu (%s) and %llu (%s) are inside each other at the start by a tenth of "
              "their size or more, %lld %s of parts in all; they will be pushed apart",
              (unsigned long long)start->bodies[p].id, name_of(start, p),
              (unsigned long long)start->bodies[q].id, name_of(start, q), (long long)found->inside,
              plural(found->inside, "pair", "pairs"));
}

static Findings look_at_pairs(Start *start)
{
  assert(start->piece_count > 0 && start->body_count > 0 && "there are bodies at the start");
  Box *grown = arena_allocate(&start->arena, (size_t)start->piece_count * sizeof *grown);
  for (int i = 0; i < start->piece_count; i++)
    grown[i] = box_grow(start->boxes[i], NEAR / 2 * extent_of(start->boxes[i]));
  const BoxPairs pairs = box_overlap_find(grown, start->piece_count, &start->arena);
  Findings found = {.nearest = INFINITY};
  for (int64_t i = 0; i < pairs.count; i++)
    look_at_pair(start, pairs.pairs[i].a, pairs.pairs[i].b, &found);
  return found;
}

// -- what stands below ----------------------------------------------------------------------------

// Pieces by what they are, with their boxes in axes whose third points against gravity.
typedef struct {
  vec3 down;
  Box *boxes;                         // of all pieces, m
  int *supports, *resting;            // pieces of bodies that stand, of dynamic ones at rest
  int support_count, resting_count;   // 0: none
  int lowest;                         // of those at rest
} Heights;

static mat3 axes_of(vec3 down)
{
  assert(vec3_norm(down) > 0 && "gravity has a direction");
  const vec3 up = vec3_scale(-1, down);
  const vec3 aside = fabs(up.x) < 0.9 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  const vec3 second = vec3_cross(up, aside);
  const vec3 unit = vec3_scale(1 / vec3_norm(second), second);
  return (mat3){{vec3_cross(unit, up), unit, up}};
}

static Box box_along(Start *start, int index, mat3 axes)
{
  const ArenaMark mark = arena_mark(&start->arena);
  int count;
  vec3 *points = piece_points(start, index, 1, &count);
  for (int i = 0; i < count; i++) points[i] = mat3_mul(axes, points[i]);
  const Box box = box_grow(box_of_points(points, count), piece_radius(start, index));
  arena_release(&start->arena, mark);
  return box;
}

static Heights find_heights(Start *start, vec3 gravity)
{
  assert(vec3_norm(gravity) > 0 && start->piece_count > 0 && "bodies fall");
  const size_t count = (size_t)start->piece_count;
  Heights heights = {.down = vec3_scale(1 / vec3_norm(gravity), gravity), .lowest = -1};
  heights.boxes = arena_allocate(&start->arena, count * sizeof *heights.boxes);
  heights.supports = arena_allocate(&start->arena, count * sizeof *heights.supports);
  heights.resting = arena_allocate(&start->arena, count * sizeof *heights.resting);
  const mat3 axes = axes_of(heights.down);
  for (int i = 0; i < start->piece_count; i++) {
    const StartBody *body = &start->bodies[start->pieces[i].body];
    heights.boxes[i] = box_along(start, i, axes);
    if (is_support(&body->recipe)) heights.supports[heights.support_count++] = i;
    if (!body->rests) continue;
    heights.resting[heights.resting_count++] = i;
    if (heights.lowest < 0 || heights.boxes[i].low.z < heights.boxes[heights.lowest].low.z)
      heights.lowest = i;
  }
  return heights;
}

static bool may_land(const Start *start, const Heights *heights, int piece, int support)
{
  const Box a = heights->boxes[piece], b = heights->boxes[support];
  if (b.low.z > a.low.z || a.high.x < b.low.x || b.high.x < a.low.x || a.high.y < b.low.y ||
      b.high.y < a.low.y)
    return false;
  const int p = start->pieces[piece].body, q = start->pieces[support].body;
  return !law_between(start, p, q)->excluded;
}

// Whether anything at rest may have something below it; so too where that would take long to tell.
static bool any_may_land(const Start *start, const Heights *heights)
{
  assert(heights->support_count > 0 && "something stands");
  Box all = heights->boxes[heights->supports[0]];
  for (int k = 1; k < heights->support_count; k++)
    all = box_join(all, heights->boxes[heights->supports[k]]);
  all.high.z = INFINITY;
  int64_t looks = 0;
  for (int i = 0; i < heights->resting_count; i++) {
    if (!box_overlaps(all, heights->boxes[heights->resting[i]])) continue;
    looks += heights->support_count;
    if (looks > MOST_LOOKS) return true;
    for (int k = 0; k < heights->support_count; k++)
      if (may_land(start, heights, heights->resting[i], heights->supports[k])) return true;
  }
  return false;
}

// How far a piece falls onto another one, by steps that are never too long; infinite: it passes.
static double fall_onto(Start *start, const Heights *heights, int piece, int support)
{
  assert(piece != support && "a piece falls onto another one");
  const ArenaMark mark = arena_mark(&start->arena);
  const double radii = piece_radius(start, piece) + piece_radius(start, support);
  const double most = heights->boxes[piece].high.z - heights->boxes[support].low.z;
  int count, other_count;
  vec3 *points = piece_points(start, piece, 1, &count);
  const vec3 *others = piece_points(start, support, 1, &other_count);
  double fall = 0;
  for (int k = 0; k < MOST_FALLS && fall <= most; k++) {
    const double gap = gjk_distance(points, count, others, other_count).distance - radii;
    if (gap <= FALLEN * most) break;
    for (int i = 0; i < count; i++) points[i] = vec3_axpy(gap, heights->down, points[i]);
    fall += gap;
  }
  arena_release(&start->arena, mark);
  return fall <= most ? fall : INFINITY;
}

// Where the lowest body at rest lands: a piece of what stands, or -1.
static int find_landing(Start *start, const Heights *heights, double *fall)
{
  assert(heights->lowest >= 0 && "something is at rest");
  const int body = start->pieces[heights->lowest].body;
  int landing = -1;
  *fall = INFINITY;
  for (int i = 0; i < heights->resting_count; i++) {
    const int piece = heights->resting[i];
    if (start->pieces[piece].body != body) continue;
    for (int k = 0; k < heights->support_count; k++) {
      const int support = heights->supports[k];
      if (heights->boxes[piece].low.z - heights->boxes[support].high.z >= *fall) continue;
      if (!may_land(start, heights, piece, support)) continue;
      const double way = fall_onto(start, heights, piece, support);
      if (way < *fall) *fall = way, landing = support;
    }
  }
  return landing;
}

static void warn_of_far_fall(Start *start, vec3 gravity, bool joined)
{
  const Heights heights = find_heights(start, gravity);
  if (heights.support_count == 0 || heights.lowest < 0) return;
  if (!joined && any_may_land(start, &heights)) return;
  const char *what = joined ? "those that move touch each other and nothing that stands"
                            : "those that move touch nothing that stands";
  const int body = start->pieces[heights.lowest].body;
  const unsigned long long id = start->bodies[body].id;
  double fall;
  const int landing = find_landing(start, &heights, &fall);
  if (landing < 0) {
    log_warning("bodies: %s; nothing is below the lowest, %llu (%s): all will fall", what, id,
                name_of(start, body));
    return;
  }
  const int under = start->pieces[landing].body;
  log_warning("bodies: %s; the lowest, %llu (%s), begins %.3g m above %llu (%s): all will fall",
              what, id, name_of(start, body), fall, (unsigned long long)start->bodies[under].id,
              name_of(start, under));
}

static bool has_later_support(const Case *c)
{
  for (int i = 0; i < c->group_count; i++)
    if ((c->groups[i].fixed || c->groups[i].motion) && c->groups[i].birth > 0) return true;
  return false;
}

// Whether a joint holds a dynamic body by one that stands, or by space.
static bool is_hung(const Case *c)
{
  for (int i = 0; i < c->joint_row_count; i++) {
    const IdPair bodies = c->joint_rows[i].bodies;
    if (bodies.high == BODIES_SPACE) return true;
    const BodyRecipe low = scene_body(c, bodies.low), high = scene_body(c, bodies.high);
    if (is_support(&low) || is_support(&high)) return true;
  }
  return false;
}

// Bodies that stand on each other are meant to stand; single ones and stones may be meant to fall,
// but not past everything. Without gravity nothing falls, and a later support may come in time.
static void warn_of_fall(Start *start, const Findings *found)
{
  const vec3 gravity = ground_gravity(start->c, 0);
  if (found->carried || vec3_norm(gravity) == 0 || has_later_support(start->c) || is_hung(start->c))
    return;
  if (!found->joined || found->nearest == INFINITY) {
    warn_of_far_fall(start, gravity, found->joined);
    return;
  }
  const int p = found->near[0], q = found->near[1];
  log_warning("bodies: those that move touch each other and nothing that stands; the nearest, "
              "%llu (%s), begins %.3g m from %llu (%s): all will fall",
              (unsigned long long)start->bodies[p].id, name_of(start, p), found->nearest,
              (unsigned long long)start->bodies[q].id, name_of(start, q));
}

bool case_places_warn(const Case *c)
{
  assert(c->step > 0 && c->group_count >= 0 && "a case is read");
  Start start;
  const bool looked = find_start(c, &start);
  if (start.piece_count > 0) {
    const Findings found = look_at_pairs(&start);
    warn_of_overlaps(&start, &found);
    warn_of_fall(&start, &found);
  }
  arena_destroy(&start.arena);
  return looked;
}
