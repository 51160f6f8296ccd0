"""A peer that only writes: appends sealed choices and receives entries as fast as it can, and says what is durable.

    python -m store_writer HOME        with the folders of the project and of this file on PYTHONPATH

Goes on where the store of HOME ends; prints "joined", then one number for each own entry, after it was stored.
"""

from __future__ import annotations

import sys
from pathlib import Path

from logkit import TABLE, entry, member

from p2p.identity.tablekey import TableKeys
from p2p.log.store import Store
from p2p.wire.entry import Entry
from seeds.hashing import H
from seeds.opendeck import Handle
from seeds.seals import seal_commitment, seal_nonce

BOB = member("bob")


def choice(number: int) -> bytes:
    """What is sealed: something that cannot be derived from anything."""
    return H("choice of the person", number)


def sealing(keys: TableKeys, number: int, after: Entry | None) -> Entry:
    """The entry that seals choice `number`."""
    handle: Handle = ("seal", number)
    nonce = seal_nonce(keys.secret, TABLE, 0, handle, TABLE, choice(number))
    committed = seal_commitment(TABLE, 0, handle, keys.key.public, choice(number), nonce)
    return entry(keys, after, kind="seal", body=[0, committed])


def write(home: Path) -> None:
    with Store(home, "1.0") as store:
        if not store.tables():
            store.add_table(TABLE, {}, TableKeys.generate())
        keys = store.keys(TABLE)
        assert keys is not None
        print("joined", keys.secret.hex(), flush=True)
        stored = [one for one, _ in store.entries(TABLE)]
        mine = [one for one in stored if one.author == keys.key.public]
        theirs = [one for one in stored if one.author == BOB.key.public]
        last, other = (feed[-1] if feed else None for feed in (mine, theirs))
        for number in range(len(mine), 1_000_000):
            last = sealing(keys, number, last)
            store.append(last, {f"seal/{number}": choice(number)})
            print(number, flush=True)
            if number % 5 == 0:
                batch = [entry(BOB, other)]
                batch += [entry(BOB, batch[0])]
                store.receive((one, None) for one in batch)
                other = batch[-1]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
