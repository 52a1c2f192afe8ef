// Prints the beginning, progress, warnings and end of drystone run.
#include "run_log.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "case_sense.h"
#include "finite_bend.h"
#include "history.h"
#include "history_lines.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "plural.h"
#include "scene.h"

#define LOG_SECONDS 10.0       // between two lines of a batch log
#define TERMINAL_SECONDS 0.2   // between two updates of the progress line
#define WARNINGS_SHOWN 5       // of one kind, before they are only counted
#define BYTES_OF_BODY 1500.0   // without its contacts, of a shape that it shares with others

// Whether a person watches. Open MPI gives the first rank a terminal of its own even when mpirun's
// output goes to a file, so under a launcher the launcher's output decides.
static bool on_terminal(void)
{
  if (!isatty(STDOUT_FILENO)) return false;
  if (!par_is_launched()) return true;
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/1", (long)getppid());
  const ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) return false;
  target[length] = 0;
  return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
}

RunLog run_log_new(World *world)
{
  const double now = par_seconds();
  return (RunLog){
      .world = world, .terminal = on_terminal(), .began = now, .said = now, .least_share = 1};
}

void run_log_begin(RunLog *log)
{
  assert(log->first_step >= 0 && log->last_step >= 0 && "steps are counted from zero");
  log->began_with = log->world->rank;
  const Case *c = log->world->c;
  const int64_t steps = log->last_step - log->first_step;
  const uint64_t later = c->body_count - scene_born(c, log->first_step);
  char births[64] = "", title[LOG_VISIBLE_BYTES];
  if (later) snprintf(births, sizeof births, ", %llu yet to appear", (unsigned long long)later);
  const int64_t bodies = par_sum(log->world->bodies.table.owned), left = steps > 0 ? steps : 0;
  log_line("%s: %lld %s%s on %d %s, step %.6g s, %lld %s to t %.6g s",
           log_visible(c->title && *c->title ? c->title : c->path, title, sizeof title),
           (long long)bodies, plural(bodies, "body", "bodies"), births, par_size(),
           plural(par_size(), "rank", "ranks"), c->step, (long long)left,
           plural(left, "step", "steps"),
           log->world->stage.first_time +
               (double)(log->last_step - log->world->stage.first_step) * c->step);
  case_sense_warn_of_motion(c);
}

// the first bodies of the run that leave the domain, which rank 0 has
static void say_removed(RunLog *log)
{
  const Bodies *b = &log->world->removed;
  for (int i = 0; i < b->table.owned; i++) {
    if (++log->removed_shown > WARNINGS_SHOWN) return;
    const vec3 x = b->position[i];
    const char *group = history_lines_group(log->world, b->id[i]);
    log_line("step %lld: body %llu (%s) left the domain at [%.6g, %.6g, %.6g] m%s",
             (long long)log->world->record.step, (unsigned long long)b->id[i],
             *group ? group : "unnamed", x.x, x.y, x.z,
             log->removed_shown == WARNINGS_SHOWN ? " (further ones stand in removed.csv)" : "");
  }
}

// points of bonds that were made or broke in the step, of the first few such steps
static void say_bonds(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  const int64_t broken = r->broken_tension + r->broken_shear;
  if (r->bonds_made > 0)
    log_line("step %lld: bonds made with %lld %s", (long long)r->step, (long long)r->bonds_made,
             plural(r->bonds_made, "point", "points"));
  else if (log->world->c->surfaces.bonded && r->step == 1)
    log_line("step 1: no bonds made, since no bodies of bonded materials lie face on face within "
             "the margin");
  if (broken == 0 || ++log->broken_steps > WARNINGS_SHOWN) return;
  char low[256], high[256];
  history_field(history_lines_group(log->world, r->first_broken.low), low, sizeof low);
  history_field(history_lines_group(log->world, r->first_broken.high), high, sizeof high);
  log_line("step %lld: %lld %s in tension, %lld in shear, the first between bodies %llu (%s) and "
           "%llu (%s)%s",
           (long long)r->step, (long long)r->broken_tension,
           plural(r->broken_tension, "point of bonds breaks", "points of bonds break"),
           (long long)r->broken_shear, (unsigned long long)r->first_broken.low,
           *low ? low : "unnamed", (unsigned long long)r->first_broken.high,
           *high ? high : "unnamed",
           log->broken_steps == WARNINGS_SHOWN ? " (further ones are counted in history.csv)" : "");
}

