// SPDX-License-Identifier: GPL-3.0-or-later
// What was asked at each height and what came of it, told by a file beside the log (PROTOCOL.md, 6). Only the rules know it,
// and no word of it is believed: the running hash covers it, and the state that entries name covers the rest.
"use strict";

const unfit = detail => new Problem("told/form", "told", detail);
const isName = value => typeof value === "string";
const isList = (value, each) => Array.isArray(value) && value.every(each);
const isHandle = value => Array.isArray(value) && value.length === 2 && isName(value[0]) && isCount(value[1]);
const isHandles = value => isList(value, isHandle), isSeats = value => isList(value, isCount);
const isMember = value => isName(value) || isNumber(value) || isHandle(value);

// The parts of what may be asked, each with its name and form.
const ASKED = {
  prepare: {}, keys: {}, over: {}, anew: {deck: isName}, choose: {seats: isSeats}, together: {seats: isSeats},
  seal: {seats: isSeats, handles: isHandles, keep: value => typeof value === "boolean"},
  roll: {tag: isName, sides: value => isList(value, sides => isCount(sides) && sides > 0)},
  shuffle: {tag: isName, deck: isName, members: value => isList(value, isMember), handles: isHandles},
  deal: {seat: isCount, deck: isName, handles: isHandles},
  show: {seat: isCount, handles: isHandles},
  reveal: {tag: isName, handles: isHandles},
};

// What a record says was asked; plain, as it says it.
function askedIn(plain) {
  const [kind, ...parts] = Array.isArray(plain) ? plain : [];
  const names = Object.hasOwn(ASKED, kind) ? Object.keys(ASKED[kind]) : null;
  if (names?.length !== parts.length || !names.every((name, at) => ASKED[kind][name](parts[at]))) throw unfit(String(kind));
  const asked = Object.fromEntries([["kind", kind], ["plain", plain], ...names.map((name, at) => [name, parts[at]])]);
  const even = kind === "shuffle" ? asked.members : kind === "seal" ? asked.seats : asked.handles ?? [];
  if (even.length !== (asked.handles ?? []).length) throw unfit(kind);
  return asked;
}

// What came of a height: rolls that the rules added to its roll, and what its slots do not contain; null for nothing.
function outcomeIn(items) {
  const added = [...items], result = added.at(-1)?.[0] === "result" ? added.pop() : null, rolls = added.map(askedIn);
  if (rolls.some(({kind}) => kind !== "roll") || (result && result.length !== 2)) throw unfit("outcome");
  return {added: rolls.flatMap(({sides}) => sides), result: result && result[1]};
}

// The heights of a file that tells: a Map of those that are resolved, and the open one.
function readTold(data, table) {
  const rows = itemsIn(data), [name, version, of] = items(rows.shift(), 3), last = items(rows.pop(), 3), heights = new Map();
  if (name !== "starlock told" || version !== 1 || !isBytes(of, 32) || !same(of, table) || !isCount(last[0]) || !isBytes(last[2], 16)) throw unfit("frame");
  let before = -1;
  for (const row of rows) {
    const [height, asked, ended, outcome] = items(row, 4);
    if (!isCount(height) || height <= before || typeof ended !== "boolean" || !isList(outcome, Array.isArray)) throw unfit("row");
    heights.set(height, {asked: askedIn(asked), ended, outcome, ...outcomeIn(outcome)});
    before = height;
  }
  if (last[0] <= before) throw unfit("order");
  return {heights, open: {height: last[0], game: last[2], asked: askedIn(last[1])}};
}

function itemsIn(data) {
  const found = [];
  for (let at = 0; at < data.length;) {
    const size = data.length < at + 4 ? Infinity : new DataView(data.buffer, data.byteOffset + at, 4).getUint32(0);
    if (data.length < at + 4 + size) throw unfit("length");
    try {
      found.push(decode(data.subarray(at + 4, at + 4 + size), 1 << 24));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw unfit(error.message);
    }
    at += 4 + size;
  }
  return found;
}
