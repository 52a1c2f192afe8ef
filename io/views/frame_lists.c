// Keeps the lists of frames that ParaView opens.
#include "frame_lists.h"

#include <assert.h>

#include "memory.h"
#include "vtkhdf.h"

// Frames after which what they took goes back to the system, together with what results.vtkhdf
// took: else it stays in pieces, beside which later ones take more. Doing so takes time itself.
#define TRIM_EVERY 16

// Whether there is a file of that kind: where the case has joints, or the volumetric law, and where
// a frame has the tables.
static bool has_file(const FrameLists *lists, FrameView view)
{
  if (view == VIEW_JOINTS) return lists->joined;
  if (view == VIEW_VOLUMES) return lists->compliant;
  for (int i = 0; i < lists->count; i++)
    if (frame_views_show(view, &lists->frames[i])) return true;
  return false;
}

void frame_lists_end(FrameLists *lists)
{
  for (int view = 0; view < FRAME_VIEWS; view++) xdmf_forget(&lists->places[view]);
  memory_free(lists->frames);
  *lists = (FrameLists){0};
}

void frame_lists_add(FrameLists *lists, ShownFrame frame)
{
  assert(frame.step >= 0 && lists->count <= lists->capacity && "frames lie in their room");
  while (lists->count > 0 && lists->frames[lists->count - 1].step >= frame.step) lists->count--;
  lists->frames =
      memory_grow(lists->frames, lists->count + 1, &lists->capacity, sizeof *lists->frames);
  lists->frames[lists->count++] = frame;
}

static void write_xdmf(FrameLists *lists, DiskStatus *status)
{
  for (int view = 0; view < FRAME_VIEWS; view++) {
    const FrameView of = (FrameView)view;
    xdmf_forget(&lists->places[view]);
    if (lists->count == 0 || !has_file(lists, of))
      disk_remove(lists->folder, frame_views_plan(of)->xdmf, status);
    else lists->places[view] = xdmf_write(of, lists->folder, lists->frames, lists->count, status);
  }
}

static void write_vtkhdf(FrameLists *lists, DiskStatus *status)
{
  vtkhdf_write(lists->folder, lists->frames, lists->count, status);
  lists->linked = lists->count;
}

void frame_lists_write(FrameLists *lists, DiskStatus *status)
{
  write_xdmf(lists, status);
  write_vtkhdf(lists, status);
}

static void lengthen_xdmf(FrameLists *lists, DiskStatus *status)
{
  const char *folder = lists->folder;
  const ShownFrame *last = &lists->frames[lists->count - 1];
  for (int view = 0; view < FRAME_VIEWS; view++) {
    const FrameView of = (FrameView)view;
    const bool by_case = of == VIEW_JOINTS || of == VIEW_VOLUMES;
    if (by_case ? !has_file(lists, of) : !frame_views_show(of, last)) continue;
    if (!xdmf_append(of, folder, last, &lists->places[view], status))
      lists->places[view] = xdmf_write(of, folder, lists->frames, lists->count, status);
  }
}

void frame_lists_lengthen(FrameLists *lists, ShownFrame frame, DiskStatus *status)
{
  assert(lists->linked <= lists->count && "frames are linked that are there");
  const int before = lists->count;
  frame_lists_add(lists, frame);
  const bool longer = lists->count > before;
  if (longer) lengthen_xdmf(lists, status);
  else write_xdmf(lists, status);
  // all writing together costs no more than twice that of the last file
  if (!longer || lists->count >= 2 * lists->linked) write_vtkhdf(lists, status);
  if (lists->count % TRIM_EVERY == 0) memory_trim();
}

void frame_lists_finish(FrameLists *lists, DiskStatus *status)
{
  if (lists->linked != lists->count) write_vtkhdf(lists, status);
  memory_trim();
}
