#include "problem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "memory.h"
#include "parallel.h"

#define EIGEN_SWEEPS 6   // cyclic Jacobi on 3x3 converges quadratically

static double largest_eigenvalue(mat3 m)
{
  double a[3][3] = {{m.row[0].x, m.row[0].y, m.row[0].z},
                    {m.row[1].x, m.row[1].y, m.row[1].z},
                    {m.row[2].x, m.row[2].y, m.row[2].z}};
  for (int sweep = 0; sweep < EIGEN_SWEEPS; sweep++) {
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (a[p][q] == 0) continue;
        const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
        const double c = 1 / sqrt(1 + t * t), s = t * c;
        const int k = 3 - p - q;
        const double akp = a[k][p], akq = a[k][q];
        a[p][p] -= t * a[p][q];
        a[q][q] += t * a[p][q];
        a[p][q] = a[q][p] = 0;
        a[k][p] = a[p][k] = c * akp - s * akq;
        a[k][q] = a[q][k] = s * akp + c * akq;
      }
  }
  double largest = a[0][0] > a[1][1] ? a[0][0] : a[1][1];
  return a[2][2] > largest ? a[2][2] : largest;
}

vec3 problem_velocity(const SolverPoint *p, const Twist *twist)
{
  const Twist low = twist[p->low], high = twist[p->high];
  const vec3 relative = vec3_sub(vec3_add(low.v, vec3_cross(low.w, p->low_arm)),
                                 vec3_add(high.v, vec3_cross(high.w, p->high_arm)));
  return mat3_mul(p->frame, relative);
}

double problem_extent(const Bodies *bodies, ShapeSet *shapes, int low, int high)
{
  const double a = shape_set_get(shapes, bodies->shape[low])->extent;
  const double b = shape_set_get(shapes, bodies->shape[high])->extent;
  return a < b ? a : b;
}

// contribution of one body to W_aa in world axes: 1/m I - [arm]x I^-1 [arm]x
static mat3 body_delassus(const MidState *mid, vec3 arm)
{
  const mat3 skew = mat3_skew(arm);
  const mat3 turn = mat3_mul_mat(skew, mat3_mul_mat(mid->inverse_inertia, skew));
  return mat3_add(mat3_diagonal(mid->inverse_mass, mid->inverse_mass, mid->inverse_mass),
                  mat3_scale(-1, turn));
}

// a point with its law
static void make_point(const ProblemInput *in, int contact, int low, int high, SolverPoint *p)
{
  const Contacts *c = in->contacts;
  const Bodies *b = in->bodies;
  *p = (SolverPoint){.contact = contact, .low = low, .high = high};
  p->frame = contact_frame(c->normal[contact]);
  p->low_arm = mat3_mul(in->mid[low].rotation, c->anchor[contact]);
  p->high_arm = vec3_add(p->low_arm, vec3_sub(b->position[low], b->position[high]));
  const int surface = b->material[low] * in->laws.material_count + b->material[high];
  p->law = (PointLaw){in->laws.friction[surface], 0, 0};

  // Moreau: an impact reverses the approach at the start of the step, where the free motion would
  // close the gap; everything else is without overlap at the middle of the next step
  const double gap = c->gap[contact], restitution = in->laws.restitution[surface];
  const double before = problem_velocity(p, in->start).x;
  if (restitution > 0 && -before > in->impact_speed) {
    const double ahead = gap + 0.5 * in->step * problem_velocity(p, in->free).x;
    p->offset.x = ahead < 0 ? restitution * before : INFINITY;
  } else {
    // gaps at the level of the slop change sign from step to step while bodies rest; they count as
    // closed, or the impulses of a statically indeterminate assembly would jump among its points
    const double closed = in->slop * problem_extent(b, in->shapes, low, high);
    p->offset.x = gap > closed ? gap / in->step : 0;
  }

  // W_aa in the contact frame, then in the frame that diagonalises S
  const mat3 w = mat3_add(body_delassus(&in->mid[low], p->low_arm),
                          body_delassus(&in->mid[high], p->high_arm));
  const mat3 local = mat3_mul_mat(p->frame, mat3_mul_mat(w, mat3_transpose(p->frame)));
  p->rho = 1 / largest_eigenvalue(local);
  const vec3 reaction = mat3_mul_transposed(p->frame, c->reaction[contact]);
  p->w = law_diagonalize(local, &p->frame);
  p->r = mat3_mul(p->frame, reaction);
}

