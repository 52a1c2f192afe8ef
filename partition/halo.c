#include "halo.h"

#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"

#define COVER_BOXES 32   // boxes that describe where a rank's attracting rows are
#define TAG_REFRESH 200

static const HaloBox EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static bool boxes_meet(HaloBox p, HaloBox q)
{
  return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y &&
         p.low.z <= q.high.z && q.low.z <= p.high.z;
}

static HaloBox box_union(HaloBox p, HaloBox q)
{
  return (HaloBox){vec3_min(p.low, q.low), vec3_max(p.high, q.high)};
}

static HaloBox union_of(const HaloBox *boxes, const int *rows, int count)
{
  HaloBox all = EMPTY;
  for (int i = 0; i < count; i++) all = box_union(all, boxes[rows[i]]);
  return all;
}

static double center_along(HaloBox box, int axis)
{
  if (axis == 0) return box.low.x + box.high.x;
  return axis == 1 ? box.low.y + box.high.y : box.low.z + box.high.z;
}

// Splits the rows in halves along the longest axis until there are COVER_BOXES groups; every group
// gives one box.
static int cover_rows(const HaloBox *boxes, int *rows, int count, int groups, HaloBox *cover)
{
  if (count == 0) return 0;
  const HaloBox all = union_of(boxes, rows, count);
  if (groups == 1 || count == 1) {
    cover[0] = all;
    return 1;
  }
  const vec3 side = vec3_sub(all.high, all.low);
  int axis = 0;
  if (side.y > side.x) axis = 1;
  if (side.z > (axis ? side.y : side.x)) axis = 2;
  const double middle = center_along(all, axis);   // twice the coordinate, as for the rows
  int low = 0;
  for (int i = 0; i < count; i++) {
    if (center_along(boxes[rows[i]], axis) > middle) continue;
    const int swap = rows[i];
    rows[i] = rows[low];
    rows[low++] = swap;
  }
  if (low == 0 || low == count) {
    cover[0] = all;
    return 1;
  }
  const int first = cover_rows(boxes, rows, low, groups / 2, cover);
  return first + cover_rows(boxes, rows + low, count - low, groups - groups / 2, cover + first);
}

typedef struct {
  HaloBox attracting, all;
} CoarseBoxes;

// tells every rank whose rows may be near where this rank's attracting rows are; returns what
// others told us
static Messages exchange_covers(const HaloBox *boxes, const unsigned char *attracts, int owned,
                                Arena *arena)
{
  int *rows = arena_allocate(arena, (size_t)owned * sizeof *rows);
  int count = 0;
  CoarseBoxes mine = {EMPTY, EMPTY};
  for (int i = 0; i < owned; i++) {
    mine.all = box_union(mine.all, boxes[i]);
    if (attracts[i]) rows[count++] = i;
  }
  HaloBox *cover = arena_allocate(arena, COVER_BOXES * sizeof *cover);
  const int cover_count = cover_rows(boxes, rows, count, COVER_BOXES, cover);
  for (int i = 0; i < cover_count; i++) mine.attracting = box_union(mine.attracting, cover[i]);

  const int size = par_size();
  CoarseBoxes *coarse = arena_allocate(arena, (size_t)size * sizeof *coarse);
  par_all_gather(&mine, sizeof mine, coarse);
  Message *sends = arena_allocate(arena, (size_t)size * sizeof *sends);
  int send_count = 0;
  for (int r = 0; r < size; r++)
    if (r != par_rank() && boxes_meet(coarse[r].all, mine.attracting))
      sends[send_count++] = (Message){r, (size_t)cover_count * sizeof *cover, cover};
  return par_exchange(sends, send_count, arena);
}

