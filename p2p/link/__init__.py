"""Links: an authenticated, encrypted way to carry messages between this peer and one other.

A link promises little, so that everything above works over any of them: messages keep their borders, come from the peer
whose key the link names, and are seen by nobody else. They may be lost, doubled or come out of order; whatever matters
is repaired by sync. A link that says nothing for 6 seconds is dead, and a dead link is dropped, never mended: the
supervisor in p2p/reach makes a new one.

contract  Pipe, the channel under a link, and the reasons why one ends or never starts
live      the part that all links share: queue, pings, slow reading of a peer that sends too much
noise     the Noise XX handshake, synchronous            meet    who is let in: known secret, identity, version
tcp       dial and listen with limits for strangers      mem     a faulty network in memory, for tests and simulation
relayed   the same through a relay                        punched a connection that both sides open at once
within    byte streams within a link, for what a friend passes on
libp2p    streams over the libp2p network, by an extra library; loaded when needed
pulse     when a process does what it does now and then
bucket    a rate with a burst: how fast somebody may knock or talk

    async with open_listener(local, meetings, port=0) as listener:      # strangers knock, friends come out
        pipe = await dial(host, port, local, meeting)                   # or raises LinkRefusedError with a code
        async with live(pipe) as link:
            link.send(message)
            message = await link.recv()                                 # or raises LinkDownError with a code
"""
