// The message passing of the program: the only file of src that calls MPI.
#include "parallel.h"

#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "memory.h"
#include "parallel_mpi.h"

#define TAG_EXCHANGE \
  100   // alternates with TAG_EXCHANGE + 1, so that two exchanges in a row never mix
#define MESSAGE_TEXT 4096

struct ParGroup {
  MPI_Comm communicator;
  int rank, size;
  unsigned exchanges;   // calls of par_exchange, as many on every rank
};
static ParGroup everybody = {.size = 1};
static ParGroup *group = &everybody;
static ParGroup *together;   // the group to which a rank that is alone returns
static bool started, started_here, launched;
static Traffic traffic[TRAFFIC_KINDS];
static TrafficKind serves;
static double wait_seconds;
static double began_at;

// What travels in a reduction of several kinds: three values of one of them.
#define ITEM_VALUES 3
typedef struct {
  int64_t kind;
  union {
    int64_t sum[ITEM_VALUES];
    double largest[ITEM_VALUES];
    ParFirst first;
  };
} ReduceItem;
static MPI_Datatype item_type;
static MPI_Op item_operation;

static void combine_items(void *in, void *in_out, int *count, MPI_Datatype *type)
{
  (void)type;
  const ReduceItem *from = in;
  ReduceItem *to = in_out;
  for (int i = 0; i < *count; i++) {
    switch ((ReduceKind)to[i].kind) {
    case REDUCE_SUM:
      for (int k = 0; k < ITEM_VALUES; k++) to[i].sum[k] += from[i].sum[k];
      break;
    case REDUCE_MAX:
      for (int k = 0; k < ITEM_VALUES; k++)
        if (from[i].largest[k] > to[i].largest[k]) to[i].largest[k] = from[i].largest[k];
      break;
    case REDUCE_FIRST:
      if (par_comes_first(from[i].first, to[i].first)) to[i].first = from[i].first;
      break;
    }
  }
}

void par_end_job(int code, const char *message)
{
  assert(message != NULL && "an end has its words");
  log_end_progress();
  fflush(stdout);
  fprintf(stderr, "drystone: rank %d: %s\n", group->rank, message);
  fflush(stderr);
  if (started) MPI_Abort(MPI_COMM_WORLD, code);
  exit(code);
}

// A failed assert prints its phrase and aborts; the job then ends with our code on all ranks: a
// rank that leaves without MPI_Finalize takes the others with it.
static void on_abort(int signal_number)
{
  (void)signal_number;
  _exit(EXIT_BUG);
}

// What the launcher tells the ranks as they start they read from its messages, unless somebody
// wants it otherwise. By default PMIx keeps it in memory that they share with the launcher, under a
// lock that nobody gives back for a rank that is killed in that moment: the launcher would wait for
// ever.
static void avoid_launcher_locks(void) { setenv("PMIX_MCA_gds", "hash", 0); }

static void begin(int *argc, char ***argv)
{
  began_at = par_seconds();
  // the library sets these variables itself when it starts without a launcher
  launched = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("SLURM_PROCID");
  int initialised = 0;
  MPI_Initialized(&initialised);
  started_here = !initialised;
  if (started_here) {
    avoid_launcher_locks();
    MPI_Init(argc, argv);
  }
  everybody = (ParGroup){.communicator = MPI_COMM_WORLD};
  MPI_Comm_rank(everybody.communicator, &everybody.rank);
  MPI_Comm_size(everybody.communicator, &everybody.size);
  started = true;
  par_group_use(NULL);
  MPI_Type_contiguous((int)(sizeof(ReduceItem) / sizeof(int64_t)), MPI_INT64_T, &item_type);
  MPI_Type_commit(&item_type);
  MPI_Op_create(combine_items, 1, &item_operation);
}

void par_begin(int *argc, char ***argv)
{
  begin(argc, argv);
  fail_end_job_by(par_end_job);
  signal(SIGABRT, on_abort);
}

bool par_begin_as_guest(void)
{
  assert(!started && "message passing begins once");
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised) return false;
  begin(NULL, NULL);
  return true;
}

bool par_has_begun(void) { return started; }

void par_end(void)
{
  started = false;
  MPI_Op_free(&item_operation);
  MPI_Type_free(&item_type);
  if (started_here) MPI_Finalize();
}

ParGroup *par_group_new(const void *communicator)
{
  assert(started && "message passing has begun");
  ParGroup *made = memory_allocate_zero(1, sizeof *made);
  MPI_Comm_dup(communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD,
               &made->communicator);
  MPI_Comm_rank(made->communicator, &made->rank);
  MPI_Comm_size(made->communicator, &made->size);
  return made;
}

