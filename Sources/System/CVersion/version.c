#include "CVersion.h"

// harness/package writes the commit here, after the build: were it given to the compiler, a build of
// another commit would compile everything that depends on it. The section is how it is found.
__attribute__((section("rig_commit"), used)) static const char commit[48] = "";

const char *version_commit(void) { return commit; }
