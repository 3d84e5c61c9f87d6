// Calls of Linux that Swift cannot make by itself: ioctl takes a variable number of arguments.
// Each returns 0 or more, or -1 with the reason in errno.
#ifndef C_FILE_SYSTEM_H
#define C_FILE_SYSTEM_H

#ifdef __linux__

#include <linux/loop.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
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
