#define _GNU_SOURCE
#include "CScheduling.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc 2.36 has neither the call nor its structure. SCHED_OTHER is 0; `runtime` is the length of a time slice.
struct attributes {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

static int set_time_slice(uint64_t nanoseconds) {
    struct attributes attributes = {.size = sizeof attributes};
    // Attributes that are to stay, such as the thread's nice value, must be passed again.
    if (syscall(SYS_sched_getattr, 0, &attributes, (unsigned int)sizeof attributes, 0U) != 0)
        return errno;
    attributes.size = sizeof attributes;
    attributes.runtime = nanoseconds;
    return syscall(SYS_sched_setattr, 0, &attributes, 0U) == 0 ? 0 : errno;
}

int scheduling_prefer_short_turns(uint64_t nanoseconds) { return set_time_slice(nanoseconds); }

// The longest time slice that Linux accepts, in nanoseconds.
#define LONGEST_SLICE 100000000

int scheduling_yield_to_others(void) {
    // A thread with a shorter slice need not wait for the end of this one's. A failure leaves the nice value, which counts for more.
    (void)set_time_slice(LONGEST_SLICE);
    // Under Linux the value belongs to a thread, not to the process.
    return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10) == 0 ? 0 : errno;
}

int scheduling_take(sem_t *semaphore, int64_t nanoseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    const int64_t part = end.tv_nsec + nanoseconds % 1000000000;
    end.tv_sec += nanoseconds / 1000000000 + part / 1000000000;
    end.tv_nsec = part % 1000000000;
    int failure;
    do {
        failure = sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
    } while (failure != 0 && errno == EINTR);
    return failure == 0;
}

void scheduling_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int64_t scheduling_nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void scheduling_return_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
