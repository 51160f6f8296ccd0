// SPDX-License-Identifier: GPL-3.0-or-later
// Votes as the feeds tell them (PROTOCOL.md, 9): pacts, signatures and refusals, of whoever may say a word at the table.
// Words about a vote are heard in the order of the file, wherever the table stands.
"use strict";

const NAMING = new Set(["absent", "gone", "without", "repair", "moved", "free"]);
const COVERING = new Set(["absent", "without", "repair", "moved"]);
const LEAVING = new Set(["absent", "without", "moved"]);
const PARTING = new Set(["absent", "without"]);
const VOTES = new Set(["pact", "sign", "refuse"]);
const MOST_ENDS = 32;
const GUESTS = 16;
const MAX_PROPOSALS = 8;
const MAX_REPAIRS = 32;
const MAX_OVER = 64;
const NEWCOMERS = 8;
const isId = value => isBytes(value, 32);

// How many of n members must sign a pact of a kind at least; for the key of one of two, the other. left: how many it names
// that have left.
const enoughFor = (kind, n, left = 0) => {
  if (left) return Math.min(n - Math.floor(n / 2), n - left);
  const least = NAMING.has(kind) ? threshold(n) : n;
  return kind === "moved" ? Math.max(1, Math.min(least, n - 1)) : least;
};

// The key to which a pact gives seats; null for kinds that give none.
const newcomer = ({kind, terms}) => {
  const certificate = {seat: terms?.[1]?.[0], moved: terms?.[0]}[kind] ?? null;
  return Array.isArray(certificate) && isId(certificate[1]) ? hex(certificate[1]) : null;
};

// What the terms of each kind of pact look like.
const TERMS = {
  absent: terms => terms === null,
  gone: terms => terms === null,
  free: terms => terms === null,
  back: terms => terms?.length === 2 && isId(terms[0]) && isCount(terms[1]),
  seat: terms => terms?.length === 2 && isCount(terms[0]) && Array.isArray(terms[1]),
  takeback: terms => terms?.length === 2 && isCount(terms[0]) && typeof terms[1] === "boolean",
  without: terms => terms?.length === 5 && isId(terms[0]) && Array.isArray(terms[1]) && [1, 2].includes(terms[1].length) &&
    terms[1].every(isId) && typeof terms[2] === "boolean" && isCount(terms[3]) && isCount(terms[4]),
  repair: terms => terms?.length === 3 && isBytes(terms[0], 16) && Array.isArray(terms[1]) && terms[1].length <= MOST_ENDS && isCount(terms[2]),
  moved: terms => terms?.length === 2 && Array.isArray(terms[0]) && typeof terms[1] === "boolean",
  end: terms => typeof terms === "string" && terms.length > 0 && [...terms].length <= 64,
};

function readEnds(items, code, entry) {
  const ends = items.map(end => {
    const [author, seq, last] = Array.isArray(end) && end.length === 3 ? end : [];
    const empty = seq === -1 && isId(last) && last.every(byte => byte === 0);
    if (!isId(author) || !isId(last) || !(isCount(seq) || empty)) throw wrong(code, entry);
    return {author: hex(author), seq, last};
  });
  if (ends.some(({author}, number) => number && ends[number - 1].author >= author)) throw wrong(code, entry);
  return ends;
}

