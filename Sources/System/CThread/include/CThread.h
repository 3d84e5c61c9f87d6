#pragma once

#include <stdbool.h>

/// Starts a detached thread that runs a function.
///
/// Returns 0, or the number of the error; the function is not called then.
int thread_start(void (*run)(void *context), void *context);

/// Whether the calling thread is inside `thread_start`, which tells its caller about a failure.
bool thread_start_is_running(void);
