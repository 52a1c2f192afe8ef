#pragma once
// The files bodies.xmf, contacts.xmf and others, which ParaView opens: where in the HDF5 files each
// frame lies. Local.
//
// Forms that both of ParaView's readers take: temporal collection of uniform grids, polygons in a
// mixed topology, exact dimensions, precision named everywhere, points with an explicit list of
// vertices.
#include <stdbool.h>
#include <stdint.h>

#include "disk.h"

typedef struct {
  uint64_t points, cells, loops;
} XdmfMesh;   // corners, facets, corners in all facets

// Rows of bodies, interfaces and chains.
typedef struct {
  uint64_t bodies, interfaces, chains;
} XdmfRows;

typedef struct {
  int64_t step;
  double time;                          // s
  uint64_t contacts, joints, volumes;   // rows
  XdmfRows told;
  unsigned fields;   // what the frame tells besides, FRAME_... of case.h
  bool own_mesh;     // polygons stand in the frame, not in topology.h5
  bool tensors;      // strain and stress of facets stand in the frame
  XdmfMesh mesh;
} XdmfFrame;

// Where a file can be made longer in place. Behind the closing tags is room, blanks in a processing
// instruction: a frame and new closing tags are written there first, then blanks over the old tags.
// So the file is well formed at all times, and a frame costs the same however many there are.
typedef struct {
  uint64_t tags, room, end;   // offsets in the file: closing tags, first free byte, bytes in all
} XdmfPlace;

typedef enum {
  XDMF_BODIES,
  XDMF_CENTRES,
  XDMF_CONTACTS,
  XDMF_INTERFACES,
  XDMF_CHAINS,
  XDMF_JOINTS,
  XDMF_VOLUMES,
  XDMF_FILES
} XdmfKind;

// The name of a file, and whether a frame has what it shows.
const char *xdmf_name(XdmfKind kind);
bool xdmf_shows(XdmfKind kind, const XdmfFrame *frame);

// Replaces one of these files in a folder, frame by frame, with room for more once there
// are many frames. Returns where the next one goes.
XdmfPlace xdmf_write(XdmfKind kind, const char *folder, const XdmfFrame *frames, int frame_count,
                     DiskStatus *status);

// Makes the file longer by a frame. False where there is no room, or the file is not the one that
// was written: nothing has happened then.
bool xdmf_append(XdmfKind kind, const char *folder, const XdmfFrame *frame, XdmfPlace *place,
                 DiskStatus *status);
