// The map: drawn by the peer; its spaces can be clicked.
import {$, button, now} from "./common.js";

const policy = window.trustedTypes?.createPolicy("starlock", {createHTML: text => text}) ?? {createHTML: text => text};
// Puts a picture of the own peer into the page.
export const put = (holder, svg) => { holder.innerHTML = policy.createHTML(svg); return holder; };
let whole;
export const shown = {latest: "", box: undefined, dragged: false, chosen: () => {}};
export const spaces = () => $("map").querySelectorAll("[data-place]");
export const fits = one => fits.taken.every((place, at) => one.places[at] === place);
fits.taken = [];
export const untake = () => { fits.taken = []; };
export const news = told => now.view.seen !== null && told.height > now.view.seen;

export function light(only) {
  if (now.past) return;
  const next = only ?? (now.view.ask?.options ?? []).filter(fits).map(one => one.places[fits.taken.length]).filter(Boolean);
  const fresh = now.log.filter(news).flatMap(told => told.places);
  for (const space of spaces()) {
    space.classList.toggle("news", fresh.includes(space.dataset.place));
    space.classList.toggle("legal", next.includes(space.dataset.place));
    space.classList.toggle("taken", fits.taken.includes(space.dataset.place));
  }
}
export async function drawMap(svg, past = false) {
  if (past) now.past = true;
  else { shown.latest = svg; if (now.past) return; }
  const holder = $("map"), focus = document.activeElement?.dataset?.place;
  if (!svg) return (await import("./plain.js")).plain(holder);
  put(holder, svg);
  for (const space of spaces()) {  // a space's label says what is drawn in it
    const skin = document.createElementNS(space.namespaceURI, "g");
    skin.setAttribute("transform", space.getAttribute("transform"));
    skin.setAttribute("class", "skin");
    skin.ariaHidden = "true";
    skin.append(...[...space.children].slice(1));
    space.after(skin);
  }
  const all = holder.querySelector("svg").dataset.whole;
  if (!shown.box || shown.box.join(" ") === whole) shown.box = all.split(" ").map(Number);
  whole = all;
  zoom(1);
  for (const space of spaces()) if (space.dataset.place === focus) space.focus();
}
export function zoom(factor, x = shown.box[0] + shown.box[2] / 2, y = shown.box[1] + shown.box[3] / 2) {
  const [left, top, width, height] = shown.box;
  shown.box = [x - (x - left) * factor, y - (y - top) * factor, width * factor, height * factor];
  $("map").querySelector("svg")?.setAttribute("viewBox", shown.box.join(" "));
}
export function begin(choose) {
  shown.chosen = choose;
  const {words} = now, tool = (sign, name, act) => button(sign, () => shown.box && act(), {title: name, ariaLabel: name});
  $("tools").replaceChildren(tool("+", words["zoom-in"], () => zoom(0.8)), tool("−", words["zoom-out"], () => zoom(1.25)),
    tool("□", words.whole, () => { shown.box = whole.split(" ").map(Number); zoom(1); }));
  $("board").ariaLabel = words.map;
}
$("map").addEventListener("click", event => { const space = event.target.closest("[data-place]"); if (space && !shown.dragged && !now.past) shown.chosen(space.dataset.place); });
for (const kind of ["pointerenter", "focusin"]) $("map").addEventListener(kind, () => import("./gestures.js"), {once: true});
