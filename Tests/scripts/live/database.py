"""A log's file, read (and, to see whether anybody notices, broken) without the server."""
import hashlib
import os
import shutil
import sqlite3

FILES = ("rooms.db", "rooms.db-wal", "rooms.db.token-secret")


def copy(folder, target):
    """What is on the disk right now, for a look that leaves the original alone."""
    os.makedirs(target)
    for name in FILES:
        if os.path.exists(os.path.join(folder, name)):
            shutil.copy(os.path.join(folder, name), os.path.join(target, name))
    return target


class Log:
    """One log, open for reading and breaking. Not the original: see `copy`."""

    def __init__(self, folder):
        self.database = sqlite3.connect(os.path.join(folder, "rooms.db"), isolation_level=None)
        self.numbers = dict(self.database.execute("SELECT id, number FROM room"))

    def close(self):
        self.database.close()

    def events(self):
        """The public bytes of every event, by room, in the order of seq."""
        return {
            room: [bytes(row[0]) for row in self.database.execute(
                "SELECT public FROM event WHERE room = ? ORDER BY seq", (number,))]
            for room, number in self.numbers.items()
        }

    def run(self, statement, *values):
        return self.database.execute(statement, values).fetchall()

    def forget_snapshots(self):
        """So that whoever loads a room has to fold all of its events."""
        self.run("DELETE FROM snapshot")

    def cut(self, room, seq, picture):
        """Takes back everything after `seq`, so well that the rest is a sound history: a lost commit."""
        number = self.numbers[room]
        self.run("DELETE FROM event WHERE room = ? AND seq > ?", number, seq)
        ((hash_,),) = self.run("SELECT hash FROM event WHERE room = ? AND seq = ?", number, seq)
        self.run(
            "UPDATE room SET seq = ?, tip = ?, round = ?, state = ?, ends_at = ?, price = ?, is_open = ? WHERE number = ?",
            seq, tip(hash_), picture["round"], picture["state"], picture["endsAt"], picture["price"],
            int(picture["endsAt"] is not None), number)

    def append(self, room, public, at):
        """One more event at the end, chained as it should be."""
        number = self.numbers[room]
        ((seq, previous),) = self.run(
            "SELECT seq, hash FROM event WHERE room = ? ORDER BY seq DESC LIMIT 1", number)
        hash_ = hashlib.sha256(previous + len(public).to_bytes(8, "big") + public).digest()
        self.run(
            "INSERT INTO event (room, seq, at, type, public, hash) VALUES (?, ?, ?, ?, ?, ?)",
            number, seq + 1, at, "bid.placed", public, hash_)
        self.run("UPDATE room SET seq = ?, tip = ? WHERE number = ?", seq + 1, tip(hash_), number)


def tip(hash_):
    return int.from_bytes(hash_[:8], "big", signed=True)
