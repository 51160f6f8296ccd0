// The table: genesis, members, heights and their running hash, commitments and openings, rolls, pacts.
// The rules are not replayed. What each height waited for comes as a hint; a false hint leads to another running hash
// than the one that all members have signed.
"use strict";

const STAGE = {commit: 1, keys: 1, answer: 1, seal: 1, shuffle: 2, remask: 3, tag: 4, ok: 5, complaint: 5, open: 6, share: 7, reveal: 8, partial: 9};
const RESTING = new Set(["shuffle", "remask", "tag", "share"]);
// What may be missing, or rest on something else, at a height that came to nothing.
const UNPROVEN = /^log\/gap$|^entry\/basis$|owes|turn$|asked$/;
const NAMING = new Set(["absent", "gone", "without"]);

// The problem of an entry.
const wrong = (code, entry, detail = "") => Object.assign(
  new Problem(code, `entry ${entry.number}`, detail, entry.number), {kind: entry.kind, seq: entry.seq, height: entry.height});

class Game {
  constructor(star, hints) {
    Object.assign(this, {star, hints, table: star.table, height: 0, epoch: 0, head: star.table, ended: false});
    this.heads = new Map();
    this.counts = {signatures: star.entries.length, texts: star.texts, heads: 0, states: 0, rolls: 0, seeds: 0, partials: 0, keys: 0, openings: 0, shuffles: 0, remasks: 0, shares: 0, cards: 0, hands: 0, tags: 0, anew: 0, forced: 0, faces: 0, pacts: 0};
    this.cut = new Map();
    this.gone = new Set();
    this.committed = new Map();
    this.rest = null;
    this.byHeight = Map.groupBy ? Map.groupBy(star.entries, entry => entry.height) : grouped(star.entries);
    this.pacts = new Map();
    this.signed = new Map();
    this.rollNumber = -1;
  }

  // Members ----------------------------------------------------------------------------------------------------------

  async open() {
    const first = this.star.entries.find(entry => entry.kind === "genesis");
    if (!first) throw new Problem("log/no-genesis", "entry 0", "", 0);
    const body = first.body;
    if (!(body instanceof Map) || body.size !== 8 || !Array.isArray(body.get("members"))) throw wrong("genesis/shape", first);
    if (!same(H("genesis", encode(body)), this.table)) throw wrong("log/foreign-genesis", first);
    if (this.star.content && !same(noble.blake2b(this.star.content, {dkLen: 16}), body.get("content"))) throw new Problem("file/content", "content");
    this.numbers = new Map();
    this.owner = new Map();
    for (const record of body.get("members")) await this.addMember(record, first);
    if (this.numbers.keys().next().value !== first.by) throw wrong("log/foreign-genesis", first);
    this.members = [...this.numbers.keys()];
    this.seats = [...this.owner.keys()].sort((one, other) => one - other);
    if (this.seats.some((seat, at) => seat !== at)) throw wrong("genesis/seats", first);
    const sealed = body.get("options")?.get("draws") === "sealed";
    this.decks = sealed ? new Decks(this) : null;
    this.openDecks = sealed ? null : new OpenDecks();
    this.choices = new Choices(this);
    this.locked = body.get("options")?.get("dice") === "lock";
    this.enter();
  }

  async addMember(record, entry, seat = null) {
    const [certificate, name, seats, nonce] = Array.isArray(record) ? record : [];
    if (!Array.isArray(certificate) || certificate.length !== 5 || typeof name !== "string" || !Array.isArray(seats) || !isBytes(nonce, 32)) {
      throw wrong("genesis/member", entry);
    }
    const [identity, key, lobby, device, signature] = certificate;
    if (!isBytes(identity, 32) || !isBytes(key, 32) || !isBytes(lobby) || typeof device !== "string" || !isBytes(signature, 64)) {
      throw wrong("certificate/form", entry);
    }
    if (!await verify(identity, signature, H("table-key", identity, key, lobby, device))) throw wrong("certificate/signature", entry);
    const by = hex(key);
    if (seat === null && this.numbers.has(by)) throw wrong("genesis/key-twice", entry);
    if (!this.numbers.has(by)) this.numbers.set(by, this.numbers.size);
    for (const each of seat === null ? seats : [seat]) {
      if (seat === null && this.owner.has(each)) throw wrong("genesis/seats", entry);
      this.owner.set(each, by);
    }
    return by;
  }

