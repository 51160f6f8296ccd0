# SPDX-License-Identifier: GPL-3.0-or-later
"""The byte forms peers agree on, from single values to whole messages. Synchronous and free of input and output.

codec     plain data to canonical CBOR (RFC 8949 section 4.2.1) and strictly back; the only decoder for bytes of a peer
          or a file
frames    length-prefixed frames on a byte stream, with a limit that depends on whether the peer is known yet
address   addresses of peers and relays as text     circuit  addresses in the libp2p network
relaying  the messages between a relay and its visitors
messages  the messages of a link, each a small frozen dataclass checked when read
fields    checks the fields of a message
pieces    encoding of stream pieces without the codec
compression  header compression of the entries on a link
entry     one signed statement of one author, the unit of every log
shapes    the size of each kind of entry, and the form of those that are judged nowhere else
content   a table's own content as bytes, checked against the id that names it
signing   strict Ed25519, so that no crafted signature is judged differently by two peers

Malformed bytes raise `codec.WireError` with a stable code and the offset.
"""
