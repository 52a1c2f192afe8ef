#pragma once
// What soups become: mesh blocks, or the message of a refusal.
#include "mesh_block.h"
#include "mesh_soups.h"

typedef struct {
  Arena arena;
  MeshBlocks mesh_blocks;
  char error[1024];
  bool sound;
} Result;

static inline Result mesh_blocks_of(const Sketch *s, MeshFrame mesh_frame)
{
  Result r = {.arena = arena_new()};
  r.sound = mesh_block_make(&s->soup, mesh_frame, &r.arena, &r.mesh_blocks,
                            (ErrorText){r.error, sizeof r.error});
  return r;
}
