// Turns cells of a file to positive volume and joins their tetrahedra along faces.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "face_key.h"
#include "mesh_hexa.h"
#include "mesh_tetra.h"
#include "mesh_union.h"
#include "mesh_weld.h"
#include "numbers.h"

// All tetrahedra of the file, of positive volume, with points at equal places in a piece made one.
typedef struct {
  const MeshFault *fault;
  int count;
  int (*corners)[4];           // vertices
  int (*hexa)[HEXA_CORNERS];   // [count / 6] vertices, where the file has hexahedra
  bool *turned;                // [count]
  const vec3 *points;          // of the file, m
  int *source;                 // [vertices] points of the file
  int *piece;                  // [count]
  int piece_count;
  int *fan;   // [4 count] corners that are one point: tetrahedra around it hang together
  int fan_count;
  bool *outer;   // [4 count] by opposite corner: the face belongs to no other tetrahedron
} Tetras;

// pool[i]: the piece, by common points of the file, of corner i.
static int *pools_by_points(const MeshSoup *soup, Arena *scratch)
{
  int *parent = union_new(soup->tetra_count, scratch);
  int *first = arena_allocate(scratch, (size_t)soup->point_count * sizeof(int));
  const NumberGroups mesh_blocks =
      numbers_group(soup->tetra_block, soup->tetra_count, soup->mesh_block_count, scratch);
  memset(first, 0xff, (size_t)soup->point_count * sizeof(int));
  for (int i = 0; i < soup->tetra_count; i++) {
    const int t = mesh_blocks.members[i];
    for (int k = 0; k < 4; k++) {
      int *known = &first[soup->tetra[t][k]];
      if (*known < 0 || soup->tetra_block[*known] != soup->tetra_block[t]) *known = t;
      else union_join(parent, *known, t);
    }
  }
  int *pool = arena_allocate(scratch, 4 * (size_t)soup->tetra_count * sizeof(int));
  for (int i = 0; i < 4 * soup->tetra_count; i++) pool[i] = union_root(parent, i / 4);
  return pool;
}

// Neighbours part the side between them alike once its corners are the same vertices.
static void split_hexahedron(Tetras *m, int hexa)
{
  assert_debug(HEXA_TETRA * hexa < m->count && "a hexahedron is six tetrahedra");
  mesh_hexa_split(m->hexa[hexa], &m->corners[HEXA_TETRA * hexa]);
}

// The row of corners, 4 tetra + corner, where a tetrahedron of a hexahedron has a point.
static int corner_with(const int (*tetra)[4], int hexa, int point)
{
  int row = 4 * HEXA_TETRA * hexa;
  while (tetra[row / 4][row % 4] != point) row++;
  assert_debug(row < 4 * HEXA_TETRA * (hexa + 1) && "its tetrahedra have all its corners");
  return row;
}

static void weld_hexahedra(Tetras *m, const int *number, Arena *scratch)
{
  const MeshSoup *soup = m->fault->soup;
  m->hexa = arena_allocate(scratch, (size_t)soup->hexa_count * sizeof *m->hexa);
  for (int h = 0; h < soup->hexa_count; h++) {
    for (int c = 0; c < HEXA_CORNERS; c++)
      m->hexa[h][c] = number[corner_with((const int(*)[4])soup->tetra, h, soup->hexa[h][c])];
    split_hexahedron(m, h);
  }
}

static void weld_corners(Tetras *m, const double *extents, Arena *scratch)
{
  const MeshSoup *soup = m->fault->soup;
  const int corners = 4 * soup->tetra_count;
  vec3 *points = arena_allocate(scratch, (size_t)corners * sizeof(vec3));
  double *tolerance = arena_allocate(scratch, (size_t)corners * sizeof(double));
  int *first = arena_allocate(scratch, (size_t)corners * sizeof(int));
  int *number = arena_allocate(scratch, (size_t)corners * sizeof(int));
  for (int i = 0; i < corners; i++) {
    points[i] = m->points[soup->tetra[i / 4][i % 4]];
    tolerance[i] = MESH_SAME_PLACE * extents[soup->tetra_block[i / 4]];
  }
  const WeldInput input = {corners, points, pools_by_points(soup, scratch), tolerance};
  const int count = mesh_weld_points(&input, number, first, scratch);
  m->count = soup->tetra_count;
  m->corners = arena_allocate(scratch, (size_t)m->count * sizeof(int[4]));
  m->source = arena_allocate(scratch, (size_t)count * sizeof(int));
  for (int i = 0; i < corners; i++) m->corners[i / 4][i % 4] = number[i];
  for (int v = 0; v < count; v++) m->source[v] = soup->tetra[first[v] / 4][first[v] % 4];
  weld_hexahedra(m, number, scratch);
}

