// Makes known file system calls, for tests that trace it:
//
//   FileCaller threads FOLDER THREADS ROUNDS   each thread writes a byte and syncs, in its own file
//   FileCaller processes FOLDER COUNT ROUNDS   the same in processes, by fork and vfork in turn
//   FileCaller kinds FOLDER                    one call of each kind, and many that change nothing
//   FileCaller forever FOLDER                  ignores every signal that it can, and writes
//   FileCaller leave-behind FOLDER             ends, and leaves a process that writes
//   FileCaller map FOLDER                      writes through memory
//   FileCaller map-flag FOLDER                 the same, twice, and syncs nothing
//   FileCaller map-later FOLDER                the same, after making the memory writable
//   FileCaller call FOLDER NAME                one operation, by the name of its test
//   FileCaller ring FOLDER write|read|create   asks io_uring; 77 where there is none
//   FileCaller ring-save FILE                  writes what it reads to FILE by io_uring
//   FileCaller foreign                         makes a call of another architecture; 77 on others
//   FileCaller save FOLDER                     saves a file as one should, and ends with errno
//   FileCaller vector FOLDER                   writes two ranges, and says how many bytes were taken
//   FileCaller ignore FOLDER COUNT             writes so many bytes, whatever comes of it
//   FileCaller resync FOLDER COUNT             syncs so often, and says which syncs failed
//   FileCaller pipe FOLDER                     opens a named pipe, whose reader makes a file before
//   FileCaller short FOLDER                    reads more than there is, and says how much came
//   FileCaller exit CODE | signal NUMBER       ends with that code or signal
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <linux/io_uring.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/xattr.h>
#include <sys/uio.h>

static const char *folder;
static int rounds;

// A failed call invalidates the test's expectations, so name it.
#define DO(call)                                                                                   \
    do {                                                                                           \
        if ((call) < 0) {                                                                          \
            perror(#call);                                                                         \
            exit(70);                                                                              \
        }                                                                                          \
    } while (0)

static int make(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDWR | O_CREAT, 0644);
    DO(file);
    return file;
}

static void *write_and_sync(void *argument) {
    char name[32];
    snprintf(name, sizeof name, "%ld", (long)argument);
    int file = make(name);
    for (int round = 0; round < rounds; round++) {
        char byte = (char)round;
        DO(pwrite(file, &byte, 1, round));
        DO(fdatasync(file));
    }
    return NULL;
}

static void run_threads(long count) {
    pthread_t threads[64];
    for (long i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, write_and_sync, (void *)i);
    }
    for (long i = 0; i < count; i++) { pthread_join(threads[i], NULL); }
}

static void run_processes(long count, char **argv) {
    char number[32], each[32];
    snprintf(each, sizeof each, "%d", rounds);
    for (long i = 0; i < count; i++) {
        if (i % 2 == 0) {
            if (fork() == 0) {
                write_and_sync((void *)i);
                _exit(0);
            }
        } else {
            snprintf(number, sizeof number, "%ld", i);
            if (vfork() == 0) {
                execl(argv[0], argv[0], "one", folder, number, each, (char *)NULL);
                _exit(70);
            }
        }
    }
    for (long i = 0; i < count; i++) {
        int status;
        wait(&status);
        if (status != 0) { exit(70); }
    }
}