void par_group_destroy(ParGroup *old)
{
  assert(old != group && "a group in use stays");
  if (!old) return;
  MPI_Comm_free(&old->communicator);
  memory_free(old);
}

ParGroup *par_group_use(ParGroup *next)
{
  ParGroup *before = group;
  group = next ? next : &everybody;
  log_speak(group->rank == 0);
  return before;
}

void par_group_return(ParGroup *next)
{
  together = NULL;
  serves = TRAFFIC_OTHER;
  par_group_use(next);
}

void par_alone_begin(void)
{
  static ParGroup single;
  assert(!together && "a rank is alone once");
  single = (ParGroup){.communicator = MPI_COMM_SELF, .rank = 0, .size = 1};
  together = group;
  group = &single;
}

void par_alone_end(void)
{
  assert(together != NULL && "a rank was alone");
  group = together;
  together = NULL;
}

MPI_Comm par_communicator(void) { return group->communicator; }

bool par_is_launched(void) { return launched; }

int par_rank(void) { return group->rank; }
int par_size(void) { return group->size; }

// Counts a collective call to which this rank gives so many bytes; returns when it began.
static double begin_collective(size_t bytes)
{
  traffic[serves].collectives++;
  traffic[serves].collective_bytes += (int64_t)bytes;
  return par_seconds();
}

static void end_wait(double began) { par_count_wait(par_seconds() - began); }

double par_max(double value)
{
  par_max_many(&value, 1);
  return value;
}

double par_min(double value) { return -par_max(-value); }

void par_max_many(double *values, int count)
{
  assert(count >= 0 && (values != NULL || count == 0) && "values are given");
  // MPI leaves the maximum with a NaN open; here it counts as infinite, so that nobody misses it
  for (int i = 0; i < count; i++)
    if (values[i] != values[i]) values[i] = INFINITY;
  if (group->size == 1 || count == 0) return;
  const double began = begin_collective((size_t)count * sizeof *values);
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, group->communicator);
  end_wait(began);
}

void par_sum_many(int64_t *values, int count)
{
  assert(count >= 0 && (values != NULL || count == 0) && "values are given");
  if (group->size == 1 || count == 0) return;
  const double began = begin_collective((size_t)count * sizeof *values);
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, group->communicator);
  end_wait(began);
}

static int values_of_item(ReduceKind kind) { return kind == REDUCE_FIRST ? 1 : ITEM_VALUES; }

static size_t value_bytes(ReduceKind kind)
{
  return kind == REDUCE_FIRST ? sizeof(ParFirst) : sizeof(int64_t);
}

// The items of one reduction, packed; what the last item has beyond the values is zero, and nobody
// reads it.
static int pack_items(Reduction reduction, ReduceItem *items)
{
  assert(reduction.kind <= REDUCE_FIRST && reduction.count >= 0 &&
         "a kind of reduction that there is");
  const int at_once = values_of_item(reduction.kind);
  const size_t bytes = value_bytes(reduction.kind);
  int made = 0;
  for (int i = 0; i < reduction.count; i += at_once) {
    const int take = reduction.count - i < at_once ? reduction.count - i : at_once;
    items[made] = (ReduceItem){.kind = reduction.kind};
    memcpy(&items[made++].sum, (char *)reduction.values + (size_t)i * bytes, (size_t)take * bytes);
  }
  return made;
}

static int unpack_items(Reduction reduction, const ReduceItem *items)
{
  const int at_once = values_of_item(reduction.kind);
  const size_t bytes = value_bytes(reduction.kind);
  int read = 0;
  for (int i = 0; i < reduction.count; i += at_once) {
    const int take = reduction.count - i < at_once ? reduction.count - i : at_once;
    memcpy((char *)reduction.values + (size_t)i * bytes, &items[read++].sum, (size_t)take * bytes);
  }
  return read;
}

void par_reduce(const Reduction *reductions, int count)
{
  assert(count >= 0 && (reductions != NULL || count == 0) && "reductions are given");
  int most = 0;
  for (int r = 0; r < count; r++) {
    most += reductions[r].count;
    if (reductions[r].kind != REDUCE_MAX) continue;
    double *values = reductions[r].values;
    // (nor may a rank have -0 where another has 0)
    for (int i = 0; i < reductions[r].count; i++)
      values[i] = values[i] != values[i] ? INFINITY : values[i] + 0.0;
  }
  if (group->size == 1 || most == 0) return;
  ReduceItem *items = memory_allocate((size_t)most * sizeof *items);
  int made = 0;
  for (int r = 0; r < count; r++) made += pack_items(reductions[r], items + made);
  const double began = begin_collective((size_t)made * sizeof *items);
  MPI_Allreduce(MPI_IN_PLACE, items, made, item_type, item_operation, group->communicator);
  end_wait(began);
  int read = 0;
  for (int r = 0; r < count; r++) read += unpack_items(reductions[r], items + read);
  memory_free(items);
}

