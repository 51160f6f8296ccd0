// Several options at one space of the map: which one?
import {$, button, el, now} from "./common.js";
import {option} from "./ask.js";
import "./more.js";

export function which(options) {
  const {words} = now, close = () => $("which").close();
  $("which").replaceChildren(el("h2", {}, words.several), el("div", {className: "options"},
    ...options.map(([one, at]) => { const made = option(one, at); made.addEventListener("click", close); return made; })), button(words.no, close));
  $("which").showModal();
}
