// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the game and lets a worker check it. Whatever the data says is text; of pictures few kinds of elements are made.
"use strict";
const {facts} = JSON.parse($("data").textContent), kept = $("star").textContent;

// A text that depends on the number n: the form for one, or the other.
const counted = (forms, n) => filled(forms[n === 1 ? 0 : 1], {n});
const list = texts => el("ul", {}, ...texts.map(text => el("li", {}, text)));
const letter = seat => seat < 0 ? "–" : String.fromCharCode(65 + seat);
const nameOf = seat => facts.seats[seat]?.name ?? words.nobody;
// A seat is told by its letter and its name; its colour only helps to find it. A class is never what the data says.
const colour = seat => `s${Number.isInteger(seat) && seat >= 0 ? seat : "n"}`;
const disc = seat => el("span", {className: `disc ${colour(seat)}`, ariaHidden: "true"}, letter(seat));
const seated = seat => el("span", {className: "seated"}, disc(seat), nameOf(seat));

// When something was, in a game with rounds or without.
const when = moment => filled(facts.rounds.length ? words.when : words.when_step, moment);
const beginning = () => facts.rounds.length ? words.setup : words.from_first;

let read = null;
const star = () => read ??= bytesOf(kept);
const inflated = async base64 => JSON.parse(await new Response(
  new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate"))).text());

function offer(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// Checks -------------------------------------------------------------------------------------------------------------

function showVerdict(state, text, problem = "") {
  root.dataset.verified = state;
  if (problem) root.dataset.problem = problem;
  $("verdict").textContent = text;
  if (state !== "running") $("bar").hidden = true;
}

function showChecked(report) {
  const {checked, unchecked, shown} = report, sizes = (shown?.coalitions ?? []).map(([t, n]) => filled(words.of, {t, n})).join(", ");
  const claims = (title, codes) => [el("h3", {}, title), list(codes.map(code => filled(words.claims[code], {coalitions: sizes})))];
  $("checked").append(
    el("h3", {}, words.checked_title), list(checked.map(([code, count]) => counted(words.checked[code], count))),
    el("h3", {}, words.unchecked_title), list(unchecked.map(code => filled(words.unchecked[code] ?? code, report))),
    ...(shown ? [...claims(words.proves_title, shown.proves), ...claims(words.does_not_prove_title, shown.open)] : []));
}

// The verdict comes last: no page is intact that cannot show what its members signed.
function finished(report) {
  showChecked(report);
  showSigned(report);
  if (report.ok) showVerdict("yes", words.verified);
  else {
    showVerdict("no", refusal(report.problem, words), placeOf(report.problem));
    root.dataset.code = report.problem.code;
  }
}

function showReport(report) {
  report.then(finished).catch(why => {
    showVerdict("no", filled(words.not_checked, {reason: why}), "worker");
    showSigned({});
  });
}

// Where each word comes from ------------------------------------------------------------------------------------------

// Words of what a saved game holds come from "signed" bytes, were "computed" from them here, are "told" by the program
// that wrote this page, said by somebody "outside" the table, or wait for the checks. Each part says so, in its data and to
// the reader.
const badge = source => el("small", {className: `from ${source}`}, words.from[source]);

function marked(node, source) {
  node.dataset.from = source;
  node.append(badge(source));
  return node;
}

function stated(node, source, ...children) {
  node.replaceChildren(...children);
  return marked(node, source);
}

// A section whose title says where its words come from.
function showSection(id, source) {
  $(id).dataset.from = source;
  $(`${id}-title`).replaceChildren(words.titles[`${id}-title`], badge(source));
}

const SECTIONS = {
  proof: "computed", points: "checking", pictures: "told", growth: "told", battles: "told", told: "told", eyes: "told", undone: "checking",
  waiting: "checking", chance: "told", dice: "checking",
};

// Who won, and the score sheet ---------------------------------------------------------------------------------------

function showHead() {
  for (const [id, text] of Object.entries(words.titles)) $(id).textContent = text;
  for (const [id, source] of Object.entries(SECTIONS)) showSection(id, source);
  $("legend").append(...["signed", "computed", "told"].map(source => el("li", {}, badge(source), words.from_notes[source])));
  $("save").onclick = () => offer(new Blob([star()], {type: "application/octet-stream"}), "game.star");
  $("elsewhere").hidden = !facts.verifier;
  showVerifier(...facts.verifier ?? []);
  $("why").hidden = !facts.why;
  stated($("why"), "told", facts.why);
  showWinners(document.title, facts.seats, facts.complete, "checking");
}

// Which page judges the game too, and comes from somebody else. Nothing leads there: whoever sent this page would choose where.
function showVerifier(version, hash) {
  stated($("elsewhere"), "told", version ? filled(hash ? words.elsewhere : words.elsewhere_unknown, {version, hash}) : "");
}

// The game and its players, who won or leads, and the points of the seats.
function showWinners(title, seats, over, source, pointsFrom = source) {
  const best = seats.filter(seat => seat.rank === 1);
  const won = filled(over ? words.won : words.leads, {names: best.map(seat => seat.name).join(", ")});
  stated($("title"), source, title);
  stated($("won"), pointsFrom, won, ...(best.length ? [", ", counted(words.points, best[0].total)] : []));
  showSection("points", pointsFrom);
  const row = (kind, first, cells) => el("tr", {className: kind}, el("th", {scope: "row"}, first), ...cells.map(cell => el("td", {}, String(cell))));
  const parts = seats[0]?.parts.map(([kind]) => words.kinds[kind] ?? kind.replaceAll("-", " ")) ?? [];
  const named = (seat, at) => el("th", {scope: "col"}, el("span", {className: "seated"}, disc(at), seat.name));
  $("scores").replaceChildren(
    el("thead", {}, el("tr", {}, el("td", {}), ...seats.map(named))),
    el("tbody", {},
      ...parts.map((name, at) => row("", name, seats.map(seat => seat.parts[at]?.[1] ?? ""))),
      row("sum", words.together, seats.map(seat => seat.total)),
      row("", words.place, seats.map(seat => seat.rank))));
  $("scores").parentElement.setAttribute("aria-label", words.titles["points-title"]);
}
