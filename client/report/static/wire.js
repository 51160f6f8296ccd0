// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes, canonical CBOR, entries and the frame of a .star file: the byte forms of the protocol, read strictly.
"use strict";

// A problem of the log. place: in words ("trailer", "height 7"); entry: its number in the file from 0, or null.
class Problem extends Error {
  constructor(code, place, detail = "", entry = null) {
    super(`${code} in ${place}${detail ? `: ${detail}` : ""}`);
    Object.assign(this, {code, place, detail, entry});
  }
}

// Bytes --------------------------------------------------------------------------------------------------------------

const utf8 = new TextEncoder();
const DIGITS = Array.from({length: 256}, (_, byte) => byte.toString(16).padStart(2, "0"));
const fromHex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));
const fromBase64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);
const isBytes = (value, size) => value instanceof Uint8Array && (size === undefined || value.length === size);
const isNumber = value => typeof value === "number";
const isWhole = value => isNumber(value) || typeof value === "bigint";
const isCount = value => isNumber(value) && value >= 0;
// The items of a list that has just so many; none of anything else.
const items = (value, count) => Array.isArray(value) && value.length === count ? value : [];

function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { whole.set(part, at); at += part.length; }
  return whole;
}

function big32(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

// Tagged hashes ------------------------------------------------------------------------------------------------------
// A part is a letter, the length of its body in four bytes, and the body: n nothing, b bytes, i an integer in decimal
// digits, s text, l the forms of a list's items.

const framed = (letter, body) => joined([utf8.encode(letter), big32(body.length), body]);

function form(part) {
  if (part instanceof Uint8Array) return framed("b", part);
  if (typeof part === "string") return framed("s", utf8.encode(part));
  if (typeof part === "number" || typeof part === "bigint") return framed("i", utf8.encode(String(part)));
  if (part === null) return framed("n", new Uint8Array());
  return framed("l", joined(part.map(form)));
}

const message = (tag, ...parts) => joined(["starlock/1", tag, ...parts].map(form));
const H = (tag, ...parts) => noble.blake2b(message(tag, ...parts), {dkLen: 32});
const H64 = (tag, ...parts) => noble.blake2b(message(tag, ...parts), {dkLen: 64});

// CBOR ---------------------------------------------------------------------------------------------------------------
// The deterministic encoding of RFC 8949, 4.2.1, of null, booleans, integers, bytes, text, lists, and maps with text
// keys. Integers that a double cannot hold are BigInts. A map is read as a Map.

const MAX_DEPTH = 8;

class WireError extends Error {
  constructor(code, offset) {
    super(`${code} at byte ${offset}`);
    Object.assign(this, {code, offset});
  }
}

function decode(data, limit = 65519) {
  if (data.length > limit) throw new WireError("wire/too-long", limit);
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const text = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true});
  let at = 0;

  function argument(low, start) {
    if (low < 24) return low;
    if (low > 27) throw new WireError(low === 31 ? "wire/indefinite" : "wire/reserved", start);
    const width = 1 << (low - 24);
    if (at + width > data.length) throw new WireError("wire/truncated", start);
    let number = 0n;
    for (let n = 0; n < width; n++) number = number << 8n | BigInt(view.getUint8(at++));
    if (number < (width === 1 ? 24n : 1n << BigInt(width * 4))) throw new WireError("wire/not-shortest", start);
    return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number;
  }

  function item(depth) {
    const start = at;
    if (at >= data.length) throw new WireError("wire/truncated", at);
    const major = data[at] >> 5, low = data[at++] & 31;
    if (major === 7) return simple(low, start);
    if (major === 6) throw new WireError("wire/tag", start);
    const size = argument(low, start);
    if (major === 0) return size;
    if (major === 1) return negative(size, start);
    if (size > data.length - at) throw new WireError("wire/truncated", start);
    if (major === 2) return data.subarray(at, at += size);
    if (major === 3) return string(size);
    if (depth === 0) throw new WireError("wire/too-deep", start);
    return major === 4 ? Array.from({length: size}, () => item(depth - 1)) : map(size, depth - 1);
  }

  function negative(size, start) {
    if (typeof size === "bigint" && size > (1n << 63n) - 1n) throw new WireError("wire/range", start);
    return Number.isSafeInteger(-1 - Number(size)) ? -1 - Number(size) : -1n - BigInt(size);
  }

  function string(size) {
    try {
      return text.decode(data.subarray(at, at += size));
    } catch {
      throw new WireError("wire/utf8", at - size);
    }
  }

  function map(size, depth) {
    const pairs = new Map();
    let last = new Uint8Array();
    for (let n = 0; n < size; n++) {
      const start = at;
      if (at < data.length && data[at] >> 5 !== 3) throw new WireError("wire/key-type", at);
      const key = item(depth), written = data.subarray(start, at);
      if (compared(written, last) <= 0) throw new WireError("wire/key-order", start);
      last = written;
      pairs.set(key, item(depth));
    }
    return pairs;
  }

  function simple(low, start) {
    if (low === 20 || low === 21) return low === 21;
    if (low === 22) return null;
    throw new WireError(low >= 25 && low <= 27 ? "wire/float" : low === 31 ? "wire/indefinite" : "wire/simple", start);
  }

  const value = item(MAX_DEPTH);
  if (at !== data.length) throw new WireError("wire/trailing", at);
  return value;
}

