#pragma once

#include <semaphore.h>
#include <stdint.h>

/// Asks the scheduler for turns that are short and soon, for the calling thread: one that is woken often, works for some
/// microseconds and has somebody waiting for it. Linux 6.12 and later (EEVDF) let such a thread interrupt others of the same
/// priority; elsewhere nothing changes. No privilege is needed.
///
/// - nanoseconds: how long a turn may be; the kernel takes 100,000 to 100,000,000.
///
/// Returns 0, or an errno: the thread then runs as any other.
int scheduling_prefer_short_turns(uint64_t nanoseconds);

/// Takes a semaphore, waiting for it at most so long by the monotonic clock: who sets the wall clock meanwhile neither prolongs
/// nor cuts the wait, which the time-outs of Dispatch's semaphores let them do on Linux.
///
/// Returns whether it was taken.
int scheduling_take(sem_t *semaphore, int64_t nanoseconds);

/// Names the calling thread, for debuggers and top: at most 15 bytes.
void scheduling_name_thread(const char *name);
