// What planted bugs do with syncs, and with calls that have failed, in the whole program.
//
// The cache, SQLite and the libraries call these functions by their names, so they call those here.
// Without a bug each does what that of the C library does.
#define _GNU_SOURCE
#include "CFailedCalls.h"

#include <string.h>

static bool retries_syncs;
static bool believes_close;
static const char *unsynced;

void planted_retries(bool retries) { retries_syncs = retries; }

void planted_believes_close(bool believes) { believes_close = believes; }

void planted_unsynced(const char *ending) { unsynced = ending ? strdup(ending) : NULL; }

#ifdef __linux__
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_unsynced(int descriptor) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    size_t length = strlen(unsynced);
    ssize_t count = readlink(link, path, sizeof path);
    return count >= (ssize_t)length && memcmp(path + count - length, unsynced, length) == 0;
}

static int sync_by(long call, int descriptor) {
    if (unsynced && is_unsynced(descriptor)) return 0;
    int result = (int)syscall(call, descriptor);
    if (result != 0 && retries_syncs) result = (int)syscall(call, descriptor);
    return result;
}

int fsync(int descriptor) { return sync_by(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return sync_by(SYS_fdatasync, descriptor); }

int close(int descriptor) {
    int result = (int)syscall(SYS_close, descriptor);
    return believes_close ? 0 : result;
}
#endif
