// Options that differ in a number alone: the number is set, and what it means is the option to click on.
import {button, el, now} from "./common.js";
import {option} from "./ask.js";
import "./more.js";

export function amount(ask, {numbers, options}, id, set) {
  const holder = el("div", {className: "options"}), last = numbers.length - 1;
  const number = el("input", {type: "range", min: 0, max: last, value: set[id] ?? 0, ariaLabel: ask.text, oninput: () => show(+number.value)});
  const show = at => {
    number.value = set[id] = Math.max(0, Math.min(last, at));
    number.ariaValueText = numbers[set[id]];
    holder.replaceChildren(option(ask.options[options[set[id]]], options[set[id]]));
  };
  show(set[id] ?? 0);
  const step = by => button(by < 0 ? "−" : "+", () => show(+number.value + by), {ariaLabel: by < 0 ? now.words.less : now.words.more});
  return el("div", {className: "amount"}, el("div", {className: "row"}, step(-1), number, step(1)), holder);
}
