// Reads what a case says of inner spheres, and fills shapes with them.
#include "case_inner.h"

#include <assert.h>
#include <stdio.h>

#include "case_volumetric.h"
#include "inner_spheres.h"
#include "scene.h"

#define USUAL_SPHERES 10000
#define LEAST_SHARE 0.5   // of a body that its spheres fill: below it they are no body

bool case_inner_lacks_faces(const Case *c)
{
  assert(c->material_count > 0 && "contacts are read");
  if (c->contact.inner_spheres == 0) return false;
  const int count = surface_laws_count(c->material_count);
  for (int i = 0; i < count; i++)
    if (c->surfaces.laws[i].volumetric.spinning == SPINNING_INTEGRATED) return true;
  return false;
}

void case_inner_read(CaseReader *reader, const CaseNode *contact, Case *c)
{
  const CaseNode *word = case_tree_find(contact, "geometry");
  const CaseNode *number = case_tree_find(contact, "spheres");
  const CaseNode *rows = case_tree_find(contact, "rows");
  if (reader->failed) return;
  assert(c->contact.inner_spheres == 0 && "read once");
  if (!word || case_value_is_word(word, "exact")) {
    if (number)
      case_tree_fail(reader, number,
                     "no use without 'geometry: spheres'; add it or leave this out");
    return;
  }
  char found[TREE_FOUND_BYTES];
  if (!case_value_is_word(word, "spheres"))
    case_tree_fail(reader, word, "expected 'exact' or 'spheres', found %s",
                   case_tree_found(word, found));
  else if (!c->surfaces.compliant)
    case_tree_fail(reader, word, "no use where no pair of materials has 'law: volumetric'");
  else if (rows)
    case_tree_fail(reader, rows,
                   "no use beside 'geometry: spheres', where two bodies are one row; leave out "
                   "one of the two");
  c->contact.inner_spheres =
      (int)case_value_integer(reader, number, 1, INNER_MOST_SPHERES, USUAL_SPHERES);
  if (!reader->failed && case_inner_lacks_faces(c))
    case_tree_fail(reader, word,
                   "inner spheres have no faces, over which 'spinning: integrated' of contacts "
                   "integrates; take 'mean' there");
}

// In the case or in one of its stages.
static bool has_law(const Case *c, int material)
{
  for (int i = 0; i < c->stage_count || i == 0; i++)
    if (case_volumetric_stiffest(scene_stage(c, i), material) > 0) return true;
  return false;
}

bool case_inner_fill(Case *c, int number, const BodyGroup *group, const Shape *shape,
                     ErrorText error)
{
  assert(number >= 0 && number < c->shape_count && "a shape of the case");
  const int wanted = c->contact.inner_spheres;
  if (wanted == 0 || c->inner[number] || !has_law(c, group->material)) return true;
  if (shape->radii.x > 0) return true;   // (refused as such)
  InnerSpheres *inner = arena_allocate(c->arena, sizeof *inner);
  *inner = inner_spheres_fill(shape, wanted, c->arena);
  c->inner[number] = inner;
  const double share = inner->volume / shape->volume;
  if (share >= LEAST_SHARE) return true;
  char name[64];
  case_tree_quote(group->name, name, sizeof name);
  snprintf(error.text, error.bytes,
           "%s:%d: body%s%s%s: %d inner spheres fill %.2g of it, less than %g; raise "
           "contact.spheres, or make several bodies of it",
           c->path, group->line, *name ? " '" : "", name, *name ? "'" : "", inner->count, share,
           LEAST_SHARE);
  return false;
}
