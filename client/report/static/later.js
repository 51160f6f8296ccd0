// SPDX-License-Identifier: GPL-3.0-or-later
// Proofs and signatures that nothing waits for. They are checked many at a time, by other workers where there are any;
// meanwhile the log is read on as if they held. At its end, or at another fault, the first that does not hold counts.
// What is checked goes to its worker as bytes: points are read there.
"use strict";

const TOGETHER = {signatures: 128, proofs: 48, shuffles: 9000};
const WEIGHS = {signatures: () => 1, proofs: () => 1, shuffles: ({before}) => 6 * before.length / 64};

// For each kind, the numbers of those that do not hold, each with the code of its fault.
const CHECKS = {
  async signatures(all) {
    const held = await Promise.all(all.map(({key, signature, data}) => verify(key, signature, data)));
    return held.flatMap((good, at) => good ? [] : [[at, "entry/signature"]]);
  },
  async proofs(all) {
    return all.flatMap((proof, at) => equalWeighted(proof) ? [] : [[at, proof.code]]);
  },
  async shuffles(all) {
    const earlier = new Map(), read = all.map(one => readStatement(one, earlier)), formed = read.filter(Boolean);
    if (formed.length === read.length && shufflesHold(formed)) return [];
    return read.flatMap((one, at) => one && shufflesHold([one]) ? [] : [[at, one ? "deck/shuffle-proof" : "deck/form"]]);
  },
};

const alone = {check: (kind, all) => CHECKS[kind](all)};

// Parts of the file, without the rest of it.
const copied = value => value instanceof Uint8Array ? value.slice() : Array.isArray(value) ? value.map(copied) : value;

class Later {
  // helpers: who checks; made: makes the problem of an entry from its code.
  constructor(helpers, made) {
    Object.assign(this, {helpers, made, noted: 0, done: 0, held: null, waiting: {}, under: [], faults: []});
  }

  // Keep what is added back until it is known whether it counts.
  hold() { this.held = []; }

  release(counts) {
    const held = this.held;
    this.held = null;
    if (counts) held.forEach(each => this.add(...each));
  }

  add(kind, entry, what) {
    if (this.held) return void this.held.push([kind, entry, what]);
    const batch = this.waiting[kind] ??= {all: [], notes: [], weight: 0};
    batch.all.push(Object.fromEntries(Object.entries(what).map(([name, value]) => [name, copied(value)])));
    batch.notes.push({entry, order: this.noted++});
    batch.weight += WEIGHS[kind](what);
    if (batch.weight >= TOGETHER[kind]) this.send(kind);
  }

  send(kind) {
    const {all, notes} = this.waiting[kind];
    delete this.waiting[kind];
    this.under.push(this.helpers.check(kind, all).then(found => {
      this.done++;
      for (const [at, code] of found) this.faults.push({...notes[at], code});
    }));
  }

  // Wait for all; the first that does not hold is thrown. progress: told a part of 1.
  async settle(progress = () => {}) {
    Object.keys(this.waiting).forEach(kind => this.send(kind));
    await Promise.all(this.under.map(each => each.then(() => progress(this.done / this.under.length))));
    this.under = [];
    const [first] = this.faults.sort((one, other) => one.order - other.order);
    if (first) throw this.made(first.code, first.entry);
  }
}

// Other workers with the same script, at the other ends of these ports; each has one batch at a time.
class Helpers {
  constructor(ports) { Object.assign(this, {free: [...ports], queue: []}); }

  check(kind, all) {
    return new Promise((done, failed) => {
      this.queue.push({kind, all, done, failed});
      this.go();
    });
  }

  go() {
    while (this.queue.length && this.free.length) {
      const port = this.free.shift(), {kind, all, done, failed} = this.queue.shift();
      port.onmessage = ({data}) => {
        data.found ? done(data.found) : failed(new Error(data.failed));
        this.free.push(port);
        this.go();
      };
      port.postMessage({kind, all});
    }
  }
}

// Be one of them.
function help(port) {
  port.onmessage = ({data: {kind, all}}) =>
    CHECKS[kind](all).then(found => port.postMessage({found}), error => port.postMessage({failed: String(error)}));
}
