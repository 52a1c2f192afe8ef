// An octree of cells with bounds of the distance to everything that spheres must not cross.
#include "inner_cells.h"

#include "check.h"
#include "memory.h"

#define NO_CELL -1
#define LEAST_REACH 1e-5        // of the size of the body: smaller spheres are not looked for
#define FIRST_CELLS (1 << 20)   // thinner bodies than so many cells resolve get no sphere,
#define MORE_CELLS 512          // and so many more for each sphere that is there
#define TOUCHING 1e-13          // of the size of the body: spheres keep that off
#define CLIMB_STEPS 40          // of the way to the place in a cell that is farthest off
#define CLIMB_END 1e-3          // of the distance: smaller steps end it

// What a point of a cell may be nearest to: a triangle, or behind all triangles a sphere. In a
// chain.
typedef struct {
  double distance;   // from the centre of the cell, m
  int site, next;
} NearSite;

typedef struct {
  vec3 center;
  double half;       // distance of its corners from the centre, m
  double reach;      // distance of the centre from all sites, below zero outside, m
  int parent;        // or NO_CELL
  int children;      // first of eight, or NO_CELL: it is a leaf
  int alive;         // children that are left
  int sites;         // of a leaf: chain, or NO_CELL
  unsigned serial;   // of the use of its memory
  bool inside, dead;
} InnerCell;

typedef struct {
  double bound;   // m
  int cell;
  unsigned serial;
} HeapEntry;

struct InnerCells {
  const InnerSurface *surface;
  double size;   // m
  int count, room, free_block;
  InnerCell *cells;
  int site_count, site_room, free_site;
  NearSite *sites;
  int heap_count, heap_room;
  HeapEntry *heap;   // largest bound first
  int sphere_count, sphere_room;
  InnerSphere *spheres;
  int near_room;
  NearSite *near;   // of the cell that is cut
};

// -- heap of leaves -------------------------------------------------------------------------------

static bool comes_before(HeapEntry p, HeapEntry q)
{
  if (p.bound != q.bound) return p.bound > q.bound;
  return p.cell < q.cell;
}

static void heap_push(InnerCells *c, int cell)
{
  const HeapEntry entry = {c->cells[cell].reach + c->cells[cell].half, cell, c->cells[cell].serial};
  c->heap = memory_grow(c->heap, c->heap_count + 1, &c->heap_room, sizeof *c->heap);
  int i = c->heap_count++;
  while (i > 0 && comes_before(entry, c->heap[(i - 1) / 2])) {
    c->heap[i] = c->heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  c->heap[i] = entry;
}

static HeapEntry heap_pop(InnerCells *c)
{
  assert_debug(c->heap_count > 0 && "something is left");
  const HeapEntry top = c->heap[0], last = c->heap[--c->heap_count];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= c->heap_count) break;
    if (child + 1 < c->heap_count && comes_before(c->heap[child + 1], c->heap[child])) child++;
    if (!comes_before(c->heap[child], last)) break;
    c->heap[i] = c->heap[child];
    i = child;
  }
  c->heap[i] = last;
  return top;
}

// -- chains ---------------------------------------------------------------------------------------

static void chain_add(InnerCells *c, int cell, int site, double distance)
{
  int at = c->free_site;
  if (at != NO_CELL) c->free_site = c->sites[at].next;
  else {
    c->sites = memory_grow(c->sites, (int64_t)c->site_count + 1, &c->site_room, sizeof *c->sites);
    at = c->site_count++;
  }
  c->sites[at] = (NearSite){distance, site, c->cells[cell].sites};
  c->cells[cell].sites = at;
}

// Drops what lies farther off than the limit.
static void chain_prune(InnerCells *c, int cell, double limit)
{
  int *link = &c->cells[cell].sites;
  while (*link != NO_CELL) {
    const int at = *link;
    if (c->sites[at].distance <= limit) {
      link = &c->sites[at].next;
      continue;
    }
    *link = c->sites[at].next;
    c->sites[at].next = c->free_site;
    c->free_site = at;
  }
}

