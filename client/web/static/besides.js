// What one may do besides what is asked, and what is not possible now.
import {act, button, el, later, now} from "./common.js";

export function besides(ask, others, open) {
  const {words} = now, made = el("div");
  if (others.length) made.append(el("details", {open}, el("summary", {}, words.aside), later("./sheet.js", one => one.sheet(others))));
  if (ask.hold) made.append(button(words.hold, () => act("hold")));
  if (ask.refused.length) made.append(el("details", {}, el("summary", {}, words.refused),
    ...ask.refused.map(each => el("p", {}, `${each.texts.slice(0, 4).join(", ")}${each.texts.length > 4 ? " …" : ""}: ${each.reason}`))));
  return made;
}
