/*
 * A downloader into any store, for the rig: the store is yours, the rest is here; rig_store.py is
 * the same in Python. An adapter defines four functions and calls rig_store_run:
 *
 *     static void put(uint64_t position, const char *bytes, size_t count) { ... }
 *     static long get(uint64_t position, char *bytes) { ... }     bytes put there, or -1 for none
 *     static void commit(void) { ... }                            returns once they are safe
 *     static void open_store(const char *folder) { ... }
 *
 *     int main(int count, char **words) {
 *         rig_store store = {open_store, put, get, commit, NULL};
 *         return rig_store_run(&store, count, words);
 *     }
 *
 * Its command line is URL DIR OUTPUT THRESHOLD [DURABILITY [SETTING ...]], so a setting of your own
 * begins at words[6]. An error must end the program: hidden behind -1,
 * damage would look like an absent block. Build with -I../witness.
 */
#ifndef RIG_STORE_H
#define RIG_STORE_H

#include "rig_witness.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define RIG_STORE_BLOCK ((size_t)32768) /* bytes of one put */

typedef struct {
    void (*open)(const char *folder);
    void (*put)(uint64_t position, const char *bytes, size_t count);
    long (*get)(uint64_t position, char *bytes); /* at most RIG_STORE_BLOCK bytes */
    void (*commit)(void);
    void (*close)(void); /* NULL if the store needs none */
} rig_store;

static void rig_store_fail(const char *what) {
    perror(what);
    exit(1);
}

/* 512KB, 1MB, a number of bytes; anything else commits only at the end. */
static size_t rig_store_size(const char *text) {
    char *unit;
    unsigned long long count = strtoull(text, &unit, 10);
    if (*unit == 'K') count <<= 10;
    if (*unit == 'M') count <<= 20;
    if (*unit == 'G') count <<= 30;
    return count > 0 ? (size_t)count : SIZE_MAX;
}

/* The position up to which the store has blocks without a gap. */
static uint64_t rig_store_found(const rig_store *store) {
    static char block[RIG_STORE_BLOCK];
    uint64_t position = 0;
    long count;
    while ((count = store->get(position, block)) > 0) position += (uint64_t)count;
    return position;
}

/* A connection to the host that the URL names; `path` is what it has after it. */
static int rig_store_connect(const char *url, char *host, size_t host_size, const char **path) {
    struct addrinfo hints, *found;
    const char *name = url + strlen("http://");
    char *port;
    int connection;
    size_t length = strcspn(name, "/");
    if (strncmp(url, "http://", strlen("http://")) != 0 || length >= host_size) {
        fputs("give an address that begins with http://\n", stderr);
        exit(64);
    }
    memcpy(host, name, length);
    host[length] = 0;
    *path = name[length] == 0 ? "/" : name + length;
    port = strchr(host, ':');
    if (port != NULL) *port++ = 0;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port != NULL ? port : "80", &hints, &found) != 0) rig_store_fail(host);
    connection = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (connection < 0 || connect(connection, found->ai_addr, found->ai_addrlen) != 0) {
        rig_store_fail(host);
    }
    freeaddrinfo(found);
    return connection;
}

/*
 * Sends the request and takes the head of the answer off the socket, and not a byte more. Returns
 * the video's length; ends the program if the answer is not of use.
 */
