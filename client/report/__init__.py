"""A game as one HTML file that shows it and checks itself, in any browser, without this program and without a network.

facts     what the page shows, as plain data: seats, points, story, rolls
course    what the map showed and what counted at each moment
battles   the battles: who was there, the chances before, the dice, what was left
waiting   who kept whom waiting, and what was voted
eyes      what a seat of this home knew besides
hints     what the checks need beside the log, because the rules are not replayed in the browser
words     the page's own words, in the language in use
page      the file: the data and the .star file as text, style, script and checks in one document
static/   page.html, page.css, page.js (verdict, score sheet), course.js (map and curves at each moment) and told.js
          (story, battles, links and what can be shared); the checks are wire.js (hashes, CBOR, entries, the file),
          group.js (signatures, points, proofs), shuffles.js, later.js (batches for other workers), keys.js (threshold
          keys), decks.js and anew.js (sealed cards), choices.js (secret choices, open decks), members.js (genesis),
          votes.js (pacts), rolls.js (commitments, dice), heights.js and game.js (heights and what counts at each) and
          worker.js; noble.js holds the curves and hashes, and is made by scripts/bundle.py

The checks are a second verifier: they share no code with p2p/ and seeds/, and read the bytes of the .star file alone.
A hint can only help: a false one leads to another head than the members signed, or leaves entries without a place.
"""
