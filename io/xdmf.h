#pragma once
// The text of bodies.xmf and contacts.xmf, which ParaView opens: where in the HDF5 files each frame
// lies. Local.
//
// Forms that both of ParaView's readers take: temporal collection of uniform grids, polygons in a
// mixed topology, exact dimensions, precision named everywhere, points with an explicit list of
// vertices.
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t step;
  double time;         // s
  uint64_t contacts;   // rows
} XdmfFrame;

typedef struct {
  uint64_t points, cells, loops;
} XdmfMesh;   // corners, facets, corners in all facets

// The text, freed by memory_free, and its length.
char *xdmf_bodies(XdmfMesh mesh, const XdmfFrame *frames, int frame_count, size_t *bytes);
char *xdmf_contacts(const XdmfFrame *frames, int frame_count, size_t *bytes);
