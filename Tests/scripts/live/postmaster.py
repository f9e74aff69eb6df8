"""The PostgreSQL server of a test: `.ci/with-postgres.sh` starts it, a test may end it and start it again."""
import os
import signal
import subprocess
import time

URL = os.environ["AUCTION_TEST_POSTGRES"]
DATA = os.environ["AUCTION_TEST_POSTGRES_DATA"]
PROGRAMS = os.environ["AUCTION_TEST_POSTGRES_BIN"]
FAST, IMMEDIATE = signal.SIGINT, signal.SIGQUIT


def psql(sql, url=URL):
    done = subprocess.run([f"{PROGRAMS}/psql", url, "-Atqc", sql], capture_output=True, text=True, timeout=30, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{sql}: {done.stderr}")
    return done.stdout.strip()


def database(name):
    psql(f"CREATE DATABASE {name}")
    return URL.rsplit("/", 1)[0] + "/" + name


def process():
    with open(f"{DATA}/postmaster.pid") as file:
        return int(file.readline())


def signal_all(number):
    """Sends a signal to the server and its sessions: after SIGSTOP it accepts connections and answers nothing, until SIGCONT."""
    with open(f"/proc/{process()}/task/{process()}/children") as file:
        for each in (process(), *map(int, file.read().split())):
            os.kill(each, number)


def end(how):
    """FAST or IMMEDIATE; returns when the server is gone."""
    number = process()
    os.kill(number, how)
    for _ in range(200):
        try:
            with open(f"/proc/{number}/stat") as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return
        except FileNotFoundError:
            return
        time.sleep(0.05)
    raise SystemExit("PostgreSQL does not end")


def start(*settings):
    """`settings`: as in `fsync=off`, for this start."""
    options = ["-o", " ".join(f"-c {setting}" for setting in settings)] if settings else []
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    with open(os.devnull, "r+b") as nothing:
        subprocess.run([*as_user, f"{PROGRAMS}/pg_ctl", "start", "-w", "-t", "30", "-D", DATA, "-l", f"{DATA}/restarted.log", *options],
                       stdin=nothing, stdout=nothing, stderr=nothing, timeout=60, check=True)
