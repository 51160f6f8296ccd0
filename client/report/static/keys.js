// SPDX-License-Identifier: GPL-3.0-or-later
// Threshold keys of the members of one epoch: announcements, dealings, complaints, agreements (PROTOCOL.md, 7).
"use strict";

const PURPOSES = ["dice", "seal"];

class Keys {
  constructor(game) {
    Object.assign(this, {game, members: game.members, epoch: game.epoch, roster: rosterHash(game.members.map(fromHex))});
    Object.assign(this, {t: threshold(game.members.length), announced: new Map(), dealt: new Map(), agreed: new Set(), keys: {}});
  }

  // Whether all have agreed on the keys.
  get done() {
    return this.agreed.size === this.members.length;
  }

  place(entry) {
    return [this.game.table, this.epoch, this.roster, entry.author];
  }

  // [exchange key, proof of knowing its secret, hash of the coefficients to be dealt]
  announce(entry, announcement) {
    const [exchange, proof, coefficients] = items(announcement, 3), point = readPoint(exchange);
    if (!point || !isBytes(coefficients, 32) || !areProofs(proof)) throw wrong("keys/form", entry);
    if (!proofHolds("exchange", this.place(entry), logarithm(point), proof)) throw wrong("keys/proof", entry);
    this.announced.set(entry.by, {point, coefficients});
  }

  // [t coefficients for each purpose, proofs of knowing the first, masked values for every member]
  deal(entry) {
    const {members, t} = this, [packed, proofs, shares] = items(entry.body, 3), points = readPoints(packed, 2 * t);
    if (!points || !areProofs(proofs, 2) || !isBytes(shares, 64 * members.length)) throw wrong("keys/form", entry);
    const rows = [points.slice(0, t), points.slice(t)], own = 64 * members.indexOf(entry.by);
    if (shares.subarray(own, own + 64).some(byte => byte)) throw wrong("keys/form", entry);
    const told = H("coefficients", this.place(entry), rows.map(row => row.map(encoded)));
    if (!this.announced.has(entry.by) || !same(told, this.announced.get(entry.by).coefficients)) throw wrong("keys/other-coefficients", entry);
    rows.forEach((row, at) => {
      if (!proofHolds("dealt", [...this.place(entry), PURPOSES[at]], logarithm(row[0]), proofs.slice(64 * at, 64 * at + 64))) throw wrong("keys/proof", entry);
    });
    this.dealt.set(entry.by, {entry, rows, shares});
  }

  // [dealer, pairwise key, proof that it is]: convicts the dealer whose share does not fit, or who complains of one that does.
  complain(entry, dealings) {
    this.turn(entry);
    const ordered = [...dealings].sort((one, other) => this.game.numbers.get(one.by) - this.game.numbers.get(other.by));
    const [dealer, packed, proof] = items(restingOn(entry, ordered), 3), pair = readPoint(packed);
    if (!isBytes(dealer) || !pair || !areProofs(proof)) throw wrong("keys/form", entry);
    const by = hex(dealer), mine = this.announced.get(entry.by)?.point, theirs = this.announced.get(by)?.point;
    if (!this.members.includes(entry.by) || by === entry.by || !this.dealt.has(by)) throw wrong("keys/false-complaint", entry);
    const holds = proofHolds("complaint", [...this.place(entry), dealer], equalLogarithms(mine, theirs, pair), proof);
    throw !holds || this.fits(by, entry, pair) ? wrong("keys/false-complaint", entry) : wrong("keys/bad-share", this.dealt.get(by).entry);
  }

  // Whether what a dealer sent to a member, under the mask of their pairwise key, lies on its polynomials.
  fits(by, receiver, pair) {
    const {entry, rows, shares} = this.dealt.get(by), index = this.members.indexOf(receiver.by);
    const mask = H64("feldman/share", this.place(entry), receiver.author, encoded(pair));
    const values = Uint8Array.from(shares.subarray(64 * index, 64 * index + 64), (byte, at) => byte ^ mask[at]);
    return rows.every((row, at) => {
      const value = little(values.subarray(32 * at, 32 * at + 32));
      return value < L && times(value, Ristretto.BASE).equals(evaluated(row, index + 1));
    });
  }

  // What is said of the dealings is due when all have dealt.
  turn(entry) {
    if (this.dealt.size !== this.members.length) throw wrong("keys/not-your-turn", entry);
    checkTurn(entry, [...this.dealt.values()].map(each => each.entry));
  }

  // The word that all which was dealt to its author fits is a hash.
  due(entry) {
    this.turn(entry);
    if (!isBytes(entry.body)) throw wrong("keys/form", entry);
  }

  // That word, over the hash of all dealings.
  agree(entry) {
    const dealings = this.members.map(member => this.dealt.get(member).entry.body);
    const told = H("dealings", this.game.table, this.epoch, this.roster, new Uint8Array(), dealings);
    if (!isBytes(entry.body, 32) || !same(entry.body, told)) throw wrong("keys/form", entry);
    this.agreed.add(entry.by);
    this.game.counts.keys++;
  }

  key(purpose) {
    if (this.agreed.size !== this.members.length) throw new Problem("told/other", `height ${this.game.height}`, purpose);
    if (!this.keys[purpose]) {
      const at = PURPOSES.indexOf(purpose), dealt = this.members.map(member => this.dealt.get(member).rows[at]);
      const summed = dealt[0].map((_, degree) => sum(dealt.map(row => row[degree])));
      const {members, epoch, roster, t} = this, shares = members.map((_, index) => evaluated(summed, index + 1));
      this.keys[purpose] = {members, epoch, roster, t, shares, public: summed[0]};
    }
    return this.keys[purpose];
  }
}
