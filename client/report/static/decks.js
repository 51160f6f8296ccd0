// SPDX-License-Identifier: GPL-3.0-or-later
// Sealed decks: shuffles with their proofs, cards that change their reader, shares, and the cards that they open.
// A sealed card is a pair (A, B) = (r G, M + r Y); Y is the sum of the keys of all members.
"use strict";

const handleName = ([deck, index]) => `${deck} ${index}`;
const handleOf = name => [name.slice(0, name.lastIndexOf(" ")), Number(name.slice(name.lastIndexOf(" ") + 1))];

// The keys to which the decks are sealed: one generation for each set of members that hold seats for good.
class Keyring {
  constructor(table, generation, members) {
    Object.assign(this, {table, generation, members, points: new Map(), roster: rosterHash(members.map(fromHex))});
  }

  get complete() { return this.points.size === this.members.length; }

  add(entry, packed) {
    const point = isBytes(packed, 96) ? readPoint(packed.slice(0, 32)) : null;
    if (!point || !areProofs(packed.slice(32))) throw wrong("deck/form", entry);
    if (!proofHolds("pok", [this.table, this.generation, this.roster, entry.author], logarithm(point), packed.slice(32))) throw wrong("deck/key-proof", entry);
    this.points.set(entry.by, point);
    if (this.complete) this.public = sum(this.members.map(member => this.points.get(member)));
  }

  // The same keys under other names.
  handOn(named) {
    this.members = this.members.map(named);
    this.points = new Map([...this.points].map(([member, point]) => [named(member), point]));
  }

  place(author, ...what) {
    return [this.table, this.generation, this.roster, encoded(this.public), ...what, author];
  }
}

// What an entry's body says beyond its basis: these entries of its height.
function restingOn(entry, before) {
  checkTurn(entry, before);
  const [basis, said] = items(entry.body, 2);
  if (!isBytes(basis, 32)) throw wrong("entry/basis", entry);
  if (!same(basis, H("basis", before.map(each => each.id)))) throw wrong("entry/other-basis", entry);
  return said;
}

// The pairs [A, B] of a message of `count` cards.
const readPairs = (bytes, count) => inPairs(readPoints(bytes, 2 * count));

// A pair [A, B] as bytes or as points: each is made of the other once somebody needs it.
class Sealed {
  constructor(bytes, points = null) {
    Object.assign(this, {bytes, read: points});
  }

  get packed() {
    return this.bytes ??= pack(this.read);
  }

  // Of a shuffle that is checked later, and may not be in due form.
  get points() {
    this.read ??= readPoints(this.bytes, 2);
    if (!this.read) throw new Problem("deck/form", "cards");
    return this.read;
  }
}

const lain = (deck, sealed, known = null) => ({deck, pairs: [{sealed, reader: null, shown: false, shares: new Map()}], known});

class Decks {
  constructor(game) {
    Object.assign(this, {game, ring: new Keyring(game.table, 0, [...game.members]), laid: false, old: null, unlaid: [], layouts: [], looks: [], opened: []});
    Object.assign(this, {version: 0, entered: new Map(), points: new Map(), numbers: new Map(), lying: new Map(), spent: new Map()});
  }

  get members() { return this.ring.members; }

  // Whether a deck has to be dealt anew before cards are asked for.
  get undealt() {
    this.layOut();
    return this.unlaid.length > 0;
  }

  // A commitment shows its author's deck key where that is still missing, and none anywhere else.
  addKey(entry, packed) {
    if (this.members.includes(entry.by) && !this.ring.points.has(entry.by)) this.ring.add(entry, packed);
    else if (packed !== null) throw wrong("deck/form", entry);
  }

  // Other members hold seats for good: new keys, under which the decks are dealt anew.
  hold(members, renew = false) {
    if (!renew && members.length === this.members.length && members.every((member, at) => member === this.members[at])) return;
    if (this.laid && !this.unlaid.length) this.old = {ring: this.ring, version: this.version, numbers: this.numbers, lying: this.lying, spent: this.spent};
    this.ring = new Keyring(this.game.table, this.ring.generation + 1, members);
    this.game.dealtSince = this.game.height;
    Object.assign(this, {laid: false, unlaid: [], layouts: []});
  }

