#ifdef __linux__

#define _GNU_SOURCE
#include "CPtrace.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__x86_64__)
#define RIG_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define RIG_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static const struct {
    const char *name;
    long number;
} rig_calls[] = {
#define CALL(name) {#name, SYS_##name}
#ifdef SYS_open
    CALL(open), CALL(creat), CALL(rename), CALL(link), CALL(unlink), CALL(mkdir), CALL(rmdir),
    CALL(symlink), CALL(chmod), CALL(chown), CALL(lchown), CALL(utime), CALL(utimes),
    CALL(futimesat),
#endif
#ifdef SYS_renameat
    CALL(renameat),
#endif
    CALL(write), CALL(pwrite64), CALL(writev), CALL(pwritev), CALL(pwritev2), CALL(sendfile),
    CALL(read), CALL(pread64), CALL(readv), CALL(preadv), CALL(preadv2),
    CALL(io_submit), CALL(copy_file_range), CALL(splice), CALL(truncate), CALL(ftruncate), CALL(fallocate),
    CALL(renameat2), CALL(linkat), CALL(unlinkat), CALL(mkdirat), CALL(symlinkat), CALL(openat),
#ifdef SYS_openat2
    CALL(openat2),
#endif
    CALL(fsync), CALL(fdatasync), CALL(sync_file_range), CALL(msync), CALL(syncfs), CALL(sync),
    CALL(mmap), CALL(mprotect), CALL(close), CALL(ioctl),
    CALL(fchmod), CALL(fchmodat), CALL(fchown), CALL(fchownat), CALL(utimensat), CALL(setxattr),
    CALL(lsetxattr), CALL(fsetxattr), CALL(removexattr), CALL(lremovexattr), CALL(fremovexattr),
#ifdef SYS_fchmodat2
    CALL(fchmodat2),
#endif
#ifdef SYS_pkey_mprotect
    CALL(pkey_mprotect),
#endif
#ifdef SYS_io_uring_setup
    CALL(io_uring_setup), CALL(io_uring_enter),
#endif
};

long rig_call_number(const char *name) {
    for (size_t i = 0; i < sizeof rig_calls / sizeof rig_calls[0]; i++) {
        if (strcmp(rig_calls[i].name, name) == 0) { return rig_calls[i].number; }
    }
    return -1;
}

// The maximum number of filter instructions: some for the architecture, and at most six per rule.
enum { RIG_MOST_RULES = 64, RIG_MOST_INSTRUCTIONS = 8 + 6 * RIG_MOST_RULES };

static int rig_build_filter(
    const struct rig_filter_rule *rules, int rule_count, struct sock_filter *out) {
    int n = 0;
#define EMIT(...) out[n++] = (struct sock_filter)__VA_ARGS__
    EMIT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    EMIT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RIG_ARCHITECTURE, 1, 0));
    // Calls of another architecture have other numbers: the tracer only says that there are any.
    EMIT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
    EMIT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (int i = 0; i < rule_count; i++) {
        int tests = (rules[i].mask[0] != 0) + (rules[i].mask[1] != 0);
        // Another call: skip all of this rule.
        EMIT(BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, rules[i].number, 0,
            (unsigned char)(2 * tests + (tests > 0 ? 2 : 1))));
        for (int t = 0; t < tests; t++) {
            EMIT(BPF_STMT(
                BPF_LD | BPF_W | BPF_ABS,
                (uint32_t)(offsetof(struct seccomp_data, args) + 8 * rules[i].argument[t])));
            // Bits not set: skip the remaining tests and the stop, to the instruction that allows
            // the call.
            EMIT(BPF_JUMP(
                BPF_JMP | BPF_JSET | BPF_K, rules[i].mask[t], 0,
                (unsigned char)(2 * (tests - 1 - t) + 1)));
        }
        EMIT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
        if (tests > 0) { EMIT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); }
    }
    EMIT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
#undef EMIT
    return n;
}

// In the child, after fork: only async-signal-safe calls.
static void rig_run_child(
    const char *path, char *const arguments[], char *const environment[],
    const struct sock_fprog *filter, int gate, struct rig_start *start) {
    for (int number = 1; number < NSIG; number++) { signal(number, SIG_DFL); }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    char go;
    ssize_t count;
    while ((count = read(gate, &go, 1)) < 0 && errno == EINTR) {}
    // The pipe ends without a byte when the tracer has died.
    if (count != 1) { _exit(127); }
    close(gate);
    if (filter->len > 0 &&
        (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter) != 0)) {
        start->filter_error = errno;
        _exit(127);
    }
    execve(path, arguments, environment);
    start->error = errno;
    _exit(127);
}

