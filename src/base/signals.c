// Remembers the signals that ask a run to end.
#include "signals.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "parallel.h"

#define SAME_REQUEST 20     // 1/10 s in which further signals belong to the first
#define FIRST_SPEAKS 2000   // ms that other ranks leave to the first one to end the job

static const int caught[] = {SIGUSR1, SIGUSR2, SIGXCPU, SIGTERM, SIGINT};
enum { CAUGHT = sizeof caught / sizeof *caught };

// What a handler and the program share. It has to be global, for a handler has no other way to it;
// it says that a run should end, never what comes out of it. Atomic, because threads of the message
// passing library may be the ones that handlers interrupt.
static struct {
  atomic_int asked;   // the first signal, KNOWN where only other ranks had one, 0: none
  atomic_int when;    // it came, 1/10 s on a clock that only differences are taken of
} request;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "handlers may use atomics that are free of locks alone");
#define KNOWN (-1)

static int now_tenths(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int)(unsigned)((unsigned long long)now.tv_sec * 10 +
                         (unsigned long long)now.tv_nsec / 100000000);
}

static bool is_same_request(void)
{
  return (unsigned)now_tenths() - (unsigned)atomic_load(&request.when) < SAME_REQUEST;
}

// One line from the job, not one from each rank. Other ranks than the first leave it a while to
// speak and to end the job, in which the launcher's TERM ends them without a word; one that comes
// to them for a further request is likely to be just that.
_Noreturn static void end_at_once(int number)
{
  static const char line[] =
      "drystone: asked to stop once more: stopped at once, without a checkpoint; earlier ones "
      "stay valid\n";
  bool speaks = true;
  if (par_rank() != 0) {
    speaks = number != SIGTERM;
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &term, NULL);
    if (speaks) poll(NULL, 0, FIRST_SPEAKS);
  }
  // nobody is left to hear that this failed
  if (speaks && write(STDERR_FILENO, line, sizeof line - 1) < 0) _exit(EXIT_AT_ONCE);
  _exit(EXIT_AT_ONCE);
}

// Calls nothing but what may be called in a handler.
static void on_signal(int number)
{
  const int error = errno;
  if (atomic_load(&request.asked) == 0) {
    atomic_store(&request.when, now_tenths());
    atomic_store(&request.asked, number);
  } else if (number != SIGXCPU && !is_same_request()) {
    // the system repeats that one every second, on its own
    end_at_once(number);
  }
  errno = error;
}

static void set_action(void (*handler)(int))
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < CAUGHT; i++) sigaddset(&action.sa_mask, caught[i]);
  for (int i = 0; i < CAUGHT; i++) {
    // shells let what they start in the background ignore the interrupts of the terminal
    struct sigaction before;
    const bool ignored = caught[i] == SIGINT && sigaction(SIGINT, NULL, &before) == 0 &&
                         before.sa_handler == SIG_IGN;
    if (!ignored) sigaction(caught[i], &action, NULL);
  }
}

// The call that met a pipe without a reader says so; what is started by us gets the usual action.
static void on_broken_pipe(int number) { (void)number; }

static void mask_caught(int how)
{
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < CAUGHT; i++) sigaddset(&set, caught[i]);
  pthread_sigmask(how, &set, NULL);
}

void signals_kept(sigset_t *kept)
{
  assert(kept != NULL && "the set has a place");
  sigemptyset(kept);
  for (int i = 0; i < CAUGHT; i++) {
    struct sigaction action;
    if (sigaction(caught[i], NULL, &action) == 0 && action.sa_handler != SIG_DFL)
      sigaddset(kept, caught[i]);
  }
}

void signals_begin(void)
{
  mask_caught(SIG_BLOCK);
  set_action(on_signal);
  sigaction(SIGPIPE, &(struct sigaction){.sa_handler = on_broken_pipe, .sa_flags = SA_RESTART},
            NULL);
}

void signals_listen(void) { mask_caught(SIG_UNBLOCK); }
void signals_end(void) { set_action(SIG_IGN); }

SignalsHeld signals_hold(void)
{
  SignalsHeld held;
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, &held.mask);
  sigaction(SIGTERM, NULL, &held.term);
  sigaction(SIGABRT, NULL, &held.abort);
  return held;
}

void signals_release(const SignalsHeld *held)
{
  assert(held != NULL && "what was held is given back");
  sigaction(SIGTERM, &held->term, NULL);
  sigaction(SIGABRT, &held->abort, NULL);
  pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
}

int signals_asked(void)
{
  const int asked = atomic_load(&request.asked);
  return asked == KNOWN ? 0 : asked;
}

void signals_known(void)
{
  if (atomic_load(&request.asked) != 0) return;
  atomic_store(&request.when, now_tenths());
  // a signal that comes in between keeps its place
  int none = 0;
  atomic_compare_exchange_strong(&request.asked, &none, KNOWN);
}
