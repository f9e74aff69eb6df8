#include <sqlite3.h>

// Has SQLite keep no statistics of its memory, for which every allocation takes a lock. Variadic, so Swift cannot call it.
static inline int csqlite_without_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
