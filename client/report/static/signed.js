// SPDX-License-Identifier: GPL-3.0-or-later
// What the checks have read from signed bytes, and computed from them: shown only where they have found nothing wrong.
"use strict";

// Shows what a report brings. Without it, who won is told by the program that wrote this page, and the rest left out.
function showSigned({ok = false, shown, end, signed}) {
  if (!ok) {
    showWinners(document.title, facts.seats, facts.complete, "told");
    for (const [id, place] of [["undone", "undoings"], ["waiting", "waits"], ["dice", "rolls"]]) {
      showSection(id, "computed");
      $(place).append(el("p", {}, words.not_shown));
    }
    return;
  }
  const scores = end && end.scores.map(([rank, total, parts], at) => ({name: shown.seats[at], rank, total, parts}));
  const seats = scores ?? facts.seats.map((seat, at) => ({...seat, name: shown.seats[at]}));
  document.title = `${words.games[shown.game] ?? shown.game}: ${shown.seats.join(", ")}`;
  showWinners(document.title, seats, shown.over, "signed", scores ? "signed" : "told");
  showVotes(shown);
  showUndone(shown, signed);
  showWaiting(shown);
  showRolls(shown, signed);
}

// What follows from questions that all members have signed is computed; the rest follows from what was told.
const sourced = (node, {height}, signed) => height < signed ? node : marked(node, "told");

const agreedText = vote => filled(words.agreed, {what: filled(words.votes[vote.kind], vote)});
const linkedLine = ([height, ...told]) => el("li", {}, el("a", {href: `#h=${height}`}, String(height)), " ", ...told);
const byHeight = lines => lines.sort((one, other) => one[0] - other[0]);

// Chat and votes among the lines of the story. Anybody can make a key that is no member's, and sign chat with it.
function showVotes({chat, votes}) {
  const said = chat.map(([height, name, text, member]) => [height, filled(words.said, {name, text}), "chat", member ? "signed" : "outside"]);
  showStory(facts.story, [...said, ...votes.map(vote => [vote.height, agreedText(vote), "", "signed"])]);
}

function showUndone({undone}, signed) {
  const line = each => filled(words.undone_by, {...each, what: filled(words.undone[each.what], each)});
  const lines = undone.map(each => sourced(linkedLine([each.height, line(each)]), each, signed));
  const told = facts.undone.length ? [marked(el("ul", {}, ...facts.undone.map(linkedLine)), "told")] : [];
  showSection("undone", "computed");
  $("undoings").append(lines.length ? el("ul", {}, ...lines) : el("p", {}, words.nothing_undone), ...told);
}

const ABOUT = new Set(["absent", "back", "gone", "leave", "moved", "seat"]);

function showWaiting({votes, waiting, opened}) {
  const lines = [
    ...votes.filter(({kind}) => ABOUT.has(kind)).map(vote => [vote.height, agreedText(vote)]),
    ...waiting.map(claim => [claim.height, filled(words.claimed, claim)]),
    ...opened.map(one => [one.height, filled(words.opened, one)]),
  ];
  showSection("waiting", "signed");
  $("waits").append(lines.length ? el("ul", {}, ...byHeight(lines).map(linkedLine)) : el("p", {}, words.nobody_waited), el("p", {className: "faint"}, words.waiting_note));
}

function showRolls({rolls}, signed) {
  const faces = ({faces, sides}) => faces.map((face, at) => `${face}/${sides[at]}`).join(" ");
  const purpose = ({tag}) => words.purposes[tag] ?? tag.replaceAll("-", " ");
  const part = ({name, committed, seed, lifted}) => el("p", {}, name + (lifted ? " * " : " "), el("code", {}, `${committed} › ${seed ?? words.absent}`));
  const lock = ({parts, lifted}) => parts.length ? [] : [el("p", {}, filled(words.lock_alone, {names: lifted.join(", ")}))];
  showSection("dice", "computed");
  const title = roll => sourced(el("h3", {}, filled(words.roll, {height: roll.height, tag: purpose(roll), faces: faces(roll)})), roll, signed);
  $("rolls").append(...rolls.map(roll => el("div", {}, title(roll), ...roll.parts.map(part), ...lock(roll))));
}
