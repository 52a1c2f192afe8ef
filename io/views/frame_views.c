// The views of frames, as tables.
#include "frame_views.h"

#include <assert.h>
#include <stddef.h>

#include "case.h"
#include "results.h"

#define LAST                                 \
  {                                          \
    NULL, NULL, FIELD_F64, 0, 0, ROWS_MOVING \
  }

// Tensors have six components, which ParaView names XX YY ZZ XY YZ XZ.
static const ViewColumn BODIES[] = {
    {"body", "/mesh/body", FIELD_U64, 1, 0, ROWS_FIXED},
    {"part", "/mesh/part", FIELD_I32, 1, 0, ROWS_FIXED},
    {"material", "/mesh/material", FIELD_I32, 1, 0, ROWS_FIXED},
    {"drive", "/mesh/drive", FIELD_I32, 1, 0, ROWS_FIXED},
    {"rank", "/mesh/rank", FIELD_I32, 1, 0, ROWS_MOVING},
    {"speed", "/mesh/speed", FIELD_F64, 1, 0, ROWS_MOVING},
    {"velocity", "/mesh/velocity", FIELD_F64, 3, 0, ROWS_MOVING},
    {"displacement", "/mesh/displacement", FIELD_F32, 3, FRAME_DISPLACEMENT, ROWS_MOVING},
    {"mean_stress", "/mesh/mean_stress", FIELD_F32, 1, FRAME_STRESS, ROWS_MOVING},
    {"strain", "/mesh/strain", FIELD_F64, 6, VIEW_TENSORS, ROWS_MOVING},
    {"stress", "/mesh/stress", FIELD_F64, 6, VIEW_TENSORS, ROWS_MOVING},
    LAST};

// What bodies have without their mesh.
static const ViewColumn CENTRES[] = {
    {"body", "/bodies/id", FIELD_U64, 1, 0, ROWS_MOVING},
    {"drive", "/bodies/drive", FIELD_I32, 1, 0, ROWS_MOVING},
    {"material", "/bodies/material", FIELD_I32, 1, 0, ROWS_MOVING},
    {"mass", "/bodies/mass", FIELD_F64, 1, 0, ROWS_MOVING},
    {"velocity", "/bodies/velocity", FIELD_F64, 3, 0, ROWS_MOVING},
    {"spin", "/bodies/spin", FIELD_F64, 3, 0, ROWS_MOVING},
    {"displacement", "/bodies/displacement", FIELD_F64, 3, FRAME_DISPLACEMENT, ROWS_MOVING},
    {"rotation", "/bodies/rotation", FIELD_F64, 3, FRAME_ROTATION, ROWS_MOVING},
    {"volume", "/bodies/volume", FIELD_F64, 1, FRAME_VOLUME, ROWS_MOVING},
    {"stress", "/bodies/stress", FIELD_F64, 6, FRAME_STRESS, ROWS_MOVING},
    {"coordination", "/bodies/coordination", FIELD_I32, 1, FRAME_COORDINATION, ROWS_MOVING},
    LAST};

static const ViewColumn CONTACTS[] = {
    {"normal", "/contacts/normal", FIELD_F64, 3, 0, ROWS_MOVING},
    {"reaction", "/contacts/reaction_world", FIELD_F64, 3, 0, ROWS_MOVING},
    {"gap", "/contacts/gap", FIELD_F64, 1, 0, ROWS_MOVING},
    {"area", "/contacts/area", FIELD_F64, 1, 0, ROWS_MOVING},
    {"bond", "/contacts/bond", FIELD_I32, 1, 0, ROWS_MOVING},
    {"bodies", "/contacts/bodies", FIELD_U64, 2, 0, ROWS_MOVING},
    {"key", "/contacts/key", FIELD_U64, 6, 0, ROWS_MOVING},
    {"rank", "/contacts/rank", FIELD_I32, 1, 0, ROWS_MOVING},
    {"force", "/contacts/force", FIELD_F64, 3, FRAME_FORCE, ROWS_MOVING},
    {"pressure", "/contacts/pressure", FIELD_F64, 1, FRAME_PRESSURE, ROWS_MOVING},
    {"slip", "/contacts/slip", FIELD_F64, 1, FRAME_SLIP, ROWS_MOVING},
    {"status", "/contacts/status", FIELD_I32, 1, FRAME_STATUS, ROWS_MOVING},
    LAST};

static const ViewColumn INTERFACES[] = {
    {"bodies", "/interfaces/bodies", FIELD_U64, 2, 0, ROWS_MOVING},
    {"normal", "/interfaces/normal", FIELD_F64, 3, 0, ROWS_MOVING},
    {"force", "/interfaces/force", FIELD_F64, 3, 0, ROWS_MOVING},
    {"normal_force", "/interfaces/normal_force", FIELD_F64, 1, 0, ROWS_MOVING},
    {"eccentricity", "/interfaces/eccentricity", FIELD_F64, 3, 0, ROWS_MOVING},
    {"area", "/interfaces/area", FIELD_F64, 1, 0, ROWS_MOVING},
    {"opening", "/interfaces/opening", FIELD_F64, 1, 0, ROWS_MOVING},
    {"slip", "/interfaces/slip", FIELD_F64, 1, 0, ROWS_MOVING},
    {"hinge_rotation", "/interfaces/hinge_rotation", FIELD_F64, 3, 0, ROWS_MOVING},
    {"points", "/interfaces/points", FIELD_I32, 1, 0, ROWS_MOVING},
    LAST};

static const ViewColumn CHAINS[] = {{"force", "/chains/force", FIELD_F64, 1, 0, ROWS_MOVING},
                                    {"fixed", "/chains/fixed", FIELD_I32, 1, 0, ROWS_MOVING},
                                    LAST};

