#define _GNU_SOURCE
#include "CMicroHTTPDShims.h"

#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The closure of all of libmicrohttpd's callbacks: the functions and their context.
struct micro_binding {
    const struct micro_callbacks *callbacks;
    void *context;
};

// The address as a 128-bit number; 0 if it is no IP address.
static int address_bits(const struct sockaddr *address, uint64_t *high, uint64_t *low) {
    *high = *low = 0;
    if (address != NULL && address->sa_family == AF_INET) {
        *low = 0xFFFFull << 32 | ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
        return 1;
    }
    if (address == NULL || address->sa_family != AF_INET6)
        return 0;
    const uint8_t *bytes = ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr;
    for (int i = 0; i < 8; i++) {
        *high = *high << 8 | bytes[i];
        *low = *low << 8 | bytes[8 + i];
    }
    return 1;
}

static enum MHD_Result on_admit(void *cls, const struct sockaddr *address, socklen_t size) {
    struct micro_binding *binding = cls;
    (void)size;
    uint64_t high, low;
    int has_address = address_bits(address, &high, &low);
    return binding->callbacks->admit(binding->context, has_address, high, low) ? MHD_YES : MHD_NO;
}

static void on_connection(
    void *cls, struct MHD_Connection *connection, void **socket_context, enum MHD_ConnectionNotificationCode code) {
    struct micro_binding *binding = cls;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        binding->callbacks->opened(binding->context, connection, socket_context);
    else
        binding->callbacks->closed(binding->context, connection, socket_context);
}

static void *on_request_line(void *cls, const char *uri, struct MHD_Connection *connection) {
    struct micro_binding *binding = cls;
    return binding->callbacks->request_line(binding->context, uri, connection);
}

static enum MHD_Result on_request(
    void *cls, struct MHD_Connection *connection, const char *url, const char *method, const char *version, const char *upload,
    size_t *upload_size, void **request_context) {
    struct micro_binding *binding = cls;
    (void)url; // without the query; the request line callback received the target as sent
    return binding->callbacks->request(binding->context, connection, method, version, upload, upload_size, request_context)
               ? MHD_YES
               : MHD_NO;
}

static void on_completed(
    void *cls, struct MHD_Connection *connection, void **request_context, enum MHD_RequestTerminationCode code) {
    struct micro_binding *binding = cls;
    binding->callbacks->completed(binding->context, connection, request_context, (int)code);
}

// Leaves paths and arguments as sent: the router decodes them after splitting the path into segments.
static size_t unescape_nothing(void *cls, struct MHD_Connection *connection, char *text) {
    (void)cls;
    (void)connection;
    return strlen(text);
}

static void on_log(void *cls, const char *format, va_list arguments) {
    struct micro_binding *binding = cls;
    char line[512];
    vsnprintf(line, sizeof line, format, arguments);
    binding->callbacks->log(binding->context, line);
}

// MHD_ALLOW_SUSPEND_RESUME (8192) without the MHD_USE_ITC that it implies: the latter writes to and reads from an eventfd at
// every resume to wake a poller, but the event loop runs the daemon after each resume anyway.
#define SUSPEND_RESUME_WITHOUT_ITC (MHD_ALLOW_SUSPEND_RESUME & ~(unsigned int)MHD_USE_ITC)

// MHD_USE_NO_THREAD_SAFETY, which headers of 0.9 do not have: each daemon is used by one thread at a time. Without it
// `MHD_add_connection` of 1.0 calls back in the next run only, and not at once as that of 0.9. The headers may be another version's than
// the library.
#define NO_THREAD_SAFETY (1u << 19)

