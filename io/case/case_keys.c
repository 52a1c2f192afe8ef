// The table of keys of the case file: which of them may differ after a restart.
#include "case_keys.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SHAPE "places, momenta and contacts are those of bodies of these shapes and numbers"
#define THERE "its bodies are there already, and the checkpoint has what they have become"
#define HELD "the checkpoint has what has become of these joints"
#define BASE "fixed bodies move with a base or without one; begin with an acceleration of zero"
#define DAMPED \
  "bodies know the forces of their last step with damping or not; begin with damping of 0"
#define STAGES "the state says in which of these stages it is"
#define SCHEME "bodies at rest overlap in one scheme and are apart in the other"
#define SKINS "bodies are apart by what their skins leave"
#define MASS "momenta are those of bodies of these masses"

static const CaseKey keys[] = {
    {"title", KEY_FREE, "''", NULL},
    {"units", KEY_FREE, "SI", NULL},
    {"seed", KEY_NEVER, "1", SHAPE},
    {"gravity", KEY_ASKED, NULL, NULL},
    {"tilt", KEY_ASKED, NULL, NULL},
    {"tilt.start", KEY_ASKED, "0", NULL},
    // whether it moves bodies makes them of another kind
    {"base", KEY_NEVER, NULL, BASE},
    {"base.acceleration", KEY_ASKED, NULL, NULL},
    {"base.frame", KEY_NEVER, "world", BASE},
    {"damping", KEY_NEVER, NULL, DAMPED},
    {"damping.local", KEY_ASKED, "0", NULL},
    {"damping.mass", KEY_ASKED, "0", NULL},
    {"stages", KEY_NEVER, NULL, STAGES},
    {"stages.*.name", KEY_FREE, NULL, NULL},
    {"stages.*.output", KEY_FREE, NULL, NULL},
    {"stages.*.until", KEY_ASKED, NULL, NULL},
    {"stages.*.gravity", KEY_ASKED, NULL, NULL},
    {"stages.*.tilt", KEY_ASKED, NULL, NULL},
    {"stages.*.base", KEY_ASKED, NULL, NULL},
    {"stages.*.loads", KEY_ASKED, NULL, NULL},
    {"stages.*.servos", KEY_ASKED, NULL, NULL},
    {"stages.*.motions", KEY_ASKED, NULL, NULL},
    {"stages.*.contacts", KEY_ASKED, NULL, NULL},
    {"stages.*.damping", KEY_ASKED, NULL, NULL},
    {"stages.*.time", KEY_ASKED, NULL, NULL},
    {"time.step", KEY_NEVER, NULL, "the time is a number of steps of one length"},
    {"time.end", KEY_FREE, NULL, NULL},
    {"time.until", KEY_FREE, NULL, NULL},
    {"materials", KEY_ASKED, NULL, NULL},
    {"materials.*", KEY_ASKED, NULL, NULL},
    {"time.high_frequency_ratio", KEY_ASKED, "0.9", NULL},
    {"materials.*.density", KEY_NEVER, NULL, MASS},
    {"materials.*.young", KEY_ASKED, NULL, NULL},
    {"materials.*.poisson", KEY_ASKED, "0", NULL},
    {"materials.*.damping", KEY_ASKED, "0", NULL},
    {"materials.*.expansion", KEY_ASKED, "0", NULL},
    {"contacts", KEY_ASKED, "[]", NULL},
    {"contacts.*.between", KEY_ASKED, NULL, NULL},
    {"contacts.*.friction", KEY_ASKED, "0", NULL},
    {"contacts.*.restitution", KEY_ASKED, "0", NULL},
    {"contacts.*.bond", KEY_ASKED, NULL, NULL},
    {"contacts.*.joint_stiffness", KEY_ASKED, NULL, NULL},
    {"contacts.*.law", KEY_ASKED, "non-smooth", NULL},
    {"contacts.*.stiffness", KEY_ASKED, NULL, NULL},
    {"contacts.*.damping", KEY_ASKED, NULL, NULL},
    {"contacts.*.restitution_speed", KEY_ASKED, NULL, NULL},
    {"contacts.*.static_friction", KEY_ASKED, NULL, NULL},
    {"contacts.*.stick_speed", KEY_ASKED, NULL, NULL},
    {"contacts.*.tangential_stiffness", KEY_ASKED, NULL, NULL},
    {"contacts.*.tangential_damping", KEY_ASKED, NULL, NULL},
    {"contacts.*.rolling", KEY_ASKED, NULL, NULL},
    {"contacts.*.spinning", KEY_ASKED, NULL, NULL},
    {"contacts.*.contact", KEY_ASKED, "true", NULL},
    {"contacts.*.reduction", KEY_ASKED, "1", NULL},
    {"bodies", KEY_ASKED, NULL, NULL},
    {"bodies.*.box", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.hull", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.convex", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.wedge", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.voussoir", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.prism", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.parts", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.sphere", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.ellipsoid", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.pipe", KEY_NEVER, NULL, SHAPE},
    // where a mesh lies is nobody's matter: what it holds is compared
    {"bodies.*.mesh", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.mesh.file", KEY_FREE, NULL, NULL},
    {"bodies.*.mesh.scale", KEY_NEVER, "1", SHAPE},
    {"bodies.*.mesh.up", KEY_NEVER, "z", SHAPE},
    {"bodies.*.mesh.hull", KEY_NEVER, "false", SHAPE},
    {"bodies.*.mesh.flat", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.mesh.surface", KEY_NEVER, "false", SHAPE},
    {"bodies.*.mesh.pieces", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.mesh.body", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.compas", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.compas.file", KEY_FREE, NULL, NULL},
    {"bodies.*.compas.scale", KEY_NEVER, "1", SHAPE},
    {"bodies.*.compas.up", KEY_NEVER, "z", SHAPE},
    {"bodies.*.compas.hull", KEY_NEVER, "false", SHAPE},
    {"bodies.*.compas.flat", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.compas.surface", KEY_NEVER, "false", SHAPE},
    {"bodies.*.compas.pieces", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.compas.body", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.grid", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.grid.mesh.file", KEY_FREE, NULL, NULL},
    {"bodies.*.wall", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.wall.joint", KEY_NEVER, "0", SHAPE},
    {"bodies.*.wall.bond", KEY_NEVER, "running", SHAPE},
    {"bodies.*.wall.ends", KEY_NEVER, "straight", SHAPE},
    {"bodies.*.arch", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.arch.embrace", KEY_NEVER, "180", SHAPE},
    {"bodies.*.arch.supports", KEY_NEVER, "true", SHAPE},
    {"bodies.*.vault", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.vault.kind", KEY_NEVER, "barrel", SHAPE},
    {"bodies.*.vault.bond", KEY_NEVER, "running", SHAPE},
    {"bodies.*.vault.supports", KEY_NEVER, "true", SHAPE},
    {"bodies.*.dome", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.dome.oculus", KEY_NEVER, "0", SHAPE},
    {"bodies.*.dome.bond", KEY_NEVER, "running", SHAPE},
    {"bodies.*.dome.supports", KEY_NEVER, "true", SHAPE},
    {"bodies.*.column", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.column.taper", KEY_NEVER, "1", SHAPE},
    {"bodies.*.container", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.container.floor", KEY_NEVER, "true", SHAPE},
    {"bodies.*.container.lid", KEY_NEVER, "false", SHAPE},
    {"bodies.*.container.drum.sides", KEY_NEVER, "24", SHAPE},
    {"bodies.*.rubble", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.rubble.flatness", KEY_NEVER, "1.5", SHAPE},
    {"bodies.*.rubble.jitter", KEY_NEVER, "0.7", SHAPE},
    {"bodies.*.rubble.relaxations", KEY_NEVER, "0", SHAPE},
    {"bodies.*.rubble.joint", KEY_NEVER, "0", SHAPE},
    {"bodies.*.stones", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.stones.turn", KEY_NEVER, "random", SHAPE},
    {"bodies.*.stones.shapes.*.mesh.file", KEY_FREE, NULL, NULL},
    {"bodies.*.stones.fill.mesh.file", KEY_FREE, NULL, NULL},
    {"bodies.*.at", KEY_UNBORN, "[0, 0, 0]", THERE},
    {"bodies.*.turn", KEY_UNBORN, NULL, THERE},
    {"bodies.*.velocity", KEY_UNBORN, "[0, 0, 0]", THERE},
    {"bodies.*.spin", KEY_UNBORN, "[0, 0, 0]", THERE},
    {"bodies.*.material", KEY_UNBORN, NULL, THERE},
    {"bodies.*.fixed", KEY_UNBORN, "false", THERE},
    {"bodies.*.birth", KEY_UNBORN, "0", THERE},
    {"bodies.*.elastic", KEY_UNBORN, NULL, THERE},
    // another motion bears on the way from here; having one at all makes a body of another kind
    {"bodies.*.motion", KEY_UNBORN, NULL, THERE},
    {"bodies.*.motion.velocity", KEY_ASKED, NULL, NULL},
    {"bodies.*.motion.acceleration", KEY_ASKED, NULL, NULL},
    {"bodies.*.motion.spin", KEY_ASKED, NULL, NULL},
    {"bodies.*.motion.angular_acceleration", KEY_ASKED, NULL, NULL},
    {"bodies.*.motion.about", KEY_ASKED, NULL, NULL},
    {"bodies.*.motion.free", KEY_UNBORN, NULL, THERE},
    {"bodies.*.motion.lock", KEY_UNBORN, NULL, THERE},
    // which bodies are told apart never changes, and their keys rule as those of the entry
    {"bodies.*.where", KEY_NEVER, NULL, SHAPE},
    {"bodies.*.where.*.material", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.fixed", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.velocity", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.spin", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.birth", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.elastic", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.motion", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.motion.velocity", KEY_ASKED, NULL, NULL},
    {"bodies.*.where.*.motion.acceleration", KEY_ASKED, NULL, NULL},
    {"bodies.*.where.*.motion.spin", KEY_ASKED, NULL, NULL},
    {"bodies.*.where.*.motion.angular_acceleration", KEY_ASKED, NULL, NULL},
    {"bodies.*.where.*.motion.about", KEY_ASKED, NULL, NULL},
    {"bodies.*.where.*.motion.free", KEY_UNBORN, NULL, THERE},
    {"bodies.*.where.*.motion.lock", KEY_UNBORN, NULL, THERE},
    // loads and joints are given to bodies by their names
    {"bodies.*.name", KEY_ASKED, "''", NULL},
    {"loads", KEY_ASKED, "[]", NULL},
    {"loads.*.name", KEY_FREE, "''", NULL},
    {"loads.*.frame", KEY_ASKED, "world", NULL},
    {"loads.*.per", KEY_ASKED, "body", NULL},
    {"loads.*.faces.within", KEY_ASKED, "1", NULL},
    {"loads.*.wheel.start", KEY_ASKED, "0", NULL},
    {"loads.*.wheel.patch", KEY_ASKED, "[0, 0]", NULL},
    {"servos", KEY_NEVER, "[]", HELD},
    {"servos.*.force", KEY_ASKED, NULL, NULL},
    {"servos.*.pressure", KEY_ASKED, NULL, NULL},
    {"servos.*.area", KEY_ASKED, NULL, NULL},
    {"servos.*.speed", KEY_ASKED, NULL, NULL},
    {"joints", KEY_NEVER, "[]", HELD},
    {"joints.*.stiffness", KEY_ASKED, NULL, NULL},
    {"joints.*.damping", KEY_ASKED, NULL, NULL},
    {"joints.*.pretension", KEY_ASKED, "0", NULL},
    {"joints.*.strength", KEY_ASKED, NULL, NULL},
    {"joints.*.yield", KEY_ASKED, NULL, NULL},
    {"joints.*.touch", KEY_NEVER, "true", HELD},
    {"joints.*.tension_only", KEY_NEVER, "true", HELD},
    {"joints.*.name", KEY_FREE, "''", NULL},
    {"solver.tolerance", KEY_ASKED, "1e-6", NULL},
    {"solver.method", KEY_ASKED, "automatic", NULL},
    {"solver.max_sweeps", KEY_ASKED, "2000", NULL},
    {"solver.unsolved", KEY_ASKED, "keep", NULL},
    {"solver.give", KEY_ASKED, "automatic", NULL},
    {"solver.demand_convergence", KEY_FREE, "false", NULL},
    {"solver.correction", KEY_ASKED, "0.2", NULL},
    {"solver.slop", KEY_ASKED, "1e-5", NULL},
    {"solver.impact_speed", KEY_ASKED, "automatic", NULL},
    {"solver.stop.unbalanced", KEY_ASKED, "0", NULL},
    {"solver.stop.penetration", KEY_ASKED, "0", NULL},
    {"contact.margin", KEY_ASKED, "1e-3", NULL},
    {"contact.initial", KEY_ASKED, "0", NULL},
    {"contact.feature_width", KEY_ASKED, "2e-3", NULL},
    {"contact.max_points", KEY_ASKED, "8", NULL},
    {"contact.model", KEY_ASKED, "patch", NULL},
    {"contact.lmd.dilation", KEY_ASKED, "5e-3", NULL},
    {"contact.lmd.turn", KEY_ASKED, "0.02", NULL},
    {"contact.rows", KEY_ASKED, "parts", NULL},
    {"contact.geometry", KEY_ASKED, "exact", NULL},
    {"contact.spheres", KEY_ASKED, NULL, NULL},
    {"contact.sparsify.threshold", KEY_ASKED, "0", NULL},
    {"contact.sparsify.min_area", KEY_ASKED, "0", NULL},
    {"contact.sparsify.min_distance", KEY_ASKED, "0", NULL},
    {"contact.keep_pairs", KEY_FREE, "true", NULL},
    {"contact.stop_on_large_steps", KEY_FREE, "false", NULL},
    {"scheme", KEY_NEVER, "non-smooth", SCHEME},
    {"barrier", KEY_NEVER, NULL, SCHEME},
    {"barrier.distance", KEY_NEVER, NULL, SKINS},
    {"barrier.relative_distance", KEY_NEVER, "1e-3", SKINS},
    {"barrier.refine", KEY_ASKED, "1", NULL},
    {"barrier.stiffness", KEY_ASKED, NULL, NULL},
    {"barrier.stick_speed", KEY_ASKED, "1e-6", NULL},
    {"barrier.friction_passes", KEY_ASKED, "3", NULL},
    {"barrier.newton.tolerance", KEY_ASKED, "1e-6", NULL},
    {"barrier.newton.most", KEY_ASKED, "200", NULL},
    {"domain", KEY_ASKED, NULL, NULL},
    // who computes what, and what is written: the same bits
    {"partition", KEY_FREE, NULL, NULL},
    {"output", KEY_FREE, NULL, NULL},
    {NULL, KEY_FREE, NULL, NULL},
};

// Mappings below keys of the table, whose rules hold for them, and their keys. Those that are
// mappings alone have a line of their own instead.
#define NAMED "box kind name number"
#define PART "at box convex hull prism turn voussoir wedge"
#define MESH "body flat hull pieces scale surface up"
#define SIDES "rx ry rz x y z"
#define STRENGTHS "cohesion tensile_strength"
#define SURFACE                                                                                    \
  "between contact damping friction law reduction restitution restitution_speed rolling spinning " \
  "static_friction stick_speed stiffness tangential_damping tangential_stiffness"

static const struct {
  const char *place, *keys;
} deeper[] = {
    {"tilt", "axis rate to"},
    {"contacts.*.bond", STRENGTHS},
    {"contacts.*.joint_stiffness", "normal shear"},
    {"bodies.*.arch", "depth form n radius rise span thickness voussoirs width"},
    {"bodies.*.arch.backing", "courses height length"},
    {"bodies.*.arch.piers", "courses height width"},
    {"bodies.*.arch.spandrels", "courses height length thickness"},
    {"bodies.*.column", "base capital drums height radius sides width"},
    {"bodies.*.container", "box thickness"},
    {"bodies.*.container.drum", "height radius"},
    {"bodies.*.convex", "faces points"},
    {"bodies.*.dome", "hoops meridians rise span thickness"},
    {"bodies.*.elastic", "cells held most_nodes size"},
    {"bodies.*.elastic.weld", STRENGTHS},
    {"bodies.*.ellipsoid", "radii"},
    {"bodies.*.grid", "box count hull parts pipe prism spacing voussoir wedge"},
    {"bodies.*.grid.convex", "faces points"},
    {"bodies.*.grid.ellipsoid", "radii"},
    {"bodies.*.grid.mesh", MESH},
    {"bodies.*.grid.sphere", "radius"},
    {"bodies.*.motion.velocity", SIDES},
    {"bodies.*.parts.*", PART},
    {"bodies.*.parts.*.convex", "faces points"},
    {"bodies.*.parts.*.turn", "angle axis"},
    {"bodies.*.pipe", "height radius sides thickness width"},
    {"bodies.*.prism", "height radius sides taper width"},
    {"bodies.*.rubble", "size stone stones"},
    {"bodies.*.sphere", "radius"},
    {"bodies.*.stones.fill", "box fraction"},
    {"bodies.*.stones.fill.cylinder", "height radius"},
    {"bodies.*.stones.fill.mesh", MESH},
    {"bodies.*.stones.inlet", "count every size"},
    {"bodies.*.stones.lattice", "count jitter spacing"},
    {"bodies.*.stones.shapes.*", "box hull pipe prism share voussoir wedge"},
    {"bodies.*.stones.shapes.*.convex", "faces points"},
    {"bodies.*.stones.shapes.*.ellipsoid", "radii"},
    {"bodies.*.stones.shapes.*.mesh", MESH},
    {"bodies.*.stones.shapes.*.parts.*", PART},
    {"bodies.*.stones.shapes.*.parts.*.turn", "angle axis"},
    {"bodies.*.stones.shapes.*.random", "points ratios size variety"},
    {"bodies.*.stones.shapes.*.sphere", "radius"},
    {"bodies.*.stones.sizes", "by classes table"},
    {"bodies.*.turn", "angle axis"},
    {"bodies.*.vault", "form length n rise rows span thickness voussoirs"},
    {"bodies.*.voussoir", "angle radius thickness width"},
    {"bodies.*.wall", "brick bricks courses leaves"},
    {"bodies.*.wall.openings.*", "at name size"},
    {"bodies.*.wall.openings.*.arch", "form n rise thickness voussoirs"},
    {"bodies.*.wall.openings.*.lintel", "bearing height"},
    {"bodies.*.wall.ties", "bricks courses"},
    {"bodies.*.where.*", "box kind leave match number"},
    {"bodies.*.where.*.elastic", "cells held most_nodes size weld"},
    {"bodies.*.where.*.motion.velocity", SIDES},
    {"loads.*", "at force on pressure temperature torque"},
    {"loads.*.faces", "box direction"},
    {"loads.*.on", NAMED},
    {"loads.*.on.*", NAMED},
    {"loads.*.wheel", "heading path position speed"},
    {"servos.*", "axis on"},
    {"servos.*.on", NAMED},
    {"joints.*",
     "axis ball between cable direction dowel hinge length normal pin rod roller slider "
     "spring strut tie weld"},
    {"joints.*.between.*", NAMED},
    {"joints.*.damping", "normal shear"},
    {"joints.*.repeat", "count spacing step"},
    {"joints.*.stiffness", "normal shear"},
    {"joints.*.strength", "compression shear tension"},
    {"joints.*.yield", "compression shear tension"},
    {"domain", "high low"},
    {"partition", "balance every"},
    {"output.checkpoint", "minutes steps"},
    {"output.frames", "every fields"},
    {"output.probes.*", "name opening"},
    {"output.probes.*.displacement", "at of"},
    {"output.probes.*.porosity", "high low"},
    {"output.probes.*.reaction", "of"},
    {"output.probes.*.resultant", "between"},
    {"output.probes.*.resultant.plane", "at normal"},
    {"output.probes.*.stress", "high low"},
    {"output.probes.*.support", "of"},
    {"output.ranks", "every"},
    {"time.until", "displacement energy every on unbalanced unconverged"},
    {"stages.*.base", "acceleration frame"},
    {"stages.*.contacts.*", SURFACE},
    {"stages.*.contacts.*.bond", STRENGTHS},
    {"stages.*.contacts.*.joint_stiffness", "normal shear"},
    {"stages.*.damping", "local mass"},
    {"stages.*.loads.*", "at force frame name on per pressure temperature torque"},
    {"stages.*.loads.*.faces", "box direction within"},
    {"stages.*.loads.*.on", NAMED},
    {"stages.*.loads.*.wheel", "heading patch path position speed start"},
    {"stages.*.motions.*", "fixed on"},
    {"stages.*.motions.*.motion", "about acceleration angular_acceleration spin velocity"},
    {"stages.*.motions.*.on", NAMED},
    {"stages.*.output.checkpoint", "minutes steps"},
    {"stages.*.output.frames", "every fields"},
    {"stages.*.output.ranks", "every"},
    {"stages.*.servos.*", "area axis force on pressure"},
    {"stages.*.tilt", "axis rate start to"},
    {"stages.*.time", "step"},
    {"stages.*.until", "displacement energy every on time unbalanced unconverged"},
    {"stages.*.until.force", "more on"},
    {"stages.*.until.opening", "between more"},
};
enum { DEEPER = sizeof deeper / sizeof *deeper };

const CaseKey *case_keys(void) { return keys; }

bool case_keys_deeper(int number, char key[CASE_KEY_BYTES])
{
  assert(number >= 0 && "keys are counted from 0");
  for (int i = 0; i < DEEPER; i++)
    for (const char *word = deeper[i].keys; *word; number--) {
      const size_t length = strcspn(word, " ");
      if (number == 0) {
        snprintf(key, CASE_KEY_BYTES, "%s.%.*s", deeper[i].place, (int)length, word);
        return true;
      }
      word += length + (word[length] == ' ');
    }
  return false;
}

// How many elements of a key and a pattern are the same before one of them ends; *key_left and
// *pattern_left: whether there are more, which then differ where both do.
static int compare(const char *key, const char *pattern, bool *key_left, bool *pattern_left)
{
  int same = 0;
  while (*key && *pattern) {
    const size_t of_key = strcspn(key, "."), of_pattern = strcspn(pattern, ".");
    const bool any = of_pattern == 1 && *pattern == '*';
    if (!any && (of_key != of_pattern || strncmp(key, pattern, of_key) != 0)) break;
    same++;
    key += of_key + (key[of_key] == '.');
    pattern += of_pattern + (pattern[of_pattern] == '.');
  }
  *key_left = *key != 0;
  *pattern_left = *pattern != 0;
  return same;
}

const CaseKey *case_keys_find(const char *key)
{
  assert(key != NULL && "a key has a name");
  const CaseKey *found = NULL;
  int most = 0;
  for (const CaseKey *k = keys; k->pattern; k++) {
    bool key_left, pattern_left;
    const int same = compare(key, k->pattern, &key_left, &pattern_left);
    if (pattern_left || same <= most) continue;
    most = same;
    found = k;
  }
  return found;
}

const CaseKey *case_keys_exact(const char *key)
{
  assert(key != NULL && "a key has a name");
  for (const CaseKey *k = keys; k->pattern; k++) {
    bool key_left, pattern_left;
    compare(key, k->pattern, &key_left, &pattern_left);
    if (!key_left && !pattern_left) return k;
  }
  return NULL;
}

const char *case_keys_standard(const char *key)
{
  static const char *const of_functions[][2] = {
      {"phase", "0"}, {"mean", "[0, 0, 0]"}, {"scale", "1"},      {"start", "0"},
      {"skip", "0"},  {"from", "[0, 0, 0]"}, {"separator", "' '"}};
  const CaseKey *exact = case_keys_exact(key);
  if (exact) return exact->standard;
  const char *dot = strrchr(key, '.');
  for (size_t i = 0; dot && i < sizeof of_functions / sizeof *of_functions; i++)
    if (strcmp(dot + 1, of_functions[i][0]) == 0) return of_functions[i][1];
  return NULL;
}

bool case_keys_known(const char *key)
{
  assert(key != NULL && "a key has a name");
  for (const CaseKey *k = keys; k->pattern && *key; k++) {
    bool key_left, pattern_left;
    compare(key, k->pattern, &key_left, &pattern_left);
    if (!key_left || !pattern_left) return true;
  }
  return false;
}
