// Siconos' NSGS on one contact problem: siconos_nsgs PROBLEM ANSWERS MAX_SWEEPS TARGET...
//
// PROBLEM and ANSWERS are as in contact_peer.c, which starts this program. It is a process of its
// own since the library brings functions with the names of MPI's. Siconos' settings are its
// defaults; harder targets go on from the impulses of the easier ones, so that sweeps and seconds
// add up to those of one run.
// test: needs libsiconos-numerics-dev
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_compute_error.h>

static double clock_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *read_numbers(FILE *file, size_t bytes)
{
  void *numbers = malloc(bytes + 1);
  if (numbers && fread(numbers, 1, bytes, file) == bytes) return numbers;
  fputs("siconos_nsgs: the problem ends too soon\n", stderr);
  exit(1);
}

static NumericsMatrix *block_matrix(int size, const int32_t *start, const int32_t *column,
                                    const double *value)
{
  NumericsMatrix *entries = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(entries, start[size]);
  for (int i = 0; i < size; i++)
    for (int k = start[i]; k < start[i + 1]; k++) NM_entry(entries, i, column[k], value[k]);
  SparseBlockStructuredMatrix *blocks = SBM_new();
  if (SBM_from_csparse(3, NM_csc(entries), blocks) != 0) exit(1);
  return NM_create_from_data(NM_SPARSE_BLOCK, size, size, blocks);
}

typedef struct {
  double absolute;   // 2-norm of the natural map with rho = 1
  double own;        // what Siconos compares with its tolerance
} Errors;

static Errors errors_of(FrictionContactProblem *problem, double *r, SolverOptions *options)
{
  const int contacts = problem->numberOfContacts;
  double *u = calloc(3 * (size_t)contacts + 1, sizeof *u), squares = 0, work[3], norm = 0;
  Errors errors = {0};
  for (int i = 0; i < 3 * contacts; i++) norm += problem->q[i] * problem->q[i];
  fc3d_compute_error(problem, r, u, 1e300, options, sqrt(norm), &errors.own);
  for (int i = 0; i < contacts; i++)
    fc3d_unitary_compute_and_add_error(r + 3 * i, u + 3 * i, problem->mu[i], &squares, work);
  errors.absolute = sqrt(squares);
  free(u);
  return errors;
}

int main(int count, char **words)
{
  if (count < 5) return 2;
  FILE *in = fopen(words[1], "rb"), *out = fopen(words[2], "wb");
  if (!in || !out) return 1;
  const int32_t *head = read_numbers(in, 3 * sizeof *head);
  const int contacts = head[0], entries = head[1], given = head[2], size = 3 * contacts;
  const size_t vector = (size_t)size * sizeof(double);
  const int32_t *start = read_numbers(in, ((size_t)size + 1) * sizeof *start);
  const int32_t *column = read_numbers(in, (size_t)entries * sizeof *column);
  const double *value = read_numbers(in, (size_t)entries * sizeof *value);
  double *q = read_numbers(in, vector), *mu = read_numbers(in, vector / 3);

  numerics_set_verbose(0);
  FrictionContactProblem *problem = frictionContactProblem_new_with_data(
      3, contacts, block_matrix(size, start, column, value), q, mu);
  SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  double *r = calloc((size_t)size + 1, sizeof *r), *u = calloc((size_t)size + 1, sizeof *u);

  // what it thinks of the impulses of others
  for (int i = 0; i < given; i++) {
    double *theirs = read_numbers(in, vector);
    const Errors errors = errors_of(problem, theirs, options);
    fwrite(&errors, sizeof errors, 1, out);
    free(theirs);
  }

  double seconds = 0;
  int32_t sweeps = 0;
  const int most = atoi(words[3]);
  for (int t = 4; t < count; t++) {
    int32_t reached = 0;
    if (sweeps < most) {
      options->iparam[SICONOS_IPARAM_MAX_ITER] = most - sweeps;
      options->dparam[SICONOS_DPARAM_TOL] = strtod(words[t], NULL);
      const double begin = clock_now();
      reached = fc3d_driver(problem, r, u, options) == 0;
      seconds += clock_now() - begin;
      sweeps += options->iparam[SICONOS_IPARAM_ITER_DONE];
    }
    const Errors errors = errors_of(problem, r, options);
    fwrite(&reached, sizeof reached, 1, out);
    fwrite(&sweeps, sizeof sweeps, 1, out);
    fwrite(&seconds, sizeof seconds, 1, out);
    fwrite(&errors, sizeof errors, 1, out);
    fwrite(r, 1, vector, out);
  }
  return fclose(out) == 0 ? 0 : 1;
}
