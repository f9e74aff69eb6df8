#pragma once

#include <semaphore.h>
#include <stdint.h>
#include <time.h>

/// Requests short time slices with low latency for the calling thread: one that is woken often, works for some microseconds and
/// has clients waiting for it. Linux 6.12 and later (EEVDF) let such a thread preempt others of the same priority; elsewhere
/// nothing changes. No privilege is needed.
///
/// - nanoseconds: length of a time slice; the kernel accepts 100,000 to 100,000,000.
///
/// Returns 0, or an errno: then the thread's scheduling is unchanged.
int scheduling_prefer_short_turns(uint64_t nanoseconds);

/// Lets the other threads go first: the calling thread gets the nice value 10, and a time slice so long that others preempt it at once
/// (Linux 6.12 and later; before, the nice value does). No privilege is needed.
///
/// Returns 0, or an errno: then the thread's priority is unchanged.
int scheduling_yield_to_others(void);

/// Waits for a semaphore, at most `nanoseconds` of the monotonic clock: setting the wall clock meanwhile changes the timeout of
/// Dispatch's semaphores on Linux, but not of this.
///
/// Returns 1 if the semaphore was decremented, 0 on a timeout.
int scheduling_take(sem_t *semaphore, int64_t nanoseconds);

/// Names the calling thread, for debuggers and top: at most 15 bytes.
void scheduling_name_thread(const char *name);

/// Reads a clock that always exists, such as CLOCK_MONOTONIC: nanoseconds since its start.
int64_t scheduling_nanoseconds(clockid_t clock);

/// Returns the allocator's free pages to the operating system, with glibc; elsewhere nothing happens. Takes some milliseconds, during
/// which other threads may wait to allocate.
void scheduling_return_free_memory(void);
