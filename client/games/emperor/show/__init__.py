"""The pictures of Galactic Emperor.

pictures  all of them, by the names they are asked for
svg       the galaxy as SVG
hints     what an option means where it stands, and what it leaves
words     sentences that they share
sheets    the same as cells: boards, cards, points
fight     the battle under way: three phases
growth    what counts over time, and how battles are told when they are over
odds      the chances of a battle; whatif: with other units
"""
