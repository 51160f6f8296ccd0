"""The byte forms peers agree on, from single values to whole messages. Synchronous and free of input and output.

codec     plain data to canonical CBOR (RFC 8949 section 4.2.1) and strictly back; the only decoder for bytes of a peer
          or a file
frames    length-prefixed frames on a byte stream, with a limit that depends on whether the peer is known yet
address   where somebody may be dialed, as one text     circuit  the same in the libp2p network
relaying  what is said to a relay
messages  what two linked peers say to each other, each a small frozen dataclass checked when read
compression  entries on a link, without what it has carried already
entry     one signed statement of one author, the unit of every log
content   a table's own content as bytes, checked against the id that names it
signing   strict Ed25519, so that no crafted signature is judged differently by two peers

Whatever is wrong with received bytes raises `codec.WireError` with a stable code and the offset.
"""
