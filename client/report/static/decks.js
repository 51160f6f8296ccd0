// Sealed decks: shuffles with their proofs, cards that change their reader, shares, and the cards that they open.
// A sealed card is a pair (A, B) = (r G, M + r Y); Y is the sum of the keys of all members.
"use strict";

const WEIGHT = 1n << 128n;
const ROWS = 5;
const handleName = ([deck, index]) => `${deck} ${index}`;
const combination = (numbers, points) => sum(points.map((point, at) => times(numbers[at], point)));

class Decks {
  constructor(game) {
    Object.assign(this, {game, members: [...game.members], keys: new Map(), version: 0, stopped: false});
    this.roster = rosterHash(this.members.map(fromHex));
    this.entered = new Map();
    this.points = new Map();
    this.lying = new Map();
    this.spent = new Map();
    this.layouts = [];
    this.statements = [];
  }

  addKey(entry, packed) {
    if (!this.members.includes(entry.by) || this.keys.has(entry.by)) {
      if (packed !== null) this.stopped = true;
      return;
    }
    const point = isBytes(packed, 96) ? readPoint(packed.slice(0, 32)) : null;
    if (!point) throw wrong("deck/form", entry);
    if (!proofHolds("pok", [this.game.table, 0, this.roster, entry.author], logarithm(point), packed.slice(32))) throw wrong("deck/key-proof", entry);
    this.keys.set(entry.by, point);
    if (this.keys.size === this.members.length) this.public = sum(this.members.map(member => this.keys.get(member)));
  }

  place(author, ...what) {
    return [this.game.table, 0, this.roster, encoded(this.public), ...what, author];
  }

  // The open height: what it asked, the entries that count there, and its result; ended: a pact ended it.
  take(asked, due, result, ended) {
    if (this.stopped || !asked) return;
    const of = kind => due.filter(entry => entry.kind === kind);
    if (asked.kind === "shuffle") this.shuffle(asked, of("shuffle"), ended);
    else this.read(asked, of("remask"), of("share"), result, ended);
  }

  // Other members hold seats for good: their decks are dealt anew under new keys, which is not checked here.
  hold(members) {
    if (members.length !== this.members.length || members.some(member => !this.members.includes(member))) this.stopped = true;
  }

  goBack(to) {
    const layout = this.layouts.filter(each => each.height <= to).at(-1);
    this.lying = new Map(layout?.lying);
    this.spent = new Map(layout?.spent);
  }

  basis(entry, before) {
    const [basis, said] = Array.isArray(entry.body) && entry.body.length === 2 ? entry.body : [];
    if (!isBytes(basis, 32) || !same(basis, H("basis", before.map(each => each.id)))) throw wrong("entry/basis", entry);
    return Array.isArray(said) ? said : [];
  }

  // Shuffles ---------------------------------------------------------------------------------------------------------

  shuffle({deck, members, handles}, entries, ended) {
    if (!members.length) return;
    let cards = members.map(member => Array.isArray(member) ? this.card(member).pairs.at(-1).sealed : this.enter(deck, member));
    this.version++;
    if (ended) return;
    const turns = [...entries].sort((one, other) => this.members.indexOf(one.by) - this.members.indexOf(other.by));
    if (turns.length !== this.members.length) throw new Problem("log/gap", `height ${this.game.height}`);
    turns.forEach((entry, turn) => {
      if (entry.by !== this.members[turn]) throw wrong("deck/not-your-turn", entry);
      const shuffled = readShuffled(this.basis(entry, turns.slice(0, turn)), cards.length);
      if (!shuffled) throw wrong("deck/form", entry);
      this.statements.push({entry, place: this.place(entry.author, deck, this.version), key: this.public, cards, shuffled});
      cards = shuffled.cards;
      this.game.counts.shuffles++;
    });
    if (this.statements.length >= 12) this.checkShuffles();
    for (const member of members.filter(Array.isArray)) {
      this.spent.set(handleName(member), this.card(member));
      this.lying.delete(handleName(member));
    }
    handles.forEach((handle, at) => this.lying.set(handleName(handle), {deck, pairs: [{sealed: cards[at], reader: null, shown: false, shares: new Map()}], known: null}));
    this.layouts.push({height: this.game.height + 1, lying: new Map(this.lying), spent: new Map(this.spent)});
  }

