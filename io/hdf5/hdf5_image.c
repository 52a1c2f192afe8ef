// Lays a file out with the HDF5 library in memory, with holes where the rows will be.
#include "hdf5_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_status.h"
#include "memory.h"
#include "search.h"

enum { PAGE_BYTES = 4096 };

// A file of the library's file drivers: its own part comes first.
typedef struct {
  H5FD_t library;
  Hdf5Image *image;
  haddr_t end;   // of what the library has allocated
} ImageFile;

static int order_page(const void *page, const void *number)
{
  return order_u64(((const Hdf5Page *)page)->number, *(const uint64_t *)number);
}

// Place of the page with that number, or of the first one behind it.
static int page_place(const Hdf5Image *image, uint64_t number)
{
  return (int)search_rows(image->pages, image->page_count, sizeof *image->pages, &number,
                          order_page);
}

static unsigned char *page_of(Hdf5Image *image, uint64_t number)
{
  const int place = page_place(image, number);
  if (place < image->page_count && image->pages[place].number == number)
    return image->pages[place].bytes;
  image->pages =
      memory_grow(image->pages, image->page_count + 1, &image->page_capacity, sizeof *image->pages);
  Hdf5Page *page = &image->pages[place];
  memmove(page + 1, page, (size_t)(image->page_count - place) * sizeof *page);
  image->page_count++;
  *page = (Hdf5Page){number, memory_allocate_zero(1, PAGE_BYTES)};
  return page->bytes;
}

static H5FD_t *image_open(const char *name, unsigned flags, hid_t access, haddr_t limit)
{
  (void)name;
  (void)flags;
  (void)limit;
  ImageFile *file = memory_allocate_zero(1, sizeof *file);
  memcpy(&file->image, H5Pget_driver_info(access), sizeof file->image);
  return &file->library;
}

static herr_t image_close(H5FD_t *library)
{
  ImageFile *file = (ImageFile *)library;
  file->image->size = file->end;
  memory_free(file);
  return 0;
}

