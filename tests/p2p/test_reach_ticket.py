"""A ticket survives messengers, and every typo in it is refused by name."""

from __future__ import annotations

from base64 import b32encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.keys import SigningKey
from p2p.reach.addresses import own_addresses
from p2p.reach.ticket import ALPHABET, Ticket, TicketError, new_ticket, parse_ticket
from p2p.wire.address import at_endpoint, endpoint_of, parse_endpoint
from p2p.wire.codec import encode
from seeds.hashing import H

ANN = SigningKey.from_seed(b"a" * 32)
TICKET = Ticket(
    b"l" * 16,
    ANN.public,
    b"s" * 16,
    (at_endpoint("192.168.1.7", 4000), at_endpoint("2001:db8::1", 4000), at_endpoint("ann.example.org", 65_535)),
    (at_endpoint("203.0.113.9", 1, "relay"), "libp2p:/dns4/relay.example.org/tcp/4001"),
    1_900_000_000,
)
GOLDEN = (
    "starlock:q4ava3dmnrwgy3dmnrwgy3dmnrwgy3cyecxqni7dfelrjzhtk3azzgyvzumvd3domzrku556a5kh6ketqm2b2udtonz"
    "xg43tonzxg43tonzxg43tqndmbkaba4h2auraaeg3qaaaaaaaaaaaaaaaaaabb6qhqg3umnydulzpmfxg4ltfpbqw24dmmuxg64t"
    "hhi3dknjtgwbensyaoeeqaalye5wgsytqgjydul3enzztil3smvwgc6jomv4gc3lqnrss433sm4xxiy3qf42dambrdjyt7myatzq"
    "5ghm7"
)

hosts = st.one_of(
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(str),
    st.from_regex(r"[a-z][a-z0-9.-]{0,40}", fullmatch=True),
)
addresses = st.one_of(
    st.builds(at_endpoint, hosts, st.integers(1, 65_535), st.sampled_from(["tcp", "relay"])),
    st.just("libp2p:/ip4/203.0.113.5/tcp/4001/p2p/12D3KooW"),
    st.just("carrier-pigeon://coop/7"),
)
tickets = st.builds(
    Ticket,
    st.binary(min_size=16, max_size=16) | st.binary(min_size=32, max_size=32),
    st.just(ANN.public),
    st.binary(min_size=16, max_size=16),
    st.lists(addresses, max_size=6).map(tuple),
    st.lists(addresses, max_size=3).map(tuple),
    st.integers(0, 2**40),
)


def refusal(text: str) -> tuple[str, tuple[object, ...]]:
    with pytest.raises(TicketError) as caught:
        parse_ticket(text)
    return caught.value.code, caught.value.detail


def forged(value: object) -> str:
    """A text with a right hash over something else."""
    body = encode(value)  # type: ignore[arg-type]
    return "starlock:" + b32encode(body + H("ticket-check", body)[:5]).decode().rstrip("=").lower()


@given(tickets)
def test_every_ticket_comes_back_whole(ticket: Ticket) -> None:
    assert parse_ticket(str(ticket)) == ticket


def test_the_text_of_a_ticket_never_changes() -> None:
    assert str(TICKET) == GOLDEN


def test_an_ordinary_ticket_fits_a_line_of_chat_and_a_qr_code() -> None:
    home = tuple(at_endpoint(f"192.168.1.{number}", 40_000) for number in range(3))
    assert 140 <= len(str(new_ticket(b"l" * 16, ANN.public, home, 1_900_000_000))) <= 310


@given(st.integers(0, 5), st.data())
def test_case_spaces_and_line_breaks_do_not_matter(cuts: int, draw: st.DataObject) -> None:
    text = str(TICKET)
    for _ in range(cuts):
        at = draw.draw(st.integers(0, len(text)))
        text = text[:at] + draw.draw(st.sampled_from([" ", "\n", "\r\n", "\t"])) + text[at:]
    assert parse_ticket(text.upper() if draw.draw(st.booleans()) else text) == TICKET


def test_every_single_wrong_letter_is_a_typo() -> None:
    text = str(TICKET)
    for place in range(len("starlock:"), len(text)):
        other = "b" if text[place] != "b" else "c"
        code, _ = refusal(text[:place] + other + text[place + 1 :])
        assert code in ("ticket/typo", "ticket/length")


@given(st.integers(9, 200), st.integers(9, 200))
def test_two_swapped_letters_are_a_typo(one: int, other: int) -> None:
    letters = list(str(TICKET))
    one, other = one % (len(letters) - 9) + 9, other % (len(letters) - 9) + 9
    letters[one], letters[other] = letters[other], letters[one]
    text = "".join(letters)
    if text != str(TICKET):
        assert refusal(text)[0] == "ticket/typo"


@given(st.integers(10, 240))
def test_a_cut_ticket_is_refused(length: int) -> None:
    text = str(TICKET)
    assert refusal(text[: min(length, len(text) - 1)])[0] in ("ticket/length", "ticket/typo")


def test_letters_outside_the_alphabet_are_named_with_their_place() -> None:
    text = str(TICKET)
    assert refusal(text[:12] + "1" + text[13:]) == ("ticket/letter", ("1", 13))
    assert refusal(text[:20] + "é" + text[21:]) == ("ticket/letter", ("é", 21))


@pytest.mark.parametrize("text", ["", "hello", "starlok:abcd", "http://starlock/abcd", "\x00"])
def test_what_is_no_ticket_at_all_is_called_so(text: str) -> None:
    assert refusal(text)[0] == "ticket/prefix"


@given(st.text(st.sampled_from(sorted(ALPHABET)), max_size=300))
def test_random_letters_are_never_a_ticket(letters: str) -> None:
    assert refusal("starlock:" + letters)[0] in ("ticket/length", "ticket/typo")


