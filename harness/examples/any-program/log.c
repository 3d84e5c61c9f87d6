/* Appends two hundred records to a log. Its first eight bytes say how long it is.
 *
 *     log data-first FOLDER      the record is on the disk before the length counts it
 *     log length-first FOLDER    with a bug: a kill between the two leaves a length without a record
 *     log check FOLDER SAID      0 if the log is whole and has all records that were said; else 1
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { header = 8, records = 200 };

struct record {
    uint32_t number;
    uint32_t checksum;
    char text[56];
};

static uint32_t sum(const struct record *record) {
    uint32_t sum = 2166136261u ^ record->number;
    for (size_t i = 0; i < sizeof record->text; i++)
        sum = (sum ^ (unsigned char)record->text[i]) * 16777619u;
    return sum;
}

static void must(int works, const char *what) {
    if (works) return;
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

static void put(int file, const void *bytes, size_t count, off_t place) {
    must(pwrite(file, bytes, count, place) == (ssize_t)count, "write");
    must(fsync(file) == 0, "fsync");
}

static uint64_t length(int file) {
    uint64_t length = header;
    // A kill before the first length was written leaves the file with zeros there.
    return pread(file, &length, sizeof length, 0) == sizeof length && length > 0 ? length : header;
}

static int append(const char *folder, int is_length_first) {
    char path[4096];
    snprintf(path, sizeof path, "%s/log", folder);
    int file = open(path, O_RDWR | O_CREAT, 0644);
    must(file >= 0, path);
    int directory = open(folder, O_RDONLY);
    must(directory >= 0 && fsync(directory) == 0, folder);
    uint64_t end = length(file);
    for (uint32_t n = (uint32_t)((end - header) / sizeof(struct record)) + 1; n <= records; n++) {
        struct record record = {.number = n};
        snprintf(record.text, sizeof record.text, "record %" PRIu32, n);
        record.checksum = sum(&record);
        uint64_t after = end + sizeof record;
        if (is_length_first) put(file, &after, sizeof after, 0);
        put(file, &record, sizeof record, (off_t)end);
        if (!is_length_first) put(file, &after, sizeof after, 0);
        end = after;
        printf("%" PRIu32 "\n", n);
        fflush(stdout);
    }
    return 0;
}

static int check(const char *folder, const char *said) {
    uint32_t promised = 0, n = 0;
    FILE *lines = fopen(said, "r");
    must(lines != NULL, said);
    while (fscanf(lines, "%" SCNu32, &n) == 1)
        if (n > promised) promised = n;
    char path[4096];
    snprintf(path, sizeof path, "%s/log", folder);
    int file = open(path, O_RDONLY);
    must(file >= 0 || errno == ENOENT, path);
    uint64_t end = file < 0 ? header : length(file), place = header;
    uint32_t whole = 0;
    for (; place + sizeof(struct record) <= end; place += sizeof(struct record)) {
        struct record record;
        if (pread(file, &record, sizeof record, (off_t)place) != sizeof record
            || record.checksum != sum(&record) || record.number != whole + 1) {
            printf("record %" PRIu32 " is damaged, and the length counts it\n", whole + 1);
            return 1;
        }
        whole++;
    }
    if (place != end || whole < promised) {
        printf("%" PRIu32 " records are there, and %" PRIu32 " were said\n", whole, promised);
        return 1;
    }
    return 0;
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "data-first") == 0) return append(words[2], 0);
    if (count == 3 && strcmp(words[1], "length-first") == 0) return append(words[2], 1);
    if (count == 4 && strcmp(words[1], "check") == 0) return check(words[2], words[3]);
    fprintf(stderr, "log data-first|length-first FOLDER, or log check FOLDER SAID\n");
    return 64;
}
