"""What a node requires of its PostgreSQL server: durable commits, free disk space, and a verified TLS identity.

Where mounting is allowed, the full disk is a tmpfs; elsewhere strace makes the server's writes fail. DISTRUST_STRACE=1 forces
strace.
"""
import contextlib
import os
import shutil
import subprocess
import tempfile
import time
import uuid

import postmaster
import program
from disks import disk, fill
from inject import require_strace
from postgres import Auction, check, ready
from postmaster import DATA, URL, database, psql
from program import NO_LIMITS, Server, auction_room, require_binary
from wire import Connection, eventually, expect

EX_UNAVAILABLE = 69


def refused(url, *words, environment=None):
    """`serve` ends at once, with one line that says why and shows no password."""
    said = program.refused(EX_UNAVAILABLE, words, "serve", "--port", "0", "--store", url, environment=environment)
    check(URL.split(":")[2].split("@")[0] not in said, "a password is in a message")


def takes(auction):
    """Checks that a bid is accepted again, by either bidder."""
    response = auction.bid()
    expect(auction.bid() if response.code() == "bid.already_leading" else response, 201)


# Commits that a crash may lose.

def unsafe():
    url = database("unsafe")
    server = Server(url, *NO_LIMITS, "--log-level", "error")
    auction = Auction(server.port)
    expect(auction.bid(), 201)
    off, on = ("synchronous_commit = off", "ALTER DATABASE"), "synchronous_commit TO DEFAULT"
    for where in ("DATABASE unsafe", "ROLE auction", "ROLE auction IN DATABASE unsafe"):
        psql(f"ALTER {where} SET synchronous_commit = off")
        refused(url, *off)
        psql(f"ALTER {where} SET {on}")
    # A running node's sessions keep their settings, whatever the operator reloads.
    psql("ALTER SYSTEM SET synchronous_commit = off")
    # Otherwise the WAL writer would soon flush what a commit did not wait for.
    psql("ALTER SYSTEM SET wal_writer_delay = '10s'")
    psql("SELECT pg_reload_conf()")
    refused(url, *off)
    shown = psql("SELECT current_setting('synchronous_commit')")
    check(shown == "off", f"a new session has synchronous_commit = {shown}")
    for _ in range(5):
        before = psql("SELECT pg_current_wal_insert_lsn()")
        expect(auction.bid(), 201)
        check(psql(f"SELECT pg_current_wal_flush_lsn() > '{before}'") == "t", "a bid was acknowledged before it was durable")
    # A new session would have the weaker setting: the node must not use it.
    psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'unsafe'")
    eventually(lambda: auction.bid().status == 503, "bids are turned away while commits are not durable")
    eventually(lambda: not ready(server), "the server says that it is not ready")
    psql("ALTER SYSTEM RESET synchronous_commit")
    psql("SELECT pg_reload_conf()")
    eventually(lambda: ready(server), "the server is ready again")
    takes(auction)
    # fsync is a server-wide setting that can be reloaded; a session cannot override it.
    psql("ALTER SYSTEM SET fsync = off")
    psql("SELECT pg_reload_conf()")
    eventually(lambda: not ready(server), "the server notices that fsync is off")
    check(auction.bid().status == 503, "a bid is taken with fsync = off")
    psql("ALTER SYSTEM RESET fsync")
    psql("SELECT pg_reload_conf()")
    eventually(lambda: ready(server), "the server is ready again")
    takes(auction)
    auction.verify()
    server.terminate()
    postmaster.end(postmaster.FAST)
    postmaster.start("fsync=off")
    refused(url, "fsync = off", "postgresql.conf")
    postmaster.end(postmaster.FAST)
    postmaster.start()
    print("distrust: commits that a crash may take back are refused: at the start, when reconnecting, and while it runs", flush=True)


# A disk that fills up.

def full(folder):
    with disk(f"{folder}/disk") as space:
        strace = space is None or os.environ.get("DISTRUST_STRACE") == "1"
        os.chmod(folder, 0o755)
        place = f"{folder}/disk/tables"
        os.mkdir(place)
        if os.getuid() == 0:
            shutil.chown(place, "postgres")
        psql(f"CREATE TABLESPACE small LOCATION '{place}'")
        psql("CREATE DATABASE small TABLESPACE small")
        url = URL.rsplit("/", 1)[0] + "/small"
        server = Server(url, *NO_LIMITS, "--log-level", "error")
        auction = Auction(server.port)
        for _ in range(20):
            expect(auction.bid(), 201)
        with (no_space_by_strace(folder) if strace else no_space_left(space)):
            # Existing pages have room for some more rows.
            end, status = time.monotonic() + 60, 201
            while status == 201:
                check(time.monotonic() < end, "the disk is full and bids are taken for a minute")
                key = uuid.uuid4().hex
                status = auction.bid(key).status
            amount = auction.amount
            for _ in range(5):
                response = auction.repeat(key, amount)
                check((response.status, response.code()) == (503, "service.unavailable") and "retry-after" in response.headers,
                      f"on a full disk a bid is answered {response.status} {response.body}")
            check(Connection(server.port).call("GET", "/healthz").status == 200, "the server is not alive")
            check(Connection(server.port).call("GET", auction.path).status == 200, "the room cannot be read")
        eventually(lambda: auction.repeat(key, amount).status == 201, "the bid is taken once there is space")
        eventually(lambda: ready(server), "the server is ready")
        for key, (amount, body) in list(auction.acknowledged.items())[-30:]:
            check(auction.repeat(key, amount).body == body, "a repeat is answered with other bytes")
        events = auction.verify()
        check(server.terminate()[0] == 0, "the server does not end well")
        verified = auction_room("verify", "--store", url)
        check(verified.stdout == f"1 rooms, {events} events, 0 findings\n", f"verify: {verified}")
        psql("DROP DATABASE small")
        psql("DROP TABLESPACE small")
    print(f"distrust: a full disk ({'strace' if strace else 'a real one'}): 503 and no more; {len(auction.acknowledged)} bids are there once",
          flush=True)


