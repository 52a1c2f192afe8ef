// Mesh files of the corpus, whole and damaged: a sound soup or one message, never less.
// test: timeout 300
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "harness.h"
#include "hash.h"
#include "memory.h"
#include "mesh_soup.h"

#define FOLDER TESTS_FOLDER "/fuzz/mesh"
#define ROUNDS 1000     // damaged copies of each file; MESH_FUZZ_ROUNDS asks for more
#define BOMB_SHARE 50   // of which a file that is refused for its size has one in so many
#define MOST_FILES 512

// A file of the corpus.
typedef struct {
  char *name;
  char *bytes;
  size_t count;
  MeshFormat format;
} Specimen;

typedef struct {
  Specimen files[MOST_FILES];
  int count;
} Corpus;

typedef struct {
  long parsed, sound;
} Tally;

static const Specimen *find(const Corpus *corpus, const char *name)
{
  for (int i = 0; i < corpus->count; i++)
    if (strcmp(corpus->files[i].name, name) == 0) return &corpus->files[i];
  return NULL;
}

static bool is_kind(const char *name, const char *kind)
{
  return strncmp(name, kind, strlen(kind)) == 0;
}

// A .node is read with another file, not alone.
static bool is_alone(const Specimen *file)
{
  const char *point = strrchr(file->name, '.');
  return file->format != MESH_UNKNOWN && strcmp(point, ".node") != 0;
}

// -------------------------------------------------------------------------------------------------
// One parse and what must hold after it

// Reads every number of the soup: signed volume of its tetrahedra, or of what its faces enclose.
static double soup_volume(const MeshSoup *soup)
{
  double six_volumes = 0;
  for (int f = 0; f < soup->face_count; f++) {
    const int *corner = soup->corners + soup->face_start[f];
    const int corners = soup->face_start[f + 1] - soup->face_start[f];
    for (int c = 1; c + 1 < corners; c++)
      six_volumes += vec3_dot(soup->points[corner[0]],
                              vec3_cross(soup->points[corner[c]], soup->points[corner[c + 1]]));
  }
  for (int t = 0; t < soup->tetra_count; t++) {
    const vec3 origin = soup->points[soup->tetra[t][0]];
    vec3 edge[3];
    for (int i = 0; i < 3; i++) edge[i] = vec3_sub(soup->points[soup->tetra[t][i + 1]], origin);
    six_volumes += vec3_dot(edge[0], vec3_cross(edge[1], edge[2]));
  }
  return six_volumes / 6;
}

// Indices in range, faces of three corners at least, and no mesh block without a row or a name.
static bool is_sound(const MeshSoup *soup)
{
  const int rows = soup->face_count + soup->tetra_count;
  if (!mesh_soup_is_valid(soup) || rows == 0 || soup->mesh_block_count < 1) return false;
  const int *row_block = soup->face_count > 0 ? soup->face_block : soup->tetra_block;
  int next = 0;
  for (int i = 0; i < rows; i++) {   // numbered as they first come
    if (row_block[i] > next) return false;
    next += row_block[i] == next;
  }
  for (int b = 0; b < soup->mesh_block_count; b++)
    for (const char *p = soup->mesh_block_names[b]; *p; p++)
      if ((unsigned char)*p < 0x20 || *p == 0x7F) return false;
  return next == soup->mesh_block_count && soup->points != NULL;
}

// A message is one line of text that names one of the files first.
static bool is_message(const char *message, const MeshText *files, int file_count)
{
  for (const char *p = message; *p; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7F) return false;
  for (int i = 0; i < file_count; i++) {
    const size_t length = strlen(files[i].path);
    if (strncmp(message, files[i].path, length) == 0 && message[length] == ':')
      return strlen(message) > length + 5;
  }
  return false;
}

// Memory follows the size of the files, whatever they announce.
static bool is_modest(const Arena *arena, const MeshText *files, int file_count)
{
  size_t bytes = 0;
  for (int i = 0; i < file_count; i++) bytes += files[i].count;
  return arena->total < ((size_t)1 << 17) + 64 * bytes;
}

