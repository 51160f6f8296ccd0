// SPDX-License-Identifier: GPL-3.0-or-later
// Ed25519 in its one accepted form, and the group Ristretto255 with the proofs of equal and known logarithms.
"use strict";

const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;
const ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER = new Set([0n, 1n, P - 1n, ORDER_8, P - ORDER_8]);

const little = bytes => BigInt("0x" + hex(Uint8Array.from(bytes).reverse()));
const fromLittle = number => fromHex(number.toString(16).padStart(64, "0")).reverse();
const reduced = number => ((number % L) + L) % L;

// Ed25519 ------------------------------------------------------------------------------------------------------------
// Libraries differ on crafted signatures. First comes a strict check: R and the key are canonical and not of small
// order, S is below L. Then S B = R + h A must hold without the cofactor: WebCrypto judges so, and so does comparing the
// encoding of S B - h A with R, which is done where WebCrypto has no Ed25519, or one that accepts the crafted signature
// below, which holds only with the cofactor. noble's own verify uses the cofactor.

const CRAFTED = {
  key: fromHex("41a9720edeb08cde1e9217889219ea8b99bdea8d66a2623a2b15cda9196124a3"),
  signature: fromHex("7b5d9bcdd4ca834f9177cd5efe2b8feb95e05c083da48714df6715763f92cdc4188b2267c12028ab8e563e3c87a532df61a8108bdcde6f85127b49f0ad82190e"),
  data: new Uint8Array(32),
};

function strictPoint(encoding) {
  const y = little(encoding) & (1n << 255n) - 1n;
  return y < P && !SMALL_ORDER.has(y);
}

async function verify(key, signature, data, crypto = globalThis.crypto?.subtle) {
  if (signature.length !== 64 || key.length !== 32 || !strictPoint(key) || !strictPoint(signature.subarray(0, 32))) return false;
  if (little(signature.subarray(32)) >= L) return false;
  const imported = crypto && await withoutCofactor(crypto) && await importKey(key, crypto);
  return imported ? crypto.verify("Ed25519", imported, signature, data) : verifyAlone(key, signature, data);
}

const judged = new WeakMap();

async function withoutCofactor(crypto) {
  const {key, signature, data} = CRAFTED;
  if (!judged.has(crypto)) {
    const accepts = importKey(key, crypto).then(imported => imported && crypto.verify("Ed25519", imported, signature, data));
    judged.set(crypto, accepts.then(accepted => accepted === false, () => false));
  }
  return judged.get(crypto);
}

const imports = new Map();

async function importKey(key, crypto) {
  const name = hex(key);
  if (!imports.has(name)) imports.set(name, crypto.importKey("raw", key, "Ed25519", false, ["verify"]).catch(() => null));
  return imports.get(name);
}

function verifyAlone(key, signature, data) {
  const {Point} = noble.ed25519;
  let point;
  try {
    point = Point.fromBytes(key);
  } catch {
    return false;
  }
  const r = signature.subarray(0, 32), s = little(signature.subarray(32));
  const h = reduced(little(noble.sha512(joined([r, key, data]))));
  const back = (s ? Point.BASE.multiply(s) : Point.ZERO).subtract(h ? point.multiplyUnsafe(h) : Point.ZERO);
  return same(back.toBytes(), r);
}

// Ristretto255 -------------------------------------------------------------------------------------------------------

const Ristretto = noble.ristretto255.Point;
const times = (number, point) => reduced(number) === 0n ? Ristretto.ZERO : point.multiplyUnsafe(reduced(number));
const sum = points => points.reduce((one, other) => one.add(other), Ristretto.ZERO);
const hashPoint = (tag, ...parts) => noble.ristretto255_hasher.deriveToCurve(H64(tag, ...parts));
const hashScalar = (tag, ...parts) => little(H64(tag, ...parts)) % L;

// The 32 bytes of a point. Finding them takes as long as reading them, so that both are kept.
const encodings = new WeakMap([[Ristretto.BASE, Ristretto.BASE.toBytes()]]);

function encoded(point) {
  if (!encodings.has(point)) encodings.set(point, point.toBytes());
  return encodings.get(point);
}

// The point of an encoding that a member may send: canonical, and not the identity. null for anything else.
function readPoint(bytes) {
  if (!isBytes(bytes, 32) || bytes.every(byte => byte === 0)) return null;
  try {
    const point = Ristretto.fromBytes(bytes);
    encodings.set(point, bytes);
    return point;
  } catch {
    return null;
  }
}

function readPoints(bytes, count) {
  if (!isBytes(bytes, 32 * count)) return null;
  const points = Array.from({length: count}, (_, at) => readPoint(bytes.slice(32 * at, 32 * at + 32)));
  return points.includes(null) ? null : points;
}

const inPairs = points => points && Array.from({length: points.length / 2}, (_, at) => points.slice(2 * at, 2 * at + 2));

function readScalars(bytes, count) {
  if (!isBytes(bytes, 32 * count)) return null;
  const numbers = Array.from({length: count}, (_, at) => little(bytes.subarray(32 * at, 32 * at + 32)));
  return numbers.some(number => number >= L) ? null : numbers;
}

const pack = points => joined(points.map(encoded));

// Proofs -------------------------------------------------------------------------------------------------------------
// A relation says of every row (B_1 … B_m) with its image I that I = x_1 B_1 + … + x_m B_m; null takes no part. The proof
// is (c, s_1 … s_m), and c is the hash of tag, place, relation and T_i = s_1 B_i1 + … - c I_i.

const WINDOW = 4;
const logarithm = image => ({rows: [[Ristretto.BASE]], images: [image]});
const equalLogarithms = (image, base, other) => ({rows: [[Ristretto.BASE], [base]], images: [image, other]});

