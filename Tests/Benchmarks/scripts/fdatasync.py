"""fdatasync.py FOLDER SECONDS: median microseconds of writing 4 KiB and fdatasync, on a file that keeps its size.

That is what a commit costs at the least once the log's write-ahead file has grown to its size.
"""
import os
import statistics
import sys
import time

PAGE = b"x" * 4096
PAGES = 1024


def main():
    path, seconds = os.path.join(sys.argv[1], "fdatasync.tmp"), float(sys.argv[2])
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, PAGE * PAGES)
        os.fsync(descriptor)
        took = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            offset = len(took) % PAGES * len(PAGE)
            start = time.perf_counter_ns()
            os.pwrite(descriptor, PAGE, offset)
            os.fdatasync(descriptor)
            took.append(time.perf_counter_ns() - start)
    finally:
        os.close(descriptor)
        os.unlink(path)
    print(f"{statistics.median(took) / 1000:.1f}")


main()
