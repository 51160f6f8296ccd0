// SPDX-License-Identifier: GPL-3.0-or-later
// What the page shows as signed or computed: read from a game in which the checks have found nothing wrong.
"use strict";

// Names and chat are shown as starlock shows them everywhere (client/system/names.py): nothing in them hides, turns the
// line round or imitates another name. NAMES comes from there.
const MISLEADING = new RegExp(`[${NAMES.invisible}\\p{C}\\p{Z}]`, "u");
const MARK = new RegExp(`[${NAMES.joining}\\p{M}]`, "u");
const WIDE = new RegExp(`[${NAMES.wide}]`, "u");
const spelt = letter => `\\u{${letter.codePointAt(0).toString(16)}}`;
const safe = text => text.normalize("NFC").split(" ").map(safeWord).join(" ");

function safeWord(word) {
  const latin = /\p{Script=Latin}/u.test(word);
  let marks = 0;
  return [...word].map(letter => {
    marks = MARK.test(letter) ? marks + 1 : 0;
    return marks > NAMES.marks || MISLEADING.test(letter) || (latin && letter in NAMES.twins) ? spelt(letter) : letter;
  }).join("");
}

const columnsOf = letters => letters.reduce((sum, one) => sum + (MARK.test(one) ? 0 : WIDE.test(one) ? 2 : 1), 0);

function clipped(text, limit = NAMES.columns) {
  const letters = [...safe(text)];
  if (columnsOf(letters) <= limit) return letters.join("");
  while (columnsOf(letters) > limit - 1) letters.pop();
  return `${letters.join("")}…`;
}

// How a name looks: equal for names that are easily taken for one another.
function skeleton(name) {
  const letters = [...name.normalize("NFKD").replace(/\p{M}/gu, "")].map(letter => NAMES.twins[letter] ?? letter);
  return NAMES.alike.reduce((plain, [drawn, seen]) => plain.replaceAll(drawn, seen), letters.join("").toLowerCase());
}

// A bot's name ends with its sign, and no person's does. None has what stands around and between names.
const without = (name, signs) =>
  [...name].map(one => [...one.normalize("NFKD")].some(each => signs.includes(each)) ? spelt(one) : one).join("");
const plainName = (name, limit) => clipped(without(name, NAMES.framing), limit);
function rowName([, name, level]) {
  if (level !== null) return `${plainName(name, NAMES.columns - NAMES.bot.length - 1)} ${NAMES.bot}`;
  return plainName(skeleton(name).includes(skeleton(NAMES.bot)) ? without(name, "(") : name);
}

class Shown {
  constructor(game) {
    this.game = game;
  }

  // A member's people, or its bots if there are none; a stranger by the first letters of its key.
  name(by) {
    const rows = this.game.rows.get(by);
    if (!rows) return by.slice(0, 8);
    const people = rows.filter(([, , level]) => level === null);
    const names = [...new Set((people.length ? people : rows).map(rowName))];
    return names.length === 1 ? names[0] : clipped(names.join(NAMES.joint));
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
// What may show something hidden to somebody.
const SHOWING = new Set(["share", "reveal"]);
const LOCKED_FROM = 3;

// Whether members have read on from a difference, or have signed two states at a position that a vote has ended.
function statesDiffered({star, heads, numbers, votes}) {
  const named = new Map(), known = ({height, head}) => heads.has(height) && same(heads.get(height), head);
  const said = star.entries.filter(entry => entry.kind in STAGE && numbers.has(entry.by) && known(entry));
  for (const {height, state} of said) if (!named.has(height)) named.set(height, state);
  return votes.some(({kind}) => kind === "repair") || said.some(({height, state}) => !same(named.get(height), state));
}

// What the log proves and what it does not, as far as the checks of this page go, by code; coalitions: [t, n] for which t
// of n members can open locked dice or choices.
function claimsOf(game) {
  const {counts, rolled, star} = game, alone = game.founders.length === 1, fair = !alone && !game.genesis.get("test"), sealed = game.decks !== null;
  const voted = kind => game.votes.filter(vote => vote.kind === kind), seeded = rolled.filter(({parts}) => parts.length);
  const short = star.entries.filter(({kind, body}) => kind === "seal" && body.length > 3).map(({height}) => game.sizes.get(height)).filter(Boolean);
  const showing = star.entries.filter(({kind}) => SHOWING.has(kind)), members = [...game.sizes.values()];
  const reached = showing.filter(({by, height}) => game.numbers.has(by) && height <= game.height);
  const across = voted("takeback").some(({terms}) => terms[1]) || reached.some(({height, head}) => !game.heads.has(height) || !same(game.heads.get(height), head)) ||
    voted("without").some(({at, terms}) => showing.some(({height}) => height >= at && height < terms[3])) ||
    voted("repair").some(({at, terms}) => showing.some(({by, seq, height}) => height >= at && terms[1].some(([author, last]) => hex(author) === by && seq <= last)));
  const grown = members.some((many, at) => many >= LOCKED_FROM && members[at - 1] < LOCKED_FROM);
  const later = rolled.some(({parts}, at) => parts.length && at && !rolled[at - 1].parts.length);
  const left = !alone && [...game.sizes].some(([height, count]) => count === 1 && CHANCE.has(game.told.heights.get(height)?.asked.kind));
  const proves = {
    "signatures": true,
    "order": true,
    "same-states": !statesDiffered(game),
    "dice-committed": fair && !left && rolled.length && seeded.length === rolled.length,
    "dice-unchosen": fair && seeded.length < rolled.length && !grown && !later && !(game.rolls.locked && game.votes.length),
    "dice-locked": fair && rolled.length && rolled.every(({lock, parts}) => lock && parts.length),
    "cards-proven": !alone && sealed && counts.shares,
    "cards-secret": fair && !left && sealed && counts.shuffles && !across,
    "choices-fixed": fair && game.seals && !across,
  };
  const open = {
    "who-holds-a-key": true,
    "collusion": true,
    "why-somebody-was-silent": true,
    "last-words": true,
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
