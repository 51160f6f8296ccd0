// SPDX-License-Identifier: GPL-3.0-or-later
// Secret choices: fixed before any is opened; opened by their authors, or by the others where an author is silent.
// Cards of open decks: the order that a roll gave.
"use strict";

const LONGEST = 510;

class Choices {
  constructor(game) {
    Object.assign(this, {game, placed: new Map(), lifts: new Map(), attempted: []});
  }

  // ended: a pact ended the height, and nothing of it counts.
  take(kind, asked, due, result, ended = false) {
    if (kind === "seal") this.seal(asked, due.filter(entry => entry.kind === "seal"), ended);
    else if (asked.kind === "reveal") this.reveal(asked, due, result, ended);
  }

  // An opening ended without an outcome: choices are closed again, but for those that who is left out opened himself.
  abandon() {
    for (const [choice, by] of this.attempted ?? []) if (!this.game.cut.has(by)) choice.opened = null;
    this.attempted = [];
  }

  // Choices of all seats that were asked; who said nothing has chosen nothing.
  seal({seats, handles, keep}, entries, ended) {
    const {game} = this, key = game.decks && game.run && !keep ? game.run.key("seal") : null;
    seats.forEach((seat, at) => {
      const entry = entries.find(each => each.body[0] === seat), handle = handles[at];
      const choice = entry ? this.read(entry, handle, key) : {committed: null, point: null};
      if (!ended) this.placed.set(handleName(handle), {handle, entry, ...choice, by: game.owner.get(seat), epoch: game.epoch, key, height: game.height, taken: null, opened: null});
    });
    if (entries.some(entry => !seats.includes(entry.body[0]))) throw wrong("entry/not-asked", entries.find(entry => !seats.includes(entry.body[0])));
  }

  // [seat, commitment, a copy for its author], or with what others can open it with, and the proof that the author made it.
  read(entry, [deck, index], key) {
    const [, committed, ...rest] = entry.body;
    if (!isBytes(committed, 32)) throw wrong("seal/form", entry);
    if (!key) {
      if (rest.length > 1 || rest.some(copy => !isBytes(copy))) throw wrong("seal/form", entry);
      return {committed, point: null};
    }
    const [packed, text, proof] = rest, point = readPoint(packed);
    if (rest.length !== 3 || !point || !isBytes(text, 2 + LONGEST + 32)) throw wrong("seal/form", entry);
    const place = [...this.place(key, entry.author), deck, index, committed, text];
    if (!proofHolds("seal/pok", place, logarithm(point), proof)) throw wrong("seal/form", entry);
    return {committed, point, text};
  }

  place(key, author) {
    return [this.game.table, key.epoch, "seal", key.roster, encoded(key.public), author];
  }

  owing(asked) {
    return asked.handles.map(handle => this.placed.get(handleName(handle))).filter(choice => choice?.committed && !choice.opened && choice.taken === null);
  }

  // The authors who were present when the height opened, and have not opened their choices.
  owed(asked, without) {
    const {cut, cutBefore, members} = this.game, present = members.filter(member => !cut.has(member) && !cutBefore.has(member));
    return without(present.filter(member => this.owing(asked).some(choice => choice.by === member)), "reveal");
  }

  // The members that are present when a height opens.
  get present() {
    return this.game.members.filter(member => !this.game.cutBefore.has(member));
  }

  // The choices that others open, since their author is not present and t members of their key are.
  forced(asked) {
    const {present} = this, here = ({key}) => key.members.filter(member => present.includes(member));
    return this.owing(asked).filter(choice => !present.includes(choice.by) && choice.key && here(choice).length >= choice.key.t);
  }

  // An opening, or what t others open; what came of it is in the result.
  reveal(asked, due, result, ended) {
    const {game, present} = this, owing = this.owing(asked), forced = this.forced(asked);
    for (const entry of due.filter(each => each.kind === "reveal")) this.openings(entry, owing);
    const values = new Map(forced.map(choice => [choice, new Map()]));
    for (const entry of due.filter(each => each.kind === "partial")) this.partials(entry, forced.filter(choice => choice.key.members.includes(entry.by)), values);
    for (const choice of forced) this.force(choice, values.get(choice));
    if (owing.some(choice => !choice.opened && present.includes(choice.by))) throw new Problem("log/gap", `height ${game.height}`);
    if (ended) return;
    this.attempted = [];
    if (forced.length) this.lifts.set(game.height, {forced, epoch: game.epoch, members: game.members});
    game.opened.push(...forced.map(({by}) => ({height: game.height, by})));
    asked.handles.forEach((handle, at) => {
      const choice = this.placed.get(handleName(handle));
      if (!choice || choice.taken !== null) return;
      choice.taken = game.height;
      if (choice.committed && !same(encode(Array.isArray(result) ? result[at] ?? null : null), choice.opened ?? encode(null))) {
        throw choice.entry ? wrong("seal/opening-mismatch", choice.entry) : new Problem("log/gap", `height ${game.height}`);
      }
    });
  }

  openings(entry, owing) {
    for (const [choice, value] of this.opened(entry, owing)) {
      if (value === null) throw wrong("seal/opening-mismatch", entry);
      this.open(choice, value, entry.by);
      this.game.counts.openings++;
    }
  }