// True with a soup, whose volume is given back; false with a message.
static bool parse(MeshFormat format, const MeshText *files, int file_count, char message[1024],
                  double *volume, Tally *tally)
{
  Arena arena = arena_new();
  MeshSoup soup;
  const bool sound =
      mesh_parse((MeshFiles){format, file_count, files}, &arena, &soup, (ErrorText){message, 1024});
  if (sound) {
    CHECK(is_sound(&soup) && message[0] == 0);
    *volume = soup_volume(&soup);
  } else if (!CHECK(is_message(message, files, file_count))) {
    printf("  %s: '%s'\n", files[0].path, message);
  }
  CHECK(is_modest(&arena, files, file_count));
  arena_destroy(&arena);
  tally->parsed++;
  tally->sound += sound;
  return sound;
}

// An allocation of exactly the size of the file: the sanitizer sees a byte too far.
static void set_bytes(MeshText *file, const char *bytes, size_t count)
{
  char *copy = malloc(count > 0 ? count : 1);
  memcpy(copy, bytes, count);
  free((void *)file->bytes);
  file->bytes = copy;
  file->count = count;
}

// The files that a specimen needs, in allocations of exactly their sizes; free_files gives them
// back.
static int gather(const Corpus *corpus, const Specimen *file, MeshText files[2])
{
  Arena arena = arena_new();
  const char *paths[2];
  const int count = mesh_companions(file->name, paths, &arena);
  for (int i = 0; i < count; i++) {
    const Specimen *source = find(corpus, paths[i]);
    files[i] = (MeshText){.path = memory_copy_string(paths[i])};
    if (source) set_bytes(&files[i], source->bytes, source->count);
  }
  arena_destroy(&arena);
  return count;
}

static void free_files(MeshText *files, int count)
{
  for (int i = 0; i < count; i++) {
    memory_free((void *)files[i].path);
    free((void *)files[i].bytes);
  }
}

// -------------------------------------------------------------------------------------------------
// Whole files

// What follows a mark in the first bytes of a file, up to the end of the line; "" without one.
static const char *remark(const Specimen *file, const char *mark, char text[256])
{
  const size_t head = file->count < 400 ? file->count : 400;
  const char *found = memmem(file->bytes, head, mark, strlen(mark));
  text[0] = 0;
  for (size_t i = 0; found && i < 255; i++) {
    const char *p = found + strlen(mark) + i;
    const bool quote = *p == '"' && file->format == MESH_COMPAS;   // a text of JSON ends
    if (p == file->bytes + file->count || *p == '\n' || *p == '\r' || *p == 0 || quote) break;
    text[i] = *p;
    text[i + 1] = 0;
  }
  return text;
}

static void test_whole(const Corpus *corpus, const Specimen *file, Tally *tally)
{
  MeshText files[2];
  char message[1024], text[256];
  double volume = 0;
  const int count = gather(corpus, file, files);
  const bool sound = parse(file->format, files, count, message, &volume, tally);
  if (is_kind(file->name, "good-")) {
    if (!CHECK(sound)) printf("  %s\n", message);
    // some programs turn all faces inwards
    if (*remark(file, "volume: ", text)) CHECK_NEAR(fabs(volume), strtod(text, NULL), 1e-12);
  } else {
    const bool fits = CHECK(!sound) && CHECK(*remark(file, "expect: ", text) != 0) &&
                      CHECK(strstr(message, text) != NULL);
    if (!fits) printf("  %s: '%s', expected '%s'\n", file->name, message, text);
  }
  free_files(files, count);
}

// -------------------------------------------------------------------------------------------------
// Damage

// A sequence of numbers that is a function of file and round alone.
typedef struct {
  uint64_t seed, next;
} Dice;

static size_t roll(Dice *dice, size_t sides)
{
  return (size_t)(hash_mix(dice->seed, dice->next++) % (sides > 0 ? sides : 1));
}

// A file in damage, in an allocation with room to grow.
typedef struct {
  char *bytes;
  size_t count, room;
} Patient;

// Replaces a range by other bytes, as far as there is room.
static void replace(Patient *patient, size_t begin, size_t removed, const char *bytes, size_t count)
{
  if (patient->count - removed + count > patient->room) return;
  memmove(patient->bytes + begin + count, patient->bytes + begin + removed,
          patient->count - begin - removed);
  memcpy(patient->bytes + begin, bytes, count);
  patient->count += count - removed;
}