pid_t rig_start_waiting(
    const char *path, char *const arguments[], char *const environment[],
    const struct rig_filter_rule *rules, int rule_count, int *gate, struct rig_start **start) {
    struct sock_filter instructions[RIG_MOST_INSTRUCTIONS];
    struct sock_fprog filter = {0, instructions};
    if (rule_count > RIG_MOST_RULES) { return -E2BIG; }
    if (rule_count > 0) {
        filter.len = (unsigned short)rig_build_filter(rules, rule_count, instructions);
    }
    int ends[2];
    void *shared =
        mmap(NULL, sizeof **start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) { return -errno; }
    *start = shared;
    if (pipe2(ends, O_CLOEXEC) != 0) { return -errno; }
    pid_t process = fork();
    if (process == 0) {
        close(ends[1]);
        rig_run_child(path, arguments, environment, &filter, ends[0], *start);
    }
    int error = errno;
    close(ends[0]);
    *gate = ends[1];
    return process < 0 ? -error : process;
}

void rig_let_start(int gate) {
    char go = 1;
    while (write(gate, &go, 1) < 0 && errno == EINTR) {}
    close(gate);
}

static int rig_request(int request, pid_t thread, uintptr_t address, uintptr_t data) {
    return ptrace(request, thread, (void *)address, (void *)data) < 0 ? errno : 0;
}

int rig_seize(pid_t process) {
    return rig_request(
        PTRACE_SEIZE, process, 0,
        PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
            PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP);
}

int rig_resume(pid_t thread, int signal) {
    return rig_request(PTRACE_CONT, thread, 0, (uintptr_t)signal);
}

int rig_resume_to_syscall(pid_t thread, int signal) {
    return rig_request(PTRACE_SYSCALL, thread, 0, (uintptr_t)signal);
}

int rig_leave_stopped(pid_t thread) { return rig_request(PTRACE_LISTEN, thread, 0, 0); }

int rig_event_message(pid_t thread, unsigned long *message) {
    return rig_request(PTRACE_GETEVENTMSG, thread, 0, (uintptr_t)message);
}

int rig_read_syscall(pid_t thread, struct rig_syscall *call) {
    struct __ptrace_syscall_info info;
    memset(&info, 0, sizeof info);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) < 0) { return errno; }
    memset(call, 0, sizeof *call);
    call->stop = info.op;
    if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
        call->result = info.exit.rval;
        return 0;
    }
    if (info.op == PTRACE_SYSCALL_INFO_NONE) { return 0; }
    // A program of another architecture on this machine has other system call numbers.
    if (info.arch != RIG_ARCHITECTURE) {
        call->number = UINT64_MAX;
        return 0;
    }
    int isSeccomp = info.op == PTRACE_SYSCALL_INFO_SECCOMP;
    call->number = isSeccomp ? info.seccomp.nr : info.entry.nr;
    for (int i = 0; i < 6; i++) {
        call->arguments[i] = isSeccomp ? info.seccomp.args[i] : info.entry.args[i];
    }
    return 0;
}

static int rig_registers(int request, pid_t thread, struct user_regs_struct *registers) {
    struct iovec area = {registers, sizeof *registers};
    return rig_request(request, thread, NT_PRSTATUS, (uintptr_t)&area);
}

// On arm64 the first argument shares its register with the result.
static void rig_set_arguments(
    struct user_regs_struct *registers, const uint64_t *arguments, int first) {
#if defined(__x86_64__)
    (void)first;
    registers->rdi = arguments[0];
    registers->rsi = arguments[1];
    registers->rdx = arguments[2];
    registers->r10 = arguments[3];
    registers->r8 = arguments[4];
    registers->r9 = arguments[5];
#elif defined(__aarch64__)
    for (int i = first; i < 6; i++) { registers->regs[i] = arguments[i]; }
#endif
}

