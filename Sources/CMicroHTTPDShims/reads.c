#define _GNU_SOURCE
#include "CMicroHTTPDShims.h"

#include <dlfcn.h>
#include <gnutls/gnutls.h>
#include <sys/socket.h>

// libmicrohttpd reads with `recv`, and under TLS with `gnutls_record_recv`. Both are resolved by name when the program is loaded,
// and the program's own symbols take precedence: its calls reach the functions below, which pass the bytes to the thread's
// observer and return the real function's result. Threads without an observer are not affected.

static _Thread_local micro_read_observer observer;
static _Thread_local void *observer_context;
// GnuTLS reads the encrypted bytes with `recv` as well, which must not be observed.
static _Thread_local int is_encrypted;

void micro_observe_reads(micro_read_observer new_observer, void *context, int encrypted) {
    observer = new_observer;
    observer_context = context;
    is_encrypted = encrypted;
}

ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
    ssize_t count = recvfrom(descriptor, bytes, size, flags, NULL, NULL);
    if (count > 0 && observer != NULL && !is_encrypted)
        observer(observer_context, descriptor, bytes, (size_t)count);
    return count;
}

static ssize_t (*real_record_recv)(gnutls_session_t, void *, size_t);

// Before `main`, so that no thread can call it earlier.
__attribute__((constructor)) static void find_record_recv(void) {
    real_record_recv = (ssize_t(*)(gnutls_session_t, void *, size_t))dlsym(RTLD_NEXT, "gnutls_record_recv");
}

ssize_t gnutls_record_recv(gnutls_session_t session, void *bytes, size_t size) {
    ssize_t count = real_record_recv(session, bytes, size);
    if (count > 0 && observer != NULL)
        observer(observer_context, gnutls_transport_get_int(session), bytes, (size_t)count);
    return count;
}

int micro_reads_are_observed(int encrypted) {
    if (dlsym(RTLD_DEFAULT, "recv") != (void *)recv)
        return 0;
    return !encrypted || (real_record_recv != NULL && dlsym(RTLD_DEFAULT, "gnutls_record_recv") == (void *)gnutls_record_recv);
}
