#pragma once
// The skins of the shapes of a run, each stored once per rank.
#include "barrier_settings.h"
#include "shape.h"

typedef struct BarrierSkins BarrierSkins;

// Local. Skins are made on first use; the shapes outlive them.
BarrierSkins *barrier_skins_new(ShapeSet *shapes, const BarrierSettings *settings);
void barrier_skins_destroy(BarrierSkins *skins);

// Local. The skin of a shape, which was checked when the case was read.
const BarrierSurface *barrier_skins_get(BarrierSkins *skins, int shape);

// Local. Fills text with why a shape has none; false then.
bool barrier_skins_check(const Shape *shape, const BarrierSettings *settings, char *text,
                         size_t bytes);
