// SPDX-License-Identifier: GPL-3.0-or-later
// The table: genesis, members, heights and their running hash, commitments and openings, rolls, pacts.
// The rules are not replayed. What each height asked is told beside the log; a false record leads to another running hash
// than the one that all members have signed.
"use strict";

class Game {
  // told: the heights as `readTold` gives them; refused: by number of the entry, the codes of faults that only the rules
  // show; closing: the end that is believed to stand, or null; repairs: whether they count, and by number of the entries
  // within them that do not fit, why; newcomers: who gets a seat, as far as an earlier reading has shown that.
  constructor(star, told, refused, helpers = alone, closing = null, repairs = {count: true, unfit: new Map()}, newcomers = new Set()) {
    Object.assign(this, {newcomers, strangers: new Set(), stranger: null, closing, readsRepairs: repairs.count, misfits: repairs.unfit, departed: []});
    Object.assign(this, {star, told, refused, later: new Later(helpers, wrong), table: star.table, height: 0, epoch: 0, head: star.table, ended: false});
    this.heads = new Map();
    this.counts = {signatures: star.entries.length, texts: star.texts, heads: 0, states: 0, rolls: 0, seeds: 0, partials: 0, keys: 0, openings: 0, shuffles: 0, remasks: 0, shares: 0, cards: 0, hands: 0, tags: 0, anew: 0, forced: 0, faces: 0, pacts: 0, refusals: 0};
    this.cut = new Map();
    this.floor = new Map();
    this.gone = new Set();
    this.line = [];
    Object.assign(this, {carried: [], toldBelow: 0, covers: new Map(), here: new Set()});
    this.dealtSince = 0;
    this.ending = null;
    this.unjudged = 0;
    this.elsewhere = null;
    this.rest = null;
    this.feeds = star.feeds;
    this.byId = new Map([...this.feeds.values()].flat().map(entry => [hex(entry.id), entry]));
    this.next = new Map();
    this.slotted = new Map();
    Object.assign(this, {lock: null, lone: null, rolledAlone: 0, way: [], unsigned: [], final: false, left: new Map(), repairs: new Map(), unfit: new Map(), repair: null, broken: false});
    Object.assign(this, {rows: new Map(), rolled: [], said: new Map(), undone: [], votes: [], opened: [], asked: new Set(), seals: 0, sizes: new Map()});
  }

  // Members ----------------------------------------------------------------------------------------------------------

  async open() {
    const claimed = this.star.entries.filter(entry => entry.kind === "genesis"), named = ({body}) => same(H("genesis", encode(body)), this.table);
    if (!claimed.length) throw new Problem("log/no-genesis", "entry 0", "", 0);
    const first = claimed.find(named) ?? claimed[0], body = first.body, records = readGenesis(first);
    if (!named(first)) throw wrong("log/foreign-genesis", first);
    if (this.star.content && !same(noble.blake2b(this.star.content, {dkLen: 16}), body.get("origin")?.[3] ?? body.get("content"))) throw new Problem("file/content", "content");
    this.genesis = body;
    this.numbers = new Map();
    this.owner = new Map();
    this.identities = new Map();
    const read = [];
    for (const record of records) read.push(await readMember(record, first));
    checkRoster(read, first);
    read.forEach(member => this.seat(member, member.seats));
    this.members = [...this.numbers.keys()];
    this.founders = this.members;
    const sealed = body.get("options").get("draws") === "sealed";
    this.decks = sealed ? new Decks(this) : null;
    this.openDecks = sealed ? null : new OpenDecks(this.genesis.get("origin")?.[4] ?? []);
    this.choices = new Choices(this);
    this.rolls = new Rolls(this);
    this.rolls.locked = body.get("options").get("dice") === "lock";
    this.enter();
  }

  // Let a member hold these seats.
  seat({by, identity, rows}, seats) {
    this.identities.set(by, identity);
    if (!this.numbers.has(by)) {
      this.numbers.set(by, this.numbers.size);
      this.rows.set(by, rows);
    }
    for (const each of seats) this.owner.set(each, by);
  }

  enter() {
    this.rolls.committed.clear();
    this.lock = this.run?.done ? this.run : this.lock;
    const here = this.members.filter(member => this.lock?.members.includes(member));
    this.lone = this.lock && this.members.length < 3 && here.length >= this.lock.t ? this.lock : null;
    this.run = this.members.length >= 3 ? new Keys(this) : null;
  }

