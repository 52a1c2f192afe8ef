// Reads shapes of case files: boxes, hulls, stated solids, wedges, voussoirs, prisms, parts,
// spheres, ellipsoids, pipes.
#include "case_shapes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "case_meshes.h"
#include "case_structures.h"
#include "convex_faces.h"
#include "ellipsoid.h"
#include "lmd_judge.h"
#include "recipe.h"
#include "surface_set.h"

// More are a slip, and cost more than seconds before the first step: hulls in flat boxes of points
// grow with their square, and so do parts, which are compared with each other.
#define MOST_POINTS 100000   // of a hull
#define MOST_PARTS 10000     // of a body

// in the order of PART_KEYS and CASE_SHAPE_KEYS
enum {
  PART_BOX,
  PART_HULL,
  PART_CONVEX,
  PART_WEDGE,
  PART_VOUSSOIR,
  PART_PRISM,
  SHAPE_OF_PARTS,
  SHAPE_SPHERE,
  SHAPE_ELLIPSOID,
  SHAPE_PIPE,
  SHAPE_MESH
};

// Keys that make one convex part, ended by NULL.
static const char *const PART_KEYS[] = {"box",      "hull",  "convex", "wedge",
                                        "voussoir", "prism", NULL};
const char *const CASE_SHAPE_KEYS[] = {"box",   "hull",   "convex",    "wedge", "voussoir", "prism",
                                       "parts", "sphere", "ellipsoid", "pipe",  "mesh",     NULL};

quat case_read_turn(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"axis", "angle", NULL};
  static const NumberRule degrees = {-360, 360, "an angle from -360 to 360 degrees"};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const CaseNode *axis_node = case_value_require(reader, mapping, "axis");
  const CaseNode *angle_node = case_value_require(reader, mapping, "angle");
  const vec3 axis = case_value_vector(reader, axis_node, &CASE_VALUE_COORDINATE, (vec3){0});
  const double angle = case_value_angle(reader, angle_node, &degrees, 0);
  if (reader->failed || !mapping) return quat_identity();
  if (axis.x == 0 && axis.y == 0 && axis.z == 0) {
    case_tree_fail(reader, axis_node, "expected a direction, found [0, 0, 0]");
    return quat_identity();
  }
  return recipe_turn(axis, angle);
}

// A list with at most so many members, or NULL after a failure.
static const CaseNode *limit_list(CaseReader *reader, const CaseNode *list, int most,
                                  const char *members)
{
  assert(most > 0 && members != NULL && "a list may have members");
  if (!list || list->count <= most) return list;
  case_tree_fail(reader, list, "expected at most %d %s, found %d", most, members, list->count);
  return NULL;
}

static PartRecipe read_points(CaseReader *reader, const CaseNode *node)
{
  const CaseNode *list = limit_list(
      reader, case_value_list(reader, node, 4, "a list of at least 4 points [x, y, z], in m"),
      MOST_POINTS, "points");
  if (!list) return (PartRecipe){0};
  const size_t count = (size_t)list->count;
  PartRecipe part = {.count = list->count,
                     .points = arena_allocate(reader->arena, count * sizeof(vec3))};
  for (int i = 0; i < part.count; i++)
    part.points[i] = case_value_vector(reader, list->members[i], &CASE_VALUE_COORDINATE, (vec3){0});
  return part;
}

// Refuses a part: which body by name, which of its parts counted from 1, and why.
static void refuse_part(CaseReader *reader, const CaseNode *node, int part, const char *reason)
{
  assert(part >= 0 && reason != NULL && "a part has a number");
  const CaseNode *entry = node;
  while (entry->parent && !(entry->parent->key && strcmp(entry->parent->key, "bodies") == 0))
    entry = entry->parent;
  const CaseNode *name = case_tree_find(entry, "name");
  char quoted[64] = "";
  if (name && name->kind == NODE_SCALAR) case_tree_quote(name->text, quoted, sizeof quoted);
  case_tree_fail(reader, node, *quoted ? "body '%s': part %d: %s" : "body%s: part %d: %s", quoted,
                 part + 1, reason);
}

