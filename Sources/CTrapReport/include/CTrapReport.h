#pragma once

#include <stddef.h>

// What was being handled when the program traps: a few numbers in static storage, which a signal handler may read. Routes are
// known by number; their names are given once, at the start. Nothing of a request's content ever comes here.

/// From here on SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE and SIGABRT write one line for the program, and one for each thread that
/// handles requests, to standard error; then the handler that was installed before runs (Swift's backtracer), and the program
/// ends by the signal, also where it was sent from outside.
void trap_report_install(void);

/// Names a route, such as `POST /v1/rooms/{id}/bids`; copied, and cut at 95 bytes. Numbers from 0 to 127 have a name.
void trap_report_name_route(int route, const char *name);

/// The calling thread handles a request of that route, with a body of so many bytes, until `trap_report_end`.
void trap_report_begin(int route, size_t body_bytes);

/// The calling thread has handled it; it is still reported as the thread's last one.
void trap_report_end(void);
