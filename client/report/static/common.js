// SPDX-License-Identifier: GPL-3.0-or-later
// What the scripts of a page share: elements, texts, and the checks in a worker.
"use strict";
const $ = id => document.getElementById(id);
const root = document.documentElement;

function put(made, props, children) {
  for (const [name, value] of Object.entries(props)) name in made ? made[name] = value : made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const el = (name, props = {}, ...children) => put(document.createElement(name), props, children);
const filled = (text, values) => String(text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const workerFrom = source => new Worker(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));

// What the checks report of a saved game; they run once, whoever asks. hints: what is told beside it, or a promise of that.
let checking = null;
const checked = (star, hints) => checking ??= new Promise((done, failed) => {
  const worker = workerFrom(`(${checks})()`);
  worker.onerror = event => failed(event.message || "worker");
  worker.onmessage = ({data}) => {
    if (data.report) done(data.report);
    else if (data.failed) failed(data.failed);
    else $("bar").value = data.done;
  };
  worker.postMessage({star});
  Promise.resolve(hints).then(given => worker.postMessage({hints: given}), failed);
});

// What is wrong with a saved game, in these words, and where.
function refusal(problem, {refused, problems, parts, where, where_entry, where_number, by_rules}) {
  const {code, place, entry, detail, kind, told} = problem, what = filled(problems[code] ?? code, {detail}).replace(" ()", "");
  const at = entry === null ? filled(where, {place: parts[place] ?? place}) : filled(kind ? where_entry : where_number, problem);
  return `${refused} ${at}: ${what}${told ? ` ${by_rules}` : ""}`;
}

const placeOf = ({place}) => place;
