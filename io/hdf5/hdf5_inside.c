// Links, storage and filters of HDF5 files that lead out of the file are found and not followed.
#include "hdf5_inside.h"

#include <assert.h>
#include <stdio.h>

#define ADVICE "drystone reads one file alone: write it into the file itself"

// The library asks before it opens the file to which a link leads: never.
static herr_t refuse_link(const char *parent, const char *group, const char *file,
                          const char *object, unsigned *flags, hid_t access, void *context)
{
  (void)parent;
  (void)group;
  (void)object;
  (void)flags;
  (void)access;
  Hdf5Outside *outside = context;
  if (outside) {
    outside->met = true;
    snprintf(outside->file, sizeof outside->file, "%s", file);
  }
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_LINK, H5E_TRAVERSE,
           "a link leads into another file, %s", file);
  return -1;
}

hid_t hdf5_inside_access(Hdf5Outside *outside)
{
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_elink_cb(access, refuse_link, outside);
  return access;
}

// Filters that the library has by itself; others are code that it would have to load.
static bool is_built_in(H5Z_filter_t filter)
{
  return filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
         filter == H5Z_FILTER_FLETCHER32 || filter == H5Z_FILTER_SZIP ||
         filter == H5Z_FILTER_NBIT || filter == H5Z_FILTER_SCALEOFFSET;
}

bool hdf5_inside_holds(hid_t set, const char *name, DiskStatus *status)
{
  assert(set >= 0 && name != NULL && "a data set is open");
  char other[256] = "";
  const hid_t plan = H5Dget_create_plist(set);
  if (plan < 0) disk_fail(status, "%s does not say how it is stored", name);
  else if (H5Pget_external_count(plan) > 0) {
    H5Pget_external(plan, 0, sizeof other - 1, other, NULL, NULL);
    disk_fail(status, "%s is stored in another file, %s; " ADVICE, name, other);
  } else if (H5Pget_layout(plan) == H5D_VIRTUAL)
    disk_fail(status, "%s is put together from other files (a virtual data set); " ADVICE, name);
  const int filters = plan < 0 ? 0 : H5Pget_nfilters(plan);
  for (int i = 0; i < filters; i++) {
    size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(plan, (unsigned)i, NULL, &values, NULL, sizeof other - 1, other, NULL);
    if (!is_built_in(filter))
      disk_fail(status,
                "%s is packed by filter %d (%s), which is no part of the HDF5 library; unpack it "
                "(h5repack -f NONE)",
                name, filter, other);
  }
  if (plan >= 0) H5Pclose(plan);
  return !status->failed;
}