  // Heights ----------------------------------------------------------------------------------------------------------

  async run_through(progress) {
    const misheard = this.hear();
    if (misheard && !this.stranger) throw misheard;
    try {
      await this.resolveAll(part => progress(part * 0.3));
      this.finish();
    } catch (error) {
      if (error instanceof Problem) await this.later.settle();
      if (error.code === "log/gap") this.throwRefused();
      const lost = error instanceof Problem && error.entry === null && this.elsewhere;
      throw lost ? wrong("entry/other-head", lost) : error;
    }
    await this.later.settle(part => progress(0.3 + part * 0.7));
  }

  async resolveAll(progress) {
    const last = this.told.open.height;
    for (;;) {
      this.heads.set(this.height, this.head);
      this.covers.set(this.height, this.toldBelow);
      this.sizes.set(this.height, this.members.length);
      this.line.push(this.height);
      this.agreed = await this.agree();
      if (!this.told.heights.has(this.height) || this.ending !== null || !this.agreed) break;
      await this.resolve(this.told.heights.get(this.height));
      if (this.height % 16 === 0) progress(this.height / (last + 1));
    }
  }

  async resolve({asked, ended, outcome, added, result}) {
    const height = this.height, {kind} = asked;
    let counted = [], slots = null;
    if (ended) {
      this.attempt(asked, true);
      if (this.isRoll(asked) && !this.lone) this.rolls.k++;
    } else {
      const due = this.due(asked);
      slots = this.slots(kind, due);
      this.outcome(asked, due, added, result);
      if (kind === "anew") this.layAnew(due);
      this.decks?.take(asked, due, result, false);
      this.choices.take(kind, asked, due, result);
      this.openDecks?.take(asked, result, this.choices, this);
      this.checkAgain();
      this.remember(asked, slots, result);
      counted = slots.filter(([stage]) => stage !== 9).map(([, , entry]) => entry);
    }
    const effective = this.withRepair(this.agreed, slots), pacts = effective.map(pact => pact.id);
    this.way.push(...effective);
    const record = [...this.carried, asked.plain], signed = counted.some(entry => entry.height === height);
    this.head = H("head", this.head, height, counted.map(({id}) => id), pacts, signed ? H("told", encode(record)) : null);
    this.carried = [...(signed ? [] : record), ...outcome];
    if (signed) this.toldBelow = height + 1;
    this.height = height + 1;
    this.counts.heads++;
    if (!pacts.length) return;
    this.rest = null;
    await this.change(effective);
  }

  // What was said at a height with an outcome: choices, faces, open decks that were shuffled, and what was opened.
  remember(asked, slots, result) {
    const choice = (entry, at) => ({what: "choice", by: entry.by, value: entry.body[1][at]}), said = [], {kind} = asked;
    if (kind === "choose") said.push(...slots.map(([, , entry]) => choice(entry, this.height - entry.height)));
    else if (kind === "together") said.push(...slots.map(([, , entry]) => choice(entry, 0)));
    else if (kind === "roll") said.push({what: "roll", by: "", value: this.rolled.at(-1).faces});
    else if (this.isRoll(asked)) said.push({what: "shuffle", by: "", value: asked.deck});
    else if (kind === "reveal") said.push({what: "opening", by: "", value: result});
    if (said.length) this.said.set(this.height, said);
    this.asked.add(kind);
    this.seals += kind === "seal" ? 1 : 0;
  }

  // The entries that count at the open height. Each feed is read as far as it goes: up to an entry of a later height, of
  // another history, or one that waits: by author, the seq of that. Where a pact ends the height and states differ, only
  // the rules know which entries are judged.
  due(asked, ended = false, waiting = new Map()) {
    let found = [];
    for (const [by, feed] of this.feeds) {
      let at = this.next.get(by) ?? 0;
      while (at < feed.length) {
        const back = this.backAt(feed, at, feed.length);
        if (back > at) at = back;
        else if (at < (waiting.get(by) ?? feed.length) && this.read(feed[at], found, asked, ended)) at++;
        else break;
      }
      this.next.set(by, at);
    }
    this.again = this.spokenAgain(found);
    found = found.filter(entry => !this.again.includes(entry));
    const due = [...found].sort((one, other) => one.number - other.number);
    if (ended && this.apart(due).length) return [];
    this.checkStates(due);
    this.checkPlaces(found, asked);
    return due;
  }