  enter() {
    this.committed.clear();
    this.run = this.members.length >= 3 ? new Keys(this) : null;
  }

  // Heights ----------------------------------------------------------------------------------------------------------

  async run_through(progress) {
    this.collectPacts();
    const last = Math.max(0, ...Object.keys(this.hints.kinds).map(Number));
    while (this.hints.kinds[this.height] !== undefined) {
      this.heads.set(this.height, this.head);
      await this.resolve(this.hints.kinds[this.height]);
      if (this.height % 16 === 0) progress(this.height / (last + 1));
    }
    this.heads.set(this.height, this.head);
    this.finish();
  }

  async resolve(kind) {
    const height = this.height, effective = this.effective();
    this.cutBefore = new Map(this.cut);
    for (const pact of effective) if (pact.kind === "absent" || pact.kind === "without") for (const [author, seq] of pact.out) this.cut.set(author, seq);
    const due = this.due(this.byHeight.get(height) ?? []);
    let ids = [], result = null;
    const asked = this.hints.asked[height];
    if (kind === "pact") {
      this.rest = null;
      this.attempt(due, asked);
    } else {
      const slots = this.slots(kind, due);
      result = this.outcome(kind, due);
      if (kind === "anew") this.layAnew(due);
      this.decks?.take(asked, due, result, false);
      this.choices.take(kind, asked, due, result);
      this.openDecks?.take(asked, result, this.choices, this);
      ids = slots.filter(([stage]) => stage !== 9).map(([, , entry]) => entry.id);
    }
    const pacts = effective.map(pact => pact.id);
    const summary = result !== null || pacts.length ? encode([result, pacts]) : new Uint8Array();
    this.head = H("head", this.head, height, ids, summary);
    this.height = height + 1;
    this.counts.heads++;
    if (pacts.length) await this.change(effective);
  }

  // The entries that count at the open height; those of another history are named.
  due(entries) {
    const found = [];
    for (const entry of entries) {
      if (!(entry.kind in STAGE) || this.hints.refused[entry.number]) continue;
      const beyond = this.cut.has(entry.by) && entry.seq > this.cut.get(entry.by);
      if (beyond) continue;
      if (!this.numbers.has(entry.by)) throw wrong("entry/stranger", entry);
      if (!same(entry.head, this.head)) throw wrong("entry/other-head", entry);
      if (entry.epoch !== this.epoch) throw wrong("entry/epoch", entry);
      if (this.members.includes(entry.by)) found.push(entry);
    }
    this.checkStates(found);
    return found;
  }

  // All who signed something at this height signed the same position.
  checkStates(entries) {
    const [first, ...others] = entries;
    for (const entry of others) if (!same(entry.state, first.state)) throw wrong("entry/other-state", entry);
    this.counts.states += entries.length ? 1 : 0;
  }

  // [stage, seat or number of the member, entry], each slot filled once, in order.
  slots(kind, due) {
    const slots = due.map(entry => {
      const seated = entry.kind === "answer" || entry.kind === "seal";
      const seat = seated && Array.isArray(entry.body) ? entry.body[0] : null;
      if (seated && this.owner.get(seat) !== entry.by) throw wrong("entry/not-yours", entry);
      return [STAGE[entry.kind], seated ? seat : this.numbers.get(entry.by), entry];
    });
    slots.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    slots.forEach(([stage, place, entry], at) => {
      const before = slots[at - 1];
      if (before && before[0] === stage && before[1] === place) throw wrong("entry/twice", entry);
    });
    return kind === "choose" ? this.batched(slots) : slots;
  }

