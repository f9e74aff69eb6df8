#define _GNU_SOURCE
#include "CTrapReport.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { route_limit = 128, name_bytes = 96, thread_limit = 64, thread_name_bytes = 16 };

static char route_names[route_limit][name_bytes];

// The request of one thread. Written by that thread only; read by the thread that traps.
struct request_note {
    char thread[thread_name_bytes];
    atomic_int route;
    atomic_size_t body_bytes;
    atomic_int is_handling;
};

static struct request_note notes[thread_limit];
static atomic_int note_count;
static _Thread_local struct request_note *own_note;

static const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
static struct sigaction earlier[NSIG];
static atomic_int is_reporting;

void trap_report_name_route(int route, const char *name) {
    if (route < 0 || route >= route_limit)
        return;
    strncpy(route_names[route], name, name_bytes - 1);
}

static struct request_note *note_of_thread(void) {
    if (own_note == NULL) {
        int index = atomic_fetch_add(&note_count, 1);
        // Threads beyond the limit share the last entry: a request may be reported for the wrong thread.
        own_note = &notes[index < thread_limit ? index : thread_limit - 1];
        prctl(PR_GET_NAME, own_note->thread);
    }
    return own_note;
}

void trap_report_begin(int route, size_t body_bytes) {
    struct request_note *note = note_of_thread();
    atomic_store_explicit(&note->route, route, memory_order_relaxed);
    atomic_store_explicit(&note->body_bytes, body_bytes, memory_order_relaxed);
    atomic_store_explicit(&note->is_handling, 1, memory_order_release);
}

void trap_report_end(void) { atomic_store_explicit(&note_of_thread()->is_handling, 0, memory_order_release); }

// All functions below run in a signal handler: no allocation, no lock, no stdio.

struct line {
    char text[256];
    size_t count;
};

static void add(struct line *line, const char *text) {
    while (*text != 0 && line->count < sizeof line->text - 1)
        line->text[line->count++] = *text++;
}

static void add_number(struct line *line, size_t number) {
    char digits[24];
    size_t position = sizeof digits - 1;
    digits[position] = 0;
    do {
        digits[--position] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    add(line, digits + position);
}

static void write_line(struct line *line) {
    line->text[line->count++] = '\n';
    // A failed write to standard error cannot be reported anywhere else.
    ssize_t written = write(STDERR_FILENO, line->text, line->count);
    (void)written;
}

static const char *signal_name(int number) {
    switch (number) {
    case SIGILL: return "SIGILL";
    case SIGTRAP: return "SIGTRAP";
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    default: return "SIGABRT";
    }
}

static void report_request(const struct request_note *note) {
    struct line line = {.count = 0};
    add(&line, "auction-room: ");
    add(&line, note->thread);
    int route = atomic_load(&note->route);
    add(&line, atomic_load(&note->is_handling) ? " is handling " : " has last handled ");
    add(&line, route >= 0 && route < route_limit && route_names[route][0] != 0 ? route_names[route] : "a request without a route");
    add(&line, ", body ");
    add_number(&line, atomic_load(&note->body_bytes));
    add(&line, " bytes");
    write_line(&line);
}

static void report(int number) {
    char thread[thread_name_bytes] = "";
    prctl(PR_GET_NAME, thread);
    struct line line = {.count = 0};
    add(&line, "auction-room: ended by ");
    add(&line, signal_name(number));
    add(&line, " in thread ");
    add(&line, thread);
    write_line(&line);
    int count = atomic_load(&note_count);
    for (int index = 0; index < count && index < thread_limit; index++)
        report_request(&notes[index]);
}

static void on_trap(int number, siginfo_t *information, void *context) {
    // Another thread may trap while this one reports.
    if (atomic_exchange(&is_reporting, 1) == 0)
        report(number);
    const struct sigaction *before = &earlier[number];
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(number, information, context);
    else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
        before->sa_handler(number);
    // A faulting instruction would raise the signal again, but a signal that was sent must be raised explicitly.
    signal(number, SIG_DFL);
    raise(number);
}

void trap_report_install(void) {
    for (size_t index = 0; index < sizeof signals / sizeof signals[0]; index++) {
        int number = signals[index];
        if (sigaction(number, NULL, &earlier[number]) != 0)
            continue;
        struct sigaction ours = {.sa_flags = earlier[number].sa_flags | SA_SIGINFO | SA_ONSTACK};
        ours.sa_mask = earlier[number].sa_mask;
        ours.sa_sigaction = on_trap;
        sigaction(number, &ours, NULL);
    }
}
