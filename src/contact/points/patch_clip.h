#pragma once
// Convex figures of one plane clipped by each other; every corner knows which corners and sides
// made it.
#include <stdbool.h>
#include <stdint.h>

// A corner of a figure with one corner (point), two (segment) or more (convex polygon,
// counter-clockwise).
typedef struct {
  double u, v;       // in the plane, m
  double z;          // height above it, m
  uint32_t vertex;   // feature of the corner
  uint32_t edge;     // feature of the side to the next corner
} PlaneCorner;

typedef struct {
  int count;
  PlaneCorner *corners;
  uint32_t feature;   // of the figure itself: face, edge or vertex
} Figure;

typedef struct {
  double u, v, z;             // z: of the subject where that is a point or segment
  uint32_t subject, window;   // features of the two figures that meet here
} ClipPoint;

// A corner at work: which side leaves it, of the subject or (window >= 0) that side of the window.
typedef struct {
  ClipPoint at;
  uint32_t edge;
  int window;
} ClipCorner;

// Local. Polygon by polygon. Corners outside by at most tolerance (m) count as inside. work: room
// for twice the sum of both corner counts. Returns the number of points, at most that sum; out
// holds as many.
int patch_clip_polygon(const Figure *subject, const Figure *window, double tolerance,
                       ClipCorner *work, ClipPoint *out);

// Local. Point or segment by polygon; a side that the subject is wholly outside of by at most slack
// (m) does not cut it.
typedef struct {
  int count;     // 0, 1 or 2 points
  bool beside;   // there was such a side: the points are not in the polygon
  ClipPoint points[2];
} ThinClip;
ThinClip patch_clip_thin(const Figure *subject, const Figure *window, double tolerance,
                         double slack);

// Local. Where two segments meet or pass within tolerance (m). on_p, on_q: u, v, z of the nearest
// places; at: u, v. Nearly parallel ones give the two ends of what they have in common.
typedef struct {
  double u, v, p[3], q[3];
  uint32_t p_feature, q_feature;
} Crossing;
int patch_clip_cross(const Figure *p, const Figure *q, double tolerance, Crossing out[2]);

// Local. Point on a segment, or the point itself of a figure with one corner, nearest to (u, v).
void patch_clip_nearest(const Figure *figure, double u, double v, double place[3]);

// Local. Area, m2, positive for counter-clockwise.
double patch_clip_area(const ClipPoint *points, int count);
