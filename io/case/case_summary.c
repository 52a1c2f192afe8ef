// Writes the few lines with which drystone check sums up a case.
#include "case_summary.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "case_joints.h"
#include "case_value.h"
#include "check.h"
#include "ellipsoid.h"
#include "ground.h"
#include "group.h"
#include "model.h"
#include "plural.h"
#include "scene.h"
#include "stones.h"

typedef struct {
  double mass[3];   // by kind of body: dynamic, fixed, prescribed, kg
  uint64_t bodies[3];
  uint64_t parts, spheres, ellipsoids, surfaces;   // of all bodies
  uint64_t hull_points, spare_points;   // of the hulls of all shapes, and those that are no corners
  vec3 low, high;                       // m
  bool about;   // shapes of many stones are those expected, the box holds whatever is drawn
} Totals;

// Stones of a group that are looked at one by one, within a second; of more, what is expected is
// within a few thousandths of what is drawn.
#define COUNTED_STONES 1000000

static bool is_counted(const BodyGroup *g)
{
  return (g->kind != GROUP_STONES && g->kind != GROUP_INLET) || g->body_count <= COUNTED_STONES;
}

// First body of a course of a wall, and bodies in it.
static uint64_t course_first(const BodyGroup *g, uint64_t course)
{
  assert_debug(g->kind == GROUP_WALL && g->bricks > 0 && "courses are those of a wall");
  const uint64_t bricks = (uint64_t)g->bricks;
  return course / 2 * (2 * bricks + 1) + (course % 2 ? bricks : 0);
}

// The bodies that can reach farthest: corners of grids and walls, and all of any other group.
static uint64_t outer_count(const BodyGroup *g)
{
  if (!is_counted(g)) return 0;
  const bool corners = (g->kind == GROUP_GRID || g->kind == GROUP_WALL) && g->part_count == 0;
  return corners ? 8 : g->body_count;
}

static uint64_t outer_index(const BodyGroup *g, uint64_t m)
{
  assert_debug(m < outer_count(g) && "a body that reaches far has a number");
  if (g->part_count > 0) return m;
  if (g->kind == GROUP_GRID) {
    const uint64_t nx = (uint64_t)g->count[0], ny = (uint64_t)g->count[1];
    const uint64_t i = m & 1 ? nx - 1 : 0, j = m & 2 ? ny - 1 : 0;
    const uint64_t k = m & 4 ? (uint64_t)g->count[2] - 1 : 0;
    return i + nx * (j + ny * k);
  }
  if (g->kind == GROUP_WALL) {
    // whole bricks and halves reach equally far: the two lowest and the two highest courses
    const uint64_t last = (uint64_t)g->courses - 1, step = m & 2 && last > 0 ? 1 : 0;
    const uint64_t course = m & 4 ? last - step : step;
    return m & 1 ? course_first(g, course + 1) - 1 : course_first(g, course);
  }
  return m;
}

// Stones of each shape as they are expected, in whole numbers that add up to all.
static void expect_shapes(const BodyGroup *g, uint64_t *bodies)
{
  assert(g->shape_count > 0 && !is_counted(g) && "stones are expected where they are not counted");
  double share = 0;
  uint64_t before = 0;
  for (int local = 0; local < g->shape_count; local++) {
    share += stones_share(g, local);
    const bool last = local == g->shape_count - 1;
    const uint64_t up_to =
        last ? g->body_count : (uint64_t)fmin(share * (double)g->body_count, (double)g->body_count);
    bodies[local] = up_to - before;
    before = up_to;
  }
}

// Bodies of a group that have each of its shapes.
static void count_shapes(const Case *c, const BodyGroup *g, uint64_t *bodies)
{
  assert(g->shape_count > 0 && "a group has a shape");
  for (int local = 0; local < g->shape_count; local++) bodies[local] = 0;
  if (!is_counted(g)) {
    expect_shapes(g, bodies);
    return;
  }
  if (g->kind == GROUP_STONES || g->kind == GROUP_INLET || g->kind == GROUP_FILL ||
      g->kind == GROUP_MESH || g->kind == GROUP_STRUCTURE || g->kind == GROUP_RUBBLE ||
      g->part_count > 0) {
    for (uint64_t i = 0; i < g->body_count; i++)
      bodies[scene_body(c, g->first_id + i).shape - g->first_shape]++;
    return;
  }
  bodies[0] = g->body_count;
  if (g->shape_count == 1) return;
  bodies[1] = g->kind == GROUP_WALL ? (uint64_t)g->courses / 2 * 2 : 2;
  bodies[0] -= bodies[1];
}

