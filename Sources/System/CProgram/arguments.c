// The arguments of this program, as the kernel has put them on its stack.
//
// Swift's own list of them is read from /proc/self/cmdline. Without /proc, as in a bare chroot, it
// is empty, and a command that is not seen cannot be refused: a build that tested nothing was
// green.
#include "CProgram.h"

#include <stdlib.h>

#ifdef __APPLE__
#include <crt_externs.h>

char *const *program_arguments(void) { return *_NSGetArgv(); }
#else
static char **arguments;

// The C library of GNU calls it with what `main` gets. That of musl gives it nothing, and would
// leave here whatever lies in the registers.
#ifdef __GLIBC__
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    arguments = count > 0 ? values : NULL;
}
#endif

char *const *program_arguments(void) { return arguments; }
#endif