static uint64_t rig_store_ask(int connection, const char *host, const char *path, uint64_t start) {
    char text[8192], *line, *total;
    size_t count = 0;
    int status = 0, size;
    uint64_t length = 0;
    char range[64] = "";
    if (start > 0) {
        snprintf(range, sizeof range, "Range: bytes=%llu-\r\n", (unsigned long long)start);
    }
    size = snprintf(
        text, sizeof text, "GET %s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n", path, host,
        range);
    if (send(connection, text, (size_t)size, 0) != size) rig_store_fail("send");
    while (count < 4 || memcmp(text + count - 4, "\r\n\r\n", 4) != 0) {
        if (count + 1 == sizeof text || recv(connection, text + count, 1, 0) != 1) {
            rig_store_fail("recv");
        }
        count++;
    }
    text[count] = 0;
    sscanf(text, "HTTP/1.%*d %d", &status);
    for (line = strchr(text, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
        if (start == 0 && strncasecmp(line + 1, "Content-Length:", 15) == 0) {
            length = strtoull(line + 16, NULL, 10);
        }
        if (start > 0 && strncasecmp(line + 1, "Content-Range:", 14) == 0) {
            total = strchr(line, '/');
            if (total != NULL) length = strtoull(total + 1, NULL, 10);
        }
    }
    /* A server that has no more to give after the first bytes says 416. */
    if (length == 0 || (status != (start > 0 ? 206 : 200) && !(status == 416 && start == length))) {
        fprintf(stderr, "the server answers %d\n", status);
        exit(1);
    }
    return length;
}

/* Takes the body off the socket, puts it in blocks, and commits. */
static void rig_store_take(
    const rig_store *store, rig_witness *witness, int connection, const char *url, uint64_t start,
    uint64_t total, size_t threshold) {
    static char block[RIG_STORE_BLOCK];
    rig_witness_request request;
    uint64_t position = start, safe = start;
    size_t filled = 0;
    rig_witness_begin(witness, &request, url, start);
    while (position < total) {
        size_t most = RIG_STORE_BLOCK < threshold ? RIG_STORE_BLOCK : threshold;
        ssize_t count;
        if (total - position < most) most = (size_t)(total - position);
        count = recv(connection, block + filled, most - filled, 0);
        if (count <= 0) rig_store_fail("recv");
        rig_witness_received(&request, (uint64_t)count);
        rig_witness_enter(witness, RIG_RECEIVING);
        filled += (size_t)count;
        if (filled < most) continue;
        store->put(position, block, filled);
        position += filled;
        filled = 0;
        if (position < total && position - safe + RIG_STORE_BLOCK <= threshold) continue;
        rig_witness_enter(witness, RIG_COMMITTING);
        store->commit();
        rig_witness_commit(witness);
        safe = position;
        rig_witness_acknowledge(&request, safe - start);
        rig_witness_enter(witness, RIG_RECEIVING);
    }
    rig_witness_end(&request);
}

/* Writes everything from the store to a file, which appears whole or not at all, and lasts. */
static void rig_store_export(const rig_store *store, uint64_t total, const char *output) {
    static char block[RIG_STORE_BLOCK];
    char draft[4096];
    uint64_t position = 0;
    FILE *file;
    char *end;
    int folder;
    snprintf(draft, sizeof draft, "%s.new", output);
    file = fopen(draft, "wb");
    if (file == NULL) rig_store_fail(draft);
    while (position < total) {
        long count = store->get(position, block);
        if (count <= 0) {
            fprintf(stderr, "nothing is stored at %llu\n", (unsigned long long)position);
            exit(1);
        }
        if (fwrite(block, 1, (size_t)count, file) != (size_t)count) rig_store_fail(draft);
        position += (uint64_t)count;
    }
    if (fflush(file) != 0 || fsync(fileno(file)) != 0 || fclose(file) != 0) rig_store_fail(draft);
    if (rename(draft, output) != 0) rig_store_fail(output);
    /* Or a power cut may take its name, and the store would be blamed. */
    end = strrchr(draft, '/');
    if (end != NULL) end[1] = 0;
    folder = open(end != NULL ? draft : ".", O_RDONLY | O_CLOEXEC);
    if (folder < 0 || fsync(folder) != 0 || close(folder) != 0) rig_store_fail(output);
}

/* Does what the command line says; the exit code is 0 when OUTPUT is complete. */
static int rig_store_run(const rig_store *store, int count, char **words) {
    static rig_witness witness;
    char host[1024];
    const char *path;
    uint64_t start, total;
    int connection;
    if (count < 5) {
        fputs("usage: ADAPTER URL DIR OUTPUT THRESHOLD\n", stderr);
        return 64;
    }
    rig_witness_open(&witness);
    rig_witness_enter(&witness, RIG_RECOVERING);
    store->open(words[2]);
    start = rig_store_found(store);
    rig_witness_enter(&witness, RIG_CONNECTING);
    connection = rig_store_connect(words[1], host, sizeof host, &path);
    total = rig_store_ask(connection, host, path, start);
    if (start < total) {
        rig_store_take(
            store, &witness, connection, words[1], start, total, rig_store_size(words[4]));
    }
    close(connection);
    rig_witness_enter(&witness, RIG_COMPLETING);
    rig_store_export(store, total, words[3]);
    if (store->close != NULL) store->close();
    rig_witness_enter(&witness, RIG_IDLE);
    rig_witness_finish(&witness);
    return 0;
}

#endif
