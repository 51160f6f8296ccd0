// The map under wheel, fingers and keys: panned and zoomed, its spaces reached by the arrows.
import {$, now} from "./common.js";
import {choose} from "./ask.js";
import {shown, spaces, zoom} from "./map.js";

const map = $("map"), fingers = new Map(), on = (kind, act) => map.addEventListener(kind, act, {passive: false});
on("wheel", event => {
  if (!shown.box) return;
  event.preventDefault();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.querySelector("svg").getScreenCTM().inverse());
  zoom(event.deltaY > 0 ? 1.15 : 0.87, point.x, point.y);
});
on("pointerdown", event => { fingers.set(event.pointerId, [event.clientX, event.clientY]); shown.dragged = false; });
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, event => fingers.delete(event.pointerId));
on("pointermove", event => {
  const last = fingers.get(event.pointerId);
  if (!shown.box || !last) return;
  const scale = shown.box[2] / map.clientWidth, dx = event.clientX - last[0], dy = event.clientY - last[1];
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1], gap = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
    zoom(gap(last, other) / gap([event.clientX, event.clientY], other));
  } else if (shown.dragged || Math.hypot(dx, dy) > 4) {
    shown.dragged = true;
    shown.box[0] -= dx * scale;
    shown.box[1] -= dy * scale;
    zoom(1);
  } else return;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
on("keydown", event => {
  const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key], here = event.target.closest("[data-place]");
  if ("+-".includes(event.key)) zoom(event.key === "+" ? 0.8 : 1.25);
  else if (here && !now.past && ["Enter", " "].includes(event.key)) choose(here.dataset.place);
  else if (event.key === "Escape") choose("");
  else if (here && step) {
    const middle = node => { const r = node.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }, [x, y] = middle(here);
    const far = node => {
      const [a, b] = middle(node), along = (a - x) * step[0] + (b - y) * step[1], off = Math.abs((a - x) * step[1] + (b - y) * step[0]);
      return along > 1 ? along + 2 * off : Infinity;
    };
    [...spaces()].reduce((best, node) => far(node) < far(best) ? node : best, here).focus();
  } else return;
  event.preventDefault();
});
