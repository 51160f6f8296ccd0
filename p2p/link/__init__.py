# SPDX-License-Identifier: GPL-3.0-or-later
"""Links: authenticated, encrypted channels that carry messages between this peer and one other.

A link promises little, so that sync works over any transport. Messages keep their boundaries, come from the peer whose
key the link names, and nobody else can read them. They may be lost, duplicated or reordered; sync repairs that. A link
that is silent for 6 seconds is dead. A dead link is dropped, and the supervisor in p2p/reach makes a new one.

contract  Pipe, the channel under a link, and the errors that end or prevent one
live      the part that all links share: queue, pings, rate limits
noise     the Noise XX handshake, synchronous            meet    what both sides prove: secret, identity, version
connecting  TCP connections, before anything is said over them
strangers   those who have connected and not yet shown who they are
tcp       dial and listen with limits for strangers      mem     a faulty network in memory, for tests and simulation
relayed   the same through a relay                        punched hole punching
framed    frames over a byte stream
within    byte streams within a link, for a friend that relays
sealed    an encrypted visit at a relay whose key is known
libp2p    streams over the libp2p network; its library is an extra and loaded when needed
pulse     aligns the timers of a process, so that it wakes up rarely
bucket    token buckets for rate limits

    async with open_listener(local, meetings, port=0) as listener:      # authenticates incoming connections
        pipe = await dial(host, port, local, meeting)                   # or raises LinkRefusedError with a code
        async with live(pipe) as link:
            link.send(message)
            message = await link.recv()                                 # or raises LinkDownError with a code
"""
