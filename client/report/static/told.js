// SPDX-License-Identifier: GPL-3.0-or-later
// What is told: the story, the battles, luck; links to moments and what can be shared of them.
"use strict";

// told: height and text of each line; signed: those and the class of each line that the checks have read, and where it
// comes from.
function showStory(told, signed = []) {
  const starts = [{round: 0, height: 0}, ...facts.rounds];
  const groups = starts.map(({round}, at) => el("details", {open: at === starts.length - 1},
    el("summary", {}, round ? filled(words.round, {round}) : beginning())));
  const lines = [...told.map(([height, text]) => [height, text, "", ""]), ...signed];
  for (const [height, text, kind, source] of byHeight(lines)) {
    let at = starts.length - 1;
    while (at && starts[at].height > height + 1) at--;
    const line = el("p", {className: kind}, el("a", {href: `#h=${height}`}, String(height)), el("span", {}, text));
    if (source) marked(line, source);
    line.dataset.height = height;
    groups[at].append(line);
  }
  $("story").replaceChildren(...groups.filter(group => group.children.length > 1));
}

// Battles ------------------------------------------------------------------------------------------------------------

const percent = share => `${(100 * share).toFixed(share > 0.01 && share < 0.99 || share === 0 || share === 1 ? 0 : 2)} %`;

function die([seat, kind, face, hit]) {
  const said = [nameOf(seat), kind, face, hit === null ? "" : hit ? words.hit : words.miss].filter(part => part !== "").join(" ");
  return el("span", {className: `die ${colour(seat)}${hit ? " hit" : ""}`, title: said, role: "img", ariaLabel: said}, `${face}${hit ? "✓" : ""}`);
}

// Dice in a row; where they differ in colour, each colour is named before its dice.
function diceRow(dice) {
  const row = el("span", {className: "dice"});
  dice.forEach((each, at) => {
    const [seat, kind] = each, before = dice[at - 1];
    if (!before || before[0] !== seat) row.append(disc(seat));
    if (kind && (!before || before[1] !== kind)) row.append(el("small", {}, kind));
    row.append(die(each));
  });
  return row;
}

function chances([attacker, defender, wins, loses]) {
  const said = filled(words.odds, {attacker: nameOf(attacker), wins: percent(wins), defender: nameOf(defender), loses: percent(loses)});
  const bar = draw("svg", {viewBox: "0 0 100 6", class: "odds", "aria-hidden": "true", preserveAspectRatio: "none"},
    draw("rect", {x: 100 * (1 - loses), width: 100 * loses, height: 6, class: colour(defender)}), draw("rect", {width: 100 * wins, height: 6, class: colour(attacker)}),
    draw("rect", {x: Math.min(99, 100 * wins), width: 1, height: 6, class: "split"}));
  return [el("p", {}, said), bar];
}

function battle({height, round, space, sides, odds, told}) {
  const against = sides.map(([seat]) => `${letter(seat)} ${nameOf(seat)}`).join(` ${words.against} `);
  const rows = sides.map(([seat, had, left]) => el("tr", {}, el("th", {scope: "row"}, seated(seat)), el("td", {}, had), el("td", {}, left || words.none_left)));
  const table = el("table", {className: "sides"}, el("thead", {}, el("tr", {}, el("td", {}), el("th", {scope: "col"}, words.before), el("th", {scope: "col"}, words.after))), el("tbody", {}, ...rows));
  return el("details", {},
    el("summary", {}, `${filled(words.round, {round})}, ${space}: ${against}`),
    el("p", {}, el("a", {href: `#h=${height}`}, words.show_moment)),
    el("div", {className: "wide", tabIndex: 0, role: "group", ariaLabel: `${space}: ${against}`}, table),
    ...(odds ? chances(odds) : []),
    el("ol", {}, ...told.map(([, text, dice]) => el("li", {}, text, ...(dice.length ? [diceRow(dice)] : [])))));
}

function showBattles() {
  $("battles").hidden = !facts.battles.length;
  $("fights").append(...facts.battles.map(battle));
}

// Luck, and what a seat knew -------------------------------------------------------------------------------------------

function showSeen() {
  $("eyes").hidden = !facts.seen.length;
  $("seen").append(...facts.seen.map(linkedLine));
}

function showLuck() {
  $("luck").append(list(facts.luck), el("p", {className: "faint"}, words.luck_note));
}

// Links to moments ---------------------------------------------------------------------------------------------------

function showMoment(course) {
  const height = Number(/^#h=(\d+)$/.exec(location.hash)?.[1] ?? -1);
  document.querySelectorAll(".here").forEach(line => line.classList.remove("here"));
  if (height < 0) return;
  const lines = document.querySelectorAll(`#story [data-height="${height}"]`);
  lines.forEach(line => { line.classList.add("here"); line.closest("details").open = true; });
  if (course) {
    course.stop();
    course.go(momentOf(height));
    $("pictures").scrollIntoView();
  } else lines[0]?.scrollIntoView({block: "center"});
}

// Sharing ------------------------------------------------------------------------------------------------------------

function say(text) {
  $("shared").textContent = text;
}

// What stands on the clipboard where a page may write there, else in a field from where it can be copied.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(filled(words.copied, {text}));
  } catch {
    const field = el("textarea", {value: text, readOnly: true, rows: 3, ariaLabel: words.copy_this});
    $("shared").replaceChildren(words.copy_this, field);
    field.select();
  }
}

function sentence(course) {
  const told = course.told().map(([, text]) => text).slice(-3).join(" ");
  return `${document.title}. ${when(course.moment)}: ${told || beginning()}`;
}

// The map as a bitmap, 1,600 points wide.
async function bitmap(course) {
  const drawing = course.drawing(), [, , wide, high] = /viewBox="([^"]*)"/.exec(drawing)[1].split(" ").map(Number);
  const size = {width: 1600, height: Math.round(1600 * high / wide)}, image = new Image();
  image.src = svgUrl(drawing.replace("<svg ", `<svg width="${size.width}" height="${size.height}" `));
  await image.decode();
  const canvas = el("canvas", size);
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise(done => canvas.toBlob(done, "image/png"));
}

function showSharing(course) {
  $("copy-text").onclick = () => copy(sentence(course));
  $("copy-link").onclick = () => { history.replaceState(null, "", linkTo(course.moment)); copy(location.href); };
  $("copy-picture").onclick = async () => {
    const picture = await bitmap(course);
    try {
      await navigator.clipboard.write([new ClipboardItem({"image/png": picture})]);
      say(words.picture_copied);
    } catch {
      offer(picture, `map-${course.moment.height}.png`);
      say(words.picture_saved);
    }
  };
  if (!course.mapped) $("copy-picture").hidden = $("map").hidden = $("marked").hidden = true;
}

// Start --------------------------------------------------------------------------------------------------------------

async function start() {
  showHead();
  const course = new Course(await inflated(facts.course));
  showMap(course);
  showDrawn(course);
  showCurves(course);
  showSharing(course);
  course.go(course.at);
  root.dataset.shown = "yes";
  showStory(facts.story);
  showBattles();
  showSeen();
  showLuck();
  showMoment(location.hash ? course : null);
  addEventListener("hashchange", () => showMoment(course));
  addEventListener("beforeprint", () => document.querySelectorAll("#story details, #battles details").forEach(part => { part.open = true; }));
}

// The picture comes first: the checks take all the processor that there is. report: promises what they report.
function showPage(report = () => checked(star(), {...facts.hints, seats: facts.seats})) {
  showVerdict("running", words.running);
  $("bar").setAttribute("aria-label", words.running);
  return start().finally(() => showReport(report()));
}
