// The baseline of `make bench`, never shipped: libmicrohttpd alone, run as MicroHTTP runs it (one thread, external epoll, the
// same flags and limits), with constant responses. The difference in throughput is the overhead of the server itself.

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    roomBytes = 900,  // approximate response body of `GET /v1/rooms/{id}`
    bidBytes = 450,   // approximate response body of an accepted bid
    connectionMemoryBytes = 8 * 1024,
    connectionLimit = 16000,
    idleSeconds = 60,
};

struct responses {
    struct MHD_Response *room;
    struct MHD_Response *bid;
    struct MHD_Response *notAllowed;
};

/// A JSON object of exactly `bytes` bytes.
static struct MHD_Response *jsonOfSize(size_t bytes) {
    static const char head[] = "{\"padding\":\"";
    static const char tail[] = "\"}";
    char *body = malloc(bytes);
    if (body == NULL) return NULL;
    memset(body, 'x', bytes);
    memcpy(body, head, sizeof head - 1);
    memcpy(body + bytes - (sizeof tail - 1), tail, sizeof tail - 1);
    struct MHD_Response *response = MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        free(body);
        return NULL;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    return response;
}

static enum MHD_Result respond(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *uploadBytes, void **requestContext
) {
    (void)url, (void)version, (void)upload;
    const struct responses *responses = context;
    // libmicrohttpd closes a connection whose response is queued in the first call, so that one only sets the request's context.
    static int mark;
    if (*requestContext == NULL) {
        *requestContext = &mark;
        return MHD_YES;
    }
    if (*uploadBytes != 0) {
        *uploadBytes = 0;
        return MHD_YES;
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET) == 0) return MHD_queue_response(connection, MHD_HTTP_OK, responses->room);
    if (strcmp(method, MHD_HTTP_METHOD_POST) == 0) return MHD_queue_response(connection, MHD_HTTP_CREATED, responses->bid);
    return MHD_queue_response(connection, MHD_HTTP_METHOD_NOT_ALLOWED, responses->notAllowed);
}

static struct MHD_Daemon *start(unsigned short port, struct responses *responses) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE | MHD_USE_ERROR_LOG,
        port, NULL, NULL, respond, responses,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)connectionMemoryBytes,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned int)connectionLimit,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)idleSeconds,
        MHD_OPTION_END);
}

/// SIGTERM and SIGINT as a readable descriptor, so that the loop below is the only place that blocks.
static int endingSignals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
    return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int watch(int loop, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event);
}

/// Runs the daemon until a signal ends it; -1 on an error of epoll.
static int serve(struct MHD_Daemon *daemon, int loop, int signals) {
    for (;;) {
        if (MHD_run(daemon) != MHD_YES) return -1;
        MHD_UNSIGNED_LONG_LONG milliseconds = 0;
        int timeout = -1;
        // A timeout of 0 means that work is left which no descriptor will report.
        if (MHD_get_timeout(daemon, &milliseconds) == MHD_YES) timeout = milliseconds > 60000 ? 60000 : (int)milliseconds;
        if (timeout == 0) continue;
        struct epoll_event events[2];
        int ready = epoll_wait(loop, events, 2, timeout);
        if (ready < 0 && errno != EINTR) return -1;
        for (int index = 0; index < ready; index++) {
            if (events[index].data.fd == signals) return 0;
        }
    }
}

static int fail(const char *what) {
    fprintf(stderr, "bare-microhttpd: %s: %s\n", what, strerror(errno));
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    char *end = NULL;
    long port = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    if (end == NULL || *end != '\0' || port < 1 || port > 65535) {
        fprintf(stderr, "usage: bare-microhttpd PORT\n");
        return EXIT_FAILURE;
    }

    struct responses responses = {.room = jsonOfSize(roomBytes), .bid = jsonOfSize(bidBytes), .notAllowed = jsonOfSize(64)};
    if (responses.room == NULL || responses.bid == NULL || responses.notAllowed == NULL) return fail("no memory for the responses");
    int signals = endingSignals();
    if (signals < 0) return fail("signalfd");
    struct MHD_Daemon *daemon = start((unsigned short)port, &responses);
    if (daemon == NULL) return fail("cannot listen");

    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    int loop = epoll_create1(EPOLL_CLOEXEC);
    if (info == NULL || loop < 0 || watch(loop, info->epoll_fd) != 0 || watch(loop, signals) != 0) return fail("epoll");

    printf("bare-microhttpd ready on http://127.0.0.1:%ld\n", port);
    fflush(stdout);
    int outcome = serve(daemon, loop, signals);
    MHD_stop_daemon(daemon);
    MHD_destroy_response(responses.room);
    MHD_destroy_response(responses.bid);
    MHD_destroy_response(responses.notAllowed);
    close(loop);
    close(signals);
    return outcome == 0 ? EXIT_SUCCESS : fail("epoll_wait");
}
