// The views of frames, as tables.
#include "frame_views.h"

#include <assert.h>
#include <stddef.h>

#include "case.h"
#include "results.h"

#define LAST                           \
  {                                    \
    NULL, NULL, FIELD_F64, 0, 0, false \
  }

// Tensors have six components, which ParaView names XX YY ZZ XY YZ XZ.
static const ViewColumn BODIES[] = {
    {"body", "/mesh/body", FIELD_U64, 1, 0, true},
    {"part", "/mesh/part", FIELD_I32, 1, 0, true},
    {"material", "/mesh/material", FIELD_I32, 1, 0, true},
    {"drive", "/mesh/drive", FIELD_I32, 1, 0, true},
    {"rank", "/mesh/rank", FIELD_I32, 1, 0, false},
    {"speed", "/mesh/speed", FIELD_F64, 1, 0, false},
    {"velocity", "/mesh/velocity", FIELD_F64, 3, 0, false},
    {"displacement", "/mesh/displacement", FIELD_F32, 3, FRAME_DISPLACEMENT, false},
    {"mean_stress", "/mesh/mean_stress", FIELD_F32, 1, FRAME_STRESS, false},
    {"strain", "/mesh/strain", FIELD_F64, 6, VIEW_TENSORS, false},
    {"stress", "/mesh/stress", FIELD_F64, 6, VIEW_TENSORS, false},
    LAST};

// What bodies have without their mesh.
static const ViewColumn CENTRES[] = {
    {"body", "/bodies/id", FIELD_U64, 1, 0, false},
    {"drive", "/bodies/drive", FIELD_I32, 1, 0, false},
    {"material", "/bodies/material", FIELD_I32, 1, 0, false},
    {"mass", "/bodies/mass", FIELD_F64, 1, 0, false},
    {"velocity", "/bodies/velocity", FIELD_F64, 3, 0, false},
    {"spin", "/bodies/spin", FIELD_F64, 3, 0, false},
    {"displacement", "/bodies/displacement", FIELD_F64, 3, FRAME_DISPLACEMENT, false},
    {"rotation", "/bodies/rotation", FIELD_F64, 3, FRAME_ROTATION, false},
    {"volume", "/bodies/volume", FIELD_F64, 1, FRAME_VOLUME, false},
    {"stress", "/bodies/stress", FIELD_F64, 6, FRAME_STRESS, false},
    {"coordination", "/bodies/coordination", FIELD_I32, 1, FRAME_COORDINATION, false},
    LAST};

static const ViewColumn CONTACTS[] = {
    {"normal", "/contacts/normal", FIELD_F64, 3, 0, false},
    {"reaction", "/contacts/reaction_world", FIELD_F64, 3, 0, false},
    {"gap", "/contacts/gap", FIELD_F64, 1, 0, false},
    {"area", "/contacts/area", FIELD_F64, 1, 0, false},
    {"bond", "/contacts/bond", FIELD_I32, 1, 0, false},
    {"bodies", "/contacts/bodies", FIELD_U64, 2, 0, false},
    {"key", "/contacts/key", FIELD_U64, 6, 0, false},
    {"rank", "/contacts/rank", FIELD_I32, 1, 0, false},
    {"force", "/contacts/force", FIELD_F64, 3, FRAME_FORCE, false},
    {"pressure", "/contacts/pressure", FIELD_F64, 1, FRAME_PRESSURE, false},
    {"slip", "/contacts/slip", FIELD_F64, 1, FRAME_SLIP, false},
    {"status", "/contacts/status", FIELD_I32, 1, FRAME_STATUS, false},
    LAST};

static const ViewColumn INTERFACES[] = {
    {"bodies", "/interfaces/bodies", FIELD_U64, 2, 0, false},
    {"normal", "/interfaces/normal", FIELD_F64, 3, 0, false},
    {"force", "/interfaces/force", FIELD_F64, 3, 0, false},
    {"normal_force", "/interfaces/normal_force", FIELD_F64, 1, 0, false},
    {"eccentricity", "/interfaces/eccentricity", FIELD_F64, 3, 0, false},
    {"area", "/interfaces/area", FIELD_F64, 1, 0, false},
    {"opening", "/interfaces/opening", FIELD_F64, 1, 0, false},
    {"slip", "/interfaces/slip", FIELD_F64, 1, 0, false},
    {"hinge_rotation", "/interfaces/hinge_rotation", FIELD_F64, 3, 0, false},
    {"points", "/interfaces/points", FIELD_I32, 1, 0, false},
    LAST};

