// What two planted bugs do with calls that have failed, in the whole program.
//
// The cache, SQLite and the libraries call these functions by their names, so they call those here.
// Without a bug each does what that of the C library does.
#define _GNU_SOURCE
#include "CFailedCalls.h"

static bool retries_syncs;
static bool believes_close;

void planted_retries(bool retries) { retries_syncs = retries; }

void planted_believes_close(bool believes) { believes_close = believes; }

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

static int sync_by(long call, int descriptor) {
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
