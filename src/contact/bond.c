// Makes bonds of patches, carries them from step to step, and drops them when they are gone.
#include "bond.h"

#include <assert.h>

#include "check.h"
#include "contact_places.h"
#include "material_point.h"

#define FACE_ANGLE 0.9   // cosine: patches of other normals are between other faces
#define FACE_SHIFT \
  0.2   // of a bond's size: faces that have moved so far are no longer on each other

void bonds_count(BondCount *count, int tension, int shear, IdPair ids)
{
  assert_debug(tension >= 0 && shear >= 0 && "points that broke are counted");
  assert_debug(((tension + shear == 0 || ids.low < ids.high)) && "the lower id stands first");
  if (tension == 0 && shear == 0) return;
  const bool any = count->tension > 0 || count->shear > 0;
  if (!any || id_pair_before(ids, count->first)) count->first = ids;
  count->tension += tension;
  count->shear += shear;
}

// Is the row a point of a bond between pieces of a body of a file?
static bool is_node(const Contacts *contacts, int row)
{
  return feature_is_node(contacts->features[row].low);
}

// Extent of the smaller of the two parts of a point, m; of nodes of the smaller of the two pieces,
// whose parts are as small as cells.
static double part_extent(const BondPair *pair, const Contacts *found, int row)
{
  const IndexPair parts = found->parts[row];
  if (is_node(found, row)) {
    const double a = pair->low->shape->extent, b = pair->high->shape->extent;
    return a < b ? a : b;
  }
  assert_debug(parts.low < (uint32_t)pair->low->shape->part_count && "the lower body has the part");
  assert_debug(parts.high < (uint32_t)pair->high->shape->part_count &&
               "the higher body has the part");
  const double low = pair->low->shape->parts[parts.low].hull.extent,
               high = pair->high->shape->parts[parts.high].hull.extent;
  return low < high ? low : high;
}

// from the higher body's place of a point to the lower body's, world axes, m
static vec3 shift_of(const BondPair *pair, const Contacts *found, int row)
{
  assert_debug(row >= 0 && row < found->table.owned && "a point of a bond is an own row");
  return vec3_sub(vec3_add(vec3_sub(pair->low->center, pair->high->center),
                           mat3_mul(pair->low->rotation, found->anchor[row])),
                  mat3_mul(pair->high->rotation, found->anchor_high[row]));
}

// What the bodies have deformed changes of that.
static vec3 deformed_shift(const BondPair *pair, const Contacts *found, int row)
{
  if (!pair->bodies) return (vec3){0, 0, 0};
  const IndexPair parts = found->parts[row];
  const MaterialPoint a = material_point_of(pair->bodies, pair->low_row, (int)parts.low,
                                            &pair->low->rotation, found->anchor[row]),
                      b = material_point_of(pair->bodies, pair->high_row, (int)parts.high,
                                            &pair->high->rotation, found->anchor_high[row]);
  return vec3_sub(material_point_moved(pair->bodies, &a), material_point_moved(pair->bodies, &b));
}

// Fills what follows from the places of the bodies, as if they were rigid; returns how far the
// point's two places are from each other, m.
static double place_point(const BondPair *pair, Contacts *found, int row)
{
  assert_debug(contacts_bond(found, row) != BOND_NONE && "a point of a bond");
  const vec3 shift = shift_of(pair, found, row);
  const vec3 mortar = mat3_mul(pair->low->rotation, found->mortar[row]);
  const double area = vec3_norm(mortar);
  found->point[row] =
      vec3_add(pair->low->center, mat3_mul(pair->low->rotation, found->anchor[row]));
  found->normal[row] = vec3_scale(1 / area, mortar);
  found->gap[row] = vec3_dot(found->normal[row], shift);
  found->area[row] = area;
  return vec3_norm(vec3_add(shift, deformed_shift(pair, found, row)));
}

static uint32_t bond_of(const Contacts *contacts, int row)
{
  return is_node(contacts, row) ? FEATURE_NODE : contacts->features[row].low;
}

// Whole points of the bond of a row, among the rows; of pieces that nothing parts also those that
// other pairs hold.
static int whole_points(const BondPair *pair, const Contacts *contacts, RowRange rows, int row)
{
  assert_debug(rows.first >= 0 && rows.first <= rows.end && "a range of rows");
  int whole = 0;
  for (int i = rows.first; i < rows.end; i++)
    whole += bond_of(contacts, i) == bond_of(contacts, row) &&
             contacts_bond(contacts, i) == BOND_WHOLE &&
             (pair->tied || !contacts_held(contacts, i));
  return whole;
}