int64_t par_sum(int64_t value)
{
  par_sum_many(&value, 1);
  return value;
}

int64_t par_exclusive_sum(int64_t value)
{
  int64_t before = 0;
  if (group->size > 1) {
    const double began = begin_collective(sizeof value);
    MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, group->communicator);
    end_wait(began);
  }
  return group->rank == 0 ? 0 : before;
}

bool par_any(bool value) { return par_sum(value ? 1 : 0) > 0; }
bool par_all(bool value) { return par_sum(value ? 0 : 1) == 0; }

// 128-bit addition over ranks: 32-bit pieces summed apart, carried afterwards
Hash128 par_sum_hash(Hash128 value)
{
  int64_t piece[4] = {(int64_t)(uint32_t)value.low, (int64_t)(value.low >> 32),
                      (int64_t)(uint32_t)value.high, (int64_t)(value.high >> 32)};
  par_sum_many(piece, 4);
  uint64_t carry = 0, word[4];
  for (int i = 0; i < 4; i++) {
    const uint64_t sum = (uint64_t)piece[i] + carry;
    word[i] = sum & 0xffffffffU;
    carry = sum >> 32;
  }
  return (Hash128){word[0] | word[1] << 32, word[2] | word[3] << 32};
}

void par_barrier(void)
{
  if (group->size == 1) return;
  const double began = begin_collective(0);
  MPI_Barrier(group->communicator);
  end_wait(began);
}

// counts of MPI are ints; more bytes go in pieces
#define PIECE ((size_t)1 << 30)

void par_broadcast(void *bytes, size_t count, int root)
{
  assert(root >= 0 && root < group->size && "the root is a rank");
  assert((bytes != NULL || count == 0) && "bytes are given");
  if (group->size == 1) return;
  const double began = begin_collective(group->rank == root ? count : 0);
  for (size_t done = 0; done < count; done += PIECE) {
    const size_t take = count - done < PIECE ? count - done : PIECE;
    MPI_Bcast((char *)bytes + done, (int)take, MPI_BYTE, root, group->communicator);
  }
  end_wait(began);
}

void *par_gather(const void *bytes, size_t count, size_t *counts, Arena *arena)
{
  assert((counts != NULL || group->rank != 0) && "rank 0 counts the bytes");
  const Message to_root = {.rank = 0, .bytes = count, .data = (void *)(uintptr_t)bytes};
  const Messages sent = par_exchange(&to_root, 1, arena);
  if (group->rank != 0) return NULL;
  size_t total = 0;
  for (int i = 0; i < sent.count; i++) total += sent.messages[i].bytes;
  char *all = arena_allocate(arena, total), *p = all;
  for (int i = 0; i < sent.count; i++) {
    if (sent.messages[i].bytes) memcpy(p, sent.messages[i].data, sent.messages[i].bytes);
    p += sent.messages[i].bytes;
    counts[i] = sent.messages[i].bytes;
  }
  return all;
}

void par_all_gather(const void *bytes, size_t count, void *all)
{
  assert((all != NULL || count == 0) && "everybody's bytes have a place");
  if (group->size == 1) {
    memcpy(all, bytes, count);
    return;
  }
  const double began = begin_collective(count);
  MPI_Allgather(bytes, (int)count, MPI_BYTE, all, (int)count, MPI_BYTE, group->communicator);
  end_wait(began);
}

void par_all_gather_uneven(const void *bytes, const int *counts, void *all, Arena *arena)
{
  assert(counts != NULL && counts[group->rank] >= 0 && "bytes are counted");
  if (group->size == 1) {
    memcpy(all, bytes, (size_t)counts[0]);
    return;
  }
  const ArenaMark mark = arena_mark(arena);
  int *starts = arena_allocate(arena, (size_t)group->size * sizeof *starts);
  int64_t total = 0;
  for (int r = 0; r < group->size; r++) {
    starts[r] = (int)total;
    total += counts[r];
    if (total > INT32_MAX) die("%lld bytes and more to all ranks are too many", (long long)total);
  }
  const double began = begin_collective((size_t)counts[group->rank]);
  MPI_Allgatherv(bytes, counts[group->rank], MPI_BYTE, all, counts, starts, MPI_BYTE,
                 group->communicator);
  end_wait(began);
  arena_release(arena, mark);
}

