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

static inline CURLcode rig_curl_set_data_callback(
    CURL *handle, CURLoption option, rig_curl_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

// http and https, also after redirects. The option by name is libcurl 7.85, the other older.
static inline CURLcode rig_curl_allow_web_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    if (code != CURLE_OK) { return code; }
    return curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    CURLcode code = curl_easy_setopt(
        handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    if (code != CURLE_OK) { return code; }
    return curl_easy_setopt(
        handle, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// CURL_GLOBAL_DEFAULT is an expression that Swift does not import.
static inline CURLcode rig_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

#endif
