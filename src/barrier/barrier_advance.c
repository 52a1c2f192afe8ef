// Steps along two paths, each as long as the distance of the surfaces allows whatever they do.
#include "barrier_advance.h"

#include <assert.h>
#include <math.h>

#include "gjk.h"
#include "rotation.h"

#define STEP_SHARE 0.9    // of the distance that a step may use up
#define KEPT_SHARE 0.1    // of the first distance at which paths end
#define MOST_STEPS 1000   // paths that take more end early

BarrierBody barrier_advance_body(const BarrierPath *path, double share)
{
  const quat q = rotation_apply(path->orientation, vec3_axpy(share, path->by.w, path->from.w), 1);
  const vec3 way = vec3_axpy(share, path->by.v, path->from.v);
  return (BarrierBody){path->surface, vec3_add(path->position, way), quat_to_mat3(q)};
}

// -- distance -------------------------------------------------------------------------------------

// Convex pieces of a surface in one frame: the hull of all vertices, or the cells.
typedef struct {
  const BarrierSurface *surface;
  const vec3 *vertices;
  int count;
  Box *boxes;      // [count]
  vec3 *corners;   // those of the piece in hand
} Pieces;

static int piece_corners(const Pieces *pieces, int piece, const vec3 **corners)
{
  const BarrierSurface *s = pieces->surface;
  if (s->convex) {
    *corners = pieces->vertices;
    return s->vertex_count;
  }
  const BarrierCell *cell = &s->cells[piece];
  for (int k = cell->first; k < cell->end; k++)
    pieces->corners[k - cell->first] = pieces->vertices[s->corners[k].vertex];
  *corners = pieces->corners;
  return cell->end - cell->first;
}

static Pieces find_pieces(const BarrierSurface *surface, const vec3 *vertices, Arena *scratch)
{
  Pieces pieces = {surface, vertices, surface->convex ? 1 : surface->cell_count, NULL, NULL};
  int most = 0;
  for (int c = 0; c < surface->cell_count && !surface->convex; c++) {
    const int size = surface->cells[c].end - surface->cells[c].first;
    most = size > most ? size : most;
  }
  pieces.corners = arena_allocate(scratch, (size_t)most * sizeof(vec3));
  pieces.boxes = arena_allocate(scratch, (size_t)pieces.count * sizeof(Box));
  for (int p = 0; p < pieces.count; p++) {
    const vec3 *corners;
    const int count = piece_corners(&pieces, p, &corners);
    pieces.boxes[p] = box_of_points(corners, count);
  }
  return pieces;
}

static double between_boxes(Box p, Box q)
{
  const vec3 apart = vec3_max(vec3_sub(p.low, q.high), vec3_sub(q.low, p.high));
  return vec3_norm(vec3_max(apart, (vec3){0, 0, 0}));
}

double barrier_advance_distance(const BarrierBody bodies[2], double within, Arena *scratch)
{
  assert(within >= 0 && "a distance is looked for within another");
  const ArenaMark mark = arena_mark(scratch);
  const BarrierBody *a = &bodies[0], *b = &bodies[1];

  // a in the frame of b
  const mat3 turn = mat3_mul_mat(mat3_transpose(b->rotation), a->rotation);
  const vec3 shift = mat3_mul_transposed(b->rotation, vec3_sub(a->position, b->position));
  vec3 *vertices = arena_allocate(scratch, (size_t)a->surface->vertex_count * sizeof *vertices);
  for (int v = 0; v < a->surface->vertex_count; v++)
    vertices[v] = vec3_add(mat3_mul(turn, a->surface->vertices[v]), shift);
  double least = between_boxes(box_of_points(vertices, a->surface->vertex_count), b->surface->box);
  if (least < within) {
    least = within;
    const Pieces p = find_pieces(a->surface, vertices, scratch);
    const Pieces q = find_pieces(b->surface, b->surface->vertices, scratch);
    for (int i = 0; i < p.count; i++) {
      if (between_boxes(p.boxes[i], b->surface->box) >= least) continue;
      const vec3 *of_p, *of_q;
      const int p_count = piece_corners(&p, i, &of_p);
      for (int k = 0; k < q.count; k++) {
        if (between_boxes(p.boxes[i], q.boxes[k]) >= least) continue;
        const int q_count = piece_corners(&q, k, &of_q);
        least = smaller_of(least, gjk_distance(of_p, p_count, of_q, q_count).distance);
      }
    }
  }
  arena_release(scratch, mark);
  return least;
}

// -- paths ----------------------------------------------------------------------------------------

// No point of one body moves by more relative to the other one along their whole paths, m: turning
// moves points by at most the angle times their distance from the origin.
static double most_motion(const BarrierPath paths[2])
{
  const double apart = vec3_norm(vec3_sub(paths[0].by.v, paths[1].by.v));
  return apart + vec3_norm(paths[0].by.w) * paths[0].surface->radius +
         vec3_norm(paths[1].by.w) * paths[1].surface->radius;
}

static double distance_at(const BarrierPath paths[2], double share, double within, Arena *scratch)
{
  const BarrierBody bodies[2] = {barrier_advance_body(&paths[0], share),
                                 barrier_advance_body(&paths[1], share)};
  return barrier_advance_distance(bodies, within, scratch);
}

// Goes on until surfaces are nearer than the least distance, m. Below zero: than a tenth of the
// first one.
static double go_along(const BarrierPath paths[2], double least, Arena *scratch)
{
  const double motion = most_motion(paths);
  double share = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    const double rest = (1 - share) * motion / STEP_SHARE;
    const double distance = distance_at(paths, share, rest, scratch);
    if (distance >= rest) return 1;
    if (least < 0) least = KEPT_SHARE * distance;
    if (distance < least || !(distance > 0)) return share;
    share += STEP_SHARE * distance / motion;
  }
  return share;
}

double barrier_advance_share(const BarrierPath paths[2], Arena *scratch)
{
  return go_along(paths, -1, scratch);
}

bool barrier_advance_is_free(const BarrierPath paths[2], double first, Arena *scratch)
{
  assert(first >= 0 && "bodies begin apart");
  if (most_motion(paths) <= STEP_SHARE * first) return true;
  const double last = distance_at(paths, 1, first, scratch);
  return last > 0 && go_along(paths, 0, scratch) >= 1;
}
