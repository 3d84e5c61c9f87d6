// libcurl for Swift, loaded at its first use: see library.c.
#ifndef RIG_CCURL_H
#define RIG_CCURL_H

#include <curl/curl.h>

typedef size_t (*rig_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

// Loads and starts libcurl; once per process, before any other call. If it cannot be loaded,
// CURLE_FAILED_INIT is returned.
CURLcode rig_curl_global_init(void);

// Why the library cannot be used when it could not be started, and what to do.
const char *rig_curl_trouble(void);

// libcurl's setters are variadic, which Swift cannot call: one typed function each.
CURLcode rig_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode rig_curl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode rig_curl_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode rig_curl_set_data_callback(
    CURL *handle, CURLoption option, rig_curl_data_callback callback);

// The status with which a proxy has refused a tunnel to the origin; 0 if none has.
long rig_curl_tunnel_refusal(CURL *handle);

// The whole address that the last response leads to; NULL if it leads to none. It is valid until
// the next request of the handle.
const char *rig_curl_redirect(CURL *handle);

// Allows only http and https, also after redirects.
CURLcode rig_curl_allow_web_only(CURL *handle);

#endif
