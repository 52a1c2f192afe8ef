// Turns failures of the HDF5 library into messages with the system's reason.
#include "hdf5_status.h"

#include <stdio.h>
#include <string.h>

void hdf5_silence(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

// What the system answered, from an entry of the library's stack that hdf5_disk put there, else the
// words of the innermost entry.
static herr_t note_reason(unsigned level, const H5E_error2_t *entry, void *data)
{
  DiskStatus *reason = data;
  const char *words = entry->desc ? entry->desc : "";
  if (sscanf(words, HDF5_DISK_ERROR, &reason->error) == 1) {
    snprintf(reason->reason, sizeof reason->reason, "%s", strerror(reason->error));
    return 1;
  }
  if (level == 0)
    snprintf(reason->reason, sizeof reason->reason, "the HDF5 library says: %.200s", words);
  return 0;
}

hid_t hdf5_check(hid_t result, DiskStatus *status)
{
  if (result >= 0 || status->failed) return result;
  DiskStatus reason = {.reason = "the HDF5 library gives no reason"};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_reason, &reason);
  disk_fail(status, "%s", reason.reason);
  status->error = reason.error;
  return result;
}