  // An answer may hold those of the heights that follow at once.
  batched(slots) {
    if (this.rest) {
      const {entry, left, seat} = this.rest;
      this.rest = left > 1 ? {entry, left: left - 1, seat} : null;
      return [[1, seat, entry]];
    }
    const entry = slots[0]?.[2], values = entry?.body[1];
    if (entry && !Array.isArray(values)) throw wrong("answer/shape", entry);
    if (values?.length > 1) this.rest = {entry, left: values.length - 1, seat: entry.body[0]};
    return slots;
  }

  // What the slots alone do not say.
  outcome(kind, due) {
    const of = wanted => due.filter(entry => entry.kind === wanted);
    this.unfinished(due);
    of("ok").forEach(entry => this.keysFor(entry).agree(entry));
    const hint = this.hints.results[this.height];
    const result = hint === undefined ? null : decode(Uint8Array.from(atob(hint), letter => letter.charCodeAt(0)), 1 << 24);
    if (this.hints.sides[this.height] !== undefined) return this.roll(of("open"), of("partial"), this.hints.sides[this.height]);
    return result;
  }

  // What is said for keys counts also at a height that a pact ends: deck keys stay.
  unfinished(due) {
    const of = wanted => due.filter(entry => entry.kind === wanted);
    of("commit").forEach(entry => this.commit(entry));
    of("keys").forEach(entry => this.keysFor(entry).deal(entry));
    of("complaint").forEach(entry => this.keysFor(entry).complain(entry, of("keys")));
  }

  // A height that a pact ended, or that is still open: nothing of it counts, but what is false is a fault all the same.
  attempt(due, asked) {
    const {committed, rollNumber} = this, of = wanted => due.filter(entry => entry.kind === wanted);
    const rolls = !asked && (of("open").length || of("partial").length);
    const parts = [
      () => this.unfinished(due),
      () => this.decks?.take(asked, due, null, true),
      () => asked && this.choices.take(asked.kind, asked, due, null, true),
      () => !asked && this.decks && due.some(entry => RESTING.has(entry.kind)) && this.layAnew(due, true),
      () => rolls && this.roll(of("open"), of("partial"), null),
    ];
    for (const check of parts) {
      try {
        check();
      } catch (error) {
        if (!(error instanceof Problem) || !UNPROVEN.test(error.code)) throw error;
      }
    }
    this.decks?.abandon();
    this.choices.abandon();
    Object.assign(this, {committed, rollNumber});
  }

  keysFor(entry) {
    if (!this.run) throw wrong("entry/kind", entry);
    return this.run;
  }

  layAnew(due, ended = false) {
    this.decks?.layOut();
    if (!this.decks?.unlaid.length) throw new Problem("log/gap", `height ${this.height}`);
    new Anew(this.decks).take(due, ended);
  }

  // Commitments and rolls --------------------------------------------------------------------------------------------

  commit(entry) {
    const [k, committed, announcement] = Array.isArray(entry.body) ? entry.body : [];
    if (!isNumber(k) || !isBytes(committed, 32) || entry.body.length !== 4) throw wrong("beacon/form", entry);
    if (this.committed.has(entry.by)) throw wrong("entry/twice", entry);
    if (this.decks) this.decks.addKey(entry, entry.body[3]);
    else if (entry.body[3] !== null) throw wrong("deck/form", entry);
    this.committed.set(entry.by, {k, committed, height: this.height});
    if (this.run) this.run.announce(entry, announcement);
    else if (announcement !== null) throw wrong("keys/form", entry);
  }