// the own rows that each rank with a cover must see
static void find_mirrors(HaloPlan *plan, Messages covers, const HaloBox *boxes, int owned,
                         Arena *arena)
{
  plan->ranks = arena_allocate(arena, (size_t)(covers.count + 1) * sizeof *plan->ranks);
  plan->send_start = arena_allocate_zero(arena, (size_t)covers.count + 1, sizeof *plan->send_start);
  int room = owned + 1, total = 0;
  int *rows = arena_allocate(arena, (size_t)room * sizeof *rows);
  for (int m = 0; m < covers.count; m++) {
    const HaloBox *cover = covers.messages[m].data;
    const int cover_count = (int)(covers.messages[m].bytes / sizeof *cover);
    HaloBox hull = EMPTY;
    for (int c = 0; c < cover_count; c++) hull = box_union(hull, cover[c]);
    for (int i = 0; i < owned; i++) {
      if (!boxes_meet(boxes[i], hull)) continue;
      int c = 0;
      while (c < cover_count && !boxes_meet(boxes[i], cover[c])) c++;
      if (c == cover_count) continue;
      if (total == room) {
        int *grown = arena_allocate(arena, 2 * (size_t)room * sizeof *rows);
        memcpy(grown, rows, (size_t)room * sizeof *rows);
        rows = grown;
        room *= 2;
      }
      rows[total++] = i;
    }
    plan->ranks[m] = covers.messages[m].rank;
    plan->send_start[m + 1] = total;
  }
  plan->send_rows = rows;
}

typedef struct {
  uint64_t id;
  int rank, message, row;
} Arrival;

static int compare_arrivals(const void *a, const void *b)
{
  const Arrival *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
}

// sends the mirrors' rows; what arrives becomes the ghosts, sorted by id
static Messages exchange_rows(const Table *table, const HaloPlan *mirrors, int ranks,
                              unsigned flags, Arena *arena)
{
  const size_t bytes = table_packed_bytes(table, flags);
  Message *sends = arena_allocate(arena, ((size_t)ranks + 1) * sizeof *sends);
  int send_count = 0;
  for (int m = 0; m < ranks; m++) {
    const int first = mirrors->send_start[m], count = mirrors->send_start[m + 1] - first;
    if (count == 0) continue;
    char *rows = arena_allocate(arena, (size_t)count * bytes);
    for (int i = 0; i < count; i++)
      table_pack_row(table, mirrors->send_rows[first + i], flags, rows + (size_t)i * bytes);
    sends[send_count++] = (Message){mirrors->ranks[m], (size_t)count * bytes, rows};
  }
  return par_exchange(sends, send_count, arena);
}

// merges the ranks that see our rows with those whose rows we see into one list of neighbours
static HaloPlan join_plan(const HaloPlan *mirrors, int mirror_ranks, const Arrival *arrivals,
                          int arrival_count, Messages incoming, int owned, Arena *arena)
{
  const size_t room = (size_t)mirror_ranks + (size_t)incoming.count + 1;
  HaloPlan plan = {.ranks = arena_allocate(arena, room * sizeof(int)),
                   .send_start = arena_allocate_zero(arena, room, sizeof(int)),
                   .receive_start = arena_allocate_zero(arena, room, sizeof(int)),
                   .send_rows = mirrors->send_rows,
                   .receive_rows =
                       arena_allocate(arena, ((size_t)arrival_count + 1) * sizeof(int))};
  int *ghost_of = arena_allocate(arena, ((size_t)arrival_count + 1) * sizeof *ghost_of);
  int *message_start =
      arena_allocate_zero(arena, (size_t)incoming.count + 1, sizeof *message_start);
  for (int i = 0; i < arrival_count; i++) message_start[arrivals[i].message + 1]++;
  for (int m = 0; m < incoming.count; m++) message_start[m + 1] += message_start[m];
  for (int i = 0; i < arrival_count; i++)
    ghost_of[message_start[arrivals[i].message] + arrivals[i].row] = owned + i;

  int m = 0, k = 0, received = 0;
  while (m < mirror_ranks || k < incoming.count) {
    const int send_rank = m < mirror_ranks ? mirrors->ranks[m] : INT32_MAX;
    const int receive_rank = k < incoming.count ? incoming.messages[k].rank : INT32_MAX;
    const int rank = send_rank < receive_rank ? send_rank : receive_rank;
    const int n = plan.neighbour_count;
    plan.send_start[n + 1] = plan.send_start[n];
    if (send_rank == rank) plan.send_start[n + 1] = mirrors->send_start[++m];
    if (receive_rank == rank) {
      for (int i = message_start[k]; i < message_start[k + 1]; i++)
        plan.receive_rows[received++] = ghost_of[i];
      k++;
    }
    plan.receive_start[n + 1] = received;
    if (plan.send_start[n + 1] == plan.send_start[n] &&
        plan.receive_start[n + 1] == plan.receive_start[n])
      continue;
    plan.ranks[n] = rank;
    plan.neighbour_count++;
  }
  return plan;
}

