// Sends copies of rows to ranks whose boxes they meet, and refreshes these ghosts by a plan.
#include "halo.h"

#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "parallel_mpi.h"
#include "search.h"

#define COVER_BOXES 32   // boxes that describe where a rank's attracting rows are
#define TAG_REFRESH 200

static const Box EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static bool boxes_meet(Box p, Box q)
{
  return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y &&
         p.low.z <= q.high.z && q.low.z <= p.high.z;
}

static Box box_union(Box p, Box q)
{
  return (Box){vec3_min(p.low, q.low), vec3_max(p.high, q.high)};
}

static Box union_of(const Box *boxes, const int *rows, int count)
{
  Box all = EMPTY;
  for (int i = 0; i < count; i++) all = box_union(all, boxes[rows[i]]);
  return all;
}

static double center_along(Box box, int axis)
{
  if (axis == 0) return box.low.x + box.high.x;
  return axis == 1 ? box.low.y + box.high.y : box.low.z + box.high.z;
}

// Splits the rows in halves along the longest axis until there are COVER_BOXES groups; every group
// gives one box.
static int cover_rows(const Box *boxes, int *rows, int count, int groups, Box *cover)
{
  assert(count >= 0 && groups >= 1 && "rows are covered by some boxes");
  if (count == 0) return 0;
  const Box all = union_of(boxes, rows, count);
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

// Boxes that describe where this rank's attracting rows are.
typedef struct {
  int count;
  Box *boxes, hull;
} Cover;

static Cover make_cover(const HaloRows *rows, Arena *arena)
{
  assert((rows->attracts != NULL || rows->table->owned == 0) && "rows say whether they attract");
  const int owned = rows->table->owned;
  int *attracting = arena_allocate(arena, ((size_t)owned + 1) * sizeof *attracting);
  int count = 0;
  for (int i = 0; i < owned; i++)
    if (rows->attracts[i]) attracting[count++] = i;
  Cover cover = {0, arena_allocate(arena, COVER_BOXES * sizeof(Box)), EMPTY};
  cover.count = cover_rows(rows->boxes, attracting, count, COVER_BOXES, cover.boxes);
  for (int i = 0; i < cover.count; i++) cover.hull = box_union(cover.hull, cover.boxes[i]);
  return cover;
}

static bool meets_cover(Box box, const Cover *cover)
{
  if (!boxes_meet(box, cover->hull)) return false;
  for (int i = 0; i < cover->count; i++)
    if (boxes_meet(box, cover->boxes[i])) return true;
  return false;
}

// Own rows that attract nothing and lie where more than most_copies other ranks' rows may be; 1 in
// wide[owned]. hulls[size]: of the ranks' covers.
static int find_wide(const HaloRows *rows, const Box *hulls, unsigned char *wide, Arena *arena)
{
  assert(rows->most_copies >= 0 && "copies are counted");
  const int owned = rows->table->owned, size = par_size();
  Box all = EMPTY;
  for (int i = 0; i < owned; i++)
    if (!rows->attracts[i]) all = box_union(all, rows->boxes[i]);
  const ArenaMark mark = arena_mark(arena);
  int *near = arena_allocate(arena, (size_t)size * sizeof *near);
  int near_count = 0, wide_count = 0;
  for (int r = 0; r < size; r++)
    if (r != par_rank() && boxes_meet(hulls[r], all)) near[near_count++] = r;
  for (int i = 0; i < owned && near_count > rows->most_copies; i++) {
    if (rows->attracts[i]) continue;
    int copies = 0;
    for (int k = 0; k < near_count && copies <= rows->most_copies; k++)
      copies += boxes_meet(hulls[near[k]], rows->boxes[i]);
    wide[i] = copies > rows->most_copies;
    wide_count += wide[i];
  }
  arena_release(arena, mark);
  return wide_count;
}

// Wide rows of all ranks: their boxes and packed rows, in order of rank.
typedef struct {
  int count;
  int *ranks;     // [count]
  char *packed;   // [count] of a Box and a row
  size_t bytes;   // of each
} WideRows;

// What a rank says of itself once it knows its wide rows.
typedef struct {
  Box all;   // of its other rows
  int64_t wide;
} Share;

static WideRows gather_wide(const HaloRows *rows, const unsigned char *wide, const Share *shares,
                            Arena *arena)
{
  const int size = par_size();
  const size_t row_bytes = table_packed_bytes(rows->table, rows->flags);
  WideRows all = {.bytes = sizeof(Box) + row_bytes};
  int *counts = arena_allocate(arena, (size_t)size * sizeof *counts);
  for (int r = 0; r < size; r++) {
    counts[r] = (int)((size_t)shares[r].wide * all.bytes);
    all.count += (int)shares[r].wide;
  }
  if (all.count == 0) return all;
  char *own = arena_allocate(arena, (size_t)counts[par_rank()] + 1), *at = own;
  for (int i = 0; i < rows->table->owned; i++) {
    if (!wide[i]) continue;
    memcpy(at, &rows->boxes[i], sizeof *rows->boxes);
    table_pack_row(rows->table, i, rows->flags, at + sizeof *rows->boxes);
    at += all.bytes;
  }
  all.packed = arena_allocate(arena, (size_t)all.count * all.bytes);
  par_all_gather_uneven(own, counts, all.packed, arena);
  all.ranks = arena_allocate(arena, (size_t)all.count * sizeof *all.ranks);
  for (int r = 0, k = 0; r < size; r++)
    for (int64_t i = 0; i < shares[r].wide; i++) all.ranks[k++] = r;
  return all;
}

// tells every rank whose rows may be near where this rank's attracting rows are; returns what
// others told us
static Messages exchange_covers(const Cover *cover, const Share *shares, Arena *arena)
{
  const int size = par_size();
  Message *sends = arena_allocate(arena, (size_t)size * sizeof *sends);
  int send_count = 0;
  for (int r = 0; r < size; r++)
    if (r != par_rank() && boxes_meet(shares[r].all, cover->hull))
      sends[send_count++] = (Message){r, (size_t)cover->count * sizeof *cover->boxes, cover->boxes};
  return par_exchange(sends, send_count, arena);
}

// Rows for one rank after another.
typedef struct {
  int count, room;   // of rows
  int *rows;
  Arena *arena;
} RowList;

static void add_row(RowList *list, int row)
{
  list->rows = arena_grow(list->arena, list->rows, list->count + 1, &list->room, sizeof(int));
  list->rows[list->count++] = row;
}

// Own rows that a rank with a cover (NULL: it has none near) must see, and those that it wishes
// for, in [from, end) of the wishes, which ascend.
static void list_mirrors(RowList *list, const Message *cover_message, const HaloRows *own,
                         const unsigned char *wide, int from, int end)
{
  Cover cover = {.hull = EMPTY};
  if (cover_message) {
    cover.count = (int)(cover_message->bytes / sizeof(Box));
    cover.boxes = cover_message->data;
  }
  for (int c = 0; c < cover.count; c++) cover.hull = box_union(cover.hull, cover.boxes[c]);
  for (int i = 0; i < own->table->owned && cover.count > 0; i++) {
    while (from < end && own->wishes.rows[from] < i) {
      if (!wide[own->wishes.rows[from]]) add_row(list, own->wishes.rows[from]);
      from++;
    }
    const bool wished = from < end && own->wishes.rows[from] == i;
    from += wished;
    if (!wide[i] && (wished || meets_cover(own->boxes[i], &cover))) add_row(list, i);
  }
  for (; from < end; from++)
    if (!wide[own->wishes.rows[from]]) add_row(list, own->wishes.rows[from]);
}

// the own rows that each rank with a cover or a wish must see; returns how many ranks
static int find_mirrors(HaloPlan *plan, Messages covers, const HaloRows *own,
                        const unsigned char *wide, Arena *arena)
{
  assert(covers.count >= 0 && covers.count <= par_size() && "a rank tells of one cover");
  const HaloWishes *wishes = &own->wishes;
  const size_t most = (size_t)covers.count + (size_t)wishes->count + 1;
  plan->ranks = arena_allocate(arena, most * sizeof *plan->ranks);
  plan->send_start = arena_allocate_zero(arena, most, sizeof *plan->send_start);
  RowList list = {.room = own->table->owned + 1, .arena = arena};
  list.rows = arena_allocate(arena, (size_t)list.room * sizeof *list.rows);
  int ranks = 0;
  for (int m = 0, from = 0; m < covers.count || from < wishes->count;) {
    const int near = m < covers.count ? covers.messages[m].rank : INT32_MAX,
              wishing = from < wishes->count ? wishes->ranks[from] : INT32_MAX;
    const int rank = near < wishing ? near : wishing;
    int end = from;
    while (end < wishes->count && wishes->ranks[end] == rank) end++;
    list_mirrors(&list, near == rank ? &covers.messages[m] : NULL, own, wide, from, end);
    m += near == rank;
    from = end;
    plan->ranks[ranks] = rank;
    plan->send_start[++ranks] = list.count;
  }
  plan->send_rows = list.rows;
  return ranks;
}

typedef struct {
  uint64_t id;
  const char *packed;
  int rank, message, row;   // row of the message, -1: wide, in none
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
  assert(ranks >= 0 && ranks <= par_size() && "a rank gets one message");
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
  assert(mirror_ranks >= 0 && arrival_count >= 0 && "ranks and ghosts are counted");
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
  for (int i = 0; i < arrival_count; i++)
    if (arrivals[i].message >= 0) message_start[arrivals[i].message + 1]++;
  for (int m = 0; m < incoming.count; m++) message_start[m + 1] += message_start[m];
  for (int i = 0; i < arrival_count; i++)
    if (arrivals[i].message >= 0)
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

// Does this rank want the packed row wherever it is? (The row behind all others is room to look.)
static bool is_wanted(const HaloRows *rows, const char *packed)
{
  const HaloWishes *wishes = &rows->wishes;
  if (wishes->wanted_count == 0) return false;
  const int at = rows->table->owned;
  table_reserve(rows->table, at + 1);
  table_unpack_row(rows->table, at, rows->flags, packed);
  const uint64_t id = (*rows->id_column)[at];
  const int found = search_u64(wishes->wanted, 0, wishes->wanted_count, id);
  return found < wishes->wanted_count && wishes->wanted[found] == id;
}

// the rows that arrived for this rank, sorted by id; they are the table's ghosts then
static Arrival *place_arrivals(const HaloRows *rows, Messages incoming, const WideRows *wide,
                               const Cover *cover, Arena *arena)
{
  Table *table = rows->table;
  const size_t bytes = table_packed_bytes(table, rows->flags);
  size_t room = (size_t)wide->count + 1;
  for (int m = 0; m < incoming.count; m++) room += incoming.messages[m].bytes / bytes;
  Arrival *arrivals = arena_allocate(arena, room * sizeof *arrivals);
  int count = 0;
  for (int m = 0; m < incoming.count; m++) {
    const Message *message = &incoming.messages[m];
    for (size_t at = 0; at < message->bytes; at += bytes)
      arrivals[count++] = (Arrival){.packed = (const char *)message->data + at,
                                    .rank = message->rank,
                                    .message = m,
                                    .row = (int)(at / bytes)};
  }
  for (int k = 0; k < wide->count; k++) {
    const char *packed = wide->packed + (size_t)k * wide->bytes;
    Box box;
    memcpy(&box, packed, sizeof box);
    if (wide->ranks[k] == par_rank()) continue;
    if (!meets_cover(box, cover) && !is_wanted(rows, packed + sizeof box)) continue;
    arrivals[count++] =
        (Arrival){.packed = packed + sizeof box, .rank = wide->ranks[k], .message = -1, .row = -1};
  }

  // a row's id is known once it is unpacked
  table_reserve(table, table->owned + count);
  for (int i = 0; i < count; i++) {
    table_unpack_row(table, table->owned + i, rows->flags, arrivals[i].packed);
    arrivals[i].id = (*rows->id_column)[table->owned + i];
  }
  if (count > 1) qsort(arrivals, (size_t)count, sizeof *arrivals, compare_arrivals);
  for (int i = 0; i < count; i++)
    table_unpack_row(table, table->owned + i, rows->flags, arrivals[i].packed);
  table->count = table->owned + count;
  return arrivals;
}

Halo halo_rebuild(const HaloRows *rows, Arena *arena)
{
  assert(rows->table != NULL && arena != NULL && "a table gets its ghosts");
  assert((rows->table->owned == 0 || rows->boxes != NULL) && "own rows have boxes");
  Table *table = rows->table;
  const int owned = table->owned, size = par_size();
  table->count = owned;
  if (size == 1) {
    int *zero = arena_allocate_zero(arena, 1, sizeof *zero);
    return (Halo){.plan = {0, zero, zero, zero, zero, zero}};
  }

  // which rows too many must see for messages to each of them
  const Cover cover = make_cover(rows, arena);
  Box *hulls = arena_allocate(arena, (size_t)size * sizeof *hulls);
  par_all_gather(&cover.hull, sizeof cover.hull, hulls);
  unsigned char *wide = arena_allocate_zero(arena, (size_t)owned + 1, 1);
  Share mine = {EMPTY, find_wide(rows, hulls, wide, arena)};
  for (int i = 0; i < owned; i++)
    if (!wide[i]) mine.all = box_union(mine.all, rows->boxes[i]);
  Share *shares = arena_allocate(arena, (size_t)size * sizeof *shares);
  par_all_gather(&mine, sizeof mine, shares);
  const WideRows all_wide = gather_wide(rows, wide, shares, arena);

  // who must see which of our other rows
  HaloPlan mirrors = {0};
  const Messages covers = exchange_covers(&cover, shares, arena);
  const int mirror_ranks = find_mirrors(&mirrors, covers, rows, wide, arena);

  // the rows themselves
  const Messages incoming = exchange_rows(table, &mirrors, mirror_ranks, rows->flags, arena);
  const Arrival *arrivals = place_arrivals(rows, incoming, &all_wide, &cover, arena);
  const int ghosts = table->count - owned;
  int *ghost_ranks = arena_allocate(arena, ((size_t)ghosts + 1) * sizeof *ghost_ranks);
  for (int i = 0; i < ghosts; i++) ghost_ranks[i] = arrivals[i].rank;
  return (Halo){.plan = join_plan(&mirrors, mirror_ranks, arrivals, ghosts, incoming, owned, arena),
                .ghost_count = ghosts,
                .ghost_ranks = ghost_ranks};
}

static int message_bytes(int rows, size_t row_bytes, int rank)
{
  assert(rows >= 0 && rank >= 0 && rank < par_size() && "rows go to a rank");
  const size_t bytes = (size_t)rows * row_bytes;
  if (bytes > INT32_MAX) die("message of %zu bytes with rank %d is too large", bytes, rank);
  return (int)bytes;
}

HaloRefresh halo_refresh_begin(const HaloPlan *plan, void *data, size_t row_bytes, Arena *arena)
{
  assert(row_bytes > 0 && "a row has bytes");
  assert((plan->neighbour_count == 0 || data != NULL) && "rows are given");
  HaloRefresh refresh = {.plan = plan, .data = data, .row_bytes = row_bytes};
  const int n = plan->neighbour_count;
  if (n == 0) return refresh;
  refresh.arena = arena;
  refresh.mark = arena_mark(arena);
  const int sent = plan->send_start[n], received = plan->receive_start[n];
  char *out = arena_allocate(arena, (size_t)sent * row_bytes);
  refresh.in = arena_allocate(arena, (size_t)received * row_bytes);
  MPI_Request *requests = arena_allocate(arena, 2 * (size_t)n * sizeof *requests);
  refresh.requests = requests;
  for (int k = 0; k < n; k++) {
    const int first = plan->receive_start[k], count = plan->receive_start[k + 1] - first;
    if (count)
      MPI_Irecv(refresh.in + (size_t)first * row_bytes,
                message_bytes(count, row_bytes, plan->ranks[k]), MPI_BYTE, plan->ranks[k],
                TAG_REFRESH, par_communicator(), &requests[refresh.pending++]);
  }

  // each neighbour's rows leave as soon as they are packed
  for (int k = 0; k < n; k++) {
    const int first = plan->send_start[k], end = plan->send_start[k + 1];
    if (first == end) continue;
    for (int i = first; i < end; i++)
      memcpy(out + (size_t)i * row_bytes, refresh.data + (size_t)plan->send_rows[i] * row_bytes,
             row_bytes);
    const int bytes = message_bytes(end - first, row_bytes, plan->ranks[k]);
    MPI_Isend(out + (size_t)first * row_bytes, bytes, MPI_BYTE, plan->ranks[k], TAG_REFRESH,
              par_communicator(), &requests[refresh.pending++]);
    par_count_sent(1, bytes);
  }
  return refresh;
}

void halo_refresh_end(const HaloRefresh *refresh)
{
  assert(refresh->plan != NULL && "the refresh has begun");
  if (!refresh->arena) return;
  const HaloPlan *plan = refresh->plan;
  const double began = par_seconds();
  MPI_Waitall(refresh->pending, refresh->requests, MPI_STATUSES_IGNORE);
  par_count_wait(par_seconds() - began);
  const size_t bytes = refresh->row_bytes;
  for (int i = 0; i < plan->receive_start[plan->neighbour_count]; i++)
    memcpy(refresh->data + (size_t)plan->receive_rows[i] * bytes, refresh->in + (size_t)i * bytes,
           bytes);
  arena_release(refresh->arena, refresh->mark);
}

void halo_refresh(const HaloPlan *plan, void *data, size_t row_bytes, Arena *arena)
{
  const HaloRefresh refresh = halo_refresh_begin(plan, data, row_bytes, arena);
  halo_refresh_end(&refresh);
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

static int ghost_row(HaloIds rows, uint64_t id)
{
  assert(rows.owned >= 0 && rows.owned <= rows.count && "ghosts come after own rows");
  const int row = search_u64(rows.ids, rows.owned, rows.count, id);
  assert(row < rows.count && rows.ids[row] == id &&
         "a mirror's ghost is missing on the other rank");
  return row;
}

// Rows of one slot, for this rank.
typedef struct {
  int slot, sends, receives;
} SlotRows;

// one slot's plan out of sorted requests (sent) and notices per source (received)
static HaloPlan plan_of_slot(SlotRows of, HaloRequests sorted, Messages notices, HaloIds ids,
                             Arena *arena)
{
  const HaloRequest *requests = sorted.requests;
  const int count = sorted.count, slot = of.slot, sends = of.sends, receives = of.receives;
  assert(sends >= 0 && receives >= 0 && "rows are counted");
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
        if (notice[k].slot == slot) plan.receive_rows[received++] = ghost_row(ids, notice[k].id);
      m++;
    }
    if (sent == sent_before && received == received_before) continue;
    plan.ranks[plan.neighbour_count++] = rank;
    plan.send_start[plan.neighbour_count] = sent;
    plan.receive_start[plan.neighbour_count] = received;
  }
  return plan;
}

void halo_plans_of_requests(HaloRequests asked, HaloIds ids, HaloPlan *plans, Arena *arena)
{
  HaloRequest *requests = asked.requests;
  const int count = asked.count, slot_count = asked.slot_count;
  assert(count >= 0 && slot_count >= 0 && "requests and slots are counted");
  assert(ids.owned >= 0 && ids.owned <= ids.count && "ghosts come after own rows");
  if (count > 1) qsort(requests, (size_t)count, sizeof *requests, compare_requests);
  Notice *notices = arena_allocate(arena, ((size_t)count + 1) * sizeof *notices);
  Messages sends = {0, arena_allocate(arena, ((size_t)count + 1) * sizeof(Message))};
  for (int i = 0; i < count; i++) {
    notices[i] = (Notice){requests[i].id, requests[i].slot};
    par_append(&sends, requests[i].rank, &notices[i], sizeof *notices);
  }
  const Messages incoming = par_exchange(sends.messages, sends.count, arena);

  int *slot_sends = arena_allocate_zero(arena, (size_t)slot_count + 1, sizeof(int));
  int *slot_receives = arena_allocate_zero(arena, (size_t)slot_count + 1, sizeof(int));
  for (int i = 0; i < count; i++) slot_sends[requests[i].slot]++;
  for (int m = 0; m < incoming.count; m++) {
    const Notice *notice = incoming.messages[m].data;
    for (size_t k = 0; k < incoming.messages[m].bytes / sizeof *notice; k++)
      slot_receives[notice[k].slot]++;
  }
  for (int slot = 0; slot < slot_count; slot++) {
    const SlotRows of = {slot, slot_sends[slot], slot_receives[slot]};
    plans[slot] = plan_of_slot(of, asked, incoming, ids, arena);
  }
}
