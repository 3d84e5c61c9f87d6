// rig-confine COUNT FOLDER... PROGRAM ARGUMENT...: becomes a program that may change files only in
// COUNT folders, by Landlock (landlock(7)).
//
// Every worker is started through it, so it is in C and without the libraries of rig: rig itself
// takes 5 ms to start, three times per kill, and this 1 ms.
//
// Exits with the codes of rig (sysexits(3)) if the program cannot be started.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

// From linux/landlock.h, which not all systems have.
struct rules {
    unsigned long long handled_access_fs;
};
struct place {
    unsigned long long allowed_access;
    int parent_fd;
} __attribute__((packed));
enum { CREATE = 444, ADD_RULE = 445, RESTRICT = 446, VERSION = 1, PATH_BENEATH = 1 };
#define WRITE_FILE (1ULL << 1)
// REMOVE_DIR to MAKE_SYM, which are consecutive.
#define CHANGE_FOLDER 0x1FF0ULL
#define MOVE_ELSEWHERE (1ULL << 13)
#define TRUNCATE (1ULL << 14)

// Devices and settings that cannot store anything.
static const char *const harmless[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx",
    "/dev/pts", "/proc",
};

// The access rights that change files and folders, as far as this kernel knows them.
static unsigned long long changes(void) {
    long version = syscall(CREATE, NULL, 0, VERSION);
    unsigned long long known = WRITE_FILE | CHANGE_FOLDER;
    if (version > 1) known |= MOVE_ELSEWHERE;
    if (version > 2) known |= TRUNCATE;
    return known;
}

// Allows all changes below a folder, or those of a file. A path that does not exist cannot be
// written to.
static int allow(int rules, const char *path, unsigned long long known) {
    struct stat facts;
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return 0;
    if (fstat(file, &facts) != 0) return -1;
    struct place place = {
        S_ISDIR(facts.st_mode) ? known : known & (WRITE_FILE | TRUNCATE), file };
    long result = syscall(ADD_RULE, rules, PATH_BENEATH, &place, 0);
    close(file);
    return (int)result;
}

// Restricts this process, and all that it starts. A process without the privilege for that first
// gives up gaining rights, as by a set-user-id program.
static int restrict_changes(char **folders, int count) {
    struct rules wanted = { changes() };
    int rules = (int)syscall(CREATE, &wanted, sizeof wanted, 0);
    if (rules < 0) return -1;
    for (int i = 0; i < count; i++)
        if (allow(rules, folders[i], wanted.handled_access_fs) != 0) return -1;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (allow(rules, harmless[i], wanted.handled_access_fs) != 0) return -1;
    if (syscall(RESTRICT, rules, 0) != 0
        && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(RESTRICT, rules, 0) != 0))
        return -1;
    return close(rules);
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : -1;
    if (count < 0 || argc < count + 3) {
        fprintf(stderr, "rig-confine is a part of rig, which starts it; see rig --help\n");
        return EX_USAGE;
    }
    // System V IPC objects outlive their programs; only root can give a worker its own.
    (void)unshare(CLONE_NEWIPC);
    if (restrict_changes(argv + 2, count) != 0) {
        fprintf(stderr, "rig: the worker cannot be confined: %s\n", strerror(errno));
        return EX_SOFTWARE;
    }
    char **command = argv + 2 + count;
    execvp(command[0], command);
    fprintf(stderr, "rig: cannot start the worker %s: %s; check its path\n", command[0],
            strerror(errno));
    return EX_UNAVAILABLE;
}
