/*
 * A small downloader that keeps a witness page: downloader URL DIR OUTPUT COMMIT
 *
 * It fetches URL (http://HOST:PORT/PATH) with plain sockets, saves after every COMMIT bytes (512KB,
 * 1MB, any number, or `disabled` for only at the end), and goes on where it was when it was killed:
 * DIR/part has the file's first bytes, and DIR/part.length says how many of them are safe. It takes for
 * granted that the file behind URL stays the same; harness/examples/downloader.py does not.
 *
 *     cc -O2 -o downloader-c downloader.c
 */
#include "rig_witness.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

static rig_witness witness;
static char part[4096], length_file[4096], length_draft[4096];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* 512KB, 1MB, a number of bytes; anything else saves only at the end. */
static size_t commit_size(const char *text) {
    char *unit;
    unsigned long long count = strtoull(text, &unit, 10);
    if (*unit == 'K') count <<= 10;
    if (*unit == 'M') count <<= 20;
    if (*unit == 'G') count <<= 30;
    return count > 0 ? (size_t)count : SIZE_MAX;
}

/* How many bytes of the file are safe; 0 when none are. */
static uint64_t safe_length(void) {
    unsigned long long length = 0;
    FILE *file = fopen(length_file, "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu", &length) != 1) length = 0;
    fclose(file);
    return length;
}

/* Says that the first `length` bytes are safe, all at once: a name is given or not. */
static void save_length(uint64_t length) {
    FILE *file = fopen(length_draft, "w");
    if (file == NULL) fail(length_draft);
    fprintf(file, "%llu\n", (unsigned long long)length);
    if (fclose(file) != 0 || rename(length_draft, length_file) != 0) fail(length_file);
}

/* The bytes first, then the word that they are there. */
static void commit(int file, const char *bytes, size_t count, uint64_t offset) {
    size_t done = 0;
    rig_witness_enter(&witness, RIG_COMMITTING);
    while (done < count) {
        ssize_t written = pwrite(file, bytes + done, count - done, (off_t)(offset + done));
        if (written < 0) fail(part);
        done += (size_t)written;
    }
    save_length(offset + count);
    rig_witness_commit(&witness);
}

/* A connection to the host that the URL names; `path` is what it has after it. */
static int connect_to(const char *url, char *host, size_t host_size, const char **path) {
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
    if (getaddrinfo(host, port != NULL ? port : "80", &hints, &found) != 0) fail(host);
    connection = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (connection < 0 || connect(connection, found->ai_addr, found->ai_addrlen) != 0) fail(host);
    freeaddrinfo(found);
    return connection;
}

/*
 * Sends the request and takes the head of the answer off the socket, and not a byte more. Returns
 * the status, and the length of the body that follows.
 */
static int ask(int connection, const char *host, const char *path, uint64_t start, uint64_t *body) {
    char text[8192];
    size_t count = 0;
    int status = 0;
    char *line;
    int size = snprintf(
        text, sizeof text,
        "GET %s HTTP/1.1\r\nHost: %s\r\nRange: bytes=%llu-\r\nConnection: close\r\n\r\n", path,
        host, (unsigned long long)start);
    if (send(connection, text, (size_t)size, 0) != size) fail("send");
    while (count < 4 || memcmp(text + count - 4, "\r\n\r\n", 4) != 0) {
        if (count + 1 == sizeof text || recv(connection, text + count, 1, 0) != 1) fail("recv");
        count++;
    }
    text[count] = 0;
    sscanf(text, "HTTP/1.%*d %d", &status);
    *body = 0;
    for (line = strchr(text, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
        if (strncasecmp(line + 1, "Content-Length:", 15) == 0) *body = strtoull(line + 16, NULL, 10);
    }
    return status;
}

/* Takes the body off the socket, and saves it each time that `size` bytes are unsaved. */
static void take(int connection, const char *url, uint64_t start, uint64_t end, size_t size) {
    rig_witness_request request;
    size_t room = size < end - start ? size : (size_t)(end - start), unsaved = 0;
    uint64_t saved = start;
    char *bytes = (char *)malloc(room > 0 ? room : 1);
    int file = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (bytes == NULL || file < 0) fail(part);
    rig_witness_begin(&witness, &request, url, start);
    while (saved + unsaved < end) {
        size_t left = (size_t)(end - saved - unsaved);
        size_t most = room - unsaved < left ? room - unsaved : left;
        ssize_t count = recv(connection, bytes + unsaved, most < 65536 ? most : 65536, 0);
        if (count <= 0) fail("recv");
        rig_witness_received(&request, (uint64_t)count);
        rig_witness_enter(&witness, RIG_RECEIVING);
        unsaved += (size_t)count;
        if (unsaved < room && saved + unsaved < end) continue;
        commit(file, bytes, unsaved, saved);
        saved += unsaved;
        unsaved = 0;
        rig_witness_acknowledge(&request, saved - start);
    }
    rig_witness_end(&request);
    close(file);
    free(bytes);
}

int main(int count, char **words) {
    char host[1024];
    const char *path;
    uint64_t start, body;
    int connection, status;
    if (count != 5) {
        fputs("usage: downloader URL DIR OUTPUT COMMIT\n", stderr);
        return 64;
    }
    rig_witness_open(&witness);
    rig_witness_enter(&witness, RIG_RECOVERING);
    snprintf(part, sizeof part, "%s/part", words[2]);
    snprintf(length_file, sizeof length_file, "%s/part.length", words[2]);
    snprintf(length_draft, sizeof length_draft, "%s/part.length.new", words[2]);
    start = safe_length();
    if (start == 0 || access(words[3], F_OK) != 0) {
        rig_witness_enter(&witness, RIG_CONNECTING);
        connection = connect_to(words[1], host, sizeof host, &path);
        status = ask(connection, host, path, start, &body);
        /* A server that has no more to give after the first bytes says 416. */
        if (status == 206 || (status == 200 && start == 0)) {
            take(connection, words[1], start, start + body, commit_size(words[4]));
        } else if (status != 416 || start == 0) {
            fprintf(stderr, "the server answers %d\n", status);
            return 1;
        }
        close(connection);
        rig_witness_enter(&witness, RIG_COMPLETING);
        if (rename(part, words[3]) != 0) fail(words[3]);
    }
    rig_witness_enter(&witness, RIG_IDLE);
    rig_witness_finish(&witness);
    return 0;
}
