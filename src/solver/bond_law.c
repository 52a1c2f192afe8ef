#include "bond_law.h"

#define AT_LIMIT (1 - 1e-9)   // of a limit: an impulse that has reached it
#define YIELD_SHARE \
  1e-2   // of the limit: impulse that is missing to hold a point, beyond which it has yielded
#define ERRORS_OF_POINT \
  10   // times the largest error of the solution, which a point may lack beyond that share

PointLaw bond_law_of_point(const SurfaceLaws *laws, int surface, const Contacts *contacts,
                           int contact, double step)
{
  PointLaw law = {laws->friction[surface], 0, 0};
  if (contacts_bond(contacts, contact) != BOND_WHOLE) return law;
  const double force = step * contacts->area[contact];
  law.tension = force * laws->tensile_strength[surface];
  law.shear = force * laws->cohesion[surface];
  return law;
}

// Impulses of a correction are far below this many times the largest single one; a limit takes as
// many digits from the solution of a point, which needs few.
#define HOLD_FACTOR 0x1p20

typedef enum { YIELD_NONE, YIELD_DOUBTFUL, YIELD_TENSION, YIELD_SHEAR } Yield;

static Yield yield_of_point(const SolverPoint *p, const Twist *twist, double error)
{
  const double tangential = sqrt(p->r.y * p->r.y + p->r.z * p->r.z),
               shear = p->law.shear + p->law.friction * p->r.x;
  const bool pulled = p->r.x <= -AT_LIMIT * p->law.tension,
             sheared = tangential >= AT_LIMIT * shear;
  if (!pulled && !sheared) return YIELD_NONE;

  // redundant points may share a load in many ways: one at its limit has yielded if the others do
  // not hold it either
  const double missing = p->rho * vec3_norm(problem_velocity(p, twist));
  const double limit = pulled ? p->law.tension : shear;
  if (!(missing > YIELD_SHARE * limit)) return YIELD_NONE;
  if (!(missing > YIELD_SHARE * limit + ERRORS_OF_POINT * error)) return YIELD_DOUBTFUL;
  return pulled ? YIELD_TENSION : YIELD_SHEAR;
}

void bond_law_break(const Problem *problem, Contacts *contacts, const Bodies *bodies, double error,
                    BondCount *count)
{
  for (int i = 0; i < problem->point_count; i++) {
    const SolverPoint *p = &problem->points[i];
    if (contacts_bond(contacts, p->contact) != BOND_WHOLE) continue;
    const Yield yield = yield_of_point(p, problem->twist, error);
    if (yield == YIELD_DOUBTFUL) count->doubtful += problem->owned[i];
    if (yield == YIELD_NONE || yield == YIELD_DOUBTFUL) continue;
    contacts->bond[p->contact] = BOND_BROKEN;
    if (!problem->owned[i]) continue;
    const IdPair ids = {bodies->id[p->low], bodies->id[p->high]};
    bonds_count(count, yield == YIELD_TENSION, yield == YIELD_SHEAR, ids);
  }
}

bool bond_law_correct(SolverPoint *p, const Problem *problem, const Contacts *contacts,
                      const Bodies *bodies, double share, double step, double *moved)
{
  if (contacts_bond(contacts, p->contact) != BOND_WHOLE) return false;
  const vec3 shift = bond_shift(contacts, p->contact, bodies, problem->mid, p->low, p->high);
  const vec3 end =
      vec3_axpy(0.5 * step, problem_velocity(p, problem->twist), mat3_mul(p->frame, shift));
  *moved = vec3_norm(end);
  p->offset = vec3_scale(share, end);
  return true;
}

void bond_law_hold(SolverPoint *p, const Contacts *contacts, double scale)
{
  const bool whole = contacts_bond(contacts, p->contact) == BOND_WHOLE;
  p->law.tension = whole ? HOLD_FACTOR * scale : 0;
  p->law.shear = (1 + p->law.friction) * p->law.tension;
}
