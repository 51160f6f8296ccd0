"""Peer ids, relays and addresses at relays of the libp2p network, as they are written."""

from __future__ import annotations

import pytest
from circuitnet import ANN, BOB, RELAY
from hypothesis import given
from hypothesis import strategies as st

from p2p.reach.circuits import key_seed
from p2p.wire.address import is_address
from p2p.wire.circuit import parts, peer_id, relay_address, relay_of, through


def test_the_libp2p_key_follows_from_the_identity_and_does_not_show_it() -> None:
    assert key_seed(ANN.identity) == key_seed(ANN.identity) != key_seed(BOB.identity)
    assert key_seed(ANN.identity) != ANN.identity.seed()


def test_a_peer_id_is_that_of_the_specification() -> None:
    """Source: libp2p's specification "peer-ids", the Ed25519 key of its test vectors in "keys"."""
    public = bytes.fromhex("1ed1e8fae2c4a144b8be8fd4b47bf3d3b34b871c3cacf6010f0e42d474fce27e")
    assert peer_id(public) == "12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/ip4/203.0.113.9/tcp/4001",
        "/ip4/203.0.113.9/udp/4001/quic-v1/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/2001:db8::1/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip6/203.0.113.9/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113.9/tcp/0/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113.9/tcp/70000/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/dns4/a b/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        f"/dns4/{'a' * 90}/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7",
        "/ip4/203.0.113.9/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7/p2p-circuit",
    ],
)
def test_what_is_no_relay_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="address/multiaddr"):
        relay_address(text)


@given(st.ip_addresses(), st.integers(1, 65_535), st.binary(min_size=32, max_size=32))
def test_an_address_at_a_relay_is_taken_apart_as_it_was_made(host: object, port: int, public: bytes) -> None:
    kind = "ip6" if ":" in str(host) else "ip4"
    multiaddr = f"/{kind}/{host}/tcp/{port}/p2p/{peer_id(public)}"
    relay, peer = relay_address(multiaddr), peer_id(public[::-1])
    address = through(relay, peer)
    assert is_address(relay)
    assert is_address(address)
    assert relay_of(address) == relay_of(relay) == relay
    assert parts(address) == (multiaddr, peer_id(public), peer)
    assert relay_of("relay://203.0.113.9:4000") == "relay://203.0.113.9:4000"


@given(st.text(max_size=120))
def test_nonsense_is_no_address_at_a_relay(text: str) -> None:
    for address in (text, f"libp2p:{text}", through(RELAY, text)):
        with pytest.raises(ValueError, match="address/multiaddr"):
            parts(address)