// What the summary says of a shape; it is built once, however many groups have it.
typedef struct {
  bool known, sphere, ellipsoid, surface;
  int parts;
  uint64_t points, spare_points;   // of its hulls, and those that are no corners
  double volume;                   // m3
} ShapeDigest;

static ShapeDigest digest_shape(const Case *c, int number, Arena *scratch)
{
  assert(number >= 0 && number < c->shape_count && "a shape has a number");
  const ArenaMark mark = arena_mark(scratch);
  Shape shape;
  const ShapeResult result = shape_build(&c->shapes[number], scratch, &shape);
  assert(result.status == SHAPE_OK && "a case has a bad shape");
  (void)result;
  ShapeDigest digest = {.known = true,
                        .sphere = shape.sphere_radius > 0,
                        .ellipsoid = shape.radii.x > 0,
                        .surface = shape.surface != NULL,
                        .parts = shape.part_count,
                        .volume = shape.volume};
  for (int p = 0; p < shape.part_count && !c->shapes[number].surface_known; p++) {
    const int points = c->shapes[number].parts[p].count;
    digest.points += (uint64_t)points;
    digest.spare_points += (uint64_t)(points - shape.parts[p].hull.vertex_count);
  }
  arena_release(scratch, mark);
  return digest;
}

static void add_shape(const Case *c, const BodyGroup *g, int local, uint64_t bodies,
                      ShapeDigest shape, Totals *totals)
{
  assert(local >= 0 && local < g->shape_count && "a group has the shape");
  assert(g->material >= 0 && g->material < c->material_count && "a group has a material");
  const double mass = (double)bodies * c->materials[g->material].density * shape.volume;
  const bool fixed = g->fixed || (g->kind == GROUP_ARCH && local == 1 && g->part_count == 0);
  const int drive = group_founded(g)           ? DRIVE_DYNAMIC
                    : fixed && ground_moves(c) ? DRIVE_PRESCRIBED
                    : fixed                    ? DRIVE_FIXED
                    : g->motion                ? DRIVE_PRESCRIBED
                                               : DRIVE_DYNAMIC;
  totals->mass[drive] += mass;
  totals->bodies[drive] += bodies;
  totals->parts += bodies * (uint64_t)shape.parts;
  if (shape.sphere) totals->spheres += bodies;
  if (shape.ellipsoid) totals->ellipsoids += bodies;
  if (shape.surface) totals->surfaces += bodies;
}

static void add_box(const Case *c, BodyRecipe body, Totals *totals)
{
  assert(body.shape >= 0 && body.shape < c->shape_count && "a body has a shape");
  const ShapeRecipe *shape = &c->shapes[body.shape];
  const mat3 rotation = quat_to_mat3(body.turn);
  if (shape->part_count == 0) {
    vec3 reach = {shape->radius, shape->radius, shape->radius};
    if (shape->radii.x > 0) {
      const Ellipsoid ellipsoid = ellipsoid_place(shape->radii, rotation);
      reach = ellipsoid_half_box(&ellipsoid);
    }
    totals->low = vec3_min(totals->low, vec3_sub(body.origin, reach));
    totals->high = vec3_max(totals->high, vec3_add(body.origin, reach));
  }
  for (int p = 0; p < shape->part_count; p++)
    for (int i = 0; i < shape->parts[p].count; i++) {
      const vec3 arm = mat3_mul(rotation, shape->parts[p].points[i]);
      totals->low = vec3_min(totals->low, vec3_add(body.origin, arm));
      totals->high = vec3_max(totals->high, vec3_add(body.origin, arm));
    }
}

