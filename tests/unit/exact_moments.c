#include "exact_moments.h"

// Integrals about the apex, in fixed point: 6 times the volume, 24 times the first moments and 120
// times the second ones, xx xy xz yy yz zz.
typedef struct {
  mpz_t volume, first[3], second[6];
} FixedMoments;

// Adds the tetrahedron of the apex and the three corners, which are relative to it; its volume
// counts without sign.
static void add_tetrahedron(void *context, mpz_t corner[3][3])
{
  FixedMoments *sums = context;
  mpz_t *a = corner[0], *b = corner[1], *c = corner[2];
  mpz_t volume, term, sum[3];
  mpz_inits(volume, term, sum[0], sum[1], sum[2], NULL);
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    mpz_mul(term, b[i], c[j]);
    mpz_submul(term, b[j], c[i]);
    mpz_addmul(volume, a[k], term);
  }
  mpz_abs(volume, volume);
  mpz_add(sums->volume, sums->volume, volume);
  for (int i = 0; i < 3; i++) {
    mpz_add(sum[i], a[i], b[i]);
    mpz_add(sum[i], sum[i], c[i]);
    mpz_addmul(sums->first[i], volume, sum[i]);
  }
  int entry = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++, entry++) {
      mpz_mul(term, a[i], a[j]);
      mpz_addmul(term, b[i], b[j]);
      mpz_addmul(term, c[i], c[j]);
      mpz_addmul(term, sum[i], sum[j]);
      mpz_addmul(sums->second[entry], volume, term);
    }
  }
  mpz_clears(volume, term, sum[0], sum[1], sum[2], NULL);
}

// The quotients, with the second moments about the centroid by the parallel axis theorem.
static ExactMoments moments_of(const FixedMoments *sums, mpz_t *apex)
{
  ExactMoments m;
  mpq_t number, product;
  mpq_inits(number, product, NULL);
  mpz_ptr top = mpq_numref(number), bottom = mpq_denref(number);
  mpz_set(top, sums->volume);
  mpz_ui_pow_ui(bottom, 2, 3UL * EXACT_BITS);
  mpz_mul_ui(bottom, bottom, 6);
  mpq_canonicalize(number);
  m.volume = mpq_get_d(number);
  for (int k = 0; k < 3; k++) {
    mpz_mul_ui(bottom, sums->volume, 4);
    mpz_mul(top, apex[k], bottom);
    mpz_add(top, top, sums->first[k]);
    mpz_mul_2exp(bottom, bottom, EXACT_BITS);
    mpq_canonicalize(number);
    m.centroid[k] = mpq_get_d(number);
  }
  int entry = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++, entry++) {
      // S / 120 - (M_i / 24) (M_j / 24) / (V / 6)
      mpz_set(top, sums->second[entry]);
      mpz_ui_pow_ui(bottom, 2, 5UL * EXACT_BITS);
      mpz_mul_ui(bottom, bottom, 120);
      mpq_canonicalize(number);
      mpz_mul(mpq_numref(product), sums->first[i], sums->first[j]);
      mpz_mul_ui(mpq_denref(product), sums->volume, 96);
      mpz_mul_2exp(mpq_denref(product), mpq_denref(product), 5UL * EXACT_BITS);
      mpq_canonicalize(product);
      mpq_sub(number, number, product);
      m.second[entry] = mpq_get_d(number);
    }
  }
  mpq_clears(number, product, NULL);
  return m;
}

ExactMoments exact_moments_last(ExactSpace *space)
{
  FixedMoments sums;
  mpz_t apex[3];
  mpz_init(sums.volume);
  for (int k = 0; k < 3; k++) mpz_inits(apex[k], sums.first[k], NULL);
  for (int k = 0; k < 6; k++) mpz_init(sums.second[k]);
  exact_last_triangles(space, apex, add_tetrahedron, &sums);
  const ExactMoments m = moments_of(&sums, apex);
  mpz_clear(sums.volume);
  for (int k = 0; k < 3; k++) mpz_clears(apex[k], sums.first[k], NULL);
  for (int k = 0; k < 6; k++) mpz_clear(sums.second[k]);
  return m;
}