static PartRecipe read_hull(CaseReader *reader, const CaseNode *node, int number)
{
  const PartRecipe part = read_points(reader, node);
  int first, second;
  if (reader->failed ||
      !convex_faces_find_repeated(part.points, part.count, &first, &second, &reader->scratch))
    return part;
  char reason[128];
  snprintf(reason, sizeof reason, "points %d and %d are in the same place", first, second);
  refuse_part(reader, node->members[second], number, reason);
  return part;
}

// Where the case states what is at fault: a face, a point, or the whole part.
static const CaseNode *node_at_fault(const CaseNode *node, ConvexResult result)
{
  assert(result.fault != CONVEX_OK && "a fault has a place");
  const CaseNode *points = case_tree_find(node, "points"), *faces = case_tree_find(node, "faces");
  switch (result.fault) {
  case CONVEX_REPEATED_POINT: return points->members[result.other];
  case CONVEX_UNUSED_POINT: return points->members[result.point];
  case CONVEX_REPEATED_CORNER:
  case CONVEX_OPEN_EDGE:
  case CONVEX_SHARED_EDGE:
  case CONVEX_TWO_SHELLS:
  case CONVEX_INVERTED:
  case CONVEX_ONE_SIDED:
  case CONVEX_BENT_FACE:
  case CONVEX_DENTED:
  case CONVEX_FOLDED_FACE: return faces->members[result.face];
  default: return node;
  }
}

// Faces as the case states them; they are judged, and the hull of the points is the part.
static PartRecipe read_convex(CaseReader *reader, const CaseNode *node, int number)
{
  static const char *const keys[] = {"points", "faces", NULL};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const PartRecipe part = read_points(reader, case_value_require(reader, mapping, "points"));
  const CaseNode *list = case_value_list(reader, case_value_require(reader, mapping, "faces"), 4,
                                         "a list of at least 4 faces [point, point, point, ...]");
  if (reader->failed || !list) return part;

  int corners = 0;
  int *start = arena_allocate(&reader->scratch, ((size_t)list->count + 1) * sizeof *start);
  for (int f = 0; f < list->count; f++) {
    start[f] = corners;
    if (!case_value_list(reader, list->members[f], 3, "a list of at least 3 numbers of points"))
      return part;
    corners += list->members[f]->count;
  }
  start[list->count] = corners;
  int *loops = arena_allocate(&reader->scratch, (size_t)corners * sizeof *loops), *next = loops;
  for (int f = 0; f < list->count; f++)
    for (int k = 0; k < list->members[f]->count; k++)
      *next++ = (int)case_value_integer(reader, list->members[f]->members[k], 0, part.count - 1, 0);
  if (reader->failed) return part;

  const StatedSolid solid = {.point_count = part.count,
                             .face_count = list->count,
                             .points = part.points,
                             .loop_start = start,
                             .loops = loops};
  const ConvexResult result = convex_faces_check(&solid, &reader->scratch);
  if (result.fault == CONVEX_OK) return part;
  char reason[160];
  convex_result_text(result, reason, sizeof reason);
  refuse_part(reader, node_at_fault(node, result), number, reason);
  return part;
}

static PartRecipe read_voussoir(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"radius", "thickness", "width", "angle", NULL};
  static const NumberRule degrees = {1e-6, 178, "an angle from 1e-6 to 178 degrees"};
  const CaseNode *m = case_value_mapping(reader, node, keys);
  const CaseNode *thick = case_value_require(reader, m, "thickness");
  const double radius =
      case_value_number(reader, case_value_require(reader, m, "radius"), &CASE_VALUE_LENGTH, 1);
  const double thickness = case_value_number(reader, thick, &CASE_VALUE_LENGTH, 1);
  const double width =
      case_value_number(reader, case_value_require(reader, m, "width"), &CASE_VALUE_LENGTH, 1);
  const double angle =
      case_value_angle(reader, case_value_require(reader, m, "angle"), &degrees, 1);
  if (reader->failed || !m) return (PartRecipe){0};
  if (thickness >= 2 * radius) {
    case_tree_fail(reader, thick, "expected less than twice the radius, found %g m", thickness);
    return (PartRecipe){0};
  }
  return recipe_voussoir(radius, thickness, width, angle, reader->arena);
}

