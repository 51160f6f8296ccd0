// The map: drawn by the peer, panned and zoomed here; spaces can be clicked and reached by arrow keys.
import {$, act, button, el, now, runs} from "./common.js";

const policy = window.trustedTypes?.createPolicy("starlock", {createHTML: text => text}) ?? {createHTML: text => text};
let latest = "", box, whole, dragged = false, chosen = () => {};
const fingers = new Map(), spaces = () => $("map").querySelectorAll("[data-place]");
export const fits = one => fits.taken.every((place, at) => one.places[at] === place);
fits.taken = [];
export const untake = () => { fits.taken = []; };
export const news = told => now.view.seen !== null && told.height > now.view.seen;

export function back() {
  now.past = false;
  $("then").hidden = true;
  return drawMap(latest).then(() => light());
}
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
  else { latest = svg; if (now.past) return; }
  const holder = $("map"), focus = document.activeElement?.dataset?.place;
  if (!svg) {
    const answer = await act("picture", {name: "map", words: ""});
    return answer?.ok && holder.replaceChildren(runs(answer.lines));
  }
  holder.innerHTML = policy.createHTML(svg);
  for (const space of spaces()) {  // a space's label says what is drawn in it
    const skin = document.createElementNS(space.namespaceURI, "g");
    skin.setAttribute("transform", space.getAttribute("transform"));
    skin.setAttribute("class", "skin");
    skin.ariaHidden = "true";
    skin.append(...[...space.children].slice(1));
    space.after(skin);
  }
  const all = holder.querySelector("svg").dataset.whole;
  if (!box || box.join(" ") === whole) box = all.split(" ").map(Number);
  whole = all;
  zoom(1);
  for (const space of spaces()) if (space.dataset.place === focus) space.focus();
}
function zoom(factor, x = box[0] + box[2] / 2, y = box[1] + box[3] / 2) {
  box = [x - (x - box[0]) * factor, y - (y - box[1]) * factor, box[2] * factor, box[3] * factor];
  $("map").querySelector("svg")?.setAttribute("viewBox", box.join(" "));
}
const move = (dx, dy) => { box[0] += dx; box[1] += dy; zoom(1); };
const at = event => {
  const svg = $("map").querySelector("svg"), point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [point.x, point.y];
};

export function begin(choose) {
  chosen = choose;
  const {words} = now, tool = (sign, name, act) => button(sign, () => box && act(), {title: name, ariaLabel: name});
  $("tools").replaceChildren(tool("+", words["zoom-in"], () => zoom(0.8)), tool("−", words["zoom-out"], () => zoom(1.25)),
    tool("□", words.whole, () => { box = whole.split(" ").map(Number); zoom(1); }));
  $("board").ariaLabel = words.map;
  $("then").replaceChildren(el("span"), button(words.back, back));
}
$("map").addEventListener("click", event => { const space = event.target.closest("[data-place]"); if (space && !dragged && !now.past) chosen(space.dataset.place); });
$("map").addEventListener("wheel", event => { if (box) { event.preventDefault(); zoom(event.deltaY > 0 ? 1.15 : 0.87, ...at(event)); } }, {passive: false});
$("map").addEventListener("pointerdown", event => { fingers.set(event.pointerId, [event.clientX, event.clientY]); dragged = false; });
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, event => fingers.delete(event.pointerId));
$("map").addEventListener("pointermove", event => {
  const last = fingers.get(event.pointerId);
  if (!last || !box) return;
  const scale = box[2] / $("map").clientWidth, dx = event.clientX - last[0], dy = event.clientY - last[1];
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1], gap = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
    zoom(gap(last, other) / gap([event.clientX, event.clientY], other));
  } else if (dragged || Math.hypot(dx, dy) > 4) { dragged = true; move(-dx * scale, -dy * scale); } else return;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
$("map").addEventListener("keydown", event => {
  const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key], here = event.target.closest("[data-place]");
  if (box && (event.key === "+" || event.key === "-")) zoom(event.key === "+" ? 0.8 : 1.25);
  else if (here && !now.past && (event.key === "Enter" || event.key === " ")) chosen(here.dataset.place);
  else if (event.key === "Escape") chosen("");
  else if (here && step) {
    const middle = node => { const r = node.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }, [x, y] = middle(here);
    const far = node => { const [a, b] = middle(node), along = (a - x) * step[0] + (b - y) * step[1], off = Math.abs((a - x) * step[1] + (b - y) * step[0]); return along > 1 ? along + 2 * off : Infinity; };
    [...spaces()].reduce((best, node) => far(node) < far(best) ? node : best, here).focus();
  } else return;
  event.preventDefault();
});
