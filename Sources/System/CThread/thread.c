// Starts threads for Swift. Foundation and Dispatch keep quiet about a thread that cannot be
// started, and whoever waits for its work waits for ever.
#include "CThread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct start {
    void (*run)(void *context);
    void *context;
};

static _Thread_local bool is_starting;

bool thread_start_is_running(void) { return is_starting; }

static void *begin(void *memory) {
    struct start start = *(struct start *)memory;
    free(memory);
    start.run(start.context);
    return NULL;
}

int thread_start(void (*run)(void *context), void *context) {
    pthread_t thread;
    pthread_attr_t attributes;
    struct start *start = malloc(sizeof *start);
    if (!start) { return ENOMEM; }
    *start = (struct start){ run, context };
    int failure = pthread_attr_init(&attributes);
    if (failure == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        is_starting = true;
        failure = pthread_create(&thread, &attributes, begin, start);
        is_starting = false;
        pthread_attr_destroy(&attributes);
    }
    if (failure != 0) { free(start); }
    return failure;
}