static double site_distance(const InnerCells *c, int site, vec3 x)
{
  const int triangles = c->surface->count;
  if (site >= triangles) {
    const InnerSphere *sphere = &c->spheres[site - triangles];
    return vec3_norm(vec3_sub(x, sphere->center)) - sphere->radius;
  }
  return vec3_norm(vec3_sub(x, inner_sites_nearest(&c->surface->triangles[site], x)));
}

// How far a site may lie off that some place of the cell is nearest to: places differ in their
// distances by no more than their way.
static double site_limit(const InnerCell *cell)
{
  return (cell->inside ? cell->reach : fabs(cell->reach)) + 2 * cell->half;
}

// -- cells ----------------------------------------------------------------------------------------

static void kill(InnerCells *c, int cell)
{
  InnerCell *of = &c->cells[cell];
  if (of->dead) return;
  of->dead = true;
  chain_prune(c, cell, -INFINITY);
  if (of->children == NO_CELL) return;
  const int first = of->children;
  for (int k = 0; k < 8; k++) kill(c, first + k);
  c->cells[first].parent = c->free_block;
  c->free_block = first;
  c->cells[cell].children = NO_CELL;
}

// A leaf is gone, and so are those above it that have none left.
static void bury(InnerCells *c, int cell)
{
  while (cell != NO_CELL) {
    const int parent = c->cells[cell].parent;
    kill(c, cell);
    if (parent == NO_CELL || --c->cells[parent].alive > 0) return;
    cell = parent;
  }
}

static int new_block(InnerCells *c)
{
  int first = c->free_block;
  if (first != NO_CELL) {
    c->free_block = c->cells[first].parent;
    return first;
  }
  c->cells = memory_grow(c->cells, (int64_t)c->count + 8, &c->room, sizeof *c->cells);
  first = c->count;
  c->count += 8;
  for (int k = 0; k < 8; k++) c->cells[first + k].serial = 0;
  return first;
}

// Is a place near a centre inside, told by crossings on the way?
static bool is_inside(const InnerCells *c, const InnerCell *from, int near_count, vec3 x)
{
  const double way = vec3_norm(vec3_sub(x, from->center));
  int crossings = 0;
  for (int i = 0; i < near_count; i++) {
    const NearSite *near = &c->near[i];
    if (near->site >= c->surface->count || near->distance > way) continue;
    const InnerCrossing crossing =
        inner_sites_crossing(&c->surface->triangles[near->site], from->center, x);
    if (crossing == INNER_UNCLEAR) return inner_sites_hold(c->surface, x);
    crossings += crossing == INNER_CROSSES;
  }
  return from->inside != (crossings % 2 == 1);
}

// One of the eight children of a cell with some sites; false: no sphere has its centre there.
static bool make_child(InnerCells *c, int parent, int cell, vec3 center, int near_count)
{
  const InnerCell *from = &c->cells[parent];
  InnerCell child = {.center = center,
                     .half = 0.5 * from->half,
                     .parent = parent,
                     .children = NO_CELL,
                     .sites = NO_CELL,
                     .serial = c->cells[cell].serial + 1};
  child.inside = is_inside(c, from, near_count, center);
  const int triangles = c->surface->count;
  double surface = INFINITY, spheres = INFINITY;
  for (int i = 0; i < near_count; i++) {
    const NearSite *near = &c->near[i];
    // (what lay too far off there lies too far off here)
    const double least = near->distance - child.half;
    double *nearest = near->site < triangles ? &surface : &spheres;
    if (least >= *nearest) continue;
    *nearest = smaller_of(*nearest, site_distance(c, near->site, center));
  }
  child.reach = child.inside ? smaller_of(surface, spheres) : -surface;
  child.dead = child.reach + child.half <= LEAST_REACH * c->size;
  c->cells[cell] = child;
  if (child.dead) return false;
  const double limit = site_limit(&child);
  for (int i = 0; i < near_count; i++) {
    if (c->near[i].distance - child.half > limit) continue;
    const double distance = site_distance(c, c->near[i].site, center);
    if (distance <= limit) chain_add(c, cell, c->near[i].site, distance);
  }
  return true;
}

