#define _GNU_SOURCE // SOCK_CLOEXEC
#include "CCurlShims.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

CURLcode outbound_set_number(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }

CURLcode outbound_set_size(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }

CURLcode outbound_set_pointer(CURL *handle, CURLoption option, const void *value) { return curl_easy_setopt(handle, option, value); }

CURLcode outbound_set_receiver(CURL *handle, CURLoption option, curl_write_callback receiver) {
    return curl_easy_setopt(handle, option, receiver);
}

CURLcode outbound_set_socket_opener(CURL *handle, curl_opensocket_callback opener) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
}

CURLcode outbound_set_request_check(CURL *handle, curl_prereq_callback check) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, check);
}

CURLcode outbound_get_number(CURL *handle, CURLINFO info, long *value) { return curl_easy_getinfo(handle, info, value); }

CURLcode outbound_get_size(CURL *handle, CURLINFO info, curl_off_t *value) { return curl_easy_getinfo(handle, info, value); }

CURLMcode outbound_set_multi_number(CURLM *multi, CURLMoption option, long value) { return curl_multi_setopt(multi, option, value); }

static uint64_t number(const unsigned char *bytes) {
    uint64_t value = 0;
    for (int index = 0; index < 8; index++) value = value << 8 | bytes[index];
    return value;
}

int outbound_address(const struct curl_sockaddr *address, uint64_t *high, uint64_t *low) {
    // The structure that libcurl passes has room for any address behind the member that is declared as the shortest.
    const void *bytes = &address->addr;
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in version4;
        memcpy(&version4, bytes, sizeof version4);
        *high = 0;
        *low = 0xFFFF00000000 | ntohl(version4.sin_addr.s_addr);
        return 1;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 version6;
        memcpy(&version6, bytes, sizeof version6);
        *high = number(version6.sin6_addr.s6_addr);
        *low = number(version6.sin6_addr.s6_addr + 8);
        return 1;
    }
    return 0;
}

curl_socket_t outbound_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
