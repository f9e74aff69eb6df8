#pragma once

#include <curl/curl.h>
#include <stdint.h>

// Wrappers for the variadic functions of libcurl, which Swift cannot import: one for each type of argument. And what needs the
// platform's types of socket addresses.

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87.0 or later is needed"
#endif

CURLcode outbound_set_number(CURL *handle, CURLoption option, long value);
CURLcode outbound_set_size(CURL *handle, CURLoption option, curl_off_t value);

/// Sets a text, a list, a buffer, or the context of a callback.
CURLcode outbound_set_pointer(CURL *handle, CURLoption option, const void *value);

/// Sets what receives the body, or a line of the head.
CURLcode outbound_set_receiver(CURL *handle, CURLoption option, curl_write_callback receiver);

/// Sets what opens sockets. It is given each address before it is connected to.
CURLcode outbound_set_socket_opener(CURL *handle, curl_opensocket_callback opener);

/// Sets what is asked before a request is sent, on a new connection and on one that was open already.
CURLcode outbound_set_request_check(CURL *handle, curl_prereq_callback check);

CURLcode outbound_get_number(CURL *handle, CURLINFO info, long *value);
CURLcode outbound_get_size(CURL *handle, CURLINFO info, curl_off_t *value);
CURLMcode outbound_set_multi_number(CURLM *multi, CURLMoption option, long value);

/// The address as a 128-bit number, with IPv4 as IPv4-mapped IPv6. Returns 0 if it is no IP address.
int outbound_address(const struct curl_sockaddr *address, uint64_t *high, uint64_t *low);

/// A socket for the address that programs which are started do not inherit; CURL_SOCKET_BAD if there is none.
curl_socket_t outbound_open_socket(const struct curl_sockaddr *address);