  // What stands in a place for which its author has spoken before within a repair: whether that fits is judged first.
  spokenAgain(found) {
    const first = new Map();
    return found.filter(entry => {
      const {by, kind, body} = entry, place = `${by} ${kind} ${isSeated(entry) && Array.isArray(body) ? body[0] : ""}`, before = first.get(place);
      first.set(place, before ?? entry);
      return before && this.repaired(before);
    });
  }

  // It did, and so nothing was asked any more.
  checkAgain() {
    for (const entry of this.again) throw wrong("entry/not-asked", entry);
  }

  // Where a feed goes on in this history, if its author has spoken at this height in another one that a vote has overtaken.
  backAt(feed, at, end) {
    const entry = feed[at], here = each => each.height === this.height && same(each.head, this.head);
    if (!(entry.kind in STAGE) || entry.height !== this.height || here(entry) || this.repaired(entry)) return at;
    const back = feed.findIndex((each, number) => number > at && number < end && each.kind in STAGE && here(each));
    return back < 0 ? at : back;
  }

  // Nothing stands at a height that it did not wait for, or from somebody whom it did not ask. entries: as they are read.
  checkPlaces(entries, asked) {
    const full = new Set(), closed = new Set([...this.choices.placed.keys()]), cards = asked.handles?.some(handle => !closed.has(handleName(handle)));
    const fits = fitting(asked.kind, this.decks !== null, cards);
    for (const entry of entries) {
      if (!fits.includes(entry.kind)) throw wrong("entry/kind", entry);
      if (isSeated(entry)) full.add(this.checkSeat(entry, asked, full));
      else if (!(ANEW.includes(entry.kind) ? this.decks.members : this.members).includes(entry.by)) throw wrong("entry/not-asked", entry);
    }
  }

  // What seats say: those that are asked and have not said it, by their owner, an answer of one value or a few. Returns the
  // seat.
  checkSeat(entry, {kind, seats}, full) {
    const [seat, values] = Array.isArray(entry.body) ? entry.body : [], owner = this.owner.get(seat);
    if (!seats.includes(seat) || this.cutBefore.has(owner) || full.has(seat)) throw wrong("entry/not-asked", entry);
    if (owner !== entry.by) throw wrong("entry/not-yours", entry);
    const formed = entry.body.length === 2 && Array.isArray(values) && values.length >= 1 && values.length <= (kind === "choose" ? BATCH : 1);
    if (entry.kind === "answer" && !formed) throw wrong("answer/shape", entry);
    return seat;
  }

  // Whether an entry is dealt with, so that the next one of its feed may be read.
  read(entry, found, asked, ended) {
    if (!(entry.kind in STAGE)) return true;
    if (this.slotOf(entry) !== null) {
      const first = this.slotted.get(this.slotOf(entry)) ?? entry;
      this.slotted.set(this.slotOf(entry), first);
      if (first !== entry) throw wrong("entry/twice", entry);
    }
    if (this.isVoid(entry)) return true;
    if (entry.seq <= (this.unfit.get(entry.by) ?? -1)) return true;
    if (entry.height > this.height || (this.height === 0 && !this.allJoined)) return false;
    if (this.repaired(entry) && (!same(entry.head, this.head) || this.misfits.has(entry.number))) {
      this.unfit.set(entry.by, this.repairs.get(entry.by));
      this.broken = true;
      if (this.misfits.get(entry.number) === "seal/opening-mismatch") this.choices.close(entry, asked);
      return true;
    }
    if (!same(entry.head, this.head)) {
      this.elsewhere ??= entry;
      return false;
    }
    const refused = this.refused[entry.number];
    if (refused) return refused !== "entry/other-state";
    const state = this.stateAt(entry);
    if (state && !same(entry.state, state) && !this.repaired(entry)) {
      if (ended) return false;
      throw wrong("entry/other-state", entry);
    }
    if (entry.epoch !== this.epoch) throw wrong("entry/epoch", entry);
    found.push(entry);
    return true;
  }

  // Whether a repair lets an entry be read whatever state it names.
  repaired({by, seq}) {
    return seq <= (this.repairs.get(by) ?? -1);
  }

  // The state of a position at which a repair is made: the one that it names, if it counts. Null elsewhere.
  stateAt({height, head}) {
    const {at, head: there, terms} = this.repair ?? {};
    return height === at && same(head, there) ? terms[0] : null;
  }