// Part number of its body, counted from 0.
static PartRecipe read_part(CaseReader *reader, const CaseNode *mapping, int choice, int number)
{
  assert(choice >= PART_BOX && choice <= PART_PRISM && "a key makes one convex part");
  assert(number >= 0 && "parts count from 0");
  const CaseNode *node = case_tree_find(mapping, PART_KEYS[choice]);
  switch (choice) {
  case PART_HULL: return read_hull(reader, node, number);
  case PART_CONVEX: return read_convex(reader, node, number);
  case PART_VOUSSOIR: return read_voussoir(reader, node);
  case PART_PRISM: return case_structures_prism(reader, node);
  default: break;
  }
  assert((choice == PART_BOX || choice == PART_WEDGE) && "a part without reader");
  const vec3 size = case_value_vector(reader, node, &CASE_VALUE_LENGTH, (vec3){1, 1, 1});
  return choice == PART_BOX ? recipe_box(size, reader->arena) : recipe_wedge(size, reader->arena);
}

static ShapeRecipe read_parts(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"box",   "hull", "convex", "wedge", "voussoir",
                                     "prism", "at",   "turn",   NULL};
  const CaseNode *list = limit_list(
      reader, case_value_list(reader, node, 1, "a list of at least one part"), MOST_PARTS, "parts");
  if (!list) return (ShapeRecipe){0};
  const size_t count = (size_t)list->count;
  ShapeRecipe shape = {.part_count = list->count,
                       .parts = arena_allocate_zero(reader->arena, count, sizeof(PartRecipe))};
  for (int i = 0; i < shape.part_count && !reader->failed; i++) {
    const CaseNode *entry = case_value_mapping(reader, list->members[i], keys);
    const int choice = case_value_choice(reader, entry, PART_KEYS);
    if (choice < 0) break;
    shape.parts[i] = read_part(reader, entry, choice, i);
    const vec3 at =
        case_value_vector(reader, case_tree_find(entry, "at"), &CASE_VALUE_COORDINATE, (vec3){0});
    const quat turn = case_read_turn(reader, case_tree_find(entry, "turn"));
    if (!reader->failed) recipe_place(&shape.parts[i], at, turn);
  }
  return shape;
}

static ShapeRecipe read_sphere(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"radius", NULL};
  const CaseNode *radius =
      case_value_require(reader, case_value_mapping(reader, node, keys), "radius");
  return (ShapeRecipe){.radius = case_value_number(reader, radius, &CASE_VALUE_LENGTH, 1)};
}

// Three equal radii make a sphere, which touches in closed form.
static ShapeRecipe read_ellipsoid(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"radii", NULL};
  const CaseNode *list =
      case_value_require(reader, case_value_mapping(reader, node, keys), "radii");
  const vec3 radii = case_value_vector(reader, list, &CASE_VALUE_LENGTH, (vec3){1, 1, 1});
  if (reader->failed) return (ShapeRecipe){0};
  const double largest = larger_of(radii.x, larger_of(radii.y, radii.z)),
               smallest = smaller_of(radii.x, smaller_of(radii.y, radii.z));
  if (largest > ELLIPSOID_MAX_ASPECT * smallest) {
    case_tree_fail(reader, list, "expected radii of at most %d times the smallest, found %g",
                   ELLIPSOID_MAX_ASPECT, largest / smallest);
    return (ShapeRecipe){0};
  }
  return largest == smallest ? (ShapeRecipe){.radius = largest} : (ShapeRecipe){.radii = radii};
}

ShapeRecipe case_read_shape(CaseReader *reader, const CaseNode *mapping, int choice)
{
  assert((reader->failed || !mapping || (choice >= PART_BOX && choice <= SHAPE_MESH)) &&
         "a key makes a shape");
  if (reader->failed || !mapping) return (ShapeRecipe){0};
  if (choice == SHAPE_OF_PARTS) return read_parts(reader, case_tree_find(mapping, "parts"));
  if (choice == SHAPE_SPHERE) return read_sphere(reader, case_tree_find(mapping, "sphere"));
  if (choice == SHAPE_ELLIPSOID)
    return read_ellipsoid(reader, case_tree_find(mapping, "ellipsoid"));
  if (choice == SHAPE_PIPE) return case_structures_pipe(reader, case_tree_find(mapping, "pipe"));
  if (choice == SHAPE_MESH) return case_read_solid(reader, case_tree_find(mapping, "mesh"));
  return recipe_single(read_part(reader, mapping, choice, 0), reader->arena);
}

