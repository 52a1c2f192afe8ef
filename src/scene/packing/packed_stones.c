// Places stones that are being packed and moves them.
#include "packed_stones.h"

#include <assert.h>

#include "check.h"
#include "random.h"

// Stones are moved by this much more than they need to: over-relaxation, as of Gauss-Seidel.
#define RELAXATION 1.9

#define MOST_TURN 0.2   // rad, of a push

// what random numbers are for
enum { DRAW_PLACES, DRAW_TURNS };

static StoneForm make_form(const ShapeRecipe *recipe, Arena *arena)
{
  assert(!recipe->surface_alone && "stones are convex pieces");
  StoneForm form = {0};
  const ShapeResult result = shape_build(recipe, arena, &form.shape);
  assert(result.status == SHAPE_OK && "shapes were looked at before");
  (void)result;
  const mat3 inertia = form.shape.inertia;
  form.gyration =
      (inertia.row[0].x + inertia.row[1].y + inertia.row[2].z) / (3 * form.shape.volume);
  form.piece_count = form.shape.part_count > 0 ? form.shape.part_count : 1;
  form.middles = arena_allocate_zero(arena, (size_t)form.piece_count, sizeof(vec3));
  for (int k = 0; k < form.shape.part_count; k++)
    form.middles[k] = polyhedron_moments(&form.shape.parts[k].hull).centroid;
  return form;
}

static int points_of(const StoneForm *form, int piece)
{
  assert_debug(piece >= 0 && piece < form->piece_count && "a form has the piece");
  if (form->shape.part_count > 0) return form->shape.parts[piece].hull.vertex_count;
  return form->shape.radii.x > 0 ? 0 : 1;
}

// Forms of the shapes that stones have, and room for the pieces of all stones.
static int make_stones(PackedStones *p, Arena *arena, int *most_points)
{
  const StonePacking *packing = p->packing;
  StoneForm *forms = arena_allocate_zero(arena, (size_t)packing->shape_count, sizeof *forms);
  p->stones = arena_allocate_zero(arena, (size_t)p->count, sizeof *p->stones);
  double mean = 0;
  int pieces = 0;
  *most_points = 3;
  for (int i = 0; i < p->count; i++) {
    const int shape = packing->shape_of[i];
    assert(shape >= 0 && shape < packing->shape_count && "a stone has a shape");
    StoneForm *form = &forms[shape];
    if (form->piece_count == 0) *form = make_form(&packing->shapes[shape], arena);
    p->stones[i].form = form;
    p->stones[i].first_piece = pieces;
    pieces += form->piece_count;
    mean += form->shape.radius / p->count;
    for (int k = 0; k < form->piece_count; k++)
      if (points_of(form, k) > *most_points) *most_points = points_of(form, k);
  }
  for (int i = 0; i < p->count; i++) p->stones[i].yield = mean / p->stones[i].form->shape.radius;
  return pieces;
}

static void make_pieces(PackedStones *p, int piece_count, Arena *arena)
{
  const size_t pieces = (size_t)piece_count;
  p->pieces = arena_allocate_zero(arena, pieces, sizeof *p->pieces);
  p->ellipsoids = arena_allocate_zero(arena, pieces, sizeof *p->ellipsoids);
  p->first_point = arena_allocate_zero(arena, pieces, sizeof *p->first_point);
  int piece = 0, points = 0;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < p->stones[i].form->piece_count; k++, piece++) {
      p->first_point[piece] = points;
      points += p->pieces[piece].count = points_of(p->stones[i].form, k);
    }
  assert(piece == piece_count && "pieces are those that were counted");
  p->points = arena_allocate_zero(arena, (size_t)points, sizeof *p->points);
  for (int k = 0; k < piece_count; k++) {
    p->pieces[k].points = p->points + p->first_point[k];
    if (p->pieces[k].count == 0) p->pieces[k].ellipsoid = &p->ellipsoids[k];
  }
}

static void make_triangles(PackedStones *p, const Room *room, Arena *arena)
{
  assert(room->triangle_count > 0 && "a surface has triangles");
  p->triangle_count = room->triangle_count;
  p->triangles = arena_allocate_zero(arena, (size_t)p->triangle_count, sizeof *p->triangles);
  vec3 *corners = arena_allocate(arena, 3 * (size_t)p->triangle_count * sizeof(vec3));
  for (int t = 0; t < p->triangle_count; t++, corners += 3) {
    for (int k = 0; k < 3; k++) corners[k] = room->points[room->triangles[t][k]];
    const vec3 sum = vec3_add(corners[0], vec3_add(corners[1], corners[2]));
    p->triangles[t] = (StonePiece){
        .count = 3, .points = corners, .middle = vec3_scale(1.0 / 3, sum), .flat = true};
  }
}

PackedStones packed_stones_new(const StonePacking *packing, Arena *arena)
{
  assert(packing->count > 0 && "there are stones");
  PackedStones p = {.packing = packing, .count = packing->count};
  int most_points;
  const int pieces = make_stones(&p, arena, &most_points);
  make_pieces(&p, pieces, arena);
  if (packing->room.kind == ROOM_SURFACE) make_triangles(&p, &packing->room, arena);
  for (int k = 0; k < 2; k++) {
    p.scratch.points[k] = arena_allocate(arena, (size_t)most_points * sizeof(vec3));
    p.lists[k] = arena_new();
  }
  return p;
}

