"""A ticket survives messengers, and every typo in it is refused by name."""

from __future__ import annotations

from base64 import b32encode
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.keys import SigningKey
from p2p.reach.addresses import own_addresses
from p2p.reach.lines import ALPHABET
from p2p.reach.ticket import Ticket, TicketError, new_ticket, parse_ticket
from p2p.wire.address import at_endpoint, at_relay, endpoint_of, is_address, parse_endpoint, without_credentials
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
    "starlock:ac2yqaqakbwgy3dmnrwgy3dmnrwgy3dmnrwfqifpa2r6gkixctspgvwbtsnrltizkhwg4ztcvj334b2up4ujhazudvi"
    "hg43tonzxg43tonzxg43tonzxha2gycuacbypubjcaainxaaaaaaaaaaaaaaaaaaacd5apanxiy3qhixs6ylonyxgk6dbnvygyzj"
    "on5zgoorwgu2tgnmci3fqa4ijaaaxqj3mnfrhamtqhixwi3ttgqxxezlmmf4s4zlymfwxa3dffzxxezzporrxalzugaydcgtrh6z"
    "qbywz5vljk"
)

hosts = st.one_of(
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(str),
    st.from_regex(r"[a-z][a-z0-9.-]{0,40}", fullmatch=True),
)
addresses = st.one_of(
    st.builds(at_endpoint, hosts, st.integers(1, 65_535), st.sampled_from(["tcp", "relay"])),
    st.builds(at_relay, hosts, st.integers(1, 65_535), st.just(b"k" * 32), st.sampled_from([b"", b"p", b"p" * 24])),
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
    whole = len(body).to_bytes(2, "big") + body + H("line-check", body)[:5]
    return "starlock:" + b32encode(whole).decode().rstrip("=").lower()


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


def test_an_endless_text_is_read_in_a_moment() -> None:
    began = process_time()
    for text in (
        "starlock:" + "a" * 5_000_000,
        "starlock: " * 400_000,
        "s" + " " * 4_000_000,
        "starlock:" + "> " * 99_999,
    ):
        assert refusal(text)[0] in ("ticket/prefix", "ticket/length", "ticket/typo")
    assert process_time() - began < 5


GOOD: list[object] = [2, 0, b"l" * 16, ANN.public, b"s" * 16, [], [], 0]


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (2, b"l" * 15),
        (2, "l" * 16),
        (3, b"k" * 31),
        (3, bytes(32)),
        (4, b"s" * 15),
        (5, [b"12345"]),
        (5, [bytes(6)]),
        (5, ["tcp://host name:1"]),
        (5, ["tcp://host:0"]),
        (5, ["tcp://host:65536"]),
        (5, ["tcp://:5"]),
        (5, [b"123456"] * 7),
        (6, [b"123456"] * 4),
        (5, ["tcp://192.168.1.7:4000"]),
        (5, ["tcp://host:01"]),
        (5, ["no scheme"]),
        (5, ["x:/" + "y" * 200]),
        (5, [["host", 4_000]]),
        (6, ["relay://203.0.113.9:1"]),
        (6, [[b"123456", b"k" * 31]]),
        (6, [[b"123456", b"k" * 32, b""]]),
        (6, [[b"123456", b"k" * 32, b"p" * 41]]),
        (6, [[b"123456", b"k" * 32, b"p", b"p"]]),
        (6, [["tcp://host:1", b"k" * 32]]),
        (6, [["relay://host name:1", b"k" * 32]]),
        (6, [["relay://192.0.2.1:1", b"k" * 32]]),
        (6, [[["relay://host:1", b"k" * 32], b"k" * 32]]),
        (5, [[b"123456", b"k" * 32]]),
        (7, -1),
        (7, True),
        (7, "soon"),
    ],
)
def test_a_ticket_of_a_faulty_program_is_refused(at: int, value: object) -> None:
    assert parse_ticket(forged(GOOD)).candidates == ()
    assert refusal(forged([*GOOD[:at], value, *GOOD[at + 1 :]]))[0] == "ticket/form"


@pytest.mark.parametrize("value", [None, {}, [], [2], [2, 0], [*GOOD, 1], [True, *GOOD[1:]], [2, False, *GOOD[2:]]])
def test_a_ticket_of_another_shape_is_refused(value: object) -> None:
    assert refusal(forged(value))[0] == "ticket/form"


def test_a_ticket_of_another_version_names_it() -> None:
    assert refusal(forged([3, "anything"])) == ("ticket/version", (3,))


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


OLD = str(new_ticket(b"o" * 16, ANN.public, (), 1_000_000_000))


@pytest.mark.parametrize(
    "paste",
    [
        f"{GOLDEN}\n\nOn Friday Ann wrote:\n> {OLD}",
        f"> {OLD}\n\nthat is over, take {GOLDEN} please",
        f"{OLD[:90]}… no, this one: {GOLDEN}",
        f"starlock: is what we play. {GOLDEN}",
        "<p>" + "<br>\n".join(GOLDEN[at : at + 60] for at in range(0, len(GOLDEN), 60)) + "</p><div>Bye</div>",
        "\n".join(f"Ann Smith> {GOLDEN[at : at + 50]}" for at in range(0, len(GOLDEN), 50)),
        "\n".join(f"&gt; {GOLDEN[at : at + 50]}<br/>" for at in range(0, len(GOLDEN), 50)),
        f"{GOLDEN}words at once behind it",
        "x " * 100_000 + GOLDEN + " y" * 100_000,
    ],
)
def test_the_first_whole_and_unexpired_ticket_in_a_text_counts(paste: str) -> None:
    assert parse_ticket(paste, now=1_500_000_000) == TICKET


def test_what_is_wrong_is_said_of_the_line_that_came_nearest() -> None:
    spoilt = GOLDEN[:40] + ("b" if GOLDEN[40] != "b" else "c") + GOLDEN[41:]
    for text, code in (
        (f"starlock: hello {OLD}", "ticket/expired"),
        (f"{OLD} {spoilt}", "ticket/expired"),
        (f"starlock:abc {spoilt}", "ticket/typo"),
        (f"{forged([3])} {spoilt}", "ticket/version"),
        (f"{forged([2, 1])} {spoilt}", "ticket/kind"),
    ):
        with pytest.raises(TicketError) as caught:
            parse_ticket(text, now=1_500_000_000)
        assert caught.value.code == code


def test_an_address_has_two_hundred_characters_at_most() -> None:
    longest = f"libp2p:/{'x' * 192}"
    assert (len(longest), is_address(longest), is_address(longest + "x")) == (200, True, False)


def test_a_relay_carries_its_key_and_a_pass_that_are_not_shown() -> None:
    relay = at_relay("192.0.2.8", 40_918, b"k" * 32, b"pass")
    ticket = new_ticket(b"l" * 16, ANN.public, (), 1, [relay, at_relay("relay.example.org", 1, b"k" * 32)])
    assert parse_ticket(str(ticket)).relays == ticket.relays
    assert endpoint_of(relay) == ("192.0.2.8", 40_918)
    assert without_credentials(relay) == "relay://192.0.2.8:40918"
    for wrong in (relay[:30] + "1" + relay[31:], relay.replace("@", ":@"), relay.replace("://", "://a"), f"{relay}@"):
        assert not is_address(wrong)


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
