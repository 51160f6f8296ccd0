// SPDX-License-Identifier: GPL-3.0-or-later
// Proofs over many cards at once: equal logarithms with weights, and shuffles.
"use strict";

const WEIGHT = 1n << 128n;
const ROWS = 5;
const combination = (numbers, points) => together(points.map((point, at) => [point, numbers[at]]), 128);

// Several equal logarithms as one: sums with 128-bit weights that a hash of all points fixes.
function weighted(tag, place, bases, images) {
  if (bases.length === 1) return [bases[0], images[0]];
  const told = H(`${tag}/weights`, place, pack(bases), pack(images));
  const numbers = bases.map((_, at) => hashScalar(`${tag}/weight`, told, at) % WEIGHT);
  return [combination(numbers, bases), combination(numbers, images)];
}

// A proof of equal logarithms as it stands in a task: image is the image of the base point, bases and images are packed.
function equalWeighted({tag, place, image, bases, images, proof}) {
  const count = bases.length / 32, mine = count === 1 ? [standing(bases)] : readPoints(bases, count), theirs = readPoints(images, count);
  return proofHolds(tag, place, equalLogarithms(standing(image), ...weighted(tag, place, mine, theirs)), proof);
}

// The proof of a shuffle (Terelius and Wikström; Haenni, Locher, Koenig and Dubuis) ------------------------------------

// The bytes of the cards that a shuffle makes of `count` others; null if it is not as long as it should be. The links of
// the chain have one equation, or one each in logs of earlier programs.
function shuffledCards(body, count) {
  const [packed, scalars] = items(body, 2);
  const fits = links => isBytes(packed, 32 * (4 * count + ROWS + links)) && isBytes(scalars, 32 * (4 + links + count));
  if (!fits(1) && !fits(count)) return null;
  return Array.from({length: count}, (_, at) => packed.slice(64 * at, 64 * at + 64));
}

// What a shuffle states, from its bytes: {place, key, cards, shuffled}; null if it is not in due form. earlier: cards that
// a shuffle has made, by their bytes.
function readStatement({place, key, before, packed, scalars}, earlier) {
  const count = before.length / 64, cards = earlier.get(hex(before)) ?? inPairs(readPoints(before, 2 * count));
  const links = scalars.length / 32 - 4 - count;
  const points = readPoints(packed, 4 * count + ROWS + links), numbers = readScalars(scalars, 4 + links + count);
  if (!points || !numbers) return null;
  const shuffled = {
    cards: inPairs(points.slice(0, 2 * count)), commitments: points.slice(2 * count, 3 * count),
    chain: points.slice(3 * count, 4 * count), t: points.slice(4 * count),
    s: numbers.slice(0, 4), sHat: numbers.slice(4, 4 + links), sPrime: numbers.slice(4 + links), scalars,
  };
  earlier.set(hex(packed.subarray(0, 64 * count)), shuffled.cards);
  return {place, key: standing(key), cards, shuffled};
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
    const weights = Array.from({length: ROWS + one.shuffled.sHat.length}, () =>
      BigInt("0x" + hex(noble.blake2b(message("weight", 0, used++), {key: told, dkLen: 32}).subarray(16))));
    for (const [point, number] of equations(one, xs[at], weights)) {
      numbers.set(point, (numbers.get(point) ?? 0n) + number);
    }
  });
  const parts = [...numbers].map(([point, number]) => [point, reduced(number)]).filter(([, number]) => number);
  return noble.pippenger(Ristretto, parts.map(([point]) => point), parts.map(([, number]) => number)).equals(Ristretto.ZERO);
}

// The points of a shuffle's equations and what they are multiplied by; added up they give the identity.
function* equations({place, key, cards, shuffled: m}, x, weights) {
  const [z1, z2, z3, z4, z5, ...zHat] = weights, [s1, s2, s3, s4] = m.s;
  const told = H("tw/u", place, encoded(key), pack(cards.flat()), pack(m.cards.flat()), pack(m.commitments));
  const u = cards.map((_, at) => hashScalar("tw/u", told, at));
  const linked = H("tw/z", place, encoded(key), pack(cards.flat()), pack(m.cards.flat()), pack(m.commitments), pack(m.chain));
  const links = zHat.length > 1 ? zHat : cards.map((_, at) => at ? zHat[0] * hashScalar("tw/z", linked, at) : zHat[0]);
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
    yield [before, links[at] * sPrime];
    before = m.chain[at];
    yield [before, -links[at] * x];
    yield [a, -z5 * xu];
    yield [b, -z4 * xu];
    yield [m.cards[at][0], z5 * sPrime];
    yield [m.cards[at][1], z4 * sPrime];
  }
}