// Where stones that are not looked at one by one can be.
static void add_bounds(const BodyGroup *g, Totals *totals)
{
  assert(!is_counted(g) && "the box is that of stones that are not counted");
  const StonesBox box = stones_bounds(g);
  const mat3 rotation = quat_to_mat3(g->turn);
  for (int m = 0; m < 8; m++) {
    const vec3 corner = {m & 1 ? box.high.x : box.low.x, m & 2 ? box.high.y : box.low.y,
                         m & 4 ? box.high.z : box.low.z};
    const vec3 place = vec3_add(g->at, mat3_mul(rotation, corner));
    totals->low = vec3_min(totals->low, place);
    totals->high = vec3_max(totals->high, place);
  }
  totals->about = true;
}

static void add_group(const Case *c, const BodyGroup *g, ShapeDigest *digests, Arena *scratch,
                      Totals *totals)
{
  uint64_t *bodies = arena_allocate(scratch, (size_t)g->shape_count * sizeof *bodies);
  count_shapes(c, g, bodies);
  for (int local = 0; local < g->shape_count; local++) {
    if (bodies[local] == 0) continue;
    ShapeDigest *digest = &digests[g->first_shape + local];
    if (!digest->known) {
      *digest = digest_shape(c, g->first_shape + local, scratch);
      totals->hull_points += digest->points;
      totals->spare_points += digest->spare_points;
    }
    add_shape(c, g, local, bodies[local], *digest, totals);
  }
  for (uint64_t m = 0; m < outer_count(g); m++)
    add_box(c, scene_body(c, g->first_id + outer_index(g, m)), totals);
  if (!is_counted(g)) add_bounds(g, totals);
}

static Totals add_up(const Case *c)
{
  Totals totals = {.low = {INFINITY, INFINITY, INFINITY},
                   .high = {-INFINITY, -INFINITY, -INFINITY}};
  Arena scratch = arena_new();
  ShapeDigest *digests = arena_allocate_zero(&scratch, (size_t)c->shape_count, sizeof *digests);
  for (int i = 0; i < c->group_count; i++) {
    const ArenaMark mark = arena_mark(&scratch);
    add_group(c, &c->groups[i], digests, &scratch, &totals);
    arena_release(&scratch, mark);
  }
  arena_destroy(&scratch);
  return totals;
}

typedef struct {
  char text[4096];
  size_t used;
} Lines;

__attribute__((format(printf, 3, 4))) static void add_line(Lines *lines, const char *name,
                                                           const char *format, ...)
{
  const size_t room = sizeof lines->text - lines->used;
  const int head =
      snprintf(lines->text + lines->used, room, "%s%-13s", lines->used ? "\n" : "", name);
  va_list arguments;
  va_start(arguments, format);
  const int tail =
      vsnprintf(lines->text + lines->used + head, room - (size_t)head, format, arguments);
  va_end(arguments);
  lines->used += (size_t)head + (size_t)tail;
  assert(lines->used < sizeof lines->text && "a summary is longer than its buffer");
}

// Bodies that are not there at the start, and those that a run to the end does not see.
static void add_births(Lines *lines, const Case *c)
{
  const uint64_t later = c->body_count - scene_born(c, 0);
  if (later == 0) return;
  double last = 0;
  for (int i = 0; i < c->group_count; i++) {
    const double birth = group_birth(&c->groups[i], c->groups[i].body_count - 1);
    if (birth > last) last = birth;
  }
  const uint64_t never = c->body_count - scene_born(c, (int64_t)ceil(c->end / c->step - 1e-9));
  char unseen[80] = "";
  if (never > 0)
    snprintf(unseen, sizeof unseen, "; %" PRIu64 " of them not before time.end", never);
  add_line(lines, "births", "%" PRIu64 " %s after the start, the last at t = %.6g s%s", later,
           later == 1 ? "body appears" : "bodies appear", last, unseen);
}

// What fills reached.
static void add_fills(Lines *lines, const Case *c)
{
  const int most = 4;   // lines
  int count = 0;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *g = &c->groups[i];
    if (g->kind != GROUP_FILL || g->part > 0 || ++count > most) continue;
    const Fill *fill = g->stones->fill;
    char curve[64] = "";
    if (g->stones->row_count > 0)
      snprintf(curve, sizeof curve, ", within %.2g of their size curve", fill->off_curve);
    add_line(lines, "fill", "%d %s %.4g of %.4g m3%s", fill->count,
             plural(fill->count, "stone is", "stones are"), fill->solid, room_volume(&fill->room),
             curve);
  }
  if (count > most) add_line(lines, "fill", "%d more", count - most);
}

