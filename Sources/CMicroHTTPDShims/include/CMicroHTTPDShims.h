#pragma once

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h> // not in Swift's Glibc module
#include <sys/eventfd.h>
#include <sys/types.h>

// Wrappers for functions that Swift cannot import (variadic functions, va_list) and for enums whose Swift names depend on the
// header's version. Parameters are plain pointers, ints and sizes. Logic is in two files only: reads.c comes between
// libmicrohttpd and its clients, and events.c has it accept new connections first and limits how many repeated long polls it handles per run.

#if MHD_VERSION < 0x00097500
#error "libmicrohttpd 0.9.75 or later is needed"
#endif

/// Called on the event loop's thread only. `context` is the one passed to `micro_daemon_start`.
struct micro_callbacks {
    /// Whether to accept a new connection from an address, see `micro_peer_address`; 0 closes it at once. `has_address` is 0, and the
    /// address too, if the connection has no IP address.
    int (*admit)(void *context, int has_address, uint64_t high, uint64_t low);
    void (*opened)(void *context, struct MHD_Connection *connection, void **socket_context);
    void (*closed)(void *context, struct MHD_Connection *connection, void **socket_context);
    /// The request line was read. `uri` is as sent; the returned pointer becomes the request context.
    void *(*request_line)(void *context, const char *uri, struct MHD_Connection *connection);
    /// See `MHD_AccessHandlerCallback`. 0 closes the connection.
    int (*request)(
        void *context, struct MHD_Connection *connection, const char *method, const char *version, const char *upload,
        size_t *upload_size, void **request_context);
    void (*completed)(void *context, struct MHD_Connection *connection, void **request_context, int reason);
    void (*log)(void *context, const char *message);
    /// The 101 was sent; `extra` are bytes already read after the request. `handle` must be passed to `micro_upgrade_close` once.
    void (*upgraded)(
        void *request_context, const char *extra, size_t extra_size, int socket, struct MHD_UpgradeResponseHandle *handle);
};

/// A certificate with its chain, and its private key, both in PEM and terminated by NUL.
struct micro_tls {
    const char *certificate;
    const char *key;
};

/// Starts a daemon without threads that serves `listen_socket` from its own epoll descriptor; NULL on failure.
/// `callbacks` and `context` must outlive it; the contents of `tls` are copied, NULL selects plain HTTP.
struct MHD_Daemon *micro_daemon_start(
    int listen_socket, const struct micro_callbacks *callbacks, void *context, unsigned int connection_limit,
    size_t connection_memory, const struct micro_tls *tls);

/// Whether libmicrohttpd accepts the certificate and the key: 1 or 0, or -1 if it was built without TLS.
int micro_tls_check(const struct micro_tls *tls);

/// The number of the daemon's connections, including suspended ones.
unsigned int micro_daemon_connections(struct MHD_Daemon *daemon);

/// The daemon's epoll descriptor, -1 if it has none.
int micro_daemon_epoll_descriptor(struct MHD_Daemon *daemon);

int micro_connection_descriptor(struct MHD_Connection *connection);
void *micro_connection_socket_context(struct MHD_Connection *connection);
const struct sockaddr *micro_connection_address(struct MHD_Connection *connection);

/// The peer's address as a 128-bit number, with IPv4 as IPv4-mapped IPv6. Returns 0 if the connection has no IP address.
int micro_peer_address(struct MHD_Connection *connection, uint64_t *high, uint64_t *low);

/// Calls `each` for every request header, until it returns 0.
void micro_each_header(
    struct MHD_Connection *connection,
    int (*each)(void *context, const char *name, size_t name_size, const char *value, size_t value_size), void *context);

/// A response that owns a copy of the bytes.
struct MHD_Response *micro_response_copying(const void *bytes, size_t size);

/// A 101 response after which `callbacks->upgraded` is called.
struct MHD_Response *micro_response_upgrading(const struct micro_callbacks *callbacks);

/// Ends an upgrade: the daemon closes the socket in its next run. Must not be called inside one of the daemon's callbacks.
void micro_upgrade_close(struct MHD_UpgradeResponseHandle *handle);

/// Fills at most `size` bytes: returns how many, 0 after suspending the connection, or one of the two end codes below.
typedef ssize_t (*micro_reader)(void *context, uint64_t position, char *buffer, size_t size);
#define MICRO_READER_END (-1)
#define MICRO_READER_FAILED (-2)

/// A response of unknown length; `release` is called with the context when libmicrohttpd destroys the response.
struct MHD_Response *micro_response_reading(micro_reader reader, void *context, void (*release)(void *context));

/// Has a response of unknown length end with its connection. For HEAD: libmicrohttpd 0.9.75 would send the last chunk, which the client
/// reads as the beginning of its next response.
void micro_response_omit_chunks(struct MHD_Response *response);