  // Let another table key read what the old one could: who moves keeps its secret, and so its hand.
  handOn(old, by) {
    const named = member => member === old ? by : member, kept = this.old ? [this, this.old] : [this];
    const cards = kept.flatMap(({lying, spent}) => [...lying.values(), ...spent.values()]);
    kept.forEach(({ring}) => ring.handOn(named));
    for (const pair of new Set(cards.flatMap(card => card.pairs))) {
      pair.reader = named(pair.reader);
      pair.shares = new Map([...pair.shares].map(([member, share]) => [named(member), share]));
    }
    this.looks = this.looks.map(look => ({...look, member: named(look.member)}));
  }

  // Begin with the decks of these keys, once all are there. What everybody knows lies there already.
  layOut() {
    if (this.laid || !this.ring.complete) return;
    this.laid = true;
    this.game.dealtSince = this.old ? this.game.height : 0;
    if (this.old) {
      const {version, numbers, lying, spent} = this.old;
      Object.assign(this, {version: version + 1, numbers: new Map(numbers), lying: this.known(lying), spent: this.known(spent)});
      this.unlaid = [...new Set([...lying.values()].filter(card => card.known === null).map(card => card.deck))].sort();
    }
    this.noteLayout(this.game.height);
  }

  // Those of the cards that everybody knows, under the new keys.
  known(cards) {
    const sealed = card => this.fresh(this.cardPoint(card.deck, this.points.get(card.known).number));
    return new Map([...cards].filter(([, card]) => card.known !== null).map(([name, card]) => [name, lain(card.deck, sealed(card), card.known)]));
  }

  // A card sealed with r = 1, for all to see.
  fresh(point) {
    return new Sealed(null, [Ristretto.BASE, point.add(this.ring.public)]);
  }

  cardPoint(deck, number) {
    return hashPoint("card", this.game.table, deck, number);
  }

  noteLayout(height) {
    this.layouts.push({height, lying: new Map(this.lying), spent: new Map(this.spent), numbers: new Map(this.numbers)});
  }

  // The open height: what it asked, the entries that count there, and its result; ended: a pact ended it.
  take(asked, due, result, ended) {
    this.reading = null;
    if (!["shuffle", "deal", "show", "reveal"].includes(asked.kind)) return;
    this.layOut();
    const of = kind => due.filter(entry => entry.kind === kind), early = due.find(entry => ANEW.includes(entry.kind));
    if (!this.laid && early) throw wrong("entry/kind", early);
    if (!this.laid) return;
    if (asked.kind === "shuffle") this.shuffle(asked, of("shuffle"), ended);
    else this.read(asked, of("remask"), of("share"), result, ended);
  }

  // Whether sealed cards may have been shown to somebody at or above a height of the present game.
  shownSince(to) {
    const {line, told} = this.game, asked = line.filter(height => height >= to).map(height => told.heights.get(height)?.asked);
    const reads = wait => ["deal", "show", "reveal"].includes(wait?.kind) && wait.handles.some(([deck]) => this.entered.has(deck));
    return this.laid && asked.some(reads);
  }

  // Cards that all know since a height count as sealed again, as far as they lie there.
  closeSince(to) {
    const before = this.opened.filter(([height]) => height < to), stays = new Set(before.map(([, name]) => name));
    for (const [, name] of this.opened) {
      const card = stays.has(name) ? undefined : this.lying.get(name) ?? this.spent.get(name);
      if (card) card.known = null;
    }
    this.opened = before;
  }

  goBack(to) {
    this.layouts = this.layouts.filter(each => each.height <= to);
    const layout = this.layouts.at(-1);
    this.lying = new Map(layout?.lying);
    this.spent = new Map(layout?.spent);
    this.numbers = new Map(layout?.numbers);
    this.looks = this.looks.filter(look => look.height < to);
    this.closeSince(to);
  }

  // Who owes an entry to the open height, as far as these have been said; without: who of some has said nothing of a kind.
  owing({kind, members}, due, without) {
    const turn = word => this.members.slice(due.filter(entry => entry.kind === word).length).slice(0, 1);
    if (kind === "shuffle") return members.length ? turn("shuffle") : [];
    if (kind === "anew") {
      if (!this.undealt) return [];
      const readers = new Anew(this).hands.map(hand => hand.reader);
      return [turn("shuffle"), without(readers, "remask"), turn("tag"), without(this.members, "share")].find(some => some.length) ?? [];
    }
    if (!this.laid || !this.reading) return [];
    const masking = this.members.filter(member => this.owingRemask(member).length);
    return masking.length ? masking : this.members.filter(member => this.owingShare(member).length);
  }

