#pragma once
#include "page.h"

/// How many files the page of the documentation has; they are those of the folder `docs`.
size_t documentation_file_count(void);

/// The index must be below the count.
struct page_file documentation_file_at(size_t index);