// What makes contacts, and what leaves some out.
static void add_contacts(Lines *lines, const Case *c)
{
  int apart = 0;
  const int pair_count = surface_laws_count(c->material_count);
  for (int i = 0; i < pair_count; i++) apart += c->surfaces.laws[i].excluded;
  char pairs[80] = "";
  if (apart > 0)
    snprintf(pairs, sizeof pairs, "; %d %s of materials without contact", apart,
             apart == 1 ? "pair" : "pairs");
  const bool sparsified = c->contact.sparsify.threshold > 0 || c->contact.sparsify.min_area > 0 ||
                          c->contact.sparsify.min_distance > 0;
  add_line(lines, "contacts", "model %s%s%s", model_word(c->contact.model),
           sparsified ? ", sparsified" : "", pairs);
}

// Steps that bodies with the volumetric law bear, by one face or another.
static void add_critical_step(Lines *lines, const Case *c)
{
  if (!(c->critical_least.step > 0)) return;
  char name[64];
  case_tree_quote(c->groups[c->critical_most.group].name, name, sizeof name);
  add_line(lines, "volumetric",
           "steps up to %.4g s by the smallest faces of bodies, %.4g s by the largest (%s)",
           c->critical_least.step, c->critical_most.step, *name ? name : "unnamed");
}

// Loads, and on how many bodies they act.
static void add_loads(Lines *lines, const Case *c)
{
  if (c->load_count == 0) return;
  uint64_t loaded = 0;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    for (int k = 0; k < group->load_span_count; k++)
      loaded += group->load_spans[k].end - group->load_spans[k].begin;
  }
  char wheels[48] = "";
  if (c->wheel_count > 0)
    snprintf(wheels, sizeof wheels, "; %d wheel%s", c->wheel_count, c->wheel_count == 1 ? "" : "s");
  add_line(lines, "loads", "%d, on %" PRIu64 " bod%s%s", c->load_count - c->wheel_count, loaded,
           loaded == 1 ? "y" : "ies", wheels);
}

// Joints by kind.
static void add_joints(Lines *lines, const Case *c)
{
  if (c->joint_count == 0) return;
  int counts[JOINT_KIND_COUNT] = {0};
  for (int j = 0; j < c->joint_count; j++) counts[c->joints[j].kind]++;
  char kinds[512] = "", pass[80] = "";
  size_t used = 0;
  for (JointKind kind = 0; kind < JOINT_KIND_COUNT; kind++)
    if (counts[kind] > 0)
      used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%d %s%s", used ? ", " : "",
                               counts[kind], case_joints_word(kind), counts[kind] == 1 ? "" : "s");
  assert(used < sizeof kinds && "kinds have room");
  if (c->pass_count > 0)
    snprintf(pass, sizeof pass, "; %d %s of bodies without contact", c->pass_count,
             c->pass_count == 1 ? "pair" : "pairs");
  add_line(lines, "joints", "%d: %s; they hold %d point%s%s", c->joint_count, kinds,
           c->joint_row_count, c->joint_row_count == 1 ? "" : "s", pass);
}

// The stages by name, as many as fit into a line.
static void add_stages(Lines *lines, const Case *c)
{
  if (c->stage_count == 0) return;
  char names[512] = "", name[64];
  size_t used = 0;
  int shown = 0;
  for (; shown < c->stage_count && used + 80 < sizeof names; shown++) {
    case_tree_quote(c->stages[shown].stage_name, name, sizeof name);
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", shown ? ", " : "", name);
  }
  add_line(lines, "stages", "%d: %s%s", c->stage_count, names,
           shown < c->stage_count ? ", ..." : "");
}

// When the state goes to the disk.
static void add_checkpoints(Lines *lines, const Case *c)
{
  char steps[48] = "", minutes[48] = "";
  if (c->output.checkpoint_steps > 0)
    snprintf(steps, sizeof steps, "every %d step%s, ", c->output.checkpoint_steps,
             c->output.checkpoint_steps == 1 ? "" : "s");
  if (c->output.checkpoint_minutes > 0)
    snprintf(minutes, sizeof minutes, "%s%g minute%s of wall time, ", *steps ? "or " : "every ",
             c->output.checkpoint_minutes, c->output.checkpoint_minutes == 1 ? "" : "s");
  add_line(lines, "checkpoints", "%s%s%sat the end", steps, minutes,
           *steps || *minutes ? "and " : "");
}

