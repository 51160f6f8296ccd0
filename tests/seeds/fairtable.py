"""Members of a test table, their secrets and their threshold keys, made once."""

from __future__ import annotations

from functools import cache

from seeds.dealing import KeyDealer, KeyGeneration
from seeds.hashing import H
from seeds.threshold import ThresholdKey

TABLE = H("test", "table")
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
MEMBERS = tuple(H("test", "member", name) for name in NAMES)
ANN, BOB, CAT, DAN, EVE, FAY = MEMBERS


def secret(member: bytes) -> bytes:
    return H("test", "secret", member)


def fresh(*what: bytes | int | str) -> bytes:
    return H("test", "fresh", *what)


def begun(count: int, epoch: int = 0) -> tuple[KeyGeneration, dict[bytes, KeyDealer]]:
    """A key generation in which all have announced, and its dealers."""
    run = KeyGeneration(TABLE, epoch, MEMBERS[:count])
    dealers = {member: KeyDealer(secret(member), run, member) for member in run.members}
    for member in run.members:
        assert run.announce(member, dealers[member].announcement(fresh(member))) is None
    return run, dealers


@cache
def generated(count: int, epoch: int = 0) -> tuple[dict[str, ThresholdKey], dict[tuple[bytes, str], int]]:
    """Finished keys by purpose, and the members' shares."""
    run, dealers = begun(count, epoch)
    for member in run.members:
        assert run.deal(member, dealers[member].dealing(fresh(member))) is None
    for member in run.members:
        assert dealers[member].complaints(fresh(member)) == []
        assert run.ok(member, run.digest()) is None
    assert run.done
    shares = {(member, purpose): dealers[member].share(purpose) for member in run.members for purpose in RUN}
    return {purpose: run.key(purpose) for purpose in RUN}, shares


RUN = ("dice", "seal")
