"""What rooms of many lots take: the time to import a file of 1,000 into one, to load one, and the memory that a lot keeps.

BENCH_LOT_ROOMS (8: what reading the first ones leaves is divided among all), BENCH_LOTS (10000, in each). BENCH_JSON: a file for the figures. The programs: see stores.py.
"""
import os
import time

import stores
from stores import Connection, expect, guest

ROOMS = int(os.environ.get("BENCH_LOT_ROOMS", "8"))
LOTS = int(os.environ.get("BENCH_LOTS", "10000"))
FILE = 1000


def file(start):
    """Lots with references, descriptions and a picture, as a catalogue has them."""
    rows = [f'R{number},"Lot {number}, a teapot",120.00,10.00,"Yixing clay, about 1980, signed below the handle.",https://example.org/{number}.jpg'
            for number in range(start, start + FILE)]
    return "\r\n".join(["reference,name,startingPrice,increment,description,media", *rows]).encode()


def imported(connection, token, room, start):
    """Milliseconds until the response to a file."""
    begun = time.perf_counter()
    response = connection.call("POST", f"/v1/rooms/{room}/lots/import", token, file(start), headers=["Content-Type: text/csv"])
    if expect(response, 200)["rows"] != FILE:
        raise SystemExit(f"the import was answered {response.body[:500]}")
    return (time.perf_counter() - begun) * 1000


def main():
    with stores.folder() as folder:
        store = folder / "rooms.db"
        server, _ = stores.serve(store)
        connection, rooms, import_ms = Connection(server.port, 60), [], []
        _, token = guest(connection, "Ann")
        for _ in range(ROOMS):
            rooms.append(expect(connection.call("POST", "/v1/rooms", token, {"name": "Catalogue"}), 201)["id"])
            taken = [imported(connection, token, rooms[-1], start) for start in range(0, LOTS, FILE)]
            import_ms.append(taken[-1])
        server.terminate()
        server.process.wait(30)
        server, meter = stores.serve(store)
        connection = Connection(server.port, 60)
        meter.settle()
        before, millis, bytes_a_lot = meter.memory(), [], []
        for number, room in enumerate(rooms):
            begun = time.perf_counter()
            sale = expect(connection.call("GET", f"/v1/rooms/{room}/sale"), 200)
            millis.append((time.perf_counter() - begun) * 1000)
            if sale["queued"] != LOTS:
                raise SystemExit(f"the room has {sale['queued']} lots")
            meter.settle(2)
            bytes_a_lot.append((meter.memory() - before) / (number + 1) / LOTS)
        print(f"a room of {LOTS:,} lots is loaded in {stores.spread(millis)} ms; {bytes_a_lot[-1]:,.0f} bytes a lot with {ROOMS} of them; "
              f"{FILE:,} more lots are imported in {stores.spread(import_ms)} ms")
        stores.write({"load_ms": millis, "bytes_a_lot": bytes_a_lot, "import_ms": import_ms, "lots": LOTS})
        server.terminate()


main()
