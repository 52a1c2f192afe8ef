// Loaded before a rank's own libraries: kills it while it starts, in moments that a signal from
// outside hits once in some hundred times.
//
//   DYING_RANK      which rank, as Open MPI numbers them
//   DYING_PLACE     connecting: its request to the launcher is sent, the answer not yet taken;
//                   a number K: at its K-th look into the data that it shares with the launcher,
//                   whose lock (PMIx before 5) it holds
//   DYING_LOG       a file that gets a line for every such look of any rank
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REQUEST_LEAST 20   // bytes; what comes before it is its header

// what a rank is asked for has the place as its word
static const char *place_of_death(void)
{
  const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *dying = getenv("DYING_RANK");
  const char *place = getenv("DYING_PLACE");
  return rank && dying && place && strcmp(rank, dying) == 0 ? place : "";
}

static void die_here(void)
{
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

ssize_t send(int socket, const void *bytes, size_t count, int flags)
{
  ssize_t (*send_truly)(int, const void *, size_t, int);
  *(void **)&send_truly = dlsym(RTLD_NEXT, "send");
  const bool dies = count >= REQUEST_LEAST && strcmp(place_of_death(), "connecting") == 0;
  // the end of the connection goes with the request, so that no answer comes before it
  const ssize_t sent = send_truly(socket, bytes, count, dies ? flags | MSG_MORE : flags);
  if (dies) {
    close(socket);
    die_here();
  }
  return sent;
}

// PMIx calls this to give the lock of the shared data back.
int pmix_ds21_lock_rd_rel(void *lock);
int pmix_ds21_lock_rd_rel(void *lock)
{
  static int looks;
  int (*give_back)(void *);
  *(void **)&give_back = dlsym(RTLD_NEXT, "pmix_ds21_lock_rd_rel");
  looks++;
  const char *path = getenv("DYING_LOG");
  const int log = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (log >= 0) {
    if (write(log, "look\n", 5) < 0) die_here();
    close(log);
  }
  if (looks == atoi(place_of_death())) die_here();
  return give_back(lock);
}
