#pragma once
// The files bodies.xmf and contacts.xmf, which ParaView opens: where in the HDF5 files each frame
// lies. Local.
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

typedef struct {
  int64_t step;
  double time;         // s
  uint64_t contacts;   // rows
  bool own_mesh;       // polygons stand in the frame, not in topology.h5
  XdmfMesh mesh;
} XdmfFrame;

// Replaces bodies.xmf, contacts.xmf in a folder, frame by frame.
void xdmf_write_bodies(const char *folder, const XdmfFrame *frames, int frame_count,
                       DiskStatus *status);
void xdmf_write_contacts(const char *folder, const XdmfFrame *frames, int frame_count,
                         DiskStatus *status);
