// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a saved game, lets Python with the rules and the independent checks judge it, shows both verdicts, and draws it.
// What Python says is text: nothing of it becomes markup.
"use strict";

const LANGUAGES = JSON.parse($("texts").textContent);
const SLOW = 60000;
let texts = LANGUAGES[navigator.language.slice(0, 2)] ? navigator.language.slice(0, 2) : "en";
const text = (name, values = {}) => filled(LANGUAGES[texts][name], values);

// The last step of the work, for people and for programs.
function at(step, line, part = null) {
  root.dataset.judged = step;
  $("state").textContent = line;
  $("work").hidden = part === null;
  if (part !== null) $("work").value = part;
}

function wantedHere() {
  if (typeof WebAssembly !== "object") return "no_wasm";
  if (typeof DecompressionStream !== "function") return "no_inflate";
  return null;
}

// Python ---------------------------------------------------------------------------------------------------------------

// Python in a worker. ready: a promise that it has started.
class Python extends Asked {
  constructor() {
    super($("python").textContent);
    this.ready = this.ask({parts: $("parts").textContent}, ["ready"]).ready;
  }

  // Promises of the verdict over a file, of its hints, which may come before, and of its drawing.
  judge(data, name) {
    const {hints, verdict, drawn} = this.ask({data, name, language: texts}, ["hints", "verdict", "drawn"], ({part, what}) => at("working", what, part));
    return {hints: Promise.race([hints, verdict.then(found => found.hints)]), verdict, drawn};
  }
}

// Both verdicts --------------------------------------------------------------------------------------------------------

// Promises of both verdicts, and of the drawing. The checks begin with the signatures, while Python may still be starting,
// and go on with the hints; they begin again where the verdict has others. Of what is no saved game there are none.
function judgedTwice(star, name, python) {
  const judging = python.ready.then(() => python.judge(star, name)), hints = judging.then(each => each.hints);
  const rules = judging.then(({verdict}) => verdict), begun = checked(star, hints);
  const other = Promise.all([rules, hints]).then(([found, first]) => {
    if (found.state === "unknown") return null;
    return JSON.stringify(first) === JSON.stringify(found.hints) ? begun : checked(star, found.hints);
  });
  for (const each of [begun, other]) each.catch(() => {}); // who waits for it is told
  return {rules, other, drawn: judging.then(({drawn}) => drawn)};
}

function showRules({state, line, code, place, text: whole, claims, people}) {
  Object.assign(root.dataset, {rules: state, code, place});
  Object.assign($("rules-verdict"), {textContent: line}).dataset.state = state;
  $("claims").replaceChildren(...claims.flatMap(([, title, said]) => [el("h3", {}, title), el("ul", {}, ...said.map(each => el("li", {}, each)))]));
  $("names").replaceChildren(...people.map(([name, ten]) => el("li", {}, `${name}: `, el("code", {}, ten))));
  $("people").hidden = !people.length;
  $("whole-text").textContent = whole;
  $("whole").hidden = !whole;
}

function showOther({ok, problem}, words) {
  Object.assign(root.dataset, {other: ok ? "yes" : "no", otherCode: problem?.code ?? "", otherPlace: problem ? placeOf(problem) : ""});
  Object.assign($("other-verdict"), {textContent: ok ? text("intact") : refusal(problem, words)}).dataset.state = ok ? "yes" : "no";
}

// Whether the other judge says the same, of a fault at a place that the first one names as well.
function showTogether({state, places}, {ok, problem}) {
  const same = ok ? state === "yes" : state === "no" && (places.includes(placeOf(problem)) || (problem.entry === null && places.includes("")));
  root.dataset.agree = same ? "yes" : "no";
  $("together").textContent = text(same ? "agree" : "differ");
}

// A promise of what the checks report of the game that is drawn.
let reported = null;

function drawGame({title, facts: drawn, words: said}, star, report) {
  reported = report;
  document.title = title;
  let letters = "";
  for (let from = 0; from < star.length; from += 8192) letters += String.fromCharCode(...star.subarray(from, from + 8192));
  $("star").textContent = btoa(letters);
  $("data").textContent = JSON.stringify({facts: drawn});
  $("words").textContent = JSON.stringify(said);
  document.body.append(el("script", {textContent: $("show").textContent}));
}

async function judgeFile(file, python) {
  $("file").disabled = $("language").disabled = true;
  at("working", text("judging", {name: file.name}), 0);
  $("verdicts").hidden = false;
  for (const name of ["rules", "code", "place", "other", "otherCode", "otherPlace", "agree"]) delete root.dataset[name];
  for (const id of ["rules-verdict", "other-verdict"]) delete Object.assign($(id), {textContent: text("after_python")}).dataset.state;
  $("rules-verdict").textContent = $("together").textContent = "";
  try {
    const star = new Uint8Array(await file.arrayBuffer());
    const {rules: judged, other, drawn} = judgedTwice(star, file.name, python), rules = await judged;
    showRules(rules);
    if (rules.state === "unknown") $("other-verdict").textContent = text("not_judged");
    at("working", text("drawing"), 1);
    const drawing = await drawn.catch(why => { $("together").textContent = text("no_drawing", {reason: why}); return null; });
    if (drawing) drawGame(drawing, star, other);
    const report = await other;
    if (report) {
      showOther(report, rules.words);
      showTogether(rules, report);
    }
    at("done", "");
  } catch (why) {
    at("failed", text("failed", {reason: why}));
  }
  $("another").hidden = false;
}

// Start ----------------------------------------------------------------------------------------------------------------

function showTexts() {
  root.lang = texts;
  document.title = $("title").textContent = text("program");
  const named = {
    "judges-title": "title", intro: "intro", "language-label": "language", another: "another", "rules-judge": "rules_judge",
    "other-judge": "other_judge", "people-title": "people", "people-note": "people_note", "whole-title": "whole",
  };
  for (const [id, name] of Object.entries(named)) $(id).textContent = text(name);
}

function begin() {
  showTexts();
  const lacking = wantedHere();
  if (lacking) return at("failed", text(lacking));
  $("drop").hidden = false;
  $("language").append(...Object.keys(LANGUAGES).map(each => el("option", {value: each, selected: each === texts}, LANGUAGES[each].name)));
  const python = new Python(), judges = $("judges");
  at("starting", text("starting"));
  const slow = setTimeout(() => at("starting", text("slow")), SLOW);
  python.ready.then(() => { if (root.dataset.judged === "starting") at("ready", text("ready")); },
    why => at("failed", text("failed", {reason: why}))).finally(() => clearTimeout(slow));
  $("language").onchange = () => { texts = $("language").value; showTexts(); };
  $("file").onchange = () => $("file").files.length && judgeFile($("file").files[0], python);
  $("another").onclick = () => location.reload();
  for (const [kind, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
    addEventListener(kind, event => {
      event.preventDefault();
      judges.classList.toggle("over", over);
      if (kind === "drop" && event.dataTransfer.files.length && !$("file").disabled) judgeFile(event.dataTransfer.files[0], python);
    });
  }
  return python;
}

const judgeHere = begin();
