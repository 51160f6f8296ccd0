// The map: drawn by the peer, zoomed here; now, or as it was at an earlier position.
import {$, act, now, put} from "./common.js";

let all;
export const shown = {};
export const spaces = () => $("map").querySelectorAll("[data-place]");
// True if an option has what was clicked on the map.
export const fits = one => now.taken.every((place, at) => one.places[at] === place);

// Marks the spaces that can be chosen now, those that were, and those where something is new.
export function light(only) {
  if (now.past) return;
  const next = only ?? (now.view.ask?.options ?? []).filter(fits).map(one => one.places[now.taken.length]).filter(Boolean);
  const marks = Object.entries({news: now.news, legal: next, taken: now.taken});
  for (const space of spaces()) for (const [name, some] of marks) space.classList.toggle(name, some.includes(space.dataset.place));
}
export function drawMap(svg) {
  shown.latest = svg;
  if (!now.past) place(svg);
}
function place(svg) {
  const holder = $("map"), focus = document.activeElement?.dataset?.place;
  put(holder, svg);
  for (const space of spaces()) {  // a space's label says what is drawn in it
    const skin = document.createElementNS(space.namespaceURI, "g");
    skin.setAttribute("transform", space.getAttribute("transform"));
    skin.setAttribute("class", "skin");
    skin.ariaHidden = "true";
    skin.append(...[...space.children].slice(1));
    space.after(skin);
  }
  const before = all;
  all = holder.querySelector("svg").dataset.whole;
  if (!shown.box || shown.box.join(" ") === before) whole();
  else zoom(1);
  for (const space of spaces()) if (space.dataset.place === focus) space.focus();
}
export function zoom(factor, x, y) {
  if (!shown.box) return;
  const [left, top, width, height] = shown.box;
  x ??= left + width / 2;
  y ??= top + height / 2;
  shown.box = [x - (x - left) * factor, y - (y - top) * factor, width * factor, height * factor];
  $("map").querySelector("svg")?.setAttribute("viewBox", shown.box.join(" "));
}
export function whole() {
  shown.box = all?.split(" ").map(Number);
  zoom(1);
}
// Shows the position at which the slider stands.
export async function seePast(slider) {
  const answer = await act("past", {at: +slider.value});
  if (!answer?.ok) return;
  now.past = true;
  if (answer.map) place(answer.map);
  slider.ariaValueText = answer.height;
}
export function back() {
  now.past = false;
  $("then").replaceChildren();
  if (shown.latest) place(shown.latest);
  light();
}
