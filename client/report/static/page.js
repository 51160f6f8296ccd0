// Shows the game and lets a worker check it. Whatever the data says is text: nothing of it becomes markup.
"use strict";
const $ = id => document.getElementById(id);
const {facts, words} = JSON.parse($("data").textContent);
const root = document.documentElement;

const el = (name, props = {}, ...children) => {
  const made = Object.assign(document.createElement(name), props);
  made.append(...children);
  return made;
};
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const list = texts => el("ul", {}, ...texts.map(text => el("li", {}, text)));

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
const star = bytesOf($("star").textContent);

// Checks -------------------------------------------------------------------------------------------------------------

function showVerdict(state, text, problem = "") {
  root.dataset.verified = state;
  if (problem) root.dataset.problem = problem;
  $("verdict").textContent = text;
  if (state !== "running") $("bar").hidden = true;
}

function showChecked(report) {
  const counted = report.checked.map(([code, count]) => filled(words.checked[code] ?? code, {n: count}));
  const unchecked = report.unchecked.map(code => words.unchecked[code] ?? code);
  $("checked").append(
    el("h3", {}, words.checked_title), list(counted),
    el("h3", {}, words.unchecked_title), list(unchecked));
}

function finished(report) {
  if (report.ok) showVerdict("yes", words.verified);
  else {
    const {code, place, entry, detail} = report.problem;
    const what = filled(words.problems[code] ?? code, {detail});
    const where = entry === null ? filled(words.where, {place: words.parts[place] ?? place}) : filled(report.problem.kind ? words.where_entry : words.where_number, report.problem);
    showVerdict("no", `${words.refused} ${where}: ${what}`, entry === null ? place : `entry ${entry}`);
    root.dataset.code = code;
  }
  showChecked(report);
}

function startChecks() {
  showVerdict("running", words.running);
  const failed = why => showVerdict("no", filled(words.not_checked, {reason: why}), "worker");
  try {
    const source = URL.createObjectURL(new Blob([$("checks").textContent], {type: "text/javascript"}));
    const worker = new Worker(source);
    worker.onerror = event => failed(event.message || "worker");
    worker.onmessage = ({data}) => {
      if (data.report) finished(data.report);
      else if (data.failed) failed(data.failed);
      else $("bar").value = data.done;
    };
    worker.postMessage({star, hints: facts.hints});
  } catch (error) {
    failed(String(error));
  }
}

// What the page shows ------------------------------------------------------------------------------------------------

function showHead() {
  $("title").textContent = document.title;
  const best = facts.seats.filter(seat => seat.rank === 1).map(seat => seat.name).join(", ");
  $("won").textContent = filled(facts.complete ? words.won : words.leads, {names: best});
  for (const [id, text] of Object.entries(words.titles)) $(id).textContent = text;
  $("save").onclick = () => el("a", {
    href: URL.createObjectURL(new Blob([star], {type: "application/octet-stream"})), download: `${facts.game}.star`,
  }).click();
}

function showScores() {
  const row = (kind, first, cells) => el("tr", {className: kind}, el("th", {scope: "row"}, first), ...cells.map(cell => el("td", {}, String(cell))));
  const parts = facts.seats[0]?.parts.map(([name]) => name) ?? [];
  $("scores").append(
    el("thead", {}, el("tr", {}, el("th", {}, ""), ...facts.seats.map(seat => el("th", {scope: "col"}, seat.name)))),
    el("tbody", {},
      ...parts.map((name, at) => row("", name, facts.seats.map(seat => seat.parts[at]?.[1] ?? ""))),
      row("sum", words.together, facts.seats.map(seat => seat.total)),
      row("", words.place, facts.seats.map(seat => seat.rank))));
}

const inflated = async base64 => JSON.parse(await new Response(
  new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate"))).text());

async function showMaps() {
  const maps = facts.maps, at = $("at");
  if (!maps.length) return;
  const drawings = await inflated(facts.drawings);
  $("pictures").hidden = false;
  at.max = maps.length - 1;
  at.value = at.max;
  at.setAttribute("aria-label", words.titles["pictures-title"]);
  let timer = 0;
  const show = () => {
    const map = maps[at.value];
    const when = filled(words.when, map);
    $("map").src = "data:image/svg+xml," + encodeURIComponent(drawings[at.value]);
    $("map").alt = $("when").value = when;
    at.setAttribute("aria-valuetext", when);
  };
  const stop = () => { clearInterval(timer); timer = 0; $("play").textContent = words.play; };
  at.oninput = () => { stop(); show(); };
  $("play").onclick = () => {
    if (timer) return stop();
    if (at.value === at.max) at.value = 0;
    show();
    $("play").textContent = words.pause;
    timer = setInterval(() => { at.value = Number(at.value) + 1; show(); if (at.value === at.max) stop(); }, 1500);
  };
  stop();
  show();
}

function showStory() {
  const starts = [{round: 0, height: 0}, ...facts.rounds];
  const groups = starts.map(({round}, at) => el("details", {open: at === starts.length - 1},
    el("summary", {}, round ? filled(words.round, {round}) : words.setup)));
  for (const [height, kind, text] of facts.story) {
    let at = starts.length - 1;
    while (at && starts[at].height > height + 1) at--;
    const line = el("p", {className: kind}, el("a", {href: `#h=${height}`}, String(height)), el("span", {}, text));
    line.dataset.height = height;
    groups[at].append(line);
  }
  $("story").append(...groups.filter(group => group.children.length > 1));
}

function showMoment() {
  const height = /^#h=(\d+)$/.exec(location.hash)?.[1];
  document.querySelectorAll(".here").forEach(line => line.classList.remove("here"));
  const lines = height ? document.querySelectorAll(`[data-height="${height}"]`) : [];
  lines.forEach(line => { line.classList.add("here"); line.closest("details").open = true; });
  lines[0]?.scrollIntoView({block: "center"});
  const later = facts.maps.findIndex(map => map.height >= height);
  if (lines.length && later >= 0 && $("at").oninput) { $("at").value = later; $("at").oninput(); }
}

function showRolls() {
  $("luck").append(list(facts.luck), el("p", {className: "faint"}, words.luck_note));
  $("rolls").append(...facts.rolls.map(roll => el("div", {},
    el("h3", {}, filled(words.roll, {height: roll.height, tag: roll.tag, faces: roll.faces.map((face, at) => `${face}/${roll.sides[at]}`).join(" ")})),
    ...roll.parts.map(part => el("p", {}, part.name + (part.lifted ? " * " : " "),
      el("code", {}, `${part.commitment} › ${part.seed || words.absent}`))))));
}

showHead();
showScores();
showStory();
showRolls();
showMaps().then(showMoment, showMoment);
addEventListener("hashchange", showMoment);
addEventListener("beforeprint", () => document.querySelectorAll("#story details").forEach(part => { part.open = true; }));
startChecks();
