// Functions that Swift cannot call or write itself: ptrace is variadic, a seccomp filter is made of
// macros, and between fork and exec only async-signal-safe C may run. Linux only; empty elsewhere.
#ifndef RIG_CPTRACE_H
#define RIG_CPTRACE_H

#ifdef __linux__

#include <stdint.h>
#include <sys/types.h>

// The ptrace events of a seized tracee that are told apart, in `status >> 16` of a stop.
enum {
    RIG_EVENT_EXEC = 4,
    RIG_EVENT_SECCOMP = 7,
    RIG_EVENT_STOP = 128,
};

// PTRACE_SYSCALL_INFO_EXIT: a tracee has stopped at the end of a system call.
enum { RIG_STOP_EXIT = 2 };

// O_DIRECT of open(2), which the headers have only for programs that ask for all of Linux.
#if defined(__aarch64__)
enum { RIG_PAST_CACHE = 0200000 };
#else
enum { RIG_PAST_CACHE = 040000 };
#endif

// A system call that is about to happen, or has happened.
struct rig_syscall {
    int stop;
    uint64_t number;
    uint64_t arguments[6];
    int64_t result; // of a call that has happened; negative errno if it failed
};

// A system call at which the filter stops the tracee: if the mask's bits are set in the argument,
// or always if the mask is 0.
struct rig_filter_rule {
    uint32_t number;
    uint32_t argument[2];
    uint32_t mask[2];
};

// The child's start errors, in memory shared with the parent.
struct rig_start {
    int error;         // errno of exec; 0 unless it failed
    int filter_error;  // errno of the filter's installation
};

// The number of a system call on this machine; -1 if it has none of that name.
long rig_call_number(const char *name);

// Starts a program that waits for `rig_let_start`, and then runs under the filter if there are
// rules. Returns the process, or a negative errno.
pid_t rig_start_waiting(
    const char *path, char *const arguments[], char *const environment[],
    const struct rig_filter_rule *rules, int rule_count, int *gate, struct rig_start **start);
void rig_let_start(int gate);

// Each returns 0 or errno; ESRCH means that the tracee has died meanwhile.
int rig_seize(pid_t process);
int rig_resume(pid_t thread, int signal);
int rig_resume_to_syscall(pid_t thread, int signal);
int rig_leave_stopped(pid_t thread);
int rig_event_message(pid_t thread, unsigned long *message);
int rig_read_syscall(pid_t thread, struct rig_syscall *call);

// Changes the call at whose entry a tracee has stopped: its number, -1 to leave it out, and its six
// arguments.
int rig_change_syscall(pid_t thread, int64_t number, const uint64_t *arguments);

// Sets the result of the call at whose exit a tracee has stopped, and the arguments that it had: a
// program relies on the registers that they are in.
int rig_end_syscall(pid_t thread, int64_t result, const uint64_t *arguments);

// Where a stopped tracee is: its next instruction, its stack, its frame pointer, and the address to
// which a function without a frame returns, 0 where that lies on the stack.
struct rig_place {
    uint64_t instruction;
    uint64_t stack;
    uint64_t frame;
    uint64_t link;
};
int rig_read_place(pid_t thread, struct rig_place *place);

// Reads another process's memory. Returns the number of bytes read, or a negative errno.
ssize_t rig_read_memory(pid_t process, uint64_t address, void *bytes, size_t count);

// Waits for any tracee, for so many milliseconds; 0 for as long as it takes. Returns the thread, 0
// when no tracee is left, and -1 when the time is over.
pid_t rig_wait(int *status, int milliseconds);

// Passes on SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 sent to this process. Signals
// from a terminal reach the whole process group anyway, and are not passed on.
void rig_pass_on_signals(pid_t process);

// Ends this process with a signal, without a core file.
void rig_end_by_signal(int signal) __attribute__((noreturn));

// What stat(2) says of what a path leads to, with the time of its last change; 0 or errno.
struct rig_file {
    uint64_t device;
    uint64_t inode;
    uint32_t mode;
    int64_t size;
    int64_t allocated; // bytes of the blocks that it has
    uint32_t owner;
    uint32_t group;
    int64_t seconds;
    uint32_t nanoseconds;
};
int rig_stat(const char *path, int follow, struct rig_file *file);

// The names of a file's extended attributes, each with a zero at its end, and the value of one.
// Returns its length, without bytes for a length of 0, or -1.
ssize_t rig_attribute_names(const char *path, char *bytes, size_t length);
ssize_t rig_attribute(const char *path, const char *name, char *bytes, size_t length);

// The number of the mount on which a path lies; 0 where the kernel does not tell.
uint64_t rig_mount(const char *path);

#endif
#endif