// Six times a volume, m3. least: no more than that is none, to rounding.
static double sixfold_of(const Tetras *m, int tetra, double *least)
{
  assert_debug(tetra >= 0 && tetra < m->count && "a tetrahedron has a number");
  vec3 p[4];
  double longest = 0;
  for (int k = 0; k < 4; k++) p[k] = m->points[m->source[m->corners[tetra][k]]];
  for (int i = 0; i < 6; i++) {
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 1}};
    const double length = vec3_norm(vec3_sub(p[ends[i][1]], p[ends[i][0]]));
    if (length > longest) longest = length;
  }
  *least = 1e-14 * longest * longest * longest;
  return vec3_dot(vec3_sub(p[1], p[0]), vec3_cross(vec3_sub(p[2], p[0]), vec3_sub(p[3], p[0])));
}

// Mirrors hexahedra of negative volume; each tetrahedron of one has volume then, or it is refused.
static bool turn_hexahedra(Tetras *m)
{
  const MeshSoup *soup = m->fault->soup;
  double least;
  for (int h = 0; h < soup->hexa_count; h++) {
    const int first = HEXA_TETRA * h;
    double volume = 0;
    for (int t = first; t < first + HEXA_TETRA; t++) volume += sixfold_of(m, t, &least);
    for (int t = first; t < first + HEXA_TETRA; t++) m->turned[t] = volume < 0;
    for (int c = 0; c < 4 && volume < 0; c++) {
      const int corner = m->hexa[h][c];
      m->hexa[h][c] = m->hexa[h][c + 4], m->hexa[h][c + 4] = corner;
    }
    if (volume < 0) split_hexahedron(m, h);
    for (int t = first; t < first + HEXA_TETRA; t++) {
      if (sixfold_of(m, t, &least) > least) continue;
      return mesh_refuse(m->fault, soup->tetra_block[t],
                         "hexahedron %d of the file is flat or turned inside out in a part of it, "
                         "at %s",
                         h + 1, mesh_place(m->fault, soup->hexa[h][0]).text);
    }
  }
  return true;
}

// Turns tetrahedra of negative volume; one without volume, to rounding, is refused.
static bool turn_tetrahedra(Tetras *m, Arena *scratch)
{
  m->turned = arena_allocate(scratch, (size_t)m->count * sizeof(bool));
  if (m->fault->soup->hexa_count > 0) return turn_hexahedra(m);
  for (int t = 0; t < m->count; t++) {
    int *v = m->corners[t];
    double least;
    const double volume = sixfold_of(m, t, &least);
    if (!(fabs(volume) > least)) {
      return mesh_refuse(m->fault, m->fault->soup->tetra_block[t],
                         "tetrahedron %d of the file has no volume, at %s", t + 1,
                         mesh_place(m->fault, m->fault->soup->tetra[t][0]).text);
    }
    m->turned[t] = volume < 0;
    if (volume < 0) {
      const int corner = v[2];
      v[2] = v[3], v[3] = corner;
    }
  }
  return true;
}

// The tetrahedra of two keys of the same face hang together there: their corners are the same
// points.
static void join_faces(const Tetras *m, FaceKey p, FaceKey q, int *pieces, int *fans)
{
  assert_debug(p.number != q.number && "two tetrahedra meet at a face");
  const int t = p.number / 4, u = q.number / 4;
  union_join(pieces, t, u);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      if (m->corners[t][i] == m->corners[u][k]) union_join(fans, 4 * t + i, 4 * u + k);
    }
  }
}

static const char *cells_of(const Tetras *m)
{
  return m->fault->soup->hexa_count > 0 ? "hexahedra" : "tetrahedra";
}

