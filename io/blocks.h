#pragma once
// Rows as files hold them: bodies by blocks of ids, contacts with the block of their lower body,
// both sorted, so that a file is the same on any number of ranks and each rank writes one piece of
// it.
#include "arena.h"
#include "bodies.h"
#include "contacts.h"
#include "parallel.h"

typedef struct {
  Bodies bodies;        // those with ids in this rank's block, sorted by id; copied fields alone
  int32_t *body_rank;   // [bodies.table.count] who owns it
  Contacts contacts;   // those whose lower body is in the block, sorted by key; copied fields alone
  int32_t *contact_rank;                   // [contacts.table.count]
  uint64_t first_body, body_count;         // row in the file of the first one here, rows in all
  uint64_t first_contact, contact_count;   // likewise
} Blocks;

// Collective. Copies the fields with any of the flags of everybody's own rows to the ranks that
// write them: body_block of id_count ids, of which any number may have no body.
void blocks_gather(Blocks *blocks, const Bodies *bodies, const Contacts *contacts,
                   uint64_t id_count, unsigned body_flags, unsigned contact_flags);
void blocks_end(Blocks *blocks);
