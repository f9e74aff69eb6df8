"""Reads a log's file without the server, and damages it for tests of the detection."""
import hashlib
import os
import shutil
import sqlite3

FILES = ("rooms.db", "rooms.db-wal", "rooms.db.token-secret")


def copy(folder, target):
    """Copies the log's files as they are now, so that reading does not change the original."""
    os.makedirs(target)
    for name in FILES:
        if os.path.exists(os.path.join(folder, name)):
            shutil.copy(os.path.join(folder, name), os.path.join(target, name))
    return target


class Log:
    """A copy of a log (see `copy`), open for reading and damaging."""

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
        """Deletes snapshots, so that loading a room folds all of its events."""
        self.run("DELETE FROM snapshot")

    def cut(self, room, seq, snapshot):
        """Removes everything after `seq` consistently, like a lost commit: the rest is a valid history."""
        number = self.numbers[room]
        self.run("DELETE FROM event WHERE room = ? AND seq > ?", number, seq)
        # Some of it is flushed, if the load took long enough.
        self.run("DELETE FROM event_index WHERE room = ? AND seq > ?", number, seq)
        ((hash_,),) = self.run("SELECT hash FROM event WHERE room = ? AND seq = ?", number, seq)
        self.run(
            "UPDATE room SET seq = ?, tip = ?, round = ?, state = ?, ends_at = ?, price = ?, is_open = ? WHERE number = ?",
            seq, tip(hash_), snapshot["round"], snapshot["state"], snapshot["endsAt"], snapshot["price"],
            int(snapshot["endsAt"] is not None), number)

    def append(self, room, public, at):
        """Appends one event with a valid hash."""
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
