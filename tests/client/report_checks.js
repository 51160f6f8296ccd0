// Runs the checks of report pages outside of a browser: node report_checks.js PAGE …, one line of JSON for each. Of a page
// named PAGE@OFFSET:BIT that bit of its saved game is changed before.
"use strict";
const {readFileSync} = require("node:fs");
const {runInThisContext} = require("node:vm");

const part = (page, id) => new RegExp(`<script type="[a-z/]+" id="${id}">([^]*?)</script>`).exec(page)[1];

(async () => {
  let check = null;
  for (const word of process.argv.slice(2)) {
    const [path, change] = word.split("@");
    const page = readFileSync(path, "utf-8");
    check ??= runInThisContext(`(() => { ${part(page, "checks")}; return checkGame; })()`);
    const star = new Uint8Array(Buffer.from(part(page, "star"), "base64"));
    const [offset, bit] = (change ?? "").split(":").map(Number);
    if (change) star[offset] ^= 1 << bit;
    const {hints} = JSON.parse(part(page, "data")).facts;
    console.log(JSON.stringify(await check(star, hints, () => {})));
  }
})();
