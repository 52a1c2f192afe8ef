#include "solver.h"

#include "parallel.h"
#include "residual.h"

#define CORRECTION_SWEEPS 20        // the overlap that is left goes in the next steps
#define CORRECTION_TOLERANCE 1e-2   // relative residual at which sweeps end

void solver_store(const Problem *problem, Contacts *contacts)
{
  for (int i = 0; i < contacts->table.count; i++) contacts->reaction[i] = (vec3){0, 0, 0};
  for (int i = 0; i < problem->point_count; i++) {
    // from the frame with turned tangents to the contact's own; exactly zero where it is zero
    const SolverPoint *p = &problem->points[i];
    if (p->r.x == 0 && p->r.y == 0 && p->r.z == 0) continue;
    const vec3 world = mat3_mul_transposed(p->frame, p->r);
    vec3 local = mat3_mul(contact_frame(contacts->normal[p->contact]), world);
    local.x = p->r.x;
    contacts->reaction[p->contact] = local;
  }
}

// gap at the end of the step beyond the slop becomes the law's offset; true where an overlap asks
// for correction
static bool set_offsets(Problem *problem, const Contacts *contacts, const Bodies *bodies,
                        ShapeSet *shapes, CorrectionParameters parameters)
{
  bool wanted = false;
  for (int i = 0; i < problem->point_count; i++) {
    SolverPoint *p = &problem->points[i];
    const double gap =
        contacts->gap[p->contact] + 0.5 * parameters.step * problem_velocity(p, problem->twist).x;
    const double room = gap + parameters.slop * problem_extent(bodies, shapes, p->low, p->high);
    p->offset = (vec3){room < 0 ? parameters.share * room : room, 0, 0};
    if (room < 0) wanted = true;
  }
  return par_any(wanted);
}

Correction solver_correct(Problem *problem, const Contacts *contacts, const Bodies *bodies,
                          ShapeSet *shapes, CorrectionParameters parameters, Twist *shift,
                          Arena *arena)
{
  Correction result = {false, 0};
  const Twist none = {{0, 0, 0}, {0, 0, 0}};
  for (int b = 0; b < problem->own_rows; b++) shift[b] = none;
  if (!(parameters.share > 0) || !set_offsets(problem, contacts, bodies, shapes, parameters))
    return result;

  // the same problem in displacements, from rest
  double scale = 0;
  for (int b = 0; b < problem->row_count; b++) problem->twist[b] = none;
  for (int i = 0; i < problem->point_count; i++) {
    SolverPoint *p = &problem->points[i];
    p->r = (vec3){0, 0, 0};
    if (p->offset.x < 0 && -p->rho * p->offset.x > scale) scale = -p->rho * p->offset.x;
  }
  scale = par_max(scale);
  result.acted = true;
  double residual = INFINITY;
  while (residual > CORRECTION_TOLERANCE && result.sweeps < CORRECTION_SWEEPS) {
    gauss_seidel_sweep(problem, arena);
    result.sweeps++;
    halo_refresh(&problem->all, problem->twist, sizeof *problem->twist, arena);
    residual = residual_measure(problem, scale).largest;
  }
  Twist *zero = arena_allocate_zero(arena, (size_t)problem->own_rows + 1, sizeof *zero);
  problem_velocities(problem, zero, shift);
  return result;
}
