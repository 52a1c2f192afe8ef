#pragma once
// The lists of frames that ParaView opens: XDMF files, a frame longer after each, and
// results.vtkhdf, which is written anew whenever there are twice as many, and at the end. Local, by
// rank 0.
#include "frame_views.h"
#include "xdmf.h"

typedef struct {
  const char *folder;
  bool joined, compliant;   // the case has joints, and the volumetric law
  int count, capacity;
  ShownFrame *frames;   // [count], by step
  int linked;           // frames in results.vtkhdf
  XdmfPlace places[FRAME_VIEWS];
} FrameLists;

void frame_lists_end(FrameLists *lists);

// The last one by step; a frame written again replaces itself. Writes nothing.
void frame_lists_add(FrameLists *lists, ShownFrame frame);

// All files anew.
void frame_lists_write(FrameLists *lists, DiskStatus *status);

// After a frame: the XDMF files in place where they have room for it.
void frame_lists_lengthen(FrameLists *lists, ShownFrame frame, DiskStatus *status);

// After the last frame.
void frame_lists_finish(FrameLists *lists, DiskStatus *status);
