#include "state_hash.h"

Hash128 state_hash_rows(const Bodies *bodies, const Contacts *contacts)
{
  return hash_add(table_hash(&bodies->table), table_hash(&contacts->table));
}

Hash128 state_hash_step(int64_t step, const StateWords *words)
{
  const Hash128 hash = hash_bytes(&step, sizeof step, 2);
  uint64_t any = 0;
  for (int i = 0; i < STATE_WORDS; i++) any |= words->word[i];
  return any ? hash_add(hash, hash_bytes(words, sizeof *words, 3)) : hash;
}
