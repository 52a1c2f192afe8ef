// Fillings kept beside a mesh, read as those of the cache are, and what is made of one that is
// taken. Head and checksum would stop nearly every input: where the first byte is not '0', the head
// names the mesh block and both are made right. Without a filling in the file a program is asked
// for one, of which there is none here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc32c.h"
#include "fuzz.h"
#include "memory.h"
#include "tetgen.h"

#define HEAD_BYTES 56
#define COUNTS_AT 40   // in the head: of inner points, of tetrahedra

// A cube with a dent in its upper face, which needs a filling.
static vec3 points[9] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2},
                         {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 1, 1}};
static int triangles[14][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
                               {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7},
                               {4, 5, 8}, {5, 6, 8}, {6, 7, 8}, {7, 4, 8}};
static const int filling[12][4] = {{0, 2, 1, 8}, {0, 3, 2, 8}, {0, 1, 5, 8}, {0, 5, 4, 8},
                                   {1, 2, 6, 8}, {1, 6, 5, 8}, {2, 3, 7, 8}, {2, 7, 6, 8},
                                   {3, 0, 4, 8}, {3, 4, 7, 8}};
#define FILLING_COUNT 10

static MeshBlock mesh_block = {.name = "dent",
                               .point_count = 9,
                               .points = points,
                               .triangle_count = 14,
                               .triangles = triangles,
                               .volume = 8 - 4.0 / 3};

// Makes head and checksum right, as far as there are bytes for them.
static void mend(char *bytes, size_t count)
{
  if (count < HEAD_BYTES + sizeof(uint32_t)) return;
  // what is written for a mesh block shows its head
  const Tetrahedra own = {
      .point_count = 9, .points = points, .tetra_count = FILLING_COUNT, .tetra = filling};
  TetgenRecords record = tetgen_record_make(&mesh_block, &own);
  fuzz_expect(record.count > COUNTS_AT, "a filling begins with its head");
  memcpy(bytes, record.bytes, COUNTS_AT);
  memory_free(record.bytes);

  // as many tetrahedra as there is room for beside a few inner points
  const size_t room = count - HEAD_BYTES - sizeof(uint32_t);
  int64_t inner = bytes[COUNTS_AT] & 3;
  if ((size_t)inner * sizeof(vec3) > room) inner = 0;
  const int64_t tetrahedra = (int64_t)((room - (size_t)inner * sizeof(vec3)) / 16);
  memcpy(bytes + COUNTS_AT, &inner, sizeof inner);
  memcpy(bytes + COUNTS_AT + sizeof inner, &tetrahedra, sizeof tetrahedra);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t count)
{
  if (count < 1) return 0;
  fuzz_begin();
  size_t length = count - 1;
  char *bytes = memory_allocate(length + 1);
  memcpy(bytes, input + 1, length);
  if (input[0] != '0' && length >= HEAD_BYTES + sizeof(uint32_t)) {
    mend(bytes, length);
    int64_t counts[2];
    memcpy(counts, bytes + COUNTS_AT, sizeof counts);
    length = HEAD_BYTES + (size_t)counts[0] * sizeof(vec3) + (size_t)counts[1] * 16 + 4;
    const uint32_t sum = crc32c(0, bytes, length - sizeof sum);
    memcpy(bytes + length - sizeof sum, &sum, sizeof sum);
  }

  char mesh[1024], cache[TETGEN_CACHE_PATH], error[1024] = "";
  snprintf(mesh, sizeof mesh, "%s", fuzz_path("dent.obj"));
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  fuzz_expect(tetgen_cache_beside(mesh, cache), "a mesh has a file beside it");
  fuzz_write("dent.obj.tetra", bytes, length);
  TetgenRecords beside = tetgen_cache_read(cache);
  memory_free(bytes);

  Arena arena = arena_new();
  Tetrahedra found;
  TetgenReport report;
  const TetgenProgram none = {.program = "/no-program-of-this-name", .seconds = 1};
  if (tetgen_fill(&(TetgenTask){&mesh_block, mesh, none, &beside}, &arena, &found, &report,
                  (ErrorText){error, sizeof error})) {
    fuzz_expect(report.from_cache, "it can be from the file alone");
    const ShapeRecipe recipe = convex_parts(&found, &arena);
    Shape shape;
    if (recipe.part_count > 0 && shape_build(&recipe, &arena, &shape).status == SHAPE_OK) {
      const double error_of_volume = shape.volume - mesh_block.volume;
      fuzz_expect(error_of_volume < 1e-9 && error_of_volume > -1e-9, "it fills the block");
    }
  } else {
    fuzz_expect(fuzz_is_message(error, mesh), "a refusal is one line");
  }
  // whatever lies there, what is sound of it is joined to others and found again
  TetgenRecords joined = {0};
  tetgen_record_join(&joined, &beside);
  const size_t count_of_sound = joined.count;
  tetgen_record_join(&joined, &beside);
  fuzz_expect(joined.count == count_of_sound && joined.count <= beside.count,
              "records are joined once");
  memory_free(joined.bytes);
  memory_free(beside.bytes);
  arena_destroy(&arena);
  fuzz_end();
  return 0;
}