  // A new card enters its deck sealed with r = 1, for all to see.
  enter(deck, face) {
    const number = this.entered.get(deck) ?? 0, point = hashPoint("card", this.game.table, deck, number);
    this.entered.set(deck, number + 1);
    this.points.set(hex(encoded(point)), {name: `${deck} ${number}`, face});
    return [Ristretto.BASE, point.add(this.public)];
  }

  // All at once, and one by one to find the false one.
  checkShuffles() {
    const statements = this.statements.splice(0);
    if (!statements.length || shufflesHold(statements)) return;
    for (const one of statements) if (!shufflesHold([one])) throw wrong("deck/shuffle-proof", one.entry);
  }

  // Readings ---------------------------------------------------------------------------------------------------------

  read({kind, seat, handles: asked}, remasks, shares, result, ended) {
    const owner = kind === "reveal" ? null : this.game.owner.get(seat);
    const reader = this.members.includes(owner) ? owner : null, gone = owner !== null && reader === null;
    const handles = gone ? [] : asked.filter(handle => this.lying.has(handleName(handle)) || this.spent.has(handleName(handle)));
    this.reading = {reader, handles};
    for (const handle of handles) {
      const card = this.card(handle), pair = card.pairs.at(-1);
      if (reader === null) pair.shown = true;
      else if (card.known === null && pair.reader === null && !pair.shown) pair.reader = reader;
    }
    if (ended) return;
    remasks.forEach(entry => this.remask(entry));
    shares.forEach(entry => this.share(entry, remasks));
    const silent = this.members.some(member => this.owingRemask(member).length || this.owingShare(member).length);
    if (silent) throw new Problem("log/gap", `height ${this.game.height}`);
    for (const handle of handles) if (this.forAll(this.card(handle))) this.open(this.card(handle));
    if (kind === "reveal") this.compare(asked, handles, result, shares);
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

  card(handle) {
    const card = this.lying.get(handleName(handle)) ?? this.spent.get(handleName(handle));
    if (!card) throw new Problem("log/gap", `height ${this.game.height}`);
    return card;
  }

  own(card) {
    return card.pairs.find(pair => pair.reader === this.reading.reader && !pair.shown);
  }

  pair(handle) {
    return this.own(this.card(handle)) ?? this.card(handle).pairs.at(-1);
  }

  forAll(card) {
    return this.reading.reader === null || (card.pairs.at(-1).shown && card.pairs.at(-1).reader === null);
  }

  owingRemask(member) {
    if (this.reading.reader === null) return [];
    return this.reading.handles.filter(handle => {
      const card = this.card(handle);
      return card.known === null && !this.own(card) && card.pairs.at(-1).reader === member;
    });
  }

  owingShare(member) {
    return this.reading.handles.filter(handle => {
      const card = this.card(handle);
      return (member !== this.reading.reader || this.forAll(card)) && card.known === null && !this.pair(handle).shares.has(member);
    });
  }

  remask(entry) {
    const handles = this.owingRemask(entry.by), [halves, proofs] = Array.isArray(entry.body) ? entry.body : [];
    if (!handles.length) throw wrong("deck/owes-no-remask", entry);
    const points = readPoints(halves, 2 * handles.length);
    if (!points || !isBytes(proofs, 64 * handles.length)) throw wrong("deck/form", entry);
    const pairs = handles.map((handle, at) => {
      const old = this.card(handle).pairs.at(-1).sealed, sealed = points.slice(2 * at, 2 * at + 2);
      const relation = equalLogarithms(sealed[0].subtract(old[0]), this.public, sealed[1].subtract(old[1]));
      const place = this.place(entry.author, ...handle, pack(old));
      if (sealed[0].equals(old[0]) || !proofHolds("remask", place, relation, proofs.slice(64 * at, 64 * at + 64))) throw wrong("deck/remask-proof", entry);
      return {sealed, reader: this.reading.reader, shown: false, shares: new Map()};
    });
    handles.forEach((handle, at) => this.card(handle).pairs.push(pairs[at]));
    this.game.counts.remasks++;
  }

  share(entry, remasks) {
    const handles = this.owingShare(entry.by), [values, proof] = this.basis(entry, remasks);
    if (!handles.length) throw wrong("deck/owes-no-share", entry);
    const points = readPoints(values, handles.length), firsts = handles.map(handle => this.pair(handle).sealed[0]);
    if (!points) throw wrong("deck/form", entry);
    const place = this.place(entry.author);
    const relation = equalLogarithms(this.keys.get(entry.by), ...weighted("share", place, firsts, points));
    if (!proofHolds("share", place, relation, proof)) throw wrong("deck/share-proof", entry);
    handles.forEach((handle, at) => this.pair(handle).shares.set(entry.by, points[at]));
    this.game.counts.shares++;
  }

  open(card) {
    if (card.known !== null) return;
    const pair = card.pairs.at(-1), name = hex(pair.sealed[1].subtract(sum([...pair.shares.values()])).toBytes());
    if (!this.points.has(name)) throw new Problem("deck/share-proof", `height ${this.game.height}`);
    card.known = name;
  }
}

// Several equal logarithms as one: sums with 128-bit weights that a hash of all points fixes.
function weighted(tag, place, bases, images) {
  if (bases.length === 1) return [bases[0], images[0]];
  const told = H(`${tag}/weights`, place, pack(bases), pack(images));
  const numbers = bases.map((_, at) => hashScalar(`${tag}/weight`, told, at) % WEIGHT);
  return [combination(numbers, bases), combination(numbers, images)];
}

// The proof of a shuffle (Terelius and Wikström; Haenni, Locher, Koenig and Dubuis) ------------------------------------

function readShuffled(body, count) {
  const [packed, scalars] = body;
  const points = readPoints(packed, 5 * count + ROWS), numbers = readScalars(scalars, 4 + 2 * count);
  if (!points || !numbers) return null;
  return {
    cards: Array.from({length: count}, (_, at) => points.slice(2 * at, 2 * at + 2)),
    commitments: points.slice(2 * count, 3 * count), chain: points.slice(3 * count, 4 * count), t: points.slice(4 * count),
    s: numbers.slice(0, 4), sHat: numbers.slice(4, 4 + count), sPrime: numbers.slice(4 + count), scalars,
  };
}

const generators = [];
const generator = number => generators[number] ??= hashPoint("tw/gen", number);

// Whether every output holds exactly the cards of its input: all equations as one, each with a weight.
function shufflesHold(statements) {
  const xs = statements.map(({place, key, cards, shuffled: m}) =>
    hashScalar("tw/c", place, encoded(key), pack(cards.flat()), pack(m.cards.flat()), pack(m.commitments), pack(m.chain), pack(m.t)));
  const told = H("tw/weights", joined(xs.map(fromLittle)), statements.map(one => one.shuffled.scalars));
  const numbers = new Map();
  let used = 0;
  statements.forEach((one, at) => {
    const weights = Array.from({length: ROWS + one.cards.length}, () =>
      BigInt("0x" + hex(noble.blake2b(message("weight", 0, used++), {key: told, dkLen: 32}).subarray(16))));
    for (const [point, number] of equations(one, xs[at], weights)) {
      const name = hex(encoded(point)), known = numbers.get(name);
      numbers.set(name, {point, number: reduced((known?.number ?? 0n) + number)});
    }
  });
  const parts = [...numbers.values()].filter(part => part.number);
  return noble.pippenger(Ristretto, parts.map(part => part.point), parts.map(part => part.number)).equals(Ristretto.ZERO);
}

// The points of a shuffle's equations and what they are multiplied by; added up they give the identity.
function* equations({place, key, cards, shuffled: m}, x, weights) {
  const [z1, z2, z3, z4, z5, ...zHat] = weights, [s1, s2, s3, s4] = m.s;
  const told = H("tw/u", place, encoded(key), pack(cards.flat()), pack(m.cards.flat()), pack(m.commitments));
  const u = cards.map((_, at) => hashScalar("tw/u", told, at));
  const product = u.reduce((one, other) => one * other % L, 1n);
  const dot = zHat.reduce((all, z, at) => all + z * m.sHat[at], 0n);
  yield [Ristretto.BASE, z1 * s1 + z2 * s2 + z3 * s3 - z5 * s4 + dot];
  yield [key, -z4 * s4];
  yield [generator(0), z2 * x * product];
  yield [m.chain.at(-1), -z2 * x];
  for (const [at, t] of m.t.entries()) yield [t, -weights[at]];
  let before = generator(0);
  for (const [at, [a, b]] of cards.entries()) {
    const sPrime = m.sPrime[at], xu = x * u[at] % L;
    yield [generator(at + 1), z1 * x + z3 * sPrime];
    yield [m.commitments[at], -z1 * x - z3 * xu];
    yield [before, zHat[at] * sPrime];
    before = m.chain[at];
    yield [before, -zHat[at] * x];
    yield [a, -z5 * xu];
    yield [b, -z4 * xu];
    yield [m.cards[at][0], z5 * sPrime];
    yield [m.cards[at][1], z4 * sPrime];
  }
}