static herr_t image_query(const H5FD_t *library, unsigned long *features)
{
  (void)library;
  *features =
      H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t image_get_end(const H5FD_t *library, H5FD_mem_t type)
{
  (void)type;
  return ((const ImageFile *)library)->end;
}

static haddr_t image_get_size(const H5FD_t *library, H5FD_mem_t type)
{
  (void)type;
  const ImageFile *file = (const ImageFile *)library;
  return file->end > file->image->size ? file->end : file->image->size;
}

static herr_t image_set_end(H5FD_t *library, H5FD_mem_t type, haddr_t end)
{
  (void)type;
  ((ImageFile *)library)->end = end;
  return 0;
}

static herr_t image_read(H5FD_t *library, H5FD_mem_t type, hid_t transfer, haddr_t begin,
                         size_t count, void *bytes)
{
  (void)type;
  (void)transfer;
  const Hdf5Image *image = ((const ImageFile *)library)->image;
  for (size_t done = 0; done < count;) {
    const uint64_t number = (begin + done) / PAGE_BYTES;
    const size_t offset = (size_t)((begin + done) % PAGE_BYTES), room = PAGE_BYTES - offset;
    const size_t take = count - done < room ? count - done : room;
    const int place = page_place(image, number);
    const bool there = place < image->page_count && image->pages[place].number == number;
    if (there) memcpy((char *)bytes + done, image->pages[place].bytes + offset, take);
    else memset((char *)bytes + done, 0, take);
    done += take;
  }
  return 0;
}

static herr_t image_write(H5FD_t *library, H5FD_mem_t type, hid_t transfer, haddr_t begin,
                          size_t count, const void *bytes)
{
  (void)type;
  (void)transfer;
  Hdf5Image *image = ((ImageFile *)library)->image;
  for (size_t done = 0; done < count;) {
    const size_t offset = (size_t)((begin + done) % PAGE_BYTES), room = PAGE_BYTES - offset;
    const size_t take = count - done < room ? count - done : room;
    memcpy(page_of(image, (begin + done) / PAGE_BYTES) + offset, (const char *)bytes + done, take);
    done += take;
  }
  return 0;
}

static const H5FD_class_t IMAGE_DRIVER = {.name = "drystone_image",
                                          .maxaddr = INT64_MAX,
                                          .fc_degree = H5F_CLOSE_STRONG,
                                          .fapl_size = sizeof(Hdf5Image *),
                                          .open = image_open,
                                          .close = image_close,
                                          .query = image_query,
                                          .get_eoa = image_get_end,
                                          .set_eoa = image_set_end,
                                          .get_eof = image_get_size,
                                          .read = image_read,
                                          .write = image_write,
                                          .fl_map = H5FD_FLMAP_SINGLE};

hid_t hdf5_image_access(Hdf5Image *image, DiskStatus *status)
{
  assert((image->page_count == 0) == (image->size == 0) && "an image begins empty");
  const hid_t driver = hdf5_check(H5FDregister(&IMAGE_DRIVER), status);
  const hid_t access = hdf5_check(H5Pcreate(H5P_FILE_ACCESS), status);
  hdf5_check(H5Pset_driver(access, driver, &image), status);
  // the list keeps the driver for as long as it needs it
  if (driver >= 0) H5FDunregister(driver);
  return access;
}

void hdf5_image_write(const Hdf5Image *image, DiskFile file, FileBlockSums *sums,
                      DiskStatus *status)
{
  disk_resize(file, image->size, status);
  for (int i = 0; i < image->page_count && !status->failed; i++) {
    const uint64_t begin = image->pages[i].number * PAGE_BYTES, left = image->size - begin;
    const size_t bytes = (size_t)(left < PAGE_BYTES ? left : PAGE_BYTES);
    if (sums) file_block_sums_add(sums, begin, image->pages[i].bytes, bytes);
    disk_write_at(file, image->pages[i].bytes, bytes, begin, status);
  }
}

// Writes bytes [begin, end) of a page over those of the earlier one. Sums know the earlier ones,
// and are sums (^) of bits.
static void write_change(const Hdf5Page *page, const unsigned char *earlier, size_t begin,
                         size_t end, DiskFile file, FileBlockSums *sums, DiskStatus *status)
{
  assert(begin < end && end <= PAGE_BYTES && "a change lies in its page");
  unsigned char change[PAGE_BYTES];
  for (size_t i = begin; i < end; i++) change[i] = page->bytes[i] ^ earlier[i];
  const uint64_t offset = page->number * PAGE_BYTES + begin;
  if (sums) file_block_sums_add(sums, offset, change + begin, end - begin);
  disk_write_at(file, page->bytes + begin, end - begin, offset, status);
}

void hdf5_image_write_changes(const Hdf5Image *image, const Hdf5Image *earlier, DiskFile file,
                              FileBlockSums *sums, DiskStatus *status)
{
  assert(image->size == earlier->size && image->page_count == earlier->page_count &&
         "another layout");
  for (int p = 0; p < image->page_count; p++) {
    const Hdf5Page *page = &image->pages[p];
    assert(page->number == earlier->pages[p].number && "another layout");
    // rows may lie beside them in the page, which were written since
    const unsigned char *before = earlier->pages[p].bytes;
    for (size_t i = 0, end; i < PAGE_BYTES; i = end) {
      end = i + 1;
      if (page->bytes[i] == before[i]) continue;
      while (end < PAGE_BYTES && page->bytes[end] != before[end]) end++;
      write_change(page, before, i, end, file, sums, status);
    }
  }
}

void hdf5_image_end(Hdf5Image *image)
{
  for (int i = 0; i < image->page_count; i++) memory_free(image->pages[i].bytes);
  memory_free(image->pages);
  *image = (Hdf5Image){0};
}
