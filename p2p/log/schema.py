# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of the store, as a list of migration steps: version BEFORE + n is the result of the first n steps.

A released step never changes. So every older store can be migrated, and a new one is made by the same steps. Versions
up to BEFORE were never released; their stores are refused.

    meta        program: version that wrote last; content/TABLE: the table's own content
    tables      the tables of this home, the client's notes on each after a hash of them, and a member's table key and
                table secret with a keyed hash of both, which is empty where this home only watches (`p2p.log.sound`)
    secrets     values bound by own entries that cannot be derived again (of a sealed choice), until they are shown,
                with keyed hashes
    entries     readable entries in the order in which they became readable; salt and text of chats
    forks       pairs of entries that prove a fork
    slips       the recovery slips of friends (`p2p.identity.slip`), by identity; deleted when the table is over
    proven      a cache: ids of entries whose proofs this home has checked, and the program that checked them
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x53544C4B  # "STLK", which marks our files among sqlite files

BEFORE: Final = 2
STEPS: Final = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

    CREATE TABLE tables (
        id BLOB PRIMARY KEY, number INTEGER UNIQUE NOT NULL, info BLOB NOT NULL, key BLOB, secret BLOB, seal BLOB,
        CHECK ((key IS NULL) = (secret IS NULL))
    ) WITHOUT ROWID;

    CREATE TABLE entries (
        number INTEGER PRIMARY KEY, tab BLOB NOT NULL REFERENCES tables (id), author BLOB NOT NULL,
        seq INTEGER NOT NULL, id BLOB NOT NULL, raw BLOB NOT NULL, salt BLOB, text TEXT, UNIQUE (tab, author, seq)
    );

    CREATE TABLE secrets (
        tab BLOB NOT NULL REFERENCES tables (id), name TEXT NOT NULL, value BLOB NOT NULL, entry BLOB NOT NULL,
        seal BLOB NOT NULL, PRIMARY KEY (tab, name)
    ) WITHOUT ROWID;

    CREATE TABLE forks (
        tab BLOB NOT NULL REFERENCES tables (id), first BLOB NOT NULL, second BLOB NOT NULL,
        PRIMARY KEY (tab, first, second)
    ) WITHOUT ROWID;

    CREATE TABLE proven (
        tab BLOB NOT NULL REFERENCES tables (id), entry BLOB NOT NULL, program TEXT NOT NULL, PRIMARY KEY (tab, entry)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE slips (
        tab BLOB NOT NULL REFERENCES tables (id), owner BLOB NOT NULL, slip BLOB NOT NULL, PRIMARY KEY (tab, owner)
    ) WITHOUT ROWID;
    """,
    "UPDATE tables SET seal = x'' WHERE key IS NULL AND seal IS NULL",
)


def statements(step: str) -> list[str]:
    """Return the statements of a step. No statement contains a semicolon."""
    return [statement for part in step.split(";") if (statement := part.strip())]
