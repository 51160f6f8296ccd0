// The end of the game: places, points by what they come from, and the page that proves it.
import {$, act, button, el, now, post, say} from "./common.js";
import {sheet} from "./sheet.js";

// A button that makes the page that proves the game of a table, this one where none is named, and opens it.
export function prover(table, props, ...inside) {
  const {words} = now, made = button("", async () => {
    made.disabled = true;
    made.replaceChildren(words.making);
    const opened = open("", "_blank"), answer = await post("/report", JSON.stringify({table}));
    made.disabled = false;
    made.replaceChildren(...inside);
    if (!answer.ok) { opened?.close(); return say(words["no-report"]); }
    const path = await answer.text();
    if (opened) opened.location = path;
    else location = path;
  }, props, ...inside);
  return made;
}
export function drawEnd(state) {
  const {words} = now, make = prover(undefined, {className: "key", id: "report"}, words.report);
  $("lines").replaceChildren(button(words["to-end"], () => { $("end").hidden = false; }));
  $("end").hidden = false;
  $("end").replaceChildren(el("h2", {}, words["game-over"]), sheet(state.end), el("details", {}, el("summary", {}, words.numbers), el("pre", {tabIndex: 0}, state.lines.join("\n"))),
    el("div", {className: "row"}, ...(state.home ? [button(words.home, () => act("home"), {className: "key", id: "home"})] : []), ...(state.report ? [make] : []), button(words["to-board"], () => { $("end").hidden = true; })));
}
