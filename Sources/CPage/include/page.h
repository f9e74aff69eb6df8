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

/// An article of the documentation, in Markdown, as it was when the program was built.
struct article {
    /// The heading under which it is listed.
    const char *group;
    /// The name of its file, without the suffix.
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

size_t article_count(void);

/// The index must be below the count.
struct article article_at(size_t index);
