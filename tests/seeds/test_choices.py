"""Short choices sealed to the others: nobody reads them early, copies them, or keeps them closed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from fairtable import ANN, BOB, CAT, DAN, FAY, fresh, generated, secret

from seeds.choices import LONGEST, Choice, ForcedOpening, check_choice, make_choice, own_value, read_choice
from seeds.errors import ContractError, Fault
from seeds.group import BASE, Point, add, base, mul
from seeds.opendeck import Handle
from seeds.proofs import logarithm, prove, scalar
from seeds.seals import Seals, seal_commitment, seal_nonce
from seeds.threshold import Partial, combine, lagrange, make_partial

HANDLE: Handle = ("seal", 4)
HEAD = bytes(range(32))
KEYS, SHARES = generated(4)
KEY = KEYS["seal"]


def sealed(value: bytes = b"\x07", author: bytes = ANN, handle: Handle = HANDLE) -> Choice:
    return make_choice(KEY, secret(author), author, handle, HEAD, value, fresh(author))


def own_nonce(handle: Handle, value: bytes) -> bytes:
    return seal_nonce(secret(ANN), KEY.table, 0, handle, HEAD, value)


def partial(member: bytes, choice: Choice, purpose: str = "seal") -> Partial:
    return make_partial(KEYS[purpose], member, SHARES[member, purpose], choice.point, fresh(member))


def forced(choice: Choice, author: bytes = ANN, members: tuple[bytes, ...] = (BOB, CAT, DAN)) -> ForcedOpening:
    opening = ForcedOpening(KEY, author, HANDLE, choice)
    for member in members:
        assert not opening.open
        assert opening.release(member, partial(member, choice)) is None
    assert opening.open
    return opening


@pytest.mark.parametrize("value", [b"", b"\x07", b"a bid", bytes(LONGEST), b"\0\0"])
def test_the_others_open_what_a_silent_author_sealed(value: bytes) -> None:
    choice = sealed(value)
    assert check_choice(KEY, ANN, HANDLE, choice)
    assert read_choice(choice.plain()) == choice
    for members in combinations(KEY.members, KEY.t):
        opening = forced(choice, members=members)
        assert opening.fault is None
        assert opening.value == value
        assert opening.nonce == seal_nonce(secret(ANN), KEY.table, KEY.epoch, HANDLE, HEAD, value)


@pytest.mark.parametrize("value", [b"", b"\x07", bytes(LONGEST)])
def test_its_author_reads_it_again_from_the_table_secret_alone(value: bytes) -> None:
    choice = sealed(value)
    assert own_value(KEY, secret(ANN), ANN, HANDLE, choice) == value
    assert own_value(KEY, secret(BOB), ANN, HANDLE, choice) is None


def test_a_forced_opening_is_the_authors_own_to_the_seals() -> None:
    choice, seals = sealed(b"bid"), Seals(KEY.table)
    seals.place(HANDLE, ANN, KEY.epoch, HEAD, choice.committed)
    opening = forced(choice)
    assert opening.value is not None
    assert opening.nonce is not None
    assert seals.open(HANDLE, ANN, opening.value, opening.nonce) is None
    assert seals.take([HANDLE]) == [b"bid"]


def test_n52_a_bid_copied_under_another_name_or_handle_is_refused() -> None:
    choice = sealed()
    assert not check_choice(KEY, BOB, HANDLE, choice)
    assert not check_choice(KEY, ANN, ("seal", 5), choice)
    assert not check_choice(generated(4, 1)[0]["seal"], ANN, HANDLE, choice)
    assert not check_choice(KEYS["dice"], ANN, HANDLE, choice)
    unknown = prove("seal/pok", KEY.place(BOB), logarithm(choice.point), [5], fresh())
    assert not check_choice(KEY, BOB, HANDLE, replace(choice, proof=unknown))


def altered(choice: Choice) -> Iterator[Choice]:
    yield replace(choice, committed=bytes([choice.committed[0] ^ 1]) + choice.committed[1:])
    yield replace(choice, point=add(choice.point, BASE))
    for at in (0, 2, 5, LONGEST + 1, len(choice.text) - 1):
        yield replace(choice, text=choice.text[:at] + bytes([choice.text[at] ^ 1]) + choice.text[at + 1 :])
    yield replace(choice, proof=replace(choice.proof, challenge=choice.proof.challenge + 1))


def test_any_part_of_a_choice_altered_is_refused() -> None:
    assert not [wrong for wrong in altered(sealed()) if check_choice(KEY, ANN, HANDLE, wrong)]


def proven(choice: Choice, honest: Choice, value: bytes) -> Choice:
    """The choice of a cheat who knows the r of an honest one and proves it for whatever text he likes."""
    r = scalar(secret(ANN), "seal/r", KEY.table, KEY.epoch, *HANDLE, honest.committed)
    place = [*KEY.place(ANN), *HANDLE, choice.committed, choice.text]
    assert base(r) == choice.point
    return replace(choice, proof=prove("seal/pok", place, logarithm(choice.point), [r], fresh(value)))


def test_n53_a_text_that_does_not_fit_its_commitment_convicts_the_author_when_it_is_opened() -> None:
    honest = sealed(b"bid")
    for wrong in altered(honest):
        if wrong.point != honest.point or wrong.proof != honest.proof:
            continue
        cheat = proven(wrong, honest, b"x")
        assert check_choice(KEY, ANN, HANDLE, cheat)
        opening = forced(cheat)
        assert opening.value is None
        assert opening.fault == Fault("seal/unopenable", ANN)


def test_n53_whichever_members_open_it_the_verdict_is_the_same() -> None:
    cheat = proven(replace(sealed(), text=bytes(len(sealed().text))), sealed(), b"y")
    assert {forced(cheat, members=m).fault for m in combinations(KEY.members, KEY.t)} == {Fault("seal/unopenable", ANN)}


def test_n54_a_second_seal_under_a_handle_is_refused() -> None:
    seals = Seals(KEY.table)
    seals.place(HANDLE, ANN, KEY.epoch, HEAD, sealed().committed)
    with pytest.raises(ContractError):
        seals.place(HANDLE, ANN, KEY.epoch, HEAD, sealed(b"other").committed)


def test_n56_all_choices_look_alike_in_length() -> None:
    lengths = {tuple(map(len, sealed(value).plain())) for value in (b"", b"\x01", bytes(200), bytes(LONGEST))}
    assert len(lengths) == 1
    with pytest.raises(ContractError, match="at most"):
        sealed(bytes(LONGEST + 1))


def test_pooled_fewer_than_t_members_do_not_open_a_choice() -> None:
    choice = sealed(b"bid")
    members = KEY.members[1 : KEY.t]
    opening = ForcedOpening(KEY, ANN, HANDLE, choice)
    for member in members:
        opening.release(member, partial(member, choice))
    assert not opening.open
    assert opening.value is None
    values: dict[bytes, Point] = {member: partial(member, choice).value for member in members}
    with pytest.raises(ContractError):
        combine(KEY, values)
    indices = [KEY.members.index(member) + 1 for member in members]
    guess = add(*(mul(w, v) for w, v in zip(lagrange(indices), values.values(), strict=True)))
    full = {member: partial(member, choice).value for member in KEY.members}
    assert guess != combine(KEY, full)


def test_n79_pooled_all_others_do_not_read_a_kept_choice() -> None:
    """Of the two values it can be, neither fits without the nonce, which no other secret derives."""
    kept = seal_commitment(KEY.table, KEY.epoch, HANDLE, ANN, b"yes", own_nonce(HANDLE, b"yes"))
    others = [secret(member) for member in KEY.members[1:]]
    handles: list[Handle] = [HANDLE, ("seal", 3)]
    places = [(known, epoch, handle) for known in others for epoch in (0, 1) for handle in handles]
    for value in (b"yes", b"no"):
        nonces = [seal_nonce(known, KEY.table, epoch, handle, HEAD, value) for known, epoch, handle in places]
        nonces += [*others, bytes(32), kept, own_nonce(("seal", 3), value), own_nonce(HANDLE, b"no")]
        assert all(seal_commitment(KEY.table, KEY.epoch, HANDLE, ANN, value, nonce) != kept for nonce in nonces)


def test_wrong_partials_of_a_forced_opening_are_faults() -> None:
    choice = sealed()
    opening = ForcedOpening(KEY, ANN, HANDLE, choice)
    assert opening.release(BOB, partial(BOB, sealed(author=BOB))) == Fault("seal/proof", BOB)
    assert opening.release(BOB, partial(BOB, choice, "dice")) == Fault("seal/proof", BOB)
    assert opening.release(CAT, partial(BOB, choice)) == Fault("seal/proof", CAT)
    assert opening.release(FAY, partial(BOB, choice)) == Fault("seal/not-a-member", FAY)
    assert opening.release(BOB, partial(BOB, choice)) is None
    assert opening.release(BOB, partial(BOB, choice)) == Fault("seal/released-twice", BOB)


def test_a_crash_seals_the_same_choice_again() -> None:
    one, again = sealed(b"bid"), make_choice(KEY, secret(ANN), ANN, HANDLE, HEAD, b"bid", fresh("after the crash"))
    assert (one.committed, one.point, one.text) == (again.committed, again.point, again.text)
    nonce = seal_nonce(secret(ANN), KEY.table, KEY.epoch, HANDLE, HEAD, b"bid")
    assert one.committed == seal_commitment(KEY.table, KEY.epoch, HANDLE, ANN, b"bid", nonce)


def test_two_choices_at_one_place_or_of_two_histories_share_no_mask() -> None:
    """Otherwise the two texts together would show value XOR value, and one that was opened would show the other."""
    first, filling = sealed(b"\x07"), slice(3, 2 + LONGEST)
    for head, value in ((HEAD, b"\x08"), (bytes(32), b"\x07"), (bytes(32), b"\x08")):
        other = make_choice(KEY, secret(ANN), ANN, HANDLE, head, value, fresh(ANN))
        assert first.point != other.point
        assert first.committed != other.committed
        same = sum(a == b for a, b in zip(first.text[filling], other.text[filling], strict=True))
        assert same < 20, "both are zeros there, under the masks"


def test_what_is_no_choice_is_not_read() -> None:
    plain = sealed().plain()
    for body in (
        plain[:3],
        [plain[0] + b"\0", *plain[1:]],
        [plain[0], bytes(32), *plain[2:]],
        [*plain[:2], plain[2][1:], plain[3]],
        [*plain[:3], plain[3][1:]],
        None,
    ):
        assert read_choice(body) is None