// The range of the line that holds a byte, with its end.
static void find_line(const Patient *patient, size_t at, size_t *begin, size_t *end)
{
  *begin = *end = at;
  while (*begin > 0 && patient->bytes[*begin - 1] != '\n') --*begin;
  while (*end < patient->count && patient->bytes[*end] != '\n') ++*end;
  if (*end < patient->count) ++*end;
}

// Another number in the place of one at or after a byte.
static void damage_number(Patient *patient, Dice *dice, size_t at)
{
  static const char *const numbers[] = {"0",
                                        "-1",
                                        "1",
                                        "2",
                                        "3",
                                        "255",
                                        "2147483647",
                                        "2147483648",
                                        "4294967295",
                                        "1e99",
                                        "nan",
                                        "-inf",
                                        "0x1",
                                        "1e400",
                                        "00",
                                        "-",
                                        "",
                                        "18446744073709551615",
                                        ".",
                                        "1 1",
                                        "10",
                                        "4.1",
                                        "1000000000000",
                                        "-9223372036854775808"};
  size_t begin = at;
  while (begin < patient->count && !strchr("0123456789", patient->bytes[begin])) begin++;
  size_t end = begin;
  while (end < patient->count && strchr("0123456789.eE+-", patient->bytes[end]) &&
         patient->bytes[end])
    end++;
  const char *number = numbers[roll(dice, sizeof numbers / sizeof numbers[0])];
  if (begin < patient->count) replace(patient, begin, end - begin, number, strlen(number));
}

// Another binary value of 1 to 8 bytes at any place, in either byte order.
static void damage_value(Patient *patient, Dice *dice, size_t at)
{
  static const uint64_t values[] = {0,
                                    1,
                                    2,
                                    3,
                                    0x7F,
                                    0x80,
                                    0xFF,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFF,
                                    UINT64_MAX,
                                    INT64_MAX,
                                    10,
                                    1000000000,
                                    UINT64_MAX - 1,
                                    0x7FF0000000000000};
  const size_t size = (size_t)1 << roll(dice, 4);
  const uint64_t value = values[roll(dice, sizeof values / sizeof values[0])];
  const bool big_endian = roll(dice, 2);
  for (size_t i = 0; i < size && at + i < patient->count; i++)
    patient->bytes[at + i] = (char)(value >> 8 * (big_endian ? size - 1 - i : i));
}

static void damage_line(Patient *patient, Dice *dice, size_t at)
{
  size_t begin, end, other_begin, other_end;
  find_line(patient, at, &begin, &end);
  find_line(patient, roll(dice, patient->count), &other_begin, &other_end);
  char line[512];
  const size_t length = end - begin < sizeof line ? end - begin : sizeof line;
  memcpy(line, patient->bytes + begin, length);
  switch (roll(dice, 3)) {
  case 0: replace(patient, begin, end - begin, line, 0); break;                    // gone
  case 1: replace(patient, begin, 0, line, length); break;                         // twice
  default: replace(patient, other_begin, other_end - other_begin, line, length);   // elsewhere
  }
}

static void damage(Patient *patient, const Specimen *other, Dice *dice)
{
  static const char letters[] = " \t\n\r\\#/.-+eE0123456789$\"vfogslx\0\x1A\x7F\x80\xFF";
  if (patient->count == 0) return;
  const size_t at = roll(dice, patient->count);
  const char letter = letters[roll(dice, sizeof letters - 1)];
  const size_t piece = roll(dice, other->count), length = roll(dice, 64);
  const size_t there = length < other->count - piece ? length : other->count - piece;
  const size_t here = length < patient->count - at ? length : patient->count - at;
  switch (roll(dice, 10)) {
  case 0: patient->bytes[at] ^= (char)(1u << roll(dice, 8)); break;
  case 1: patient->bytes[at] = letter; break;
  case 2: replace(patient, at, 0, &letter, 1); break;
  case 3: replace(patient, at, here, &letter, 0); break;
  case 4: patient->count = roll(dice, 4) ? patient->count - 1 : at; break;
  case 5: replace(patient, at, here, other->bytes + piece, there); break;
  case 6: damage_value(patient, dice, at); break;
  case 7: damage_line(patient, dice, at); break;
  default: damage_number(patient, dice, at);
  }
}

