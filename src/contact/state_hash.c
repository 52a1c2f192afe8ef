#include "state_hash.h"

Hash128 state_hash_rows(const Bodies *bodies, const Contacts *contacts)
{
  return hash_add(table_hash(&bodies->table), table_hash(&contacts->table));
}

Hash128 state_hash_step(int64_t step) { return hash_bytes(&step, sizeof step, 2); }
