"""Everybody gets every entry: what I hold, what I lack, what is new, over every link there is.

exchange   have, want and push of one table; forks walked back to where they part
links      what is noted of each link
archived   a table that is over, as the store has it: answers those who missed its end
ownfeed    whether the others confirm the end of the own feed, before anything is signed
bundle     what a link would carry, as one file, and who lacks what
pasted     bytes as text in parts that survive messengers
pace       how fast chat is taken

What one peer may make another keep is bounded by a rule that all compute alike: the end of a feed that says too much
(see p2p/log/feeds) follows from the feed itself. When its chat is taken follows from each peer's own clock, and so only
delays: a flood of chat holds up what its author says behind it, for some hours at most, and nobody else.
"""
