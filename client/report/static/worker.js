// SPDX-License-Identifier: GPL-3.0-or-later
// The whole check of a saved game, from its bytes to a report; beside the page as a worker.
"use strict";

// hints: {told, seats, refused}, or a promise of it, for which signatures do not wait. told: the file of what was asked, in
// base64; refused: the faults that only the rules show; seats: places and points, all as the page was told them. Returns {ok, problem, checked: [[code, count], …],
// unchecked: [code, …]}, and if it is ok the end and what is shown (`Shown`). progress: told a part of 1; helpers: who
// checks what nothing waits for.
async function checkGame(data, hints, progress, helpers = alone) {
  let game = null;
  const unchecked = ["rules"], star = {entries: []}, newcomers = new Set();
  const read = async (closing, repairs) => {
    const {told, refused = {}} = await hints;
    game = new Game(star, readTold(fromBase64(told), star.table), refused, helpers, closing, repairs, newcomers);
    await game.open();
    await game.run_through(part => progress(0.2 + part * 0.8));
  };
  const begin = async closing => readRepaired(repairs => read(closing, repairs), () => game);
  const judge = async () => {
    const ends = closings(star.entries);
    const stands = await readToEnd(ends, begin, () => game);
    if (!stands) await begin(null);
    if (ends.some(each => mayStand(each, star.entries, game, stands))) throw new Problem("result/undone", "entries");
  };
  try {
    await readSigned(data, star, helpers, part => progress(part * 0.2));
    let problem = null;
    do problem = await judge().then(() => null, error => error);
    while (game?.seatedLate(newcomers));
    if (problem && !(problem instanceof Problem)) throw problem;
    const first = game?.stranger ?? problem;
    if (first) throw first;
    const {seats} = await hints;
    if (seats && game.end && !agree(seats, game.end)) throw new Problem("told/other-points", "points");
    const {signed} = game;
    const open = [...(game.unjudged ? ["unjudged"] : []), ...(game.unsigned.length ? ["unsigned"] : []), ...(signed < game.height ? ["last"] : [])];
    return {ok: true, problem: null, end: game.end, signed, shown: new Shown(game).plain(), checked: countsOf(game), unchecked: [...unchecked, ...open]};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const {code, place, entry, detail, kind, seq, height, told = false} = error;
    return {ok: false, problem: {code, place, entry, detail, kind, seq, height, told}, checked: countsOf(game), unchecked: ["stopped", ...unchecked]};
  }
}

// Read a log with its repairs, as who computes their states does: what is false within one does not fit there. If the log
// is not intact so, read it without them; of two faults, that of the reading which came farther counts.
async function readRepaired(read, game) {
  const unfit = new Map();
  let first = null;
  while (first === null) {
    const error = await read({count: true, unfit}).then(() => null, found => found);
    if (error === null) return;
    if (!(error instanceof Problem)) throw error;
    const entry = error.entry === null ? null : game().star.entries[error.entry];
    if (entry === null || unfit.has(entry.number) || !game().unfits(error.code, entry)) first = error;
    else unfit.set(entry.number, error.code);
  }
  if (!game()?.repairs.size) throw first;
  await read({count: false, unfit: new Map()}).catch(() => { throw first; });
}

// Whether one of these ends stands, to which the log is read then; throws the fault that is found on the way to it.
async function readToEnd(ends, begin, game) {
  for (const closing of ends) {
    const found = await begin(closing).then(() => null, error => error);
    if (found && !(found instanceof Problem)) throw found;
    if (game().final && game().height === closing.height && same(game().head, closing.head)) {
      if (found) throw found;
      return true;
    }
  }
  return false;
}

// Whether places and points of these seats are those that the members signed.
function agree(seats, {scores}) {
  return same(encode(seats.map(({rank, total, parts}) => [rank, total, parts])), encode(scores));
}

// The first fault counts: a signature that fails before the place where the reading stopped is named instead.
async function readSigned(data, star, helpers, progress) {
  let stopped = null;
  try {
    readStar(data, star);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    stopped = error;
  }
  await checkSignatures(star, helpers, progress);
  if (stopped) throw stopped;
  await checkTrailer(star);
}

const countsOf = game => Object.entries(game?.counts ?? {}).filter(([, count]) => count > 0);

// Answers the page, which numbers its questions, with the saved game first and its hints later.
function answerPage() {
  const hear = new Map();
  let helpers = alone;
  const answer = (question, star) => {
    const tell = said => postMessage({question, ...said}), hints = new Promise(done => hear.set(question, done));
    checkGame(star, hints, done => tell({done}), helpers).then(report => tell({report}), error => tell({failed: String(error)}));
  };
  onmessage = ({data: {ports, port, question, star, hints}}) => {
    if (ports) helpers = new Helpers(ports);
    else if (port) help(port);
    else star ? answer(question, star) : hear.get(question)(hints);
  };
}

if (typeof WorkerGlobalScope !== "undefined") answerPage();
