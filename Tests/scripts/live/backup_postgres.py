"""Backups with PostgreSQL's own tools: the commands of the article Operations, run as they stand there."""
import os
import pathlib
import re
import shutil
import subprocess
import time

import postmaster
from backup_checks import FeedReader, Recorded, Restored, check, keyed
from nginx import free_port
from program import BINARY, NO_LIMITS, Server
from wire import eventually, histories

ARTICLE = pathlib.Path(__file__).parents[3] / "Sources/AuctionServer/AuctionServer.docc/Operations.md"


def commands(name):
    """The code block of the article that has this command."""
    blocks = [block for block in re.findall(r"```sh\n(.*?)```", ARTICLE.read_text(encoding="utf-8"), re.DOTALL) if name in block]
    check(len(blocks) == 1, f"{ARTICLE.name} has {len(blocks)} blocks with {name}")
    return blocks[0]


def shell(name, folder, **variables):
    """Runs the block with these variables, as the user of the database, with the programs in the folder."""
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    path = f"{postmaster.PROGRAMS}:{folder}:{os.environ['PATH']}"
    with open(f"{folder}/output", "w+", encoding="utf-8") as output:
        # A file, because a database that is started keeps it open.
        done = subprocess.run([*as_user, "bash", "-euc", commands(name)], cwd=folder, env={**os.environ, "PATH": path, **variables},
                              stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=120, check=False)
        output.seek(0)
        check(done.returncode == 0, f"{name} ended with {done.returncode}: {output.read()}")


def run(folder):
    # Beside the database's own files, because its user has to reach them.
    home = os.path.dirname(postmaster.DATA)
    archive, base, work = (f"{home}/{name}" for name in ("archive", "base", "work"))
    for path in (archive, work):
        os.mkdir(path)
        os.chmod(path, 0o777)
    # A copy: the database's user cannot reach a build in root's home.
    shutil.copy(BINARY, work)
    postmaster.end(postmaster.FAST)
    postmaster.start("archive_mode=on", f"archive_command='test ! -f {archive}/%f && cp %p {archive}/%f'")
    url = postmaster.database("auction")
    feed = FeedReader(folder)
    server = Server(url, *NO_LIMITS, *feed.options, log=f"{folder}/server.log")
    bidders = Recorded(server.port, 3, 8, 1)
    bidders.begin()
    try:
        eventually(lambda: len(keyed(bidders)) > 2 * FeedReader.limit, "bids")
        feed.read_before(server.port)
        dumped = keyed(bidders)
        restored = postmaster.URL.rsplit("/", 1)[0] + "/restored"
        shell("pg_dump", work, AUCTION_ROOM_STORE=url, RESTORED_STORE=restored)
        shell("pg_basebackup", work, AUCTION_ROOM_STORE=url, BASE=base)
        eventually(lambda: len(keyed(bidders)) > len(dumped) + 50, "more bids")
        archived, moment = keyed(bidders), postmaster.psql("SELECT clock_timestamp()")
        # Counted only now: bids went on while the moment was read. Some of them may be durable since before it.
        known = len(keyed(bidders))
        eventually(lambda: len(keyed(bidders)) > known + 100, "bids that are too late")
    finally:
        bidders.end()
    check(not bidders.failures, f"bidders: {bidders.failures[:3]}")
    last = postmaster.psql("SELECT pg_walfile_name(pg_switch_wal())")
    eventually(lambda: os.path.exists(f"{archive}/{last}"), "the archive")
    live = histories(server.port, bidders.rooms)
    feed.read_after(server.port)
    server.terminate()
    from_dump = Restored(restored, bidders, dumped, live, f"{folder}/dump.log", feed)
    port = free_port()
    with open(f"{base}/postgresql.auto.conf", "a", encoding="utf-8") as settings:
        settings.write(f"port = {port}\narchive_mode = off\n")
    begun = time.monotonic()
    shell("recovery.signal", work, BASE=base, ARCHIVE=archive, MOMENT=moment)
    try:
        moved = re.sub(r":\d+/postgres$", f":{port}/auction", postmaster.URL)
        eventually(lambda: postmaster.psql("SELECT pg_is_in_recovery()", moved) == "f", "the end of the recovery")
        took = time.monotonic() - begun
        at_moment = Restored(moved, bidders, archived, live, f"{folder}/moment.log", feed)
        check(at_moment.lost >= 50, f"only {at_moment.lost} events are missing: the recovery went beyond its moment")
    finally:
        with open(f"{base}/postmaster.pid", encoding="utf-8") as file:
            os.kill(int(file.readline()), postmaster.FAST)
    print(f"backup: PostgreSQL: {from_dump.bids} bids from pg_dump, all {len(dumped)} acknowledged before it; {at_moment.bids} from the write-ahead log "
          f"up to a moment, all {len(archived)} acknowledged before it and none of the {at_moment.lost} events after it; recovered in {took:.1f} s", flush=True)
