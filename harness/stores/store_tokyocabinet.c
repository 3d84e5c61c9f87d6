/*
 * Tokyo Cabinet, hash database: store_tokyocabinet URL DIR OUTPUT THRESHOLD DURABILITY tran|sync
 *
 *     cc -O2 -I../witness -o store_tokyocabinet store_tokyocabinet.c -ltokyocabinet
 */
#include "rig_store.h"

#include <stdbool.h>
#include <tchdb.h>

static TCHDB *database;
static bool with_transactions, begun;

static void check(bool done, const char *what) {
    if (done) return;
    fprintf(stderr, "Tokyo Cabinet, %s: %s\n", what, tchdberrmsg(tchdbecode(database)));
    exit(1);
}

static void open_store(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/store.tch", folder);
    database = tchdbnew();
    check(tchdbopen(database, path, HDBOWRITER | HDBOCREAT | HDBOTSYNC), "open");
}

static void put(uint64_t position, const char *bytes, size_t count) {
    if (with_transactions && !begun) check(begun = tchdbtranbegin(database), "begin");
    check(tchdbput(database, &position, sizeof position, bytes, (int)count), "put");
}

static long get(uint64_t position, char *bytes) {
    int count = tchdbget3(database, &position, sizeof position, bytes, RIG_STORE_BLOCK);
    check(count >= 0 || tchdbecode(database) == TCENOREC, "get");
    return count;
}

static void commit(void) {
    check(with_transactions ? tchdbtrancommit(database) : tchdbsync(database), "commit");
    begun = false;
}

static void close_store(void) { check(tchdbclose(database), "close"); }

int main(int count, char **words) {
    rig_store store = {open_store, put, get, commit, close_store};
    with_transactions = count <= 6 || strcmp(words[6], "tran") == 0;
    return rig_store_run(&store, count, words);
}
