// What people say to each other.
import {act, el, now} from "./common.js";

export function drawChat(part) {
  if (!part.querySelector("form")) part.replaceChildren(el("div"), el("form", {onsubmit: event => {
    event.preventDefault();
    const field = event.target.firstChild;
    if (field.value) act("chat", {text: field.value});
    field.value = "";
  }}, el("input", {placeholder: now.words.say, ariaLabel: now.words.say, maxLength: 400})));
  part.firstChild.replaceChildren(...now.chat.map(said => el("p", {}, el("b", {}, `${said.name}: `), said.text)));
}
