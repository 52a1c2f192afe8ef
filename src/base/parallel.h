#pragma once
// The message passing the program needs, by purpose. One rank is no special case.
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "fail.h"
#include "hash.h"

// Collective. Starts message passing between all processes, or goes on with the message passing
// library that the caller has started. From here on a rank that cannot go on ends the job, and so
// does a failed assert, with code 70.
void par_begin(int *argc, char ***argv);
// Collective. The same in a program of somebody else, whose signals and ends stay its own. False
// where the message passing library has ended before, and cannot start again.
bool par_begin_as_guest(void);
// Collective. Ends it, where par_begin started it.
void par_end(void);
// Local. Has it begun and not ended?
bool par_has_begun(void);
// Local. Ends the job with a code, after a message of this rank; for fail_end_job_by.
void par_end_job(int code, const char *message);

// Ranks that messages go between. Every collective call is one of the group in use.
typedef struct ParGroup ParGroup;

// Collective over a communicator (it points to an MPI_Comm; NULL: of all processes). A group of its
// ranks, whose messages meet no others.
ParGroup *par_group_new(const void *communicator);
// Collective over the group, which is not in use.
void par_group_destroy(ParGroup *group);

// Local. From here on ranks and messages are those of the group; NULL: of all processes. Returns
// the one in use before.
ParGroup *par_group_use(ParGroup *group);
// Local. The same where what was going on has been given up, on this rank alone or not.
void par_group_return(ParGroup *group);

// Local. From here on this rank is a group of its own: collective calls are its alone. It ends with
// par_alone_end; messages to the user go on as before.
void par_alone_begin(void);
void par_alone_end(void);

// Local. This rank in the group in use, and how many it has.
int par_rank(void);
int par_size(void);

// Local. Whether a launcher (mpirun, srun) started this process.
bool par_is_launched(void);

// Collective. The same on every rank. A NaN counts as +infinity in maxima.
double par_max(double value);
double par_min(double value);
int64_t par_sum(int64_t value);
int64_t par_exclusive_sum(int64_t value);   // sum over lower ranks, 0 on rank 0 (differs by rank)
bool par_any(bool value);
bool par_all(bool value);
void par_max_many(double *values, int count);
// Local. Raises a maximum of this rank's values; a NaN counts as +infinity, wherever it comes.
static inline void par_raise(double *largest, double value)
{
  if (value != value) *largest = INFINITY;
  else if (value > *largest) *largest = value;
}
void par_sum_many(int64_t *values, int count);

// Values of one kind, each by itself over all ranks: sums of int64_t; maxima of double, as in
// par_max; the first of ParFirst: of those with the largest size the one with the lowest keys.
typedef enum { REDUCE_SUM, REDUCE_MAX, REDUCE_FIRST } ReduceKind;
typedef struct {
  double size;          // not NaN
  uint64_t low, high;   // a key, compared in this order
} ParFirst;
typedef struct {
  ReduceKind kind;
  void *values;   // in place
  int count;
} Reduction;

// Local. The order of these.
static inline bool par_comes_first(ParFirst a, ParFirst b)
{
  if (a.size != b.size) return a.size > b.size;
  return a.low != b.low ? a.low < b.low : a.high < b.high;
}

// Collective. All of these in one call; kinds and counts are the same on all ranks. For the tests.
void par_reduce(const Reduction *reductions, int count);
Hash128 par_sum_hash(Hash128 value);
void par_barrier(void);

// Collective. Bytes of the root to everybody.
void par_broadcast(void *bytes, size_t count, int root);

// Collective. Rank 0 gets everybody's bytes in rank order (arena); others get NULL. counts[size]
// in bytes on rank 0.
void *par_gather(const void *bytes, size_t count, size_t *counts, Arena *arena);
// Collective. As many bytes of every rank to every rank: all[size * bytes].
void par_all_gather(const void *bytes, size_t count, void *all);

// Collective. Bytes of every rank to every rank, one after another; counts[size] bytes, the same
// everywhere.
void par_all_gather_uneven(const void *bytes, const int *counts, void *all, Arena *arena);

typedef struct {
  int rank;
  size_t bytes;
  void *data;
} Message;
typedef struct {
  int count;
  Message *messages;
} Messages;

// Local. Adds a row to messages made in order of rank of rows that lie one behind the other: it
// lengthens the last message, or begins one where the rank is another; there is room for that.
static inline void par_append(Messages *sends, int rank, void *row, size_t bytes)
{
  if (sends->count == 0 || sends->messages[sends->count - 1].rank != rank)
    sends->messages[sends->count++] = (Message){rank, 0, row};
  sends->messages[sends->count - 1].bytes += bytes;
}

// Collective. Sparse exchange: delivers each message to its rank (at most one to each); the
// receivers need not know of it (non-blocking consensus: Hoefler, Siebert and Lumsdaine 2010).
// Messages to oneself are fine. Sorted by source.
Messages par_exchange(const Message *sends, int count, Arena *arena);

// Collective. True on all ranks when local is true on all. Otherwise everybody gets false, and the
// message of the lowest rank that says no goes to the sink of messages (log.h) as an error.
bool all_ok(bool local, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What this rank's traffic serves: counted apart, so that cost per sweep of the solver and per
// iteration of its conjugate gradients can be told.
typedef enum { TRAFFIC_OTHER, TRAFFIC_SWEEPS, TRAFFIC_INNER, TRAFFIC_KINDS } TrafficKind;
typedef struct {
  int64_t rounds;                          // sweeps or iterations that it served
  int64_t messages, bytes;                 // sent from rank to rank
  int64_t collectives, collective_bytes;   // calls; what this rank gave to them
} Traffic;

// Local. Traffic of this rank so far.
Traffic par_traffic(TrafficKind kind);
// Local. Traffic counts there from here on; returns where it counted before.
TrafficKind par_traffic_serves(TrafficKind kind);
// Local. More sweeps or iterations of the kind that traffic serves now.
void par_traffic_rounds(int64_t rounds);
// Local. For modules that send and wait by themselves.
void par_count_sent(int64_t messages, int64_t bytes);
void par_count_wait(double seconds);

// Local. Seconds of this rank in messages and collective calls so far, most of them spent waiting
// for others. The clock's only number among these: it never decides anything.
double par_wait_seconds(void);

// Local. Seconds on a monotonic clock, and since par_begin was called. They decide when a run stops
// or writes a checkpoint, never what comes out of it.
double par_seconds(void);
double par_age(void);