// contacts in order of key: own rows and ghost rows are each sorted
static int *order_by_key(const Contacts *c, Arena *arena)
{
  int *order = arena_allocate(arena, ((size_t)c->table.count + 1) * sizeof *order);
  int i = 0, j = c->table.owned, k = 0;
  while (i < c->table.owned || j < c->table.count) {
    if (j == c->table.count || (i < c->table.owned && contacts_compare(c, i, c, j) < 0))
      order[k++] = i++;
    else order[k++] = j++;
  }
  return order;
}

typedef struct {
  int count;
  ColourPair *pairs;
  SolverPair *ranges;   // into points in order of key
  unsigned char *owned;
} PairList;

// makes points in order of key, grouped by pair
static PairList make_points(const ProblemInput *in, SolverPoint *points, int *point_count,
                            Arena *arena)
{
  const Contacts *c = in->contacts;
  const Bodies *b = in->bodies;
  const size_t room = (size_t)c->table.count + 1;
  PairList list = {0, arena_allocate(arena, room * sizeof(ColourPair)),
                   arena_allocate(arena, room * sizeof(SolverPair)), arena_allocate(arena, room)};
  const int *order = order_by_key(c, arena);
  const int own_rows = b->table.owned;
  int made = 0, low = -1, high = -1;
  for (int k = 0; k < c->table.count; k++) {
    const int contact = order[k];
    const IdPair ids = c->bodies[contact];
    const bool same =
        k > 0 && c->bodies[order[k - 1]].low == ids.low && c->bodies[order[k - 1]].high == ids.high;
    if (!same) {
      low = bodies_find(b, ids.low);
      high = bodies_find(b, ids.high);
      assert(low >= 0 && high >= 0 && "both bodies of a known contact are here");
    }
    make_point(in, contact, low, high, &points[made++]);
    SolverPair *last = list.count ? &list.ranges[list.count - 1] : NULL;
    if (last && last->low == low && last->high == high) {
      last->end = made;
      continue;
    }
    ColourPair pair = {ids, -1, -1, -1};
    const int rows[2] = {low, high};
    for (int e = 0; e < 2; e++) {
      if (b->kind[rows[e]] == BODY_FIXED) continue;
      if (rows[e] >= own_rows) pair.other_rank = in->ghost_ranks[rows[e] - own_rows];
      else if (e == 0) pair.low = low;
      else pair.high = high;
    }
    list.pairs[list.count] = pair;
    list.ranges[list.count] = (SolverPair){made - 1, made, low, high};
    list.owned[list.count++] = contact < c->table.owned;
  }
  *point_count = made;
  return list;
}

static bool cache_fits(const ColourCache *cache, const PairList *list)
{
  if (cache->count != list->count) return false;
  for (int p = 0; p < list->count; p++)
    if (cache->ids[p].low != list->pairs[p].ids.low ||
        cache->ids[p].high != list->pairs[p].ids.high ||
        cache->ranks[p] != list->pairs[p].other_rank)
      return false;
  return true;
}