  // What an entry opens: [choice, its value, null if that is not what was sealed].
  opened(entry, owing) {
    const mine = owing.filter(choice => choice.by === entry.by), said = Array.isArray(entry.body) ? entry.body : [];
    if (!mine.length) throw wrong("entry/not-asked", entry);
    if (said.length !== mine.length) throw wrong("seal/form", entry);
    return mine.map((choice, at) => {
      const {handle: [deck, index], epoch, committed} = choice, [name, number, value, nonce] = items(said[at], 4);
      if (name !== deck || number !== index || !isBytes(nonce, 32)) throw wrong("seal/form", entry);
      const plain = encode(value);
      return [choice, same(H("seal", this.game.table, epoch, deck, index, entry.author, plain, nonce), committed) ? plain : null];
    });
  }

  open(choice, value, by) {
    choice.opened = value;
    this.attempted.push([choice, by]);
  }

  // An opening that did not fit within a repair: what is not as it was sealed stays closed, and its author owes it no more.
  close(entry, asked) {
    for (const [choice, value] of this.opened(entry, this.owing(asked))) this.open(choice, value ?? encode(null), entry.by);
  }

  // A member's parts of the points that lock these choices.
  partials(entry, choices, values) {
    const said = Array.isArray(entry.body) ? entry.body : [];
    if (!choices.length) throw wrong("entry/not-asked", entry);
    if (said.length !== choices.length) throw wrong("seal/form", entry);
    choices.forEach((choice, at) => {
      const {key, handle: [deck, index]} = choice, [name, number, packed] = items(said[at], 3);
      const value = isBytes(packed, 96) && areProofs(packed.slice(32)) ? readPoint(packed.slice(0, 32)) : null, place = key.members.indexOf(entry.by);
      if (name !== deck || number !== index || !value) throw wrong("seal/form", entry);
      if (!proofHolds("partial", this.place(key, entry.author), equalLogarithms(key.shares[place], choice.point, value), packed.slice(32))) throw wrong("seal/proof", entry);
      values.get(choice).set(BigInt(place + 1), value);
    });
    this.game.counts.partials++;
  }

  // A member's parts that came when enough others were there change nothing, but false ones are found all the same.
  late(entry) {
    const {game} = this, {forced, epoch, members} = this.lifts.get(entry.height) ?? {};
    if (entry.kind !== "partial" || !members?.includes(entry.by)) return;
    const mine = forced.filter(({key}) => key.members.includes(entry.by)), here = same(entry.head, game.heads.get(entry.height));
    if (mine.length && here && entry.epoch === epoch) this.partials(entry, mine, new Map(mine.map(choice => [choice, new Map()])));
  }

  // Read the text under its mask; one that does not fit its commitment convicts its author and counts for nothing.
  force(choice, values) {
    const {key, handle: [deck, index], point, text, committed, entry, epoch} = choice;
    const shared = combined(values, key.t);
    if (!shared) throw new Problem("log/gap", `height ${this.game.height}`);
    const mask = noble.shake256(message("seal/kem", this.place(key, entry.author), deck, index, encoded(point), shared.toBytes()), {dkLen: text.length});
    const plain = text.map((byte, at) => byte ^ mask[at]), size = plain[0] << 8 | plain[1];
    const value = plain.slice(2, 2 + size), nonce = plain.slice(2 + LONGEST);
    const fits = size <= LONGEST && plain.slice(2 + size, 2 + LONGEST).every(byte => byte === 0) &&
      same(H("seal", this.game.table, epoch, deck, index, entry.author, value, nonce), committed) && isEncoding(value);
    if (!fits) throw wrong("seal/unopenable", entry);
    this.open(choice, value, null);
    this.game.counts.forced++;
  }

  goBack(to) {
    for (const [name, choice] of this.placed) {
      if (choice.height >= to) this.placed.delete(name);
      else if (choice.taken !== null && choice.taken >= to) Object.assign(choice, {taken: null, opened: null});
    }
  }
}

// Whether this is the encoding of a value.
function isEncoding(data) {
  try {
    return same(encode(decode(data)), data);
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

// Decks whose order every program computes: a shuffle is a roll.
class OpenDecks {
  // begun: the cards [deck, number, face] that lie there at the beginning.
  constructor(begun) {
    Object.assign(this, {cards: new Map(begun.map(([deck, index, face]) => [handleName([deck, index]), face])), done: []});
  }

  take(asked, result, choices, game) {
    if (asked.kind === "shuffle" && asked.members.length) {
      const faces = asked.members.map(member => Array.isArray(member) ? this.cards.get(handleName(member)) : member);
      const order = permutation(result, faces.length);
      asked.handles.forEach((handle, at) => this.cards.set(handleName(handle), faces[order[at]]));
      this.done.push({height: game.height, handles: asked.handles});
    } else if (asked.kind === "reveal") {
      asked.handles.forEach((handle, at) => {
        if (choices.placed.has(handleName(handle))) return;
        const face = this.cards.get(handleName(handle));
        if (!Array.isArray(result) || face === undefined || !same(encode(result[at]), encode(face))) throw new Problem("deck/share-proof", `height ${game.height}`);
        game.counts.faces++;
      });
    }
  }

  goBack(to) {
    for (const {handles} of this.done.filter(each => each.height >= to)) handles.forEach(handle => this.cards.delete(handleName(handle)));
    this.done = this.done.filter(each => each.height < to);
  }
}