Halo halo_rebuild(Table *table, uint64_t *const *id_column, const HaloBox *boxes,
                  const unsigned char *attracts, unsigned flags, Arena *arena)
{
  table->count = table->owned;
  if (par_size() == 1) {
    int *zero = arena_allocate_zero(arena, 1, sizeof *zero);
    return (Halo){.plan = {0, zero, zero, zero, zero, zero}};
  }

  // who must see which of our rows
  HaloPlan mirrors = {0};
  const Messages covers = exchange_covers(boxes, attracts, table->owned, arena);
  find_mirrors(&mirrors, covers, boxes, table->owned, arena);

  // the rows themselves, sorted by id
  const Messages incoming = exchange_rows(table, &mirrors, covers.count, flags, arena);
  const size_t bytes = table_packed_bytes(table, flags);
  int ghosts = 0;
  for (int m = 0; m < incoming.count; m++) ghosts += (int)(incoming.messages[m].bytes / bytes);
  table_reserve(table, table->owned + ghosts);
  Arrival *arrivals = arena_allocate(arena, ((size_t)ghosts + 1) * sizeof *arrivals);
  int arrived = 0;
  for (int m = 0; m < incoming.count; m++)
    for (size_t at = 0; at < incoming.messages[m].bytes; at += bytes) {
      table_unpack_row(table, table->owned + arrived, flags,
                       (char *)incoming.messages[m].data + at);
      arrivals[arrived] = (Arrival){(*id_column)[table->owned + arrived], incoming.messages[m].rank,
                                    m, (int)(at / bytes)};
      arrived++;
    }
  if (ghosts > 1) qsort(arrivals, (size_t)ghosts, sizeof *arrivals, compare_arrivals);
  int *ghost_ranks = arena_allocate(arena, ((size_t)ghosts + 1) * sizeof *ghost_ranks);
  for (int i = 0; i < ghosts; i++) {
    const Arrival a = arrivals[i];
    table_unpack_row(table, table->owned + i, flags,
                     (char *)incoming.messages[a.message].data + (size_t)a.row * bytes);
    ghost_ranks[i] = a.rank;
  }
  table->count = table->owned + ghosts;
  return (Halo){
      .plan = join_plan(&mirrors, covers.count, arrivals, ghosts, incoming, table->owned, arena),
      .ghost_count = ghosts,
      .ghost_ranks = ghost_ranks};
}

void halo_refresh(const HaloPlan *plan, void *data, size_t row_bytes, Arena *arena)
{
  const int n = plan->neighbour_count;
  if (n == 0) return;
  const ArenaMark mark = arena_mark(arena);
  const int sent = plan->send_start[n], received = plan->receive_start[n];
  char *out = arena_allocate(arena, (size_t)sent * row_bytes);
  char *in = arena_allocate(arena, (size_t)received * row_bytes);
  MPI_Request *requests = arena_allocate(arena, 2 * (size_t)n * sizeof *requests);
  int pending = 0;
  for (int k = 0; k < n; k++) {
    const int first = plan->receive_start[k], count = plan->receive_start[k + 1] - first;
    if (count)
      MPI_Irecv(in + (size_t)first * row_bytes, (int)((size_t)count * row_bytes), MPI_BYTE,
                plan->ranks[k], TAG_REFRESH, MPI_COMM_WORLD, &requests[pending++]);
  }
  for (int i = 0; i < sent; i++)
    memcpy(out + (size_t)i * row_bytes, (char *)data + (size_t)plan->send_rows[i] * row_bytes,
           row_bytes);
  for (int k = 0; k < n; k++) {
    const int first = plan->send_start[k], count = plan->send_start[k + 1] - first;
    if (!count) continue;
    MPI_Isend(out + (size_t)first * row_bytes, (int)((size_t)count * row_bytes), MPI_BYTE,
              plan->ranks[k], TAG_REFRESH, MPI_COMM_WORLD, &requests[pending++]);
    par_count_sent(1, (int64_t)((size_t)count * row_bytes));
  }
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < received; i++)
    memcpy((char *)data + (size_t)plan->receive_rows[i] * row_bytes, in + (size_t)i * row_bytes,
           row_bytes);
  arena_release(arena, mark);
}