// Are the faces of a row's bond still on each other? Where whole points leave a hinge they may not
// be: rows that break the bond's points up are then no contacts.
static bool faces_are_together(const BondPair *pair, const Contacts *found, int first, int row)
{
  assert_debug(first >= 0 && first <= row && row < found->table.owned &&
               "the pair's rows begin before the point");
  double size = 0, far = 0;
  int origin = -1;
  for (int i = first; i < found->table.owned; i++) {
    if (contacts_bond(found, i) == BOND_NONE || bond_of(found, i) != bond_of(found, row)) continue;
    if (origin < 0) origin = i;
    const double length = vec3_norm(vec3_sub(found->anchor[i], found->anchor[origin])),
                 shift = vec3_norm(shift_of(pair, found, i));
    if (length > size) size = length;
    if (shift > far) far = shift;
  }
  return far <= FACE_SHIFT * size;
}

// drops the rows from first on whose bonds have no whole point; returns the most that one has
static int keep_whole_bonds(const BondPair *pair, Contacts *found, int first)
{
  assert_debug(first >= 0 && first <= found->table.owned && "the pair's rows are the last ones");
  const int end = found->table.owned;
  int kept = first, most = 0;
  for (int i = first; i < end; i++) {
    // whole points are among the rows that were kept and those to come
    const int whole = whole_points(pair, found, (RowRange){first, kept}, i) +
                      whole_points(pair, found, (RowRange){i, end}, i);
    if (whole == 0) continue;
    if (whole > most) most = whole;
    if (kept != i) table_copy_row(&found->table, kept, &found->table, i);
    kept++;
  }
  found->table.owned = found->table.count = kept;
  return most;
}

bool bonds_carry(const BondPair *pair, const Contacts *old, RowRange rows, Contacts *found,
                 BondCount *count)
{
  assert_debug(rows.first >= 0 && rows.first <= rows.end && rows.end <= old->table.owned &&
               "rows of the last step");
  assert_debug(pair->ids.low < pair->ids.high && "the lower id stands first");
  Table *table = &found->table;
  const int first = table->owned;
  int torn = 0;
  for (int i = rows.first; i < rows.end; i++) {
    if (contacts_bond(old, i) == BOND_NONE) continue;
    table_reserve(table, table->owned + 1);
    const int row = table->owned++;
    table_copy_row(table, row, &old->table, i);
    found->reaction[row] = (vec3){0, 0, 0};
    const double far = pair->margin * part_extent(pair, found, row);
    if (place_point(pair, found, row) > far && contacts_bond(found, row) == BOND_WHOLE) {
      found->bond[row] = BOND_BROKEN;
      torn++;
    }
  }
  table->count = table->owned;
  bonds_count(count, torn, 0, pair->ids);
  if (table->owned == first) return false;
  const bool at_nodes = is_node(found, first);
  const int most = keep_whole_bonds(pair, found, first);

  // a broken point is a contact at its place as long as its faces are there
  for (int i = first; i < table->owned; i++)
    if (contacts_bond(found, i) == BOND_BROKEN && !faces_are_together(pair, found, first, i))
      found->gap[i] = vec3_norm(shift_of(pair, found, i));
  const bool convex = pair->low->shape->part_count == 1 && pair->high->shape->part_count == 1;
  if (at_nodes) return pair->tied || most >= 3;
  return most >= 3 && convex;
}

// Appends a row with a key for a point of a bond, relative to the lower body's centre, and its
// area along its normal, world axes.
static int append_row(const BondPair *pair, IndexPair parts, IndexPair features, vec3 point,
                      vec3 mortar, Contacts *found)
{
  Table *table = &found->table;
  table_reserve(table, table->owned + 1);
  const int row = table->owned++;
  table->count = table->owned;
  const vec3 between = vec3_sub(pair->low->center, pair->high->center);
  found->bodies[row] = pair->ids;
  found->parts[row] = parts;
  found->features[row] = features;
  found->axis[row] = (IndexPair){AXIS_NONE, AXIS_NONE};
  found->reaction[row] = (vec3){0, 0, 0};
  found->anchor[row] = mat3_mul_transposed(pair->low->rotation, point);
  found->anchor_high[row] = mat3_mul_transposed(pair->high->rotation, vec3_add(between, point));
  found->mortar[row] = mat3_mul_transposed(pair->low->rotation, mortar);
  found->bond[row] = BOND_WHOLE;
  found->offset[row] = 0;
  return row;
}

// a point of a patch as one of the bond with a number
static void append_point(const BondPair *pair, const Patch *patch, const PatchPoint *point,
                         int bond, int number, Contacts *found)
{
  assert_debug(bond >= 0 && number >= 0 && "a bond and its points have numbers");
  assert_debug(point->area > 0 && "a point of a bond has area");
  const IndexPair parts = {(uint32_t)point->part_a, (uint32_t)point->part_b};
  const IndexPair features = {feature_new(FEATURE_NUMBER, bond),
                              feature_new(FEATURE_NUMBER, number) |
                                  (point->feature_b & (FEATURE_HELD | FEATURE_HOLDS))};
  const int row = append_row(pair, parts, features, point->point,
                             vec3_scale(point->area, patch->normal), found);
  const double reach = pair->margin * part_extent(pair, found, row);
  found->bond[row] = point->gap <= reach ? BOND_WHOLE : BOND_BROKEN;
  place_point(pair, found, row);
}