// What a case has that bodies of a surface alone, or of several parts, do not bear; NULL: nothing.
static const char *misfit(const Case *c, const Shape *shape)
{
  assert(c->contact.model < CONTACT_MODEL_COUNT && "a contact model that there is");
  const bool lmd = c->contact.model == CONTACT_MODEL_LMD;
  if (shape->surface && !lmd)
    return "is a surface alone, which contact.model 'lmd' knows and no other; take 'lmd', or leave "
           "out 'surface'";
  for (int i = 0; shape->surface && i < c->shape_count; i++) {
    if (c->shapes[i].radii.x > 0)
      return "is a surface alone, which no ellipsoid can touch; leave out 'surface', or take "
             "spheres";
  }
  if (!lmd || !c->surfaces.bonded) return NULL;
  if (shape->surface)
    return "is a surface alone: bonds are of convex parts; leave out 'surface' and take "
           "contact.model 'patch', or leave out 'bond'";
  return shape->part_count > 1 ? "has several convex parts: contact.model 'lmd' knows bonds of "
                                 "bodies of one part alone; take 'patch', or leave out 'bond'"
                               : NULL;
}

// What is wrong with a surface, where in the frame of its description, and what helps. Triangles
// have the numbers of their file.
static void say_fault(const SurfaceBaseResult *result, const SurfacePieces *pieces,
                      const Shape *shape, double dilation, ErrorText error)
{
  SurfaceBaseResult told = *result;
  const int *numbers = shape->surface ? shape->surface->numbers : NULL;
  if (numbers) {
    told.piece = numbers[told.piece] - 1;
    told.pieces.piece = numbers[told.pieces.piece] - 1;
  }
  told.at = vec3_add(told.at, shape->center);
  told.pieces.from = vec3_add(told.pieces.from, shape->center);
  told.pieces.to = vec3_add(told.pieces.to, shape->center);
  char text[400];
  surface_base_text(told, dilation, shape->surface ? "triangle" : "facet", text, sizeof text);
  const char *other = shape->surface ? "mend the mesh" : "take contact.model 'patch'";
  const bool moved =
      result->status == SURFACE_BASE_TURNED || result->status == SURFACE_BASE_CROSSES;
  const double share =
      moved ? lmd_judge_share(pieces, result, shape->extent, CASE_LEAST_DILATION) : 0;
  if (share > 0)
    snprintf(error.text, error.bytes, "%s; lower contact.lmd.dilation to at most %.3g, or %s", text,
             share, other);
  else snprintf(error.text, error.bytes, "%s; %s", text, other);
}

bool case_check_surface(const Case *c, const BodyGroup *group, const Shape *shape,
                        const SurfaceBase **base, ErrorText error)
{
  assert(group != NULL && shape != NULL && "a shape is of a group of bodies");
  *base = NULL;
  char quoted[64], name[80] = "";
  case_tree_quote(group->name, quoted, sizeof quoted);
  if (*quoted) snprintf(name, sizeof name, " '%s'", quoted);
  const char *reason = misfit(c, shape);
  if (reason) {
    snprintf(error.text, error.bytes, "%s:%d: body%s %s", c->path, group->line, name, reason);
    return false;
  }
  const bool round = shape->part_count == 0 && !shape->surface;
  if (c->contact.model != CONTACT_MODEL_LMD || round) return true;
  Arena scratch = arena_new();
  SurfaceBase surface;
  const double dilation = c->contact.lmd.dilation * shape->extent;
  const SurfacePieces pieces = surface_pieces_of_shape(shape, &scratch);
  const SurfaceBaseResult result = lmd_judge_surface(&pieces, dilation, &scratch, &surface);
  const bool sound = result.status == SURFACE_BASE_OK;
  if (sound) {
    *base = surface_set_copy(&surface, c->arena);
  } else {
    char text[500];
    say_fault(&result, &pieces, shape, dilation, (ErrorText){text, sizeof text});
    snprintf(error.text, error.bytes, "%s:%d: body%s: %s", c->path, group->line, name, text);
  }
  arena_destroy(&scratch);
  return sound;
}
