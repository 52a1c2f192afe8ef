// Makes skins of shapes when they are asked for.
#include "barrier_skins.h"

#include <assert.h>

#include "barrier_skin.h"
#include "memory.h"

struct BarrierSkins {
  ShapeSet *shapes;
  BarrierSkin skin;
  BarrierSurface **built;   // [shapes] NULL until asked for
  Arena arena;
};

static BarrierSkin skin_of(const BarrierSettings *settings)
{
  assert(settings->refine >= 1 && "sides have parts");
  return (BarrierSkin){0.5 * settings->scale.distance, settings->refine};
}

BarrierSkins *barrier_skins_new(ShapeSet *shapes, const BarrierSettings *settings)
{
  BarrierSkins *skins = memory_allocate(sizeof *skins);
  *skins = (BarrierSkins){.shapes = shapes, .skin = skin_of(settings), .arena = arena_new()};
  skins->built = memory_allocate_zero((size_t)shapes->count, sizeof(BarrierSurface *));
  return skins;
}

void barrier_skins_destroy(BarrierSkins *skins)
{
  if (!skins) return;
  arena_destroy(&skins->arena);
  memory_free(skins->built);
  memory_free(skins);
}

const BarrierSurface *barrier_skins_get(BarrierSkins *skins, int shape)
{
  assert(shape >= 0 && shape < skins->shapes->count && "a shape has a number");
  if (!skins->built[shape]) {
    BarrierSurface *surface = arena_allocate(&skins->arena, sizeof *surface);
    const BarrierSkinResult result = barrier_skin_build(shape_set_get(skins->shapes, shape),
                                                        skins->skin, &skins->arena, surface);
    assert(result.status == BARRIER_SKIN_OK && "skins were checked when the case was read");
    (void)result;
    skins->built[shape] = surface;
  }
  return skins->built[shape];
}

bool barrier_skins_check(const Shape *shape, const BarrierSettings *settings, char *text,
                         size_t bytes)
{
  Arena scratch = arena_new();
  BarrierSurface surface;
  const BarrierSkin skin = skin_of(settings);
  const BarrierSkinResult result = barrier_skin_build(shape, skin, &scratch, &surface);
  arena_destroy(&scratch);
  const bool sound = result.status == BARRIER_SKIN_OK;
  if (!sound) barrier_skin_text(result, skin, text, bytes);
  return sound;
}
