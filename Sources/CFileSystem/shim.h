// Calls of Linux that Swift cannot make by itself: ioctl takes a variable number of arguments.
// Each returns 0 or more, or -1 with the reason in errno.
#ifndef C_FILE_SYSTEM_H
#define C_FILE_SYSTEM_H

#ifdef __linux__

#include <linux/loop.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// From fs/ext4/ext4.h of the kernel, which exports no header with them.
#define FILESYSTEM_EXT4_SHUTDOWN _IOR('X', 125, __u32)
#define FILESYSTEM_NO_LOG_FLUSH 2

// Ends the ext4 file system of an open file as a power cut would: nothing more is written.
static inline int filesystem_cut_power(int file) {
    __u32 how = FILESYSTEM_NO_LOG_FLUSH;
    return ioctl(file, FILESYSTEM_EXT4_SHUTDOWN, &how);
}

// From linux/fs.h, whose other names clash with those of sys/mount.h.
#define DEVICE_FLUSH_BUFFERS _IO(0x12, 97)

// Writes everything of the file system of an open file to its device.
static inline int filesystem_sync(int file) {
    return (int)syscall(SYS_syncfs, file);
}

// From linux/fs.h: has two files share their blocks until one of them is changed.
#define FILE_CLONE _IOW(0x94, 9, int)

static inline int filesystem_clone(int target, int source) {
    return ioctl(target, FILE_CLONE, source);
}

// Copies bytes from one file's position to the other's, and moves both.
static inline long filesystem_copy_range(int source, int target, size_t count) {
    return syscall(SYS_copy_file_range, source, NULL, target, NULL, count, 0);
}

// A descriptor that can be read from, in the sense of poll, once the process has ended.
static inline int process_open(int process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

// Has processes below this one whose parents are gone become its children.
static inline int orphans_adopt(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

// Shared memory, queues and semaphores of System V and queues of POSIX: none of those that are there.
static inline int communication_leave(void) {
    return (int)syscall(SYS_unshare, 0x08000000 /* CLONE_NEWIPC of sched.h */);
}

// From linux/landlock.h, which not all systems have (landlock(7)).
struct landlock_rules {
    __u64 handled_access_fs;
};
struct landlock_place {
    __u64 allowed_access;
    __s32 parent_fd;
} __attribute__((packed));
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446

// The version of Landlock that the kernel has; below 1 where it has none.
static inline int landlock_version(void) {
    return (int)syscall(LANDLOCK_CREATE, NULL, 0, 1);
}

// Every change of files and folders that a version knows of.
static inline __u64 landlock_changes(int version) {
    // WRITE_FILE, then REMOVE_DIR to MAKE_SYM, which follow one another; REFER and TRUNCATE are newer.
    __u64 changes = 1ULL << 1 | 0x1FF0;
    if (version > 1) changes |= 1ULL << 13;
    if (version > 2) changes |= 1ULL << 14;
    return changes;
}

// Rules that refuse all of these changes, wherever none of them allows it.
static inline int landlock_create(int version) {
    struct landlock_rules rules = { landlock_changes(version) };
    return (int)syscall(LANDLOCK_CREATE, &rules, sizeof rules, 0);
}

// A descriptor of a file or folder that nothing can be read by: O_PATH and O_CLOEXEC of fcntl.h, whose
// types are not to become those of this module.
static inline int place_open(const char *path) {
    return (int)syscall(SYS_openat, -100 /* AT_FDCWD */, path, 010000000 | 02000000, 0);
}

// Allows all changes below a folder, or those of a file.
static inline int landlock_allow(int rules, int place, int is_folder, int version) {
    __u64 of_files = 1ULL << 1 | 1ULL << 14;
    struct landlock_place rule = {
        landlock_changes(version) & (is_folder ? ~0ULL : of_files), place };
    return (int)syscall(LANDLOCK_ADD, rules, 1, &rule, 0);
}

// Has this process, and all that it starts, keep to the rules. Who may not do so as it is gives up
// ever getting more rights, as by a set-user-id program.
static inline int landlock_enter(int rules) {
    if (syscall(LANDLOCK_RESTRICT, rules, 0) == 0) return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(LANDLOCK_RESTRICT, rules, 0);
}

// Sleeps for so many nanoseconds, or until a descriptor can be read from.
static inline int descriptor_wait(int descriptor, long nanoseconds) {
    struct pollfd place = { descriptor, POLLIN, 0 };
    struct timespec time = { nanoseconds / 1000000000, nanoseconds % 1000000000 };
    return (int)syscall(SYS_ppoll, &place, 1, &time, NULL, 0);
}

// The number of a loop device that nobody uses.
static inline int loop_free_number(int control) {
    return ioctl(control, LOOP_CTL_GET_FREE);
}

// Attaches an image; the device lets it go when nobody has it mounted or open any more.
static inline int loop_attach(int device, int image) {
    struct loop_config config;
    memset(&config, 0, sizeof config);
    config.fd = (__u32)image;
    config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
    return ioctl(device, LOOP_CONFIGURE, &config);
}

// Forgets what is cached of a device.
static inline int device_drop_cache(int device) {
    return ioctl(device, DEVICE_FLUSH_BUFFERS, 0);
}

// Lets the image go, at once or when nobody has the device mounted or open any more.
static inline int loop_detach(int device) {
    return ioctl(device, LOOP_CLR_FD, 0);
}

#endif
#endif
