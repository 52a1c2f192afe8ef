// Maximises r over points x and radii r with n_i.x + r <= d_i for all planes: a linear programme in
// four unknowns, solved by the dual simplex method. Four planes are the simplex basis: where their
// constraints are equations, r is a bound that no point exceeds, since their multipliers are
// positive. The plane that is violated most enters, the ratio test says which one leaves.
#include "largest_ball.h"

#include <assert.h>

#define BALL_FAR 4.0          // sizes: distance of the planes that the search starts from
#define BALL_ROUNDING 1e-15   // of the size: what violates by less is not a better plane
#define BALL_STEPS_PER_PLANE 4
#define BALL_STEPS 64
#define BALL_PIVOT 1e-9    // least share of a plane that may leave
#define BALL_SLACK 1e-11   // multipliers are zero within this

typedef struct {
  Plane planes[4];
  bool given[4];   // not one of those that the search starts from
} ActivePlanes;

static mat3 active_matrix(const ActivePlanes *b)
{
  return (mat3){{vec3_sub(b->planes[1].normal, b->planes[0].normal),
                 vec3_sub(b->planes[2].normal, b->planes[0].normal),
                 vec3_sub(b->planes[3].normal, b->planes[0].normal)}};
}

// Shares of the four normals, which add up to one, that make a vector.
static void find_shares(const ActivePlanes *b, mat3 inverse, vec3 vector, double shares[4])
{
  const vec3 s = mat3_mul_transposed(inverse, vec3_sub(vector, b->planes[0].normal));
  shares[0] = 1 - s.x - s.y - s.z;
  shares[1] = s.x;
  shares[2] = s.y;
  shares[3] = s.z;
}

// Which plane of the simplex basis leaves for one with this normal; -1: rounding has spoilt the
// simplex basis. Of those that the ratio test names but for rounding it is the one with the largest
// share, which leaves the best simplex basis (Harris 1973).
static int leaving_plane(const ActivePlanes *b, mat3 inverse, vec3 normal)
{
  double multipliers[4], shares[4], limit = INFINITY, largest = BALL_PIVOT;
  find_shares(b, inverse, (vec3){0, 0, 0}, multipliers);
  find_shares(b, inverse, normal, shares);
  for (int k = 0; k < 4; k++) {
    if (!(shares[k] > BALL_PIVOT)) continue;
    const double positive = multipliers[k] > 0 ? multipliers[k] : 0;
    limit = fmin(limit, (positive + BALL_SLACK) / shares[k]);
  }
  int leaving = -1;
  for (int k = 0; k < 4; k++) {
    if (!(shares[k] > largest) || multipliers[k] > limit * shares[k]) continue;
    largest = shares[k];
    leaving = k;
  }
  return leaving;
}

static ActivePlanes first_active(vec3 start, double size)
{
  assert(size > 0 && "a solid has a size");
  const double s = 1 / sqrt(3);
  const vec3 normals[4] = {{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}};
  ActivePlanes active = {.given = {false}};
  for (int k = 0; k < 4; k++) {
    active.planes[k] = (Plane){normals[k], vec3_dot(normals[k], start) + BALL_FAR * size};
  }
  return active;
}

// No ball about a point within a size of start has a larger radius: the multipliers are positive
// and add up to one, so the mean of the planes is above its centre by at least its radius. What
// rounding leaves of the mean normal counts with the size.
static double active_bound(const ActivePlanes *b, mat3 inverse, vec3 start, double size)
{
  assert(size > 0 && "a solid has a size");
  double multipliers[4], sum = 0, offset = 0;
  vec3 normal = {0, 0, 0};
  find_shares(b, inverse, (vec3){0, 0, 0}, multipliers);
  for (int k = 0; k < 4; k++) {
    if (!b->given[k] && multipliers[k] > BALL_SLACK) return INFINITY;
    const double share = b->given[k] && multipliers[k] > 0 ? multipliers[k] : 0;
    sum += share;
    offset += share * (b->planes[k].offset - vec3_dot(b->planes[k].normal, start));
    normal = vec3_axpy(share, b->planes[k].normal, normal);
  }
  const double bound = (offset + size * vec3_norm(normal)) / sum;
  return isfinite(bound) ? bound : INFINITY;
}

// How far x lies below the lowest of the planes; *lowest: that plane.
static double depth_below(const Plane *planes, int count, vec3 x, int *lowest)
{
  assert(count > 0 && "there are planes");
  double depth = INFINITY;
  for (int i = 0; i < count; i++) {
    const double below = planes[i].offset - vec3_dot(planes[i].normal, x);
    if (below < depth) depth = below, *lowest = i;
  }
  return depth;
}

LargestBall largest_ball(const Plane *planes, int count, vec3 start, double size)
{
  assert(count >= 0 && (planes != NULL || count == 0) && "planes are given");
  assert(size > 0 && vec3_is_finite(start) && "a bounded solid is near a place");
  ActivePlanes active = first_active(start, size);
  LargestBall ball = {.center = start, .radius = -INFINITY, .bound = INFINITY};
  vec3 x = start;
  double r = BALL_FAR * size;
  for (int step = 0; step < BALL_STEPS_PER_PLANE * count + BALL_STEPS; step++) {
    // the plane that the ball violates most
    int entering = 0;
    const double depth = depth_below(planes, count, x, &entering);
    if (depth > ball.radius) ball.radius = depth, ball.center = x;
    if (r - depth <= BALL_ROUNDING * size) break;

    // takes the place of the one that the others need least
    mat3 inverse = mat3_inverse(active_matrix(&active));
    const int leaving = leaving_plane(&active, inverse, planes[entering].normal);
    if (leaving < 0) break;
    active.planes[leaving] = planes[entering];
    active.given[leaving] = true;

    // the ball that touches the four planes of the simplex basis
    inverse = mat3_inverse(active_matrix(&active));
    const Plane *p = active.planes;
    x = mat3_mul(inverse, (vec3){p[1].offset - p[0].offset, p[2].offset - p[0].offset,
                                 p[3].offset - p[0].offset});
    r = p[0].offset - vec3_dot(p[0].normal, x);
    if (!vec3_is_finite(x) || !isfinite(r)) break;
    const double bound = active_bound(&active, inverse, start, size);
    if (bound < ball.bound) ball.bound = bound;
    if (bound < -BALL_ROUNDING * size) break;
  }
  return ball;
}