// Calls that change no file: none of them may be counted.
static void change_nothing(void) {
    int ends[2], sockets[2], event = eventfd(0, 0);
    unsigned long one = 1;
    DO(pipe(ends));
    DO(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    DO(write(ends[1], "x", 1));
    DO(write(sockets[0], "x", 1));
    DO(send(sockets[0], "x", 1, 0));
    DO(write(event, &one, 8));
    unlink("absent");
    rename("absent", "other");
    mkdir(".", 0755);
    rmdir("absent");
    int existing = open("moved", O_RDWR | O_CREAT, 0644);
    DO(existing);
    close(existing);
    DO(open("moved", O_RDONLY));
    open("moved", O_RDWR | O_CREAT | O_EXCL, 0644);
    int null = open("/dev/null", O_WRONLY);
    DO(write(null, "x", 1));
}

static void run_kinds(void) {
    DO(chdir(folder));
    DO(mkdir("sub", 0755));
    int file = open("sub/file", O_RDWR | O_CREAT, 0644);
    DO(file);
    DO(write(file, "abc", 3));
    DO(pwrite(file, "defg", 4, 3));
    struct iovec run[2] = {{"hi", 2}, {"jkl", 3}};
    DO(lseek(file, 7, SEEK_SET));
    DO(writev(file, run, 2));
    DO(pwritev(file, run, 2, 12));
    DO(fsync(file));
    DO(ftruncate(file, 15));
    DO(posix_fallocate(file, 0, 20));
    DO(fdatasync(file));
    int appending = open("sub/file", O_WRONLY | O_APPEND);
    DO(write(appending, "mn", 2));
    int copy = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0644);
    off_t from = 0;
    DO(sendfile(copy, file, &from, 10));
    DO(copy_file_range(file, &from, copy, NULL, 5, 0));
    DO(sync_file_range(copy, 0, 0, SYNC_FILE_RANGE_WRITE));
    DO(link("copy", "linked"));
    DO(symlink("sub/file", "symbolic"));
    DO(rename("copy", "moved"));
    int emptied = open("symbolic", O_WRONLY | O_TRUNC);
    DO(write(emptied, "z", 1));
    DO(truncate("moved", 3));
    // The first descriptor still refers to the file, which has no name any more.
    DO(unlink("sub/file"));
    DO(pwrite(file, "y", 1, 1));
    DO(unlink("linked"));
    DO(unlink("symbolic"));
    int directory = open(".", O_RDONLY | O_DIRECTORY);
    DO(fsync(directory));
    DO(rmdir("sub"));
    int again = openat(directory, "again", O_WRONLY | O_CREAT | O_DSYNC, 0644);
    DO(write(again, "sync", 4));
    DO(syncfs(directory));
    change_nothing();
}

static void run_forever(void) {
    for (int number = 1; number < NSIG; number++) { signal(number, SIG_IGN); }
    int file = make("forever");
    for (long at = 0;; at++) {
        DO(pwrite(file, "x", 1, at));
        usleep(1000);
    }
}

static void write_through_memory(void) {
    int file = make("mapped");
    DO(ftruncate(file, 16384));
    char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    bytes[0] = 'm';
    bytes[4608] = 'n';
    DO(msync(bytes, 4096, MS_ASYNC));
    DO(msync(bytes, 1, MS_SYNC));
    DO(fdatasync(file));
    bytes[7680] = 'o';
}

// The second store waits for a file beside the folder; no call of that is traced.
static void store_twice(void) {
    int file = make("mapped");
    DO(ftruncate(file, 4096));
    volatile char *bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    char path[4096];
    snprintf(path, sizeof path, "%s/../go", folder);
    bytes[0] = 'm';
    while (access(path, F_OK) != 0) { usleep(1000); }
    bytes[0] = 'n';
}

static void write_through_memory_later(void) {
    int file = make("mapped");
    DO(ftruncate(file, 4096));
    char *bytes = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    DO(mprotect(bytes, 4096, PROT_READ | PROT_WRITE));
    bytes[0] = 'm';
    DO(fsync(file));
}

static aio_context_t queue;

static struct iocb request(int file, int what, const void *bytes, size_t count, off_t at) {
    struct iocb one;
    memset(&one, 0, sizeof one);
    one.aio_fildes = (unsigned)file;
    one.aio_lio_opcode = (unsigned short)what;
    one.aio_buf = (unsigned long)bytes;
    one.aio_nbytes = count;
    one.aio_offset = at;
    return one;
}

// Submits two requests, and waits for those that were taken.
static void submit(struct iocb first, struct iocb second, long taken) {
    struct iocb *list[] = {&first, &second};
    struct io_event events[2];
    DO(syscall(SYS_io_setup, 8, &queue));
    if (syscall(SYS_io_submit, queue, 2, list) != taken) { exit(70); }
    DO(syscall(SYS_io_getevents, queue, taken, taken, events, NULL));
}