  // Whether an entry does not fit where a repair lets it be read: it does not wait, and its state may be another one.
  unfits(code, entry) {
    const state = this.stateAt(entry);
    return this.repaired(entry) && !WAITS.test(code) && !(state && same(entry.state, state));
  }

  // Whether a height was filled from beyond a repair while entries of the repair are still unread.
  leavesRepaired(slots) {
    const held = [...this.feeds].map(([by, feed]) => feed[this.next.get(by) ?? 0]).filter(entry => entry && entry.kind in STAGE);
    return held.some(entry => this.repaired(entry)) && !slots.every(([stage, , entry]) => stage === 9 || this.repaired(entry));
  }

  // A repair takes effect at the end of a height if something did not fit: keys and seeds begin anew.
  withRepair(effective, slots) {
    if (!this.repair || !(this.broken || (slots && this.leavesRepaired(slots)))) return effective;
    return [...effective, this.repair].sort((one, other) => compared(one.id, other.id));
  }

  // Every member has joined that is not left out.
  get allJoined() {
    return this.members.every(member => this.joined.has(member) || this.cut.has(member));
  }

  // What only one entry of its author may be about; null for none.
  slotOf({by, kind, height, head, state, body}) {
    const seated = isSeated({kind});
    if (seated && !(Array.isArray(body) && ["number", "bigint"].includes(typeof body[0]))) return null;
    return `${by} ${height} ${hex(head)} ${hex(state)} ${kind} ${seated ? body[0] : ""}`;
  }

  // Beyond the end of who is left out, before the return of who came back, too late, or of somebody without a seat.
  isVoid(entry) {
    if (this.cut.has(entry.by) && entry.seq > this.cut.get(entry.by)) return true;
    if (entry.seq <= (this.floor.get(entry.by) ?? -1)) return true;
    if (entry.height < this.height) {
      this.rolls.late(entry);
      this.choices.late(entry);
      return true;
    }
    return !this.numbers.has(entry.by) && entry.height === this.height;
  }

  // Those that name another state than the first of them.
  apart(entries) {
    const [first, ...others] = entries.filter(entry => !this.repaired(entry));
    return others.filter(entry => !same(entry.state, first.state));
  }

  // All who signed something at this height signed the same position.
  checkStates(entries) {
    for (const entry of this.apart(entries)) throw wrong("entry/other-state", entry);
    this.counts.states += entries.length ? 1 : 0;
  }

