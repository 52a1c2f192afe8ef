#include "hdf5_status.h"

#include <stdio.h>
#include <string.h>

void hdf5_silence(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

// The system's own words in an entry of the library's stack, else the words of the innermost entry.
static herr_t note_reason(unsigned level, const H5E_error2_t *entry, void *data)
{
  char *reason = data;
  const char *words = entry->desc ? entry->desc : "";
  const char *system = strstr(words, "error message = '");
  if (system) {
    system += strlen("error message = '");
    snprintf(reason, 256, "%.*s", (int)strcspn(system, "'"), system);
    return 1;
  }
  if (level == 0) snprintf(reason, 256, "the HDF5 library says: %.200s", words);
  return 0;
}

hid_t hdf5_check(hid_t result, DiskStatus *status)
{
  if (result >= 0 || status->failed) return result;
  char reason[256] = "the HDF5 library gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_reason, reason);
  disk_fail(status, "%s", reason);
  return result;
}

hid_t hdf5_open_read(const char *path, DiskStatus *status)
{
  hdf5_silence();
  const hid_t access = hdf5_check(H5Pcreate(H5P_FILE_ACCESS), status);
  hdf5_check(H5Pset_fapl_sec2(access), status);
  hdf5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), status);
  hdf5_check(H5Pset_file_locking(access, false, true), status);
  const hid_t file = hdf5_check(H5Fopen(path, H5F_ACC_RDONLY, access), status);
  H5Pclose(access);
  return file;
}