static void call_one(const char *name) {
    DO(chdir(folder));
    int file = open("file", O_RDWR | O_CREAT, 0644);
    DO(file);
    struct iovec run[2] = {{"d", 1}, {"ef", 2}};
    struct iocb abc = request(file, IOCB_CMD_PWRITE, "abc", 3, 0);
    if (strcmp(name, "io_submit") == 0) {
        submit(abc, request(file, IOCB_CMD_PWRITEV, run, 2, 3), 2);
        DO(fsync(file));
    } else if (strcmp(name, "io_submit, part") == 0) {
        // There is no such descriptor.
        submit(abc, request(999, IOCB_CMD_PWRITE, "d", 1, 3), 1);
    } else if (strcmp(name, "io_submit, synced") == 0) {
        abc.aio_rw_flags = RWF_DSYNC;
        submit(abc, request(file, IOCB_CMD_PREAD, run[0].iov_base, 0, 0), 2);
    } else if (strcmp(name, "io_submit, sync") == 0) {
        submit(abc, request(file, IOCB_CMD_FSYNC, NULL, 0, 0), 2);
    } else if (strcmp(name, "RWF_DSYNC") == 0) {
        DO(pwritev2(file, run, 2, 1, RWF_DSYNC));
    } else if (strcmp(name, "RWF_APPEND") == 0) {
        DO(write(file, "abc", 3));
        DO(pwritev2(file, run, 2, 0, RWF_APPEND));
    } else if (strncmp(name, "copy_file_range", 15) == 0 || strncmp(name, "sendfile", 8) == 0) {
        int copy = open("copy", O_RDWR | O_CREAT | (strstr(name, "synced") ? O_DSYNC : 0), 0644);
        DO(write(file, "abc", 3));
        off_t from = 0;
        if (name[0] == 'c') {
            DO(copy_file_range(file, &from, copy, NULL, 3, 0));
        } else {
            DO(sendfile(copy, file, &from, 3));
        }
    } else if (strcmp(name, "splice") == 0) {
        int ends[2];
        DO(pipe(ends));
        DO(write(ends[1], "abc", 3));
        off_t at = 1;
        DO(splice(ends[0], NULL, file, &at, 3, 0));
    } else if (strcmp(name, "FICLONE") == 0) {
        int copy = open("copy", O_RDWR | O_CREAT, 0644);
        DO(write(file, "abc", 3));
        // Not every file system shares blocks.
        if (ioctl(copy, FICLONE, file) != 0) { exit(77); }
    } else if (strcmp(name, "O_TMPFILE") == 0) {
        int unnamed = open(".", O_RDWR | O_TMPFILE, 0644);
        char path[64];
        DO(write(unnamed, "abc", 3));
        snprintf(path, sizeof path, "/proc/self/fd/%d", unnamed);
        DO(linkat(AT_FDCWD, path, AT_FDCWD, "named", AT_SYMLINK_FOLLOW));
    } else if (strcmp(name, "RENAME_EXCHANGE") == 0) {
        DO(mkdir("other", 0755));
        DO(renameat2(AT_FDCWD, "file", AT_FDCWD, "other", RENAME_EXCHANGE));
    } else if (strcmp(name, "modes") == 0) {
        DO(fchmod(file, 0755));
        DO(close(open("key", O_WRONLY | O_CREAT, 0600)));
        DO(chmod("key", 0400));
        DO(mkdir("private", 0700));
        DO(chmod("private", 0750));
    } else if (strcmp(name, "times") == 0) {
        struct timespec times[2] = {{5, 6}, {7, 8}};
        DO(futimens(file, times));
        DO(fchmod(file, 0600));
        times[1].tv_sec = 9;
        DO(utimensat(AT_FDCWD, "file", times, 0));
        DO(write(file, "abc", 3));
        DO(fchmod(file, 0644));
    } else if (strcmp(name, "attributes") == 0) {
        // Not every file system has them.
        if (fsetxattr(file, "user.tag", "ab", 2, 0) != 0) { exit(77); }
        DO(setxattr("file", "user.other", "", 0, 0));
        DO(removexattr("file", "user.tag"));
    } else if (strcmp(name, "attributes, alike") == 0) {
        if (fsetxattr(file, "user.\xfe", "ab", 2, 0) != 0) { exit(77); }
        DO(fsetxattr(file, "user.\xff", "cd", 2, 0));
    } else if (strcmp(name, "owners") == 0) {
        // Only root may.
        if (fchown(file, 5, 6) != 0) { exit(77); }
        DO(lchown("file", 7, -1));
    } else if (strcmp(name, "sync_file_range") == 0) {
        DO(write(file, "abc", 3));
        // Each of its flags, and all together; ends with those of the first that fails.
        for (int flags = 0; flags < 8; flags++) {
            if (sync_file_range(file, 0, 0, flags) < 0) { exit(flags); }
        }
    } else if (strcmp(name, "close") == 0) {
        int emptied = open("file", O_WRONLY | O_TRUNC);
        DO(write(emptied, "abc", 3));
        DO(close(file));
        DO(close(emptied));
    } else {
        exit(64);
    }
}

static int ring = -1;
static unsigned *ring_tail, *ring_order, *ring_done;
static struct io_uring_sqe *ring_requests;

