// Linux calls that Swift cannot make itself: ioctl is variadic. Each returns 0 or more, or -1 with
// the reason in errno.
#ifndef C_FILE_SYSTEM_H
#define C_FILE_SYSTEM_H

#ifdef __linux__

#include <linux/fiemap.h>
#include <linux/loop.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN, which are the same call with the same values; from the
// kernel's fs/ext4/ext4.h and fs/xfs/libxfs/xfs_fs.h: no exported header of every system has them.
#define FILESYSTEM_SHUTDOWN _IOR('X', 125, __u32)
#define FILESYSTEM_NO_LOG_FLUSH 2

// Shuts down the file system of an open file as a power cut would: nothing more is written.
static inline int filesystem_cut_power(int file) {
    __u32 how = FILESYSTEM_NO_LOG_FLUSH;
    return ioctl(file, FILESYSTEM_SHUTDOWN, &how);
}

// Gives a file an extended attribute.
static inline int file_set_attribute(
    const char *path, const char *name, const void *value, size_t length) {
    return (int)syscall(SYS_setxattr, path, name, value, length, 0);
}

// Writes a part of a file's data to the device, and returns once it is there. Neither its name nor
// its length becomes durable by that.
static inline int file_write_back(int file, long long start, long long length) {
    // SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE and _WAIT_AFTER
    return (int)syscall(SYS_sync_file_range, file, start, length, 7);
}

// Whether a file has blocks that are given to it only when they are written: 1 or 0, or -1.
static inline int file_has_delayed_blocks(int file) {
    struct {
        struct fiemap map;
        struct fiemap_extent extents[32];
    } request;
    __u64 start = 0;
    for (;;) {
        memset(&request, 0, sizeof request);
        request.map.fm_start = start;
        request.map.fm_length = ~0ULL - start;
        request.map.fm_extent_count = 32;
        // FS_IOC_FIEMAP, from linux/fs.h
        if (ioctl(file, _IOWR('f', 11, struct fiemap), &request) < 0) return -1;
        if (request.map.fm_mapped_extents == 0) return 0;
        for (__u32 i = 0; i < request.map.fm_mapped_extents; i++) {
            struct fiemap_extent *extent = &request.extents[i];
            if (extent->fe_flags & FIEMAP_EXTENT_DELALLOC) return 1;
            if (extent->fe_flags & FIEMAP_EXTENT_LAST) return 0;
            start = extent->fe_logical + extent->fe_length;
        }
    }
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

// The processor time in microseconds of a child that has ended and stays to be reaped; -1 for one that
// has not ended, -2 where there is no such child.
//
// The layouts are the kernel's: sys/wait.h and sys/resource.h here would take types from the C library.
static inline long long process_usage(int process) {
    // siginfo_t, whose first field is the signal
    int info[32] = { 0 };
    // struct rusage, which begins with the times of the program and of the kernel for it
    long usage[18] = { 0 };
    // P_PID; WEXITED | WNOHANG | WNOWAIT
    if (syscall(SYS_waitid, 1, process, info, 4 | 1 | 0x01000000, usage) < 0) return -2;
    if (info[0] == 0) return -1;
    return (usage[0] + usage[2]) * 1000000LL + usage[1] + usage[3];
}

// Makes this process a child subreaper: orphaned descendants become its children.
static inline int orphans_adopt(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

// The Landlock version of the kernel (landlock_create_ruleset(2)); below 1 if it has none.
static inline int landlock_version(void) {
    return (int)syscall(444, NULL, 0, 1);
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