static int compare_requests(const void *a, const void *b)
{
  const HaloRequest *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  if (p->slot != q->slot) return (p->slot > q->slot) - (p->slot < q->slot);
  return (p->id > q->id) - (p->id < q->id);
}

typedef struct {
  uint64_t id;
  int64_t slot;
} Notice;

static int ghost_row(const uint64_t *ids, int owned, int rows, uint64_t id)
{
  int first = owned, end = rows;
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (ids[middle] < id) first = middle + 1;
    else end = middle;
  }
  assert(first < rows && ids[first] == id && "a mirror's ghost is missing on the other rank");
  return first;
}

// one slot's plan out of sorted requests (sent) and notices per source (received)
static HaloPlan plan_of_slot(const HaloRequest *requests, int count, Messages notices, int slot,
                             const uint64_t *ids, int owned, int rows, int sends, int receives,
                             Arena *arena)
{
  const size_t room = (size_t)par_size() < (size_t)(sends + receives)
                          ? (size_t)par_size() + 1
                          : (size_t)(sends + receives) + 1;
  HaloPlan plan = {.ranks = arena_allocate(arena, room * sizeof(int)),
                   .send_start = arena_allocate_zero(arena, room, sizeof(int)),
                   .send_rows = arena_allocate(arena, ((size_t)sends + 1) * sizeof(int)),
                   .receive_start = arena_allocate_zero(arena, room, sizeof(int)),
                   .receive_rows = arena_allocate(arena, ((size_t)receives + 1) * sizeof(int))};
  int i = 0, m = 0, sent = 0, received = 0;
  while (i < count || m < notices.count) {
    const int send_rank = i < count ? requests[i].rank : INT32_MAX;
    const int receive_rank = m < notices.count ? notices.messages[m].rank : INT32_MAX;
    const int rank = send_rank < receive_rank ? send_rank : receive_rank;
    const int sent_before = sent, received_before = received;
    for (; i < count && requests[i].rank == rank; i++)
      if (requests[i].slot == slot) plan.send_rows[sent++] = requests[i].row;
    if (receive_rank == rank) {
      const Notice *notice = notices.messages[m].data;
      const int notice_count = (int)(notices.messages[m].bytes / sizeof *notice);
      for (int k = 0; k < notice_count; k++)
        if (notice[k].slot == slot)
          plan.receive_rows[received++] = ghost_row(ids, owned, rows, notice[k].id);
      m++;
    }
    if (sent == sent_before && received == received_before) continue;
    plan.ranks[plan.neighbour_count++] = rank;
    plan.send_start[plan.neighbour_count] = sent;
    plan.receive_start[plan.neighbour_count] = received;
  }
  return plan;
}

void halo_plans_of_requests(HaloRequest *requests, int count, int slot_count, const uint64_t *ids,
                            int owned, int rows, HaloPlan *plans, Arena *arena)
{
  if (count > 1) qsort(requests, (size_t)count, sizeof *requests, compare_requests);
  Notice *notices = arena_allocate(arena, ((size_t)count + 1) * sizeof *notices);
  Message *sends = arena_allocate(arena, ((size_t)count + 1) * sizeof *sends);
  int send_count = 0;
  for (int i = 0; i < count; i++) {
    notices[i] = (Notice){requests[i].id, requests[i].slot};
    if (i == 0 || requests[i].rank != requests[i - 1].rank)
      sends[send_count++] = (Message){requests[i].rank, 0, &notices[i]};
    sends[send_count - 1].bytes += sizeof *notices;
  }
  const Messages incoming = par_exchange(sends, send_count, arena);

  int *slot_sends = arena_allocate_zero(arena, (size_t)slot_count + 1, sizeof(int));
  int *slot_receives = arena_allocate_zero(arena, (size_t)slot_count + 1, sizeof(int));
  for (int i = 0; i < count; i++) slot_sends[requests[i].slot]++;
  for (int m = 0; m < incoming.count; m++) {
    const Notice *notice = incoming.messages[m].data;
    for (size_t k = 0; k < incoming.messages[m].bytes / sizeof *notice; k++)
      slot_receives[notice[k].slot]++;
  }
  for (int slot = 0; slot < slot_count; slot++)
    plans[slot] = plan_of_slot(requests, count, incoming, slot, ids, owned, rows, slot_sends[slot],
                               slot_receives[slot], arena);
}
