"""What `make bench` is made of: the scripts that measure, the parts that BENCH_PARTS selects, and the rows of the table."""
from . import bids, counts, growth, postgres, streams

SCRIPTS = {
    "bids": bids.SCRIPT, "streams": streams.SCRIPT, "postgres": postgres.SCRIPT, "rooms": growth.ROOMS, "history": growth.HISTORY,
    "memory": growth.MEMORY, "lots": growth.LOTS, "counts": counts.SCRIPT,
}
PARTS = {part.name: part for module in (bids, postgres, streams, growth, counts) for part in module.PARTS}