// joints that broke in the step, of the first few such steps
static void say_joints(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  if (r->broken_joints == 0 || ++log->joint_steps > WARNINGS_SHOWN) return;
  const IdPair first = r->first_joint;
  const bool space = first.high == BODIES_SPACE;
  char low[256], high[256] = "space";
  history_field(history_lines_group(log->world, first.low), low, sizeof low);
  if (!space) history_field(history_lines_group(log->world, first.high), high, sizeof high);
  log_line("step %lld: %lld %s, the first between body %llu (%s) and %s%s", (long long)r->step,
           (long long)r->broken_joints, plural(r->broken_joints, "joint breaks", "joints break"),
           (unsigned long long)first.low, *low ? low : "unnamed", *high ? high : "an unnamed one",
           log->joint_steps == WARNINGS_SHOWN ? " (further ones are counted in history.csv)" : "");
}

// bodies that the step is too long for, in the first few such steps
static void say_stiff(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  if (r->stiff == 0 || ++log->stiff_steps > WARNINGS_SHOWN) return;
  char group[256];
  history_field(history_lines_group(log->world, r->first_stiff), group, sizeof group);
  log_warning(
      "step %lld: the volumetric law is too stiff for the step, or damped too much, at %lld "
      "%s, the first %llu (%s): lower time.step, stiffness or damping%s",
      (long long)r->step, (long long)r->stiff, plural(r->stiff, "body", "bodies"),
      (unsigned long long)r->first_stiff, *group ? group : "unnamed",
      log->stiff_steps == WARNINGS_SHOWN ? " (further ones are counted in history.csv)" : "");
}

static void say_sharing(const RunLog *log)
{
  const Balance *b = &log->world->balance;
  if (b->last != SHARING_BALANCE) return;
  log_line(
      "step %lld: work of the busiest rank %.2f of the mean; shared out anew: %.2f, %lld %s moved "
      "(gain %.3g > cost %.3g units)",
      (long long)log->world->record.step, b->last_before, b->last_after, (long long)b->moved,
      plural(b->moved, "body", "bodies"), b->last_gain, b->last_cost);
}

// steps that were made again in two halves, the first few
static void say_halved(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  if (!r->halved || ++log->halved_steps > WARNINGS_SHOWN) return;
  log_line("step %lld, t %.6g s: residual %.3g, worst between bodies %llu and %llu; made again in "
           "two halves, which leave %.3g%s",
           (long long)r->step, r->time, r->whole.residual_max,
           (unsigned long long)r->whole.worst.low, (unsigned long long)r->whole.worst.high,
           r->solve.residual_max,
           log->halved_steps == WARNINGS_SHOWN
               ? " (further ones are counted in history.csv and at the end)"
               : "");
}

// steps in which contact points gave, the first of them
static void say_given(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  log->most_given = fmax(log->most_given, r->solve.given);
  if (!(r->solve.given > 0) || ++log->given_steps > 1) return;
  log_line("step %lld, t %.6g s: contact points give where they do not converge, here by %.3g m/s "
           "(solver.give %g; further steps are counted in history.csv and at the end)",
           (long long)r->step, r->time, r->solve.given, log->world->c->solver.solve.give);
}

static const char *group_name(const RunLog *log, uint64_t id, char text[static 256])
{
  history_field(history_lines_group(log->world, id), text, 256);
  return *text ? text : "unnamed";
}

// bodies of finite elements whose displacements are no longer small, in the first few such steps
static void warn_of_bends(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  const char *last = " (further ones are counted in history.csv and at the end)";
  char group[256];
  if (r->displaced && ++log->displaced_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: nodes of %lld %s are displaced farther than contact.margin, the "
                "first is %llu (%s); contacts are looked for at the shapes without that%s",
                (long long)r->step, (long long)r->displaced, plural(r->displaced, "body", "bodies"),
                (unsigned long long)r->first_displaced, group_name(log, r->first_displaced, group),
                log->displaced_steps == WARNINGS_SHOWN ? last : "");
  if (r->turned && ++log->turned_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: %lld %s more than %g rad in the frame of %s body, the first is cell "
                "%llu of body %llu (%s); such bending is false%s",
                (long long)r->step, (long long)r->turned,
                plural(r->turned, "cell of finite elements turns", "cells of finite elements turn"),
                FINITE_BEND_TURN, plural(r->turned, "its", "their"),
                (unsigned long long)r->first_turned.high, (unsigned long long)r->first_turned.low,
                group_name(log, r->first_turned.low, group),
                log->turned_steps == WARNINGS_SHOWN ? last : "");
}

