// Runs the checks of report pages outside of a browser: node report_checks.js PAGE …, one line of JSON for each. Of a page
// named PAGE@OFFSET:BIT that bit of its saved game is changed before. Of PAGE@KIND the first entry of that kind is read,
// found to be signed, and then changed: a fault that only its proof, commitment or hash can show.
"use strict";
const {readFileSync} = require("node:fs");
const {runInThisContext} = require("node:vm");

const checksOf = page => /^function checks\(\) \{\n([^]*?)\n\} \/\/ checks$/m.exec(page)[1];
const part = (page, id) => new RegExp(`<script type="[a-z/]+" id="${id}">([^]*?)</script>`).exec(page)[1];

// A bit in what was proven last, or in the first thing that was said of an opening or a dealing.
function alter(entry) {
  const found = [];
  const look = value => value instanceof Uint8Array ? found.push(value) : Array.isArray(value) && value.forEach(look);
  look(entry.body);
  const bytes = ["open", "keys"].includes(entry.kind) ? found[0] : found.at(-1);
  const changed = new Uint8Array(bytes);
  changed[changed.length - 32] ^= 1;
  const put = value => value === bytes ? changed : Array.isArray(value) ? value.map(put) : value;
  entry.body = put(entry.body);
}

async function checkAltered({readStar, readTold, fromBase64, Game, Problem}, bytes, {told, refused}, kind) {
  const star = {entries: []};
  readStar(bytes, star);
  const entry = star.entries.find(each => each.kind === kind);
  alter(entry);
  try {
    const game = new Game(star, readTold(fromBase64(told), star.table), refused);
    await game.open();
    await game.run_through(() => {});
    return {kind, altered: entry.number, found: null};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {kind, altered: entry.number, found: error.entry, code: error.code};
  }
}

(async () => {
  let checks = null;
  for (const word of process.argv.slice(2)) {
    const [path, change] = word.split("@");
    const page = readFileSync(path, "utf-8");
    checks ??= runInThisContext(`(() => { ${checksOf(page)}; return {checkGame, readStar, readTold, fromBase64, Game, Problem}; })()`);
    const star = new Uint8Array(Buffer.from(part(page, "star"), "base64"));
    const {hints: beside, seats} = JSON.parse(part(page, "data")).facts, hints = {...beside, seats};
    const [offset, bit] = (change ?? "").split(":").map(Number);
    if (bit >= 0) star[offset] ^= 1 << bit;
    const altered = change && bit === undefined;
    const report = altered ? checkAltered(checks, star, hints, change) : checks.checkGame(star, hints, () => {});
    console.log(JSON.stringify(await report));
  }
})();
