#pragma once
// The contact model of surfaces as they are: points where two surfaces are nearest, locally, put
// together to patches where faces lie on faces.
#include "generator.h"
#include "lmd_search.h"

#define LMD_FACE_ANGLE 1e-2   // sine: faces and normals that lean less are of one patch

// Local. Points of quasi-LMDs (lmd_search.h) with gaps up to margin and reach, turned by at most
// pair->turn. Points between the same two faces are one patch along the mean of both faces'
// normals, reduced as the model patch does; its area is that which the faces share. Other points
// are patches of their own without area. Base surfaces that meet count as failed and get the points
// of the volumetric model, which open them again, or where a body has no parts one point
// (lmd_deep.h). Keys: part 0 and the feature of the base surface.
PatchSet lmd_model_find(const ModelPair *pair, Arena *arena);

// Local. The feature of a key (contacts.h) for a feature of a surface.
uint32_t lmd_model_feature(LmdFeature feature);
