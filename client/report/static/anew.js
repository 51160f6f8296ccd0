// SPDX-License-Identifier: GPL-3.0-or-later
// A deck dealt anew: a member that held a seat is gone for good, and its deck key with it (PROTOCOL.md, 8).
// All cards of the deck that not everybody knows are sealed to the new keys and shuffled; who can read a card seals it
// again with a proof; all of them blind shuffled cards and hands by one unknown factor and open them together: equal
// tags are equal cards. What nobody holds goes under the handles that are left.
"use strict";

// The members that can read a card in private, each with its pair, in the order of their last pairs.
function readersOf(card, members) {
  const found = new Map();
  for (const pair of card.pairs) {
    if (pair.reader === null || !members.every(member => member === pair.reader || pair.shares.has(member))) continue;
    found.delete(pair.reader);
    found.set(pair.reader, pair);
  }
  return found;
}

class Anew {
  // deck: the next one to be dealt; handles go by their names, "deck index".
  constructor(decks) {
    const deck = decks.unlaid[0], old = decks.old;
    Object.assign(this, {decks, deck, old, ring: decks.ring, height: decks.game.height});
    const lying = [...old.lying].filter(([, card]) => card.deck === deck), unknown = lying.filter(([, card]) => card.known === null);
    const known = new Set(lying.filter(([, card]) => card.known !== null).map(([, card]) => decks.points.get(card.known).number));
    this.numbers = (old.numbers.get(deck) ?? []).filter(number => !known.has(number));
    if (this.numbers.length !== unknown.length || !unknown.length) throw this.gap();
    this.hands = unknown.flatMap(([name, card]) => [...readersOf(card, old.ring.members)]
      .filter(([reader]) => this.ring.members.includes(reader) && decks.looked(name, reader)).map(([reader, pair]) => ({name, reader, pair, shares: new Map()})));
    const kept = new Set(this.hands.map(hand => hand.name));
    this.free = unknown.map(([name]) => name).filter(name => !kept.has(name));
  }

  // Something is missing; what has been said of a later stage waits for it.
  gap(later = []) {
    return later.length ? wrong("anew/not-your-turn", later[0]) : new Problem("log/gap", `height ${this.height}`);
  }

  // Take all entries of the height, stage by stage, and lay the deck; ended: nothing of it counts.
  take(due, ended) {
    const inOrder = kind => due.filter(entry => entry.kind === kind).sort((one, other) => this.ring.members.indexOf(one.by) - this.ring.members.indexOf(other.by));
    const [shuffles, hands, tags, shares] = ["shuffle", "remask", "tag", "share"].map(inOrder);
    const cards = this.numbers.map(number => this.decks.fresh(this.decks.cardPoint(this.deck, number)));
    this.places = this.decks.shuffled(this.deck, this.old.version + 1, cards, shuffles, [...hands, ...tags, ...shares]);
    this.takeHands(hands, shuffles, [...tags, ...shares]);
    this.takeTags(tags, [...shuffles, ...hands], shares);
    this.takeShares(shares, [...shuffles, ...hands, ...tags]);
    if (!ended) this.lay();
  }

  takeHands(entries, shuffles, later) {
    for (const entry of entries) {
      checkTurn(entry, shuffles);
      this.hand(entry);
    }
    if (this.hands.some(hand => !hand.sealed)) throw this.gap(later);
  }

  // A member's cards under the new key: secrets are its old x_p and the new r.
  hand(entry) {
    const mine = this.hands.filter(hand => hand.reader === entry.by && !hand.sealed), [halves, proofs] = items(entry.body, 2);
    if (!mine.length) throw wrong("entry/not-asked", entry);
    const pairs = readPairs(halves, mine.length);
    if (!pairs || !areProofs(proofs, mine.length, 2)) throw wrong("anew/form", entry);
    mine.forEach((hand, at) => {
      const [a, b] = hand.pair.sealed.points, others = [...hand.pair.shares].filter(([member]) => member !== entry.by).map(([, share]) => share);
      const rest = b.subtract(sum(others)), sealed = pairs[at];
      const relation = {
        rows: [[Ristretto.BASE, null], [null, Ristretto.BASE], [a, this.ring.public.negate()]],
        images: [this.old.ring.points.get(entry.by), sealed[0], rest.subtract(sealed[1])],
      };
      const place = this.ring.place(entry.author, "hand", ...handleOf(hand.name));
      if (!proofHolds("hand", place, relation, proofs.slice(96 * at, 96 * at + 96))) throw wrong("anew/hand-proof", entry);
      hand.sealed = sealed;
    });
    this.decks.game.counts.hands++;
  }