@contextlib.contextmanager
def no_space_left(space):
    fill(f"{space}/filler")
    try:
        yield
    finally:
        os.unlink(f"{space}/filler")


@contextlib.contextmanager
def no_space_by_strace(folder):
    """Whatever the sessions of the node write beyond what there is fails."""
    require_strace()
    pids = psql("SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE datname = 'small'")
    tables = f"{folder}/disk/tables"
    files = [os.path.join(root, name) for root, _, names in os.walk(tables) for name in names if name.isdigit()]
    paths = [word for file in files for word in ("-P", file)]
    strace = subprocess.Popen(["strace", "-f", "-q", *paths, "--trace=pwrite64,pwritev,fallocate", "--inject=pwrite64,pwritev,fallocate:error=ENOSPC",
                               f"--output={folder}/strace", "-p", pids], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    check(strace.poll() is None, "strace did not attach")
    try:
        yield
    finally:
        strace.terminate()
        strace.wait()


# A server that must prove its identity.

def tls(folder):
    ca, other = authority(folder, "ca"), authority(folder, "other")
    for name, host in (("good", "DNS:localhost"), ("bad", "DNS:elsewhere.example")):
        certificate(folder, name, host, ca)
    plain = URL.replace("127.0.0.1", "localhost").rsplit("/", 1)[0] + "/" + database("tls").rsplit("/", 1)[1]
    url = f"{plain}?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={ca}.crt"
    refused(url, "server does not support SSL")
    present(folder, "good")
    server = Server(url, *NO_LIMITS, "--log-level", "error")
    auction = Auction(server.port)
    expect(auction.bid(), 201)
    encrypted = psql("SELECT bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.datname = 'tls'")
    check(encrypted == "t", "some sessions are not encrypted")
    refused(url.replace(f"{ca}.crt", f"{other}.crt"), "certificate verify failed")
    refused(url.replace(f"{ca}.crt", f"{folder}/none.crt"), "root certificate file")
    refused(f"{plain}?hostaddr=127.0.0.1", "certificate verify failed",
            environment={"PGSSLMODE": "verify-ca", "PGSSLROOTCERT": f"{other}.crt"})
    # The same server with a certificate for another name: open sessions stay, new ones are refused.
    present(folder, "bad")
    refused(url, "elsewhere.example", "does not match")
    expect(auction.bid(), 201)
    psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tls'")
    eventually(lambda: not ready(server), "the server says that it is not ready")
    check(auction.bid().status == 503, "a bid is taken through a server that nobody knows")
    present(folder, "good")
    eventually(lambda: ready(server), "the server is ready again")
    takes(auction)
    auction.verify()
    check(server.terminate()[0] == 0, "the server does not end well")
    print("distrust: TLS with verify-full: the right authority and name, and no others", flush=True)


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def authority(folder, name):
    path = f"{folder}/{name}"
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", f"{path}.key",
            "-out", f"{path}.crt")
    return path


def certificate(folder, name, host, ca):
    path = f"{folder}/{name}"
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={host[4:]}", "-keyout", f"{path}.key", "-out", f"{path}.csr")
    with open(f"{path}.ext", "w") as file:
        file.write(f"subjectAltName={host}\n")
    openssl("x509", "-req", "-in", f"{path}.csr", "-CA", f"{ca}.crt", "-CAkey", f"{ca}.key", "-CAcreateserial", "-days", "2",
            "-extfile", f"{path}.ext", "-out", f"{path}.crt")


def present(folder, name):
    """Makes the server use this certificate."""
    for end in ("crt", "key"):
        target = f"{DATA}/server.{end}"
        shutil.copy(f"{folder}/{name}.{end}", target)
        owner = os.stat(DATA)
        os.chown(target, owner.st_uid, owner.st_gid)
        os.chmod(target, 0o600)
    psql("ALTER SYSTEM SET ssl = on")
    psql("SELECT pg_reload_conf()")
    # The postmaster takes a moment to read it.
    time.sleep(0.5)


def main():
    require_binary()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="auction-distrust.") as folder:
        full(folder)
        tls(folder)
        unsafe()
    print(f"distrust: {time.monotonic() - begun:.0f} s")


main()
