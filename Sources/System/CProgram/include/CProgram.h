#pragma once

/// The arguments that this program was started with, its name first, and NULL after the last; NULL
/// where the C library does not tell them.
char *const *program_arguments(void);
