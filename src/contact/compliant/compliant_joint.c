// Joints of rows: which rows make one, its footprint, and the shares of its friction.
#include "compliant_joint.h"

#include "box.h"
#include "check.h"

#define STEEP 1e-4       // cosine: a face so steep to the joint bears nothing
#define SAME_TURN 1e-3   // rad: rows whose normals are nearer have one
#define SAME_PLANE 4     // of the mean column lengths of two rows: planes no farther apart are one
#define BESIDE 1e-6      // of their sizes: rows whose boxes are no farther apart lie side by side

// -- footprints -----------------------------------------------------------------------------------

// The edges of a face, seen along the normal of a joint. Returns how many there are.
static int project_face(const CommonSet *set, int face, const CompliantJoint *joint,
                        FootprintEdge *edges)
{
  const CommonPolygon *polygon = &set->faces.polygons[face];
  const vec3 n = plane_basis_apply(&joint->solid.plane, polygon->normal);
  if (n.z * n.z < STEEP * STEEP) return 0;
  const vec3 centroid = joint->common.centroid;
  const vec3 *corners = &set->faces.corners[polygon->first];
  const double slope[2] = {-n.x / n.z, -n.y / n.z};
  const vec3 first = plane_basis_apply(&joint->solid.plane, vec3_sub(corners[0], centroid));
  const double height = first.z - (slope[0] * first.x + slope[1] * first.y);
  const vec3 last = vec3_sub(corners[polygon->count - 1], centroid);
  vec3 from = plane_basis_apply(&joint->solid.plane, last);
  for (int k = 0; k < polygon->count; k++) {
    const vec3 to = plane_basis_apply(&joint->solid.plane, vec3_sub(corners[k], centroid));
    edges[k] = (FootprintEdge){{from.x, from.y}, {to.x, to.y}, height, {slope[0], slope[1]}};
    from = to;
  }
  return polygon->count;
}

static int count_corners(const CommonSet *set, int row)
{
  int corners = 0;
  for (int i = set->face_start[row]; i < set->face_start[row + 1]; i++)
    corners += set->faces.polygons[set->face_of_row[i]].count;
  return corners;
}

// Of all faces of all rows.
static void find_footprint(const CommonSet *set, const CompliantRow *rows, CompliantJoint *joint,
                           Arena *arena)
{
  joint->solid.plane = plane_basis_new(joint->solid.normal);
  const bool polygons = set->faces.count > 0;
  int corners = 0;
  for (int m = 0; m < joint->count && polygons; m++)
    corners += count_corners(set, rows[joint->members[m]].number);
  FootprintEdge *edges = arena_allocate(arena, ((size_t)corners + 1) * sizeof *edges);
  JointFootprint given = {.radius2 = joint->solid.radius2, .edges = edges};
  for (int m = 0; m < joint->count && polygons; m++) {
    const int row = rows[joint->members[m]].number;
    for (int i = set->face_start[row]; i < set->face_start[row + 1]; i++)
      given.edge_count += project_face(set, set->face_of_row[i], joint, &edges[given.edge_count]);
  }
  const mat3 *second = &joint->common.second;
  const vec3 t0 = joint->solid.plane.t0, t1 = joint->solid.plane.t1;
  const double per = 1 / joint->solid.volume;
  given.square[0] = per * vec3_dot(t0, mat3_mul(*second, t0));
  given.square[1] = per * vec3_dot(t0, mat3_mul(*second, t1));
  given.square[2] = per * vec3_dot(t1, mat3_mul(*second, t1));
  JointFootprint *footprint = arena_allocate(arena, sizeof *footprint);
  *footprint = footprint_of_edges(given);
  joint->solid.footprint = footprint;
}

// -- joints ---------------------------------------------------------------------------------------

// Of all corners of the faces of a row.
static Box box_of_row(const CommonSet *set, int row)
{
  Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  if (set->faces.count == 0) return box;
  for (int i = set->face_start[row]; i < set->face_start[row + 1]; i++) {
    const CommonPolygon *polygon = &set->faces.polygons[set->face_of_row[i]];
    box = box_join(box, box_of_points(&set->faces.corners[polygon->first], polygon->count));
  }
  return box;
}

