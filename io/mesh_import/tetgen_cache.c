// Keeps fillings in files beside the mesh, named by the content of the mesh block.
#include "tetgen_cache.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "crc32c.h"
#include "disk.h"
#include "hash.h"
#include "memory.h"

#define CACHE_LARGEST ((size_t)1 << 36)   // bytes
#define CACHE_SEED 2                      // of the hash; another one forgets all files
#define UNFINISHED ".tmp-"                // behind the name of a file that is being written
#define RANDOM "XXXXXX"                   // behind that
#define RANDOM_SEED 2                     // of that name
enum { ATTEMPTS = 100 };                  // to find one that nobody has

// The file: this, inner points, tetrahedra, CRC-32C of all before it; little-endian.
typedef struct {
  char magic[16];
  uint64_t hash_low, hash_high;   // of the mesh block
  int64_t mesh_block_points, inner_points;
  int64_t tetrahedra;
} CacheHead;

static const char CACHE_MAGIC[16] = "drystone tetra1";

static Hash128 mesh_block_hash(const MeshBlock *mesh_block)
{
  assert(mesh_block->point_count > 0 && mesh_block->triangle_count > 0 &&
         "a mesh block has a surface");
  const size_t points = (size_t)mesh_block->point_count * sizeof *mesh_block->points;
  const size_t triangles = (size_t)mesh_block->triangle_count * sizeof *mesh_block->triangles;
  return hash_add(hash_bytes(mesh_block->points, points, CACHE_SEED),
                  hash_bytes(mesh_block->triangles, triangles, CACHE_SEED + 1));
}

bool tetgen_cache_path(const MeshBlock *mesh_block, const char *mesh_path, char *path, size_t bytes)
{
  assert(mesh_path != NULL && bytes > 0 && "a path has room");
  char digits[33];
  hash_to_text(mesh_block_hash(mesh_block), digits);
  const int length = snprintf(path, bytes, "%s.%.16s.tetra", mesh_path, digits);
  return length > 0 && (size_t)length < bytes;
}

static CacheHead cache_head(const MeshBlock *mesh_block)
{
  const Hash128 hash = mesh_block_hash(mesh_block);
  CacheHead head = {
      .hash_low = hash.low, .hash_high = hash.high, .mesh_block_points = mesh_block->point_count};
  memcpy(head.magic, CACHE_MAGIC, sizeof head.magic);
  return head;
}

// Does a file of so many bytes begin as it should and hold what it promises?
static bool head_fits(const CacheHead *head, const MeshBlock *mesh_block, size_t count)
{
  const CacheHead wanted = cache_head(mesh_block);
  if (memcmp(head->magic, wanted.magic, sizeof head->magic) != 0 ||
      head->hash_low != wanted.hash_low || head->hash_high != wanted.hash_high ||
      head->mesh_block_points != wanted.mesh_block_points)
    return false;
  if (head->inner_points < 0 || head->inner_points > INT32_MAX - mesh_block->point_count ||
      head->tetrahedra <= 0 || head->tetrahedra > INT32_MAX)
    return false;
  return count == sizeof *head + (size_t)head->inner_points * sizeof(vec3) +
                      (size_t)head->tetrahedra * sizeof(int32_t[4]) + sizeof(uint32_t);
}

// Removes what writers of a file that died have left beside it: those at work hold a lock. One that
// has not got so far yet loses its file, and the next run makes it anew.
static void remove_leftovers(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char folder[4096];
  const int length = slash ? (int)(slash - path) + 1 : 0;
  if ((size_t)length >= sizeof folder) return;
  snprintf(folder, sizeof folder, "%.*s", length, path);
  DIR *entries = opendir(length > 0 ? folder : ".");
  const size_t own = strlen(name);
  for (const struct dirent *e; entries && (e = readdir(entries));) {
    if (strncmp(e->d_name, name, own) != 0) continue;
    const char *tail = e->d_name + own;
    if (strlen(tail) != sizeof UNFINISHED RANDOM - 1 ||
        strncmp(tail, UNFINISHED, sizeof UNFINISHED - 1) != 0)
      continue;
    // a pipe of that name would hold us, and is nobody's leftover
    const int file = openat(dirfd(entries), e->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) continue;
    struct stat about;
    const bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    if (regular && flock(file, LOCK_EX | LOCK_NB) == 0) unlinkat(dirfd(entries), e->d_name, 0);
    close(file);
  }
  if (entries) closedir(entries);
}

