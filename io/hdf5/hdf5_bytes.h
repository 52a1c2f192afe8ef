#pragma once
// Bytes of an HDF5 file as the library would write them, without it: headers of objects, numbers,
// checksums. After the HDF5 File Format Specification, version 3.0 (The HDF Group). Local.
#include <stddef.h>
#include <stdint.h>

// Growing bytes; memory_free(at). All zero is empty.
typedef struct {
  unsigned char *at;
  size_t count, capacity;
} Hdf5Bytes;

#define HDF5_NOWHERE UINT64_MAX   // the address of what is not there
#define HDF5_SUPERBLOCK_BYTES 48
#define HDF5_LEAST_HEAP 4096   // bytes of a collection that a reader takes

// Numbers of a data set or an attribute, in the order of the table of their types.
typedef enum { HDF5_I64, HDF5_I32, HDF5_U32, HDF5_U8, HDF5_F64, HDF5_F32 } Hdf5Number;
size_t hdf5_number_bytes(Hdf5Number number);

void hdf5_bytes_put(Hdf5Bytes *bytes, const void *from, size_t count);
// A whole number of so many bytes, or a text and the zero that ends it.
void hdf5_bytes_number(Hdf5Bytes *bytes, uint64_t value, int width);
void hdf5_bytes_text(Hdf5Bytes *bytes, const char *text);
// Numbers of 1, 4 or 8 bytes as they lie in memory. They come little end first on any machine, as
// the types of the format say.
void hdf5_bytes_values(Hdf5Bytes *bytes, const void *values, size_t count, size_t width);
// Zeros up to the next multiple of eight.
void hdf5_bytes_align(Hdf5Bytes *bytes);
// A number in place of one that was put there.
void hdf5_bytes_change(Hdf5Bytes *bytes, size_t place, uint64_t value, int width);

// The sum of all bytes from a place on, behind them.
void hdf5_bytes_sum(Hdf5Bytes *bytes, size_t from);

// The first bytes of the file.
void hdf5_bytes_superblock(Hdf5Bytes *bytes, uint64_t root, uint64_t end);

// An object's header: messages between its beginning and its end. Each begin returns what its end
// asks for.
typedef enum {
  HDF5_SPACE = 0x01,
  HDF5_LINKS = 0x02,
  HDF5_TYPE = 0x03,
  HDF5_FILL = 0x05,
  HDF5_LINK = 0x06,
  HDF5_PLACE = 0x08,
  HDF5_GROUP = 0x0a,
  HDF5_ATTRIBUTE = 0x0c,
  HDF5_ATTRIBUTES = 0x15
} Hdf5Message;
size_t hdf5_object_begin(Hdf5Bytes *bytes);
void hdf5_object_end(Hdf5Bytes *bytes, size_t begin);
size_t hdf5_message_begin(Hdf5Bytes *bytes, Hdf5Message message);
void hdf5_message_end(Hdf5Bytes *bytes, size_t begin);

// What messages hold: a type of numbers, or of text of so many characters; sizes of 0 to 2 axes.
void hdf5_bytes_type(Hdf5Bytes *bytes, Hdf5Number number);
void hdf5_bytes_text_type(Hdf5Bytes *bytes, size_t characters);
void hdf5_bytes_space(Hdf5Bytes *bytes, int axes, const uint64_t *size);

// What is picked of a data set: all of it, or rows [first, first + count) with all components.
void hdf5_bytes_all(Hdf5Bytes *bytes);
void hdf5_bytes_rows(Hdf5Bytes *bytes, uint64_t first, uint64_t count, int components);
