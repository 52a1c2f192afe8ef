// DXF: blocks by name, and how much their placements read with the blocks within them.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "mesh_dxf.h"

enum { MOST_DEPTH = 16 };               // of blocks in blocks
#define MOST_WEIGHT (SIZE_MAX / 1024)   // where sums end, far from where they turn over

static int compare_blocks(const void *a, const void *b)
{
  const DxfBlock *p = a, *q = b;
  return mesh_word_compare(p->name, q->name);
}

// The pair is INSERT in a block; then at the next entity.
static bool note_inner(DxfReader *reader)
{
  DxfInner inner = {.name = {reader->scan.at, 0}, .begin = reader->pair};
  while (mesh_dxf_next(reader) && reader->pair.code != 0)
    if (reader->pair.code == 2) inner.name = reader->pair.value;
  *(DxfInner *)mesh_list_add(&reader->inners, sizeof inner) = inner;
  return !reader->scan.failed;
}

bool mesh_dxf_note_block(DxfReader *reader)
{
  assert(mesh_dxf_is(reader, "BLOCK") && "a block begins with its name");
  DxfBlock block = {.name = {reader->scan.at, 0}, .inner = reader->inners.count};
  unsigned given = 0;
  while (mesh_dxf_next(reader) && reader->pair.code != 0) {
    if (reader->pair.code == 2) block.name = reader->pair.value;
    if (!mesh_dxf_point(reader, 0, &block.base, &given)) return false;
  }
  if (reader->scan.failed) return false;
  block.first = reader->pair;
  while (!mesh_dxf_is(reader, "ENDBLK")) {
    if (mesh_dxf_is(reader, "ENDSEC") || mesh_dxf_is(reader, "EOF"))
      return mesh_scan_fail(&reader->scan, "expected ENDBLK, found %.*s",
                            (int)reader->pair.value.length, reader->pair.value.begin);
    if (!(mesh_dxf_is(reader, "INSERT") ? note_inner(reader) : mesh_dxf_skip(reader))) return false;
  }
  block.bytes = (size_t)(reader->pair.at - block.first.at) + 1;
  block.inners = reader->inners.count - block.inner;
  *(DxfBlock *)mesh_list_add(&reader->blocks, sizeof block) = block;
  return true;
}

bool mesh_dxf_order_blocks(DxfReader *reader)
{
  DxfBlock *blocks = reader->blocks.rows;
  const size_t count = (size_t)reader->blocks.count;
  if (count > 0) qsort(blocks, count, sizeof *blocks, compare_blocks);
  for (size_t i = 1; i < count; i++) {
    char quote[MESH_QUOTE_BYTES];
    if (compare_blocks(&blocks[i - 1], &blocks[i]) == 0 && blocks[i].name.length > 0)
      return mesh_scan_fail(&reader->scan, "two blocks have the name %s",
                            mesh_word_quote(&reader->scan, blocks[i].name, quote));
  }
  // blocks without a name may have changed places
  for (size_t i = 0; i < count; i++) blocks[i].weight = 0;
  return true;
}

DxfBlock *mesh_dxf_find_block(DxfReader *reader, MeshWord name, int depth)
{
  MeshScan *scan = &reader->scan;
  char quote[MESH_QUOTE_BYTES];
  const DxfBlock wanted = {.name = name};
  DxfBlock *block = reader->blocks.count > 0
                        ? bsearch(&wanted, reader->blocks.rows, (size_t)reader->blocks.count,
                                  sizeof wanted, compare_blocks)
                        : NULL;
  if (!block)
    mesh_scan_fail(scan, "an INSERT names block %s, and BLOCKS before it has none of that name",
                   name.length ? mesh_word_quote(scan, name, quote) : "''");
  else if (block->open)
    mesh_scan_fail(scan, "block %s is placed within itself", mesh_word_quote(scan, name, quote));
  else if (depth == MOST_DEPTH)
    mesh_scan_fail(scan, "blocks are placed in blocks more than %d deep", MOST_DEPTH);
  return scan->failed ? NULL : block;
}

bool mesh_dxf_weigh(DxfReader *reader, DxfBlock *block, int depth)
{
  assert(depth >= 1 && depth <= MOST_DEPTH && "a block that can be placed");
  // a block of known weight that lies too deep now is gone through again for its INSERT
  if (block->weight > 0 && depth + block->height <= MOST_DEPTH) return true;
  const DxfInner *inner = reader->inners.rows;
  size_t weight = block->bytes;
  int height = 0;
  block->open = true;
  for (int64_t i = block->inner; i < block->inner + block->inners; i++) {
    mesh_dxf_go_to(reader, inner[i].begin);   // messages name its line
    DxfBlock *within = mesh_dxf_find_block(reader, inner[i].name, depth);
    if (!within || !mesh_dxf_weigh(reader, within, depth + 1)) return false;
    weight = weight < MOST_WEIGHT ? weight + within->weight : MOST_WEIGHT;
    if (height <= within->height) height = within->height + 1;
  }
  block->open = false;
  block->weight = weight;
  block->height = height;
  return true;
}
