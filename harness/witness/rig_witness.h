/*
 * The witness page for programs in C and C++: one file, no dependencies, Linux and macOS.
 *
 * A worker tells the rig, in memory that outlives its death, which bytes it has received, which of
 * them it calls safe, and what it is doing. The page is the file that RIG_WITNESS names; where that
 * variable is not set every call does nothing. No call enters the kernel but rig_witness_open, and
 * those that wait while the rig holds the worker in a phase. README.md beside this file has the
 * page's layout; Sources/Witness is the same in Swift.
 *
 *     static rig_witness witness;
 *     rig_witness_request request;
 *     rig_witness_open(&witness);
 *     rig_witness_enter(&witness, RIG_CONNECTING);
 *     rig_witness_begin(&witness, &request, url, first_byte);
 *     rig_witness_received(&request, count);              after each read from the socket
 *     rig_witness_commit(&witness);                       after each commit has returned
 *     rig_witness_acknowledge(&request, count_in_total);  and then what is safe by it
 *     rig_witness_evict(&witness, url, start, length);    before what was safe goes, to make room
 *     rig_witness_end(&request);
 *     rig_witness_finish(&witness);                       before the process ends
 *
 * Threads may share the page; a request is one thread's at a time. Build with GCC or Clang. With
 * -std=c99 include this header before others, so that they declare what it needs.
 */
#ifndef RIG_WITNESS_H
#define RIG_WITNESS_H

#if defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define RIG_WITNESS_MAGIC UINT64_C(0x314E544957474952) /* the bytes RIGWITN1 */
#define RIG_WITNESS_VERSION 3
#define RIG_WITNESS_SLOTS 1023

/* Positions in the page, in bytes. */
#define RIG_WITNESS_AT_MAGIC 0
#define RIG_WITNESS_AT_VERSION 8
#define RIG_WITNESS_AT_SLOTS 12
#define RIG_WITNESS_AT_PHASE 16
#define RIG_WITNESS_AT_COMMITS 24
#define RIG_WITNESS_AT_REQUESTS 32
#define RIG_WITNESS_AT_EVICTIONS 40
#define RIG_WITNESS_AT_ENTRIES 64
#define RIG_WITNESS_AT_HOLD 144
#define RIG_WITNESS_AT_WAITING 152
#define RIG_WITNESS_AT_SLOT 256
#define RIG_WITNESS_SLOT_SIZE 128
#define RIG_WITNESS_SIZE (RIG_WITNESS_AT_SLOT + RIG_WITNESS_SLOTS * RIG_WITNESS_SLOT_SIZE)

/* Positions in a slot, and sizes. */
#define RIG_WITNESS_IN_SLOT_RESOURCE 8
#define RIG_WITNESS_IN_SLOT_RECORD 16
#define RIG_WITNESS_RECORD_SIZE 40
#define RIG_WITNESS_IN_SLOT_EVICTION 96

/* Where a worker is in its life, in the order of a life. */
enum rig_witness_phase {
    RIG_STARTING = 0,
    RIG_RECOVERING = 1,
    RIG_CONNECTING = 2,
    RIG_RECEIVING = 3,
    RIG_COMMITTING = 4,
    RIG_CHECKPOINTING = 5,
    RIG_EVICTING = 6,
    RIG_CANCELLING = 7,
    RIG_COMPLETING = 8,
    RIG_IDLE = 9
};
#define RIG_WITNESS_PHASES 10

/* A page, all zeros before it is opened. Its parts are the functions' business. */
typedef struct rig_witness {
    unsigned char *page;
    uint64_t ordinal;
    unsigned next_slot;
    unsigned char lock;
    unsigned char taken[RIG_WITNESS_SLOTS];
} rig_witness;

/* A request's place in the page. Its parts are the functions' business. */
typedef struct rig_witness_request {
    rig_witness *witness; /* NULL for a request that is not in the page */
    unsigned slot;
    uint64_t start, received, acknowledged, ordinal;
} rig_witness_request;

/* The page is little-endian; every field is written and read in one piece. */

