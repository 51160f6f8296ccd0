// SPDX-License-Identifier: GPL-3.0-or-later
// Which end of a log stands, whatever its members have voted after they signed it (PROTOCOL.md, 6).
"use strict";

const TRIED = 4;

// What says under its head how the game ended, and is no claim.
function isResult({kind, body}) {
  const claim = Array.isArray(body) && body.length === 3 && body[0] === "unanswered" && isBytes(body[1]) && typeof body[2] === "string";
  return kind === "result" && !claim;
}

// What a result says: how the game ended; by seat its place, its points and those of each kind; who was given up.
function endIn(body) {
  const [ending, scores, given] = items(body, 3);
  const isPart = part => Array.isArray(part) && part.length === 2 && isName(part[0]) && isWhole(part[1]);
  const isScore = score => Array.isArray(score) && score.length === 3 && score.slice(0, 2).every(isWhole) && isList(score[2], isPart);
  return isName(ending) && isList(scores, isScore) && isList(given, key => isBytes(key, 32)) ? {ending, scores, given: given.map(hex)} : undefined;
}

// An end that members have signed: its height and head, and by author the seq of the first result there.
class Closing {
  constructor({head, height}) {
    Object.assign(this, {head, height, results: new Map()});
  }

  // Whether a vote on a pact counts that its author has signed with the entry of this seq.
  counts(pact, by, seq) {
    return same(pact.head, this.head) || seq < (this.results.get(by) ?? seq + 1);
  }
}

// The ends that a vote may have undone, those that most have signed first: some of these, and the last of each author.
function closings(entries) {
  const found = new Map(), last = new Map(), latest = new Map();
  for (const entry of entries) {
    const name = `${entry.height} ${hex(entry.head)}`;
    if (isResult(entry)) {
      if (!found.has(name)) found.set(name, new Closing(entry));
      if (!found.get(name).results.has(entry.by)) found.get(name).results.set(entry.by, entry.seq);
      latest.set(entry.by, name);
    } else if (entry.kind === "pact" || entry.kind === "sign") last.set(entry.by, entry.seq);
  }
  const voted = [...found.values()].filter(({results}) => [...results].some(([by, seq]) => (last.get(by) ?? -1) > seq));
  voted.sort((one, other) => other.results.size - one.results.size || one.height - other.height || compared(one.head, other.head));
  const chosen = new Set(latest.values());
  return voted.filter(({height, head}, number) => number < TRIED || chosen.has(`${height} ${hex(head)}`));
}

// Whether an end of which nothing was told may stand in place of that of this game: all have signed it whom no vote from
// before has left out, and where the other one stands, one of these has voted after it for what leads there. Not if it
// leaves out somebody who has signed the other one, and that one nobody of here.
function mayStand(closing, entries, {founders, head, way, ballots, members, cut}, stands) {
  const left = leftAt(closing, entries, founders), behind = (pact, by) => ballots.counted(pact, by) >= closing.results.get(by);
  const leading = way.filter(pact => !same(pact.head, closing.head) && !same(pact.head, head));
  if (same(closing.head, head) || !left.every(member => closing.results.has(member))) return false;
  const spares = members.some(member => founders.includes(member) && !cut.has(member) && !left.includes(member)) && !left.some(member => cut.has(member));
  return !stands || !spares && leading.some(pact => left.some(by => !pact.named.has(by) && behind(pact, by)));
}

// Who may have to sign an end: whom no vote from before it leaves out, and whom one lets back. Of two votes that are both
// complete, that of the lower height counts first: by whom it leaves out the other one is perhaps not complete.
function leftAt(closing, entries, members) {
  const ballots = new Ballots(members, entries, closing), back = new Set();
  for (const entry of entries) if (VOTES.has(entry.kind) || entry.kind in STAGE || isResult(entry)) ballots.hear(entry);
  const pacts = [...ballots.pacts.values()].sort((one, other) => one.at - other.at || compared(one.id, other.id));
  let present = [...members];
  for (let before = 0; before !== present.length;) {
    before = present.length;
    for (const pact of pacts) {
      if (pact.kind === "back" && ballots.complete(pact, present)) back.add(hex(pact.terms[0]));
      if (LEAVING.has(pact.kind) && ballots.complete(pact, present)) present = present.filter(member => !pact.named.has(member));
    }
  }
  return [...present, ...back];
}