/// A response of known length, read in blocks of 16 KiB, so that a connection buffers no more than one block.
struct MHD_Response *micro_response_reading_body(
    uint64_t size, micro_reader reader, void *context, void (*release)(void *context));

/// A response whose body is two parts that are not copied; `release` is called with the context when libmicrohttpd destroys it.
struct MHD_Response *micro_response_joining(
    const void *first, size_t first_size, const void *second, size_t second_size, void (*release)(void *context), void *context);

/// Configures a socket for a stream: no delay of small writes (TCP_NODELAY), a send buffer of about `kernel_bytes` (by default
/// Linux grows it to megabytes for a peer that does not read), and a reset if sent bytes stay unacknowledged for
/// `unacknowledged_milliseconds`.
void micro_prepare_stream(int socket, int kernel_bytes, unsigned int unacknowledged_milliseconds);

/// Flags for `sendmsg`: non-blocking, and no SIGPIPE. Swift does not import the two constants on every platform.
int micro_send_flags(void);

/// Sets a timeout of one second, which moves the connection to the list that the daemon checks in every run. Needed if the
/// reader fails after the peer's reset: the daemon does not close such a connection in its other lists.
void micro_expire(struct MHD_Connection *connection);

/// Bytes written to a socket that the peer has not acknowledged. A wrapper, because ioctl is variadic.
int micro_unsent_bytes(int descriptor);

/// Returns 0 if libmicrohttpd refuses the name or the value.
int micro_response_add_header(struct MHD_Response *response, const char *name, const char *value);

/// Queues a response. Returns 0 if the connection cannot take one now.
int micro_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

/// What a daemon's epoll descriptor has reported and libmicrohttpd has not handled yet. Used on the loop's thread only.
struct micro_events;

/// The events of the daemon with that epoll descriptor; NULL without memory.
struct micro_events *micro_events_make(int epoll);

/// Must be called after the daemon has stopped.
void micro_events_free(struct micro_events *events);

/// Sets whether what a client sends waits until ordinary connections were handled; at first it does not.
void micro_events_set_low_priority(struct micro_events *events, int descriptor, int is_low_priority);

/// Has the daemon that runs read again from a client that has ended: to be called after a read that found bytes.
void micro_bytes_were_read(int descriptor);

/// Suspends a connection whose descriptor stays in the daemon's epoll descriptor until `micro_events_forget`. To be called inside one of
/// the connection's callbacks.
void micro_suspend(struct MHD_Connection *connection);

/// Removes what `micro_suspend` has left in the daemon's epoll descriptor, if anything. To be called before the descriptor is closed or
/// duplicated.
void micro_events_forget(struct micro_events *events, int descriptor);

/// Processes what is ready without blocking: up to 44 new connections, ordinary connections (127 each time that it accepts), and a
/// limited number of low-priority ones. Returns 0 if the daemon itself fails.
int micro_run(struct MHD_Daemon *daemon, struct micro_events *events);

/// Hands the daemon an open connection as if it had accepted it; the daemon owns the socket from then on, also if it refuses it. Must not
/// be called inside one of the daemon's callbacks.
void micro_add_connection(struct MHD_Daemon *daemon, struct micro_events *events, int socket);

/// Whether the daemon must run again before its thread blocks.
int micro_must_run_now(struct MHD_Daemon *daemon, const struct micro_events *events);

/// Called when libmicrohttpd reads from a client's socket on this thread. Fills at most `size` bytes with what libmicrohttpd is to parse,
/// and returns how many, or what `micro_read` has returned.
typedef ssize_t (*micro_client_reader)(void *context, int descriptor, void *bytes, size_t size);

/// Sets the reader of the calling thread, for daemons that are all encrypted or all not; NULL removes it.
void micro_read_with(micro_client_reader reader, void *context, int encrypted);

/// Reads the (decrypted) bytes from the socket that the reader was called for, with the result that libmicrohttpd expects.
ssize_t micro_read(int descriptor, void *bytes, size_t size);

/// The result of a read that had nothing to read.
ssize_t micro_read_nothing(void);

/// Whether the reader is called: 0 if the program is linked so that libmicrohttpd's reads bypass its interposed functions.
int micro_reads_are_interposed(int encrypted);

/// Names the calling thread, for debuggers and top (at most 15 bytes).
void micro_name_thread(const char *name);

/// The system's text for an `errno`, always terminated by NUL: `strerror_r` has two variants, chosen by the headers.
void micro_error_text(int code, char *text, size_t size);

/// Configures the C heap to keep freed memory instead of returning it to the system and requesting it again with every burst.
void micro_keep_heap(void);

/// Writes what standard output still buffers. Returns 1 if that or an earlier write to it failed, else 0. A wrapper, because Swift does
/// not allow the variable `stdout`, which any thread may set.
int micro_output_failed(void);