// TLS 1.3 and 1.2 with forward secrecy and authenticated encryption, nothing else (RFC 9325).
#define TLS_PRIORITIES                                                                                                          \
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-KX-ALL:+ECDHE-ECDSA:" \
    "+ECDHE-RSA:-SIGN-ALL:+SIGN-ECDSA-SHA256:+SIGN-ECDSA-SHA384:+SIGN-EDDSA-ED25519:+SIGN-RSA-PSS-RSAE-SHA256:"                  \
    "+SIGN-RSA-PSS-RSAE-SHA384:+SIGN-RSA-SHA256:+SIGN-RSA-SHA384:+SIGN-ECDSA-SECP256R1-SHA256:+SIGN-ECDSA-SECP384R1-SHA384:"     \
    "%SERVER_PRECEDENCE"

struct MHD_Daemon *micro_daemon_start(
    int listen_socket, const struct micro_callbacks *callbacks, void *context, unsigned int connection_limit,
    size_t connection_memory, const struct micro_tls *tls) {
    // Never freed: the daemon may log until it has stopped, and a loop starts only one daemon, plus one for each new certificate.
    struct micro_binding *binding = malloc(sizeof *binding);
    if (binding == NULL)
        return NULL;
    binding->callbacks = callbacks;
    binding->context = context;
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)on_log, binding}, // first, so that errors of later options are logged
        {MHD_OPTION_LISTEN_SOCKET, listen_socket, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)connection_limit, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)connection_memory, NULL},
        // As lenient as it can be (in 1.0.1 this is discipline level -3): what it refuses itself gets a page of its own, or no response.
        // `RequestScanner` and `HeadValidator` refuse all of it, and more.
        {MHD_OPTION_STRICT_FOR_CLIENT, -1, NULL},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)unescape_nothing, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)on_request_line, binding},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)on_connection, binding},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)on_completed, binding},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem encrypting[] = {
        {MHD_OPTION_HTTPS_PRIORITIES, 0, TLS_PRIORITIES},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, tls == NULL ? NULL : (void *)tls->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, tls == NULL ? NULL : (void *)tls->key},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem nothing[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL | SUSPEND_RESUME_WITHOUT_ITC | MHD_USE_ERROR_LOG;
    // No upgrades under TLS: libmicrohttpd would relay an upgraded connection in small pieces.
    flags |= tls == NULL ? MHD_ALLOW_UPGRADE : MHD_USE_TLS;
    if (MHD_get_version()[0] != '0')
        flags |= NO_THREAD_SAFETY;
    struct MHD_Daemon *daemon = MHD_start_daemon(
        flags, 0, on_admit, binding, on_request, binding, MHD_OPTION_ARRAY, options, MHD_OPTION_ARRAY,
        tls == NULL ? nothing : encrypting, MHD_OPTION_END);
    if (daemon == NULL)
        free(binding);
    return daemon;
}

static enum MHD_Result reject_request(
    void *cls, struct MHD_Connection *connection, const char *url, const char *method, const char *version, const char *upload,
    size_t *upload_size, void **request_context) {
    (void)cls, (void)connection, (void)url, (void)method, (void)version, (void)upload, (void)upload_size, (void)request_context;
    return MHD_NO;
}

int micro_tls_check(const struct micro_tls *tls) {
    if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
        return -1;
    // A daemon without a socket, started only to check whether it accepts the certificate and the key.
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_NO_LISTEN_SOCKET | MHD_USE_EPOLL | MHD_USE_TLS, 0, NULL, NULL, reject_request, NULL, MHD_OPTION_HTTPS_PRIORITIES,
        TLS_PRIORITIES, MHD_OPTION_HTTPS_MEM_CERT, tls->certificate, MHD_OPTION_HTTPS_MEM_KEY, tls->key, MHD_OPTION_END);
    if (daemon == NULL)
        return 0;
    MHD_stop_daemon(daemon);
    return 1;
}

unsigned int micro_daemon_connections(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info == NULL ? 0 : info->num_connections;
}

int micro_daemon_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

int micro_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

void *micro_connection_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

const struct sockaddr *micro_connection_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

int micro_peer_address(struct MHD_Connection *connection, uint64_t *high, uint64_t *low) {
    return address_bits(micro_connection_address(connection), high, low);
}