  // Shuffles ---------------------------------------------------------------------------------------------------------

  shuffle({deck, members, handles}, entries, ended) {
    if (!members.length && entries.length) throw wrong("entry/not-asked", entries[0]);
    if (!members.length) return;
    const first = this.entered.get(deck) ?? 0;
    const before = members.map(member => Array.isArray(member) ? this.card(member).pairs.at(-1).sealed : this.enter(deck, member));
    this.version++;
    const cards = this.shuffled(deck, this.version, before, entries);
    if (ended) return;
    const added = Array.from({length: (this.entered.get(deck) ?? 0) - first}, (_, at) => first + at);
    this.numbers.set(deck, [...this.numbers.get(deck) ?? [], ...added]);
    for (const member of members.filter(Array.isArray)) {
      this.spent.set(handleName(member), this.card(member));
      this.lying.delete(handleName(member));
    }
    handles.forEach((handle, at) => this.lying.set(handleName(handle), lain(deck, cards[at])));
    this.noteLayout(this.game.height + 1);
  }

  // What the shuffles of all members, one after the other, make of the cards; their proofs are kept to be checked.
  // later: what has been said of later stages, which waits where a shuffle is missing.
  shuffled(deck, version, cards, entries, later = []) {
    const turns = [...entries].sort((one, other) => this.members.indexOf(one.by) - this.members.indexOf(other.by));
    turns.forEach((entry, turn) => {
      if (entry.by !== this.members[turn]) throw wrong("deck/not-your-turn", entry);
      const body = restingOn(entry, turns.slice(0, turn)), shuffled = shuffledCards(body, cards.length);
      if (!shuffled) throw wrong("deck/form", entry);
      const [packed, scalars] = body, before = joined(cards.map(card => card.packed));
      this.game.later.add("shuffles", entry, {place: this.ring.place(entry.author, deck, version), key: encoded(this.ring.public), before, packed, scalars});
      cards = shuffled.map(bytes => new Sealed(bytes));
      this.game.counts.shuffles++;
    });
    if (turns.length !== this.members.length && later.length) throw wrong("anew/not-your-turn", later[0]);
    if (turns.length !== this.members.length) throw new Problem("log/gap", `height ${this.game.height}`);
    return cards;
  }

  // A new card enters its deck.
  enter(deck, face) {
    const number = this.entered.get(deck) ?? 0, point = this.cardPoint(deck, number);
    this.entered.set(deck, number + 1);
    this.points.set(hex(encoded(point)), {number, face});
    return this.fresh(point);
  }

  // Readings ---------------------------------------------------------------------------------------------------------

  read({kind, seat, handles: asked}, remasks, shares, result, ended) {
    const owner = kind === "reveal" ? null : this.game.owner.get(seat);
    const reader = this.members.includes(owner) ? owner : null, gone = owner !== null && reader === null;
    const handles = gone ? [] : asked.filter(handle => this.lying.has(handleName(handle)) || this.spent.has(handleName(handle)));
    this.reading = {reader, handles};
    if (reader === null) for (const handle of handles) this.card(handle).pairs.at(-1).shown = true;
    this.attempted = {shared: [], masked: []};
    remasks.forEach(entry => this.remask(entry));
    shares.forEach(entry => this.share(entry, remasks));
    const silent = this.members.some(member => this.owingRemask(member).length || this.owingShare(member).length);
    if (silent) throw new Problem("log/gap", `height ${this.game.height}`);
    if (ended) return;
    for (const handle of handles) if (this.forAll(this.card(handle))) this.open(this.card(handle));
    this.attempted = null;
    const known = handles.filter(handle => this.card(handle).known !== null);
    this.opened.push(...known.map(handle => [this.game.height, handleName(handle)]));
    if (kind === "reveal") this.compare(asked, handles, result, shares);
    else this.looks.push({height: this.game.height, member: owner, handles: asked.map(handleName)});
  }

  // A shuffle or reading ends without an outcome: what was said of it counts for nothing.
  abandon() {
    for (const [pair, member] of this.attempted?.shared ?? []) pair.shares.delete(member);
    for (const card of this.attempted?.masked ?? []) card.pairs.pop();
    this.attempted = null;
  }

