# SPDX-License-Identifier: GPL-3.0-or-later
"""One page for everybody, which judges any saved game in a browser, without a network and without starlock.

judge     judges the bytes of a file and draws the game, for the page
browser   what Python lacks in a browser, from libsodium in WebAssembly; imported only there
held      the page that came with this starlock, and the sources in it; `made`: how it becomes one document
static/   verifier.html (what the page has before a game), verifier.css, verifier.js (takes a file, shows both
          verdicts) and python.js (Python in a worker)

The page judges twice. One judge is `starlock verify` itself with the rules: the Python of this project, in Pyodide. The
other is the independent JavaScript of the report page, which is told what was asked and believes nothing of it. The
game is drawn by the Python from the log alone, so nothing on the page is told by whoever saved the file.

`scripts/verifier.py` makes the page, and nothing on it depends on who makes it, so that its hash can be compared.
"""