static bool join_tetrahedra(Tetras *m, Arena *scratch)
{
  const int faces = 4 * m->count;
  FaceKey *keys = arena_allocate(scratch, (size_t)faces * sizeof(FaceKey));
  int *pieces = union_new(m->count, scratch), *fans = union_new(faces, scratch);
  m->outer = arena_allocate_zero(scratch, (size_t)faces, sizeof(bool));
  for (int f = 0; f < faces; f++) keys[f] = face_key_of_tetra(m->corners[f / 4], f % 4, f);
  face_keys_sort(keys, faces);
  for (int first = 0, end; first < faces; first = end) {
    end = face_keys_end(keys, faces, first);
    const int t = keys[first].number / 4, mesh_block = m->fault->soup->tetra_block[t];
    const int place = m->source[keys[first].vertex[0]];
    if (end - first > 2) {
      return mesh_refuse(m->fault, mesh_block, "a face at %s belongs to %d %s",
                         mesh_place(m->fault, place).text, end - first, cells_of(m));
    }
    if (end - first == 1) {
      m->outer[keys[first].number] = true;
    } else if (keys[first].odd == keys[first + 1].odd) {
      return mesh_refuse(m->fault, mesh_block, "two %s overlap, at %s", cells_of(m),
                         mesh_place(m->fault, place).text);
    } else {
      join_faces(m, keys[first], keys[first + 1], pieces, fans);
    }
  }
  m->piece = arena_allocate(scratch, (size_t)m->count * sizeof(int));
  m->fan = arena_allocate(scratch, (size_t)faces * sizeof(int));
  m->piece_count = union_number(pieces, m->count, m->piece);
  m->fan_count = union_number(fans, faces, m->fan);
  return true;
}

// Is a side of a hexahedron, of these vertices, on the surface?
static bool side_is_outer(const Tetras *m, int hexa, const int side[HEXA_SIDE])
{
  for (int row = 4 * HEXA_TETRA * hexa; row < 4 * HEXA_TETRA * (hexa + 1); row++) {
    const int *face = TETRA_FACE_CORNERS[row % 4];
    int shared = 0;
    for (int k = 0; k < 3 * HEXA_SIDE; k++)
      shared += m->corners[row / 4][face[k / HEXA_SIDE]] == side[k % HEXA_SIDE];
    if (m->outer[row] && shared == 3) return true;
  }
  return false;
}

// How far the diagonals of a side pass each other, m.
static double side_warp(const Tetras *m, const int side[HEXA_SIDE])
{
  vec3 p[HEXA_SIDE];
  for (int k = 0; k < HEXA_SIDE; k++) p[k] = m->points[m->source[side[k]]];
  const vec3 across = vec3_cross(vec3_sub(p[2], p[0]), vec3_sub(p[3], p[1]));
  const double length = vec3_norm(across);
  return length > 0 ? fabs(vec3_dot(across, vec3_sub(p[1], p[0]))) / length : INFINITY;
}

// Contact knows plane faces, so that sides on the surface lie in a plane, but for the digits of a
// file. extents: of mesh blocks, m.
static bool sides_are_flat(const Tetras *m, const double *extents)
{
  const MeshSoup *soup = m->fault->soup;
  for (int h = 0; h < soup->hexa_count; h++) {
    const int mesh_block = soup->tetra_block[HEXA_TETRA * h];
    for (int s = 0; s < HEXA_SIDES; s++) {
      int side[HEXA_SIDE];
      for (int k = 0; k < HEXA_SIDE; k++) side[k] = m->hexa[h][MESH_HEXA_SIDES[s][k]];
      const double warp = side_warp(m, side);
      if (warp <= MESH_DIGITS * extents[mesh_block] || !side_is_outer(m, h, side)) continue;
      return mesh_refuse(m->fault, mesh_block,
                         "hexahedron %d of the file has a side on the surface that is not plane, "
                         "at %s: its diagonals pass each other by %.3g m; move its corners into a "
                         "plane, or save tetrahedra",
                         h + 1, mesh_place(m->fault, m->source[side[0]]).text, warp);
    }
  }
  return true;
}

// Points of one piece in the order of the file. number[fan]: point of the piece.
static void number_points(const Tetras *m, const int *members, int count, int *number, Piece *piece,
                          MeshRepairs *repairs, Arena *arena)
{
  assert(count > 0 && "a piece has tetrahedra");
  NumberPair *sorted = arena_allocate(arena, 4 * (size_t)count * sizeof(NumberPair));
  int *numbers = arena_allocate(arena, 4 * (size_t)count * sizeof(int));
  int fans = 0;
  for (int i = 0; i < 4 * count; i++) {
    const int corner = 4 * members[i / 4] + i % 4;
    if (number[m->fan[corner]] >= 0) continue;
    number[m->fan[corner]] = 0;
    sorted[fans++] = (NumberPair){m->source[m->corners[corner / 4][corner % 4]], m->fan[corner]};
  }
  numbers_sort_pairs(sorted, fans);   // by point of the file, then by fan
  vec3 *points = arena_allocate(arena, (size_t)fans * sizeof(vec3));
  int *source = arena_allocate(arena, (size_t)fans * sizeof(int));
  for (int i = 0; i < fans; i++) {
    number[sorted[i].second] = i;
    source[i] = sorted[i].first;
    points[i] = m->points[source[i]];
    repairs->split_points += i > 0 && source[i] == source[i - 1];
  }
  piece->vertex_count = fans;
  piece->points = points;
  piece->source = source;
  for (int i = 0; i < 4 * count; i++) numbers[i] = m->fault->soup->tetra[members[i / 4]][i % 4];
  repairs->merged_points =
      numbers_sort_different(numbers, 4 * count) - (fans - repairs->split_points);
}

