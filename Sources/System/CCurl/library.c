// libcurl, loaded by name at its first call instead of being linked.
//
// It brings some 25 libraries (TLS twice, LDAP, Kerberos, SSH). Loading them takes the dynamic
// linker longer than all the rest of a program's start: 7 of 12 ms on the machine of the
// benchmarks. A program that does not download needs none of them. libcurl is not loaded on a
// background thread: a program that ended meanwhile, because its folder was no cache, crashed in
// the library's start.
//
// Each function that Swift calls is defined here under its own name and forwards its call.
#define CURL_DISABLE_TYPECHECK
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

// Visible in this program only: libcurl keeps calling its own functions.
#define OWN __attribute__((visibility("hidden")))

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Why it is of no use, and what to do; replaced by the dynamic linker's words if it is not there.
#define ADVICE "install libcurl (on Debian: apt-get install libcurl4)"
static char trouble[512] = "libcurl cannot start; " ADVICE;

static void load(void) {
    library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (!library) { snprintf(trouble, sizeof trouble, "%s; " ADVICE, dlerror()); }
}

// Finds a function; without it the program exits. Either the library is missing, which
// curl_global_init's result has told, or it is too old.
static void *find(const char *name) {
    pthread_once(&once, load);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        if (library) {
            fprintf(stderr, "%s has no %s; install libcurl 7.68 or newer\n", LIBRARY, name);
        }
        exit(69);
    }
    return function;
}

// Two threads may look a function up at once: they find the same.
#define KNOW(NAME) \
    if (!__atomic_load_n(&handed, __ATOMIC_RELAXED)) { \
        __atomic_store_n(&handed, find(#NAME), __ATOMIC_RELAXED); \
    }

#define HAND_ON(RESULT, NAME, PARAMETERS, ARGUMENTS) \
    OWN RESULT NAME PARAMETERS { \
        static RESULT (*handed) PARAMETERS; \
        KNOW(NAME) \
        return handed ARGUMENTS; \
    }

#define HAND_ON_NOTHING(NAME, PARAMETERS, ARGUMENTS) \
    OWN void NAME PARAMETERS { \
        static void (*handed) PARAMETERS; \
        KNOW(NAME) \
        handed ARGUMENTS; \
    }

// The only function that can report a missing library.
OWN CURLcode curl_global_init(long flags) {
    static CURLcode (*handed)(long);
    pthread_once(&once, load);
    if (!library) { return CURLE_FAILED_INIT; }
    KNOW(curl_global_init)
    return handed(flags);
}

HAND_ON(CURL *, curl_easy_init, (void), ())
HAND_ON_NOTHING(curl_easy_cleanup, (CURL *handle), (handle))
HAND_ON(const char *, curl_easy_strerror, (CURLcode code), (code))

// The value is a pointer, or an integer of the same width.
OWN CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
    static CURLcode (*handed)(CURL *, CURLoption, ...);
    KNOW(curl_easy_setopt)
    va_list more;
    va_start(more, option);
    void *value = va_arg(more, void *);
    va_end(more);
    return handed(handle, option, value);
}

// Every kind of information is written through a pointer.
OWN CURLcode curl_easy_getinfo(CURL *handle, CURLINFO information, ...) {
    static CURLcode (*handed)(CURL *, CURLINFO, ...);
    KNOW(curl_easy_getinfo)
    va_list more;
    va_start(more, information);
    void *place = va_arg(more, void *);
    va_end(more);
    return handed(handle, information, place);
}

HAND_ON(CURLM *, curl_multi_init, (void), ())
HAND_ON(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi))
HAND_ON(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *handle), (multi, handle))
HAND_ON(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *handle), (multi, handle))
HAND_ON(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running))
HAND_ON(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left))
HAND_ON(
    CURLMcode, curl_multi_poll,
    (CURLM *multi, struct curl_waitfd more[], unsigned int count, int milliseconds, int *ready),
    (multi, more, count, milliseconds, ready))
HAND_ON(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi))
HAND_ON(const char *, curl_multi_strerror, (CURLMcode code), (code))
HAND_ON(
    struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text),
    (list, text))
HAND_ON_NOTHING(curl_slist_free_all, (struct curl_slist *list), (list))

const char *rig_curl_trouble(void) { return trouble; }

CURLcode rig_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

CURLcode rig_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode rig_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode rig_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode rig_curl_set_data_callback(
    CURL *handle, CURLoption option, rig_curl_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

long rig_curl_tunnel_refusal(CURL *handle) {
    long status = 0;
    if (curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &status) != CURLE_OK) { return 0; }
    return status < 300 ? 0 : status;
}

const char *rig_curl_redirect(CURL *handle) {
    char *address = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &address) != CURLE_OK) { return NULL; }
    return address;
}

// CURLOPT_PROTOCOLS_STR needs libcurl 7.85; CURLOPT_PROTOCOLS is older.
CURLcode rig_curl_allow_web_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    if (code != CURLE_OK) { return code; }
    return curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    long web = CURLPROTO_HTTP | CURLPROTO_HTTPS;
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS, web);
    if (code != CURLE_OK) { return code; }
    return curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, web);
#endif
}
