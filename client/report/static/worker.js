// SPDX-License-Identifier: GPL-3.0-or-later
// The whole check of a saved game, from its bytes to a report; beside the page as a worker.
"use strict";

const HELPERS = 8;

// Returns {ok, problem, checked: [[code, count], …], unchecked: [code, …]}. progress: told a part of 1; helpers: who
// checks what nothing waits for.
async function checkGame(data, hints, progress, helpers = alone) {
  let game = null;
  const unchecked = ["rules"], star = {entries: []};
  try {
    await read(data, star, helpers, part => progress(part * 0.2));
    game = new Game(star, hints, helpers);
    await game.open();
    await game.run_through(part => progress(0.2 + part * 0.8));
    return {ok: true, problem: null, checked: counted(game), unchecked: unchecked.concat(game.unjudged ? ["unjudged"] : [])};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const {code, place, entry, detail, kind, seq, height, told = false} = error;
    return {ok: false, problem: {code, place, entry, detail, kind, seq, height, told}, checked: counted(game), unchecked: ["stopped", ...unchecked]};
  }
}

// The first fault counts: a signature that fails before the place where the reading stopped is named instead.
async function read(data, star, helpers, progress) {
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

const counted = game => Object.entries(game?.counts ?? {}).filter(([, count]) => count > 0);

async function checkAll({star, hints}) {
  const helpers = new Helpers(Math.min(HELPERS, navigator.hardwareConcurrency || 2), location.href);
  try {
    postMessage({report: await checkGame(star, hints, done => postMessage({done}), helpers)});
  } catch (error) {
    postMessage({failed: String(error)});
  } finally {
    helpers.close();
  }
}

async function check({kind, all}) {
  try {
    postMessage({found: await CHECKS[kind](all)});
  } catch (error) {
    postMessage({failed: String(error)});
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = ({data}) => data.star ? checkAll(data) : check(data);
}