static void split(InnerCells *c, int cell)
{
  int near_count = 0;
  for (int at = c->cells[cell].sites; at != NO_CELL; at = c->sites[at].next) {
    c->near = memory_grow(c->near, near_count + 1, &c->near_room, sizeof *c->near);
    c->near[near_count++] = c->sites[at];
  }
  chain_prune(c, cell, -INFINITY);
  const int first = new_block(c);
  InnerCell *of = &c->cells[cell];
  of->children = first;
  of->alive = 0;
  const double side = 0.5 * of->half / sqrt(3);
  const vec3 center = of->center;
  int alive = 0;
  for (int k = 0; k < 8; k++) {
    const vec3 to = {k & 1 ? side : -side, k & 2 ? side : -side, k & 4 ? side : -side};
    if (!make_child(c, cell, first + k, vec3_add(center, to), near_count)) continue;
    heap_push(c, first + k);
    alive++;
  }
  c->cells[cell].alive = alive;
  if (alive > 0) return;
  c->cells[cell].alive = 1;
  bury(c, cell);
}

// False: the cell is gone.
static bool add_below(InnerCells *c, int cell, int site, InnerSphere sphere)
{
  InnerCell *of = &c->cells[cell];
  const double distance = vec3_norm(vec3_sub(of->center, sphere.center)) - sphere.radius;
  const bool leaf = of->children == NO_CELL;
  const double limit = leaf ? site_limit(of) : larger_of(of->reach, 0) + 2 * of->half;
  if (distance > limit) return true;
  const bool nearer = of->inside && distance < of->reach;
  if (nearer) of->reach = distance;
  // (a whole cell with a centre outside may lie in the sphere too)
  if ((of->inside ? of->reach : distance) + of->half <= LEAST_REACH * c->size) {
    kill(c, cell);
    return false;
  }
  if (leaf) {
    chain_add(c, cell, site, distance);
    if (nearer) chain_prune(c, cell, site_limit(&c->cells[cell]));
    return true;
  }
  const int first = of->children;
  int alive = 0;
  for (int k = 0; k < 8; k++)
    alive += !c->cells[first + k].dead && add_below(c, first + k, site, sphere);
  c->cells[cell].alive = alive;
  if (alive == 0) kill(c, cell);
  return alive > 0;
}

void inner_cells_add(InnerCells *c, InnerSphere sphere)
{
  assert(sphere.radius > 0 && "a sphere has a radius");
  c->spheres =
      memory_grow(c->spheres, (int64_t)c->sphere_count + 1, &c->sphere_room, sizeof *c->spheres);
  c->spheres[c->sphere_count++] = sphere;
  if (!c->cells[0].dead) (void)add_below(c, 0, c->surface->count + c->sphere_count - 1, sphere);
}

InnerCells *inner_cells_new(const InnerSurface *surface)
{
  assert(surface->count > 0 && "a surface has triangles");
  InnerCells *c = memory_allocate(sizeof *c);
  *c = (InnerCells){.surface = surface,
                    .size = box_longest_side(surface->box),
                    .free_block = NO_CELL,
                    .free_site = NO_CELL};
  // (off the middle, so that planes between cells are no planes of the body)
  const vec3 off = vec3_scale(c->size, (vec3){0.0137, 0.0071, 0.0103});
  const vec3 middle = vec3_scale(0.5, vec3_add(surface->box.low, surface->box.high));
  const int root = new_block(c);
  for (int k = 1; k < 8; k++) c->cells[root + k].dead = true;
  InnerCell *cell = &c->cells[root];
  *cell = (InnerCell){.center = vec3_add(middle, off),
                      .half = sqrt(3) * 0.52 * c->size,
                      .parent = NO_CELL,
                      .children = NO_CELL,
                      .sites = NO_CELL,
                      .serial = 1};
  cell->inside = inner_sites_hold(surface, cell->center);
  double nearest = INFINITY;
  for (int t = 0; t < surface->count; t++) {
    const double distance = site_distance(c, t, cell->center);
    nearest = smaller_of(nearest, distance);
    chain_add(c, root, t, distance);
  }
  c->cells[root].reach = c->cells[root].inside ? nearest : -nearest;
  heap_push(c, root);
  return c;
}