function compared(one, other) {
  for (let at = 0; at < Math.min(one.length, other.length); at++) if (one[at] !== other[at]) return one[at] - other[at];
  return one.length - other.length;
}

function head(major, number) {
  const value = BigInt(number);
  if (value < 24n) return Uint8Array.of(major << 5 | Number(value));
  const width = value < 1n << 8n ? 1 : value < 1n << 16n ? 2 : value < 1n << 32n ? 4 : 8;
  const bytes = Uint8Array.from({length: width}, (_, at) => Number(value >> BigInt(8 * (width - 1 - at)) & 255n));
  return joined([Uint8Array.of(major << 5 | 24 + Math.log2(width)), bytes]);
}

function encode(value) {
  if (value === null) return Uint8Array.of(0xf6);
  if (typeof value === "boolean") return Uint8Array.of(value ? 0xf5 : 0xf4);
  if (typeof value === "number" || typeof value === "bigint") return value >= 0 ? head(0, value) : head(1, -1n - BigInt(value));
  if (value instanceof Uint8Array) return joined([head(2, value.length), value]);
  if (typeof value === "string") return joined([head(3, utf8.encode(value).length), utf8.encode(value)]);
  if (Array.isArray(value)) return joined([head(4, value.length), ...value.map(encode)]);
  const pairs = [...value].map(([key, part]) => [encode(key), encode(part)]).sort((one, other) => compared(one[0], other[0]));
  return joined([head(5, pairs.length), ...pairs.flat()]);
}

// Entries ------------------------------------------------------------------------------------------------------------

const KINDS = new Set(("genesis join commit keys ok complaint answer seal shuffle remask tag open share partial reveal " +
  "pact sign refuse chat clock result fault leave").split(" "));
const MAX_CODE = 64;

// The greatest size of each kind of entry, 12,000 bytes for all others.
const MOST_BYTES = {chat: 512, clock: 512, join: 512, leave: 512, sign: 512, fault: 1024, refuse: 2048, pact: 4096, result: 4096,
  shuffle: 60000, remask: 60000, tag: 60000};

// The form of what fills no slot and is judged nowhere else.
const SHAPES = {
  chat: body => Array.isArray(body) && body.length === 1 && isBytes(body[0], 32),
  clock: body => Array.isArray(body) && body.length === 1 && isBytes(body[0], 32),
  fault: body => Array.isArray(body) && body.length === 3 && isBytes(body[0], 32) && typeof body[1] === "string" && [...body[1]].length <= MAX_CODE &&
    Array.isArray(body[2]) && [1, 2].includes(body[2].length) && body[2].every(id => isBytes(id, 32)),
  join: body => body === null,
  leave: body => body === null,
};
const FIELDS = ["version", "table", "author", "seq", "prev", "epoch", "height", "head", "state", "kind", "body", "signature"];
const SIZES = {table: 32, author: 32, prev: 32, head: 32, state: 16, signature: 64};

// The entry in these bytes; its signature is not checked here.
function readEntry(raw) {
  const items = decode(raw, 60000);
  if (!Array.isArray(items) || items.length !== 12) throw new WireError("entry/shape", 0);
  const entry = Object.fromEntries(FIELDS.map((name, at) => [name, items[at]]));
  if (entry.version !== 1) throw new WireError("entry/version", 0);
  for (const [name, size] of Object.entries(SIZES)) if (!isBytes(entry[name], size)) throw new WireError(`entry/${name}`, 0);
  for (const name of ["seq", "epoch", "height"]) {
    if (!isNumber(entry[name]) || entry[name] < 0) throw new WireError(`entry/${name}`, 0);
  }
  if (!strictPoint(entry.author)) throw new WireError("entry/author", 0);
  if ((entry.seq === 0) !== entry.prev.every(byte => byte === 0)) throw new WireError("entry/prev", 0);
  if (!KINDS.has(entry.kind)) throw new WireError("entry/kind", 0);
  if (raw.length > (MOST_BYTES[entry.kind] ?? 12000)) throw new WireError("entry/too-long", 0);
  if (!(SHAPES[entry.kind]?.(entry.body) ?? true)) throw new WireError("entry/body", 0);
  entry.id = H("entry", joined([Uint8Array.of(0x8b), raw.subarray(1, raw.length - 66)]));
  entry.by = hex(entry.author);
  entry.size = raw.length;
  return entry;
}

// The file -----------------------------------------------------------------------------------------------------------

const MAGIC = fromHex("89737461720d0a1a");

