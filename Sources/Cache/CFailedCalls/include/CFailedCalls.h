#pragma once

#include <stdbool.h>

/// Whether each sync that fails is called once more, whose result is believed.
void planted_retries(bool retries);

/// Lets syncs of files whose paths end so do nothing, and succeed; NULL for none.
void planted_unsynced(const char *ending);

/// Whether a close that fails is called a success.
void planted_believes_close(bool believes);
