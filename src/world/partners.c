// Finds the ranks of bodies at the other ends of joints through a directory spread over all ranks,
// and the pairs that should be on one rank.
#include "partners.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "order.h"
#include "parallel.h"

// A line for the directory: a rank has a body, or needs it. One from it: a rank needs that body.
typedef struct {
  uint64_t id;
  int32_t rank;   // that needs it
  uint32_t has;   // 1: this rank has it
} Notice;

typedef struct {
  int count, room;
  Notice *notices;
} NoticeList;

static int order_of(const Notice *p, const Notice *q, bool by_id)
{
  if (!by_id && p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
  if (p->id != q->id) return order_u64(p->id, q->id);
  if (p->has != q->has) return p->has > q->has ? -1 : 1;
  return order_int(p->rank, q->rank);
}

static int compare_by_rank(const void *p, const void *q) { return order_of(p, q, false); }

static int compare_by_id(const void *p, const void *q) { return order_of(p, q, true); }

static void add_notice(NoticeList *list, Notice notice, Arena *arena)
{
  list->notices =
      arena_grow(arena, list->notices, list->count + 1, &list->room, sizeof *list->notices);
  list->notices[list->count++] = notice;
}

// Collective. Each notice to the rank that is in it, which gets those of all ranks; the field rank
// then holds who sent it.
static NoticeList deliver(NoticeList *list, Arena *arena)
{
  if (list->count > 1)
    qsort(list->notices, (size_t)list->count, sizeof *list->notices, compare_by_rank);
  Messages sends = {0, arena_allocate(arena, ((size_t)par_size() + 1) * sizeof(Message))};
  for (int i = 0; i < list->count; i++)
    par_append(&sends, list->notices[i].rank, &list->notices[i], sizeof(Notice));
  const Messages incoming = par_exchange(sends.messages, sends.count, arena);
  NoticeList found = {0};
  for (int m = 0; m < incoming.count; m++) {
    const Message *message = &incoming.messages[m];
    const Notice *notices = message->data;
    for (size_t i = 0; i < message->bytes / sizeof *notices; i++)
      add_notice(&found, (Notice){notices[i].id, message->rank, notices[i].has}, arena);
  }
  return found;
}

// Which rank keeps the line of a body.
static int directory_of(uint64_t id) { return (int)(id % (uint64_t)par_size()); }

// Ends of joints whose other end is not here: an own body is announced, and needs the other one
// where it can move.
static NoticeList look_for(const World *world, Arena *arena)
{
  const Case *c = world->c;
  const Bodies *b = &world->bodies;
  NoticeList list = {0};
  for (int k = 0; k < c->joint_row_count; k++) {
    const uint64_t ids[2] = {c->joint_rows[k].bodies.low, c->joint_rows[k].bodies.high};
    if (ids[1] == BODIES_SPACE || c->joint_rows[k].begin > world->step) continue;
    int rows[2];
    for (int e = 0; e < 2; e++) {
      rows[e] = bodies_find(b, ids[e]);
      if (rows[e] >= b->table.owned) rows[e] = -1;
    }
    if ((rows[0] < 0) == (rows[1] < 0)) continue;
    const int own = rows[0] >= 0 ? 0 : 1;
    add_notice(&list, (Notice){ids[own], directory_of(ids[own]), 1}, arena);
    if (b->drive[rows[own]] == DRIVE_DYNAMIC)
      add_notice(&list, (Notice){ids[1 - own], directory_of(ids[1 - own]), 0}, arena);
  }
  return list;
}

// The directory's answer: who has a body hears of each rank that needs it.
static NoticeList answer(NoticeList *asked, Arena *arena)
{
  NoticeList answers = {0};
  if (asked->count > 1)
    qsort(asked->notices, (size_t)asked->count, sizeof *asked->notices, compare_by_id);
  int owner = -1;
  for (int i = 0; i < asked->count; i++) {
    const Notice *n = &asked->notices[i];
    const Notice *last = i > 0 ? n - 1 : NULL;
    if (!last || last->id != n->id) owner = -1;
    if (last && order_of(last, n, true) == 0) continue;
    if (n->has) {
      assert((owner < 0 || owner == n->rank) && "a body has one owner");
      owner = n->rank;
    } else if (owner >= 0) {
      add_notice(&answers, (Notice){n->id, owner, (uint32_t)n->rank}, arena);
    }
  }
  return answers;
}

static int compare_wishes(const void *p, const void *q)
{
  const PartnerWish *a = p, *b = q;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  return order_u64(a->id, b->id);
}

// Collective.
static void ask(World *world)
{
  Arena *arena = &world->scratch;
  Partners *p = &world->partners;
  const ArenaMark mark = arena_mark(arena);
  NoticeList wanted = look_for(world, arena);
  p->wanted = memory_resize(p->wanted, (size_t)wanted.count * sizeof *p->wanted);
  p->wanted_count = 0;
  for (int i = 0; i < wanted.count; i++)
    if (!wanted.notices[i].has) p->wanted[p->wanted_count++] = wanted.notices[i].id;
  if (p->wanted_count > 1) qsort(p->wanted, (size_t)p->wanted_count, sizeof *p->wanted, order_u64s);
  NoticeList asked = deliver(&wanted, arena);
  NoticeList answers = answer(&asked, arena);
  const NoticeList wishes = deliver(&answers, arena);
  p->wishes = memory_resize(p->wishes, (size_t)wishes.count * sizeof *p->wishes);
  p->wish_count = wishes.count;
  for (int i = 0; i < wishes.count; i++)
    p->wishes[i] = (PartnerWish){wishes.notices[i].id, (int)wishes.notices[i].has};
  if (p->wish_count > 1) qsort(p->wishes, (size_t)p->wish_count, sizeof *p->wishes, compare_wishes);
  p->known = true;
  arena_release(arena, mark);
}

HaloWishes partners_find(World *world)
{
  if (par_size() == 1 || world->c->joint_row_count == 0) return (HaloWishes){0};
  const Partners *p = &world->partners;
  if (!p->known) ask(world);
  int *rows = arena_allocate(&world->scratch, ((size_t)p->wish_count + 1) * sizeof *rows),
      *ranks = arena_allocate(&world->scratch, ((size_t)p->wish_count + 1) * sizeof *ranks);
  for (int i = 0; i < p->wish_count; i++) {
    rows[i] = bodies_find(&world->bodies, p->wishes[i].id);
    assert(rows[i] >= 0 && rows[i] < world->bodies.table.owned && "the owner has the body");
    ranks[i] = p->wishes[i].rank;
  }
  return (HaloWishes){p->wish_count, ranks, rows, p->wanted_count, p->wanted};
}

void partners_forget(World *world)
{
  assert(world->c != NULL && "a world has a case");
  world->partners.known = false;
}

void partners_destroy(Partners *partners)
{
  memory_free(partners->wanted);
  memory_free(partners->wishes);
  *partners = (Partners){0};
}

// -- edges ----------------------------------------------------------------------------------------

static int compare_edges(const void *p, const void *q)
{
  const BoxPair a = ((const PartnerEdge *)p)->pair, b = ((const PartnerEdge *)q)->pair;
  return a.a != b.a ? order_int(a.a, b.a) : order_int(a.b, b.b);
}

static BoxPair in_order(int a, int b) { return a < b ? (BoxPair){a, b} : (BoxPair){b, a}; }

PartnerEdges partners_edges(const World *world, Arena *arena)
{
  const Case *c = world->c;
  const Bodies *b = &world->bodies;
  assert((c->joint_row_count == 0 || c->joint_rows != NULL) && "joints have rows");
  PartnerEdge *edges = arena_allocate(arena, ((size_t)c->joint_row_count + 1) * sizeof *edges);
  int count = 0;
  for (int k = 0; k < c->joint_row_count; k++) {
    const IdPair ids = c->joint_rows[k].bodies;
    if (ids.high == BODIES_SPACE) continue;
    const int low = bodies_find(b, ids.low), high = bodies_find(b, ids.high);
    if (low < 0 || high < 0 || (low >= b->table.owned && high >= b->table.owned)) continue;
    if (b->drive[low] != DRIVE_DYNAMIC || b->drive[high] != DRIVE_DYNAMIC) continue;
    edges[count++] = (PartnerEdge){in_order(low, high), 1};
  }
  if (count > 1) qsort(edges, (size_t)count, sizeof *edges, compare_edges);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (kept > 0 && compare_edges(&edges[kept - 1], &edges[i]) == 0) edges[kept - 1].points++;
    else edges[kept++] = edges[i];
  }
  return (PartnerEdges){kept, edges};
}

int64_t partners_edge_points(const PartnerEdges *joined, BoxPair pair)
{
  assert_debug(pair.a != pair.b && "a pair is of two bodies");
  if (joined->count == 0) return 0;
  const PartnerEdge wanted = {in_order(pair.a, pair.b), 0};
  const PartnerEdge *found =
      bsearch(&wanted, joined->edges, (size_t)joined->count, sizeof *joined->edges, compare_edges);
  return found ? found->points : 0;
}