static const ViewColumn CHAINS[] = {{"force", "/chains/force", FIELD_F64, 1, 0, false},
                                    {"fixed", "/chains/fixed", FIELD_I32, 1, 0, false},
                                    LAST};

static const ViewColumn JOINTS[] = {{"force", "/joints/force", FIELD_F64, 3, 0, false},
                                    {"elongation", "/joints/elongation", FIELD_F64, 3, 0, false},
                                    {"plastic", "/joints/plastic", FIELD_F64, 3, 0, false},
                                    {"elastic", "/joints/elastic", FIELD_F64, 1, 0, false},
                                    {"status", "/joints/status", FIELD_I32, 1, 0, false},
                                    {"joint", "/joints/joint", FIELD_I32, 1, 0, false},
                                    {"rank", "/joints/rank", FIELD_I32, 1, 0, false},
                                    LAST};

// Rows of the volumetric law.
static const ViewColumn VOLUMES[] = {{"bodies", "/volumes/bodies", FIELD_U64, 2, 0, false},
                                     {"normal", "/volumes/normal", FIELD_F64, 3, 0, false},
                                     {"impulse", "/volumes/impulse", FIELD_F64, 3, 0, false},
                                     {"couple", "/volumes/couple", FIELD_F64, 3, 0, false},
                                     {"bristle", "/volumes/bristle", FIELD_F64, 3, 0, false},
                                     {"twist", "/volumes/twist", FIELD_F64, 1, 0, false},
                                     {"volume", "/volumes/volume", FIELD_F64, 1, 0, false},
                                     {"area", "/volumes/area", FIELD_F64, 1, 0, false},
                                     {"slides", "/volumes/slides", FIELD_I32, 1, 0, false},
                                     {"rank", "/volumes/rank", FIELD_I32, 1, 0, false},
                                     LAST};

static const ViewPlan PLANS[FRAME_VIEWS] = {
    [VIEW_BODIES] = {"bodies", RESULTS_BODIES, CELLS_POLYGONS, "/mesh/points", "/mesh/topology",
                     BODIES, 0},
    [VIEW_CENTRES] = {"centres", RESULTS_CENTRES, CELLS_POINTS, "/bodies/position", "/bodies/index",
                      CENTRES, FRAME_ALL},
    [VIEW_CONTACTS] = {"contacts", RESULTS_CONTACTS, CELLS_POINTS, "/contacts/point",
                       "/contacts/index", CONTACTS, 0},
    [VIEW_INTERFACES] = {"interfaces", RESULTS_INTERFACES, CELLS_POINTS, "/interfaces/point",
                         "/interfaces/index", INTERFACES, FRAME_INTERFACES},
    [VIEW_CHAINS] = {"chains", RESULTS_CHAINS, CELLS_LINES, "/bodies/position", "/chains/line",
                     CHAINS, FRAME_CHAINS},
    [VIEW_JOINTS] = {"joints", RESULTS_JOINTS, CELLS_LINES, "/joints/ends", "/joints/line", JOINTS,
                     0},
    [VIEW_VOLUMES] = {"volumes", RESULTS_VOLUMES, CELLS_POINTS, "/volumes/point", "/volumes/index",
                      VOLUMES, 0}};

const ViewPlan *frame_views_plan(FrameView view)
{
  assert(view < FRAME_VIEWS && "there is such a view");
  return &PLANS[view];
}

bool frame_views_show(FrameView view, const ShownFrame *frame)
{
  const unsigned fields = frame_views_plan(view)->fields;
  return fields == 0 || (frame->fields & fields) != 0;
}

bool frame_views_have(const ViewColumn *column, const ShownFrame *frame)
{
  if (column->field == VIEW_TENSORS) return frame->tensors;
  return column->field == 0 || (frame->fields & column->field) != 0;
}

uint64_t frame_views_cells(FrameView view, const ShownFrame *frame)
{
  switch (view) {
  case VIEW_BODIES: return frame->mesh.cells;
  case VIEW_CENTRES: return frame->told.bodies;
  case VIEW_CONTACTS: return frame->contacts;
  case VIEW_INTERFACES: return frame->told.interfaces;
  case VIEW_CHAINS: return frame->told.chains;
  case VIEW_JOINTS: return frame->joints;
  case VIEW_VOLUMES: return frame->volumes;
  case FRAME_VIEWS: break;
  }
  assert(!"there is such a view");
  return 0;
}

uint64_t frame_views_points(FrameView view, const ShownFrame *frame)
{
  switch (view) {
  case VIEW_BODIES: return frame->mesh.points;
  case VIEW_CHAINS: return frame->told.bodies;
  case VIEW_JOINTS: return 2 * frame->joints;
  default: return frame_views_cells(view, frame);
  }
}
