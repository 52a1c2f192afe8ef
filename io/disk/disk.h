#pragma once
// Files of one process with every failure kept: what the system said about which file, the first
// time. Local.
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The first failure of a sequence of operations; what follows it does nothing.
typedef struct {
  bool failed;
  int error;          // what the system answered (errno); 0: it did its part, the content is wrong
  char reason[512];   // "FILE: what the system says"
} DiskStatus;

// Keeps the message unless one is there already.
void disk_fail(DiskStatus *status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same as disk_fail from what another sequence of operations met; disk_fail_at: from a reason
// that does not name the file.
void disk_fail_reason(DiskStatus *status, const DiskStatus *reason);
void disk_fail_at(DiskStatus *status, const char *path, const DiskStatus *reason);

// The path of a name in a folder; freed by memory_free.
char *disk_path(const char *folder, const char *name);

// Open, without inheritance by child processes; -1 after a failure. A new file replaces one of that
// name, and can be read too; reading is from regular files alone.
int disk_open_new(const char *path, DiskStatus *status);
int disk_open_write(const char *path, DiskStatus *status);
int disk_open_read(const char *path, DiskStatus *status);

// Fails where something of that name is no regular file: a folder, a pipe.
void disk_check_regular(const char *folder, const char *name, DiskStatus *status);

// An open file, and its path for messages.
typedef struct {
  int descriptor;
  const char *path;
} DiskFile;

// All bytes or a failure; interrupted and short transfers go on.
void disk_write_at(DiskFile file, const void *bytes, size_t count, uint64_t offset,
                   DiskStatus *status);
void disk_read_at(DiskFile file, void *bytes, size_t count, uint64_t offset, DiskStatus *status);

// Gives a file that many bytes.
void disk_resize(DiskFile file, uint64_t size, DiskStatus *status);

// A wish: that much of what was written is sent to the device already, while other work goes on.
// What fails is told by disk_sync.
void disk_start_sync(int file, uint64_t offset, uint64_t count);

// A wish: what the system keeps in memory of a file that will not be read again may go. Removing
// the file takes little time then.
void disk_forget(const char *path);

// All that was written, to the device.
void disk_sync(int file, const char *path, DiskStatus *status);

// To the device, then closed; the descriptor is released also after a failure (-1 is fine).
void disk_sync_and_close(int file, const char *path, DiskStatus *status);
// The same of a file that may be lost with the machine's power.
void disk_close(int file, const char *path, DiskStatus *status);

// Which file it is, and how long: that of a descriptor, and what has a name now. there is false for
// none.
typedef struct {
  bool there;
  uint64_t device, inode, bytes;
} DiskMark;
DiskMark disk_mark(int file);
DiskMark disk_mark_of(const char *path);
bool disk_same_file(DiskMark a, DiskMark b);

// Bytes in an open file.
uint64_t disk_size(int file, const char *path, DiskStatus *status);

// The whole of a file and a final zero (memory_free), NULL after a failure. Larger than limit is a
// failure.
char *disk_read_whole(const char *path, size_t limit, size_t *count, DiskStatus *status);

// The name a file has until it is complete; freed by memory_free.
char *disk_temporary(const char *path);

// Gives the temporary file its name, for good: the folder is synchronised too.
void disk_publish(const char *temporary, const char *folder, const char *path, DiskStatus *status);
// The same where the name may be lost with the machine's power.
void disk_rename(const char *temporary, const char *path, DiskStatus *status);

// A whole small file through its temporary name; after a failure what was there before is
// untouched.
void disk_replace(const char *folder, const char *name, const char *text, size_t count,
                  DiskStatus *status);

// Removes a file; one that is not there is fine.
void disk_remove(const char *folder, const char *name, DiskStatus *status);

// The files of a folder named prefix, number, suffix, with the number printed to at least so many
// digits.
typedef struct {
  const char *prefix;
  int digits;
  const char *suffix;
} NumberedName;

// The name; freed by memory_free.
char *disk_numbered(NumberedName kind, int64_t number);

// The number in a name of that kind, or -1 for any other name.
int64_t disk_number_of(NumberedName kind, const char *name);

// The next entry of an open folder; NULL at the end and after a failure: a list that a failing disk
// cut short must not pass for the whole one.
struct dirent *disk_next_entry(DIR *entries, const char *folder, DiskStatus *status);

// All numbers of that kind in a folder, ascending (memory_free).
int disk_list_numbers(const char *folder, NumberedName kind, int64_t **numbers, DiskStatus *status);