  // What was opened is what went into the running hash.
  compare(asked, handles, result, shares) {
    for (const handle of handles) {
      const at = asked.findIndex(each => handleName(each) === handleName(handle));
      const face = this.points.get(this.card(handle).known).face;
      if (!Array.isArray(result) || !same(encode(result[at] ?? null), encode(face))) {
        throw shares.length ? wrong("deck/share-proof", shares[0]) : new Problem("deck/share-proof", `height ${this.game.height}`);
      }
      this.game.counts.cards++;
    }
  }

  // Whether a card was dealt or shown to a member in the present game.
  looked(name, reader) {
    return this.looks.some(look => look.member === reader && look.handles.includes(name));
  }

  card(handle) {
    const card = this.lying.get(handleName(handle)) ?? this.spent.get(handleName(handle));
    if (!card) throw new Problem("told/other", `height ${this.game.height}`, handleName(handle));
    return card;
  }

  own(card) {
    const {reader} = this.reading;
    return card.pairs.find(pair => reader !== null && pair.reader === reader && !pair.shown);
  }

  pair(handle) {
    return this.own(this.card(handle)) ?? this.card(handle).pairs.at(-1);
  }

  forAll(card) {
    return this.reading.reader === null || (card.pairs.at(-1).shown && card.pairs.at(-1).reader === null);
  }

  // A card is masked anew by who could read it last, or else by who is to read it.
  owingRemask(member) {
    return this.reading.handles.filter(handle => {
      const card = this.card(handle);
      return card.known === null && !this.forAll(card) && !this.own(card) && (card.pairs.at(-1).reader ?? this.reading.reader) === member;
    });
  }

  owingShare(member) {
    return this.reading.handles.filter(handle => {
      const card = this.card(handle);
      return (member !== this.reading.reader || this.forAll(card)) && card.known === null && !this.pair(handle).shares.has(member);
    });
  }

  remask(entry) {
    const handles = this.owingRemask(entry.by), [halves, proofs] = items(entry.body, 2);
    if (!handles.length) throw wrong("entry/not-asked", entry);
    const masked = readPairs(halves, handles.length);
    if (!masked || !areProofs(proofs, handles.length)) throw wrong("deck/form", entry);
    const pairs = handles.map((handle, at) => {
      const old = this.card(handle).pairs.at(-1).sealed.points, sealed = masked[at];
      const relation = equalLogarithms(sealed[0].subtract(old[0]), this.ring.public, sealed[1].subtract(old[1]));
      const place = this.ring.place(entry.author, ...handle, pack(old));
      if (sealed[0].equals(old[0]) || !proofHolds("remask", place, relation, proofs.slice(64 * at, 64 * at + 64))) throw wrong("deck/remask-proof", entry);
      return {sealed: new Sealed(null, sealed), reader: this.reading.reader, shown: false, shares: new Map()};
    });
    handles.forEach((handle, at) => {
      this.card(handle).pairs.push(pairs[at]);
      this.attempted.masked.push(this.card(handle));
    });
    this.game.counts.remasks++;
  }

  share(entry, remasks) {
    const handles = this.owingShare(entry.by), masking = this.members.some(member => this.owingRemask(member).length);
    if (masking) throw wrong("deck/not-your-turn", entry);
    if (!handles.length) throw wrong("entry/not-asked", entry);
    const [values, proof] = items(restingOn(entry, remasks), 2);
    const points = readPoints(values, handles.length), firsts = handles.map(handle => this.pair(handle).sealed.points[0]);
    if (!points || !areProofs(proof)) throw wrong("deck/form", entry);
    this.checkShares(entry, "deck/share-proof", firsts, values, proof);
    handles.forEach((handle, at) => {
      this.pair(handle).shares.set(entry.by, points[at]);
      this.attempted.shared.push([this.pair(handle), entry.by]);
    });
    this.game.counts.shares++;
  }

  // These are to be x_p A of each of these halves.
  checkShares(entry, code, firsts, values, proof) {
    const place = this.ring.place(entry.author), image = encoded(this.ring.points.get(entry.by));
    this.game.later.add("proofs", entry, {code, tag: "share", place, image, bases: pack(firsts), images: values, proof});
  }

  open(card) {
    if (card.known !== null) return;
    const pair = card.pairs.at(-1), name = hex(pair.sealed.points[1].subtract(sum([...pair.shares.values()])).toBytes());
    if (!this.points.has(name)) throw new Problem("deck/share-proof", `height ${this.game.height}`);
    card.known = name;
  }
}
