#include <stddef.h>
#include <stdint.h>

// Defined in FuzzTargets. This file is C, because the package manager renames the `main` of a Swift program, and libFuzzer
// provides its own.
int auction_room_fuzz(const uint8_t *start, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *start, size_t count) {
    return auction_room_fuzz(start, count);
}