// Another file of the same format, from which pieces come.
static const Specimen *pick_other(const Corpus *corpus, const Specimen *file, Dice *dice)
{
  const size_t start = roll(dice, (size_t)corpus->count);
  for (int i = 0; i < corpus->count; i++) {
    const Specimen *other = &corpus->files[(start + (size_t)i) % (size_t)corpus->count];
    if (other->format == file->format) return other;
  }
  return file;
}

static void test_damaged(const Corpus *corpus, const Specimen *file, long rounds, Tally *tally)
{
  uint64_t seed = file->count;
  for (const char *p = file->name; *p; p++) seed = hash_mix(seed, (unsigned char)*p);
  for (long round = 0; round < rounds; round++) {
    Dice dice = {hash_mix(seed, (uint64_t)round), 0};
    MeshText files[2];
    const int count = gather(corpus, file, files);
    MeshText *victim = &files[count > 1 && files[1].bytes && roll(&dice, 2)];

    Patient patient = {.count = victim->count, .room = 2 * victim->count + 1024};
    patient.bytes = malloc(patient.room);
    memcpy(patient.bytes, victim->bytes, victim->count);
    for (size_t n = 1 + roll(&dice, 3); n > 0; n--)
      damage(&patient, pick_other(corpus, file, &dice), &dice);

    set_bytes(victim, patient.bytes, patient.count);
    free(patient.bytes);

    char message[1024];
    double volume;
    parse(file->format, files, count, message, &volume, tally);
    free_files(files, count);
  }
}

// Cut at every byte, or at 600 places.
static void test_cut(const Corpus *corpus, const Specimen *file, Tally *tally)
{
  char message[1024];
  double volume;
  const size_t step = file->count / 600 + 1;
  for (size_t cut = 0; cut < file->count; cut += step) {
    MeshText files[2];
    const int count = gather(corpus, file, files);
    set_bytes(&files[0], file->bytes, cut);
    parse(file->format, files, count, message, &volume, tally);
    free_files(files, count);
  }
}

// -------------------------------------------------------------------------------------------------

static void load(Corpus *corpus)
{
  struct dirent **entries;
  const int count = scandir(FOLDER, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    if ((is_kind(name, "good-") || is_kind(name, "bad-")) && corpus->count < MOST_FILES) {
      DiskStatus status = {0};
      Specimen *file = &corpus->files[corpus->count];
      char *path = disk_path(FOLDER, name);
      file->bytes = disk_read_whole(path, 1 << 20, &file->count, &status);
      file->name = memory_copy_string(name);
      file->format = mesh_format(name);
      if (CHECK(!status.failed)) corpus->count++;
      memory_free(path);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

int main(void)
{
  const char *asked = getenv("MESH_FUZZ_ROUNDS");
  const long usual = test_rounds(ROUNDS);
  const long rounds = asked ? strtol(asked, NULL, 10) : usual;
  static Corpus corpus;
  load(&corpus);

  Tally whole = {0}, cut = {0}, damaged = {0};
  int good[MESH_UNKNOWN] = {0}, bad[MESH_UNKNOWN] = {0};
  for (int i = 0; i < corpus.count; i++) {
    const Specimen *file = &corpus.files[i];
    if (!is_alone(file)) continue;
    good[file->format] += is_kind(file->name, "good-");
    bad[file->format] += is_kind(file->name, "bad-");
    test_whole(&corpus, file, &whole);
    test_cut(&corpus, file, &cut);
    test_damaged(&corpus, file, is_kind(file->name, "bad-bomb") ? rounds / BOMB_SHARE : rounds,
                 &damaged);
  }
  for (int format = 0; format < MESH_UNKNOWN; format++)
    CHECK(good[format] >= 3 && bad[format] >= 10);

  // damage that breaks everything, or nothing, would test little
  CHECK(damaged.sound > damaged.parsed / 50 && damaged.sound < damaged.parsed / 2);
  printf("%ld files, %ld cut short, %ld damaged ones, of which %ld were read\n", whole.parsed,
         cut.parsed, damaged.parsed, damaged.sound);
  for (int i = 0; i < corpus.count; i++) {
    memory_free(corpus.files[i].name);
    memory_free(corpus.files[i].bytes);
  }
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
