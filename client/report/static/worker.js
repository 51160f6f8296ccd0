// The whole check of a saved game, from its bytes to a report; beside the page as a worker.
"use strict";

// Returns {ok, problem, checked: [[code, count], …], unchecked: [code, …]}. progress: told a part of 1.
async function checkGame(data, hints, progress) {
  let game = null;
  const unchecked = ["rules"], star = {entries: []};
  try {
    await read(data, star, part => progress(part * 0.4));
    game = new Game(star, hints);
    await game.open();
    await game.run_through(part => progress(0.4 + part * 0.6));
    return {ok: true, problem: null, checked: counted(game), unchecked: unchecked.concat(game.unjudged ? ["unjudged"] : [])};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const {code, place, entry, detail, kind, seq, height} = error;
    return {ok: false, problem: {code, place, entry, detail, kind, seq, height}, checked: counted(game), unchecked: ["stopped", ...unchecked]};
  }
}

// The first fault counts: a signature that fails before the place where the reading stopped is named instead.
async function read(data, star, progress) {
  let stopped = null;
  try {
    readStar(data, star);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    stopped = error;
  }
  await checkSignatures(star, progress);
  if (stopped) throw stopped;
  await checkTrailer(star);
}

const counted = game => Object.entries(game?.counts ?? {}).filter(([, count]) => count > 0);

if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = async ({data: {star, hints}}) => {
    try {
      postMessage({report: await checkGame(star, hints, done => postMessage({done}))});
    } catch (error) {
      postMessage({failed: String(error)});
    }
  };
}
