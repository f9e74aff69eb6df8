"""Bids on PostgreSQL beside a place_bid function there: postgres.py."""
from .rows import Figure
from .script import Part, Script

PARTS = (Part("postgres", "postgres"),)


def figures(found):
    return {f"postgres-{rooms}": Figure(one["ratios"], f"{one['ours']:,.0f} / {one['theirs']:,.0f} a second") for rooms, one in found.items()}


SCRIPT = Script(
    command=(".ci/with-postgres.sh", "python3", "-u", "Tests/Benchmarks/scripts/postgres.py"),
    full={"BENCH_ROUNDS": "3", "BENCH_SECONDS": "3", "BENCH_NODES": "1"},
    quick={"BENCH_ROUNDS": "1", "BENCH_SECONDS": "1", "BENCH_NODES": "1", "BENCH_POSTGRES_ROOMS": "1 50"},
    minutes=(8, 1), figures=figures, needs=("wrk", "pg_ctlcluster"))
