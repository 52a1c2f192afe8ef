// Adds up on one rank what many ranks know of a subdomain, and grants moves into it.
#include "subdomain_board.h"

#include <assert.h>

#include "parallel.h"

// what the subdomains' ranks get from those who name them
static Messages ask(NamedSubdomains named, int64_t *values, bool zero_too, Arena *arena)
{
  const int count = named.count;
  assert(count >= 0 && (named.subdomains != NULL || count == 0) && "subdomains are given");
  Message *sends = arena_allocate(arena, ((size_t)count + 1) * sizeof *sends);
  int send_count = 0;
  for (int i = 0; i < count; i++)
    if (zero_too || values[i] != 0)
      sends[send_count++] = (Message){named.subdomains[i], sizeof *values, &values[i]};
  return par_exchange(sends, send_count, arena);
}

// the same messages with other contents go back; values that were not sent stay
static void answer(Messages asked, NamedSubdomains named, int64_t *values, Arena *arena)
{
  const Messages answers = par_exchange(asked.messages, asked.count, arena);
  for (int m = 0, i = 0; m < answers.count; m++, i++) {
    while (i < named.count && named.subdomains[i] != answers.messages[m].rank) i++;
    assert(i < named.count && "an answer to what was asked");
    values[i] = *(const int64_t *)answers.messages[m].data;
  }
}

int64_t subdomain_board_sum(NamedSubdomains named, int64_t *values, Arena *arena)
{
  assert((values != NULL || named.count == 0) && "every subdomain has a value");
  const ArenaMark mark = arena_mark(arena);
  const Messages asked = ask(named, values, true, arena);
  int64_t sum = 0;
  for (int m = 0; m < asked.count; m++) sum += *(const int64_t *)asked.messages[m].data;
  for (int m = 0; m < asked.count; m++) *(int64_t *)asked.messages[m].data = sum;
  answer(asked, named, values, arena);
  arena_release(arena, mark);
  return sum;
}

void subdomain_board_grant(NamedSubdomains named, int64_t *wishes, int64_t capacity, int round,
                           Arena *arena)
{
  assert(round >= 0 && (wishes != NULL || named.count == 0) && "every subdomain has a wish");
  const ArenaMark mark = arena_mark(arena);
  const Messages asked = ask(named, wishes, false, arena);
  for (int i = 0; i < asked.count; i++) {
    const Message *message = &asked.messages[(i + round) % asked.count];
    const int64_t wish = *(const int64_t *)message->data;
    const int64_t grant = wish < capacity ? wish : capacity > 0 ? capacity : 0;
    *(int64_t *)message->data = grant;
    capacity -= grant;
  }
  answer(asked, named, wishes, arena);
  arena_release(arena, mark);
}
