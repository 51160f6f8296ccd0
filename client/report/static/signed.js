// SPDX-License-Identifier: GPL-3.0-or-later
// What the checks have read from signed bytes, and computed from them: shown only where they have found nothing wrong.
"use strict";

// Shows what a report brings. Without it, who won is told by the program that wrote this page, and the rest left out.
function showSigned({ok = false, shown, end}) {
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
  showUndone(shown);
  showWaiting(shown);
  showRolls(shown);
}

const agreedText = vote => filled(words.agreed, {what: filled(words.votes[vote.kind], vote)});
const linkedLine = ([height, ...told]) => el("li", {}, el("a", {href: `#h=${height}`}, String(height)), " ", ...told);
const byHeight = lines => lines.sort((one, other) => one[0] - other[0]);

// Chat and votes among the lines of the story, each marked as signed.
function showVotes({chat, votes}) {
  const said = chat.map(([height, name, text]) => [height, "chat", filled(words.said, {name, text})]);
  const agreed = votes.map(vote => [vote.height, vote.kind, agreedText(vote)]);
  const signed = [...said, ...agreed].map(line => [...line, "signed"]);
  showStory(byHeight([...facts.story, ...signed]));
}

function showUndone({undone}) {
  const line = each => filled(words.undone_by, {...each, what: filled(words.undone[each.what], each)});
  const lines = undone.map(each => linkedLine([each.height, line(each)]));
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

function showRolls({rolls}) {
  const faces = ({faces, sides}) => faces.map((face, at) => `${face}/${sides[at]}`).join(" ");
  const purpose = ({tag}) => words.purposes[tag] ?? tag.replaceAll("-", " ");
  const part = ({name, committed, seed, lifted}) => el("p", {}, name + (lifted ? " * " : " "), el("code", {}, `${committed} › ${seed ?? words.absent}`));
  const lock = ({parts, lifted}) => parts.length ? [] : [el("p", {}, filled(words.lock_alone, {names: lifted.join(", ")}))];
  showSection("dice", "computed");
  $("rolls").append(...rolls.map(roll => el("div", {},
    el("h3", {}, filled(words.roll, {height: roll.height, tag: purpose(roll), faces: faces(roll)})), ...roll.parts.map(part), ...lock(roll))));
}
