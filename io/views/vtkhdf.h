#pragma once
// The file results.vtkhdf, which newer versions of ParaView open in place of the XDMF files: all
// views of all frames in one collection, linked to the frames' own data sets. Local.
//
// VTKHDF format specification (Kitware), version 2.1: a PartitionedDataSetCollection of temporal
// UnstructuredGrids, which ParaView reads from 5.13 on.
#include "disk.h"
#include "frame_views.h"

// Replaces the file in a folder. Frames that lack polygons as VTKHDF has them (ShownFrame.linkable)
// are left out; without any other the file goes.
void vtkhdf_write(const char *folder, const ShownFrame *frames, int frame_count,
                  DiskStatus *status);
