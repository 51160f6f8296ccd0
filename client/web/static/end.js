// The end of the game: places, points by what they come from, and the page that proves it.
import {$, act, button, el, now, post, say, sheet} from "./common.js";

export function drawEnd(state) {
  const {words} = now, make = button(words.report, async () => {
    make.disabled = true;
    make.textContent = words.making;
    const opened = open("", "_blank"), answer = await post("/report", "{}");
    make.disabled = false;
    make.textContent = words.report;
    if (!answer.ok) { opened?.close(); return say(words["no-report"]); }
    const path = await answer.text();
    if (opened) opened.location = path;
    else location = path;
  }, {className: "key", id: "report"});
  $("end").hidden = false;
  $("end").replaceChildren(el("h2", {}, words["game-over"]), sheet(state.end), el("details", {}, el("summary", {}, words.numbers), el("pre", {tabIndex: 0}, state.lines.join("\n"))),
    el("div", {className: "row"}, ...(state.home ? [button(words.home, () => act("home"), {className: "key", id: "home"})] : []), ...(state.report ? [make] : []), button(words["to-board"], () => { $("end").hidden = true; })));
}
