// Writes fillings of mesh blocks as bytes, and finds them again.
#include "tetgen_record.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "crc32c.h"
#include "memory.h"

#define RECORD_SEED 2   // of the hash; another one forgets all files

// The record: this, inner points, tetrahedra, CRC-32C of all before it; little-endian.
typedef struct {
  char magic[16];
  uint64_t hash_low, hash_high;   // of the mesh block
  int64_t mesh_block_points, inner_points;
  int64_t tetrahedra;
} RecordHead;

static const char RECORD_MAGIC[16] = "drystone tetra1";

Hash128 tetgen_record_hash(const MeshBlock *mesh_block)
{
  assert(mesh_block->point_count > 0 && mesh_block->triangle_count > 0 &&
         "a mesh block has a surface");
  const size_t points = (size_t)mesh_block->point_count * sizeof *mesh_block->points;
  const size_t triangles = (size_t)mesh_block->triangle_count * sizeof *mesh_block->triangles;
  return hash_add(hash_bytes(mesh_block->points, points, RECORD_SEED),
                  hash_bytes(mesh_block->triangles, triangles, RECORD_SEED + 1));
}

static RecordHead head_of(const MeshBlock *mesh_block)
{
  const Hash128 hash = tetgen_record_hash(mesh_block);
  RecordHead head = {
      .hash_low = hash.low, .hash_high = hash.high, .mesh_block_points = mesh_block->point_count};
  memcpy(head.magic, RECORD_MAGIC, sizeof head.magic);
  return head;
}

static bool is_of_block(const RecordHead *head, const RecordHead *wanted)
{
  return head->hash_low == wanted->hash_low && head->hash_high == wanted->hash_high &&
         head->mesh_block_points == wanted->mesh_block_points;
}

// The bytes of the record that begins there by its head, 0 where it is none.
static size_t record_bytes(const TetgenRecords *records, size_t at, RecordHead *head)
{
  const size_t left = records->count - at;
  if (left < sizeof *head + sizeof(uint32_t)) return 0;
  memcpy(head, records->bytes + at, sizeof *head);
  if (memcmp(head->magic, RECORD_MAGIC, sizeof head->magic) != 0) return 0;
  if (head->mesh_block_points <= 0 || head->mesh_block_points > INT32_MAX ||
      head->inner_points < 0 || head->inner_points > INT32_MAX - head->mesh_block_points ||
      head->tetrahedra <= 0 || head->tetrahedra > INT32_MAX)
    return 0;
  const size_t count = sizeof *head + (size_t)head->inner_points * sizeof(vec3) +
                       (size_t)head->tetrahedra * sizeof(int32_t[4]) + sizeof(uint32_t);
  return count <= left ? count : 0;
}

static bool is_whole(const TetgenRecords *records, size_t at, size_t count)
{
  uint32_t sum;
  memcpy(&sum, records->bytes + at + count - sizeof sum, sizeof sum);
  return crc32c(0, records->bytes + at, count - sizeof sum) == sum;
}

// The next sound record from there on, of a mesh block or (wanted NULL) of any: its bytes, 0 where
// there is none. Behind a damaged one the search goes on where the next one begins.
static size_t next_record(const TetgenRecords *records, size_t *at, const RecordHead *wanted,
                          RecordHead *head)
{
  while (*at < records->count) {
    const size_t bytes = record_bytes(records, *at, head);
    if (bytes > 0 && wanted && !is_of_block(head, wanted)) {
      *at += bytes;
      continue;
    }
    if (bytes > 0 && is_whole(records, *at, bytes)) return bytes;
    const char *from = records->bytes + *at + 1;
    const char *next = memmem(from, records->count - *at - 1, RECORD_MAGIC, sizeof RECORD_MAGIC);
    if (!next) return 0;
    *at = (size_t)(next - records->bytes);
  }
  return 0;
}

bool tetgen_record_find(const TetgenRecords *records, const MeshBlock *mesh_block, Arena *arena,
                        MeshFilling *filling)
{
  assert(filling != NULL && "a filling has a place");
  const RecordHead wanted = head_of(mesh_block);
  RecordHead head;
  size_t at = 0;
  if (next_record(records, &at, &wanted, &head) == 0) return false;
  const size_t own = (size_t)mesh_block->point_count, inner = (size_t)head.inner_points;
  const char *from = records->bytes + at + sizeof head;
  *filling = (MeshFilling){.point_count = mesh_block->point_count + (int)head.inner_points,
                           .tetra_count = (int)head.tetrahedra};
  filling->points = arena_allocate(arena, (own + inner) * sizeof *filling->points);
  const size_t tetra_bytes = (size_t)head.tetrahedra * sizeof *filling->tetra;
  filling->tetra = arena_allocate(arena, tetra_bytes);
  memcpy(filling->points, mesh_block->points, own * sizeof *filling->points);
  memcpy(filling->points + own, from, inner * sizeof *filling->points);
  memcpy(filling->tetra, from + inner * sizeof(vec3), tetra_bytes);
  return true;
}

TetgenRecords tetgen_record_make(const MeshBlock *mesh_block, const Tetrahedra *filling)
{
  assert(filling->point_count >= mesh_block->point_count &&
         "the first points are those of the mesh block");
  assert(filling->tetra_count > 0 && "a filling has tetrahedra");
  RecordHead head = head_of(mesh_block);
  head.inner_points = filling->point_count - mesh_block->point_count;
  head.tetrahedra = filling->tetra_count;
  const size_t inner = (size_t)head.inner_points * sizeof *filling->points;
  const size_t tetra = (size_t)head.tetrahedra * sizeof *filling->tetra;
  TetgenRecords record = {.count = sizeof head + inner + tetra + sizeof(uint32_t)};
  record.bytes = memory_allocate(record.count);
  memcpy(record.bytes, &head, sizeof head);
  memcpy(record.bytes + sizeof head, filling->points + mesh_block->point_count, inner);
  memcpy(record.bytes + sizeof head + inner, filling->tetra, tetra);
  const uint32_t sum = crc32c(0, record.bytes, record.count - sizeof sum);
  memcpy(record.bytes + record.count - sizeof sum, &sum, sizeof sum);
  return record;
}

void tetgen_record_join(TetgenRecords *to, const TetgenRecords *from)
{
  assert(to != from && "records are joined with others");
  RecordHead head, same;
  size_t at = 0, bytes;
  while ((bytes = next_record(from, &at, NULL, &head)) > 0) {
    size_t known = 0;
    if (next_record(to, &known, &head, &same) == 0) {
      to->bytes = memory_resize(to->bytes, to->count + bytes);
      memcpy(to->bytes + to->count, from->bytes + at, bytes);
      to->count += bytes;
    }
    at += bytes;
  }
}
