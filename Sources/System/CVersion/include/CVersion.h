#pragma once

/// The version of rig and downloader, which are released together. harness/package reads it here.
#define RIG_VERSION "0.2.0"

/// The commit that this program of a package was built from, as 40 hexadecimal digits; empty in any
/// other program.
const char *_Nonnull version_commit(void);
