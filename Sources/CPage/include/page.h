#pragma once
#include <stddef.h>

/// A file of the web page, as it was when the program was built.
struct page_file {
    /// Its path below Sources/Page, such as "views/room.js".
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

size_t page_file_count(void);

/// The index must be below the count.
struct page_file page_file_at(size_t index);
