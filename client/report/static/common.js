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

// A worker, and what it answers. Each question has a number, which its answers bear: none is taken for that of another.
class Asked {
  constructor(source) {
    Object.assign(this, {worker: workerFrom(source), heard: [], lost: null});
    this.worker.onmessage = ({data: {question, ...said}}) => this.heard[question](said);
    this.worker.onerror = event => this.lose(event.message || "worker");
  }

  // Returns the number of a question, and a promise of each answer with one of these names. progress: told all others.
  ask(data, names, progress = () => {}) {
    const question = this.heard.length, waiting = {}, answers = {};
    for (const name of names) {
      answers[name] = new Promise((done, failed) => { waiting[name] = {done, failed}; });
      answers[name].catch(() => {}); // who waits for it is told
    }
    this.heard.push(said => {
      const [name] = Object.keys(said);
      if (name === "failed") Object.values(waiting).forEach(({failed}) => failed(said.failed));
      else waiting[name] ? waiting[name].done(said[name]) : progress(said);
    });
    this.lost ? this.heard[question]({failed: this.lost}) : this.add(question, data);
    return {question, ...answers};
  }

  // Say more about a question.
  add(question, data) { this.worker.postMessage({question, ...data}); }

  lose(why) {
    this.lost = why;
    this.heard.forEach(hear => hear({failed: why}));
  }
}

// The worker of the checks, with helpers at the other ends of its ports. The page begins each of them, once, and holds it:
// Firefox stands still for minutes when a worker begins others, or has been ended.
function beginChecks() {
  const source = `(${checks})()`, checker = new Asked(source), ports = [];
  checker.helpers = Array.from({length: Math.min(HELPERS, navigator.hardwareConcurrency || 2)}, () => {
    const {port1, port2} = new MessageChannel(), helper = workerFrom(source);
    helper.onerror = event => checker.lose(event.message || "worker");
    helper.postMessage({port: port2}, [port2]);
    ports.push(port1);
    return helper;
  });
  checker.worker.postMessage({ports}, ports);
  return checker;
}

const HELPERS = 8;
const checker = beginChecks();

// A promise of what the checks report of a saved game. hints: what is told beside it, or a promise of that.
async function checked(star, hints) {
  const {question, report} = checker.ask({star}, ["report"], ({done}) => { $("bar").value = done; });
  checker.add(question, {hints: await hints});
  return report;
}

// What is wrong with a saved game, in these words, and where.
function refusal(problem, {refused, problems, parts, where, where_entry, where_number, by_rules}) {
  const {code, place, entry, detail, kind, told} = problem, what = filled(problems[code] ?? code, {detail}).replace(" ()", "");
  const at = entry === null ? filled(where, {place: parts[place] ?? place}) : filled(kind ? where_entry : where_number, problem);
  return `${refused} ${at}: ${what}${told ? ` ${by_rules}` : ""}`;
}

const placeOf = ({place}) => place;
