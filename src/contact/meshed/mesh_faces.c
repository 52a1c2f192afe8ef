// Faces of meshes in the plane of a patch.
#include "mesh_faces.h"

#include <assert.h>

#include "check.h"

#define FACING 0.99      // cosine: faces that look along the normal by less are other sides'
#define OFF_PLANE 0.25   // of its reach: a face whose middle is farther from the patch is another's

// The face as a figure in the plane; false where it is of another side of the body. turned: its
// corners run against those of the face, which looks against the normal.
static bool face_figure(const PatchPlane *plane, const MeshedBody *body, int face, Figure *figure,
                        bool *turned)
{
  const FiniteShape *mesh = body->mesh;
  const int corners = mesh->surface.corners;
  const vec3 area =
      mat3_mul(body->rotation, finite_surface_area(&mesh->mesh, &mesh->surface, face));
  const double along = vec3_dot(area, plane->basis.n);
  if (!(fabs(along) > FACING * vec3_norm(area))) return false;
  *turned = along < 0;
  vec3 middle = {0, 0, 0};
  for (int k = 0; k < corners; k++) {
    const int node = mesh->surface.corner[face * corners + (*turned ? corners - 1 - k : k)];
    const vec3 place = vec3_add(mat3_mul(body->rotation, mesh->mesh.place[node]), body->centre);
    const vec3 p = plane_basis_apply(&plane->basis, vec3_sub(place, plane->middle));
    figure->corners[k] = (PlaneCorner){.u = p.x, .v = p.y};
    middle = vec3_axpy(1.0 / corners, p, middle);
  }
  figure->count = corners;
  const double off = fabs(middle.z - patch_plane_value(&plane->height, middle.x, middle.y));
  return off <= OFF_PLANE * mesh->reach[face];
}

// The sides of a face's figure that are on cuts.
static unsigned char seams_of(const FiniteShape *mesh, int face, bool turned)
{
  const int corners = mesh->surface.corners;
  unsigned char seams = 0;
  for (int k = 0; k < corners; k++) {
    const int side = turned ? (2 * corners - 2 - k) % corners : k;
    if (mesh->seams[face] >> side & 1) seams |= (unsigned char)(1 << k);
  }
  return seams;
}

MeshFaces mesh_faces_new(const PatchPlane *plane, const MeshedBody *body, Arena *arena)
{
  assert(plane != NULL && body != NULL && "a patch and a body");
  MeshFaces side = {.shortest = INFINITY};
  if (!body->mesh) return side;
  const int faces = body->mesh->surface.faces, corners = body->mesh->surface.corners;
  Figure *figures = arena_allocate(arena, (size_t)faces * sizeof *figures);
  side.number = arena_allocate(arena, (size_t)faces * sizeof *side.number);
  unsigned char *seams = arena_allocate_zero(arena, (size_t)faces, 1);
  int made = 0;
  for (int f = 0; f < faces; f++) {
    Figure figure = {.corners = arena_allocate(arena, (size_t)corners * sizeof(PlaneCorner))};
    bool turned;
    if (!face_figure(plane, body, f, &figure, &turned)) continue;
    for (int k = 0; k < corners; k++) {
      const PlaneCorner *p = &figure.corners[k], *q = &figure.corners[(k + 1) % corners];
      const double u = q->u - p->u, v = q->v - p->v;
      side.shortest = smaller_of(side.shortest, sqrt(u * u + v * v));
    }
    figures[made] = figure;
    if (body->mesh->seams) seams[made] = seams_of(body->mesh, f, turned);
    side.number[made++] = f;
  }
  side.faces = (SamplingFaces){made, figures, body->mesh->seams ? seams : NULL};
  return side;
}
