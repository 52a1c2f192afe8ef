// Walks the functions of time of a case.
#include "case_functions.h"

#include <assert.h>
#include <math.h>

typedef void CaseFunctionVisit(void *context, const TimeVector *function);

static void visit_all(CaseFunctionVisit *visit, void *context, const TimeVector *const *functions)
{
  for (int i = 0; functions[i]; i++) visit(context, functions[i]);
}

// Calls back for each function, those that are zero included.
static void visit_case(const Case *c, CaseFunctionVisit *visit, void *context)
{
  assert(c->load_count >= 0 && c->group_count >= 0 && "a case is read");
  visit_all(visit, context, (const TimeVector *[]){&c->gravity, &c->base.motion.travel, NULL});
  for (int i = 0; i < c->load_count; i++) {
    const BodyLoad *load = &c->loads[i];
    visit_all(visit, context,
              (const TimeVector *[]){&load->force, &load->torque, &load->temperature,
                                     &load->pressure, load->wheel ? &load->wheel->position : NULL,
                                     NULL});
  }
  for (int i = 0; i < c->law_change_count; i++) {
    const LawInTime *law = &c->law_changes[i];
    visit_all(visit, context,
              (const TimeVector *[]){&law->friction, &law->cohesion, &law->tensile_strength,
                                     &law->reduction, NULL});
  }
  for (int i = 0; i < c->group_count; i++) {
    const Motion *motion = c->groups[i].motion;
    const Guide *guide = c->groups[i].guide;
    if (motion)
      visit_all(visit, context, (const TimeVector *[]){&motion->travel, &motion->turning, NULL});
    if (guide)
      visit_all(visit, context, (const TimeVector *[]){&guide->travel, &guide->turning, NULL});
  }
  for (int i = 0; i < c->servo_count; i++) visit(context, &c->servos[i].force);
}

static void note_spacing(void *least, const TimeVector *function)
{
  double *value = least;
  *value = fmin(*value, time_vector_spacing(function));
}

double case_functions_spacing(const Case *c)
{
  double least = INFINITY;
  visit_case(c, note_spacing, &least);
  return least;
}

static void note_rate(void *most, const TimeVector *function)
{
  double *value = most;
  *value = fmax(*value, time_vector_rate(function));
}

double case_functions_rate(const Case *c)
{
  double most = 0;
  visit_case(c, note_rate, &most);
  return most;
}
