// Shows ThreadSanitizer how Swift's Mutex passes from thread to thread on Linux. Loaded with LD_PRELOAD by .ci/test-sanitized.sh.
//
// Mutex is a priority-inheriting futex. A free one is taken by an atomic operation in the caller, which is instrumented. Where
// threads contend, the standard library calls FUTEX_LOCK_PI and FUTEX_UNLOCK_PI: the kernel passes the lock on, and no
// instrumented operations of the two threads meet. Without these annotations each such hand-over is reported as a race, in the
// critical section or where an object that was handed over is read later.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// The functions of the standard library, and of the sanitizer's runtime.
static SWIFT void (*next_lock)(uint32_t, SELF);
static SWIFT bool (*next_try_lock)(SELF);
static SWIFT void (*next_unlock)(SELF);
static void (*acquire)(void *);
static void (*release)(void *);

// All are null in programs of other languages, which load this file too and never call it.
__attribute__((constructor)) static void look_up(void) {
    next_lock = dlsym(RTLD_NEXT, LOCK_SLOW);
    next_try_lock = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
    next_unlock = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    acquire = dlsym(RTLD_DEFAULT, "__tsan_acquire");
    release = dlsym(RTLD_DEFAULT, "__tsan_release");
    // The sanitizer replaces glibc's allocator, which therefore is initialized only by the first malloc_trim of a service. Two threads
    // that do so at once both become the one user of its first arena; the end of the second one fails an assertion of glibc.
    malloc_trim(0);
}

SWIFT void lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF mutex) {
    next_lock(thread, mutex);
    if (acquire) acquire(mutex);
}

SWIFT bool try_lock_slow(SELF mutex) __asm__(TRY_LOCK_SLOW);
SWIFT bool try_lock_slow(SELF mutex) {
    bool locked = next_try_lock(mutex);
    if (locked && acquire) acquire(mutex);
    return locked;
}

SWIFT void unlock_slow(SELF mutex) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF mutex) {
    if (release) release(mutex);
    next_unlock(mutex);
}
