#define _GNU_SOURCE
#include "CMicroHTTPDShims.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// libmicrohttpd handles every connection that its epoll descriptor reports, in the kernel's order, before it returns: a bid would
// wait for a thousand repeated polls. During `micro_run` the two functions below come between it and the kernel. What the kernel
// reports is kept here, and libmicrohttpd is given all ordinary connections but only some of the low-priority ones; the others
// follow in the next runs. `recv` is interposed the same way, see reads.c.
//
// It also accepts no more than 11 connections each time: `micro_run` lets it accept all that wait, up to a bound, before a
// low-priority connection is handled, so that a client is not kept waiting behind a burst of connections that are refused.
//
// It also does not read again after a read that did not fill its buffer, until the kernel reports more. The end of what a client sends is
// not reported again if the same report had both that and the request: the connection would stay open until it is idle for too long.
// So of a client that has ended, which EPOLLRDHUP tells, each read that found bytes is followed by another one.
//
// It removes a connection from its epoll descriptor whenever it suspends it, and adds it again after the response. That costs two system
// calls, and a report of the kernel that the socket is writable. So a connection that `micro_suspend` suspends stays with the kernel,
// which reports each change once (EPOLLET): what it reports meanwhile is given to libmicrohttpd when it adds the connection again.

// Most low-priority connections per run: each takes about 20 µs.
#define LOW_PRIORITY_PER_RUN 4
// How often libmicrohttpd accepts connections per run, 11 each time, while more of them wait.
#define ACCEPTS_PER_RUN 4
// Most events read from the kernel per run; it reports the rest in the next one.
#define EVENTS_PER_RUN 512
// Marks event data that is a descriptor; libmicrohttpd's own data are pointers.
#define DESCRIPTOR_MARK (1ull << 63)
#define NONE (-1)

struct watched {
    void *data;       // libmicrohttpd's event data
    uint32_t pending; // events that libmicrohttpd has not been given yet
    int next;         // the next descriptor in its queue
    uint8_t is_queued, is_low_priority;
    uint8_t is_paused; // libmicrohttpd has removed it, the kernel still reports it
    uint8_t has_ended; // the client sends no more than what the kernel has
};

struct queue {
    int first, last;
};

struct micro_events {
    int epoll;
    struct watched *watched; // by descriptor
    size_t capacity;
    struct queue ordinary, low_priority;
    void *daemon;     // libmicrohttpd's event data of the listening socket
    int has_waiting;  // whether connections waited to be accepted
    int accepts_left; // how often libmicrohttpd may still accept in this run
};

static _Thread_local struct micro_events *running;
static _Thread_local int is_suspending;

struct micro_events *micro_events_make(int epoll) {
    struct micro_events *events = calloc(1, sizeof *events);
    if (events != NULL)
        *events = (struct micro_events){.epoll = epoll, .ordinary = {NONE, NONE}, .low_priority = {NONE, NONE}};
    return events;
}

void micro_events_free(struct micro_events *events) {
    if (events != NULL)
        free(events->watched);
    free(events);
}

// Not by `epoll_pwait`, which uses the frame pointer for something else: the backtrace of a trap would end there.
static int kernel_wait(int epoll, struct epoll_event *found, int count, int timeout) {
    return (int)syscall(SYS_epoll_pwait, epoll, found, count, timeout, NULL, 8);
}

