#pragma once
// What the HDF5 library makes of columns and attributes: a file without its rows, in memory. Files
// of the same columns behind each other, as most frames are, share one layout: what attributes say
// is changed in it, and nothing else is made again. Local.
#include <stdint.h>

#include "disk.h"
#include "table.h"
#include "vec3.h"

// A data set of rows that all ranks write together, "GROUP/NAME".
typedef struct {
  const char *group, *name;
  const char *unit, *text;   // become attributes
  FieldType type;
  int components;
  uint64_t rows;   // of all ranks
} Hdf5Column;

typedef enum {
  ATTRIBUTE_INTEGER,
  ATTRIBUTE_REAL,
  ATTRIBUTE_VECTOR,
  ATTRIBUTE_TEXT,
  ATTRIBUTE_DOCUMENT   // a data set of one string, for text of any length
} AttributeKind;

// An attribute of a group ("/" for the file).
typedef struct {
  AttributeKind kind;
  const char *group, *name;
  int64_t integer;
  double real;
  vec3 vector;
  const char *text;
} Hdf5Attribute;

typedef struct {
  int column_count, attribute_count;
  Hdf5Column *columns;
  Hdf5Attribute *attributes;
} Hdf5Content;

typedef struct Hdf5Layout Hdf5Layout;
struct Hdf5Image;

// The layout of a file. earlier: that of one before, which it takes over where only what attributes
// say differs, and ends otherwise; NULL: there is none. hdf5_layout_end; NULL after a failure.
Hdf5Layout *hdf5_layout_make(Hdf5Layout *earlier, const Hdf5Content *content, DiskStatus *status);
void hdf5_layout_end(Hdf5Layout *layout);

// Its bytes, and where the rows of a column begin in the file (bytes; 0: it has none).
const struct Hdf5Image *hdf5_layout_image(const Hdf5Layout *layout);
uint64_t hdf5_layout_offset(const Hdf5Layout *layout, int column);