function readPact(entry) {
  const [kind, at, head, out, terms, attempt, over] = Array.isArray(entry.body) ? entry.body : [];
  if (entry.body?.length !== 7 || !isCount(attempt) || !Object.hasOwn(TERMS, kind) || !isCount(at) || !isId(head) || !Array.isArray(out)) throw wrong("pact/shape", entry);
  const ends = readEnds(out, "pact/out", entry);
  if ((ends.length > 0) !== NAMING.has(kind) && kind !== "repair") throw wrong("pact/out", entry);
  if (kind === "moved" && ends.length > 1) throw wrong("pact/out", entry);
  if (kind !== "end" && terms !== null && !Array.isArray(terms) || !TERMS[kind](terms)) throw wrong("pact/terms", entry);
  const read = kind === "repair" ? readEnds(terms[1], "pact/terms", entry) : [];
  if (!Array.isArray(over) || over.length > MAX_OVER || (over.length && !COVERING.has(kind) && kind !== "free") || (kind === "free" && !over.length) || !over.every(isId)) throw wrong("pact/over", entry);
  const others = over.map(hex);
  if (others.some((other, number) => number && others[number - 1] >= other)) throw wrong("pact/over", entry);
  const id = H("pact", kind, at, head, out, encode(terms), attempt, over);
  return {id, name: hex(id), kind, at, head, terms, entry, out: ends, read, named: new Set(ends.map(end => end.author)), over: new Set(others)};
}

const signersOf = (pact, members) => members.filter(member => !pact.named.has(member));

// Whether one pact counts and the other does not where both are complete.
function covers(other, pact, members) {
  if (!COVERING.has(other.kind) || ![...pact.over].every(each => other.over.has(each))) return false;
  if ((other.kind === "repair") !== (pact.kind === "repair")) return false;
  const fewer = signersOf(other, members), all = signersOf(pact, members), more = other.over.size > pact.over.size;
  const grown = fewer.every(member => all.includes(member)) && (fewer.length < all.length || more);
  return other.over.has(pact.name) || grown;
}

// Of complete pacts at one position those that count, by id: none that another covers, and one alone that cuts feeds.
function counting(complete, members) {
  const standing = complete.filter(pact => !complete.some(other => covers(other, pact, members))).sort((one, other) => compared(one.id, other.id));
  const cutting = standing.find(({kind}) => LEAVING.has(kind));
  return standing.filter(pact => !LEAVING.has(pact.kind) || pact === cutting);
}

class Ballots {
  // seated: the keys whose words belong to the log; entries: of the log; closing: the end that is believed to stand, or null.
  constructor(seated, entries, closing = null) {
    this.leaves = new Set(entries.filter(({kind}) => kind === "leave").map(({id}) => hex(id)));
    Object.assign(this, {closing, seated: new Set(seated), expected: 0, guests: new Set(), proposed: new Map(), pacts: new Map(), yes: new Map(), no: new Map(), words: new Map(), asked: [], returns: []});
  }

  // Whether an author may say that. Spectators, a few of them, say nothing but chat.
  admits(entry) {
    if (this.seated.has(entry.by)) return true;
    const strangers = [...this.guests].filter(guest => !this.seated.has(guest));
    if (entry.kind !== "chat" || (!this.guests.has(entry.by) && strangers.length >= GUESTS)) return false;
    this.guests.add(entry.by);
    return true;
  }

  hear(entry) {
    const [name, reason] = Array.isArray(entry.body) ? entry.body : [], many = entry.body?.length;
    const goesOn = entry.kind in STAGE || isResult(entry);
    if (goesOn && !this.words.get(entry.by)?.push(entry)) this.words.set(entry.by, [entry]);
    if (entry.kind === "pact") this.propose(readPact(entry));
    else if (entry.kind === "sign") {
      if (!isBytes(name) || many !== 1) throw wrong("pact/shape", entry);
      if (!this.sign(hex(name), entry)) throw wrong("pact/sign-after-refuse", entry);
    } else if (entry.kind === "refuse") {
      if (!isBytes(name) || typeof reason !== "string" || many !== 3) throw wrong("pact/shape", entry);
      if (this.said(this.yes, hex(name), entry.by)) throw wrong("pact/refuse-after-sign", entry);
      this.note(this.no, hex(name), entry);
    }
  }

  // Whom a pact leaves out at the end of a leave.
  parting({kind, out}) {
    return PARTING.has(kind) ? out.filter(({last}) => this.leaves.has(hex(last))).map(({author}) => author) : [];
  }