static bool are_beside(Box p, Box q)
{
  const vec3 sizes = vec3_add(vec3_sub(p.high, p.low), vec3_sub(q.high, q.low));
  const double gap = BESIDE * (sizes.x + sizes.y + sizes.z);
  return p.low.x - q.high.x <= gap && q.low.x - p.high.x <= gap && p.low.y - q.high.y <= gap &&
         q.low.y - p.high.y <= gap && p.low.z - q.high.z <= gap && q.low.z - p.high.z <= gap;
}

static bool in_plane(const CompliantRow *first, const CompliantRow *row)
{
  const vec3 n = first->solid.normal;
  if (vec3_dot(n, row->solid.normal) < 1 - 0.5 * SAME_TURN * SAME_TURN) return false;
  const vec3 between = vec3_sub(row->row->solid.centroid, first->row->solid.centroid);
  const double columns = first->solid.height + row->solid.height;
  return fabs(vec3_dot(between, n)) <= SAME_PLANE * columns;
}

// The motion of the first row, at the centroid of the joint.
static CompliantMotion joint_motion(const CompliantRow *first, vec3 centroid)
{
  CompliantMotion motion = first->motion;
  const vec3 arm = vec3_sub(centroid, first->row->solid.centroid);
  motion.slip = vec3_add(motion.slip, vec3_cross(motion.turn, arm));
  return motion;
}

// The solid of all members; that of the first alone where the surfaces of all tell no normal.
static void add_solids(const CompliantRow *rows, CompliantJoint *joint)
{
  assert_debug(joint->count > 0 && "a joint has a row");
  const CompliantRow *first = &rows[joint->members[0]];
  joint->common = first->row->solid;
  for (int m = 1; m < joint->count; m++)
    joint->common = common_solid_sum(&joint->common, &rows[joint->members[m]].row->solid);
  if (joint->count > 1 && compliant_law_solid(&joint->common, NULL, &joint->solid)) return;
  joint->count = 1;
  joint->common = first->row->solid;
  joint->solid = first->solid;
}

// The first row that is free, and all free rows in its plane that lie beside one another from it.
static void join_rows(const CompliantRow *rows, const Box *boxes, int count, bool *taken,
                      CompliantJoint *joint)
{
  assert_debug(joint->count == 1 && "a joint begins with a row");
  const int first = joint->members[0];
  for (int m = 0; m < joint->count; m++) {
    const int from = joint->members[m];
    for (int r = first + 1; r < count; r++) {
      if (taken[r] || !are_beside(boxes[from], boxes[r])) continue;
      if (!in_plane(&rows[first], &rows[r])) continue;
      taken[r] = true;
      joint->members[joint->count++] = r;
    }
  }
}

CompliantJoints compliant_joint_find(const CommonSet *set, const CompliantRow *rows, int count,
                                     Arena *arena)
{
  assert_debug(count >= 0 && "rows are counted");
  const size_t room = (size_t)count + 1;
  CompliantJoints found = {.joints = arena_allocate(arena, room * sizeof *found.joints)};
  bool *taken = arena_allocate_zero(arena, room, sizeof *taken);
  Box *boxes = arena_allocate(arena, room * sizeof *boxes);
  for (int r = 0; r < count; r++) boxes[r] = box_of_row(set, rows[r].number);
  for (int first = 0; first < count; first++) {
    if (taken[first]) continue;
    CompliantJoint joint = {.members = arena_allocate(arena, room * sizeof *joint.members)};
    joint.members[joint.count++] = first;
    join_rows(rows, boxes, count, taken, &joint);
    const int joined = joint.count;
    add_solids(rows, &joint);
    for (int m = joint.count; m < joined; m++) taken[joint.members[m]] = false;
    joint.motion = joint_motion(&rows[first], joint.common.centroid);
    if (joint.motion.law->spinning == SPINNING_INTEGRATED) find_footprint(set, rows, &joint, arena);
    found.joints[found.count++] = joint;
  }
  return found;
}