bool tetgen_cache_read(const MeshBlock *mesh_block, const char *path, Arena *arena,
                       MeshFilling *filling)
{
  assert(path != NULL && filling != NULL && "a filling has a file and a place");
  remove_leftovers(path);
  DiskStatus status = {0};
  size_t count;
  char *bytes = disk_read_whole(path, CACHE_LARGEST, &count, &status);
  if (!bytes) return false;
  CacheHead head;
  bool sound = count > sizeof head + sizeof(uint32_t);
  if (sound) {
    uint32_t sum;
    memcpy(&head, bytes, sizeof head);
    memcpy(&sum, bytes + count - sizeof sum, sizeof sum);
    sound = head_fits(&head, mesh_block, count) && crc32c(0, bytes, count - sizeof sum) == sum;
  }
  if (sound) {
    const size_t own = (size_t)mesh_block->point_count, inner = (size_t)head.inner_points;
    *filling = (MeshFilling){.point_count = mesh_block->point_count + (int)head.inner_points,
                             .tetra_count = (int)head.tetrahedra};
    filling->points = arena_allocate(arena, (own + inner) * sizeof *filling->points);
    const size_t tetra_bytes = (size_t)head.tetrahedra * sizeof *filling->tetra;
    filling->tetra = arena_allocate(arena, tetra_bytes);
    memcpy(filling->points, mesh_block->points, own * sizeof *filling->points);
    memcpy(filling->points + own, bytes + sizeof head, inner * sizeof *filling->points);
    memcpy(filling->tetra, bytes + sizeof head + inner * sizeof(vec3), tetra_bytes);
  }
  memory_free(bytes);
  return sound;
}

// Opens a new file whose name ends with RANDOM, which is replaced until nobody has it; -1: it
// cannot be made. It gets the permissions that the user's umask leaves, as mkstemp's does not.
static int open_unfinished(char *path)
{
  assert(strlen(path) >= strlen(RANDOM) && "a name ends with letters to replace");
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  char *random = path + strlen(path) - strlen(RANDOM);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t seed = ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) + (uint64_t)getpid();
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    seed = hash_mix(seed, RANDOM_SEED);
    for (uint64_t i = 0, left = seed; i < strlen(RANDOM); i++, left /= 36)
      random[i] = letters[left % 36];
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

// A file of its own for this process, which gets the name of the path when it is complete.
static bool write_whole(const char *path, const char *bytes, size_t count)
{
  assert(bytes != NULL && count > 0 && "there is something to write");
  char folder[4096];
  const char *slash = strrchr(path, '/');
  const int length = slash ? (int)(slash - path) + 1 : 0;
  if ((size_t)length >= sizeof folder) return false;
  snprintf(folder, sizeof folder, "%.*s", length, path);
  const size_t room = strlen(path) + sizeof UNFINISHED RANDOM;
  char *temporary = memory_allocate(room);
  snprintf(temporary, room, "%s" UNFINISHED RANDOM, path);
  DiskStatus status = {0};
  const int file = open_unfinished(temporary);
  if (file >= 0) {
    (void)flock(file, LOCK_EX | LOCK_NB);   // held as long as it is written
    disk_write_at((DiskFile){file, temporary}, bytes, count, 0, &status);
    disk_sync_and_close(file, temporary, &status);
    disk_publish(temporary, length > 0 ? folder : ".", path, &status);
    if (status.failed) unlink(temporary);
  }
  memory_free(temporary);
  return file >= 0 && !status.failed;
}

bool tetgen_cache_write(const MeshBlock *mesh_block, const char *path, const MeshFilling *filling)
{
  assert(filling->point_count >= mesh_block->point_count &&
         "the first points are those of the mesh block");
  assert(filling->tetra_count > 0 && "a filling has tetrahedra");
  CacheHead head = cache_head(mesh_block);
  head.inner_points = filling->point_count - mesh_block->point_count;
  head.tetrahedra = filling->tetra_count;
  const size_t inner = (size_t)head.inner_points * sizeof *filling->points;
  const size_t tetra = (size_t)head.tetrahedra * sizeof *filling->tetra;
  const size_t count = sizeof head + inner + tetra + sizeof(uint32_t);
  char *bytes = memory_allocate(count);
  memcpy(bytes, &head, sizeof head);
  memcpy(bytes + sizeof head, filling->points + mesh_block->point_count, inner);
  memcpy(bytes + sizeof head + inner, filling->tetra, tetra);
  const uint32_t sum = crc32c(0, bytes, count - sizeof sum);
  memcpy(bytes + count - sizeof sum, &sum, sizeof sum);
  const bool written = write_whole(path, bytes, count);
  memory_free(bytes);
  return written;
}
