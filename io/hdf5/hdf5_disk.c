// The driver through which the HDF5 library reads our files.
#include "hdf5_disk.h"

#include <assert.h>
#include <unistd.h>

#include "hdf5_status.h"
#include "memory.h"

// A file of the library's file drivers: its own part comes first.
typedef struct {
  H5FD_t library;
  int file;
  uint64_t size;
  haddr_t end;   // of what the library regards as the file
} OpenFile;

// Leaves a failure on the library's stack of errors.
static void push(const DiskStatus *status, hid_t what)
{
  assert(status->failed && "a failure has a reason");
  if (status->error)
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, what, HDF5_DISK_ERROR,
             status->error);
  else
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, what, "%s",
             status->reason);
}

static H5FD_t *disk_driver_open(const char *name, unsigned flags, hid_t access, haddr_t limit)
{
  (void)flags;
  (void)access;
  (void)limit;
  DiskStatus status = {0};
  const int file = disk_open_read(name, &status);
  const uint64_t size = disk_size(file, name, &status);
  if (status.failed) {
    if (file >= 0) close(file);
    push(&status, H5E_CANTOPENFILE);
    return NULL;
  }
  OpenFile *opened = memory_allocate_zero(1, sizeof *opened);
  opened->file = file;
  opened->size = size;
  return &opened->library;
}

static herr_t disk_driver_close(H5FD_t *library)
{
  OpenFile *opened = (OpenFile *)library;
  close(opened->file);
  memory_free(opened);
  return 0;
}

static herr_t disk_driver_query(const H5FD_t *library, unsigned long *features)
{
  (void)library;
  *features = 0;
  return 0;
}

static haddr_t disk_driver_get_end(const H5FD_t *library, H5FD_mem_t type)
{
  (void)type;
  return ((const OpenFile *)library)->end;
}

static herr_t disk_driver_set_end(H5FD_t *library, H5FD_mem_t type, haddr_t end)
{
  (void)type;
  ((OpenFile *)library)->end = end;
  return 0;
}

static haddr_t disk_driver_get_size(const H5FD_t *library, H5FD_mem_t type)
{
  (void)type;
  return ((const OpenFile *)library)->size;
}

static herr_t disk_driver_read(H5FD_t *library, H5FD_mem_t type, hid_t transfer, haddr_t begin,
                               size_t count, void *bytes)
{
  (void)type;
  (void)transfer;
  DiskStatus status = {0};
  disk_read_at((DiskFile){((const OpenFile *)library)->file, "the file"}, bytes, count, begin,
               &status);
  if (!status.failed) return 0;
  push(&status, H5E_READERROR);
  return -1;
}

// The library asks for it; the list forbids it.
static herr_t disk_driver_write(H5FD_t *library, H5FD_mem_t type, hid_t transfer, haddr_t begin,
                                size_t count, const void *bytes)
{
  (void)library;
  (void)type;
  (void)transfer;
  (void)begin;
  (void)count;
  (void)bytes;
  return -1;
}

static const H5FD_class_t DISK_DRIVER = {.name = "drystone_disk",
                                         .maxaddr = INT64_MAX,
                                         .fc_degree = H5F_CLOSE_STRONG,
                                         .open = disk_driver_open,
                                         .close = disk_driver_close,
                                         .query = disk_driver_query,
                                         .get_eoa = disk_driver_get_end,
                                         .set_eoa = disk_driver_set_end,
                                         .get_eof = disk_driver_get_size,
                                         .read = disk_driver_read,
                                         .write = disk_driver_write,
                                         .fl_map = H5FD_FLMAP_SINGLE};

// A file access list for reading; closing the file closes all that is open in it. Closed by
// H5Pclose.
static hid_t access_list(DiskStatus *status)
{
  const hid_t driver = hdf5_check(H5FDregister(&DISK_DRIVER), status);
  const hid_t access = hdf5_check(H5Pcreate(H5P_FILE_ACCESS), status);
  hdf5_check(H5Pset_driver(access, driver, NULL), status);
  hdf5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), status);
  // the list keeps the driver for as long as it needs it
  if (driver >= 0) H5FDunregister(driver);
  return access;
}

hid_t hdf5_disk_open(const char *path, DiskStatus *status)
{
  assert(path != NULL && "a file has a path");
  hdf5_silence();
  H5PLset_loading_state(0);   // a file names filters, and the library would load their code
  const hid_t access = access_list(status);
  const hid_t file = hdf5_check(H5Fopen(path, H5F_ACC_RDONLY, access), status);
  H5Pclose(access);
  return file;
}

void hdf5_disk_close(hid_t file)
{
  if (file < 0) return;
  // the library gives up the driver's last reference before it is done with the driver
  const hid_t access = H5Fget_access_plist(file);
  H5Fclose(file);
  if (access >= 0) H5Pclose(access);
}
