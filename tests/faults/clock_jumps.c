// Preloaded into a program: the wall clock jumps by hours, back and forth, at each look at it. The
// monotonic clock goes on as it does.
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t jump(void)
{
  static unsigned looks;
  looks = looks * 1103515245U + 12345U;
  return (time_t)(looks >> 16) % 86400 - 43200;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
  static __typeof__(&clock_gettime) real;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
  const int result = real(clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += jump();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
  (void)zone;
  struct timespec exact;
  const int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}

time_t time(time_t *now)
{
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
