// SPDX-License-Identifier: GPL-3.0-or-later
// Votes as the feeds tell them (PROTOCOL.md, 9): pacts, signatures and refusals, of whoever may say a word at the table.
// Words about a vote are heard in the order of the file, wherever the table stands.
"use strict";

const NAMING = new Set(["absent", "gone", "without", "rewind"]);
const LEAVING = new Set(["absent", "without", "rewind"]);
const RESUMING = new Set(["without", "rewind"]);
const GUESTS = 16;
const isId = value => isBytes(value, 32);

// What the terms of each kind of pact look like.
const TERMS = {
  absent: terms => terms === null,
  gone: terms => terms === null,
  back: terms => terms?.length === 2 && isId(terms[0]) && isCount(terms[1]),
  seat: terms => terms?.length === 2 && isCount(terms[0]) && Array.isArray(terms[1]),
  takeback: terms => terms?.length === 2 && isCount(terms[0]) && typeof terms[1] === "boolean",
  without: terms => terms?.length === 4 && isId(terms[0]) && Array.isArray(terms[1]) && [1, 2].includes(terms[1].length) &&
    terms[1].every(isId) && isCount(terms[2]) && isCount(terms[3]),
  rewind: terms => terms?.length === 2 && terms.every(isCount),
  end: terms => typeof terms === "string" && terms.length > 0 && [...terms].length <= 64,
};

function readPact(entry) {
  const [kind, at, head, out, terms, attempt] = Array.isArray(entry.body) ? entry.body : [];
  if (entry.body?.length !== 6 || !isCount(attempt) || !Object.hasOwn(TERMS, kind) || !isCount(at) || !isId(head) || !Array.isArray(out)) throw wrong("pact/shape", entry);
  const ends = out.map(end => {
    const [author, seq, last] = Array.isArray(end) && end.length === 3 ? end : [];
    const empty = seq === -1 && isId(last) && last.every(byte => byte === 0);
    if (!isId(author) || !isId(last) || !(isCount(seq) || empty)) throw wrong("pact/out", entry);
    return {author: hex(author), seq, last};
  });
  if (ends.some(({author}, number) => number && ends[number - 1].author >= author)) throw wrong("pact/out", entry);
  if ((ends.length > 0) !== NAMING.has(kind) && kind !== "rewind") throw wrong("pact/out", entry);
  if (kind !== "end" && terms !== null && !Array.isArray(terms) || !TERMS[kind](terms)) throw wrong("pact/terms", entry);
  const id = H("pact", kind, at, head, out, encode(terms), attempt);
  return {id, name: hex(id), kind, at, head, terms, entry, out: ends, named: new Set(ends.map(end => end.author))};
}

const signersOf = (pact, members) => members.filter(member => !pact.named.has(member));

class Ballots {
  // seated: the keys whose words belong to the log.
  constructor(seated) {
    Object.assign(this, {seated: new Set(seated), guests: new Set(), pacts: new Map(), yes: new Map(), no: new Map()});
  }

  // Spectators, a few of them, say nothing but chat.
  admit(entry) {
    if (this.seated.has(entry.by)) return;
    if (entry.kind !== "chat" || (!this.guests.has(entry.by) && this.guests.size >= GUESTS)) throw wrong("entry/stranger", entry);
    this.guests.add(entry.by);
  }

  hear(entry) {
    const [name, reason] = Array.isArray(entry.body) ? entry.body : [], many = entry.body?.length;
    if (entry.kind === "pact") this.propose(readPact(entry));
    else if (entry.kind === "sign") {
      if (!isBytes(name) || many !== 1) throw wrong("pact/shape", entry);
      if (!this.sign(hex(name), entry.by)) throw wrong("pact/sign-after-refuse", entry);
    } else if (entry.kind === "refuse") {
      if (!isBytes(name) || typeof reason !== "string" || many !== 3) throw wrong("pact/shape", entry);
      if (this.said(this.yes, hex(name), entry.by)) throw wrong("pact/refuse-after-sign", entry);
      this.note(this.no, hex(name), entry.by);
    }
  }

  // Proposing is signing, unless its author has refused the same pact before. A seat's new owner may speak from now on.
  propose(pact) {
    if (!this.pacts.has(pact.name)) this.pacts.set(pact.name, pact);
    const key = pact.kind === "seat" && Array.isArray(pact.terms[1][0]) ? pact.terms[1][0][1] : null;
    if (isBytes(key)) this.seated.add(hex(key));
    this.sign(pact.name, pact.entry.by);
  }

  sign(name, by) {
    if (this.said(this.no, name, by)) return false;
    this.note(this.yes, name, by);
    return true;
  }

  note(words, name, by) {
    if (!words.has(name)) words.set(name, new Set());
    words.get(name).add(by);
  }

  said(words, name, by) {
    return words.get(name)?.has(by) ?? false;
  }

  complete(pact, members) {
    const signers = signersOf(pact, members), enough = NAMING.has(pact.kind) ? threshold(members.length) : members.length;
    return signers.length >= enough && signers.every(member => this.said(this.yes, pact.name, member));
  }

  dead(pact, members) {
    return signersOf(pact, members).some(member => this.said(this.no, pact.name, member));
  }

  // The complete pacts of a position, by id: none that another covers, which leaves out some of its signers and asks nobody else.
  effective(height, head, members) {
    const done = [...this.pacts.values()].filter(pact => pact.at === height && same(pact.head, head) && this.complete(pact, members));
    const covers = (other, pact) => {
      const fewer = signersOf(other, members), all = signersOf(pact, members);
      return LEAVING.has(other.kind) && fewer.length < all.length && fewer.every(member => all.includes(member));
    };
    return done.filter(pact => !done.some(other => covers(other, pact))).sort((one, other) => compared(one.id, other.id));
  }
}