// the first few warnings of a kind are shown, the rest is counted
static void warn_of_step(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  const char *last = " (further ones are counted in history.csv and at the end)";
  if (!r->solve.converged && ++log->unconverged <= WARNINGS_SHOWN)
    log_warning("step %lld, t %.6g s: residual %.3g after %d %s%s, asked for %.3g; worst "
                "between bodies %llu and %llu%s",
                (long long)r->step, r->time, r->solve.residual_max, r->solve.sweeps,
                plural(r->solve.sweeps, "sweep", "sweeps"), r->halved ? " in two halves" : "",
                log->world->c->solver.solve.tolerance, (unsigned long long)r->solve.worst.low,
                (unsigned long long)r->solve.worst.high,
                log->unconverged == WARNINGS_SHOWN ? last : "");
  if (r->doubtful_bonds && ++log->doubtful_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: %lld %s by no more than the error that the solver left; %s kept%s",
                (long long)r->step, (long long)r->doubtful_bonds,
                plural(r->doubtful_bonds, "point of bonds is at a limit and moves",
                       "points of bonds are at a limit and move"),
                plural(r->doubtful_bonds, "it is", "they are"),
                log->doubtful_steps == WARNINGS_SHOWN ? " (further ones are counted at the end)"
                                                      : "");
  if (r->failed && ++log->failed_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: %lld %s too deep for a patch and got one point%s, the first between "
                "bodies %llu and %llu%s",
                (long long)r->step, (long long)r->failed,
                plural(r->failed, "pair of parts overlaps", "pairs of parts overlap"),
                plural(r->failed, "", " each"), (unsigned long long)r->first_failed.low,
                (unsigned long long)r->first_failed.high,
                log->failed_steps == WARNINGS_SHOWN ? last : "");
  if (r->rerouted && ++log->rerouted_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: the fast route could not intersect %lld %s looked at the slow "
                "way, the first between bodies %llu and %llu%s",
                (long long)r->step, (long long)r->rerouted,
                plural(r->rerouted, "pair of parts, which was", "pairs of parts, which were"),
                (unsigned long long)r->first_rerouted.low,
                (unsigned long long)r->first_rerouted.high,
                log->rerouted_steps == WARNINGS_SHOWN ? last : "");
  if (r->impacts.groups > 0) {
    log->bounded_steps++;
    log->bounded_groups += r->impacts.groups;
    if (r->impacts.least_share < log->least_share) log->least_share = r->impacts.least_share;
  }
  if (r->large && ++log->large_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: %lld %s more than 0.2 rad in one step, the first is %llu; contacts may "
                "be missed, use a smaller time.step%s",
                (long long)r->step, (long long)r->large,
                plural(r->large, "body moves more than half its inradius or turns",
                       "bodies move more than half their inradius or turn"),
                (unsigned long long)r->first_large, log->large_steps == WARNINGS_SHOWN ? last : "");
  if (r->wheels_off && ++log->wheel_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: there is no body below the wheel of loads.%d, which pushes nothing%s",
                (long long)r->step, r->first_off, log->wheel_steps == WARNINGS_SHOWN ? last : "");
  if (r->false_turns && ++log->false_steps <= WARNINGS_SHOWN)
    log_warning("step %lld: %lld %s by more than %g rad in one step, the first is %llu; %s energy "
                "is false, use a smaller time.step%s",
                (long long)r->step, (long long)r->false_turns,
                plural(r->false_turns, "body turns", "bodies turn"), MOTION_FALSE_TURN,
                (unsigned long long)r->first_false, plural(r->false_turns, "its", "their"),
                log->false_steps == WARNINGS_SHOWN ? " (further ones are counted at the end)" : "");
}

// How the impulses of a step were found, in words of the log.
typedef enum {
  FOUND_BY_SWEEPS,   // or by the first guess
  FOUND_BY_FACTORS,
  FOUND_BY_MULTIGRID,
  FOUND_BY_INTERIOR,
  FOUND_AFTER_ALL   // by sweeps again, the linear system having come to nothing
} Found;

static Found found_by(const Convergence *solve)
{
  switch (solve->method) {
  case SOLVER_ADMM_CHOLESKY: return FOUND_BY_FACTORS;
  case SOLVER_ADMM_AMG: return FOUND_BY_MULTIGRID;
  case SOLVER_INTERIOR: return FOUND_BY_INTERIOR;
  default: return solve->choice.bodies > 0 ? FOUND_AFTER_ALL : FOUND_BY_SWEEPS;
  }
}

