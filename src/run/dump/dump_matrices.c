// Makes the matrices of a contact problem from rows of bodies, nodes, points and shares:
//   M v = H r + f,  f = M v_free,  u = H' v + w.
// Of bodies of finite elements M is A0 (finite_body.h) of the nodes that are free, in world axes.
#include "dump_matrices.h"

#include <assert.h>

#include "check.h"

enum { FREEDOM = 6, FREEDOM_ELASTIC = 3 + ELASTIC_UNKNOWNS };

// Which unknowns bodies and nodes have.
typedef struct {
  const DumpRows *rows;
  const ElasticFinite **of;   // [bodies] NULL: not of finite elements
  int *first;                 // [bodies + 1] unknowns
  int *first_node;            // [bodies + 1] nodes
  int *of_node;               // [nodes] the first of its three unknowns; -1: it is held
} Layout;

// Entries of a sparse matrix as they are found.
typedef struct {
  int room, count;
  int *row, *column;
  double *value;
} Entries;

static Entries entries_new(int room, Arena *arena)
{
  const size_t count = (size_t)room + 1;
  return (Entries){room, 0, arena_allocate(arena, count * sizeof(int)),
                   arena_allocate(arena, count * sizeof(int)),
                   arena_allocate(arena, count * sizeof(double))};
}

static SparseMatrix entries_matrix(const Entries *e, int rows, int columns, Arena *arena)
{
  const SparseEntries entries = {e->count, e->row, e->column, e->value};
  return sparse_matrix_new(rows, columns, entries, arena);
}

static void add_entry(Entries *e, int row, int column, double value)
{
  if (value == 0) return;
  assert_debug(e->count < e->room && "entries were counted");
  e->row[e->count] = row;
  e->column[e->count] = column;
  e->value[e->count++] = value;
}

static void vec3_numbers(vec3 v, double numbers[3])
{
  numbers[0] = v.x;
  numbers[1] = v.y;
  numbers[2] = v.z;
}

// ------------------------------------------------------------------------------------------------
// Unknowns

static int lay_nodes(Layout *layout, int body, int freedom)
{
  const DumpRows *rows = layout->rows;
  const FiniteBody *of = layout->of[body]->body;
  assert_debug(of->nodes == rows->bodies[body].nodes && "a mesh has the nodes of its bodies");
  for (int n = 0; n < of->nodes; n++) {
    const int at = layout->first_node[body] + n;
    assert_debug(rows->nodes[at].body == rows->bodies[body].id && rows->nodes[at].number == n &&
                 "nodes follow their bodies");
    const bool held = of->held && of->held[n];
    layout->of_node[at] = held ? -1 : freedom;
    if (!held) freedom += 3;
  }
  return freedom;
}

static Layout layout_new(const DumpRows *rows, ElasticSet *elastic, Arena *arena)
{
  const size_t bodies = (size_t)rows->body_count + 1;
  Layout layout = {.rows = rows,
                   .of = arena_allocate_zero(arena, bodies, sizeof(ElasticFinite *)),
                   .first = arena_allocate_zero(arena, bodies, sizeof(int)),
                   .first_node = arena_allocate_zero(arena, bodies, sizeof(int)),
                   .of_node = arena_allocate(arena, ((size_t)rows->node_count + 1) * sizeof(int))};
  for (int b = 0; b < rows->body_count; b++) {
    const DumpBody *body = &rows->bodies[b];
    layout.first_node[b + 1] = layout.first_node[b] + body->nodes;
    if (body->nodes > 0) {
      assert(elastic != NULL && "bodies with nodes have shapes with meshes");
      layout.of[b] = elastic_finite(elastic, body->shape, body->material);
      layout.first[b + 1] = lay_nodes(&layout, b, layout.first[b]);
    } else {
      layout.first[b + 1] = layout.first[b] + (body->deforms ? FREEDOM_ELASTIC : FREEDOM);
    }
  }
  return layout;
}

// ------------------------------------------------------------------------------------------------
// M and the free velocities

