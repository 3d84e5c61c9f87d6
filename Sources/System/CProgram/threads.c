// Ends a program whose libraries cannot start a thread.
//
// Dispatch, which also runs Swift's tasks, tries again every second for ever, and Foundation drops
// the thread's work: a program of theirs hangs where the system's limit is reached (RLIMIT_NPROC,
// or pids.max of a control group), and says nothing. Both call pthread_create by its name, so they
// call the function here. A thread of `thread_start` is not meant: its caller is told.
#define _GNU_SOURCE
#include <CThread.h>

#include <features.h>

#ifdef __GLIBC__
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef int (*create_thread)(
    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// Half a second: a limit that other programs have reached for a moment is no reason to end.
enum { ATTEMPTS = 25, PAUSE_MICROSECONDS = 20000, STATUS = 70 };

// Whether the caller is this program itself, which may hold those libraries, or one of them. Others,
// such as libcurl, know what to do.
static bool ends_with_failure(void *caller) {
    Dl_info here, there;
    if (!dladdr((void *)(size_t)&pthread_create, &here) || !dladdr(caller, &there)) return true;
    return here.dli_fbase == there.dli_fbase || strstr(there.dli_fname, "/libdispatch.")
        || strstr(there.dli_fname, "/libFoundation") || strstr(there.dli_fname, "/libswift")
        || strstr(there.dli_fname, "/lib_Foundation");
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context) {
    static create_thread known;
    create_thread create = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!create) {
        // Two threads may look it up at once: they find the same.
        create = (create_thread)(size_t)dlsym(RTLD_NEXT, "pthread_create");
        if (!create) return ENOSYS;
        __atomic_store_n(&known, create, __ATOMIC_RELAXED);
    }
    int failure = create(thread, attributes, run, context);
    if (failure != EAGAIN || thread_start_is_running()
        || !ends_with_failure(__builtin_return_address(0)))
        return failure;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        usleep(PAUSE_MICROSECONDS);
        failure = create(thread, attributes, run, context);
        if (failure == 0) return 0;
    }
    dprintf(
        STDERR_FILENO,
        "%s: no thread can be started: %s; allow more processes (ulimit -u, or pids.max of the "
        "control group), or end some\n",
        program_invocation_short_name, strerror(failure));
    _exit(STATUS);
}
#endif