  // The faces of the roll at this height, as the result of the height holds them.
  roll(opens, partials, sides) {
    if (this.run && this.locked) return this.seedless(opens, partials, sides);
    const contributors = this.members.filter(member => this.committed.has(member)), seeds = new Map(), following = new Map();
    let k = null;
    for (const entry of opens) {
      const [number, seed, next] = Array.isArray(entry.body) ? entry.body : [];
      const promised = this.committed.get(entry.by);
      if (entry.body?.length !== 3 || !isNumber(number) || !isBytes(seed, 32) || !isBytes(next, 32)) throw wrong("beacon/form", entry);
      if (!promised) throw wrong("beacon/not-a-contributor", entry);
      if (promised.k !== number || (k !== null && k !== number) || number <= this.rollNumber) throw wrong("beacon/other-roll", entry);
      if (promised.height >= this.height) throw wrong("beacon/opening-mismatch", entry);
      if (!same(H("commit", this.table, this.epoch, number, entry.author, seed), promised.committed)) throw wrong("beacon/opening-mismatch", entry);
      k = number;
      seeds.set(entry.by, seed);
      following.set(entry.by, {k: number + 1, committed: next, height: this.height});
      this.counts.seeds++;
    }
    const silent = contributors.find(member => !seeds.has(member) && !this.cut.has(member));
    if (k === null || silent) throw new Problem("log/gap", `height ${this.height}`);
    this.rollNumber = k;
    const gamma = this.run ? this.lift(k, partials) : null;
    const value = H("roll", this.table, this.epoch, k, contributors.map(member => [fromHex(member), seeds.get(member) ?? null]), gamma);
    this.committed = following;
    this.counts.rolls++;
    return sides === null ? value : [value, dice(value, sides)];
  }

  // A roll to which nobody contributes a seed: the lock alone.
  seedless(opens, partials, sides) {
    if (opens.length) throw wrong("beacon/not-a-contributor", opens[0]);
    const k = partials[0]?.body?.[0];
    if (!isNumber(k)) throw new Problem("log/gap", `height ${this.height}`);
    if (k <= this.rollNumber) throw wrong("beacon/other-roll", partials[0]);
    this.rollNumber = k;
    const value = H("roll", this.table, this.epoch, k, [], this.lift(k, partials));
    this.counts.rolls++;
    return sides === null ? value : [value, dice(value, sides)];
  }

  // What t members lift the lock of roll k to.
  lift(k, entries) {
    const key = this.run.key("dice"), point = hashPoint("dice/in", this.table, this.epoch, k), values = new Map();
    for (const entry of entries) {
      const [number, packed] = Array.isArray(entry.body) ? entry.body : [];
      const value = number === k && isBytes(packed, 96) ? readPoint(packed.slice(0, 32)) : null;
      if (!value) throw wrong("lock/form", entry);
      const index = this.run.members.indexOf(entry.by);
      const place = [this.table, this.epoch, "dice", this.run.roster, encoded(key.public), entry.author];
      if (!proofHolds("partial", place, equalLogarithms(key.shares[index], point, value), packed.slice(32))) throw wrong("lock/proof", entry);
      values.set(BigInt(index + 1), value);
      this.counts.partials++;
    }
    const gamma = combined(values, this.run.t);
    if (!gamma) throw new Problem("log/gap", `height ${this.height}`);
    return gamma.toBytes();
  }

  // Pacts ------------------------------------------------------------------------------------------------------------

