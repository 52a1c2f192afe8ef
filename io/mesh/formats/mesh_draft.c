// Grows the rows and mesh blocks of a mesh while its file is read.
#include "mesh_draft.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "mesh_hexa.h"

void *mesh_list_add(MeshList *list, size_t row_bytes)
{
  assert_debug(row_bytes > 0 && (size_t)list->count * row_bytes <= list->capacity &&
               "rows lie in their room");
  list->rows =
      memory_grow_bytes(list->rows, ((size_t)list->count + 1) * row_bytes, &list->capacity);
  return (char *)list->rows + (size_t)list->count++ * row_bytes;
}

void mesh_draft_destroy(MeshDraft *draft)
{
  assert(draft->face_start.count == draft->face_key.count &&
         draft->tetra.count == draft->tetra_key.count && "what has corners has a key");
  MeshList *lists[] = {&draft->points, &draft->face_start, &draft->face_key, &draft->corners,
                       &draft->tetra,  &draft->tetra_key,  &draft->hexa};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) memory_free(lists[i]->rows);
  *draft = (MeshDraft){0};
}

// face_start needs one row more than there are faces, so the last int is not used.
static bool has_room(const MeshList *list, MeshScan *scan, const char *what)
{
  return list->count < INT_MAX - 1 || mesh_scan_fail(scan, "more than %d %s", INT_MAX - 1, what);
}

bool mesh_draft_point(MeshDraft *draft, MeshScan *scan, vec3 point)
{
  assert_debug(!scan->failed && "a file that has failed gives no points");
  if (!has_room(&draft->points, scan, "points")) return false;
  *(vec3 *)mesh_list_add(&draft->points, sizeof point) = point;
  return true;
}

bool mesh_draft_face(MeshDraft *draft, MeshScan *scan, int64_t key)
{
  assert_debug(draft->face_start.count == draft->face_key.count && "every face has a key");
  if (!has_room(&draft->face_start, scan, "faces")) return false;
  *(int *)mesh_list_add(&draft->face_start, sizeof(int)) = (int)draft->corners.count;
  *(int64_t *)mesh_list_add(&draft->face_key, sizeof key) = key;
  return true;
}

bool mesh_draft_corner(MeshDraft *draft, MeshScan *scan, int64_t point)
{
  assert_debug(draft->face_start.count > 0 && "a corner belongs to a face");
  if (!has_room(&draft->corners, scan, "corners of faces")) return false;
  assert(point >= 0 && point <= INT_MAX && "points are counted in ints");
  *(int *)mesh_list_add(&draft->corners, sizeof(int)) = (int)point;
  return true;
}

bool mesh_draft_close_face(MeshDraft *draft, MeshScan *scan)
{
  assert(draft->face_start.count > 0 && "a face is open");
  const int first = ((const int *)draft->face_start.rows)[draft->face_start.count - 1];
  const int64_t corners = draft->corners.count - first;
  return corners >= 3 || mesh_scan_fail(scan, "a face has %d corner%s, expected at least 3",
                                        (int)corners, corners == 1 ? "" : "s");
}

bool mesh_draft_tetra(MeshDraft *draft, MeshScan *scan, const int64_t points[4], int64_t key)
{
  assert_debug(draft->tetra.count == draft->tetra_key.count && "every tetrahedron has a key");
  if (!has_room(&draft->tetra, scan, "tetrahedra")) return false;
  int *tetra = mesh_list_add(&draft->tetra, sizeof(int[4]));
  for (int i = 0; i < 4; i++) {
    assert(points[i] >= 0 && points[i] <= INT_MAX && "points are counted in ints");
    tetra[i] = (int)points[i];
  }
  *(int64_t *)mesh_list_add(&draft->tetra_key, sizeof key) = key;
  return true;
}