// which method the automatic choice went on to and why, the first time of each
static void say_method(RunLog *log)
{
  const StepRecord *r = &log->world->record;
  const SolverChoice *choice = &r->solve.choice;
  const unsigned bit = 1u << found_by(&r->solve);
  if (choice->bodies == 0 || log->methods_said & bit) return;
  log->methods_said |= bit;
  char reason[128] = "no impulses to begin with";
  if (choice->sweeps > 0)
    snprintf(reason, sizeof reason, "%d %s of nesterov left a residual of %.2g, asked for %.2g",
             choice->sweeps, plural(choice->sweeps, "sweep", "sweeps"), choice->residual,
             log->world->c->solver.solve.tolerance);
  log_line("step %lld: %s%s, %lld %s on %s; %s", (long long)r->step,
           convergence_method_name(r->solve.method),
           found_by(&r->solve) == FOUND_AFTER_ALL ? " once more after admm" : "",
           (long long)choice->bodies, plural(choice->bodies, "body", "bodies"),
           choice->faces ? "faces" : "points", reason);
}

static void format_duration(double seconds, char *text, size_t bytes)
{
  assert(seconds >= 0 && bytes > 0 && "clocks go on");
  const long long s = (long long)(seconds + 0.5);
  if (s < 60) snprintf(text, bytes, "%llds", s);
  else if (s < 3600) snprintf(text, bytes, "%lldm%02llds", s / 60, s % 60);
  else snprintf(text, bytes, "%lldh%02lldm", s / 3600, s / 60 % 60);
}

// one line that overwrites itself on a terminal, a plain line now and then in a batch log
static void say_progress(RunLog *log)
{
  if (par_rank() != 0) return;
  const double now = par_seconds();
  const StepRecord *r = &log->world->record;
  const bool end = r->step == log->last_step;
  if (!end && now - log->said < (log->terminal ? TERMINAL_SECONDS : LOG_SECONDS)) return;
  log->said = now;
  const int64_t done = r->step - log->first_step, left = log->last_step - r->step;
  char eta[32];
  format_duration((now - log->began) * (double)left / (double)(done > 0 ? done : 1), eta,
                  sizeof eta);
  char line[256];
  snprintf(
      line, sizeof line,
      "step %lld of %lld  t %.6g s  points %lld  sweeps %d  residual %.1e  energy %.3g J  ETA %s",
      (long long)r->step, (long long)log->last_step, r->time, (long long)r->points, r->solve.sweeps,
      r->solve.residual_max, r->kinetic, eta);
  if (log->terminal) log_progress(line);
  else log_line("%s", line);
}

void run_log_step(RunLog *log)
{
  assert(log->world->record.step > log->first_step && log->world->record.step <= log->last_step &&
         "a step of this run");
  const int bodies = log->world->bodies.table.count, points = log->world->contacts.table.count;
  if (bodies > log->most_bodies) log->most_bodies = bodies;
  if (points > log->most_points) log->most_points = points;
  say_removed(log);
  say_bonds(log);
  say_joints(log);
  say_stiff(log);
  say_sharing(log);
  say_method(log);
  say_halved(log);
  say_given(log);
  warn_of_step(log);
  warn_of_bends(log);
  say_progress(log);
}

// Collective. Bodies that came and went since the start of the case.
static void say_population(const RunLog *log)
{
  World *w = log->world;
  const int64_t here = par_sum(w->bodies.table.owned);
  const int64_t born = (int64_t)scene_born(log->world->c, w->step),
                first = (int64_t)scene_born(log->world->c, 0);
  const long long later = (long long)w->c->body_count - (long long)born;
  if (born > first)
    log_line("%lld %s appeared after the start, %lld %s yet to appear", (long long)(born - first),
             plural(born - first, "body", "bodies"), later, plural(later, "is", "are"));
  if (born > here)
    log_line("%lld %s left the domain (removed.csv), %lld %s there", (long long)(born - here),
             plural(born - here, "body", "bodies"), (long long)here, plural(here, "is", "are"));
}

// Of the rank that needed most: a step's points are what there is for each of them, so that what
// bodies without contacts take is reckoned as usual.
static void say_memory(const RunLog *log)
{
  const double own = (double)memory_peak_bytes(), most = par_max(own);
  const double bodies = par_max(own == most ? (double)log->most_bodies : 0),
               points = par_max(own == most ? (double)log->most_points : 0);
  const double of_points = most - BYTES_OF_BODY * bodies;
  if (points > 0 && of_points > 0)
    log_line("%.1f MB of own memory at most on a rank, which knew %.0f %s and %.0f contact %s: "
             "%.0f bytes a point beside %.0f a body",
             most * 1e-6, bodies, plural((long long)bodies, "body", "bodies"), points,
             plural((long long)points, "point", "points"), of_points / points, BYTES_OF_BODY);
  else
    log_line("%.1f MB of own memory at most on a rank, which knew %.0f %s: %.0f bytes a body",
             most * 1e-6, bodies, plural((long long)bodies, "body", "bodies"),
             most / fmax(bodies, 1));
}

