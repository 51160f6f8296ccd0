"""How peers find each other and stay linked.

addresses  this machine's addresses
dial       an address is dialed by the transport that its scheme names
ticket     an invitation as text: what to prove, whom to expect, where to dial
announce   on a LAN everybody says "I am here" to everybody, and those who share a secret recognize each other
supervise  keeps a link to everybody wanted, and redials after a loss      wanted  one of them
race       of all known addresses the first that answers     glare  which of two channels between the same two stays
backoff    when to dial again: soon at first, then ever more rarely
reflect    how others see this machine, and what kind of router that shows
relay      passes on what others say to each other            door   waits at relays to be called
circuits   waits and calls at relays of the libp2p network
ways       two who are linked through a relay open a direct way
find       open tables on this LAN: what a host shows, what others have heard
portmap    what is said to a home router, as bytes      gateway  asks it to pass a port on      upnp  the same by UPnP
change     the network may be another one
opened     all of it together, which is what a program uses:

    async with open_reach(local, meetings, port=0, lan=True) as reach:
        reach.supervisor.want(meeting, identity, addresses)               # from a ticket, or from last time
        async for news in reach.supervisor.news:                          # Came(link), Went(link, code), Trouble(…)
            …

Nothing here is written to a log or an export: addresses stay on this machine.
"""
