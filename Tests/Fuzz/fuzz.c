#include <stddef.h>
#include <stdint.h>

// In FuzzTargets. C, because the package manager renames the `main` of a Swift program and libFuzzer brings its own.
int auction_room_fuzz(const uint8_t *start, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *start, size_t count) {
    return auction_room_fuzz(start, count);
}
