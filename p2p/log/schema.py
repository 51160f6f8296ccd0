"""The tables of the store, as the steps that led to them: version n of the schema is what the first n steps make.

A step is never changed once released, only followed by another; so every older store can be brought forward, and a new
one is made by the same steps.

    meta        program: version that wrote last; content/TABLE: the table's own content
    tables      the tables of this home, what the client notes about each, and for a member its key and table secret
    secrets     what an own entry binds and cannot be derived again (the value of a sealed choice), until it is shown
    entries     readable entries in the order in which they became readable; salt and text of chats
    forks       pairs of entries that prove a fork
    proven      ids of entries whose proofs this home has checked, and the program that did: a cache, never needed
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x53544C4B  # "STLK", which tells our files from other sqlite files

STEPS: Final = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

    CREATE TABLE tables (
        id BLOB PRIMARY KEY, number INTEGER UNIQUE NOT NULL, info BLOB NOT NULL, key BLOB, secret BLOB,
        CHECK ((key IS NULL) = (secret IS NULL))
    ) WITHOUT ROWID;

    CREATE TABLE entries (
        number INTEGER PRIMARY KEY, tab BLOB NOT NULL REFERENCES tables (id), author BLOB NOT NULL,
        seq INTEGER NOT NULL, id BLOB NOT NULL, raw BLOB NOT NULL, salt BLOB, text TEXT, UNIQUE (tab, author, seq)
    );

    CREATE TABLE secrets (
        tab BLOB NOT NULL REFERENCES tables (id), name TEXT NOT NULL, value BLOB NOT NULL, entry BLOB NOT NULL,
        PRIMARY KEY (tab, name)
    ) WITHOUT ROWID;

    CREATE TABLE forks (
        tab BLOB NOT NULL REFERENCES tables (id), first BLOB NOT NULL, second BLOB NOT NULL,
        PRIMARY KEY (tab, first, second)
    ) WITHOUT ROWID;

    CREATE TABLE snapshots (
        tab BLOB NOT NULL REFERENCES tables (id), height INTEGER NOT NULL, head BLOB NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (tab, height)
    ) WITHOUT ROWID;
    """,
    """
    DROP TABLE snapshots;

    CREATE TABLE proven (
        tab BLOB NOT NULL REFERENCES tables (id), entry BLOB NOT NULL, program TEXT NOT NULL, PRIMARY KEY (tab, entry)
    ) WITHOUT ROWID;
    """,
)


def statements(step: str) -> list[str]:
    """The single statements of a step. No step has a semicolon inside a statement."""
    return [statement for part in step.split(";") if (statement := part.strip())]
