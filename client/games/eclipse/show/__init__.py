"""The pictures of Eclipse.

pictures   all of them, by the names they are asked for
map        the galaxy and its sectors as text; svg: the same as SVG
boards     players' boards, one seat in full, the points so far
tech       the tray of technologies, ship parts
battle     who fights, in which order, and what each ship can do
fight      the battle under way: dice, advised targets, chances
odds       chances of battles on the map; whatif: of any other
hints      what an option means where it stands
galactic   sectors of Galactic Events; wanderers: shrines and boards of the species of expansions
words      short forms that they share
forms      the questions that are answered on a sheet; sheets: boards, tray, points and battles
growth     what counts over time, and how battles are told when they are over
"""