// The hexahedra of a piece, whose tetrahedra are in a row.
static void make_hexahedra(const Tetras *m, const int *members, const int *number, Piece *piece,
                           Arena *arena)
{
  assert(piece->tetra_count % HEXA_TETRA == 0 && "hexahedra are whole");
  piece->hexa_count = piece->tetra_count / HEXA_TETRA;
  int(*hexa)[HEXA_CORNERS] = arena_allocate(arena, (size_t)piece->hexa_count * sizeof *hexa);
  for (int i = 0; i < piece->hexa_count; i++) {
    const int h = members[HEXA_TETRA * i] / HEXA_TETRA;
    for (int c = 0; c < HEXA_CORNERS; c++) {
      const int row = corner_with((const int(*)[4])m->corners, h, m->hexa[h][c]);
      hexa[i][c] = number[m->fan[row]];
    }
  }
  piece->hexa = (const int(*)[HEXA_CORNERS])hexa;
}

// One piece: its tetrahedra and their outer faces in terms of its own points.
static void make_piece(const Tetras *m, const int *members, int count, int *number, Piece *piece,
                       MeshRepairs *repairs, Arena *arena)
{
  assert(count > 0 && members[0] >= 0 && "a piece has tetrahedra");
  *repairs = (MeshRepairs){0};
  *piece = (Piece){.fault = m->fault, .mesh_block = m->fault->soup->tetra_block[members[0]]};
  number_points(m, members, count, number, piece, repairs, arena);
  int(*tetra)[4] = arena_allocate(arena, (size_t)count * sizeof(int[4]));
  int outer = 0;
  for (int i = 0; i < 4 * count; i++) {
    const int corner = 4 * members[i / 4] + i % 4;
    tetra[i / 4][i % 4] = number[m->fan[corner]];
    outer += m->outer[corner];
  }
  piece->tetra_count = count;
  piece->tetra = (const int(*)[4])tetra;
  if (m->fault->soup->hexa_count > 0) make_hexahedra(m, members, number, piece, arena);
  piece->surface.count = outer;
  piece->surface.triangles = arena_allocate(arena, (size_t)outer * sizeof(int[3]));
  outer = 0;
  for (int i = 0; i < count; i++) {
    const bool part = piece->hexa_count > 0;
    repairs->turned_tetra += !part && m->turned[members[i]];
    repairs->turned_hexa += part && i % HEXA_TETRA == 0 && m->turned[members[i]];
    for (int k = 0; k < 4; k++) {
      if (!m->outer[4 * members[i] + k]) continue;
      int *triangle = piece->surface.triangles[outer++];
      for (int j = 0; j < 3; j++) triangle[j] = tetra[i][TETRA_FACE_CORNERS[k][j]];
    }
  }
}

bool mesh_tetra_pieces(const MeshFault *fault, const vec3 *points, const double *extents,
                       Arena *arena, TetraPieces *pieces)
{
  assert(fault != NULL && fault->soup != NULL && "tetrahedra are those of a file");
  assert(fault->soup->tetra_count <= INT_MAX / 4 && "corners are counted in ints");
  *pieces = (TetraPieces){0};
  Tetras m = {.fault = fault, .points = points};
  weld_corners(&m, extents, arena);
  if (!turn_tetrahedra(&m, arena) || !join_tetrahedra(&m, arena) || !sides_are_flat(&m, extents))
    return false;

  const size_t count = (size_t)m.piece_count;
  const NumberGroups groups = numbers_group(m.piece, m.count, m.piece_count, arena);
  int *number = arena_allocate(arena, (size_t)m.fan_count * sizeof(int));
  memset(number, 0xff, (size_t)m.fan_count * sizeof(int));
  pieces->count = m.piece_count;
  pieces->pieces = arena_allocate(arena, count * sizeof(Piece));
  pieces->first = arena_allocate(arena, count * sizeof(int));
  pieces->repairs = arena_allocate(arena, count * sizeof(MeshRepairs));
  for (int p = 0; p < m.piece_count; p++) {
    const int *members = groups.members + groups.start[p];
    pieces->first[p] = members[0];
    make_piece(&m, members, groups.start[p + 1] - groups.start[p], number, &pieces->pieces[p],
               &pieces->repairs[p], arena);
  }
  return true;
}
