// Linux calls that Swift cannot make itself: ioctl is variadic. Each returns 0 or more, or -1 with
// the reason in errno.
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

// From the kernel's fs/ext4/ext4.h: no exported header has them.
#define FILESYSTEM_EXT4_SHUTDOWN _IOR('X', 125, __u32)
#define FILESYSTEM_NO_LOG_FLUSH 2

// Shuts down the ext4 file system of an open file as a power cut would: nothing more is written.
static inline int filesystem_cut_power(int file) {
    __u32 how = FILESYSTEM_NO_LOG_FLUSH;
    return ioctl(file, FILESYSTEM_EXT4_SHUTDOWN, &how);
}

// From linux/fs.h: its other names clash with those of sys/mount.h.
#define DEVICE_FLUSH_BUFFERS _IO(0x12, 97)

// Writes all data of an open file's file system to its device.
static inline int filesystem_sync(int file) {
    return (int)syscall(SYS_syncfs, file);
}

// From linux/fs.h: makes two files share their blocks until one of them is changed.
#define FILE_CLONE _IOW(0x94, 9, int)

static inline int filesystem_clone(int target, int source) {
    return ioctl(target, FILE_CLONE, source);
}

// Copies bytes from one file's position to the other's, and advances both.
static inline long filesystem_copy_range(int source, int target, size_t count) {
    return syscall(SYS_copy_file_range, source, NULL, target, NULL, count, 0);
}

// A pidfd: it polls as readable once the process has ended.
static inline int process_open(int process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

// Makes this process a child subreaper: orphaned descendants become its children.
static inline int orphans_adopt(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

// Leaves the existing System V shared memory, queues and semaphores, and POSIX queues, for a new
// IPC namespace.
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

// The Landlock version of the kernel; below 1 if it has none.
static inline int landlock_version(void) {
    return (int)syscall(LANDLOCK_CREATE, NULL, 0, 1);
}

// The access rights of a version that change files and folders.
static inline __u64 landlock_changes(int version) {
    // WRITE_FILE, then REMOVE_DIR to MAKE_SYM, which are consecutive; REFER and TRUNCATE are newer.
    __u64 changes = 1ULL << 1 | 0x1FF0;
    if (version > 1) changes |= 1ULL << 13;
    if (version > 2) changes |= 1ULL << 14;
    return changes;
}

// Creates rules that refuse all of these changes, except where a rule allows them.
static inline int landlock_create(int version) {
    struct landlock_rules rules = { landlock_changes(version) };
    return (int)syscall(LANDLOCK_CREATE, &rules, sizeof rules, 0);
}

// Opens a file or folder as a descriptor without read access: O_PATH and O_CLOEXEC of fcntl.h,
// which is not included because its types must not become those of this module.
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

// Restricts this process, and all that it starts, to the rules. A process without the privilege for
// that first gives up gaining rights, as by a set-user-id program.
static inline int landlock_enter(int rules) {
    if (syscall(LANDLOCK_RESTRICT, rules, 0) == 0) return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(LANDLOCK_RESTRICT, rules, 0);
}

// Sleeps for that many nanoseconds, or until a descriptor is readable.
static inline int descriptor_wait(int descriptor, long nanoseconds) {
    struct pollfd place = { descriptor, POLLIN, 0 };
    struct timespec time = { nanoseconds / 1000000000, nanoseconds % 1000000000 };
    return (int)syscall(SYS_ppoll, &place, 1, &time, NULL, 0);
}

// The number of an unused loop device.
static inline int loop_free_number(int control) {
    return ioctl(control, LOOP_CTL_GET_FREE);
}

// Attaches an image; the device releases it once it is neither mounted nor open.
static inline int loop_attach(int device, int image) {
    struct loop_config config;
    memset(&config, 0, sizeof config);
    config.fd = (__u32)image;
    config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
    return ioctl(device, LOOP_CONFIGURE, &config);
}

// Drops a device's cached data.
static inline int device_drop_cache(int device) {
    return ioctl(device, DEVICE_FLUSH_BUFFERS, 0);
}

// Detaches the image, at once or when the device is neither mounted nor open.
static inline int loop_detach(int device) {
    return ioctl(device, LOOP_CLR_FD, 0);
}

#endif
#endif
