#pragma once
// Requests from outside to end a run: SIGUSR1, SIGUSR2, SIGXCPU, SIGTERM and SIGINT. Local.
#include <signal.h>

// From here on the first of these signals is only kept (signals_asked). A further one ends the
// process at once, with one line and EXIT_AT_ONCE, but not within 2 s of the first: a launcher
// hands on what a batch system may also deliver by itself, and both are the same request. SIGXCPU
// is never a further one, for the system repeats it every second. SIGPIPE ends nothing: the call
// that writes to a pipe without a reader fails. Called before par_begin, and only
// where somebody asks: elsewhere the signals keep their default action.
//
// They are blocked until signals_listen, which the main thread calls after par_begin: threads of
// the message passing library inherit that, so that the main thread alone takes signals. One that
// comes in between waits.
void signals_begin(void);
void signals_listen(void);

// Those of the kinds above that this process keeps or ignores, for a child that must not end of
// them.
void signals_kept(sigset_t *kept);

// The first signal of the kinds above that came to this process, 0: none so far.
int signals_asked(void);

// Another rank has been asked, and this one knows by now: a signal from here on is a further one,
// likewise after 2 s.
void signals_known(void);

// A library that sets actions of its own for TERM and ABRT is called between these two, in one
// thread: a TERM waits that long, and the actions are those of before again.
typedef struct {
  sigset_t mask;
  struct sigaction term, abort;
} SignalsHeld;
SignalsHeld signals_hold(void);
void signals_release(const SignalsHeld *held);

// The results are safe: the signals are ignored from here on, so that a launcher that takes down
// the other ranks when the first one leaves changes no exit code.
void signals_end(void);
