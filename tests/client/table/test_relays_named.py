"""Relays as people write them: which words are one, what they become, and that an access key never leaves this home."""

from __future__ import annotations

import time

import pytest

from client.system.errors import UserError
from client.table.relays import endpoint, node_of_text, relay_named, relay_of_text, with_passes
from p2p.reach.admission import LASTS, TAG, access_key, refusal_of, tag_of
from p2p.reach.relay import PORT
from p2p.wire.address import at_relay, credentials_of, without_credentials

KEY, ACCESS = b"k" * 32, access_key(b"p" * 32, "club")
NODE = "/ip4/192.0.2.9/tcp/4001/p2p/12D3KooWGC6TvWhfapngX6wvJHMYvKpDMXPb3ZnCZ6dMoaMtimQ5"


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("relay.example", "relay.example", 4000),
        ("relay.example:1", "relay.example", 1),
        ("192.0.2.9:65535", "192.0.2.9", 65535),
        ("2001:db8::1", "2001:db8::1", 4000),
        ("[2001:db8::1]:80", "2001:db8::1", 80),
    ],
)
def test_a_host_without_a_port_takes_the_usual_one(text: str, host: str, port: int) -> None:
    assert endpoint(text)(4000) == (host, port)
    bracketed = f"[{host}]" if ":" in host else host
    assert relay_of_text(text)(4000) == f"relay://{bracketed}:{port}"


@pytest.mark.parametrize("text", ["", "a b", "relay.example:0", "relay.example:65536", "relay.example:x", "[::1"])
def test_what_is_no_host_is_refused_with_the_ports_that_there_are(text: str) -> None:
    for read in (endpoint, relay_of_text, relay_named):
        with pytest.raises(UserError) as caught:
            read(text)
        assert caught.value.code == "cli/address"
        assert f"“{text}”" in caught.value.whole
        assert "from 1 to 65535" in caught.value.whole


def test_an_address_of_a_relay_is_taken_whole_with_its_own_port() -> None:
    for address in (at_relay("192.0.2.9", 7), at_relay("192.0.2.9", 7, KEY), at_relay("192.0.2.9", 7, KEY, ACCESS)):
        assert relay_of_text(address)(4000) == address


@pytest.mark.parametrize("text", ["tcp://192.0.2.9:7", "relay://192.0.2.9", "relay://key@192.0.2.9:7", "http://a/b"])
def test_an_address_that_is_not_whole_or_of_no_relay_is_refused_as_such(text: str) -> None:
    with pytest.raises(UserError) as caught:
        relay_of_text(text)
    assert caught.value.code == "cli/relay"
    assert "relay://KEY@HOST:PORT" in caught.value.whole


def test_the_others_are_told_a_pass_in_the_place_of_an_access_key_and_all_passes_are_of_one_table() -> None:
    relays = [at_relay(f"192.0.2.{at}", 7, KEY, ACCESS) for at in (1, 2)]
    other, first, second = with_passes([at_relay("192.0.2.3", 7, KEY), *relays])
    assert other == at_relay("192.0.2.3", 7, KEY)
    for given, told in zip(relays, (first, second), strict=True):
        key, admission = credentials_of(told)
        assert (key, without_credentials(told)) == (KEY, without_credentials(given))
        assert refusal_of(admission, [ACCESS], time.time()) == ""
        assert refusal_of(admission, [ACCESS], time.time() + LASTS + 1) == "relay/pass-expired"
    tags = [tag_of(credentials_of(each)[1]) for each in (first, second, with_passes(relays)[0])]
    assert tags[0] == tags[1] != tags[2]
    assert len(tags[0]) == TAG


def test_a_relay_named_at_a_table_is_a_host_an_address_or_a_node_of_the_other_network() -> None:
    assert relay_named("relay.example") == f"relay://relay.example:{PORT}"
    assert relay_named(at_relay("192.0.2.9", 7, KEY)) == at_relay("192.0.2.9", 7, KEY)
    assert (
        refusal_of(credentials_of(relay_named(at_relay("192.0.2.9", 7, KEY, ACCESS)))[1], [ACCESS], time.time()) == ""
    )
    assert relay_named(NODE) == node_of_text(NODE)
    assert node_of_text(NODE).startswith("libp2p:")


@pytest.mark.parametrize("text", ["/ip4/192.0.2.9", "/ip4/192.0.2.9/tcp/x/p2p/y", "relay.example"])
def test_what_is_no_node_of_the_other_network_is_refused_with_its_form(text: str) -> None:
    with pytest.raises(UserError) as caught:
        node_of_text(text)
    assert caught.value.code == "cli/multiaddr"
    assert f"“{text}”" in caught.value.whole
    assert "/ip4/HOST/tcp/PORT/p2p/ID" in caught.value.whole
