// Makes the lines of history.csv and removed.csv.
#include "history_lines.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "history.h"
#include "scene.h"

// A line under way: the names of its columns or their values, so that neither is without the other.
typedef struct {
  char *text;
  int used;
  bool heading;
} Row;

__attribute__((format(printf, 2, 3))) static void add(Row *row, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  if (row->used > 0) row->text[row->used++] = ',';
  const int room = HISTORY_LINES_BYTES - 1 - row->used;
  const int length = vsnprintf(row->text + row->used, (size_t)room, format, values);
  assert(length < room && "a line of the history fits");
  row->used += length;
  va_end(values);
}

static void whole(Row *row, const char *name, int64_t value)
{
  if (row->heading) add(row, "%s", name);
  else add(row, "%lld", (long long)value);
}

static void real(Row *row, const char *name, double value, int digits)
{
  if (row->heading) add(row, "%s", name);
  else add(row, "%.*g", digits, value);
}

static void word(Row *row, const char *name, const char *value)
{
  add(row, "%s", row->heading ? name : value);
}

static void add_contacts(Row *row, const StepRecord *r)
{
  whole(row, "step", r->step);
  real(row, "time", r->time, 17);
  whole(row, "pairs", r->pairs);
  whole(row, "points", r->points);
  whole(row, "sliding", r->sliding);
  whole(row, "sticking", r->sticking);
  whole(row, "open", r->open);
  whole(row, "sweeps", r->solve.sweeps);
  real(row, "residual_max", r->solve.residual_max, 6);
  real(row, "residual_rms", r->solve.residual_rms, 6);
}

static void add_motion(Row *row, const StepRecord *r)
{
  real(row, "penetration", r->penetration, 17);
  real(row, "kinetic_energy", r->kinetic, 17);
  real(row, "load_work", r->load_work, 17);
  real(row, "contact_work", r->contact_work, 17);
  real(row, "prescribed_work", r->prescribed_work, 17);
  real(row, "correction_work", r->correction_work, 17);
  whole(row, "correction_sweeps", r->correction_sweeps);
  real(row, "momentum_x", r->momentum.x, 17);
  real(row, "momentum_y", r->momentum.y, 17);
  real(row, "momentum_z", r->momentum.z, 17);
  real(row, "angular_momentum_x", r->angular_momentum.x, 17);
  real(row, "angular_momentum_y", r->angular_momentum.y, 17);
  real(row, "angular_momentum_z", r->angular_momentum.z, 17);
}

static void add_events(Row *row, const StepRecord *r)
{
  whole(row, "failed_pairs", r->failed);
  whole(row, "large_motions", r->large);
  whole(row, "bodies", r->bodies);
  real(row, "mass", r->mass, 17);
  whole(row, "born", r->born);
  whole(row, "removed", r->removed);
  whole(row, "sparsified", r->sparsified);
  whole(row, "rerouted", r->rerouted);
  whole(row, "bonds", r->bonds);
  whole(row, "bonds_made", r->bonds_made);
  whole(row, "broken_tension", r->broken_tension);
  whole(row, "broken_shear", r->broken_shear);
  real(row, "elastic_energy", r->elastic, 17);
  real(row, "damping_work", r->damping_work, 17);
  real(row, "scheme_work", r->scheme_work, 17);
  whole(row, "displaced_bodies", r->displaced);
  whole(row, "turned_cells", r->turned);
}

static void add_joints(Row *row, const StepRecord *r)
{
  real(row, "joint_work", r->joint_work, 17);
  real(row, "joint_energy", r->joint_energy, 17);
  real(row, "joint_damping", r->joint_damping, 17);
  real(row, "joint_yielding", r->joint_yielding, 17);
  real(row, "joint_separation", r->joint_separation, 17);
  whole(row, "joints_yielding", r->yielded);
  whole(row, "joints_broken", r->broken_joints);
}

static void add_volumes(Row *row, const StepRecord *r)
{
  whole(row, "volumes", r->volumes);
  whole(row, "volumes_sliding", r->volumes_sliding);
  whole(row, "stiff_bodies", r->stiff);
  real(row, "volume_energy", r->volume_energy, 17);
  real(row, "volume_damping", r->volume_damping, 17);
  real(row, "volume_rolling", r->volume_rolling, 17);
  real(row, "volume_friction", r->volume_friction, 17);
}

static void add_barriers(Row *row, const StepRecord *r)
{
  whole(row, "line_searches", r->line_searches);
  real(row, "least_gap", r->least_gap, 17);
  real(row, "barrier_energy", r->barrier_energy, 17);
  real(row, "creep", r->creep, 17);
}

static void add_method(Row *row, const StepRecord *r)
{
  word(row, "method", convergence_method_name(r->solve.method));
  whole(row, "inner", r->solve.inner);
  whole(row, "factorisations", r->solve.factorisations);
  whole(row, "worst_low", (int64_t)r->solve.worst.low);
  whole(row, "worst_high", (int64_t)r->solve.worst.high);
  whole(row, "unsolved", !r->solve.converged);
  whole(row, "halved", r->halved);
  real(row, "given", r->solve.given, 17);
  real(row, "unbalanced", r->unbalanced, 17);
  real(row, "undone", r->undone, 17);
  real(row, "next_penetration", r->next_penetration, 17);
  real(row, "local_damping_work", r->local_damping, 17);
  real(row, "mass_damping_work", r->mass_damping, 17);
}

static void add_distribution(Row *row, const StepRecord *r)
{
  whole(row, "moved_bodies", r->moved_bodies);
  real(row, "imbalance", r->imbalance, 4);
  whole(row, "work", r->work);
  whole(row, "colours", r->colours);
  whole(row, "ghosts", r->ghosts);
}

static void make_line(Row row, const StepRecord *record)
{
  add_contacts(&row, record);
  add_motion(&row, record);
  add_events(&row, record);
  add_joints(&row, record);
  add_volumes(&row, record);
  add_barriers(&row, record);
  add_method(&row, record);
  add_distribution(&row, record);
}

void history_lines_heading(char *line)
{
  const StepRecord none = {0};
  make_line((Row){.text = line, .heading = true}, &none);
}

void history_lines_of_step(const StepRecord *record, char *line)
{
  assert(record->step >= 0 && "steps are counted from zero");
  make_line((Row){.text = line}, record);
}

const char *history_lines_group(const World *world, uint64_t id)
{
  assert(id < world->c->body_count && "the case has the body");
  const char *name = scene_group(world->c, id)->name;
  return name ? name : "";
}

void history_lines_of_removed(const World *world, int i, char *line)
{
  assert(i >= 0 && i < world->removed.table.owned && "a body that has left");
  const Bodies *b = &world->removed;
  const StepRecord *r = &world->record;
  const vec3 x = b->position[i], v = b->velocity[i];
  char name[512];
  history_field(history_lines_group(world, b->id[i]), name, sizeof name);
  snprintf(line, HISTORY_LINES_BYTES,
           "%lld,%.17g,%llu,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", (long long)r->step,
           r->time, (unsigned long long)b->id[i], name, b->mass[i], x.x, x.y, x.z, v.x, v.y, v.z);
}