// a rigid body, or an affine one
static void add_body(Entries *m, const DumpBody *body, int first, double *free)
{
  vec3_numbers(body->free.v, free + first);
  for (int i = 0; i < 3; i++) add_entry(m, first + i, first + i, body->mass.mass);
  first += 3;
  if (!body->deforms) vec3_numbers(body->free.w, free + first);
  for (int i = 0; i < 3 && !body->deforms; i++) {
    double row[3];
    vec3_numbers(body->mass.inertia.row[i], row);
    for (int j = 0; j < 3; j++) add_entry(m, first + i, first + j, row[j]);
  }
  for (int i = 0; i < ELASTIC_UNKNOWNS && body->deforms; i++) {
    free[first + i] = body->field[i];
    for (int j = 0; j < ELASTIC_UNKNOWNS; j++)
      add_entry(m, first + i, first + j, body->resist[ELASTIC_UNKNOWNS * i + j]);
  }
}

// the block of two nodes and its transpose, of one node symmetric to the bit
static void add_block(Entries *m, int row, int column, mat3 block)
{
  double numbers[3][3];
  for (int i = 0; i < 3; i++) vec3_numbers(block.row[i], numbers[i]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (row == column && j < i) continue;
      add_entry(m, row + i, column + j, numbers[i][j]);
      if (row != column || j != i) add_entry(m, column + j, row + i, numbers[i][j]);
    }
}

static void add_nodes(Entries *m, const Layout *layout, int body, double *free)
{
  const FiniteBody *of = layout->of[body]->body;
  const FiniteStiffness *k0 = &of->stiffness;
  const double share = finite_body_share(of);
  const mat3 r = layout->rows->bodies[body].rotation, back = mat3_transpose(r);
  const int *unknown = layout->of_node + layout->first_node[body];
  for (int n = 0; n < of->nodes; n++) {
    if (unknown[n] < 0) continue;
    vec3_numbers(layout->rows->nodes[layout->first_node[body] + n].free, free + unknown[n]);
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++) {
      const int other = k0->column[k];
      if (other < n || unknown[other] < 0) continue;
      const double *x = &k0->value[(size_t)k * FINITE_BLOCK];
      const mat3 own = {{{x[0], x[3], x[6]}, {x[1], x[4], x[7]}, {x[2], x[5], x[8]}}};
      mat3 block = mat3_scale(share, mat3_mul_mat(r, mat3_mul_mat(own, back)));
      const double mass = other == n ? of->lumped[n] : 0;
      block = mat3_add(block, mat3_diagonal(mass, mass, mass));
      add_block(m, unknown[n], unknown[other], block);
    }
  }
}

static void add_bodies(MatrixProblem *problem, const Layout *layout, Arena *arena)
{
  const int count = layout->rows->body_count, freedom = layout->first[count];
  int room = 0;
  for (int b = 0; b < count; b++) {
    const FiniteStiffness *k0 = layout->of[b] ? &layout->of[b]->body->stiffness : NULL;
    room += k0 ? FINITE_BLOCK * k0->start[k0->nodes] : 3 + ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS;
  }
  Entries m = entries_new(room, arena);
  double *free = arena_allocate(arena, ((size_t)freedom + 1) * sizeof *free);
  for (int b = 0; b < count; b++) {
    if (layout->of[b]) add_nodes(&m, layout, b, free);
    else add_body(&m, &layout->rows->bodies[b], layout->first[b], free);
  }
  problem->freedom = freedom;
  problem->m = entries_matrix(&m, freedom, freedom, arena);
  problem->force = arena_allocate(arena, ((size_t)freedom + 1) * sizeof(double));
  sparse_matrix_multiply(&problem->m, free, problem->force);
}

// ------------------------------------------------------------------------------------------------
// H and w

// One body of a point.
typedef struct {
  int point, body;
  vec3 arm;
  double sign;
} PointSide;

