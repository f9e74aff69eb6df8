"""What a running server spends: processor time, memory, and bytes handed to its files."""
import statistics
import time

PAUSE = 0.02


class Meter:
    """The figures of one process, read from outside."""

    def __init__(self, process):
        self.process = process
        # The clock of another process, as Linux numbers them (clock_getcpuclockid).
        self.clock = ((~process.pid) << 3) | 2

    def processor(self):
        """Seconds of processor time of all threads."""
        return time.clock_gettime(self.clock)

    def memory(self):
        """Bytes in memory now."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * 4096

    def written(self):
        """Bytes written to disks so far, in whole pages."""
        with open(f"/proc/{self.process.pid}/io") as file:
            return int(dict(line.split(": ") for line in file.read().splitlines())["write_bytes"])

    def settle(self, seconds=20):
        """Returns once the process rests, or has had so many seconds for it."""
        end = time.monotonic() + seconds
        before, calm = self.processor(), 0
        while calm < 3 and time.monotonic() < end:
            time.sleep(PAUSE)
            now = self.processor()
            calm = calm + 1 if now - before < PAUSE / 20 else 0
            before = now

    def cost(self, action, repeats):
        """Median processor time in seconds of calling `action`, and the mean of the bytes that one call writes."""
        self.settle()
        written, times = self.written(), []
        for number in range(repeats):
            before = self.processor()
            action(number)
            times.append(self.processor() - before)
        self.settle()
        return statistics.median(times), (self.written() - written) / repeats
