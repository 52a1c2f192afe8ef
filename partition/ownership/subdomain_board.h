#pragma once
// What many ranks know of a subdomain, brought together on the rank of the same number and told to
// those who asked: sums and grants, without an array over all subdomains anywhere.
#include <stdint.h>

#include "arena.h"

// Subdomains that this rank names.
typedef struct {
  int count;
  const int *subdomains;   // [count] ascending
} NamedSubdomains;

// Collective. values[i] of subdomains[i] becomes the sum over all ranks that name the subdomain.
// Returns the sum for the subdomain with this rank's number, also where this rank does not name it.
int64_t subdomain_board_sum(NamedSubdomains named, int64_t *values, Arena *arena);

// Collective. wishes[i] >= 0 of subdomains[i] becomes what the subdomain's rank grants, of its
// capacity; what is there goes to one rank after the other, beginning with another one each round.
void subdomain_board_grant(NamedSubdomains named, int64_t *wishes, int64_t capacity, int round,
                           Arena *arena);
