#pragma once
// What a frame tells beside the tables of the state: columns of bodies and contacts that follow
// from them, interfaces and chains.
#include "frame_bodies.h"
#include "frame_contacts.h"
#include "frame_interfaces.h"
#include "put_joints.h"

typedef struct {
  Arena arena;
  const Case *c;
  const vec3 *impulses;   // of contacts, on the lower body, world axes, N s
  BodyRows bodies;
  Interfaces interfaces;
} FrameTold;

// Where a frame takes them from. joints: as the case put the bodies, from frame to frame.
typedef struct {
  const Case *c;
  ShapeSet *shapes;
  PutJoints *joints;
} FrameTelling;

// Collective. Derives all that output.frames.fields asks for; frame_told_end.
FrameTold frame_told_new(const RowSpans *spans, const FrameTelling *telling);
void frame_told_end(FrameTold *told);

// Numbers of columns in a file.
typedef struct {
  BodyColumns bodies;
  ContactColumns contacts;
  InterfaceColumns interfaces;
} ToldColumns;

// Local. Columns behind those of bodies, behind those of contacts, and the tables of pairs.
void frame_told_add_bodies(Hdf5Writer *writer, const RowSpan *span, const FrameTold *told,
                           ToldColumns *columns);
void frame_told_add_contacts(Hdf5Writer *writer, const RowSpan *span, const FrameTold *told,
                             ToldColumns *columns);

// Local. This rank's rows of them, after the file was laid out.
void frame_told_write_bodies(Hdf5Writer *writer, const RowSpan *span, const FrameTold *told,
                             const ToldColumns *columns);
void frame_told_write_contacts(Hdf5Writer *writer, const RowSpan *span, const FrameTold *told,
                               const ToldColumns *columns);