void packed_stones_destroy(PackedStones *p)
{
  arena_destroy(&p->lists[0]);
  arena_destroy(&p->lists[1]);
}

void packed_stones_put(PackedStones *p, int stone)
{
  assert_debug(p->scale > 0 && "stones have a size");
  const PackedStone *s = &p->stones[stone];
  const Shape *shape = &s->form->shape;
  const mat3 rotation = quat_to_mat3(s->turn), scaled = mat3_scale(p->scale, rotation);
  for (int k = 0; k < s->form->piece_count; k++) {
    const int piece = s->first_piece + k;
    StonePiece *to = &p->pieces[piece];
    to->middle = vec3_add(s->place, mat3_mul(scaled, s->form->middles[k]));
    to->radius = p->scale * shape->sphere_radius;
    if (to->ellipsoid)
      p->ellipsoids[piece] = ellipsoid_place(vec3_scale(p->scale, shape->radii), rotation);
    vec3 *points = p->points + p->first_point[piece];
    if (shape->part_count == 0) {
      if (!to->ellipsoid) points[0] = s->place;
      continue;
    }
    const vec3 *vertices = shape->parts[k].hull.vertices;
    for (int v = 0; v < to->count; v++)
      points[v] = vec3_add(s->place, mat3_mul(scaled, vertices[v]));
  }
}

void packed_stones_set_scale(PackedStones *p, double scale)
{
  assert(scale > 0 && "stones have a size");
  p->scale = scale;
  for (int i = 0; i < p->count; i++) packed_stones_put(p, i);
}

void packed_stones_scatter(PackedStones *p, uint64_t attempt, double scale)
{
  assert(scale > 0 && "stones have a size");
  const StonePacking *packing = p->packing;
  const uint64_t own = random_stream(packing->stream, attempt);
  const uint64_t places = random_stream(own, DRAW_PLACES), turns = random_stream(own, DRAW_TURNS);
  p->scale = scale;
  p->scale_listed = 0;
  p->pair_count = 0;
  for (int i = 0; i < p->count; i++) {
    PackedStone *s = &p->stones[i];
    const uint64_t draw = 3 * (uint64_t)i;
    s->turn = quat_identity();
    if (packing->turned)
      s->turn = random_rotation(random_uniform(turns, draw), random_uniform(turns, draw + 1),
                                random_uniform(turns, draw + 2));
    s->inside = room_place(&packing->room, places, (uint64_t)i);
    const vec3 arm = mat3_mul(quat_to_mat3(s->turn), s->form->middles[0]);
    s->place = vec3_axpy(-scale, arm, s->inside);
    packed_stones_put(p, i);
  }
}

static vec3 lever_of(const PackedStone *s, vec3 normal, vec3 at)
{
  return vec3_cross(vec3_sub(at, s->place), normal);
}

// How far a point of a stone gives way along a normal when it is pushed there by one.
static double compliance(const PackedStones *p, const PackedStone *s, vec3 normal, vec3 at)
{
  if (!p->packing->turned) return s->yield;
  const vec3 lever = lever_of(s, normal, at);
  const double gyration = s->form->gyration * p->scale * p->scale;
  return s->yield * (1 + vec3_dot(lever, lever) / gyration);
}

static void move(PackedStones *p, PackedStone *s, vec3 normal, vec3 at, double push)
{
  assert_debug(s->yield > 0 && "a stone gives way");
  const vec3 lever = lever_of(s, normal, at);
  s->place = vec3_axpy(push * s->yield, normal, s->place);
  if (p->packing->turned) {
    const double gyration = s->form->gyration * p->scale * p->scale;
    vec3 angle = vec3_scale(push * s->yield / gyration, lever);
    const double size = vec3_norm(angle);
    if (size > MOST_TURN) angle = vec3_scale(MOST_TURN / size, angle);
    const quat turn = {1, 0.5 * angle.x, 0.5 * angle.y, 0.5 * angle.z};
    s->turn = quat_normalize(quat_mul(turn, s->turn));
  }
  packed_stones_put(p, (int)(s - p->stones));
}

void packed_stones_push(PackedStones *p, int stone, vec3 normal, vec3 at, double by)
{
  assert_debug(stone >= 0 && stone < p->count && "a stone has a number");
  PackedStone *s = &p->stones[stone];
  move(p, s, normal, at, RELAXATION * by / compliance(p, s, normal, at));
}

void packed_stones_part(PackedStones *p, int a, int b, const PieceAxis *axis, double by)
{
  assert_debug(a != b && "a stone does not meet itself");
  PackedStone *s = &p->stones[a], *t = &p->stones[b];
  const vec3 at = vec3_scale(0.5, vec3_add(axis->nearest[0], axis->nearest[1]));
  const double push =
      RELAXATION * by / (compliance(p, s, axis->normal, at) + compliance(p, t, axis->normal, at));
  move(p, s, axis->normal, at, -push);
  move(p, t, axis->normal, at, push);
}