void bonds_weld(const BondPair *pair, const FiniteSeam *seam, const FiniteSeamNode *nodes,
                Contacts *found, BondCount *count)
{
  assert_debug(seam->first < seam->end && nodes != NULL && "a seam has nodes");
  const PosedBody *low = pair->low, *high = pair->high;
  const IndexPair none = {0, 0};
  for (int k = seam->first; k < seam->end; k++) {
    const FiniteSeamNode *node = &nodes[k];
    if (pair->tied && node->spare) continue;
    const IndexPair features = {FEATURE_NODE | (uint32_t)node->low,
                                feature_new(FEATURE_NUMBER, node->high)};
    // in the frames of the pieces, whose axes are those of the whole when they are made
    const vec3 at = vec3_sub(node->at, low->shape->center);
    const int row = append_row(pair, none, features, mat3_mul(low->rotation, at),
                               mat3_mul(low->rotation, node->area), found);
    found->anchor[row] = at;
    found->anchor_high[row] = vec3_sub(node->at, high->shape->center);
    found->mortar[row] = node->area;
    place_point(pair, found, row);
    count->made++;
  }
}

void bonds_make(const BondPair *pair, const PatchSet *faces, Contacts *found, BondCount *count)
{
  assert_debug((faces->patch_count >= 0 && (faces->patches != NULL || faces->patch_count == 0)) &&
               "patches are given");
  assert_debug(pair->ids.low < pair->ids.high && "the lower id stands first");
  const int first = found->table.owned;
  for (int p = 0; p < faces->patch_count; p++) {
    const Patch *patch = &faces->patches[p];
    int points = 0;
    for (int k = 0; k < patch->point_count; k++) points += patch->points[k].area > 0;
    if (points < 3) continue;
    for (int k = 0; k < patch->point_count; k++)
      if (patch->points[k].area > 0) append_point(pair, patch, &patch->points[k], p, k, found);
  }
  keep_whole_bonds(pair, found, first);
  for (int i = first; i < found->table.owned; i++) count->made += contacts_whole(found, i);
}

// Is the patch between the faces of the bond of that row?
static bool is_bonded(const Contacts *found, int row, const Patch *patch)
{
  if (vec3_dot(found->normal[row], patch->normal) < FACE_ANGLE) return false;
  bool shared = is_node(found, row);
  for (int k = 0; k < patch->point_count && !shared; k++)
    shared = (uint32_t)patch->points[k].part_a == found->parts[row].low &&
             (uint32_t)patch->points[k].part_b == found->parts[row].high;
  return shared;
}

void bonds_replace(const BondPair *pair, const Contacts *found, int first, PatchSet *set)
{
  assert_debug(first >= 0 && first <= found->table.owned && "the pair's rows are the last ones");
  int kept = 0;
  for (int p = 0; p < set->patch_count; p++) {
    bool bonded = false;
    for (int i = first; i < found->table.owned && !bonded; i++)
      bonded = is_bonded(found, i, &set->patches[p]) && faces_are_together(pair, found, first, i);
    if (!bonded) set->patches[kept++] = set->patches[p];
  }
  set->patch_count = kept;
}

Box bond_box(Box box, const Shape *shape, double margin)
{
  assert_debug(!(margin < 0) && "a box for bonds is no smaller");
  const double grow = margin * shape->extent;
  const vec3 by = {grow, grow, grow};
  return (Box){vec3_sub(box.low, by), vec3_add(box.high, by)};
}

vec3 bond_shift(const Contacts *contacts, int row, BondBodies held)
{
  const Bodies *bodies = held.bodies;
  const MidState *mid = held.mid;
  const int low = held.low, high = held.high;
  assert(low >= 0 && low < bodies->table.count && high >= 0 && high < bodies->table.count &&
         "bodies have rows");
  assert(contacts_bond(contacts, row) != BOND_NONE && "a point of a bond");
  const IndexPair parts = contacts->parts[row];
  const MaterialPoint a = material_point_of(bodies, low, (int)parts.low, &mid[low].rotation,
                                            contacts->anchor[row]),
                      b = material_point_of(bodies, high, (int)parts.high, &mid[high].rotation,
                                            contacts->anchor_high[row]);
  const vec3 between = vec3_sub(bodies->position[low], bodies->position[high]);
  const vec3 rigid = vec3_add(between, vec3_sub(a.arm, b.arm));
  return vec3_add(rigid, vec3_sub(contact_places_moved(bodies, &mid[low], &a, held.low_at),
                                  contact_places_moved(bodies, &mid[high], &b, held.high_at)));
}