const char *case_summary_text(const Case *c)
{
  assert(c->arena != NULL && c->step > 0 && "a case is read");
  const Totals t = add_up(c);
  Lines lines = {.used = 0};
  char title[256], materials[256] = "";
  case_tree_quote(c->title, title, sizeof title);
  size_t used = 0;
  for (int i = 0; i < c->material_count && used + 80 < sizeof materials; i++) {
    char name[48];
    case_tree_quote(c->materials[i].name, name, sizeof name);
    used += (size_t)snprintf(materials + used, sizeof materials - used, "%s%s %g kg/m3",
                             i ? ", " : "", name, c->materials[i].density);
  }

  add_line(&lines, "title", "%s", title);
  char driven[48] = "", driven_mass[48] = "";
  if (t.bodies[DRIVE_PRESCRIBED] > 0) {
    snprintf(driven, sizeof driven, ", %" PRIu64 " prescribed", t.bodies[DRIVE_PRESCRIBED]);
    snprintf(driven_mass, sizeof driven_mass, ", %.6g kg prescribed", t.mass[DRIVE_PRESCRIBED]);
  }
  add_line(&lines, "bodies", "%" PRIu64 " (%" PRIu64 " dynamic, %" PRIu64 " fixed%s)",
           c->body_count, t.bodies[DRIVE_DYNAMIC], t.bodies[DRIVE_FIXED], driven);
  char spheres[48] = "", ellipsoids[48] = "", surfaces[48] = "";
  if (t.surfaces > 0)
    snprintf(surfaces, sizeof surfaces, ", %" PRIu64 " surface%s alone", t.surfaces,
             t.surfaces == 1 ? "" : "s");
  if (t.spheres > 0)
    snprintf(spheres, sizeof spheres, "%s %" PRIu64 " sphere%s", t.ellipsoids > 0 ? "," : " and",
             t.spheres, t.spheres == 1 ? "" : "s");
  if (t.ellipsoids > 0)
    snprintf(ellipsoids, sizeof ellipsoids, " and %" PRIu64 " ellipsoid%s", t.ellipsoids,
             t.ellipsoids == 1 ? "" : "s");
  add_line(&lines, "shapes", "%d, bodies of %s%" PRIu64 " convex part%s%s%s%s in all",
           c->shape_count, t.about ? "about " : "", t.parts, t.parts == 1 ? "" : "s", surfaces,
           spheres, ellipsoids);
  if (t.spare_points > 0)
    add_line(&lines, "hulls", "%" PRIu64 " of %" PRIu64 " points %s: inside, or flat",
             t.spare_points, t.hull_points,
             plural((long long)t.spare_points, "is no corner", "are no corners"));
  add_line(&lines, "materials", "%d: %s", c->material_count, materials);
  add_contacts(&lines, c);
  add_critical_step(&lines, c);
  add_line(&lines, "mass", "%s%.6g kg dynamic, %.6g kg fixed%s", t.about ? "about " : "",
           t.mass[DRIVE_DYNAMIC], t.mass[DRIVE_FIXED], driven_mass);
  add_line(&lines, "bounding box", "%s[%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g] m",
           t.about ? "within " : "", t.low.x, t.low.y, t.low.z, t.high.x, t.high.y, t.high.z);
  add_loads(&lines, c);
  add_joints(&lines, c);
  add_fills(&lines, c);
  add_births(&lines, c);
  if (c->domain.given)
    add_line(&lines, "domain", "[%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g] m", c->domain.low.x,
             c->domain.low.y, c->domain.low.z, c->domain.high.x, c->domain.high.y,
             c->domain.high.z);
  add_line(&lines, "steps", "%.0f of %g s, to %g s", ceil(c->end / c->step - 1e-9), c->step,
           c->end);
  add_stages(&lines, c);
  add_checkpoints(&lines, c);

  char *text = arena_allocate(c->arena, lines.used + 1);
  return memcpy(text, lines.text, lines.used + 1);
}