def test_an_endless_text_is_not_read() -> None:
    assert refusal("starlock:" + "a" * 100_000)[0] == "ticket/length"


GOOD: list[object] = [1, b"l" * 16, ANN.public, b"s" * 16, [], [], 0]


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (1, b"l" * 15),
        (1, "l" * 16),
        (2, b"k" * 31),
        (2, bytes(32)),
        (3, b"s" * 15),
        (4, [b"12345"]),
        (4, [bytes(6)]),
        (4, ["tcp://host name:1"]),
        (4, ["tcp://host:0"]),
        (4, ["tcp://host:65536"]),
        (4, ["tcp://:5"]),
        (4, [b"123456"] * 7),
        (5, [b"123456"] * 4),
        (4, ["tcp://192.168.1.7:4000"]),
        (4, ["tcp://host:01"]),
        (4, ["no scheme"]),
        (4, ["x:/" + "y" * 200]),
        (4, [["host", 4_000]]),
        (5, ["relay://203.0.113.9:1"]),
        (6, -1),
        (6, True),
        (6, "soon"),
    ],
)
def test_a_ticket_of_a_faulty_program_is_refused(at: int, value: object) -> None:
    assert parse_ticket(forged(GOOD)).candidates == ()
    assert refusal(forged([*GOOD[:at], value, *GOOD[at + 1 :]]))[0] == "ticket/form"


@pytest.mark.parametrize("value", [None, {}, [], [1], [*GOOD, 1], [True, *GOOD[1:]]])
def test_a_ticket_of_another_shape_is_refused(value: object) -> None:
    assert refusal(forged(value))[0] == "ticket/form"


def test_a_ticket_of_another_version_names_it() -> None:
    assert refusal(forged([2, "anything"])) == ("ticket/version", (2,))


def test_a_ticket_expires() -> None:
    assert TICKET.check(TICKET.expiry) is TICKET
    with pytest.raises(TicketError) as caught:
        TICKET.check(TICKET.expiry + 1)
    assert (caught.value.code, caught.value.detail) == ("ticket/expired", (TICKET.expiry,))


def test_holders_of_one_ticket_meet_and_prove_it_on_one_channel_only() -> None:
    other = new_ticket(TICKET.lobby, ANN.public, (), 0)
    assert TICKET.meeting() == parse_ticket(str(TICKET)).meeting()
    assert TICKET.meeting().name == other.meeting().name
    assert len({TICKET.meeting().proof(b"e" * 32), other.meeting().proof(b"e" * 32)}) == 2
    assert len({TICKET.proof(b"one"), TICKET.proof(b"two"), other.proof(b"one")}) == 3


def test_the_secret_shows_in_the_text_alone() -> None:
    assert "s" * 16 not in repr(TICKET)
    assert repr(TICKET.secret) not in f"{TICKET!r} {TICKET.meeting()!r}"


@pytest.mark.parametrize(
    "paste",
    [
        "Sit down with me:\n{}\nSee you at eight!",
        "“{}”",
        "`{}`, please",
        "> Ann wrote:\n> {}\n> Bye",
        "starlock join {}",
        "Starlock: here it is: <{}>.",
        "Ticket: {}\n\nsent from a telephone 1234",
        "\u200b{}\u200b",
    ],
)
@pytest.mark.parametrize("width", [0, 40, 76])
def test_a_ticket_is_found_in_what_was_pasted_around_it(paste: str, width: int) -> None:
    lines = [GOLDEN[at : at + width] for at in range(0, len(GOLDEN), width)] if width else [GOLDEN]
    for text in (paste.format("\n> ".join(lines)), paste.format("\n".join(lines).upper())):
        assert parse_ticket(text) == TICKET


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.7:4000", "192.168.1.7", 4000),
        (" ann.example.org:65535 ", "ann.example.org", 65_535),
        ("[2001:db8::1]:1", "2001:db8::1", 1),
        ("[fe80::1%eth0]:4000", "fe80::1%eth0", 4000),
    ],
)
def test_an_address_is_read_and_written(text: str, host: str, port: int) -> None:
    assert parse_endpoint(text) == endpoint_of(f"tcp://{text.strip()}") == (host, port)
    assert at_endpoint(host, port) == f"tcp://{text.strip()}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann.example.org", ("ann.example.org", 7)),
        ("203.0.113.9", ("203.0.113.9", 7)),
        ("2001:db8::1", ("2001:db8::1", 7)),
        ("[2001:db8::1]", ("2001:db8::1", 7)),
        ("[2001:db8::1]:9", ("2001:db8::1", 9)),
        ("203.0.113.9:9", ("203.0.113.9", 9)),
    ],
)
def test_an_address_without_a_port_has_the_one_listened_on(text: str, found: tuple[str, int]) -> None:
    assert parse_endpoint(text, 7) == found


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "address/port"),
        ("host", "address/port"),
        ("host:", "address/port"),
        ("host:0", "address/port"),
        ("host:65536", "address/port"),
        ("host:٣", "address/port"),
        ("host:-1", "address/port"),
        (":4000", "address/host"),
        ("2001:db8::1:4000", "address/host"),
        ("[host]:4000", "address/host"),
        ("two words:4000", "address/host"),
        ("a" * 254 + ":4000", "address/host"),
        ("::1:4000", "address/host"),
    ],
)
def test_a_wrong_address_is_refused_with_what_is_wrong(text: str, code: str) -> None:
    with pytest.raises(ValueError, match=code):
        parse_endpoint(text)


def test_own_addresses_mean_something_elsewhere() -> None:
    for address in own_addresses():
        assert not address.is_loopback
        assert not address.is_link_local
