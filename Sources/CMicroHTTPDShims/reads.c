#define _GNU_SOURCE
#include "CMicroHTTPDShims.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <sys/socket.h>

// libmicrohttpd reads with `recv`, and under TLS with `gnutls_record_recv`. Both are resolved by name when the program is loaded,
// and the program's own symbols take precedence: its calls reach the functions below, which pass them on to the thread's reader.
// Threads without a reader are not affected.

static _Thread_local micro_client_reader reader;
static _Thread_local void *reader_context;
// GnuTLS reads the encrypted bytes with `recv` as well, which must not reach the reader.
static _Thread_local int is_encrypted;
static _Thread_local gnutls_session_t session;

void micro_read_with(micro_client_reader new_reader, void *context, int encrypted) {
    reader = new_reader;
    reader_context = context;
    is_encrypted = encrypted;
}

ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
    if (reader != NULL && !is_encrypted) {
        ssize_t count = reader(reader_context, descriptor, bytes, size);
        if (count > 0)
            micro_bytes_were_read(descriptor);
        return count;
    }
    return recvfrom(descriptor, bytes, size, flags, NULL, NULL);
}

static ssize_t (*real_record_recv)(gnutls_session_t, void *, size_t);

// Before `main`, so that no thread can call it earlier.
__attribute__((constructor)) static void find_record_recv(void) {
    real_record_recv = (ssize_t(*)(gnutls_session_t, void *, size_t))dlsym(RTLD_NEXT, "gnutls_record_recv");
}

ssize_t gnutls_record_recv(gnutls_session_t used, void *bytes, size_t size) {
    if (reader == NULL)
        return real_record_recv(used, bytes, size);
    session = used;
    int descriptor = gnutls_transport_get_int(used);
    ssize_t count = reader(reader_context, descriptor, bytes, size);
    if (count > 0)
        micro_bytes_were_read(descriptor);
    return count;
}

ssize_t micro_read(int descriptor, void *bytes, size_t size) {
    return is_encrypted ? real_record_recv(session, bytes, size) : recvfrom(descriptor, bytes, size, 0, NULL, NULL);
}

ssize_t micro_read_nothing(void) {
    errno = EAGAIN;
    return is_encrypted ? GNUTLS_E_AGAIN : -1;
}

int micro_reads_are_interposed(int encrypted) {
    if (dlsym(RTLD_DEFAULT, "recv") != (void *)recv)
        return 0;
    return !encrypted || (real_record_recv != NULL && dlsym(RTLD_DEFAULT, "gnutls_record_recv") == (void *)gnutls_record_recv);
}
