// Writes the contact problem of one step as an FCLIB file.
#include "run_dump.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dump_matrices.h"
#include "fclib.h"
#include "kind.h"
#include "memory.h"
#include "parallel.h"
#include "plural.h"

#define MOST_NUMBERS 100000000   // of M and H: a file of 1.2 GB, and on rank 0 about 7 GB of memory

int run_dump_problem(const World *world, const Problem *problem, Velocities free,
                     const Results *results)
{
  assert(problem->own_rows <= problem->row_count && world->step >= 0 && "own rows come first");
  assert((free.twist != NULL || problem->row_count == 0) && "bodies have free velocities");

  // the format knows cones alone
  int64_t bonds = 0;
  for (int i = 0; i < problem->point_count && problem->limits; i++) {
    const PointLimits *limits = &problem->limits[i];
    bonds += problem->owned[i] && (law_bounds(limits) || law_gives(limits));
  }
  bonds = par_sum(bonds);
  if (!all_ok(bonds == 0,
              "--dump-problem: step %" PRId64 " has %" PRId64
              " %s of bonds, joints or springs, which the format does not know",
              world->step + 1, bonds, plural(bonds, "point", "points")))
    return EXIT_USER;
  if (!all_ok(!world->c->barrier.given,
              "--dump-problem: the scheme of barriers has no contact problem; leave out one of the "
              "two"))
    return EXIT_USER;
  int64_t guided = 0;
  for (int b = 0; b < problem->own_rows; b++)
    guided += kind_held(problem->bodies, b) != 0 && !kind_founded(problem->bodies, b);
  guided = par_sum(guided);
  if (!all_ok(guided == 0,
              "--dump-problem: %" PRId64
              " %s a motion by component, for which the format has no mass",
              guided, plural(guided, "body has", "bodies have")))
    return EXIT_USER;
  const DumpSize size = dump_rows_size(problem);
  if (!all_ok(size.numbers <= MOST_NUMBERS,
              "--dump-problem: step %" PRId64 " has %" PRId64
              " unknowns, whose matrices have %" PRId64 " numbers; at most %d are written",
              world->step + 1, size.unknowns, size.numbers, MOST_NUMBERS))
    return EXIT_USER;
  if (!results_in_place(results)) return EXIT_IO;

  Arena arena = arena_new();
  const DumpRows rows = dump_rows_gather(problem, free, &arena);
  DiskStatus status = {0};
  if (par_rank() == 0) {
    const MatrixProblem matrices = dump_matrices_new(&rows, problem->bodies->elastic, &arena);
    FclibTexts texts = {0};
    char *name = disk_numbered(RESULTS_PROBLEM, world->step + 1);
    snprintf(texts.title, sizeof texts.title, "%s", world->c->title ? world->c->title : "");
    snprintf(texts.description, sizeof texts.description, "step %" PRId64 ", %.9g s",
             world->step + 1, world->c->step);
    snprintf(texts.remarks, sizeof texts.remarks, "drystone %s", DRYSTONE_VERSION);
    fclib_write(results->path, name, &matrices, &texts, &status);
    memory_free(name);
  }
  arena_destroy(&arena);
  return all_ok(!status.failed, "%s", status.reason) ? EXIT_DONE : EXIT_IO;
}
