/*
 * A file per block, written beside, synced and renamed, and the folder synced at the commit:
 * store_files URL DIR OUTPUT THRESHOLD
 *
 *     cc -O2 -I../witness -o store_files store_files.c
 */
#include "rig_store.h"

static char folder[2048];

static const char *name_of(uint64_t position, const char *suffix) {
    static char name[4096];
    snprintf(name, sizeof name, "%s/%020llu%s", folder, (unsigned long long)position, suffix);
    return name;
}

static void open_store(const char *place) { snprintf(folder, sizeof folder, "%s", place); }

static void put(uint64_t position, const char *bytes, size_t count) {
    char draft[4096];
    int file;
    snprintf(draft, sizeof draft, "%s", name_of(position, ".new"));
    file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || write(file, bytes, count) != (ssize_t)count) rig_store_fail(draft);
    if (fsync(file) != 0 || close(file) != 0) rig_store_fail(draft);
    if (rename(draft, name_of(position, "")) != 0) rig_store_fail(draft);
}

static long get(uint64_t position, char *bytes) {
    int file = open(name_of(position, ""), O_RDONLY | O_CLOEXEC);
    long count;
    if (file < 0) return -1;
    count = (long)read(file, bytes, RIG_STORE_BLOCK);
    if (count < 0) rig_store_fail(name_of(position, ""));
    close(file);
    return count;
}

static void commit(void) {
    int place = open(folder, O_RDONLY | O_CLOEXEC);
    if (place < 0 || fsync(place) != 0) rig_store_fail(folder);
    close(place);
}

int main(int count, char **words) {
    rig_store store = {open_store, put, get, commit, NULL};
    return rig_store_run(&store, count, words);
}