static void open_ring(void) {
    struct io_uring_params facts;
    memset(&facts, 0, sizeof facts);
    ring = (int)syscall(SYS_io_uring_setup, 1, &facts);
    if (ring < 0) { exit(77); }
    // Since Linux 5.4 both queues are in one mapping.
    size_t size = facts.sq_off.array + facts.sq_entries * sizeof(unsigned);
    size_t end = facts.cq_off.cqes + facts.cq_entries * sizeof(struct io_uring_cqe);
    if (end > size) { size = end; }
    char *queue =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, (off_t)IORING_OFF_SQ_RING);
    ring_requests = mmap(
        NULL, facts.sq_entries * sizeof *ring_requests, PROT_READ | PROT_WRITE, MAP_SHARED, ring,
        (off_t)IORING_OFF_SQES);
    if (queue == MAP_FAILED || ring_requests == MAP_FAILED) { exit(70); }
    ring_tail = (unsigned *)(queue + facts.sq_off.tail);
    ring_order = (unsigned *)(queue + facts.sq_off.array);
    ring_done = (unsigned *)(queue + facts.cq_off.head);
}

static void ask_ring(unsigned char what, int file, const void *bytes, unsigned count, off_t at) {
    memset(ring_requests, 0, sizeof *ring_requests);
    ring_requests->opcode = what;
    ring_requests->fd = file;
    ring_requests->addr = (unsigned long)bytes;
    ring_requests->len = count;
    ring_requests->off = (unsigned long)at;
    if (what == IORING_OP_OPENAT) { ring_requests->open_flags = O_RDWR | O_CREAT; }
    ring_order[0] = 0;
    __atomic_store_n(ring_tail, *ring_tail + 1, __ATOMIC_RELEASE);
    DO(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0));
    __atomic_store_n(ring_done, *ring_done + 1, __ATOMIC_RELEASE);
}

static void run_ring(const char *what) {
    int file = make("ring");
    DO(write(file, "plain", 5));
    open_ring();
    char bytes[5];
    ask_ring(IORING_OP_READ, file, bytes, 5, 0);
    int null = open("/dev/null", O_WRONLY);
    ask_ring(IORING_OP_WRITE, null, "nothing", 7, 0);
    if (strcmp(what, "write") == 0) {
        ask_ring(IORING_OP_WRITE, file, "hello", 5, 0);
        ask_ring(IORING_OP_FSYNC, file, NULL, 0, 0);
    } else if (strcmp(what, "create") == 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/created", folder);
        ask_ring(IORING_OP_OPENAT, AT_FDCWD, path, 0644, 0);
    }
}

static void save_by_ring(const char *path) {
    static char bytes[65536];
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    DO(file);
    open_ring();
    off_t at = 0;
    for (ssize_t count; (count = read(0, bytes, sizeof bytes)) > 0; at += count) {
        ask_ring(IORING_OP_WRITE, file, bytes, (unsigned)count, at);
    }
}

// Ends with the error of a call, as a program should.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) < 0) { exit(errno); }                                                           \
    } while (0)

enum { SAVED = 10000 };