  // How many of these members must sign a pact at least.
  enough(pact, members) {
    return enoughFor(pact.kind, members.length, this.parting(pact).filter(member => members.includes(member)).length);
  }

  // Proposing is signing, unless its author has refused the same pact before. Of a few new owners of seats the words are
  // heard from now on.
  // Of one author few pacts at one height count, and few repairs in all.
  propose(pact) {
    const {entry} = pact, repairs = pact.kind === "repair", place = `${entry.by} ${repairs ? "repairs" : pact.at}`;
    const many = this.proposed.get(place) ?? 0;
    if (many >= (repairs ? MAX_REPAIRS : MAX_PROPOSALS)) return;
    this.proposed.set(place, many + 1);
    if (!this.pacts.has(pact.name)) this.pacts.set(pact.name, pact);
    if (pact.kind === "back" && hex(pact.terms[0]) === entry.by && pact.terms[1] === entry.seq) this.asked.push({by: entry.by, at: pact.at, seq: entry.seq});
    const key = newcomer(pact);
    if (key !== null && !this.seated.has(key) && this.expected < NEWCOMERS) {
      this.expected++;
      this.seated.add(key);
    }
    this.sign(pact.name, entry);
  }

  sign(name, entry) {
    if (this.said(this.no, name, entry.by)) return false;
    this.note(this.yes, name, entry);
    return true;
  }

  note(words, name, {by, seq}) {
    if (!words.has(name)) words.set(name, new Map());
    if (!words.get(name).has(by)) words.get(name).set(by, seq);
  }

  said(words, name, by) {
    return words.get(name)?.has(by) ?? false;
  }

  // Whether a member has signed a pact, by a vote that counts.
  signed(pact, by, members) {
    if (this.counted(pact, by) === undefined) return false;
    const apart = ["free", "repair", "without"].includes(pact.kind);
    return this.timely(pact, by, members) || (!apart && this.overtaken(pact, by, members));
  }

  timely(pact, by, members) {
    const seq = this.counted(pact, by);
    return seq !== undefined && !this.late(pact, by, seq, this.away(pact, by, members));
  }

  // The seq of a signature that may count: one of who had not asked at a later height to come back.
  counted(pact, by) {
    const seq = this.yes.get(pact.name)?.get(by), since = this.since(by, pact.at);
    const asked = this.asked.some(each => each.by === by && each.at > pact.at && since < each.seq && each.seq < seq);
    if (asked && this.goesBack(pact, by)) return undefined;
    return seq === undefined || (this.closing?.counts(pact, by, seq) ?? true) ? seq : undefined;
  }

  // Whether a signature may undo what its author has accepted since: a free only what left it out, or what it has signed.
  goesBack(pact, by) {
    if (pact.kind !== "free") return !["repair", "without"].includes(pact.kind);
    return [...pact.over].some(other => this.pacts.get(other)?.named.has(by) || (this.pacts.has(other) && this.said(this.yes, other, by)));
  }

  // Whether a pact here leaves its author out by timely votes alone, and no other such pact covers that.
  overtaken(pact, by, members) {
    const here = [...this.pacts.values()].filter(other => {
      const signers = signersOf(other, members), many = signers.length >= this.enough(other, members);
      return other.at === pact.at && same(other.head, pact.head) && LEAVING.has(other.kind) && many &&
        signers.every(member => this.timely(other, member, members)) && !this.freed(other, members);
    });
    return counting(here, members).some(each => each.named.has(by));
  }

