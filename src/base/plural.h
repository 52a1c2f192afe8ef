#pragma once
// The word behind a count: "1 body moves", "2 bodies move".

// Local. The first one of a single thing, else the other one.
static inline const char *plural(long long count, const char *one, const char *many)
{
  return count == 1 ? one : many;
}
