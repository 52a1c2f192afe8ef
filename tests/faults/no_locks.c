// A file system without locks, for LD_PRELOAD: flock answers with the error of FLOCK_ERRNO.
#include <errno.h>
#include <stdlib.h>
#include <sys/file.h>

int flock(int file, int operation)
{
  (void)file;
  (void)operation;
  errno = atoi(getenv("FLOCK_ERRNO"));
  return -1;
}