struct header_visit {
    int (*each)(void *, const char *, size_t, const char *, size_t);
    void *context;
};

static enum MHD_Result on_header(
    void *cls, enum MHD_ValueKind kind, const char *name, size_t name_size, const char *value, size_t value_size) {
    struct header_visit *visit = cls;
    (void)kind;
    return visit->each(visit->context, name, name_size, value, value_size) ? MHD_YES : MHD_NO;
}

void micro_each_header(
    struct MHD_Connection *connection, int (*each)(void *, const char *, size_t, const char *, size_t), void *context) {
    struct header_visit visit = {each, context};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, on_header, &visit);
}

struct MHD_Response *micro_response_copying(const void *bytes, size_t size) {
    return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static void on_upgrade(
    void *cls, struct MHD_Connection *connection, void *request_context, const char *extra, size_t extra_size,
    MHD_socket socket, struct MHD_UpgradeResponseHandle *handle) {
    const struct micro_callbacks *callbacks = cls;
    (void)connection;
    callbacks->upgraded(request_context, extra, extra_size, socket, handle);
}

struct MHD_Response *micro_response_upgrading(const struct micro_callbacks *callbacks) {
    return MHD_create_response_for_upgrade(on_upgrade, (void *)callbacks);
}

void micro_upgrade_close(struct MHD_UpgradeResponseHandle *handle) { MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE); }

// The block is used only for HTTP/1.0 clients; chunks are read directly into the connection's own memory.
#define READER_BLOCK 1024

_Static_assert(MICRO_READER_END == MHD_CONTENT_READER_END_OF_STREAM, "must equal libmicrohttpd's end code");
_Static_assert(MICRO_READER_FAILED == MHD_CONTENT_READER_END_WITH_ERROR, "must equal libmicrohttpd's end code");

struct MHD_Response *micro_response_reading(micro_reader reader, void *context, void (*release)(void *)) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, READER_BLOCK, reader, context, release);
}

void micro_response_omit_chunks(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

#define BODY_BLOCK 16384

struct MHD_Response *micro_response_reading_body(uint64_t size, micro_reader reader, void *context, void (*release)(void *)) {
    return MHD_create_response_from_callback(size, BODY_BLOCK, reader, context, release);
}

struct MHD_Response *micro_response_joining(
    const void *first, size_t first_size, const void *second, size_t second_size, void (*release)(void *), void *context) {
    // The vector itself is copied.
    const struct MHD_IoVec parts[] = {{first, first_size}, {second, second_size}};
    return MHD_create_response_from_iovec(parts, 2, release, context);
}

void micro_prepare_stream(int socket, int kernel_bytes, unsigned int unacknowledged_milliseconds) {
    int on = 1;
    int half = kernel_bytes / 2; // the kernel doubles it
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &half, sizeof half);
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged_milliseconds, sizeof unacknowledged_milliseconds);
}

int micro_send_flags(void) { return MSG_DONTWAIT | MSG_NOSIGNAL; }

void micro_expire(struct MHD_Connection *connection) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 1U);
}

int micro_unsent_bytes(int descriptor) {
    int unsent = 0;
    return ioctl(descriptor, TIOCOUTQ, &unsent) == 0 ? unsent : 0;
}

int micro_response_add_header(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

int micro_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return MHD_queue_response(connection, status, response) == MHD_YES;
}

void micro_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void micro_error_text(int code, char *text, size_t size) {
    char buffer[128];
    snprintf(text, size, "%s", strerror_r(code, buffer, sizeof buffer));
}

void micro_keep_heap(void) {
#ifdef M_TOP_PAD
    mallopt(M_TOP_PAD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

int micro_output_failed(void) {
    // An earlier write has emptied the buffer also if it failed: `fflush` alone would not report it.
    return fflush(stdout) != 0 || ferror(stdout) != 0;
}