  // Every member in turn multiplies all pairs by one number: the shuffled cards, then the hands.
  takeTags(entries, before, later) {
    this.blinded = [...this.places.map(card => card.points), ...this.hands.map(hand => hand.sealed)];
    entries.forEach((entry, turn) => {
      if (entry.by !== this.ring.members[turn]) throw wrong("anew/not-your-turn", entry);
      const [halves, anchored, proof] = items(restingOn(entry, [...before, ...entries.slice(0, turn)]), 3);
      const pairs = readPairs(halves, this.blinded.length), anchor = readPoint(anchored);
      if (!pairs || !anchor || !areProofs(proof)) throw wrong("anew/form", entry);
      const place = this.ring.place(entry.author, this.deck), weighed = this.ring.place(entry.author, this.deck, encoded(anchor));
      const relation = equalLogarithms(anchor, ...weighted("blind", weighed, this.blinded.flat(), pairs.flat()));
      if (!proofHolds("blind", place, relation, proof)) throw wrong("anew/blind-proof", entry);
      this.blinded = pairs;
      this.decks.game.counts.tags++;
    });
    if (entries.length !== this.ring.members.length) throw this.gap(later);
  }

  // Everybody's shares of the blinded pairs, and of the hands of the others.
  takeShares(entries, before) {
    this.shared = entries.map(entry => {
      const others = this.hands.filter(hand => hand.reader !== entry.by);
      const firsts = [...this.blinded, ...others.map(hand => hand.sealed)].map(([a]) => a), [values, proof] = items(restingOn(entry, before), 2);
      const points = readPoints(values, firsts.length);
      if (!points || !areProofs(proof)) throw wrong("anew/form", entry);
      this.decks.checkShares(entry, "anew/share-proof", firsts, values, proof);
      others.forEach((hand, at) => hand.shares.set(entry.by, points[this.blinded.length + at]));
      this.decks.game.counts.shares++;
      return points;
    });
    if (entries.length !== this.ring.members.length) throw this.gap();
  }

  // The cards under their handles, by equal tags.
  lay() {
    const tags = this.blinded.map(([, b], at) => hex(b.subtract(sum(this.shared.map(points => points[at]))).toBytes()));
    const inPlaces = tags.slice(0, this.places.length), held = new Map();
    this.hands.forEach((hand, at) => {
      const tag = tags[this.places.length + at];
      if ((held.get(hand.name) ?? tag) !== tag || !inPlaces.includes(tag)) throw new Problem("anew/hand-proof", `height ${this.height}`);
      held.set(hand.name, tag);
    });
    const kept = new Set(held.values()), left = this.places.filter((_, at) => !kept.has(inPlaces[at]));
    if (new Set(inPlaces).size !== inPlaces.length || kept.size !== held.size || left.length !== this.free.length) throw new Problem("anew/hand-proof", `height ${this.height}`);
    for (const name of held.keys()) {
      const pairs = this.hands.filter(hand => hand.name === name).map(hand => ({sealed: new Sealed(null, hand.sealed), reader: hand.reader, shown: false, shares: hand.shares}));
      this.decks.lying.set(name, {deck: this.deck, pairs, known: null});
    }
    this.free.forEach((name, at) => this.decks.lying.set(name, lain(this.deck, left[at])));
    this.decks.unlaid.shift();
    this.decks.game.counts.anew++;
    this.checkLooks();
    this.decks.game.dealtSince = this.height + 1;
    this.decks.noteLayout(this.height + 1);
  }

  // Whoever stays and has read a card can still read it: it is the same one.
  checkLooks() {
    const {members} = this.ring;
    for (const {member, handles} of this.decks.looks) {
      for (const name of members.includes(member) ? handles : []) {
        const card = this.decks.lying.get(name);
        if (card?.deck === this.deck && card.known === null && !readersOf(card, members).has(member)) throw new Problem("anew/hand-changed", `height ${this.height}`, name);
      }
    }
  }
}
