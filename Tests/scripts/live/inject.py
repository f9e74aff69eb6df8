"""Makes system calls fail: strace intercepts the program's calls to the kernel.

strace counts per thread: the k-th call is the k-th of whichever thread gets there first. Attached to a server that is
ready, it counts from then on; in front of one that starts, from the start.
"""
import os
import re
import shutil
import subprocess
import sys
import time

SYNC, WRITE = "fdatasync,fsync", "write,pwrite64"


def require_strace():
    """Fails without strace: a test that skips itself proves nothing."""
    if shutil.which("strace") is None:
        sys.exit("faults: strace is not installed; `make test` installs it")
    tried = subprocess.run([*arguments("/dev/null", WRITE, "error=EIO", "9"), "true"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        sys.exit(f"faults: strace may not trace here (in a container: --cap-add SYS_PTRACE). It said: {tried.stderr.strip()}")


def arguments(output, calls, fault, when, paths=()):
    """strace's command line. `fault`: error=EIO, signal=KILL. `when`: 7, the seventh; 7..9, three."""
    filters = [word for path in paths for word in ("-P", path)]
    return ["strace", "-f", "-q", "-ttt", "--decode-pids=comm", *filters, f"--trace={calls}", f"--inject={calls}:{fault}:when={when}", f"--output={output}"]


def in_front(output, *fault):
    """For a server that starts: with --daemonize strace is not its parent, so the started process is the server itself."""
    return [*arguments(output, *fault), "--daemonize"]


class Injection:
    """strace on a server that runs."""

    def __init__(self, process, output, *fault):
        self.output = output
        self.strace = subprocess.Popen(
            [*arguments(output, *fault), "-p", str(process.pid)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while not self._is_attached(process.pid):
            if self.strace.poll() is not None and process.poll() is not None:
                break  # the fault has ended the server before this loop saw all of its threads traced; the case checks how it ended
            if time.monotonic() > end or self.strace.poll() is not None:
                raise SystemExit("faults: strace did not attach")
            time.sleep(0.005)

    @staticmethod
    def _is_attached(pid):
        for task in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{task}/status") as status:
                    if re.search(r"^TracerPid:\t0$", status.read(), re.M):
                        return False
            except (FileNotFoundError, ProcessLookupError):
                # Threads end; the server's own entry stays until the process has been waited for.
                continue
        return True

    def hit_at(self):
        """Wall-clock time of the first failed call; None if no call failed yet."""
        return hit_at(self.output)

    def end(self):
        """Once the server is gone."""
        if self.strace.poll() is None:
            self.strace.terminate()
        self.strace.wait()


class Hang:
    """A disk that does not answer from a moment on: calls on files of that name never return. By a library in front of the system's, because a
    process whose call strace holds does not end before that call does."""

    LIBRARY = r"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static void hold(const char *calls, int file) {
            char link[64], path[4096], *folder = getenv("HANG_FOLDER"), *name = getenv("HANG_FILE");
            snprintf(path, sizeof path, "%s/begun", folder);
            if (strcmp(calls, getenv("HANG_CALLS")) || access(path, F_OK)) return;
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t count = readlink(link, path, sizeof path - 1);
            path[count < 0 ? 0 : count] = 0;
            if (strlen(path) < strlen(name) || strcmp(path + strlen(path) - strlen(name), name)) return;
            snprintf(path, sizeof path, "%s/hit", folder);
            close(open(path, O_CREAT | O_WRONLY, 0600));
            for (;;) pause();
        }
        #define NEXT(name) ((typeof(&name)) dlsym(RTLD_NEXT, #name))
        int fsync(int file) { hold("sync", file); return NEXT(fsync)(file); }
        int fdatasync(int file) { hold("sync", file); return NEXT(fdatasync)(file); }
        ssize_t pwrite64(int file, const void *from, size_t count, off64_t at) { hold("write", file); return NEXT(pwrite64)(file, from, count, at); }
        """

    def __init__(self, folder, calls, name):
        """Makes the library. `calls`: sync or write; `name`: how the paths end of the files that hang."""
        os.makedirs(folder)
        self.folder = folder
        library = os.path.join(folder, "hang.so")
        subprocess.run(["clang", "-shared", "-fPIC", "-x", "c", "-", "-o", library], check=True, input=self.LIBRARY.encode())
        self.wrapper = ["env", f"LD_PRELOAD={library}", f"HANG_FOLDER={folder}", f"HANG_CALLS={calls}", f"HANG_FILE={name}"]

    def begin(self):
        with open(os.path.join(self.folder, "begun"), "w"):
            pass

    def hit_at(self):
        hit = os.path.join(self.folder, "hit")
        return os.path.getmtime(hit) if os.path.exists(hit) else None

    def end(self):
        pass


def hit_at(output):
    if not os.path.exists(output):
        return None
    with open(output, errors="replace") as trace:
        found = re.search(r"^\d+<[^>]*> +(\d+\.\d+) .*\(INJECTED\)$", trace.read(), re.M)
    return float(found[1]) if found else None
