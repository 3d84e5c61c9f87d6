// libcurl's setters and getters are variadic, which Swift cannot call: one typed function each.
#ifndef RIG_CCURL_SHIM_H
#define RIG_CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode rig_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rig_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rig_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*rig_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*rig_curl_progress_callback)(
    void *context, curl_off_t total, curl_off_t now, curl_off_t uploadTotal, curl_off_t uploadNow);

static inline CURLcode rig_curl_set_data_callback(
    CURL *handle, CURLoption option, rig_curl_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode rig_curl_set_progress_callback(
    CURL *handle, rig_curl_progress_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode rig_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

#endif