bool mesh_draft_hexa(MeshDraft *draft, MeshScan *scan, const int64_t points[8], int64_t key)
{
  assert_debug(draft->tetra.count == HEXA_TETRA * draft->hexa.count && "cells are of one kind");
  if (draft->tetra.count > INT_MAX / 4 - HEXA_TETRA)
    return mesh_scan_fail(scan, "more than %d hexahedra", INT_MAX / 4 / HEXA_TETRA);
  int *hexa = mesh_list_add(&draft->hexa, sizeof(int[HEXA_CORNERS]));
  for (int i = 0; i < HEXA_CORNERS; i++) {
    assert(points[i] >= 0 && points[i] <= INT_MAX && "points are counted in ints");
    hexa[i] = (int)points[i];
  }
  int parts[HEXA_TETRA][4];
  mesh_hexa_split(hexa, parts);
  for (int t = 0; t < HEXA_TETRA; t++) {
    memcpy(mesh_list_add(&draft->tetra, sizeof *parts), parts[t], sizeof *parts);
    *(int64_t *)mesh_list_add(&draft->tetra_key, sizeof key) = key;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Mesh blocks

// Neighbours in the file of one key.
typedef struct {
  int64_t key;
  int first;   // its row
  int mesh_block;
} KeyRun;

static int compare_keys(const void *a, const void *b)
{
  const KeyRun *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->first > q->first) - (p->first < q->first);
}

static int compare_places(const void *a, const void *b)
{
  const KeyRun *p = a, *q = b;
  return (p->first > q->first) - (p->first < q->first);
}

// Marks the first run of each key with mesh block 0, others with the row of that first run,
// negative.
static int number_runs(KeyRun *runs, size_t count)
{
  assert(count > 0 && "there are runs to number");
  qsort(runs, count, sizeof *runs, compare_keys);
  int mesh_blocks = 0;
  for (size_t i = 0, first = 0; i < count; i++) {
    if (runs[i].key != runs[first].key) first = i;
    runs[i].mesh_block = i == first ? 0 : -1 - runs[first].first;
    mesh_blocks += i == first;
  }
  qsort(runs, count, sizeof *runs, compare_places);
  return mesh_blocks;
}

// The mesh block of each row, numbered as they first come; returns the blocks' keys.
static int64_t *number_blocks(const int64_t *keys, int count, int *row_block, int *mesh_block_count,
                              Arena *arena)
{
  assert(count >= 0 && (keys != NULL || count == 0) && "keys are given");
  MeshList list = {0};
  for (int i = 0; i < count; i++)
    if (i == 0 || keys[i] != keys[i - 1])
      *(KeyRun *)mesh_list_add(&list, sizeof(KeyRun)) = (KeyRun){.key = keys[i], .first = i};
  KeyRun *runs = list.rows;
  *mesh_block_count = count > 0 ? number_runs(runs, (size_t)list.count) : 0;

  int64_t *mesh_block_keys =
      arena_allocate(arena, (size_t)*mesh_block_count * sizeof *mesh_block_keys);
  int next = 0;
  for (int64_t r = 0; r < list.count; r++) {
    int mesh_block;
    if (runs[r].mesh_block == 0) {
      mesh_block_keys[next] = runs[r].key;
      mesh_block = next++;
    } else {
      mesh_block = row_block[-1 - runs[r].mesh_block];
    }
    const int end = r + 1 < list.count ? runs[r + 1].first : count;
    for (int i = runs[r].first; i < end; i++) row_block[i] = mesh_block;
  }
  assert(next == *mesh_block_count && "every mesh block has a key");
  memory_free(list.rows);
  return mesh_block_keys;
}

typedef struct {
  MeshWord word;
  int64_t index;
} IndexedWord;

static int compare_words(const void *a, const void *b)
{
  const IndexedWord *p = a, *q = b;
  const int order = mesh_word_compare(p->word, q->word);
  return order ? order : (p->index > q->index) - (p->index < q->index);
}

int64_t *mesh_draft_first_words(const MeshWord *words, int64_t count)
{
  assert(count >= 0 && (words != NULL || count == 0) && "words are given");
  int64_t *first = memory_allocate((size_t)count * sizeof *first);
  IndexedWord *sorted = memory_allocate((size_t)count * sizeof *sorted);
  for (int64_t i = 0; i < count; i++) sorted[i] = (IndexedWord){words[i], i};
  if (count > 0) qsort(sorted, (size_t)count, sizeof *sorted, compare_words);
  for (int64_t i = 0, begin = 0; i < count; i++) {
    if (mesh_word_compare(sorted[i].word, sorted[begin].word) != 0) begin = i;
    first[sorted[i].index] = sorted[begin].index;
  }
  memory_free(sorted);
  return first;
}

// -------------------------------------------------------------------------------------------------
// The soup

static void *copy_rows(const MeshList *list, int64_t room, size_t row_bytes, Arena *arena)
{
  assert(room >= list->count && "rows have room");
  void *rows = arena_allocate(arena, (size_t)room * row_bytes);
  if (list->count > 0) memcpy(rows, list->rows, (size_t)list->count * row_bytes);
  return rows;
}

const int64_t *mesh_draft_finish(MeshReading *reading)
{
  assert(reading->soup != NULL && reading->arena != NULL && "the soup has a place");
  assert(reading->draft.face_start.count == reading->draft.face_key.count &&
         "every face has a key");
  const MeshDraft *draft = &reading->draft;
  Arena *arena = reading->arena;
  static const MeshList nothing = {0};
  const MeshList *corners = draft->tetra.count > 0 ? &nothing : &draft->corners;
  const MeshList *face_start = draft->tetra.count > 0 ? &nothing : &draft->face_start;

  MeshSoup *soup = reading->soup;
  *soup = (MeshSoup){.point_count = (int)draft->points.count,
                     .face_count = (int)face_start->count,
                     .tetra_count = (int)draft->tetra.count,
                     .hexa_count = (int)draft->hexa.count};
  soup->points = copy_rows(&draft->points, soup->point_count, sizeof(vec3), arena);
  soup->face_start = copy_rows(face_start, soup->face_count + 1, sizeof(int), arena);
  soup->face_start[soup->face_count] = (int)corners->count;
  soup->corners = copy_rows(corners, corners->count, sizeof(int), arena);
  soup->tetra = copy_rows(&draft->tetra, soup->tetra_count, sizeof(int[4]), arena);
  soup->hexa = copy_rows(&draft->hexa, soup->hexa_count, sizeof(int[HEXA_CORNERS]), arena);
  soup->face_block = arena_allocate(arena, (size_t)soup->face_count * sizeof(int));
  soup->tetra_block = arena_allocate(arena, (size_t)soup->tetra_count * sizeof(int));

  const int64_t *keys = soup->tetra_count > 0
                            ? number_blocks(draft->tetra_key.rows, soup->tetra_count,
                                            soup->tetra_block, &soup->mesh_block_count, arena)
                            : number_blocks(draft->face_key.rows, soup->face_count,
                                            soup->face_block, &soup->mesh_block_count, arena);
  soup->mesh_block_names = arena_allocate(arena, (size_t)soup->mesh_block_count * sizeof(char *));
  for (int i = 0; i < soup->mesh_block_count; i++) soup->mesh_block_names[i] = "";
  return keys;
}