  // Whether a vote comes after its author has spoken at a later height, or said how the game has ended there: a free, after it has gone on by a pact of the list;
  // a repair without somebody, unless its author's own program had differed there. Between gone and back its author has
  // spoken in a history that a free has ended.
  late(pact, by, seq, [gone, back] = [Infinity, Infinity]) {
    if (pact.kind === "free") return [...pact.over].some(other => this.beyond(by, pact.at, seq) > (this.yes.get(other)?.get(by) ?? seq));
    const passed = this.beyond(by, pact.at, Math.min(seq, gone)) >= 0 || this.beyond(by, pact.at, seq) > back;
    const late = pact.kind !== "without" && passed;
    const other = ({kind, height, head, state}) => kind in STAGE && height === pact.at && same(head, pact.head) && !same(state, pact.terms[0]);
    const there = entry => other(entry) && this.beyond(by, pact.at, entry.seq) < 0;
    return late && (pact.kind !== "repair" || (pact.out.length > 0 && !this.words.get(by).some(there)));
  }

  // The seqs of an author's first signature here of a pact that only a free keeps from being complete, and of its first vote
  // here after it has spoken beyond since.
  away({at, head, kind}, by, members) {
    const here = [...this.pacts.values()].filter(pact => pact.at === at && same(pact.head, head));
    if (kind === "free" || !here.some(pact => pact.kind === "free")) return [Infinity, Infinity];
    const listed = new Set(this.freeing({at, head}, members).flatMap(free => [...free.over]));
    const voted = pact => this.yes.get(pact.name)?.get(by) ?? Infinity;
    const ended = here.filter(pact => listed.has(pact.name) && pact.kind !== "free" && this.carried(pact, members));
    const gone = Math.min(Infinity, ...ended.map(voted));
    return [gone, Math.min(Infinity, ...here.map(voted).filter(seq => seq > gone && this.beyond(by, at, seq) > gone))];
  }

  // Whether all signers of a pact have signed it in time, whether a free lists it or not.
  carried(pact, members) {
    const signers = signersOf(pact, members), seq = by => this.counted(pact, by);
    return signers.length >= this.enough(pact, members) && signers.every(by => seq(by) !== undefined && !this.late(pact, by, seq(by)));
  }

  // The seq of the last entry before another one that names a greater height, and counts for all that this height knows of
  // returns; -1 without one.
  beyond(by, height, before) {
    const since = this.since(by, height);
    return this.words.get(by)?.findLast(entry => entry.seq < before && entry.seq > since && entry.height > height)?.seq ?? -1;
  }

  // The seq after which an author counts, for all that a height knows of returns.
  since(by, height) {
    return Math.max(-1, ...this.returns.filter(each => each.by === by && each.height <= height).map(({seq}) => seq));
  }

  complete(pact, members) {
    const signers = signersOf(pact, members), enough = this.enough(pact, members);
    const signed = signers.filter(member => this.signed(pact, member, members)).length;
    if (pact.kind === "free") return this.freeing(pact, members).includes(pact);
    return signers.length >= enough && signed === signers.length && !this.freed(pact, members);
  }

  // Whether t members have freed those who are bound by a pact: it counts as refused.
  freed(pact, members) {
    return this.freeing(pact, members).some(free => free.over.has(pact.name));
  }

  // The complete frees at the position of a pact: enough have signed them, and none of them frees from another.
  freeing({at, head}, members) {
    const frees = [...this.pacts.values()].filter(free => free.kind === "free" && free.at === at && same(free.head, head));
    const done = frees.filter(free => signersOf(free, members).filter(by => this.signed(free, by, members)).length >= enoughFor("free", members.length));
    const found = new Map(), stands = free => {
      if (!found.has(free)) found.set(free, !done.some(other => other.over.has(free.name) && stands(other)));
      return found.get(free);
    };
    return done.filter(stands);
  }

  dead(pact, members) {
    return signersOf(pact, members).some(member => this.said(this.no, pact.name, member));
  }

  // The complete pacts of a position that count, by id.
  effective(height, head, members) {
    const here = [...this.pacts.values()].filter(pact => pact.at === height && same(pact.head, head) && pact.kind !== "free");
    return counting(here.filter(pact => this.complete(pact, members)), members);
  }
}
