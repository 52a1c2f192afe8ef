// Forces as lines for people and as a member of outcome.json.
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "forces.h"
#include "log.h"
#include "plural.h"

static const char *const range_names[] = {"found", "unbounded", "none", "stalled"};
enum { RANGE_NAMES = sizeof range_names / sizeof *range_names };

static const char *axis_of(vec3 way) { return way.x != 0 ? "x" : way.y != 0 ? "y" : "z"; }

static void say_range(const ForcesThrust *t, char *text, size_t bytes)
{
  char least[64] = "?", most[64] = "?";
  if (t->least_is == LIMIT_NONE || t->most_is == LIMIT_NONE) {
    snprintf(text, bytes, "no forces of associated friction are in balance");
    return;
  }
  if (t->least_is == LIMIT_FOUND) snprintf(least, sizeof least, "%.6g N", t->least);
  if (t->least_is == LIMIT_UNBOUNDED) snprintf(least, sizeof least, "any pull");
  if (t->most_is == LIMIT_FOUND) snprintf(most, sizeof most, "%.6g N", t->most);
  if (t->most_is == LIMIT_UNBOUNDED) snprintf(most, sizeof most, "any push");
  snprintf(text, bytes, "forces in balance give %s to %s", least, most);
}

void forces_say(const Forces *f)
{
  if (f->kind == FORCES_UNIQUE)
    log_line("the forces at the end are unique: each of the %lld %s gives by its joint_stiffness",
             (long long)f->closed, plural(f->closed, "point that touches", "points that touch"));
  if (f->kind == FORCES_MANY)
    log_line("the forces at the end are one of many in balance, since bodies are rigid: "
             "joint_stiffness makes them unique");
  if (f->kind == FORCES_OPEN && f->thrust_count > 0)
    log_line("the forces at the end may be one of many in balance: %lld of %lld %s no "
             "joint_stiffness",
             (long long)f->rigid, (long long)f->closed,
             f->rigid == 1 ? plural(f->closed, "point that touches has", "points that touch has")
                           : "points that touch have");
  for (int k = 0; k < f->thrust_count; k++) {
    const ForcesThrust *t = &f->thrusts[k];
    char range[256] = "";
    if (f->kind != FORCES_UNIQUE && !*f->untold) say_range(t, range, sizeof range);
    log_line("thrust along %s: %.6g N%s%s", axis_of(t->way), t->now, *range ? "; " : "", range);
  }
  if (*f->untold && f->kind != FORCES_UNKNOWN)
    log_line("the range of thrusts is not known: %s", f->untold);
}

// ------------------------------------------------------------------------------------------------
// JSON

// told: whether the range is known.
static json_t *json_of_thrust(const ForcesThrust *t, bool told)
{
  const char *least = told ? range_names[t->least_is] : "unknown",
             *most = told ? range_names[t->most_is] : "unknown";
  json_t *one = json_pack("{s:[f, f, f], s:f, s:s, s:s, s:f}", "way", t->way.x, t->way.y, t->way.z,
                          "now", t->now, "least_is", least, "most_is", most, "balance", t->balance);
  json_object_set_new(one, "least", t->least_is == LIMIT_FOUND ? json_real(t->least) : json_null());
  json_object_set_new(one, "most", t->most_is == LIMIT_FOUND ? json_real(t->most) : json_null());
  return one;
}

void *forces_json(const Forces *f)
{
  json_t *list = json_array();
  for (int k = 0; k < f->thrust_count; k++)
    json_array_append_new(list, json_of_thrust(&f->thrusts[k], !*f->untold));
  json_t *unique = f->kind == FORCES_UNIQUE ? json_true()
                   : f->kind == FORCES_MANY ? json_false()
                                            : json_null();
  char room[LOG_VISIBLE_BYTES];
  json_t *untold =
      *f->untold ? json_string(log_visible(f->untold, room, sizeof room)) : json_null();
  return json_pack("{s:o, s:I, s:I, s:o, s:o}", "unique", unique, "points", (json_int_t)f->closed,
                   "rigid", (json_int_t)f->rigid, "thrusts", list, "untold", untold);
}

static LimitStatus range_named(const char *name)
{
  for (int k = 0; k < RANGE_NAMES; k++)
    if (strcmp(name, range_names[k]) == 0) return (LimitStatus)k;
  return LIMIT_STALLED;
}

static bool read_thrust(const json_t *member, ForcesThrust *t)
{
  const char *least = "", *most = "";
  *t = (ForcesThrust){.now = 0};
  if (json_unpack((json_t *)member, "{s:[F, F, F], s:F, s:s, s:s, s:F}", "way", &t->way.x,
                  &t->way.y, &t->way.z, "now", &t->now, "least_is", &least, "most_is", &most,
                  "balance", &t->balance) != 0)
    return false;
  t->least_is = range_named(least);
  t->most_is = range_named(most);
  t->least = json_number_value(json_object_get(member, "least"));
  t->most = json_number_value(json_object_get(member, "most"));
  return true;
}

Forces forces_of_json(const void *member)
{
  Forces f = {.kind = FORCES_UNKNOWN};
  const json_t *unique = json_object_get(member, "unique");
  f.closed = json_integer_value(json_object_get(member, "points"));
  f.rigid = json_integer_value(json_object_get(member, "rigid"));
  if (json_is_true(unique)) f.kind = FORCES_UNIQUE;
  else if (json_is_false(unique)) f.kind = FORCES_MANY;
  else if (f.closed > 0) f.kind = FORCES_OPEN;
  const json_t *list = json_object_get(member, "thrusts"),
               *untold = json_object_get(member, "untold");
  for (size_t k = 0; k < json_array_size(list) && f.thrust_count < FORCES_THRUSTS; k++)
    if (read_thrust(json_array_get(list, k), &f.thrusts[f.thrust_count])) f.thrust_count++;
  if (json_is_string(untold)) snprintf(f.untold, sizeof f.untold, "%s", json_string_value(untold));
  return f;
}
