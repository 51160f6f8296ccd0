// Judges saved games outside of a browser: node report_agreement.js CHECKS GAMES, with a file of one JSON
// {star: base64, hints} a line; writes one line of JSON for each, what the page's checks report of it.
"use strict";
const {readFileSync} = require("node:fs");
const {runInThisContext} = require("node:vm");

(async () => {
  const [checks, games] = process.argv.slice(2).map(path => readFileSync(path, "utf-8"));
  const {checkGame} = runInThisContext(`(() => { ${checks}; return {checkGame}; })()`);
  for (const line of games.split("\n").filter(Boolean)) {
    const {star, hints} = JSON.parse(line);
    try {
      console.log(JSON.stringify(await checkGame(new Uint8Array(Buffer.from(star, "base64")), hints, () => {})));
    } catch (error) {
      console.log(JSON.stringify({crashed: error.stack}));
    }
  }
})();