  collectPacts() {
    const refused = new Set();
    for (const entry of this.star.entries) {
      if (entry.kind === "pact") {
        const [kind, at, head, out, terms, attempt] = Array.isArray(entry.body) && entry.body.length === 6 ? entry.body : [];
        if (typeof kind !== "string" || !isNumber(at) || !isBytes(head, 32) || !Array.isArray(out) || !isNumber(attempt)) throw wrong("pact/shape", entry);
        const id = H("pact", kind, at, head, out, encode(terms), attempt), name = hex(id);
        this.pacts.set(name, {id, name, kind, at, head, terms, entry, out: out.map(([author, seq]) => [hex(author), seq])});
        this.sign(name, entry);
      } else if (entry.kind === "sign" && Array.isArray(entry.body) && isBytes(entry.body[0], 32)) {
        if (refused.has(`${hex(entry.body[0])} ${entry.by}`)) throw wrong("pact/sign-after-refuse", entry);
        this.sign(hex(entry.body[0]), entry);
      }
      else if (entry.kind === "refuse" && Array.isArray(entry.body) && isBytes(entry.body[0], 32)) {
        const name = hex(entry.body[0]);
        if (this.signed.get(name)?.has(entry.by)) throw wrong("pact/refuse-after-sign", entry);
        refused.add(`${name} ${entry.by}`);
      }
    }
  }

  sign(name, entry) {
    if (!this.signed.has(name)) this.signed.set(name, new Set());
    this.signed.get(name).add(entry.by);
  }

  // The pacts that took effect at this height: each is of this position, and all who had to sign it did.
  effective() {
    return (this.hints.pacts[this.height] ?? []).map(name => {
      const pact = this.pacts.get(name), place = `height ${this.height}`;
      if (!pact || pact.at !== this.height || !same(pact.head, this.head)) throw new Problem("pact/shape", place);
      const named = new Set(pact.out.map(([author]) => author));
      const signers = this.members.filter(member => !named.has(member));
      const enough = NAMING.has(pact.kind) ? threshold(this.members.length) : this.members.length;
      if (signers.length < enough || !signers.every(member => this.signed.get(name).has(member))) throw wrong("pact/shape", pact.entry);
      this.counts.pacts++;
      return pact;
    });
  }

  async change(effective) {
    let members = this.members.filter(member => !this.cut.has(member));
    this.epoch++;
    for (const pact of effective) {
      if (pact.kind === "back") { this.cut.delete(hex(pact.terms[0])); members.push(hex(pact.terms[0])); }
      else if (pact.kind === "seat") members.push(await this.addMember(pact.terms[1], pact.entry, pact.terms[0]));
      else if (pact.kind === "gone") pact.out.forEach(([author]) => this.gone.add(author));
      else if (pact.kind === "takeback") [this.decks, this.openDecks, this.choices].forEach(each => each?.goBack(pact.terms[0]));
      else if (pact.kind === "without") [this.height, this.epoch] = pact.terms.slice(2);
    }
    const holding = new Set(this.owner.values());
    const ordered = some => [...some].sort((one, other) => this.numbers.get(one) - this.numbers.get(other));
    this.decks?.hold(ordered([...holding].filter(member => !this.gone.has(member))));
    this.members = ordered(new Set(members.filter(member => holding.has(member))));
    this.enter();
  }

  // The end ----------------------------------------------------------------------------------------------------------

  finish() {
    const {height, head} = this.star.trailer, open = this.byHeight.get(this.height) ?? [];
    if (!this.heads.has(height) || !same(this.heads.get(height), head)) throw new Problem("file/other-end", "trailer", `height ${height}`);
    this.cutBefore = this.cut;
    this.attempt(this.due(open), this.hints.asked[this.height]);
    this.decks?.checkShuffles();
    for (const entry of this.star.entries) {
      if (entry.height > this.height && entry.kind in STAGE && !this.cut.has(entry.by)) throw wrong("log/gap", entry);
      if (entry.kind === "result" && this.heads.has(entry.height) && !this.cut.has(entry.by) && !same(entry.head, this.heads.get(entry.height))) {
        throw wrong("result/other-head", entry);
      }
    }
    for (const [number, code] of Object.entries(this.hints.refused)) throw wrong(code, this.star.entries[number]);
    const results = open.filter(entry => entry.kind === "result");
    this.checkStates(results);
    this.counts.results = results.length;
  }
}

function grouped(entries) {
  const groups = new Map();
  for (const entry of entries) groups.set(entry.height, [...groups.get(entry.height) ?? [], entry]);
  return groups;
}