int rig_change_syscall(pid_t thread, int64_t number, const uint64_t *arguments) {
    struct user_regs_struct registers;
    int error = rig_registers(PTRACE_GETREGSET, thread, &registers);
    if (error != 0) { return error; }
    rig_set_arguments(&registers, arguments, 0);
#if defined(__x86_64__)
    registers.orig_rax = (unsigned long long)number;
#elif defined(__aarch64__)
    int word = (int)number;
    struct iovec area = {&word, sizeof word};
    error = rig_request(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, (uintptr_t)&area);
    if (error != 0) { return error; }
#endif
    return rig_registers(PTRACE_SETREGSET, thread, &registers);
}

int rig_end_syscall(pid_t thread, int64_t result, const uint64_t *arguments) {
    struct user_regs_struct registers;
    int error = rig_registers(PTRACE_GETREGSET, thread, &registers);
    if (error != 0) { return error; }
    rig_set_arguments(&registers, arguments, 1);
#if defined(__x86_64__)
    registers.rax = (unsigned long long)result;
#elif defined(__aarch64__)
    registers.regs[0] = (unsigned long long)result;
#endif
    return rig_registers(PTRACE_SETREGSET, thread, &registers);
}

int rig_read_place(pid_t thread, struct rig_place *place) {
    struct user_regs_struct registers;
    int error = rig_registers(PTRACE_GETREGSET, thread, &registers);
    if (error != 0) { return error; }
#if defined(__x86_64__)
    *place = (struct rig_place){registers.rip, registers.rsp, registers.rbp, 0};
#elif defined(__aarch64__)
    *place = (struct rig_place){
        registers.pc, registers.sp, registers.regs[29], registers.regs[30]};
#endif
    return 0;
}

ssize_t rig_read_memory(pid_t process, uint64_t address, void *bytes, size_t count) {
    struct iovec local = {bytes, count};
    struct iovec remote = {(void *)(uintptr_t)address, count};
    ssize_t done = process_vm_readv(process, &local, 1, &remote, 1, 0);
    return done < 0 ? -errno : done;
}

pid_t rig_wait(int *status, int milliseconds) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    // Blocked, a signal that comes before the wait ends it at once.
    if (milliseconds > 0) { pthread_sigmask(SIG_BLOCK, &child, NULL); }
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    for (;;) {
        pid_t thread = waitpid(-1, status, __WALL | (milliseconds > 0 ? WNOHANG : 0));
        if (thread > 0) { return thread; }
        if (thread < 0) {
            if (errno != EINTR) { return 0; }
        } else if (sigtimedwait(&child, NULL, &time) < 0 && errno == EAGAIN) {
            return -1;
        }
    }
}

static volatile pid_t rig_receiver = 0;

static void rig_pass_on(int number, siginfo_t *information, void *context) {
    (void)context;
    int error = errno;
    if (information->si_code != SI_KERNEL) { kill(rig_receiver, number); }
    errno = error;
}

static const int rig_passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

void rig_pass_on_signals(pid_t process) {
    rig_receiver = process;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = rig_pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t i = 0; i < sizeof rig_passed_on / sizeof rig_passed_on[0]; i++) {
        sigaction(rig_passed_on[i], &action, NULL);
    }
}

void rig_end_by_signal(int number) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    // Signals this thread: with kill(2), another thread might take the signal, and this one would
    // reach the exit below.
    raise(number);
    // The signal does not end a process, so the worker cannot have died of it.
    _exit(128 + number);
}

int rig_stat(const char *path, int follow, struct rig_file *file) {
    struct stat status;
    int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
    if (fstatat(AT_FDCWD, path, &status, flags) != 0) { return errno; }
    file->device = status.st_dev;
    file->inode = status.st_ino;
    file->mode = status.st_mode;
    file->size = status.st_size;
    file->allocated = 512 * (int64_t)status.st_blocks;
    file->owner = status.st_uid;
    file->group = status.st_gid;
    file->seconds = status.st_mtim.tv_sec;
    file->nanoseconds = (uint32_t)status.st_mtim.tv_nsec;
    return 0;
}

ssize_t rig_attribute_names(const char *path, char *bytes, size_t length) {
    return listxattr(path, bytes, length);
}

ssize_t rig_attribute(const char *path, const char *name, char *bytes, size_t length) {
    return getxattr(path, name, bytes, length);
}

uint64_t rig_mount(const char *path) {
    struct statx status;
    int failed = statx(AT_FDCWD, path, 0, STATX_MNT_ID, &status);
    return failed || !(status.stx_mask & STATX_MNT_ID) ? 0 : status.stx_mnt_id;
}

#else
typedef int rig_nothing_here;
#endif
