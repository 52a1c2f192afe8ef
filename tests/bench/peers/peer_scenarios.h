#pragma once
// The scenarios of drystone bench and our kernels, for programs in C++ that time others beside
// them.
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Local. Seconds of processor time of this thread: the clock of drystone bench.
double peer_clock(void);

typedef struct {
  double median, low, high;
} PeerSpread;

// Local. Sorts the values.
PeerSpread peer_spread(double *values, int count);

// Local. Value of an option "--boxes N" among the words, or the fallback; ends the program with
// code 2 when it is no number from 1 to 1e8.
int peer_option(int count, char **words, const char *option, int fallback);

// -- boxes ----------------------------------------------------------------------------------------

int peer_box_scenario_count(void);
const char *peer_box_scenario_name(int scenario);

// Local. The boxes of a scenario as [count][6]: low x, y, z, high x, y, z; peer_free.
double *peer_boxes(int scenario, int count);

// Local. Our overlapping pairs [*pair_count][2], sorted, the lower number first; peer_free. Seconds
// in *seconds.
int32_t *peer_box_pairs(const double *boxes, int count, int64_t *pair_count, double *seconds);

void peer_free(void *memory);

// -- solids ---------------------------------------------------------------------------------------

typedef struct {
  int plane_count;
  const double *planes;   // [plane_count][4]: unit outward normal, offset from the middle, m
  double half[3];         // of the box that both boxes have in common, m; negative: they have none
} PeerPair;               // all planes of two solids, seen from the middle of that box

typedef struct PeerBatch PeerBatch;

int peer_pair_scenario_count(void);
const char *peer_pair_scenario_name(int scenario);

// Local. A scenario of that many pairs; pairs first <= i < first + count of it, valid until the
// next call.
PeerBatch *peer_batch_new(int scenario, int pair_count);
void peer_batch_destroy(PeerBatch *batch);
const PeerPair *peer_batch_place(PeerBatch *batch, int first, int count);

// Local. Our volumes of the intersections of the pairs in place, m3. Returns seconds.
double peer_batch_volumes(PeerBatch *batch, double *volumes);

// -- surfaces -------------------------------------------------------------------------------------

typedef struct {
  int triangle_count[2];
  const double *corners[2];   // [triangle_count][9] of both surfaces, body frame, m
  int pose_count;
  const double *poses;   // [pose_count][21]: rows of both rotations, centre of the second, m
} PeerSurfaces;

int peer_surface_scenario_count(void);
const char *peer_surface_scenario_name(int scenario);

// Local. The surfaces of a scenario in so many poses; peer_surfaces_destroy.
PeerSurfaces *peer_surfaces_new(int scenario, int pose_count);
void peer_surfaces_destroy(PeerSurfaces *surfaces);

// Local. Our search in all poses, as the model lmd does it; the least gap of each in gaps, INFINITY
// for none below the limit of the scenario, m. Returns seconds.
double peer_surfaces_search(PeerSurfaces *surfaces, double *gaps);

#ifdef __cplusplus
}
#endif
