#pragma once

#include <stddef.h>

// Reports which requests were being handled when the program traps: a few numbers in static storage, which a signal handler may
// read. Routes are identified by number; their names are registered once, at the start. No request content is recorded.

/// Installs handlers for SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE and SIGABRT that write one line for the program, and one for
/// each thread that handles requests, to standard error; then the previously installed handler runs (Swift's backtracer), and
/// the program ends by the signal, even if another process sent it.
void trap_report_install(void);

/// Sets the name of a route, such as `POST /v1/rooms/{id}/bids`; copied, and truncated to 95 bytes. Numbers outside 0…127 are
/// ignored.
void trap_report_name_route(int route, const char *name);

/// Records that the calling thread handles a request of `route` with a body of `body_bytes` bytes, until `trap_report_end`.
void trap_report_begin(int route, size_t body_bytes);

/// Records that the calling thread has handled its request, which is still reported as the thread's last one.
void trap_report_end(void);
