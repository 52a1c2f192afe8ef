#pragma once
// Frames for ParaView and Python: one HDF5 file each, XDMF and VTKHDF beside them. The polygons of
// the bodies stand once in topology.h5, or in each frame when bodies come or go.
#include "case.h"
#include "frame_lists.h"
#include "hdf5_layout.h"
#include "put_joints.h"
#include "results.h"
#include "shape.h"
#include "shape_mesh.h"
#include "state.h"

typedef struct {
  const Results *results;
  const Case *c;
  bool own_meshes;      // bodies come or go, so each frame has polygons of its own
  MeshRows mesh;        // of the bodies in topology.h5
  MeshRows elastic;     // of finite elements there
  bool linkable;        // which has them as VTKHDF does
  MeshSet meshes;       // of the shapes this rank met
  PutJoints joints;     // of pairs in the last frame
  Hdf5Layout *layout;   // of the last frame, on rank 0
  FrameLists lists;     // likewise
} Frames;

// What frames show.
typedef struct {
  const Case *c;
  const State *state;   // bodies may be distributed in any way
  ShapeSet *shapes;
} FrameScene;

// Collective. Writes topology.h5 unless bodies come or go, keeps the frames up to and with
// last_step and deletes later ones (last_step < 0: all of them), and makes the lists for ParaView
// tell of those kept. False on all ranks after one message; frames_end is due all the
// same.
bool frames_begin(Frames *frames, const Results *results, FrameScene shown, int64_t last_step);
void frames_end(Frames *frames);

// Collective. Writes frame-NNNNNN.h5 (N: step) with the output of all tables to a temporary name,
// synchronises it, renames it, and makes the XDMF files longer by it; results.vtkhdf follows now
// and then. False on all ranks after one message naming file and system reason.
bool frames_write(Frames *frames, const State *state);

// Collective. After the last frame: makes results.vtkhdf tell of all of them. False on all ranks
// after one message.
bool frames_finish(Frames *frames);