  // [stage, seat or number of the member, entry], each slot filled once, in order.
  slots(kind, due) {
    const slots = due.map(entry => [STAGE[entry.kind], isSeated(entry) ? entry.body[0] : this.numbers.get(entry.by), entry]);
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
      if (slots.length) throw wrong("entry/not-asked", slots[0][2]);
      return [[1, seat, entry]];
    }
    const entry = slots[0]?.[2], values = entry?.body[1];
    if (values?.length > 1) this.rest = {entry, left: values.length - 1, seat: entry.body[0]};
    return slots;
  }

  // What the slots alone do not say: added, the sides of more dice of a roll.
  outcome(asked, due, added, result) {
    const of = wanted => due.filter(entry => entry.kind === wanted);
    this.unfinished(due);
    of("ok").forEach(entry => this.keysFor(entry).agree(entry));
    if (!this.isRoll(asked)) return;
    const rolled = this.rolls.roll(of("open"), of("partial"), asked.kind === "roll" ? [...asked.sides, ...added] : null);
    this.rolls.keepLift();
    if (this.lone) this.rolledAlone = this.height + 1;
    if (!same(encode(rolled), encode(result))) throw new Problem("told/other", `height ${this.height}`, "result");
    const dice = asked.kind === "roll" ? {sides: [...asked.sides, ...added], faces: rolled[1]} : {sides: [], faces: []};
    this.rolled.push({height: this.height, kind: asked.kind, tag: asked.tag, ...dice, ...this.rolls.last});
  }

  // What is said for keys counts also at a height that a pact ends: deck keys stay.
  unfinished(due) {
    const of = wanted => due.filter(entry => entry.kind === wanted);
    of("commit").forEach(entry => this.rolls.commit(entry));
    of("keys").forEach(entry => this.keysFor(entry).deal(entry));
    of("ok").forEach(entry => this.keysFor(entry).due(entry));
    of("complaint").forEach(entry => this.keysFor(entry).complain(entry, of("keys")));
  }

  // Whether a height that a pact ended, or that is open, waits for a roll.
  isRoll(asked) {
    return asked.kind === "roll" || (asked.kind === "shuffle" && !this.decks);
  }

  // A height that a pact ended, or that is still open: nothing of it counts, but what is false is a fault all the same.
  // An entry that waits for others, or is false, keeps its feed from being read further.
  attempt(asked, ended = false) {
    const waiting = new Map(), faults = new Map(), begun = this.copied(), {shuffles, shares} = this.counts;
    for (;;) {
      this.later.hold();
      try {
        const due = this.due(asked, ended, waiting);
        if (!ended) this.checkTold(due);
        this.try(due, asked);
        this.checkAgain();
        this.later.release(true);
        for (const [by, fault] of faults) if (waiting.get(by) === fault.seq) throw fault;
        if (ended) Object.assign(this.counts, {shuffles, shares});  // they show nothing about cards that were dealt
        return;
      } catch (error) {
        this.later.release(false);
        if (!(error instanceof Problem) || error.entry === null || [...faults.values()].includes(error)) throw error;
        const entry = this.star.entries[error.entry], {by, seq} = entry;
        if (seq >= (waiting.get(by) ?? Infinity)) throw error;
        waiting.set(by, seq);
        UNPROVEN.test(error.code) && !this.unfits(error.code, entry) ? faults.delete(by) : faults.set(by, error);
      } finally {
        this.decks?.abandon();
        this.choices.abandon();
      }
      this.restore(begun);
    }
  }

  // What may be said at a height, of which nothing counts.
  try(due, asked) {
    const {committed, k} = this.rolls, of = wanted => due.filter(entry => entry.kind === wanted);
    const rolls = this.isRoll(asked) && (of("open").length || of("partial").length);
    const parts = [
      () => this.unfinished(due),
      () => this.decks?.take(asked, due, null, true),
      () => this.choices.take(asked.kind, asked, due, null, true),
      () => asked.kind === "anew" && due.some(entry => RESTING.has(entry.kind)) && this.layAnew(due, true),
      () => rolls && this.rolls.roll(of("open"), of("partial"), null),
      () => rolls && this.turnToLift(asked, due),
    ];
    for (const check of parts) {
      try {
        check();
      } catch (error) {
        if (!(error instanceof Problem) || !UNPROVEN.test(error.code) || error.entry !== null) throw error;
      }
    }
    Object.assign(this.rolls, {committed, k, lifted: null});
  }

  // Parts of the lock of a roll have their turn when all seeds are there.
  turnToLift(asked, due) {
    const part = due.find(({kind}) => kind === "partial");
    if (part && this.owing(asked, due).length) throw wrong("lock/not-your-turn", part);
  }

  // What an attempt changes, and how it was before.
  copied() {
    const {decks, rolls, run} = this, parts = [[this, "next", "slotted", "unfit", "broken", "counts"], [rolls, "committed", "k", "lifted"]];
    if (decks) parts.push([decks, "version", "entered", "points"], [decks.ring, "points"]);
    if (run) parts.push([run, "announced", "dealt", "agreed"]);
    return parts.map(([part, ...names]) => [part, Object.fromEntries(names.map(name => [name, copyOf(part[name])]))]);
  }

  restore(copies) {
    for (const [part, values] of copies) for (const [name, value] of Object.entries(values)) part[name] = copyOf(value);
  }

  // The members present that owe an entry of a stage other than 9, as far as these entries have been said.
  owing(asked, due) {
    const {kind} = asked, present = this.members.filter(member => !this.cut.has(member));
    const without = (members, ...kinds) => members.filter(member => !due.some(entry => entry.by === member && kinds.includes(entry.kind)));
    if (kind === "choose" || kind === "together" || kind === "seal") {
      const empty = this.rest ? [] : asked.seats.filter(seat => !due.some(entry => entry.body[0] === seat));
      return empty.map(seat => this.owner.get(seat)).filter(member => present.includes(member));
    }
    if (kind === "prepare") return without(present.filter(member => !this.rolls.committed.has(member)), "commit");
    if (kind === "keys") return [without(this.members, "keys"), without(this.members, "ok", "complaint")].find(some => some.length) ?? [];
    if (this.isRoll(asked)) return this.lone || (this.run && this.rolls.locked) ? [] : without(present.filter(member => this.rolls.committed.has(member)), "open");
    return [...this.decks?.owing(asked, due, without) ?? [], ...kind === "reveal" ? this.choices.owed(asked, without) : []];
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

  // Pacts ------------------------------------------------------------------------------------------------------------

  // All words, in the order of the file: who may say any, and what was proposed, signed and refused. A stranger is passed
  // over, since the reading may give it a seat. Returns the first false word.
  hear() {
    let first = null;
    this.ballots = new Ballots([...this.numbers.keys(), ...this.newcomers], this.star.entries, this.closing);
    const joined = new Set(), ends = new Map([...this.feeds].map(([by, feed]) => [by, feed.length]));
    for (const entry of this.star.entries) {
      if (!this.ballots.admits(entry)) {
        this.stranger ??= wrong("entry/stranger", entry);
        this.strangers.add(entry.by);
      }
      if (this.strangers.has(entry.by)) continue;
      if (entry.seq >= ends.get(entry.by)) continue;
      try {
        this.ballots.hear(entry);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        first ??= error;
      }
      if (entry.kind === "refuse") this.counts.refusals++;
      if (entry.kind === "join") joined.add(entry.by);
    }
    this.feeds = new Map([...this.feeds].filter(([by]) => !this.strangers.has(by)));
    this.joined = joined;
    return first;
  }

  // Whether a vote has given a seat to somebody whose words were passed over; adds who has got one.
  seatedLate(newcomers) {
    const late = [...this.numbers.keys()].filter(by => this.strangers.has(by)).slice(0, NEWCOMERS - newcomers.size);
    late.forEach(by => newcomers.add(by));
    return late.length > 0;
  }

  // These pacts without those that would give a seat to more new keys than a table takes.
  seating(pacts) {
    let keys = new Set(this.numbers.keys());
    return pacts.filter(pact => {
      const key = newcomer(pact), after = key === null ? keys : new Set([...keys, key]);
      if (after.size > this.founders.length + NEWCOMERS) return false;
      keys = after;
      return true;
    });
  }

  // The pacts that take effect at this height; null while an entry is missing up to which they let a feed count.
  async agree() {
    const {asked, height} = this.told.open;
    this.cutBefore = new Map(this.cut);
    if (height === this.height && asked.kind === "over" && !this.missing().length) return [];
    const agreed = this.ballots.effective(this.height, this.head, this.members), able = [];
    if (agreed.some(pact => [...pact.out, ...pact.read].some(({seq, last}) => seq >= 0 && this.byId.get(hex(last))?.seq !== seq))) return null;
    for (const pact of agreed) {
      if (pact.kind === "repair") this.readOn(pact);
      else if (await this.sensible(pact)) able.push(pact);
    }
    const effective = this.seating(able);
    for (const pact of effective) if (LEAVING.has(pact.kind)) pact.out.forEach(({author, seq}) => this.cut.set(author, seq));
    this.counts.pacts += effective.length;
    return effective;
  }

  // Read on up to the ends of a repair, as who computes the state that it names does.
  readOn(pact) {
    if (!this.readsRepairs) return;
    this.repair = pact;
    this.noteVote(pact, this.height);
    this.way.push(pact);
    for (const {author, seq} of pact.read) this.repairs.set(author, Math.max(seq, this.repairs.get(author) ?? -1));
  }

  // Whether a pact can take effect here, whoever signed it.
  async sensible({kind, named, terms, entry}) {
    const {cut, members} = this, known = [...named].every(author => members.includes(author)), [following, epoch] = kind === "without" ? terms.slice(-2) : [];
    if (kind === "absent") return known;
    if (kind === "gone") return [...named].every(author => cut.has(author) && !members.includes(author));
    if (kind === "back") return cut.has(hex(terms[0])) && !this.gone.has(hex(terms[0])) && !members.includes(hex(terms[0]));
    const theirs = Math.max(0, ...this.left.values());
    if (kind === "takeback") return Math.max(theirs, this.dealtSince, this.rolledAlone) <= terms[0] && terms[0] < this.height && this.line.includes(terms[0]);
    if (kind === "without") return known && following > this.height && epoch > this.epoch;
    if (kind === "moved") return this.moves(named, terms, entry);
    if (kind !== "seat") return true;
    const owner = this.owner.get(terms[0]);
    if (!members.includes(owner) || cut.has(owner)) return false;
    const member = await readMember(terms[1], entry).catch(error => { if (!(error instanceof Problem)) throw error; });
    return member !== undefined && !cut.has(member.by) && member.seats.length === 1 && member.seats[0] === terms[0];
  }

  // Whether the identity behind a key that holds seats has certified another, unknown one to go on for it.
  async moves([old], [certificate, kept], entry) {
    const member = await readCertificate(certificate, entry).catch(error => { if (!(error instanceof Problem)) throw error; });
    if (member === undefined || ![...this.owner.values()].includes(old) || this.gone.has(old)) return false;
    const {by, identity, lobby} = member;
    return identity === this.identities.get(old) && same(lobby, H("moved", this.table, fromHex(old), Number(kept))) && !this.identities.has(by);
  }

  async change(effective) {
    const members = new Set(this.members.filter(member => !this.cut.has(member)));
    let renew = false;
    this.epoch++;
    effective.filter(({kind}) => kind !== "repair").forEach(pact => this.noteVote(pact, this.height - 1));
    for (const {kind, terms, out, entry} of effective) {
      this.ballots.parting({kind, out}).forEach(author => this.gone.add(author));
      if (kind === "back") members.add(this.letIn(hex(terms[0]), terms[1]));
      else if (kind === "seat") {
        const member = await readMember(terms[1], entry);
        this.seat(member, [terms[0]]);
        members.add(member.by);
      } else if (kind === "moved") {
        const member = await readCertificate(terms[0], entry), [{author}] = out;
        if (terms[1]) [renew] = [true, this.decks?.handOn(author, member.by)];
        this.seat({...member, rows: this.rows.get(author)}, [...this.owner].filter(([, owner]) => owner === author).map(([seat]) => seat));
        members.add(member.by);
        this.gone.add(author);
      } else if (kind === "gone") out.forEach(({author}) => this.gone.add(author));
      else if (kind === "takeback") {
        renew ||= this.decks?.shownSince(terms[0]) ?? false;
        this.line = this.line.filter(height => height <= terms[0]);
        [this.decks, this.openDecks, this.choices].forEach(each => each?.goBack(terms[0]));
      } else if (kind === "repair") {
        [this.epoch, this.repair, this.broken, renew] = [Math.max(this.epoch, terms[2]), null, false, true];
      } else if (kind === "without") {
        renew ||= terms[2];
        [this.height, this.epoch] = terms.slice(-2);
      }
      else if (kind === "end") this.ending = terms;
    }
    for (const {kind, terms} of effective) if (kind === "back") this.ballots.returns.push({by: hex(terms[0]), height: this.height, seq: terms[1]});
    const holding = new Set(this.owner.values());
    const ordered = some => [...some].sort((one, other) => this.numbers.get(one) - this.numbers.get(other));
    this.decks?.hold(ordered([...holding].filter(member => !this.gone.has(member))), renew);
    this.members = ordered([...members].filter(member => holding.has(member)));
    const away = [...this.numbers.keys()].filter(member => !this.members.includes(member));
    this.left = new Map(away.map(member => [member, this.left.get(member) ?? this.height]));
    this.enter();
  }

  // What a vote did, and what it undid.
  noteVote(pact, height) {
    const {kind, terms, at} = pact, voters = signersOf(pact, this.members);
    const about = kind === "back" ? [hex(terms[0])] : kind === "seat" ? [hex(terms[1][0][1])] : [...pact.named].sort();
    const left = this.ballots.parting(pact), stays = about.filter(author => !left.includes(author));
    if (stays.length || !left.length) this.votes.push({height, kind, about: stays, at, terms});
    if (left.length) this.votes.push({height, kind: "leave", about: left.sort(), at, terms});
    if (kind !== "takeback") return;
    for (const [each, said] of this.said) {
      if (each < terms[0]) continue;
      this.undone.push(...said.map(word => ({...word, height: each, at: height, voters})));
      this.said.delete(each);
    }
  }

  // Who was left out is a member again: what stands behind that word of its own counts.
  letIn(author, seq) {
    this.floor.set(author, Math.max(seq, this.floor.get(author) ?? 0));
    this.next.set(author, Math.min(this.next.get(author) ?? 0, this.floor.get(author) + 1));
    this.cut.delete(author);
    return author;
  }

  // The end ----------------------------------------------------------------------------------------------------------

  finish() {
    const {height, head} = this.star.trailer;
    if (!this.heads.has(height) || !same(this.heads.get(height), head)) throw new Problem("file/other-end", "trailer", `height ${height}`);
    const {asked, height: open} = this.told.open;
    if (open !== this.height) throw new Problem("told/gap", `height ${this.height}`);
    this.attempt(asked);
    for (const [by, feed] of this.feeds) {
      const held = feed[this.next.get(by)];
      this.unjudged += feed.length - this.next.get(by);
      if (held && held.kind in STAGE && held.height === this.height && !same(held.head, this.head)) throw wrong("entry/other-head", held);
    }
    if (asked.kind === "over") this.unsigned = this.missing();
    this.final = asked.kind === "over" && !this.unsigned.length;
    this.checkResults();
    this.throwRefused();
  }

  // What the rules refuse is told, and never makes a log any better.
  throwRefused() {
    for (const [number, code] of Object.entries(this.refused)) throw Object.assign(wrong(code, this.star.entries[number]), {told: true});
  }

  // The state of the open height, as it was told.
  get state() {
    const {game, asked} = this.told.open;
    return H("state", game, H("told", encode([...this.carried, asked.plain]))).slice(0, 16);
  }

  // What was told of the open height is what all who signed something there were asked.
  checkTold(entries) {
    const {state} = this;
    for (const entry of entries) {
      if (same(entry.state, state)) this.here.add(entry.by);
      else if (!this.repaired(entry)) throw new Problem("told/other-state", `height ${this.height}`);
    }
  }

  // Who is present and has neither signed the end here nor left.
  missing() {
    const signed = entry => entry.kind === "leave" || (isResult(entry) && entry.height === this.height && same(entry.head, this.head));
    return this.members.filter(member => !this.cut.has(member) && !(this.feeds.get(member) ?? []).some(signed));
  }

  // The height below which all members present have signed what was asked: by the state of the open height, or by the
  // greatest head that each of them names, which holds what was asked up to the last height with an entry of its own.
  get signed() {
    const named = entry => this.heads.has(entry.height) && same(this.heads.get(entry.height), entry.head);
    const below = member => Math.max(0, ...(this.feeds.get(member) ?? []).filter(named).map(({height}) => this.covers.get(height)));
    const present = this.members.filter(member => !this.cut.has(member));
    return Math.min(...present.map(member => this.here.has(member) ? this.height : below(member)), this.height);
  }

  // Words for the end: of the game as it ended, and of no other.
  checkResults() {
    const over = this.told.open.asked.kind === "over", ending = this.ending ?? "played";
    const results = this.star.entries.filter(entry => isResult(entry) && this.ballots.seated.has(entry.by));
    const last = new Map(results.map(entry => [entry.by, entry]));
    for (const entry of results) {
      const said = endIn(entry.body)?.ending;
      if (said === undefined) throw wrong("result/form", entry);
      const here = over && same(entry.head, this.head);
      if (here && said !== ending) throw wrong("result/other-ending", entry);
      if (!here && this.heads.has(entry.height) && same(this.heads.get(entry.height), entry.head)) throw wrong("result/not-over", entry);
      const playing = this.feeds.get(entry.by).some(later => later.seq > entry.seq && later.kind in STAGE);
      if (!here && last.get(entry.by) === entry && !playing && over && this.members.includes(entry.by)) throw wrong("result/other-head", entry);
    }
    const under = results.filter(entry => over && same(entry.head, this.head) && !this.refused[entry.number]);
    const signed = under.filter(entry => last.get(entry.by) === entry);
    this.checkStates(signed);
    this.checkTold(signed);
    const here = under.filter(({state}) => same(state, this.state)), given = [...this.numbers.keys()].filter(by => this.gone.has(by));
    for (const entry of here) {
      const {scores, given: named} = endIn(entry.body);
      const formed = scores.length === this.owner.size && same(encode(named), encode(given));
      if (!formed || !same(encode(entry.body), encode(here[0].body))) throw wrong("result/other-points", entry);
    }
    const members = here.filter(({by}) => this.numbers.has(by));
    this.end = members.length ? endIn(members[0].body) : null;
    this.counts.results = new Set(members.map(({by}) => by)).size;
  }
}
