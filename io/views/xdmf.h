#pragma once
// The files bodies.xmf, contacts.xmf and others, which ParaView opens: where in the HDF5 files each
// frame lies. Local.
//
// Forms that both of ParaView's readers take: temporal collection of uniform grids, polygons in a
// mixed topology, exact dimensions, precision named everywhere, points with an explicit list of
// vertices.
#include "disk.h"
#include "frame_views.h"

// The text of a file of few frames up to its closing tags.
typedef struct {
  int frames;
  char *bytes;   // NULL: it is not kept
  size_t count, capacity;
} XdmfText;

// Where a file can be made longer in place. Behind the closing tags is room, blanks in a processing
// instruction: a frame and new closing tags are written there first, then blanks over the old tags.
// So the file is well formed at all times, and a frame costs the same however many there are.
// A file of few frames has no room, and is replaced with each.
typedef struct {
  uint64_t tags, room, end;   // offsets in the file: closing tags, first free byte, bytes in all
  XdmfText few;
} XdmfPlace;

// Replaces one of these files in a folder, frame by frame, with room for more once there
// are many frames. Returns where the next one goes; xdmf_forget.
XdmfPlace xdmf_write(FrameView view, const char *folder, const ShownFrame *frames, int frame_count,
                     DiskStatus *status);

// Makes the file longer by a frame, or replaces it where its text is kept. False where there is no
// room, or the file is not the one that was written: nothing has happened then.
bool xdmf_append(FrameView view, const char *folder, const ShownFrame *frame, XdmfPlace *place,
                 DiskStatus *status);

// Frees the text that is kept.
void xdmf_forget(XdmfPlace *place);
