// Opens overlap that is left at the end of a step, apart from the velocities.
#include "correction.h"

#include <assert.h>
#include <string.h>

#include "bond_law.h"
#include "delassus.h"
#include "elastic_points.h"
#include "gauss_seidel.h"
#include "joint_points.h"
#include "parallel.h"
#include "split.h"

#define CORRECTION_SWEEPS 20        // the overlap that is left goes in the next steps
#define CORRECTION_TOLERANCE 1e-2   // relative residual at which sweeps end

// gap at the end of the step beyond the slop becomes the law's offset; true where an overlap asks
// for correction
static bool set_offsets(Problem *problem, const CorrectionInput *in)
{
  const Contacts *contacts = in->contacts;
  const CorrectionParameters parameters = in->parameters;
  assert(parameters.step > 0 && "a step goes forward");
  bool wanted = false;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const double slop = parameters.settings.slop *
                        problem_extent(problem->bodies, in->shapes, pair->low, pair->high);
    const bool limited = problem->limits != NULL;   // else all are plain contacts
    const int end = problem_contacts_end(problem, k);
    for (int i = pair->first; i < end; i++) {
      problem->size[i] = slop;
      if (limited && contacts_held(contacts, problem_contact(problem, k, i))) {
        elastic_points_release(problem, i);
        continue;
      }
      if (limited && elastic_points_give(problem, i)) {
        elastic_points_release(problem, i);
        continue;
      }
      if (limited && bond_law_holds(problem, k, i, contacts)) {
        const vec3 moved = bond_law_moved(problem, k, i, contacts, parameters.step);
        bond_law_correct(problem, i, vec3_scale(parameters.settings.share, moved));
        if (vec3_norm(moved) > slop) wanted = true;
        continue;
      }
      if (limited)
        problem->limits[i] = law_no_limits();   // what springs along the joint hold stays
      if (problem->rho[i] == 0) continue;   // nothing moves it, its offset is that of an open one
      const SolverPoint p = problem_point(problem, k, i);
      const double gap = contacts->gap[p.contact] +
                         0.5 * parameters.step * problem_velocity(&p, problem_now(problem)).x;
      const double room = gap + slop;
      problem->offset[i] = room < 0 ? parameters.settings.share * room : room;
      if (room < 0) wanted = true;
    }
  }
  return par_any(wanted);
}

#define IMMOVABLE 1e-12   // share of its inverse mass that a foundation has: every pair has some

// States in the middle with which foundations do not move; those of the problem where it has none.
static const MidState *hold_foundations(const Problem *problem, Arena *arena)
{
  const Bodies *bodies = problem->bodies;
  MidState *mid = NULL;
  const size_t rows = (size_t)problem->row_count;
  for (int b = 0; b < problem->row_count; b++) {
    if (!kind_founded(bodies, b)) continue;
    if (!mid) {
      mid = arena_allocate(arena, (rows + 1) * sizeof *mid);
      memcpy(mid, problem->mid, rows * sizeof *mid);
    }
    mid[b].inverse_mass *= IMMOVABLE;
    mid[b].inverse_inertia = mat3_scale(IMMOVABLE, mid[b].inverse_inertia);
  }
  return mid ? mid : problem->mid;
}

// Rows that deform are moved as rigid ones: the problem becomes that of rigid bodies.
static void make_rigid(Problem *problem, const Bodies *rigid, Arena *arena)
{
  const Bodies *bodies = problem->bodies;
  problem->mid = hold_foundations(problem, arena);
  problem->bodies = rigid;
  problem->elastic = NULL;
  problem->stretch = NULL;
  problem->finite = NULL;
  problem->nodes = NULL;
  problem->apart = NULL;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (rigid_pairs_has(bodies, pair->low, pair->high)) continue;
    for (int i = pair->first; i < pair->end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      const sym3 w = delassus_in_basis(&p, &problem->mid[pair->low], &problem->mid[pair->high]);
      split_turn_point(problem, p, i, mat3_of_sym3(w));
      problem->rho[i] = delassus_rho(&w);
    }
  }
}

// Collective. Each group of touching bodies by itself: none is swept because another needs it.
static int open_groups(Problem *problem, Arena *arena)
{
  assert(problem->elastic == NULL && "rows are moved as rigid ones");
  ContactGroups groups = contact_groups_new(problem, arena);
  contact_groups_join(&groups, problem, arena);
  const GroupPlaces places = group_places_new(problem, &groups, arena);
  GroupTask *tasks = arena_allocate_zero(arena, (size_t)groups.place_count + 1, sizeof *tasks);
  for (int p = 0; p < groups.place_count; p++)
    tasks[p] = (GroupTask){.max_sweeps = CORRECTION_SWEEPS, .keeps_last = true};
  const SolverParameters parameters = {.method = SOLVER_GAUSS_SEIDEL,
                                       .tolerance = CORRECTION_TOLERANCE,
                                       .max_sweeps = CORRECTION_SWEEPS};
  gauss_seidel_residuals(problem, &places, tasks, arena);
  const Twist *rest = arena_allocate_zero(arena, (size_t)problem->row_count + 1, sizeof *rest);
  gauss_seidel_improve(problem, velocities_of_rigid(rest),
                       (GroupSweeps){&places, tasks, parameters}, arena);
  return group_tasks_most(&places, tasks);
}

Correction correction_solve(Problem *problem, const CorrectionInput *in, Arena *arena)
{
  const Contacts *contacts = in->contacts;
  const CorrectionParameters parameters = in->parameters;
  assert(!(parameters.settings.share > 1) && !(parameters.settings.slop < 0) &&
         "at most the overlap is opened");
  const Twist none = {{0, 0, 0}, {0, 0, 0}};
  Correction result = {
      .shift = arena_allocate_zero(arena, (size_t)problem->own_rows + 1, sizeof(Twist))};
  if (!(parameters.settings.share > 0) || !set_offsets(problem, in)) return result;
  const Bodies *bodies = problem->bodies;
  const MidState *mid = problem->mid;
  Bodies rigid = *bodies;
  rigid.kind = NULL;
  if (problem->elastic) make_rigid(problem, &rigid, arena);

  // the same problem in displacements, from rest
  double scale = 0;
  for (int b = 0; b < problem->row_count; b++) problem->twist[b] = none;
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      problem->r[i] = (vec3){0, 0, 0};
      problem->speed[i] = 0;   // nothing moves but by the correction
      if (problem->joints && problem_contact(problem, k, i) < 0) {
        problem->size[i] = 0;
        continue;
      }
      const vec3 offset = problem_offset(problem, i);
      if (!(offset.x < INFINITY)) continue;
      const bool held = problem->limits && bond_law_holds(problem, k, i, contacts);
      const double way = held ? vec3_norm(offset) : -offset.x;
      if (problem->rho[i] * way > scale) scale = problem->rho[i] * way;
      problem->size[i] = problem->rho[i] * fmax(way, problem->size[i]);
    }
  scale = par_max(scale);
  for (int i = 0; i < problem->point_count; i++)
    if (problem->size[i] == 0) problem->size[i] = scale;
  bond_law_hold(problem, contacts, scale);
  joint_points_hold(problem, in->joints);
  result.acted = true;
  result.sweeps = open_groups(problem, arena);
  memcpy(result.shift, problem->twist, (size_t)problem->own_rows * sizeof *result.shift);
  for (int b = 0; b < problem->own_rows; b++)
    if (kind_founded(bodies, b)) result.shift[b] = none;
  problem->bodies = bodies;
  problem->mid = mid;
  return result;
}