void inner_cells_destroy(InnerCells *c)
{
  memory_free(c->cells);
  memory_free(c->sites);
  memory_free(c->heap);
  memory_free(c->spheres);
  memory_free(c->near);
  memory_free(c);
}

// -- the largest sphere ---------------------------------------------------------------------------

// Where to go from a place to come away from all sites that are nearly as near as the nearest.
static vec3 way_off(const InnerCells *c, int cell, vec3 x, double reach, double slack)
{
  vec3 sum = {0, 0, 0};
  for (int at = c->cells[cell].sites; at != NO_CELL; at = c->sites[at].next) {
    const int site = c->sites[at].site, triangles = c->surface->count;
    const double distance = site_distance(c, site, x), weight = reach + slack - distance;
    if (!(weight > 0)) continue;
    const vec3 from = site >= triangles ? c->spheres[site - triangles].center
                                        : inner_sites_nearest(&c->surface->triangles[site], x);
    const vec3 away = vec3_sub(x, from);
    const double length = vec3_norm(away);
    if (length > 0) sum = vec3_axpy(weight / length, away, sum);
  }
  const double length = vec3_norm(sum);
  return length > 0 ? vec3_scale(1 / length, sum) : sum;
}

static double reach_at(const InnerCells *c, int cell, vec3 x)
{
  double reach = INFINITY;
  for (int at = c->cells[cell].sites; at != NO_CELL; at = c->sites[at].next)
    reach = smaller_of(reach, site_distance(c, c->sites[at].site, x));
  return reach;
}

// From the centre of a leaf to a place in it that is farther from everything.
static InnerSphere climb(const InnerCells *c, int cell)
{
  const InnerCell *of = &c->cells[cell];
  vec3 x = of->center;
  double reach = of->reach, step = 0.5 * of->half;
  for (int i = 0; i < CLIMB_STEPS && step > CLIMB_END * reach; i++) {
    const vec3 to = vec3_axpy(step, way_off(c, cell, x, reach, 2 * step), x);
    const bool in = vec3_norm(vec3_sub(to, of->center)) <= of->half;
    const double there = in ? reach_at(c, cell, to) : 0;
    if (!(there > reach)) {
      step *= 0.5;
      continue;
    }
    x = to;
    reach = there;
  }
  return (InnerSphere){x, reach - TOUCHING * c->size};
}

bool inner_cells_largest(InnerCells *c, InnerSphere *sphere)
{
  while (c->heap_count > 0) {
    const HeapEntry top = heap_pop(c);
    const InnerCell *cell = &c->cells[top.cell];
    if (cell->dead || cell->serial != top.serial || cell->children != NO_CELL) continue;
    const double bound = cell->reach + cell->half;
    if (bound < top.bound) {
      heap_push(c, top.cell);
      continue;
    }
    if (bound <= LEAST_REACH * c->size) return false;
    if (cell->reach < INNER_SHARE * bound) {
      if (c->count > FIRST_CELLS + (int64_t)MORE_CELLS * c->sphere_count) return false;
      split(c, top.cell);
      continue;
    }
    *sphere = climb(c, top.cell);
    heap_push(c, top.cell);
    return true;
  }
  return false;
}
