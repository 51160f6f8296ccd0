"""Logs that their own members changed after the game: cut short, with other last words under good signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.identity.keys import SigningKey
from p2p.lockstep.pacts import KINDS as PACTS
from p2p.lockstep.pacts import read_pact
from p2p.lockstep.step import STAGE
from p2p.wire.codec import WireError
from p2p.wire.entry import NO_PREV, Entry, make_entry
from p2p.wire.signing import public_bytes

Keys = Mapping[bytes, Ed25519PrivateKey]
FIELDS: Final = ("table", "seq", "prev", "epoch", "height", "head", "state", "kind", "body")


def altered(entries: Sequence[Entry], keys: Keys, random: Random) -> list[Entry]:
    """A beginning of the log, with the last words of one or a few of its members changed, left out or added to."""
    log = list(entries[: random.randint(len(keys) + 1, len(entries))])
    for _ in range(random.randint(1, 3)):
        (change,) = random.choices((_shorter, _last_changed, _word_added, _repeated, _stranger), (2, 4, 6, 3, 1))
        change(log, keys, random)
    return log


def ending(entries: Sequence[Entry], number: int, body: Any, keys: Keys) -> list[Entry]:
    """The log up to one of its entries, whose author said this instead."""
    entry, log = entries[number], list(entries[:number])
    say(log, entry, keys[entry.author], body=body)
    return log


def read_on(entries: Sequence[Entry], keys: Keys, random: Random) -> list[Entry]:
    """The log up to a word for a height, which one or two say in some ways, over this state or another one, before and
    after enough members have signed once or twice to read on up to some of that; then the words of all for that
    height."""
    number = random.choice([number for number, entry in enumerate(entries) if entry.kind in STAGE][len(keys) :])
    entry, log = entries[number], list(entries[:number])
    here = [each for each in entries[number:] if each.height == entry.height and each.kind in STAGE]
    liars = {each.author for each in here[: random.randint(1, 2)]}
    theirs = [each for each in here if each.author in liars]
    for _ in range(random.randint(1, 4)):
        _said_otherwise(log, random.choice(theirs), keys, random)
    for _ in range(random.randint(1, 2)):
        lasts = [[each for each in log if each.author == liar][-3:] for liar in sorted(liars)]
        signers = random.sample(sorted(keys), random.randint(len(keys) // 2 + 1, len(keys)))
        repaired(log, entry, [random.choice(last) for last in lasts if random.random() < 0.8], signers, keys)
        for _ in range(random.randint(0, 2)):
            random.choice((_said_otherwise, _said_again))(log, random.choice(theirs), keys, random)
    for each in here:
        if each.author not in liars or random.random() < 0.3:
            random.choices((_said_again, _said_otherwise), (5, 1))[0](log, each, keys, random)
    return log


def repaired(log: list[Entry], entry: Entry, read: Sequence[Entry], signers: Sequence[bytes], keys: Keys) -> None:
    """Let these sign to read on at the position of an entry up to some ends, over the state that the entry names."""
    lasts = {each.author: each for each in log}
    ends = [[left, lasts[left].seq, lasts[left].id] for left in sorted(keys.keys() - set(signers))]
    terms = [entry.state, [[end.author, end.seq, end.id] for end in read], entry.epoch + 1]
    for signer in signers:
        say(log, entry, keys[signer], kind="pact", body=["repair", entry.height, entry.head, ends, terms, 0, []])


def say(log: list[Entry], entry: Entry, key: Ed25519PrivateKey, **changes: Any) -> None:
    """Let the holder of a key say what stands in an entry, with these changes."""
    _add(log, key, {name: getattr(entry, name) for name in FIELDS} | changes)


def _said_again(log: list[Entry], entry: Entry, keys: Keys, _random: Random) -> None:
    say(log, entry, keys[entry.author])


def _said_otherwise(log: list[Entry], entry: Entry, keys: Keys, random: Random) -> None:
    fields = {name: getattr(entry, name) for name in FIELDS}
    fields["state"] = random.choice((entry.state, bytes(16)))
    if entry.kind != "answer" and random.random() < 0.4:  # whether an answer fits the rules alone can tell
        fields["body"] = changed(entry.body, random)
    fields["head"] = bytes(32) if random.random() < 0.1 else entry.head
    fields["epoch"] += random.random() < 0.1
    _add(log, keys[entry.author], fields)


def _shorter(log: list[Entry], _keys: Keys, random: Random) -> None:
    author = random.choice(log).author
    for _ in range(random.randint(1, 6)):
        _drop(log, author)


def _drop(log: list[Entry], author: bytes) -> Entry | None:
    """Take the last entry of an author out, but its first."""
    at = max(number for number, entry in enumerate(log) if entry.author == author)
    return log.pop(at) if log[at].seq else None


def _last_changed(log: list[Entry], keys: Keys, random: Random) -> None:
    entry = _drop(log, random.choice(log).author)
    if entry is not None:
        fields = {name: getattr(entry, name) for name in FIELDS}
        name = random.choice(("epoch", "height", "head", "state", "kind", "body", "body", "body"))
        fields[name] = _other(name, fields[name], log, random)
        _add(log, keys[entry.author], fields)


def _other(name: str, value: Any, log: Sequence[Entry], random: Random) -> Any:
    match name:
        case "epoch" | "height":
            return max(0, value + random.choice((-1, 1)))
        case "head":
            return random.choice(log).head
        case "state":
            return bytes([value[0] ^ 1]) + value[1:]
        case "kind":
            return random.choice(log).kind
    return changed(value, random)


def changed(value: Any, random: Random) -> Any:
    """Plain data with one of its leaves changed, left out or wrapped."""
    match value:
        case [_, *_] if random.random() < 0.85:
            at = random.randrange(len(value))
            return [*value[:at], changed(value[at], random), *value[at + 1 :]]
        case list():
            return value[:-1] if value and random.random() < 0.5 else [*value, None]
        case bytes() if value:
            at = random.randrange(len(value))
            return random.choice((value[:-1], value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]))
        case bool():
            return not value
        case int():
            return random.choice((value + 1, -value, str(value)))
        case str():
            return random.choice((value + "x", "", 1))
    return random.choice((0, b"", [], "no"))


def _word_added(log: list[Entry], keys: Keys, random: Random) -> None:
    """A vote, a result, a claim or another word that fills no slot, of a member."""
    fields = _standing(log, random)
    fields["kind"], fields["body"] = _word(log, keys, random)
    _add(log, keys[random.choice(list(keys))], fields)


def _standing(log: Sequence[Entry], random: Random) -> dict[str, Any]:
    """Where somebody stood: at an entry of the log, most often one of the last."""
    near = log[-8:] if random.random() < 0.7 else log
    return {name: getattr(random.choice(near), name) for name in FIELDS}


def _word(log: Sequence[Entry], keys: Keys, random: Random) -> tuple[str, Any]:
    at, proposed = random.choice(log[-8:]), [entry for entry in log if entry.kind in ("pact", "sign", "refuse")]
    name = random.choice(list(keys))
    last = max((entry for entry in log if entry.author == name), key=lambda entry: entry.seq, default=at)
    terms = random.choice(
        (None, [name, last.seq], [max(0, at.height - 1), False], "agreed", [0, []], [at.height + 8, 9])
    )
    out = random.choice(([], [[name, last.seq, last.id]], [[name, last.seq, last.id]]))
    pact = [
        random.choice(PACTS),
        at.height,
        at.head,
        out,
        terms,
        random.choice((0, 0, 1)),
        random.choice(([], [], [bytes(32)])),
    ]
    said: Any = random.choice(proposed).body if proposed else pact
    about = _pact_id(random.choice(proposed)) if proposed else bytes(32)
    ends: list[Any] = [entry.body for entry in log if entry.kind == "result" and isinstance(entry.body, list)]
    _ending, *rest = random.choice(ends or [["played", [[1, 7, [["points", 7]]]], []]])
    ways: list[tuple[str, Any]] = [
        *(("pact", pact), ("pact", said), ("pact", changed(pact, random))),
        *(("sign", [about]), ("sign", [about]), ("sign", changed([about], random))),
        *(("refuse", [about, "no", []]), ("refuse", [about, "", []]), ("refuse", changed([about, "no", []], random))),
        *(
            ("result", [random.choice(("played", "agreed", "unfair")), *rest]),
            ("result", changed(["played", *rest], random)),
        ),
        *(("result", ["unanswered", name, "answer"]), ("clock", [name]), ("fault", [name, "entry/twice", [bytes(32)]])),
        *(("join", None), ("chat", [bytes(32)]), ("genesis", None)),
    ]
    return random.choice(ways)


def _pact_id(entry: Entry) -> bytes:
    if entry.kind == "pact":
        try:
            return read_pact(entry.body).id
        except WireError:
            return bytes(32)
    return (
        entry.body[0] if isinstance(entry.body, list) and entry.body and isinstance(entry.body[0], bytes) else bytes(32)
    )


def _repeated(log: list[Entry], keys: Keys, random: Random) -> None:
    """A word for a height once more, as it was or a little other, by its author or somebody else."""
    slotted = [entry for entry in log if entry.kind in STAGE]
    if not slotted:
        return
    entry = random.choice(slotted[-12:] if random.random() < 0.6 else slotted)
    fields = {name: getattr(entry, name) for name in FIELDS}
    if random.random() < 0.5:
        fields["body"] = changed(fields["body"], random)
    author = entry.author if random.random() < 0.7 else random.choice(list(keys))
    _add(log, keys[author], fields)


def _stranger(log: list[Entry], keys: Keys, random: Random) -> None:
    fields = _standing(log, random)
    fields["kind"], fields["body"] = _word(log, keys, random)
    _add(log, SigningKey.from_seed(random.randbytes(32)).private, fields)


def _add(log: list[Entry], key: Ed25519PrivateKey, fields: Mapping[str, Any]) -> None:
    """Add an entry, unless its form is one that nobody keeps."""
    author = public_bytes(key)
    last = max((entry for entry in log if entry.author == author), key=lambda entry: entry.seq, default=None)
    place = {"seq": 0, "prev": NO_PREV} if last is None else {"seq": last.seq + 1, "prev": last.id}
    with suppress(WireError):
        log.append(make_entry(key, **{**fields, **place}))
