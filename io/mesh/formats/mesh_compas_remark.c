// What a COMPAS file says of friction, densities, gravity and loads: told, since a case gives
// these.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mesh_compas.h"

// Text with an end, cut where it is full.
typedef struct {
  char text[512];
  size_t used;
} Remark;

__attribute__((format(printf, 2, 3))) static void say(Remark *remark, const char *format, ...)
{
  const size_t room = sizeof remark->text - remark->used;
  const int comma = snprintf(remark->text + remark->used, room, remark->used > 0 ? ", " : "");
  va_list words;
  va_start(words, format);
  const int length =
      vsnprintf(remark->text + remark->used + comma, room - (size_t)comma, format, words);
  va_end(words);
  // what does not fit is left out
  if ((size_t)(comma + length) >= room) remark->text[remark->used] = 0;
  else remark->used += (size_t)(comma + length);
}

// Materials with a density, each once.
static void say_densities(const CompasReader *reader, const json_t *model, Remark *remark)
{
  json_t *list = json_object_get(model, "materials"), *material;
  const size_t count = json_is_array(list) ? json_array_size(list) : json_object_size(list);
  void *next = json_object_iter(list);
  for (size_t i = 0; i < count; i++) {
    material = json_is_array(list) ? json_array_get(list, i) : json_object_iter_value(next);
    next = next ? json_object_iter_next(list, next) : NULL;
    const json_t *data = mesh_compas_data(material), *density = json_object_get(data, "density");
    const char *name = json_string_value(json_object_get(data, "name"));
    if (json_is_number(density))
      say(remark, "density %.9g of '%.40s'", json_number_value(density),
          name ? mesh_compas_key(reader, name) : "");
  }
}

static void say_count(Remark *remark, const json_t *list, const char *one)
{
  const size_t count = json_array_size(list);
  if (count > 0) say(remark, "%zu %s%s", count, one, count == 1 ? "" : "s");
}

const char *mesh_compas_remark(const CompasReader *reader, const json_t *root)
{
  assert(root != NULL && "a file has been read");
  Remark remark = {.text = ""};
  const json_t *data = mesh_compas_data(root), *model = json_object_get(data, "model");
  const json_t *conditions = mesh_compas_data(json_object_get(data, "boundary_conditions"));
  const json_t *contact = mesh_compas_data(json_object_get(data, "contact_properties"));
  const json_t *law = mesh_compas_data(json_object_get(contact, "contact_model"));
  const json_t *friction = json_object_get(law, "mu"), *gravity = json_object_get(conditions, "g");
  say_densities(reader, model ? mesh_compas_data(model) : data, &remark);
  if (json_is_number(friction)) say(&remark, "friction %.9g", json_number_value(friction));
  if (json_is_true(json_object_get(conditions, "gravity")) && json_is_number(gravity))
    say(&remark, "gravity %.9g", json_number_value(gravity));
  say_count(&remark, json_object_get(conditions, "body_forces"), "acceleration");
  say_count(&remark, json_object_get(conditions, "point_loads"), "point load");
  say_count(&remark, json_object_get(conditions, "surface_loads"), "surface load");
  char *kept = arena_allocate(reader->reading->arena, remark.used + 1);
  return memcpy(kept, remark.text, remark.used + 1);
}