static const ViewColumn JOINTS[] = {
    {"force", "/joints/force", FIELD_F64, 3, 0, ROWS_MOVING},
    {"elongation", "/joints/elongation", FIELD_F64, 3, 0, ROWS_MOVING},
    {"plastic", "/joints/plastic", FIELD_F64, 3, 0, ROWS_MOVING},
    {"elastic", "/joints/elastic", FIELD_F64, 1, 0, ROWS_MOVING},
    {"status", "/joints/status", FIELD_I32, 1, 0, ROWS_MOVING},
    {"joint", "/joints/joint", FIELD_I32, 1, 0, ROWS_MOVING},
    {"rank", "/joints/rank", FIELD_I32, 1, 0, ROWS_MOVING},
    LAST};

// Rows of the volumetric law.
static const ViewColumn VOLUMES[] = {{"bodies", "/volumes/bodies", FIELD_U64, 2, 0, ROWS_MOVING},
                                     {"normal", "/volumes/normal", FIELD_F64, 3, 0, ROWS_MOVING},
                                     {"impulse", "/volumes/impulse", FIELD_F64, 3, 0, ROWS_MOVING},
                                     {"couple", "/volumes/couple", FIELD_F64, 3, 0, ROWS_MOVING},
                                     {"bristle", "/volumes/bristle", FIELD_F64, 3, 0, ROWS_MOVING},
                                     {"twist", "/volumes/twist", FIELD_F64, 1, 0, ROWS_MOVING},
                                     {"volume", "/volumes/volume", FIELD_F64, 1, 0, ROWS_MOVING},
                                     {"area", "/volumes/area", FIELD_F64, 1, 0, ROWS_MOVING},
                                     {"slides", "/volumes/slides", FIELD_I32, 1, 0, ROWS_MOVING},
                                     {"rank", "/volumes/rank", FIELD_I32, 1, 0, ROWS_MOVING},
                                     LAST};

// Nodes and cells of finite elements.
static const ViewColumn ELASTIC[] = {
    {"body", "/elastic/body", FIELD_U64, 1, 0, ROWS_FIXED},
    {"material", "/elastic/material", FIELD_I32, 1, 0, ROWS_FIXED},
    {"rank", "/elastic/rank", FIELD_I32, 1, 0, ROWS_MOVING},
    {"velocity", "/elastic/velocity", FIELD_F64, 3, 0, ROWS_POINTS},
    {"displacement", "/elastic/displacement", FIELD_F64, 3, FRAME_DISPLACEMENT, ROWS_POINTS},
    {"force", "/elastic/force", FIELD_F64, 3, FRAME_FORCE, ROWS_POINTS},
    {"stress", "/elastic/stress", FIELD_F64, 6, FRAME_STRESS, ROWS_POINTS},
    {"principal_stress", "/elastic/principal_stress", FIELD_F64, 3, FRAME_STRESS, ROWS_POINTS},
    {"von_mises", "/elastic/von_mises", FIELD_F64, 1, FRAME_STRESS, ROWS_POINTS},
    LAST};

static const ViewPlan PLANS[FRAME_VIEWS] = {
    [VIEW_BODIES] = {"bodies", RESULTS_BODIES, CELLS_POLYGONS, "/mesh", "/mesh/points",
                     "/mesh/topology", BODIES, 0},
    [VIEW_CENTRES] = {"centres", RESULTS_CENTRES, CELLS_POINTS, NULL, "/bodies/position",
                      "/bodies/index", CENTRES, FRAME_ALL},
    [VIEW_CONTACTS] = {"contacts", RESULTS_CONTACTS, CELLS_POINTS, NULL, "/contacts/point",
                       "/contacts/index", CONTACTS, 0},
    [VIEW_INTERFACES] = {"interfaces", RESULTS_INTERFACES, CELLS_POINTS, NULL, "/interfaces/point",
                         "/interfaces/index", INTERFACES, FRAME_INTERFACES},
    [VIEW_CHAINS] = {"chains", RESULTS_CHAINS, CELLS_LINES, NULL, "/bodies/position",
                     "/chains/line", CHAINS, FRAME_CHAINS},
    [VIEW_JOINTS] = {"joints", RESULTS_JOINTS, CELLS_LINES, NULL, "/joints/ends", "/joints/line",
                     JOINTS, 0},
    [VIEW_VOLUMES] = {"volumes", RESULTS_VOLUMES, CELLS_POINTS, NULL, "/volumes/point",
                      "/volumes/index", VOLUMES, 0},
    [VIEW_ELASTIC] = {"elastic", RESULTS_ELASTIC, CELLS_VOLUMES, "/elastic", "/elastic/points",
                      "/elastic/topology", ELASTIC, 0}};

const ViewPlan *frame_views_plan(FrameView view)
{
  assert(view < FRAME_VIEWS && "there is such a view");
  return &PLANS[view];
}

bool frame_views_show(FrameView view, const ShownFrame *frame)
{
  if (view == VIEW_ELASTIC) return frame->elastic.points > 0;
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
  case VIEW_ELASTIC: return frame->elastic.cells;
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
  case VIEW_ELASTIC: return frame->elastic.points;
  default: return frame_views_cells(view, frame);
  }
}

uint64_t frame_views_loops(FrameView view, const ShownFrame *frame)
{
  switch (view) {
  case VIEW_BODIES: return frame->mesh.loops;
  case VIEW_ELASTIC: return frame->elastic.loops;
  default: break;
  }
  const uint64_t cells = frame_views_cells(view, frame);
  return frame_views_plan(view)->cells == CELLS_LINES ? 2 * cells : cells;
}