// Fill `star` with its entries, texts and trailer: framing, shapes and chains are checked, signatures are not. At a
// problem `star` holds the entries before it, and an entry that is in no chain, since its signature may be what is wrong.
function readStar(data, star) {
  if (!same(data.subarray(0, 8), MAGIC)) throw new Problem("file/foreign", "magic");
  const size = data[10] ?? 0, end = 11 + size + 8;
  if (data.length < end) throw new Problem("file/truncated", "header");
  if (!same(H("header", data.subarray(0, end - 8)).subarray(0, 8), data.subarray(end - 8, end))) throw new Problem("file/header", "header");
  const version = data[8] << 8 | data[9];
  if (version !== 1 && version !== 2) throw new Problem("file/version", "header", String(version));
  let at = end;

  function take(letter, place, entry = null) {
    if (at >= data.length) throw new Problem("file/truncated", place, "", entry);
    if (String.fromCharCode(data[at]) !== letter) throw new Problem("file/record", place, "", entry);
    if (data.length < at + 5) throw new Problem("file/truncated", place, "", entry);
    const length = new DataView(data.buffer, data.byteOffset + at + 1, 4).getUint32(0);
    if (length > 60000) throw new Problem("file/length", place, String(length), entry);
    if (data.length < at + 5 + length) throw new Problem("file/truncated", place, "", entry);
    at += 5 + length;
    return data.subarray(at - length, at);
  }

  const letter = () => at < data.length ? String.fromCharCode(data[at]) : "";
  Object.assign(star, {texts: 0, feeds: new Map(), spent: new Map(), content: version === 2 ? take("C", "content") : null});
  while (letter() !== "Z" && letter() !== "") {
    const number = star.entries.length, place = `entry ${number}`;
    addEntry(star, take("E", place, number), number);
    if (letter() === "T") {
      checkText(star.entries[number], take("T", `text of ${place}`, number), number);
      star.texts++;
    }
  }
  if (!star.entries.length) throw new Problem("file/empty", "entry 0", "", 0);
  star.table = star.entries[0].table;
  star.digest = H("star", data.subarray(0, at));
  star.trailer = readTrailer(take("Z", "trailer"));
  if (at !== data.length) throw new Problem("file/trailing", "end");
}

function addEntry(star, raw, number) {
  const place = `entry ${number}`;
  let entry;
  try {
    entry = readEntry(raw);
  } catch (error) {
    if (error instanceof WireError) throw new Problem("file/entry", place, error.message, number);
    throw error;
  }
  entry.number = number;
  star.entries.push(entry);
  if (!same(entry.table, star.entries[0].table)) throw new Problem("file/other-table", place, "", number);
  const feed = star.feeds.get(entry.by) ?? [], last = feed.at(-1), spent = star.spent.get(entry.by) ?? {chats: 0, size: 0};
  entry.kind === "chat" ? spent.chats++ : spent.size += entry.size;
  const ended = last?.kind === "leave" || spent.chats > MAX_CHATS || spent.size > MAX_FEED;
  if (ended || entry.seq !== feed.length || (last && !same(entry.prev, last.id))) throw new Problem("file/chain", place, "", number);
  feed.push(entry);
  star.feeds.set(entry.by, feed);
  star.spent.set(entry.by, spent);
}

function checkText(entry, record, number) {
  const place = `text of entry ${number}`;
  let text;
  try {
    text = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(record.subarray(16));
  } catch {
    throw new Problem("file/text", place, "", number);
  }
  const said = Array.isArray(entry.body) ? entry.body[0] : null;
  if (entry.kind !== "chat" || !isBytes(said, 32) || !same(said, H("chat", record.slice(0, 16), text))) {
    throw new Problem("file/text", place, "", number);
  }
  entry.text = text;
}

function readTrailer(record) {
  let fields;
  try {
    fields = decode(record);
  } catch {
    fields = null;
  }
  const [count, height, head, exporter, digest, signature] = Array.isArray(fields) ? fields : [];
  if (fields?.length !== 6 || !isNumber(count) || !isNumber(height) || height < 0 || !isBytes(head, 32) ||
      !isBytes(exporter, 32) || !isBytes(digest, 32) || !isBytes(signature, 64)) throw new Problem("file/trailer", "trailer");
  return {count, height, head, exporter, digest, signature};
}

async function checkSignatures(star, helpers, progress) {
  const later = new Later(helpers, (code, {number}) => new Problem("file/entry", `entry ${number}`, code, number));
  for (const entry of star.entries) later.add("signatures", entry, {key: entry.author, signature: entry.signature, data: entry.id});
  await later.settle(progress);
}

// The exporter's word for what the file holds.
async function checkTrailer(star) {
  const {count, height, head, exporter, digest, signature} = star.trailer;
  if (!await verify(exporter, signature, H("export", star.table, count, height, head, digest))) throw new Problem("file/trailer", "trailer");
  if (count !== star.entries.length || !same(digest, star.digest)) throw new Problem("file/changed", "entries");
}
