#pragma once
// DXF, text form, while it is read: pairs of a group code and a value, and where a block is placed.
#include "mesh_draft.h"

// A pair, and where the next one begins.
typedef struct {
  const char *at;
  int64_t line;   // of the value
  int code;
  MeshWord value;
} DxfPair;

// An INSERT in a block: the block that it names, and its pair.
typedef struct {
  MeshWord name;
  DxfPair begin;
} DxfInner;

// What BLOCKS defines under a name.
typedef struct {
  MeshWord name;
  vec3 base;
  DxfPair first;           // of its entities
  size_t bytes;            // of these
  int64_t inner, inners;   // its first INSERT, and how many they are
  size_t weight;           // bytes that one placement reads, with blocks within it; 0: not weighed
  int height;              // of blocks within it, once it is weighed
  bool open;               // it is being weighed or placed
} DxfBlock;

// From coordinates of a block to those of the file: turn x + shift.
typedef struct {
  mat3 turn;
  vec3 shift;
  int depth;   // of blocks in blocks; 0: the file itself, whose coordinates are taken as they are
  int64_t key;
} DxfPlacement;

typedef struct {
  MeshScan scan;
  MeshDraft *draft;
  DxfPair pair;
  MeshList names;    // MeshWord, of mesh blocks: layers and placements
  MeshList placed;   // bool, of the same: a placement, which is like no other
  MeshList blocks;   // DxfBlock, by name once BLOCKS has ended
  MeshList inners;   // DxfInner, of one block after another
  DxfPlacement placement;
  size_t placed_bytes;   // of placements so far
  int64_t unit;          // $INSUNITS
} DxfReader;

// Local. Goes to the next pair; false at the end of the file.
bool mesh_dxf_next(DxfReader *reader);

// Local. Goes to the next pair of code 0, which begins an entity or ends a list of them.
bool mesh_dxf_skip(DxfReader *reader);

// Local. Whether the pair is 0 and that word.
bool mesh_dxf_is(const DxfReader *reader, const char *word);

// Local. Goes back, or on, to a pair of the file.
void mesh_dxf_go_to(DxfReader *reader, DxfPair pair);

// Local. The pair is BLOCK: notes the block; then at its ENDBLK.
bool mesh_dxf_note_block(DxfReader *reader);

// Local. Orders the blocks noted so far by name; no two may share one.
bool mesh_dxf_order_blocks(DxfReader *reader);

// Local. The block of that name, to be placed in a block that lies that deep; NULL with a message
// where there is none, where it is open, or where this is too deep.
DxfBlock *mesh_dxf_find_block(DxfReader *reader, MeshWord name, int depth);

// Local. Counts the bytes that placing a block at that depth reads: each block is counted once,
// however often it is placed. False with a message where a block within it cannot be found or is
// too deep. The reader may then be at another pair.
bool mesh_dxf_weigh(DxfReader *reader, DxfBlock *block, int depth);

// Local. Reads the value of this pair as a number, or a whole number.
bool mesh_dxf_number(DxfReader *reader, const char *what, double *value);
bool mesh_dxf_integer(DxfReader *reader, const char *what, int64_t *value);

// Local. If the code is 10, 20 or 30 plus the number of a point, reads x, y or z of it and marks it
// as given; other codes change nothing.
bool mesh_dxf_point(DxfReader *reader, int number, vec3 *point, unsigned *given);

// Local. The mesh block of a layer, or of the block that is being placed.
int64_t mesh_dxf_key(DxfReader *reader, MeshWord layer);

// Local. A new mesh block; placed: like no other one of its name.
int64_t mesh_dxf_add_name(DxfReader *reader, MeshWord name, bool placed);

// Local. A face, a polyface mesh or a polygon mesh, from the pair of its name on; then at the next
// entity.
bool mesh_dxf_face(DxfReader *reader);
bool mesh_dxf_polyline(DxfReader *reader);