static inline uint64_t rig_witness_order64(uint64_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(value);
#else
    return value;
#endif
}

static inline uint32_t rig_witness_order32(uint32_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap32(value);
#else
    return value;
#endif
}

static inline uint64_t rig_witness_load64(const rig_witness *witness, size_t at) {
    const uint64_t *field = (const uint64_t *)(const void *)(witness->page + at);
    return rig_witness_order64(__atomic_load_n(field, __ATOMIC_ACQUIRE));
}

static inline void rig_witness_store64(rig_witness *witness, size_t at, uint64_t value) {
    uint64_t *field = (uint64_t *)(void *)(witness->page + at);
    __atomic_store_n(field, rig_witness_order64(value), __ATOMIC_RELEASE);
}

static inline uint32_t rig_witness_load32(const rig_witness *witness, size_t at) {
    const uint32_t *field = (const uint32_t *)(const void *)(witness->page + at);
    return rig_witness_order32(__atomic_load_n(field, __ATOMIC_ACQUIRE));
}

static inline void rig_witness_store32(rig_witness *witness, size_t at, uint32_t value) {
    uint32_t *field = (uint32_t *)(void *)(witness->page + at);
    __atomic_store_n(field, rig_witness_order32(value), __ATOMIC_RELEASE);
}

/* Threads of one process take turns: for a few stores at a time, so that none waits long. */

static inline void rig_witness_take_turn(rig_witness *witness) {
    while (__atomic_test_and_set(&witness->lock, __ATOMIC_ACQUIRE)) {}
}

static inline void rig_witness_end_turn(rig_witness *witness) {
    __atomic_clear(&witness->lock, __ATOMIC_RELEASE);
}

/* The 64-bit FNV-1a hash by which a slot names its URL. */
static inline uint64_t rig_witness_resource(const char *url) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *url != 0; url++) {
        hash = (hash ^ (unsigned char)*url) * UINT64_C(0x00000100000001B3);
    }
    return hash;
}

static inline size_t rig_witness_entries_at(uint32_t phase) {
    return RIG_WITNESS_AT_ENTRIES + 8 * (size_t)phase;
}

static inline size_t rig_witness_slot_at(unsigned slot) {
    return RIG_WITNESS_AT_SLOT + (size_t)slot * RIG_WITNESS_SLOT_SIZE;
}

/*
 * Maps the page that RIG_WITNESS names and starts it afresh. Returns 1, or 0 where there is none or
 * it cannot be mapped: then every other call does nothing.
 */