function proofHolds(tag, place, {rows, images}, bytes) {
  const numbers = readScalars(bytes, rows[0].length + 1);
  if (!numbers) return false;
  const [challenge, ...responses] = numbers;
  const commitments = rows.map((row, at) => {
    const used = row.map((point, n) => [point, responses[n]]).filter(([point]) => point);
    return together([...used, [images[at], L - challenge]]);
  });
  const told = rows.map(row => row.map(point => point && encoded(point)));
  return hashScalar(tag, place, told, pack(images), pack(commitments)) === challenge;
}

// Small multiples of points that come again in a row.
const multiples = new WeakMap();

function multiplesOf(point) {
  let found = multiples.get(point);
  if (!found) {
    found = [Ristretto.ZERO, point];
    while (found.length < 1 << WINDOW) found.push(found.at(-1).add(point));
    multiples.set(point, found);
  }
  return found;
}

// Points that come again and again, as members' keys do, by their encodings. From the WORTH-th time on they are
// multiplied without doublings, by tables of their multiples at every digit.
const [DIGIT, WORTH, MOST] = [5, 8, 256];
const points = new Map();
const tables = new WeakMap([[Ristretto.BASE, {uses: WORTH, rows: null}]]);

function standing(bytes) {
  const name = hex(bytes);
  if (!points.has(name)) {
    if (points.size >= MOST) points.clear();
    const point = readPoint(bytes);
    tables.set(point, {uses: 0, rows: null});
    points.set(name, point);
  }
  return points.get(name);
}

function rowsOf(point) {
  const table = tables.get(point);
  if (!table || ++table.uses < WORTH) return null;
  if (!table.rows) {
    table.rows = [];
    for (let shift = 0, one = point; shift < 256; shift += DIGIT) {
      const row = [Ristretto.ZERO, one];
      while (row.length < 1 << DIGIT) row.push(row.at(-1).add(one));
      table.rows.push(row);
      one = row.at(-1).add(one);
    }
  }
  return table.rows;
}

const digitAt = (number, shift, size) => Number(number >> BigInt(shift) & BigInt((1 << size) - 1));

// The sum of points, each multiplied by its number below 2^bits, with common doublings.
function together(parts, bits = 256) {
  let all = Ristretto.ZERO;
  const others = [], standing = [];
  for (const [point, number] of parts) {
    const rows = rowsOf(point);
    rows ? standing.push([rows, number]) : others.push([multiplesOf(point), number]);
  }
  for (let shift = bits - WINDOW; others.length && shift >= 0; shift -= WINDOW) {
    for (let n = 0; n < WINDOW; n++) all = all.double();
    for (const [multiple, number] of others) {
      const digit = digitAt(number, shift, WINDOW);
      if (digit) all = all.add(multiple[digit]);
    }
  }
  for (const [rows, number] of standing) {
    rows.forEach((row, at) => {
      const digit = digitAt(number, at * DIGIT, DIGIT);
      if (digit) all = all.add(row[digit]);
    });
  }
  return all;
}

// Whether these bytes have the form of proofs, one after the other, of so many secrets each.
function areProofs(bytes, count = 1, secrets = 1) {
  return readScalars(bytes, count * (secrets + 1)) !== null;
}

// Threshold keys -----------------------------------------------------------------------------------------------------

const threshold = members => Math.floor(members / 2) + 1;
const rosterHash = members => H("roster", members);

function inverse(number) {
  let [a, b, x, y] = [reduced(number), L, 1n, 0n];
  while (b) [a, b, x, y] = [b, a % b, y, x - a / b * y];
  return reduced(x);
}

// What the values of a polynomial at these places are multiplied by to sum up to its value at 0.
function lagrange(places) {
  return places.map(one => {
    let above = 1n, below = 1n;
    for (const other of places) if (other !== one) { above = reduced(above * other); below = reduced(below * (other - one)); }
    return reduced(above * inverse(below));
  });
}

// What any t values of a polynomial at these places come to at 0; null from fewer. values: by place.
function combined(values, t) {
  const places = [...values.keys()].sort((one, other) => Number(one - other)).slice(0, t);
  const weights = lagrange(places);
  return places.length < t ? null : together(places.map((place, at) => [values.get(place), weights[at]]));
}

function evaluated(coefficients, index) {
  let power = 1n;
  return sum(coefficients.map(point => { const part = times(power, point); power = reduced(power * BigInt(index)); return part; }));
}

// Dice ---------------------------------------------------------------------------------------------------------------
// Words of 32 bits come from blocks of SHAKE256; a number below n from a word by rejection.

function* words(seed, name) {
  const prefix = message("stream", seed, name);
  for (let number = 0; ; number++) {
    const block = noble.shake256(joined([prefix, new Uint8Array(4), big32(number)]), {dkLen: 136});
    const view = new DataView(block.buffer, block.byteOffset, 136);
    for (let at = 0; at < 136; at += 4) yield view.getUint32(at);
  }
}

function below(stream, size) {
  const end = 2 ** 32 - 2 ** 32 % size;
  let word;
  do word = stream.next().value; while (word >= end);
  return word % size;
}

function dice(seed, sides) {
  const stream = words(seed, "dice");
  return sides.map(size => below(stream, size) + 1);
}

// The numbers below `count` in the order of a shuffle (Fisher and Yates, from the top).
function permutation(seed, count) {
  const stream = words(seed, "shuffle"), order = Array.from({length: count}, (_, at) => at);
  for (let top = count - 1; top > 0; top--) {
    const other = below(stream, top + 1);
    [order[top], order[other]] = [order[other], order[top]];
  }
  return order;
}