// colours are a function of the pairs, so they hold while no rank's pairs change
static const int *find_colours(ColourCache *cache, const PairList *list, int own_rows,
                               int *colour_count, Arena *arena)
{
  if (!par_all(cache->ids && cache_fits(cache, list))) {
    const Colouring colouring = colour_pairs(list->pairs, list->count, own_rows, arena);
    cache->count = list->count;
    cache->ids = memory_resize(cache->ids, (size_t)list->count * sizeof *cache->ids);
    cache->ranks = memory_resize(cache->ranks, (size_t)list->count * sizeof *cache->ranks);
    cache->colours = memory_resize(cache->colours, (size_t)list->count * sizeof *cache->colours);
    for (int p = 0; p < list->count; p++) {
      cache->ids[p] = list->pairs[p].ids;
      cache->ranks[p] = list->pairs[p].other_rank;
      cache->colours[p] = colouring.colours[p];
    }
    cache->colour_count = colouring.colour_count;
  }
  *colour_count = cache->colour_count;
  return cache->colours;
}

// pairs and their points in order of colour; within a colour in order of key
static void sort_by_colour(Problem *problem, const PairList *list, const int *colours,
                           const SolverPoint *by_key, int *place, Arena *arena)
{
  problem->colour_start =
      arena_allocate_zero(arena, (size_t)problem->colour_count + 2, sizeof(int));
  int *at = arena_allocate(arena, ((size_t)problem->colour_count + 1) * sizeof *at);
  for (int p = 0; p < list->count; p++) problem->colour_start[colours[p] + 1]++;
  for (int c = 0; c < problem->colour_count; c++) {
    problem->colour_start[c + 1] += problem->colour_start[c];
    at[c] = problem->colour_start[c];
  }
  int *order = arena_allocate(arena, ((size_t)list->count + 1) * sizeof *order);
  for (int p = 0; p < list->count; p++) order[at[colours[p]]++] = p;
  int made = 0;
  for (int k = 0; k < list->count; k++) {
    const SolverPair range = list->ranges[order[k]];
    problem->pairs[k] = (SolverPair){made, made + range.end - range.first, range.low, range.high};
    for (int i = range.first; i < range.end; i++) {
      problem->points[made] = by_key[i];
      problem->owned[made] = list->owned[order[k]];
      problem->owned_points += list->owned[order[k]];
      place[i] = made++;
    }
  }
}

static void index_bodies(Problem *problem, const SolverPoint *by_key, const int *place,
                         Arena *arena)
{
  const int own = problem->own_rows;
  problem->body_start = arena_allocate_zero(arena, (size_t)own + 2, sizeof(int));
  problem->body_points =
      arena_allocate(arena, (2 * (size_t)problem->point_count + 1) * sizeof(int));
  for (int i = 0; i < problem->point_count; i++) {
    if (by_key[i].low < own) problem->body_start[by_key[i].low + 1]++;
    if (by_key[i].high < own) problem->body_start[by_key[i].high + 1]++;
  }
  int *at = arena_allocate(arena, ((size_t)own + 1) * sizeof *at);
  for (int b = 0; b < own; b++) {
    problem->body_start[b + 1] += problem->body_start[b];
    at[b] = problem->body_start[b];
  }
  for (int i = 0; i < problem->point_count; i++) {
    if (by_key[i].low < own) problem->body_points[at[by_key[i].low]++] = place[i];
    if (by_key[i].high < own) problem->body_points[at[by_key[i].high]++] = place[i];
  }
}

typedef struct {
  int row, colour, rank;
} Touch;   // a pair of an own body; rank of the other body if remote, else -1

static int compare_touches(const void *a, const void *b)
{
  const Touch *p = a, *q = b;
  if (p->row != q->row) return (p->row > q->row) - (p->row < q->row);
  return (p->colour > q->colour) - (p->colour < q->colour);
}

// Another rank that solves a pair with our body needs the body's velocity before that colour if a
// pair it does not know has changed it since the last pair it does know.
static int body_requests(const Touch *touches, int count, uint64_t id, int all_slot,
                         HaloRequest *requests)
{
  int made = 0;
  for (int i = 0; i < count; i++) {
    if (touches[i].rank < 0) continue;
    bool changed = false, first = true;
    for (int j = i - 1; j >= 0; j--) {
      if (touches[j].rank == touches[i].rank) {
        first = false;
        break;
      }
      changed = true;
    }
    if (changed)
      requests[made++] = (HaloRequest){touches[i].rank, touches[i].colour, touches[i].row, id};
    if (first) requests[made++] = (HaloRequest){touches[i].rank, all_slot, touches[i].row, id};
  }
  return made;
}

