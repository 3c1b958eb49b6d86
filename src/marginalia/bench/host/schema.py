"""The tables of a competition, for both databases."""

from __future__ import annotations

from marginalia.bench.host.database import Database

TABLES = """
CREATE TABLE IF NOT EXISTS teams (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    token TEXT NOT NULL UNIQUE,
    organiser INTEGER NOT NULL,
    created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS submissions (
    id BIGINT PRIMARY KEY,
    team BIGINT NOT NULL REFERENCES teams (id),
    phase TEXT NOT NULL,
    request TEXT NOT NULL,
    file TEXT NOT NULL,
    description TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    content BLOB NOT NULL,
    received TEXT NOT NULL,
    late INTEGER NOT NULL,
    withdrawn TEXT,
    leased_until DOUBLE PRECISION NOT NULL,
    attempts INTEGER NOT NULL,
    UNIQUE (team, request)
);
CREATE TABLE IF NOT EXISTS results (
    submission BIGINT PRIMARY KEY REFERENCES submissions (id),
    scores TEXT,
    problem TEXT,
    finished TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL
);
CREATE TABLE IF NOT EXISTS ledger (
    number BIGINT PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
)
"""
# The chain shows that an entry was changed; the triggers keep it from happening by mistake.
SQLITE_TRIGGERS = tuple(
    f"CREATE TRIGGER IF NOT EXISTS ledger_no_{verb} BEFORE {verb} ON ledger "
    "BEGIN SELECT RAISE(ABORT, 'the ledger is only ever added to'); END"
    for verb in ("update", "delete")
)
POSTGRES_TRIGGERS = (
    "CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'the ledger is only ever added to'; END $$",
    "CREATE OR REPLACE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()",
)


def create_tables(database: Database) -> None:
    """Make the tables that are not there yet."""
    tables = TABLES.replace("BLOB", "BYTEA") if database.is_postgres else TABLES
    triggers = POSTGRES_TRIGGERS if database.is_postgres else SQLITE_TRIGGERS
    with database.write() as rows:
        for statement in (*tables.split(";"), *triggers):
            rows.run(statement)
