#pragma once

/// libcurl, with the calls Swift cannot make itself: `curl_easy_setopt` and `curl_easy_getinfo` take variable arguments, whose type depends
/// on the option. There is one function for each type that is used.

#include <curl/curl.h>

static inline CURLcode gatehouse_set_number(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode gatehouse_set_size(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }

/// libcurl copies the text, but for that of CURLOPT_POSTFIELDS and CURLOPT_ERRORBUFFER. NULL takes an option back, defaults too.
static inline CURLcode gatehouse_set_text(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }

/// For pointers that libcurl keeps until the handle is reset.
static inline CURLcode gatehouse_set_pointer(CURL *handle, CURLoption option, const void *value) { return curl_easy_setopt(handle, option, value); }

typedef size_t (*gatehouse_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Of CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode gatehouse_set_receiver(CURL *handle, CURLoption option, gatehouse_receiver value) { return curl_easy_setopt(handle, option, value); }

/// -1 where libcurl cannot say.
static inline long gatehouse_number(CURL *handle, CURLINFO info) {
    long value = -1;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : -1;
}

/// -1 where libcurl cannot say.
static inline curl_off_t gatehouse_size(CURL *handle, CURLINFO info) {
    curl_off_t value = -1;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : -1;
}