// The descriptor's entry, NULL without memory. Entries keep their place in the table only until the next call.
static struct watched *entry(struct micro_events *events, int descriptor) {
    size_t index = (size_t)descriptor;
    if (index >= events->capacity) {
        size_t capacity = index * 2 + 64;
        struct watched *grown = realloc(events->watched, capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        for (size_t added = events->capacity; added < capacity; added++)
            grown[added] = (struct watched){.next = NONE};
        events->watched = grown;
        events->capacity = capacity;
    }
    return &events->watched[index];
}

void micro_events_set_low_priority(struct micro_events *events, int descriptor, int is_low_priority) {
    struct watched *watched = descriptor < 0 ? NULL : entry(events, descriptor);
    if (watched != NULL)
        watched->is_low_priority = is_low_priority != 0;
}

int micro_events_are_pending(const struct micro_events *events) {
    return events->ordinary.first != NONE || events->low_priority.first != NONE;
}

static void push(struct micro_events *events, struct queue *queue, int descriptor) {
    struct watched *watched = &events->watched[descriptor];
    watched->is_queued = 1;
    watched->next = NONE;
    if (queue->first == NONE)
        queue->first = descriptor;
    else
        events->watched[queue->last].next = descriptor;
    queue->last = descriptor;
}

// Moves up to `count` pending events from a queue to `found` and returns how many. Descriptors without pending events, which were
// removed or closed since, are dropped, and paused ones, which are queued again later.
static int pop(struct micro_events *events, struct queue *queue, struct epoll_event *found, int count) {
    int taken = 0;
    while (taken < count && queue->first != NONE) {
        struct watched *watched = &events->watched[queue->first];
        queue->first = watched->next;
        watched->is_queued = 0;
        if (watched->pending == 0 || watched->is_paused)
            continue;
        found[taken++] = (struct epoll_event){.events = watched->pending, .data.ptr = watched->data};
        watched->pending = 0;
    }
    return taken;
}

// Queues a descriptor with pending events, unless it is paused.
static void queue(struct micro_events *events, int descriptor) {
    struct watched *watched = &events->watched[descriptor];
    if (watched->is_queued || watched->is_paused)
        return;
    // Being writable alone costs libmicrohttpd nothing to note.
    int waits = watched->is_low_priority && (watched->pending & ~(uint32_t)EPOLLOUT) != 0;
    push(events, waits ? &events->low_priority : &events->ordinary, descriptor);
}

// Stores what the kernel reports; returns how many events are not of a marked descriptor, which are moved to `found`.
static int receive(struct micro_events *events, struct epoll_event *found, int count, int timeout) {
    struct epoll_event reported[EVENTS_PER_RUN];
    int reports = kernel_wait(events->epoll, reported, EVENTS_PER_RUN, micro_events_are_pending(events) ? 0 : timeout);
    if (reports < 0)
        return micro_events_are_pending(events) ? 0 : -1;
    int others = 0;
    for (int i = 0; i < reports; i++) {
        if ((reported[i].data.u64 & DESCRIPTOR_MARK) == 0) {
            if (reported[i].data.ptr == events->daemon)
                events->has_waiting = 1;
            if (others < count)
                found[others++] = reported[i]; // level-triggered, so that none is lost
            continue;
        }
        int descriptor = (int)(reported[i].data.u64 & ~DESCRIPTOR_MARK);
        struct watched *watched = &events->watched[descriptor];
        watched->pending |= reported[i].events & ~(uint32_t)EPOLLRDHUP;
        watched->has_ended |= (reported[i].events & EPOLLRDHUP) != 0;
        queue(events, descriptor);
    }
    return others;
}

int epoll_wait(int descriptor, struct epoll_event *found, int count, int timeout) {
    struct micro_events *events = running;
    if (events == NULL || descriptor != events->epoll)
        return kernel_wait(descriptor, found, count, timeout);
    events->has_waiting = 0;
    int limit = count - 1; // given as many as it asked for, libmicrohttpd would ask again
    int taken = receive(events, found, limit, timeout);
    if (taken < 0)
        return -1;
    taken += pop(events, &events->ordinary, found + taken, limit - taken);
    // Only when libmicrohttpd accepts for the last time in this run.
    if (events->has_waiting && events->accepts_left > 0)
        return taken;
    int low = limit - taken < LOW_PRIORITY_PER_RUN ? limit - taken : LOW_PRIORITY_PER_RUN;
    return taken + pop(events, &events->low_priority, found + taken, low);
}

int epoll_ctl(int descriptor, int operation, int watched_descriptor, struct epoll_event *event) {
    struct micro_events *events = running;
    struct epoll_event marked;
    if (events != NULL && descriptor == events->epoll && watched_descriptor >= 0) {
        struct watched *watched = entry(events, watched_descriptor);
        if (watched == NULL) {
            errno = ENOMEM;
            return -1;
        }
        if (operation == EPOLL_CTL_DEL && is_suspending) {
            watched->is_paused = 1;
            return 0;
        }
        if (operation == EPOLL_CTL_ADD && watched->is_paused) {
            // The same connection: its end would have been noted by `micro_events_forget`.
            watched->is_paused = 0;
            if (watched->pending != 0)
                queue(events, watched_descriptor);
            return 0;
        }
        // What was reported of the descriptor before it was removed or added is void, as it is in the kernel.
        watched->pending = 0;
        watched->has_ended = 0;
        // The listening socket stays unmarked if libmicrohttpd adds it again, after it had too many connections.
        if (operation != EPOLL_CTL_DEL && event->data.ptr != events->daemon) {
            watched->data = event->data.ptr;
            marked = (struct epoll_event){.events = event->events | EPOLLRDHUP, .data.u64 = DESCRIPTOR_MARK | (uint64_t)watched_descriptor};
            event = &marked;
        }
    }
    return (int)syscall(SYS_epoll_ctl, descriptor, operation, watched_descriptor, event);
}

void micro_bytes_were_read(int descriptor) {
    struct micro_events *events = running;
    if (events == NULL || descriptor < 0 || (size_t)descriptor >= events->capacity || !events->watched[descriptor].has_ended)
        return;
    events->watched[descriptor].pending |= EPOLLIN;
    queue(events, descriptor);
}

void micro_suspend(struct MHD_Connection *connection) {
    is_suspending = running != NULL;
    MHD_suspend_connection(connection);
    is_suspending = 0;
}

void micro_events_forget(struct micro_events *events, int descriptor) {
    if (descriptor < 0 || (size_t)descriptor >= events->capacity || !events->watched[descriptor].is_paused)
        return;
    syscall(SYS_epoll_ctl, events->epoll, EPOLL_CTL_DEL, descriptor, NULL);
    events->watched[descriptor].is_paused = 0;
    events->watched[descriptor].pending = 0;
    events->watched[descriptor].has_ended = 0;
}

int micro_run(struct MHD_Daemon *daemon, struct micro_events *events) {
    running = events;
    events->daemon = daemon;
    events->accepts_left = ACCEPTS_PER_RUN;
    int is_up;
    do {
        events->accepts_left--;
        is_up = MHD_run(daemon) == MHD_YES;
    } while (is_up && events->has_waiting && events->accepts_left > 0);
    running = NULL;
    return is_up;
}

void micro_add_connection(struct MHD_Daemon *daemon, struct micro_events *events, int socket) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getpeername(socket, (struct sockaddr *)&address, &size) != 0) {
        close(socket);
        return;
    }
    running = events; // for `epoll_ctl`
    MHD_add_connection(daemon, socket, (struct sockaddr *)&address, size);
    running = NULL;
}

int micro_must_run_now(struct MHD_Daemon *daemon, const struct micro_events *events) {
    MHD_UNSIGNED_LONG_LONG milliseconds;
    return micro_events_are_pending(events) || (MHD_get_timeout(daemon, &milliseconds) == MHD_YES && milliseconds == 0);
}