static inline int rig_witness_open(rig_witness *witness) {
    const char *path = getenv("RIG_WITNESS");
    void *page;
    int file;
    unsigned number;
    witness->page = NULL;
    if (path == NULL || *path == 0) return 0;
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return 0;
    if (ftruncate(file, RIG_WITNESS_SIZE) != 0) {
        close(file);
        return 0;
    }
    page = mmap(NULL, RIG_WITNESS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (page == MAP_FAILED) return 0;
    witness->page = (unsigned char *)page;

    rig_witness_store64(witness, RIG_WITNESS_AT_MAGIC, 0);
    /* Under another version there may be anything where this one has its hold. */
    if (rig_witness_load32(witness, RIG_WITNESS_AT_VERSION) != RIG_WITNESS_VERSION) {
        rig_witness_store64(witness, RIG_WITNESS_AT_HOLD, 0);
    }
    for (number = 0; number < RIG_WITNESS_SLOTS; number++) {
        rig_witness_store64(witness, rig_witness_slot_at(number), 0);
        witness->taken[number] = 0;
    }
    witness->ordinal = 0;
    witness->next_slot = 0;
    rig_witness_store32(witness, RIG_WITNESS_AT_VERSION, RIG_WITNESS_VERSION);
    rig_witness_store32(witness, RIG_WITNESS_AT_SLOTS, RIG_WITNESS_SLOTS);
    for (number = 0; number < RIG_WITNESS_PHASES; number++) {
        rig_witness_store64(witness, rig_witness_entries_at(number), 0);
    }
    rig_witness_store64(witness, RIG_WITNESS_AT_WAITING, 0);
    rig_witness_store32(witness, RIG_WITNESS_AT_PHASE, RIG_STARTING);
    rig_witness_store64(witness, rig_witness_entries_at(RIG_STARTING), 1);
    rig_witness_store64(witness, RIG_WITNESS_AT_COMMITS, 0);
    rig_witness_store64(witness, RIG_WITNESS_AT_REQUESTS, 0);
    rig_witness_store64(witness, RIG_WITNESS_AT_EVICTIONS, 0);
    rig_witness_store64(witness, RIG_WITNESS_AT_MAGIC, RIG_WITNESS_MAGIC);
    return 1;
}

/* True while the rig holds the worker in the phase that it is in. */
static inline int rig_witness_is_held(const rig_witness *witness) {
    uint64_t hold = rig_witness_load64(witness, RIG_WITNESS_AT_HOLD);
    uint32_t phase = rig_witness_load32(witness, RIG_WITNESS_AT_PHASE);
    return hold != 0 && (hold & 0xFF) == phase
        && rig_witness_load64(witness, rig_witness_entries_at(phase)) >= hold >> 8;
}

/* Goes to a phase, or nowhere where `phase` is negative; 0 while the rig holds the worker. */
static inline int rig_witness_move(rig_witness *witness, int phase) {
    int is_held;
    rig_witness_take_turn(witness);
    if (phase >= 0 && rig_witness_load32(witness, RIG_WITNESS_AT_PHASE) == (uint32_t)phase) {
        rig_witness_end_turn(witness);
        return 1;
    }
    is_held = rig_witness_is_held(witness);
    if (!is_held && phase >= 0) {
        size_t at = rig_witness_entries_at((uint32_t)phase);
        /* Counted last: a reader that sees the count may rely on the phase. */
        rig_witness_store32(witness, RIG_WITNESS_AT_PHASE, (uint32_t)phase);
        rig_witness_store64(witness, at, rig_witness_load64(witness, at) + 1);
    }
    rig_witness_end_turn(witness);
    return !is_held;
}

/* Says in the page that one thread more waits, or one less. */
static inline void rig_witness_note_waiting(rig_witness *witness, int64_t change) {
    uint64_t waiting;
    rig_witness_take_turn(witness);
    waiting = rig_witness_load64(witness, RIG_WITNESS_AT_WAITING) + (uint64_t)change;
    rig_witness_store64(witness, RIG_WITNESS_AT_WAITING, waiting);
    rig_witness_end_turn(witness);
}

static inline void rig_witness_wait_to_move(rig_witness *witness, int phase) {
    struct timespec pause;
    if (witness->page == NULL || rig_witness_move(witness, phase)) return;
    rig_witness_note_waiting(witness, 1);
    pause.tv_sec = 0;
    pause.tv_nsec = 100000;
    while (!rig_witness_move(witness, phase)) nanosleep(&pause, NULL);
    rig_witness_note_waiting(witness, -1);
}

/* Says where the worker is; waits while the rig holds it in the phase that it would leave. */
static inline void rig_witness_enter(rig_witness *witness, enum rig_witness_phase phase) {
    rig_witness_wait_to_move(witness, (int)phase);
}

/* Says that the work is over; waits while the rig holds the worker in the phase that it is in. */
static inline void rig_witness_finish(rig_witness *witness) {
    rig_witness_wait_to_move(witness, -1);
}

/* Says that one more commit has returned. */
static inline void rig_witness_commit(rig_witness *witness) {
    uint64_t commits;
    if (witness->page == NULL) return;
    rig_witness_take_turn(witness);
    commits = rig_witness_load64(witness, RIG_WITNESS_AT_COMMITS) + 1;
    rig_witness_store64(witness, RIG_WITNESS_AT_COMMITS, commits);
    rig_witness_end_turn(witness);
}

/*
 * Says that bytes of `url` which were called safe are about to go, to make room for others. To be
 * called before it is committed that they are gone: what goes without a word is lost.
 */
static inline void rig_witness_evict(
    rig_witness *witness, const char *url, uint64_t start, uint64_t length) {
    uint64_t number;
    if (witness->page == NULL) return;
    rig_witness_take_turn(witness);
    number = rig_witness_load64(witness, RIG_WITNESS_AT_EVICTIONS);
    if (number < RIG_WITNESS_SLOTS) {
        size_t at = rig_witness_slot_at((unsigned)number) + RIG_WITNESS_IN_SLOT_EVICTION;
        rig_witness_store64(witness, at, rig_witness_resource(url));
        rig_witness_store64(witness, at + 8, start);
        rig_witness_store64(witness, at + 16, length);
        rig_witness_store64(witness, at + 24, witness->ordinal);
    }
    rig_witness_store64(witness, RIG_WITNESS_AT_EVICTIONS, number + 1);
    rig_witness_end_turn(witness);
}

/* Fills the record that is not valid, then makes it the valid one. */
static inline void rig_witness_publish(const rig_witness_request *request, int is_active) {
    rig_witness *witness = request->witness;
    size_t slot = rig_witness_slot_at(request->slot);
    uint64_t sequence = rig_witness_load64(witness, slot) + 1;
    size_t record = slot + RIG_WITNESS_IN_SLOT_RECORD
        + (sequence % 2 == 0 ? 0 : RIG_WITNESS_RECORD_SIZE);
    rig_witness_store64(witness, record, request->start);
    rig_witness_store64(witness, record + 8, request->received);
    rig_witness_store64(witness, record + 16, request->acknowledged);
    rig_witness_store64(witness, record + 24, request->ordinal);
    rig_witness_store64(witness, record + 32, is_active ? 1 : 2);
    rig_witness_store64(witness, slot, sequence);
}

/*
 * Begins a request for `url` from its byte `start` on. Where every slot has an active request it is
 * counted and not shown, and its other calls do nothing.
 */
static inline void rig_witness_begin(
    rig_witness *witness, rig_witness_request *request, const char *url, uint64_t start) {
    unsigned step;
    request->witness = NULL;
    if (witness->page == NULL) return;
    rig_witness_take_turn(witness);
    witness->ordinal++;
    for (step = 0; step < RIG_WITNESS_SLOTS; step++) {
        unsigned slot = (witness->next_slot + step) % RIG_WITNESS_SLOTS;
        if (witness->taken[slot]) continue;
        witness->taken[slot] = 1;
        witness->next_slot = (slot + 1) % RIG_WITNESS_SLOTS;
        request->witness = witness;
        request->slot = slot;
        break;
    }
    request->start = start;
    request->received = 0;
    request->acknowledged = 0;
    request->ordinal = witness->ordinal;
    /* Counted before it is there: a reader looks at the slots that the count reaches. */
    rig_witness_store64(witness, RIG_WITNESS_AT_REQUESTS, witness->ordinal);
    if (request->witness != NULL) {
        size_t slot = rig_witness_slot_at(request->slot);
        rig_witness_store64(witness, slot, 0);
        rig_witness_store64(
            witness, slot + RIG_WITNESS_IN_SLOT_RESOURCE, rig_witness_resource(url));
        rig_witness_publish(request, 1);
    }
    rig_witness_end_turn(witness);
}

/* Says that so many more bytes of the body have left the socket. */
static inline void rig_witness_received(rig_witness_request *request, uint64_t count) {
    if (request->witness == NULL) return;
    request->received += count;
    rig_witness_publish(request, 1);
}

/* Says that the first `count` bytes of the request are safe: their commit has returned. */
static inline void rig_witness_acknowledge(rig_witness_request *request, uint64_t count) {
    if (request->witness == NULL) return;
    request->acknowledged = count;
    rig_witness_publish(request, 1);
}

/* Says that the request is over; later calls for it do nothing. */
static inline void rig_witness_end(rig_witness_request *request) {
    rig_witness *witness = request->witness;
    if (witness == NULL) return;
    rig_witness_publish(request, 0);
    request->witness = NULL;
    rig_witness_take_turn(witness);
    witness->taken[request->slot] = 0;
    rig_witness_end_turn(witness);
}

#endif
