// What somebody proposes to the others, and what has stopped the table.
import {act, button, el, fill, now} from "./common.js";

export const draw = one => one.rows ? stopped(one) : proposed(one);
function stopped({text, lines, rows}) {
  const {words} = now, cells = (kind, row) => el("tr", {}, ...row.map(one => el(kind, {}, one)));
  return el("div", {}, el("h2", {}, text), ...lines.map(one => el("p", {}, one)),
    rows.length ? el("table", {}, cells("th", [words.field, words["value-here"], words["value-there"]]), ...rows.map(row => cells("td", row))) : "");
}
function proposed(vote) {
  const {words} = now, say = yes => () => act("vote", {id: vote.id, yes});
  return el("div", {}, el("p", {}, fill(words.proposal, {name: vote.name, what: vote.text})), el("div", {className: "row"},
    button(words.yes, say(true), {className: "key"}), button(words.no, say(false))));
}
