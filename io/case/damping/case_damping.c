// Reads damping.
#include "case_damping.h"

#include <assert.h>

#define MOST_LOCAL 0.99   // with 1 nothing would begin to move

// Bodies that deform have damping of their own, which knows how they deform.
static void refuse_elastic(CaseReader *reader, const CaseNode *node, const Case *c)
{
  for (int i = 0; i < c->group_count && !reader->failed; i++)
    if (group_deforms(&c->groups[i]))
      case_tree_fail(reader, node,
                     "the bodies of line %d are elastic, which 'materials.%s.damping' damps: "
                     "leave out one of 'damping' and 'elastic'",
                     c->groups[i].line, c->materials[c->groups[i].material].name);
}

DampingSettings case_damping_read(CaseReader *reader, const CaseNode *node, const Case *c)
{
  assert(reader != NULL && c != NULL && "a case is read");
  static const char *const keys[] = {"local", "mass", NULL};
  static const NumberRule share = {0, MOST_LOCAL, "a share of forces from 0 to 0.99"};
  static const NumberRule rate = {0, 1e9, "a rate from 0 to 1e9 1/s"};
  DampingSettings damping = {.given = node != NULL};
  if (!node) return damping;
  if (node->kind == NODE_SCALAR) {
    damping.local = case_value_number(reader, node, &share, 0);
  } else {
    const CaseNode *mapping = case_value_mapping(reader, node, keys);
    const CaseNode *local = case_tree_find(mapping, "local"),
                   *mass = case_tree_find(mapping, "mass");
    damping.local = case_value_number(reader, local, &share, 0);
    damping.mass = case_value_number(reader, mass, &rate, 0);
    if (!reader->failed && !local && !mass)
      case_tree_fail(reader, node, "expected 'local' or 'mass', found none");
  }
  refuse_elastic(reader, node, c);
  return damping;
}
