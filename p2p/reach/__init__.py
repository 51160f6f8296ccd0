# SPDX-License-Identifier: GPL-3.0-or-later
"""How peers find each other and stay linked.

addresses  the addresses of this machine
dial       dials an address by the transport that its scheme names
lines      lines of text that messengers carry           ticket   an invitation: secret, inviter's key, addresses
answer     a guest's own addresses, sealed to the inviter       calls    both sides dial each other, after an answer
whereabouts  addresses that members sign, and tickets of running tables
announce   LAN discovery: peers announce themselves and recognize those that share a secret
supervise  keeps a link to each wanted peer and redials after a loss      wanted  one wanted peer
news       what it tells its reader
race       dials all known addresses and takes the first that answers     glare  which of two channels stays
backoff    when to dial again: soon at first, then more and more rarely
reflect    the addresses at which others see this machine, and the kind of router that they show
relay      forwards bytes between two other peers             door   waits at relays for callers
admission  passes for a relay that does not serve everybody     metrics  a relay's figures for Prometheus
circuits   the same at relays of the libp2p network
tasks      one task for each key of a changing set
ways       hole punching: two peers linked through a relay open a direct link
find       open tables on this LAN: what a host announces, what others have heard
routes     finds the home router      lease  what it keeps open for this process      portmap  NAT-PMP and PCP packets
gateway    asks it to forward a port for IPv4      upnp  the same by UPnP      pinhole  asks it to let IPv6 in
verdict    judges who can reach this process      explore  asks routers, relays and friends about it
called     lets a relay or friend call this process back
change     notices that the network may have changed
opened     all of it together, the entrance for programs:

    async with open_reach(local, meetings, port=0, lan=True) as reach:
        reach.supervisor.want(meeting, identity, addresses)               # from a ticket, or from last time
        async for news in reach.supervisor.news:                          # Came(link), Went(link, code), Trouble(…)
            …

Addresses are never written to a log or an exported file.
"""