static int compare_source(const void *a, const void *b)
{
  const Message *p = a, *q = b;
  return (p->rank > q->rank) - (p->rank < q->rank);
}

typedef struct {
  int count, capacity;
  Message *messages;
  Arena *arena;
} Inbox;

static Message *inbox_add(Inbox *inbox, int rank, size_t bytes)
{
  assert(rank >= 0 && rank < group->size && "a message comes from a rank");
  assert(inbox->count <= inbox->capacity && "messages are in their room");
  inbox->messages = arena_grow(inbox->arena, inbox->messages, inbox->count + 1, &inbox->capacity,
                               sizeof *inbox->messages);
  Message *message = &inbox->messages[inbox->count++];
  *message = (Message){rank, bytes, arena_allocate(inbox->arena, bytes)};
  return message;
}

// takes one message that has arrived, if there is one
static void inbox_poll(Inbox *inbox, int tag)
{
  int arrived = 0;
  MPI_Message handle;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, tag, group->communicator, &arrived, &handle, &status);
  if (!arrived) return;
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  Message *message = inbox_add(inbox, status.MPI_SOURCE, (size_t)bytes);
  MPI_Mrecv(message->data, bytes, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
}

Messages par_exchange(const Message *sends, int count, Arena *arena)
{
  assert(count >= 0 && count <= group->size && "a rank gets one message at most");
  const int tag = TAG_EXCHANGE + (int)(group->exchanges++ & 1);
  Inbox inbox = {.arena = arena};
  MPI_Request *requests = arena_allocate(arena, (size_t)count * sizeof *requests);
  int pending = 0;
  for (int i = 0; i < count; i++) {
    if (sends[i].rank == group->rank) {
      Message *own = inbox_add(&inbox, group->rank, sends[i].bytes);
      if (sends[i].bytes) memcpy(own->data, sends[i].data, sends[i].bytes);
      continue;
    }
    if (sends[i].bytes > INT32_MAX)
      die("message of %zu bytes to rank %d is too large", sends[i].bytes, sends[i].rank);
    // synchronous: completion means that the receiver has it
    MPI_Issend(sends[i].data, (int)sends[i].bytes, MPI_BYTE, sends[i].rank, tag,
               group->communicator, &requests[pending++]);
    par_count_sent(1, (int64_t)sends[i].bytes);
  }
  if (group->size > 1) {
    // once all own messages are taken, join the barrier; when it completes nobody has any under way
    const double began = begin_collective(0);
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int done = 0, joined = 0; !done;) {
      inbox_poll(&inbox, tag);
      if (joined) {
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
      } else {
        int sent = 0;
        MPI_Testall(pending, requests, &sent, MPI_STATUSES_IGNORE);
        if (sent) {
          MPI_Ibarrier(group->communicator, &barrier);
          joined = 1;
        }
      }
    }
    end_wait(began);
  }
  if (inbox.count)
    qsort(inbox.messages, (size_t)inbox.count, sizeof *inbox.messages, compare_source);
  return (Messages){inbox.count, inbox.messages};
}

bool all_ok(bool local, const char *format, ...)
{
  assert(format != NULL && "a refusal has its words");
  int worst = local ? group->size : group->rank;
  if (group->size > 1) {
    const double began = begin_collective(sizeof worst);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MIN, group->communicator);
    end_wait(began);
  }
  if (worst == group->size) return true;
  char text[MESSAGE_TEXT] = "";
  if (worst == group->rank) {
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
  }
  par_broadcast(text, sizeof text, worst);
  log_error(text);
  return false;
}

Traffic par_traffic(TrafficKind kind) { return traffic[kind]; }

TrafficKind par_traffic_serves(TrafficKind kind)
{
  assert(kind < TRAFFIC_KINDS && "a kind of traffic that there is");
  const TrafficKind before = serves;
  serves = kind;
  return before;
}

void par_traffic_rounds(int64_t rounds) { traffic[serves].rounds += rounds; }

void par_count_sent(int64_t messages, int64_t bytes)
{
  assert(messages >= 0 && bytes >= 0 && "messages and bytes are counted");
  traffic[serves].messages += messages;
  traffic[serves].bytes += bytes;
}

void par_count_wait(double seconds) { wait_seconds += seconds; }

double par_wait_seconds(void) { return wait_seconds; }

double par_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double par_age(void) { return par_seconds() - began_at; }
