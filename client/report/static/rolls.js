// SPDX-License-Identifier: GPL-3.0-or-later
// Rolls: commitments, openings, and the lock that t members lift (PROTOCOL.md, 7).
"use strict";

class Rolls {
  // k: number of the roll that is next or under way; lifts: the locks of earlier heights, lifted: the last one; last: who
  // contributed what to the last roll, and how many of how many members lifted its lock.
  constructor(game) {
    Object.assign(this, {game, k: 0, committed: new Map(), lifts: new Map(), lifted: null, locked: false, last: null});
  }

  commit(entry) {
    const {game} = this;
    const [k, committed, announcement, key] = items(entry.body, 4);
    if (!isWhole(k) || !isBytes(committed)) throw wrong("beacon/form", entry);
    if (game.run) game.run.announce(entry, announcement);
    else if (announcement !== null) throw wrong("keys/form", entry);
    if (game.decks) game.decks.addKey(entry, key);
    else if (key !== null) throw wrong("deck/form", entry);
    if (k !== this.k) throw wrong("beacon/other-roll", entry);
    if (!isBytes(committed, 32)) throw wrong("beacon/form", entry);
    this.committed.set(entry.by, {k, committed, height: game.height});
  }

  // The faces of the roll at this height, as the result of the height holds them.
  roll(opens, partials, sides) {
    const {game, k} = this;
    if (game.lone) return this.seedless(opens, partials, sides, game.lone);
    if (game.run && this.locked) return this.seedless(opens, partials, sides, game.run);
    const contributors = game.members.filter(member => this.committed.has(member)), seeds = new Map(), following = new Map();
    for (const entry of opens) {
      const [number, seed, next] = items(entry.body, 3);
      const promised = this.committed.get(entry.by);
      if (!isWhole(number) || !isBytes(seed) || !isBytes(next)) throw wrong("beacon/form", entry);
      if (!promised) throw wrong("entry/not-asked", entry);
      if (number !== k) throw wrong("beacon/other-roll", entry);
      if (seed.length !== 32 || next.length !== 32) throw wrong("beacon/form", entry);
      if (promised.height >= game.height) throw wrong("beacon/opening-mismatch", entry);
      if (!same(H("commit", game.table, game.epoch, number, entry.author, seed), promised.committed)) throw wrong("beacon/opening-mismatch", entry);
      seeds.set(entry.by, seed);
      following.set(entry.by, {k: number + 1, committed: next, height: game.height});
      game.counts.seeds++;
    }
    const silent = contributors.find(member => !seeds.has(member) && !game.cut.has(member));
    if (silent) throw new Problem("log/gap", `height ${game.height}`);
    partials.forEach(entry => checkTurn(entry, opens));
    const gamma = game.run ? this.lift(k, partials) : null;
    const value = H("roll", game.table, game.epoch, k, contributors.map(member => [fromHex(member), seeds.get(member) ?? null]), gamma);
    const parts = contributors.map(by => ({by, committed: this.committed.get(by).committed, seed: seeds.get(by) ?? null}));
    this.note(parts, game.run, partials);
    this.committed = following;
    this.k++;
    game.counts.rolls++;
    return sides === null ? value : [value, dice(value, sides)];
  }

  // A roll to which nobody contributes a seed: the lock alone.
  seedless(opens, partials, sides, run) {
    const {game} = this;
    if (opens.length) throw wrong("entry/not-asked", opens[0]);
    const value = H("roll", game.table, run.epoch, this.k, [], this.lift(this.k, partials, run));
    this.note([], run, partials);
    this.k++;
    game.counts.rolls++;
    return sides === null ? value : [value, dice(value, sides)];
  }

  note(parts, run, partials) {
    this.last = {parts, lock: run?.t ?? 0, holders: run?.members.length ?? 0, lifted: (run?.members ?? []).filter(member => partials.some(({by}) => by === member))};
  }

  // What t members lift the lock of roll k to.
  lift(k, entries, run = this.game.run) {
    const {game} = this, key = run.key("dice"), point = hashPoint("dice/in", game.table, run.epoch, k), values = new Map();
    const lift = this.lifted = {k, key, point, epoch: run.epoch, said: game.epoch, members: run.members, roster: run.roster};
    for (const entry of entries) values.set(BigInt(lift.members.indexOf(entry.by) + 1), this.partial(entry, lift));
    const gamma = combined(values, run.t);
    if (!gamma) throw new Problem("log/gap", `height ${game.height}`);
    return gamma.toBytes();
  }

  // What a member gives towards the lock of a roll.
  partial(entry, {k, key, point, epoch, members, roster}) {
    const {game} = this, [number, packed] = items(entry.body, 2);
    const value = number === k && isBytes(packed, 96) && areProofs(packed.slice(32)) ? readPoint(packed.slice(0, 32)) : null;
    if (!value) throw wrong("lock/form", entry);
    const place = [game.table, epoch, "dice", roster, encoded(key.public), entry.author];
    const image = encoded(key.shares[members.indexOf(entry.by)]), [images, proof] = [packed.slice(0, 32), packed.slice(32)];
    game.later.add("proofs", entry, {code: "lock/proof", tag: "partial", place, image, bases: encoded(point), images, proof});
    game.counts.partials++;
    return value;
  }

  // A height has come to its roll: parts of its lock may still come.
  keepLift() {
    if (this.lifted) this.lifts.set(this.game.height, this.lifted);
    this.lifted = null;
  }

  // A part of a lock that came when enough others were there changes nothing, but a false one is found all the same.
  late(entry) {
    const lift = this.lifts.get(entry.height);
    if (entry.kind !== "partial" || !lift || !lift.members.includes(entry.by)) return;
    if (same(entry.head, this.game.heads.get(entry.height)) && entry.epoch === lift.said) this.partial(entry, lift);
  }
}