static void save(void) {
    static char bytes[SAVED], found[SAVED];
    for (int i = 0; i < SAVED; i++) { bytes[i] = (char)(i % 251); }
    TRY(chdir(folder));
    int file = open("data.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    TRY(file);
    for (ssize_t done = 0, count; done < SAVED; done += count) {
        TRY(count = write(file, bytes + done, (size_t)(SAVED - done)));
    }
    TRY(fsync(file));
    if (close(file) < 0) {
        int error = errno;
        // Whatever it returns, the file is closed.
        exit(fcntl(file, F_GETFD) < 0 ? error : 71);
    }
    TRY(rename("data.tmp", "data"));
    TRY(file = open("data", O_RDONLY));
    for (ssize_t done = 0, count; done < SAVED; done += count) {
        TRY(count = read(file, found + done, (size_t)(SAVED - done)));
        if (count == 0) { exit(72); }
    }
    exit(memcmp(bytes, found, SAVED) == 0 ? 0 : 73);
}

// Ends with the sum of 2 for the first sync that fails, 4 for the second, 8 for the third, and 1 if the
// new bytes are read afterwards.
static void sync_again(long count) {
    static char bytes[8192];
    int file = make("data"), found = 0;
    memset(bytes, 'A', 4096);
    DO(pwrite(file, bytes, 4096, 0));
    DO(fsync(file));
    memset(bytes, 'B', 8192);
    DO(pwrite(file, bytes, 8192, 0));
    for (long i = 0; i < count; i++) {
        if (fsync(file) < 0) { found |= 2 << i; }
    }
    DO(pread(file, bytes, 1, 0));
    struct stat facts;
    DO(fstat(file, &facts));
    int is_new = bytes[0] == 'B';
    // The length goes with the content.
    if (facts.st_size != (is_new ? 8192 : 4096)) { exit(71); }
    exit(found | is_new);
}

static void read_more(void) {
    static char bytes[1000];
    int file = make("data");
    DO(pwrite(file, bytes, 100, 0));
    ssize_t count = pread(file, bytes, sizeof bytes, 0);
    DO(count);
    exit((int)count);
}

static void write_vector(void) {
    static char bytes[SAVED];
    struct iovec ranges[] = {{bytes, 0}, {bytes, 6000}, {bytes + 6000, 4000}};
    int file = make("vector");
    DO(lseek(file, 10, SEEK_SET));
    ssize_t first = writev(file, ranges, 3), second = pwritev(file, ranges, 3, 20000);
    printf("%zd %zd\n", first, second);
}

static void write_and_ignore(long count) {
    int file = make("ignored");
    for (long i = 0; i < count; i++) {
        if (pwrite(file, "x", 1, i) < 0) { continue; }
    }
}

static void open_pipe(void) {
    DO(chdir(folder));
    DO(mkfifo("pipe", 0600));
    pid_t first = getpid();
    if (fork() == 0) {
        char path[64], state = 0;
        snprintf(path, sizeof path, "/proc/%d/stat", first);
        // Until the first one sleeps: it waits for the reader then.
        while (state != 'S') {
            FILE *facts = fopen(path, "r");
            if (facts == NULL || fscanf(facts, "%*d (%*[^)]) %c", &state) != 1) { _exit(70); }
            fclose(facts);
            usleep(1000);
        }
        make("file");
        DO(open("pipe", O_RDONLY));
        _exit(0);
    }
    int status;
    DO(open("pipe", O_WRONLY | O_CREAT, 0600));
    wait(&status);
    if (status != 0) { exit(70); }
}

static void call_foreign(void) {
#ifdef __x86_64__
    // getpid of 32-bit programs.
    long number = 20;
    __asm__ volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
#else
    exit(77);
#endif
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    folder = argc > 2 ? argv[2] : ".";
    rounds = argc > 4 ? atoi(argv[4]) : 0;
    if (strcmp(mode, "threads") == 0 && argc > 4) {
        run_threads(atol(argv[3]));
    } else if (strcmp(mode, "processes") == 0 && argc > 4) {
        run_processes(atol(argv[3]), argv);
    } else if (strcmp(mode, "one") == 0 && argc > 4) {
        write_and_sync((void *)atol(argv[3]));
    } else if (strcmp(mode, "kinds") == 0) {
        run_kinds();
    } else if (strcmp(mode, "forever") == 0) {
        run_forever();
    } else if (strcmp(mode, "leave-behind") == 0) {
        if (fork() == 0) { run_forever(); }
    } else if (strcmp(mode, "map") == 0) {
        write_through_memory();
    } else if (strcmp(mode, "map-flag") == 0) {
        store_twice();
    } else if (strcmp(mode, "map-later") == 0) {
        write_through_memory_later();
    } else if (strcmp(mode, "call") == 0 && argc > 3) {
        call_one(argv[3]);
    } else if (strcmp(mode, "ring") == 0 && argc > 3) {
        run_ring(argv[3]);
    } else if (strcmp(mode, "ring-save") == 0) {
        save_by_ring(folder);
    } else if (strcmp(mode, "foreign") == 0) {
        call_foreign();
    } else if (strcmp(mode, "save") == 0) {
        save();
    } else if (strcmp(mode, "vector") == 0) {
        write_vector();
    } else if (strcmp(mode, "ignore") == 0 && argc > 3) {
        write_and_ignore(atol(argv[3]));
    } else if (strcmp(mode, "resync") == 0 && argc > 3) {
        sync_again(atol(argv[3]));
    } else if (strcmp(mode, "pipe") == 0) {
        open_pipe();
    } else if (strcmp(mode, "short") == 0) {
        read_more();
    } else if (strcmp(mode, "exit") == 0 && argc > 2) {
        return atoi(argv[2]);
    } else if (strcmp(mode, "signal") == 0 && argc > 2) {
        raise(atoi(argv[2]));
    } else {
        fprintf(stderr, "FileCaller: unknown mode '%s'; see main.c\n", mode);
        return 64;
    }
    return 0;
}
#else
int main(void) { return 69; }
#endif