// -- forces ---------------------------------------------------------------------------------------

// From the centroid of the joint to that of a row, in its plane.
static vec3 arm_in_plane(const CompliantJoint *joint, const CompliantRow *row)
{
  const vec3 arm = vec3_sub(row->row->solid.centroid, joint->common.centroid),
             n = joint->solid.normal;
  return vec3_axpy(-vec3_dot(arm, n), n, arm);
}

// The rigid field that is nearest to the bristles and twists of the rows.
static CompliantState field_of_rows(const CompliantJoint *joint, const CompliantRow *rows)
{
  CompliantState field = {{0, 0, 0}, 0};
  for (int m = 0; m < joint->count; m++) {
    const CompliantRow *row = &rows[joint->members[m]];
    const double share = row->solid.volume / joint->solid.volume;
    const vec3 arm = arm_in_plane(joint, row), turned = vec3_cross(arm, row->before.bristle);
    field.bristle = vec3_axpy(share, row->before.bristle, field.bristle);
    field.twist +=
        share * (vec3_dot(turned, joint->solid.normal) + row->solid.radius2 * row->before.twist);
  }
  const double r2 = joint->solid.radius2;
  field.twist = r2 > 0 ? field.twist / r2 : 0;
  return field;
}

// The share of a row, by volume, of the field and of what bears it.
static void share_friction(const CompliantJoint *joint, const CompliantForce *all,
                           CompliantRow *row)
{
  const double h = joint->motion.step, r2 = joint->solid.radius2;
  const double share = row->solid.volume / joint->solid.volume;
  const vec3 n = joint->solid.normal, turned = vec3_cross(n, arm_in_plane(joint, row));
  const double per = r2 > 0 ? all->spinning / r2 : 0;
  CompliantForce *f = &row->force;
  f->sliding = vec3_scale(share, vec3_axpy(per, turned, all->sliding));
  f->spinning = share * per * row->solid.radius2;
  f->slides = all->slides;
  f->state.bristle = vec3_axpy(all->state.twist, turned, all->state.bristle);
  f->state.twist = all->state.twist;
  f->bristle_energy = share * all->bristle_energy;

  // less what bristles took: what is left of the work is rubbed
  const double work =
      vec3_dot(all->sliding, joint->motion.slip) + all->spinning * vec3_dot(joint->motion.turn, n);
  const double own =
      vec3_dot(f->sliding, row->motion.slip) + f->spinning * vec3_dot(row->motion.turn, n);
  f->rubbed = -h * own + share * (all->rubbed + h * work);
}

// Normal forces and rolling of all rows; without rolling they have one share of k V.
static double press_rows(const CompliantJoint *joint, double share, CompliantRow *rows)
{
  double normal = 0;
  for (int m = 0; m < joint->count; m++) {
    CompliantRow *row = &rows[joint->members[m]];
    const double own =
        row->motion.law->rolling ? compliant_law_share(&row->solid, &row->motion) : share;
    row->force = compliant_law_normal(&row->solid, &row->motion, own);
    normal += row->force.normal;
  }
  return normal;
}

void compliant_joint_act(const CompliantJoint *joint, CompliantRow *rows)
{
  assert_debug(joint->count > 0 && "a joint has a row");
  if (joint->count == 1) {
    CompliantRow *row = &rows[joint->members[0]];
    row->force = compliant_law_force(&joint->solid, &joint->motion, row->before);
    return;
  }
  for (int m = 0; m < joint->count; m++) {
    CompliantRow *row = &rows[joint->members[m]];
    row->force = (CompliantForce){.elastic = row->motion.law->stiffness * row->solid.volume};
  }
  const double share = compliant_law_share(&joint->solid, &joint->motion);
  if (!(share > 0)) return;
  CompliantForce all = {.normal = press_rows(joint, share, rows)};
  if (!(all.normal > 0)) all.normal = 0;
  compliant_law_friction(&joint->solid, &joint->motion, field_of_rows(joint, rows), &all);
  for (int m = 0; m < joint->count; m++) share_friction(joint, &all, &rows[joint->members[m]]);
}
