"""Everybody gets every entry: what I hold, what I lack, what is new, over every link there is.

exchange   have, want and push of one table; forks walked back to where they part
ownfeed    whether the others confirm the end of the own feed, before anything is signed
"""
