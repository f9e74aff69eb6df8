#pragma once

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h> // not in Swift's Glibc module
#include <sys/eventfd.h>
#include <sys/types.h>

// What Swift cannot call (variadic functions, va_list) or should not see (enums whose Swift names depend on the header's
// version). Everything here is a plain pointer, int or size; nothing here decides anything.

#if MHD_VERSION < 0x00097500
#error "libmicrohttpd 0.9.75 or later is needed"
#endif

/// Called on the event loop's thread only. `context` is the one given to `micro_daemon_start`.
struct micro_callbacks {
    /// Whether a new connection may come in: 0 closes it at once.
    int (*admit)(void *context);
    void (*opened)(void *context, struct MHD_Connection *connection, void **socket_context);
    void (*closed)(void *context, struct MHD_Connection *connection, void **socket_context);
    /// The request line was read. `uri` is as sent; what is returned becomes the request context.
    void *(*request_line)(void *context, const char *uri, struct MHD_Connection *connection);
    /// See `MHD_AccessHandlerCallback`. 0 closes the connection.
    int (*request)(
        void *context, struct MHD_Connection *connection, const char *method, const char *version, const char *upload,
        size_t *upload_size, void **request_context);
    void (*completed)(void *context, struct MHD_Connection *connection, void **request_context, int reason);
    void (*log)(void *context, const char *message);
    /// The 101 has gone out; `extra` came behind the request already. `handle` is for `micro_upgrade_close`, exactly once.
    void (*upgraded)(
        void *request_context, const char *extra, size_t extra_size, int socket, struct MHD_UpgradeResponseHandle *handle);
};

/// A certificate with its chain and its private key, both PEM and ended with NUL.
struct micro_tls {
    const char *certificate;
    const char *key;
};

/// Starts a daemon without threads that serves `listen_socket` from its own epoll descriptor. NULL if it cannot.
/// `callbacks` and `context` must outlive it; what `tls` points at is copied, and NULL is plain HTTP.
struct MHD_Daemon *micro_daemon_start(
    int listen_socket, const struct micro_callbacks *callbacks, void *context, unsigned int connection_limit,
    size_t connection_memory, const struct micro_tls *tls);

/// Whether libmicrohttpd can serve with the certificate and the key: 1, or 0, or -1 where it was built without TLS.
int micro_tls_check(const struct micro_tls *tls);

/// Connections that the daemon has, suspended ones too.
unsigned int micro_daemon_connections(struct MHD_Daemon *daemon);

/// The daemon's epoll descriptor, -1 if it has none.
int micro_daemon_epoll_descriptor(struct MHD_Daemon *daemon);

int micro_connection_descriptor(struct MHD_Connection *connection);
void *micro_connection_socket_context(struct MHD_Connection *connection);
const struct sockaddr *micro_connection_address(struct MHD_Connection *connection);

/// The peer's address as a number of 128 bits, an IPv4 address where IPv6 maps it; 0 where it has none.
int micro_peer_address(struct MHD_Connection *connection, uint64_t *high, uint64_t *low);

/// Calls `each` for every request header; it stops when that returns 0.
void micro_each_header(
    struct MHD_Connection *connection,
    int (*each)(void *context, const char *name, size_t name_size, const char *value, size_t value_size), void *context);

/// The first request header of that name in any case, or NULL.
const char *micro_header(struct MHD_Connection *connection, const char *name);

/// A response that owns a copy of the bytes.
struct MHD_Response *micro_response_copying(const void *bytes, size_t size);

/// A 101 after which `callbacks->upgraded` is called.
struct MHD_Response *micro_response_upgrading(const struct micro_callbacks *callbacks);

/// Gives an upgraded socket back, which closes it. The daemon must run again; never inside one of its callbacks.
void micro_upgrade_close(struct MHD_UpgradeResponseHandle *handle);

/// Fills at most `size` bytes: returns how many, 0 after suspending the connection, or one of the two ends below.
typedef ssize_t (*micro_reader)(void *context, uint64_t position, char *buffer, size_t size);
#define MICRO_READER_END (-1)
#define MICRO_READER_FAILED (-2)

/// A response of unknown length; `release` is called with the context when libmicrohttpd is done with it.
struct MHD_Response *micro_response_reading(micro_reader reader, void *context, void (*release)(void *context));

/// The same of known length, read in blocks of 16 KiB: all that one connection keeps of it.
struct MHD_Response *micro_response_reading_body(
    uint64_t size, micro_reader reader, void *context, void (*release)(void *context));

/// A body of two parts that stay where they are; `release` is called with the context when libmicrohttpd is done with them.
struct MHD_Response *micro_response_joining(
    const void *first, size_t first_size, const void *second, size_t second_size, void (*release)(void *context), void *context);

/// Makes a socket fit for a stream: no waiting for more to send, at most about so much in the kernel for a peer that does not
/// read (by itself it would take megabytes), and after so long without an acknowledgement the connection is given up.
void micro_prepare_stream(int socket, int kernel_bytes, unsigned int silence_milliseconds);

/// For `sendmsg`: at once or not at all, and no signal where the peer is gone. Swift does not always see the two constants.
int micro_send_flags(void);

/// Puts the connection among those that the daemon looks at in every run, and gives it a second: one whose reader failed after its
/// peer had reset it is closed in no other list.
void micro_expire(struct MHD_Connection *connection);

/// What was written to a socket and the peer has not acknowledged; ioctl is variadic.
int micro_unsent_bytes(int descriptor);

/// 0 where libmicrohttpd refuses the name or the value.
int micro_response_add_header(struct MHD_Response *response, const char *name, const char *value);

/// 0 where the connection cannot take a response now.
int micro_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

/// Runs what is ready. 0 on a failure of the daemon itself.
int micro_run(struct MHD_Daemon *daemon);

/// Whether the daemon must run again before anybody sleeps.
int micro_must_run_now(struct MHD_Daemon *daemon);

/// Called with what libmicrohttpd has read from a client's socket on this thread (decrypted), before it parses it.
typedef void (*micro_read_observer)(void *context, int descriptor, const void *bytes, size_t size);

/// Observes the reads of the calling thread from now on, of daemons that are all encrypted or all not; NULL ends that.
void micro_observe_reads(micro_read_observer observer, void *context, int encrypted);

/// Whether libmicrohttpd's reads can be observed: 0 where the program was linked so that they do not pass through it.
int micro_reads_are_observed(int encrypted);

/// Names the calling thread, for debuggers and top (at most 15 bytes).
void micro_name_thread(const char *name);

/// The system's text for an `errno`, always ended with NUL: `strerror_r` has two forms, and headers decide which.
void micro_error_text(int code, char *text, size_t size);

/// Lets the C heap keep memory that was freed, instead of giving it back and asking again with every burst.
void micro_keep_heap(void);