static const char *steps_of(int64_t count) { return plural(count, "step", "steps"); }

// Affine bodies have no strain at their corners that gives: what joints of theirs that open and
// close carry is next to undetermined.
static bool has_stiff_joints(const Case *c)
{
  bool affine = false;
  for (int k = 0; k < c->group_count; k++) affine |= c->groups[k].affine;
  return affine && !c->surfaces.elastic;
}

static void say_unconverged(const RunLog *log)
{
  if (!log->unconverged) return;
  log_line("%lld %s did not reach the residual%s", (long long)log->unconverged,
           steps_of(log->unconverged), log->halved_steps ? " in halves either" : "");
  if (has_stiff_joints(log->world->c))
    log_line("a joint_stiffness of contacts between affine bodies lets such steps converge, 100 "
             "times young over their thickness is next to rigid; or a larger solver.give");
}

void run_log_end(const RunLog *log, const Forces *forces, const char *folder)
{
  assert(log->least_share >= 0 && log->least_share <= 1 && "a share is one of a whole");
  World *w = log->world;
  const StepRecord *r = &w->record;
  char text[33];
  hash_to_text(world_hash(w), text);
  if (log->halved_steps)
    log_line("%lld %s made again in two halves", (long long)log->halved_steps,
             plural(log->halved_steps, "step did not reach the residual as a whole and was",
                    "steps did not reach the residual as a whole and were"));
  if (log->given_steps)
    log_line("contact points gave in %lld %s, by %.3g m/s at most", (long long)log->given_steps,
             steps_of(log->given_steps), log->most_given);
  say_unconverged(log);
  if (log->doubtful_steps)
    log_line("%lld %s kept points of bonds that the solver's error may have brought to a limit",
             (long long)log->doubtful_steps, steps_of(log->doubtful_steps));
  if (log->failed_steps)
    log_line("%lld %s had pairs that overlap too deep for a patch", (long long)log->failed_steps,
             steps_of(log->failed_steps));
  if (log->rerouted_steps)
    log_line("%lld %s had pairs that the fast route could not intersect",
             (long long)log->rerouted_steps, steps_of(log->rerouted_steps));
  forces_say(forces);
  if (log->large_steps)
    log_line("%lld %s had bodies that moved or turned too far", (long long)log->large_steps,
             steps_of(log->large_steps));
  if (log->wheel_steps)
    log_line("%lld %s had a wheel without a body below it", (long long)log->wheel_steps,
             steps_of(log->wheel_steps));
  if (log->false_steps)
    log_line("%lld %s had bodies that turned by more than %g rad, whose energy is false",
             (long long)log->false_steps, steps_of(log->false_steps), MOTION_FALSE_TURN);
  if (log->displaced_steps)
    log_line("%lld %s had bodies of finite elements displaced farther than contact.margin",
             (long long)log->displaced_steps, steps_of(log->displaced_steps));
  if (log->turned_steps)
    log_line("%lld %s had cells of finite elements that turned more than %g rad",
             (long long)log->turned_steps, steps_of(log->turned_steps), FINITE_BEND_TURN);
  if (log->bounded_steps)
    log_line("%lld %s had impacts that would have made energy and were solved twice; in all, "
             "%lld %s rebound, the least %.3g",
             (long long)log->bounded_steps, steps_of(log->bounded_steps),
             (long long)log->bounded_groups,
             plural(log->bounded_groups, "group of bodies kept a share of its",
                    "groups of bodies kept a share of their"),
             log->least_share);
  say_population(log);
  const Balance *b = &w->balance;
  if (par_size() > 1) {
    log_line("imbalance of counted work in the last step %.3f", r->imbalance);
    log_line("shared out anew %lld times for balance, %lld times as asked: %lld %s moved in all; "
             "%lld %s found that would not have paid",
             (long long)b->by_balance, (long long)b->asked, (long long)b->moved_in_all,
             plural(b->moved_in_all, "body", "bodies"), (long long)b->in_vain,
             plural(b->in_vain, "partition", "partitions"));
  }
  say_memory(log);
  const RankCounts counted = rank_counts_since(&w->rank, &log->began_with);
  if (par_size() > 1) rank_counts_print(&counted);
  timers_print(&w->timers, par_max(par_seconds() - log->began));
  if (folder) log_line("results in %s", folder);
  log_line("step %lld hash %s", (long long)w->step, text);
}
