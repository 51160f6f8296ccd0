# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Eclipse.

pictures   all of them, by their command names
map        the galaxy, and its sectors in words; pieces: what stands on them
boards     players' boards, side by side and one in full; the points so far
tech       technologies, ship parts, and the research tray as shelves
fight      contested sectors and the present battle: dice, advised targets, chances
odds       chances of battles on the map; whatif: of hypothetical battles
hints      the meaning of an option in the present position
galactic   what expansions add: sectors of Galactic Events, shrines, boards
words      short forms that the pictures share
forms      the questions with a sheet, such as the ships of an upgrade
counts     figures of a seat and numbers over time
"""