static void plan_refreshes(Problem *problem, const ProblemInput *in, const PairList *list,
                           const int *colours, Arena *arena)
{
  const int slots = problem->colour_count + 1;
  problem->before_colour = arena_allocate_zero(arena, (size_t)slots, sizeof(HaloPlan));
  if (par_size() == 1) return;
  Touch *touches = arena_allocate(arena, (2 * (size_t)list->count + 1) * sizeof *touches);
  int count = 0;
  for (int p = 0; p < list->count; p++) {
    if (list->pairs[p].low >= 0)
      touches[count++] = (Touch){list->pairs[p].low, colours[p], list->pairs[p].other_rank};
    if (list->pairs[p].high >= 0)
      touches[count++] = (Touch){list->pairs[p].high, colours[p], list->pairs[p].other_rank};
  }
  if (count > 1) qsort(touches, (size_t)count, sizeof *touches, compare_touches);
  HaloRequest *requests = arena_allocate(arena, (2 * (size_t)count + 1) * sizeof *requests);
  int made = 0;
  for (int i = 0; i < count;) {
    int end = i;
    while (end < count && touches[end].row == touches[i].row) end++;
    made += body_requests(touches + i, end - i, in->bodies->id[touches[i].row],
                          problem->colour_count, requests + made);
    i = end;
  }
  halo_plans_of_requests(requests, made, slots, in->bodies->id, in->bodies->table.owned,
                         in->bodies->table.count, problem->before_colour, arena);
  problem->all = problem->before_colour[problem->colour_count];
}

Problem problem_new(const ProblemInput *in, ColourCache *cache, Arena *arena)
{
  const size_t room = (size_t)in->contacts->table.count + 1;
  Problem problem = {
      .row_count = in->bodies->table.count,
      .own_rows = in->bodies->table.owned,
      .mid = in->mid,
      .points = arena_allocate(arena, room * sizeof(SolverPoint)),
      .owned = arena_allocate(arena, room),
      .twist = arena_allocate(arena, ((size_t)in->bodies->table.count + 1) * sizeof(Twist))};
  SolverPoint *by_key = arena_allocate(arena, room * sizeof *by_key);
  int *place = arena_allocate(arena, room * sizeof *place);
  const PairList list = make_points(in, by_key, &problem.point_count, arena);
  problem.pair_count = list.count;
  problem.pairs = arena_allocate(arena, ((size_t)list.count + 1) * sizeof *problem.pairs);
  const int *colours = find_colours(cache, &list, problem.own_rows, &problem.colour_count, arena);
  sort_by_colour(&problem, &list, colours, by_key, place, arena);
  index_bodies(&problem, by_key, place, arena);
  plan_refreshes(&problem, in, &list, colours, arena);
  return problem;
}

void problem_velocities(const Problem *problem, const Twist *base, Twist *twist)
{
  for (int b = 0; b < problem->own_rows; b++) {
    Twist u = base[b];
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const SolverPoint *p = &problem->points[problem->body_points[k]];
      const vec3 impulse = mat3_mul_transposed(p->frame, p->r);
      u = p->low == b ? problem_push(u, &problem->mid[b], impulse, p->low_arm, 1)
                      : problem_push(u, &problem->mid[b], impulse, p->high_arm, -1);
    }
    twist[b] = u;
  }
}

void colour_cache_destroy(ColourCache *cache)
{
  memory_free(cache->ids);
  memory_free(cache->ranks);
  memory_free(cache->colours);
  *cache = (ColourCache){0};
}
