# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a game as one HTML file that shows it and checks itself in any browser, without starlock and without a
network.

facts     what the page is told: story, luck, points of a game that is not over, and what the checks need besides the
          log, because the browser does not replay the rules
course    the map, the other pictures and the numbers at each moment
battles   the battles: forces, chances before, dice, forces after
eyes      what a seat of this home knew in addition
words     the texts of the page, in the language in use
made      makes the page of a saved game or of a table of this home
position  one step of a game as text, JSON or SVG
rows      games as tables of data
verifier  one page for everybody that judges any saved game, with the rules too
page      the HTML file: data, .star file, style, script and checks in one document
static/   page.html, page.css, common.js (elements, the checks in a worker), page.js (verdict, score sheet), signed.js
          (what the checks read: chat, votes, dice), course.js (pictures and curves at each moment) and told.js (story,
          battles, links and what can be shared); the checks are wire.js (hashes, CBOR, entries, the file), group.js
          (signatures, points, proofs), shuffles.js, later.js (batches for other workers), keys.js (threshold keys),
          decks.js and anew.js (sealed cards), choices.js (secret choices, open decks), members.js (genesis), votes.js
          (pacts), closing.js (which end stands), rolls.js (commitments, dice), heights.js and game.js (heights and
          what counts at each), shown.js (what the page shows of them) and worker.js; noble.js holds the curves and
          hashes, and is made by scripts/bundle.py

The page marks every word as signed or computed, which the checks read from the saved game, or as told by this program.

The checks are a second verifier: they share no code with p2p/ and seeds/, and read only the bytes of the .star file. A
false hint cannot pass: it leads to another head than the members signed, or to entries without a place.
"""
