#pragma once
// Requests from outside to end a run: SIGUSR1, SIGTERM and SIGINT. Local.

// From here on the first of these signals is only kept (signals_asked). A further one ends the
// process at once, with one line and EXIT_AT_ONCE, but not within 2 s of the first: a launcher
// hands on what a batch system may also deliver by itself, and both are the same request. Called
// before par_begin, and only where somebody asks: elsewhere the signals keep their default action.
void signals_begin(void);

// The first signal of the kinds above that came to this process, 0: none so far.
int signals_asked(void);

// Another rank has been asked, and this one knows by now: a signal from here on is a further one,
// likewise after 2 s.
void signals_known(void);

// The results are safe: the signals are ignored from here on, so that a launcher that takes down
// the other ranks when the first one leaves changes no exit code.
void signals_end(void);
