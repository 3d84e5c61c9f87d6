/*
 * RocksDB: store_rocksdb URL DIR OUTPUT THRESHOLD DURABILITY sync|nosync|nowal
 *
 *     cc -O2 -I../witness -o store_rocksdb store_rocksdb.c -lrocksdb
 */
#include "rig_store.h"

#include <rocksdb/c.h>

static const char *setting;
static rocksdb_t *database;
static rocksdb_writebatch_t *batch;
static char *error;

static void check(void) {
    if (error == NULL) return;
    fprintf(stderr, "RocksDB: %s\n", error);
    exit(1);
}

static void open_store(const char *folder) {
    rocksdb_options_t *options = rocksdb_options_create();
    char path[4096];
    snprintf(path, sizeof path, "%s/store", folder);
    rocksdb_options_set_create_if_missing(options, 1);
    /* It reserves a little more for its log; as it is, 64 MB, which the disk of a power cut has not. */
    rocksdb_options_set_write_buffer_size(options, 4 << 20);
    database = rocksdb_open(options, path, &error);
    check();
    batch = rocksdb_writebatch_create();
}

static void put(uint64_t position, const char *bytes, size_t count) {
    rocksdb_writebatch_put(batch, (const char *)&position, sizeof position, bytes, count);
}

static long get(uint64_t position, char *bytes) {
    size_t count = 0;
    char *found = rocksdb_get(
        database, rocksdb_readoptions_create(), (const char *)&position, sizeof position, &count, &error);
    check();
    if (found == NULL) return -1;
    memcpy(bytes, found, count);
    free(found);
    return (long)count;
}

static void commit(void) {
    rocksdb_writeoptions_t *how = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(how, strcmp(setting, "sync") == 0);
    rocksdb_writeoptions_disable_WAL(how, strcmp(setting, "nowal") == 0);
    rocksdb_write(database, how, batch, &error);
    check();
    rocksdb_writebatch_clear(batch);
}

static void close_store(void) { rocksdb_close(database); }

int main(int count, char **words) {
    rig_store store = {open_store, put, get, commit, close_store};
    setting = count > 6 ? words[6] : "sync";
    return rig_store_run(&store, count, words);
}
