// SPDX-License-Identifier: GPL-3.0-or-later
// What the page shows as signed or computed: read from a game in which the checks have found nothing wrong.
"use strict";

const BOT = "(bot)";
// Letters that nobody sees, or that change how others are read.
const safe = text => text.normalize("NFC").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, one => `\\u{${one.codePointAt(0).toString(16)}}`);
const rowName = ([, name, level]) => level === null ? safe(name).replaceAll("(", "\\u{28}") : `${safe(name)} ${BOT}`;

class Shown {
  constructor(game) {
    this.game = game;
  }

  // A member's people, or its bots if there are none; a stranger by the first letters of its key.
  name(by) {
    const rows = this.game.rows.get(by);
    if (!rows) return by.slice(0, 8);
    const people = rows.filter(([, , level]) => level === null);
    return [...new Set((people.length ? people : rows).map(rowName))].join(", ");
  }

  // The names by seat, as the genesis has them.
  get seats() {
    const rows = this.game.founders.flatMap(by => this.game.rows.get(by));
    return rows.sort(([one], [other]) => one - other).map(rowName);
  }

  get rolls() {
    const parts = ({parts, lifted}) => parts.map(({by, committed, seed}) =>
      ({name: this.name(by), committed: hex(committed), seed: seed && hex(seed), lifted: lifted.includes(by)}));
    const dice = this.game.rolled.filter(({kind}) => kind === "roll");
    return dice.map(roll => ({...roll, parts: parts(roll), lifted: roll.lifted.map(by => this.name(by))}));
  }

  // Words of chat, and whether a member said them.
  get chat() {
    const said = this.game.star.entries.filter(({text}) => text !== undefined);
    return said.map(({height, by, text}) => [height, this.name(by), safe(text), this.game.numbers.has(by)]);
  }

  // Claims that somebody kept the table waiting.
  get waiting() {
    const owing = ({kind, body}) => kind === "clock" ? body?.[0] : kind === "result" && body?.[0] === "unanswered" ? body[1] : null;
    const claims = this.game.star.entries.filter(entry => isBytes(owing(entry)));
    return claims.map(entry => ({height: entry.height, name: this.name(entry.by), owing: this.name(hex(owing(entry)))}));
  }

  // Secret choices that the others opened.
  get opened() {
    return this.game.opened.map(({height, by}) => ({height, name: this.name(by)}));
  }

  get votes() {
    return this.game.votes.map(({height, kind, about, at, terms}) =>
      ({height, kind, out: about.map(by => this.name(by)).join(", "), at, to: kind === "takeback" ? terms[0] : null}));
  }

  get undone() {
    return this.game.undone.map(({height, what, by, value, at, voters}) =>
      ({height, what, who: by && this.name(by), value: written(value), at, voters: voters.map(each => this.name(each)).join(", ")}));
  }

  plain() {
    const {game, seats, rolls, chat, waiting, opened, votes, undone} = this;
    return {game: game.genesis.get("game"), over: game.told.open.asked.kind === "over", seats, rolls, chat, waiting, opened, votes, undone, ...claimsOf(game)};
  }
}

// A value of the log in a few letters.
function written(value) {
  if (value instanceof Uint8Array) return hex(value).slice(0, 4);
  if (Array.isArray(value)) return value.map(written).join(" ");
  if (value instanceof Map) return [...value].map(([name, each]) => `${name}: ${written(each)}`).join(" ");
  return value === null ? "–" : safe(String(value));
}

// What one member that is left knows and can choose.
const CHANCE = new Set(["roll", "shuffle"]);

// What the log proves and what it does not, as far as the checks of this page go, by code; coalitions: [t, n] for which t
// of n members can open locked dice or choices.
function claimsOf(game) {
  const {counts, rolled, star} = game, alone = game.founders.length === 1, fair = !alone && !game.genesis.get("test"), sealed = game.decks !== null;
  const voted = kind => game.votes.filter(vote => vote.kind === kind), seeded = rolled.filter(({parts}) => parts.length);
  const short = star.entries.filter(({kind, body}) => kind === "seal" && body.length > 3).map(({height}) => game.sizes.get(height)).filter(Boolean);
  const across = voted("takeback").some(({terms}) => terms[1]) || voted("without").some(({at, terms}) =>
    star.entries.some(({kind, height}) => ["share", "reveal"].includes(kind) && height >= at && height < terms[3]));
  const left = !alone && [...game.sizes].some(([height, count]) => count === 1 && CHANCE.has(game.told.heights.get(height)?.asked.kind));
  const proves = {
    "signatures": true,
    "order": true,
    "same-states": true,
    "dice-committed": fair && !left && rolled.length && seeded.length === rolled.length,
    "dice-unchosen": fair && seeded.length < rolled.length && !(game.rolls.locked && game.votes.length),
    "dice-locked": fair && rolled.length && rolled.every(({lock, parts}) => lock && parts.length),
    "cards-proven": !alone && sealed && counts.shares,
    "cards-secret": fair && !left && sealed && counts.shuffles && !across,
    "choices-fixed": fair && game.seals && !across,
  };
  const open = {
    "who-holds-a-key": true,
    "collusion": true,
    "why-somebody-was-silent": true,
    "one-member": alone,
    "one-was-left": left,
    "test-seed": game.genesis.get("test"),
    "last-opener-may-stop": !alone && rolled.some(({lock}) => !lock),
    "lock-coalition": rolled.some(({lock, parts}) => lock && parts.length),
    "dice-foreseen": rolled.some(({lock, parts}) => lock && !parts.length),
    "choice-coalition": short.length,
    "roll-without-an-absent-seed": seeded.some(({parts}) => parts.some(({seed}) => !seed)),
    "cards-are-not-secret": !sealed && (["deal", "show"].some(kind => game.asked.has(kind)) || rolled.some(({kind}) => kind === "shuffle")),
    "dealt-anew-unreviewed": counts.anew,
    "shown-and-taken-back": across,
    "parted-histories": voted("without").length,
    "programs-differed": voted("repair").length,
    "edited-position": game.genesis.get("position") !== null,
  };
  const sizes = [...rolled.filter(({lock}) => lock).map(({lock, holders}) => [lock, holders]), ...short.map(count => [threshold(count), count])];
  const coalitions = [...new Map(sizes.map(size => [size.join(), size])).values()].sort((one, other) => other[1] - one[1]);
  const held = codes => Object.keys(codes).filter(code => codes[code]);
  return {proves: held(proves), open: held(open), coalitions};
}