// sign times axis and its dyad with the arm
static void add_columns(Entries *h, const Layout *layout, const PointSide *side)
{
  const GatheredPoint *p = &layout->rows->points[side->point];
  const int first = layout->first[side->body], end = layout->first[side->body + 1];
  for (int axis = 0; axis < 3; axis++) {
    double numbers[FREEDOM_ELASTIC];
    vec3_numbers(p->basis.row[axis], numbers);
    elastic_numbers_of_dyad(mat3_outer(p->basis.row[axis], side->arm), numbers + 3);
    for (int i = first; i < end; i++)
      add_entry(h, i, 3 * side->point + axis, side->sign * numbers[i - first]);
  }
}

// the share of a node that moves, or in w what one that is held gives
static void add_share(Entries *h, const Layout *layout, const PointSide *side,
                      const DumpShare *share, double *w)
{
  const GatheredPoint *p = &layout->rows->points[side->point];
  const int node = layout->first_node[side->body] + share->node, first = layout->of_node[node];
  const double weight = side->sign * share->weight;
  for (int axis = 0; axis < 3; axis++) {
    const vec3 along = vec3_scale(weight, p->basis.row[axis]);
    const int column = 3 * side->point + axis;
    if (first < 0) w[column] += vec3_dot(along, layout->rows->nodes[node].free);
    double numbers[3];
    vec3_numbers(along, numbers);
    for (int i = 0; i < 3 && first >= 0; i++) add_entry(h, first + i, column, numbers[i]);
  }
}

static bool is_of(const DumpShare *share, const GatheredPoint *p, bool high)
{
  return id_pair_compare(share->ids, p->ids) == 0 && share->order == p->order &&
         share->high == high;
}

// shares have the order of points: returns the first one that is left
static int add_side(Entries *h, const Layout *layout, const PointSide *side, int share, double *w)
{
  const DumpRows *rows = layout->rows;
  if (!layout->of[side->body]) {
    add_columns(h, layout, side);
    return share;
  }
  const GatheredPoint *p = &rows->points[side->point];
  assert_debug(share < rows->share_count && is_of(&rows->shares[share], p, side->sign < 0) &&
               "a point of such a body has shares");
  while (share < rows->share_count && is_of(&rows->shares[share], p, side->sign < 0))
    add_share(h, layout, side, &rows->shares[share++], w);
  return share;
}

static int find_body(const DumpRows *rows, uint64_t id)
{
  return gathered_body(rows->bodies, rows->body_count, sizeof *rows->bodies, id);
}

static void add_points(MatrixProblem *problem, const Layout *layout, Arena *arena)
{
  const DumpRows *rows = layout->rows;
  const int count = rows->point_count;
  problem->count = count;
  problem->friction = arena_allocate(arena, ((size_t)count + 1) * sizeof(double));
  problem->free = arena_allocate(arena, (3 * (size_t)count + 1) * sizeof(double));
  Entries h = entries_new(6 * FREEDOM_ELASTIC * count + 9 * rows->share_count, arena);
  int share = 0;
  for (int i = 0; i < count; i++) {
    const GatheredPoint *p = &rows->points[i];
    problem->friction[i] = p->friction;
    vec3_numbers(p->more[0], &problem->free[3 * i]);
    if (p->low_moves) {
      const PointSide low = {i, find_body(rows, p->ids.low), p->low_arm, 1};
      share = add_side(&h, layout, &low, share, problem->free);
    }
    if (p->high_moves) {
      const PointSide high = {i, find_body(rows, p->ids.high), p->high_arm, -1};
      share = add_side(&h, layout, &high, share, problem->free);
    }
  }
  assert(share == rows->share_count && "every share is of a point");
  problem->h = entries_matrix(&h, problem->freedom, 3 * count, arena);
}

MatrixProblem dump_matrices_new(const DumpRows *rows, ElasticSet *elastic, Arena *arena)
{
  assert(rows->body_count >= 0 && rows->point_count >= 0 && "rows are counted");
  MatrixProblem problem = {.form = MATRIX_GLOBAL};
  const Layout layout = layout_new(rows, elastic, arena);
  add_bodies(&problem, &layout, arena);
  add_points(&problem, &layout, arena);
  return problem;
}
