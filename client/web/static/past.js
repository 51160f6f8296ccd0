// Looking back: the map of any earlier position, and what happened there.
import {$, act, button, el, fill, now} from "./common.js";
import {drawMap, light, shown} from "./map.js";
import "./more.js";

let at = null;
function back() {
  now.past = false;
  $("then").hidden = true;
  return drawMap(shown.latest).then(() => light());
}
export async function drawPast(part) {
  const {words, log} = now, heights = [...new Set(log.map(told => told.height))];
  if (!heights.length) return part.replaceChildren(el("p", {}, words["ask-nothing"]));
  const told = el("div", {ariaLive: "polite"}), slider = el("input", {type: "range", min: 0, max: heights.length - 1, value: at ?? heights.length - 1, ariaLabel: words.replay});
  const show = async () => {
    at = +slider.value;
    slider.ariaValueText = heights[at];
    const answer = await act("past", {height: heights[at]});
    if (!answer?.ok) return;
    if (answer.map) await drawMap(answer.map, true);
    $("then").hidden = false;
    $("then").replaceChildren(el("span", {}, fill(words["as-it-was"], answer)), button(words.back, back));
    told.replaceChildren(el("h3", {}, `${answer.height} / ${answer.last}`), ...answer.told.map(text => el("p", {}, text)));
  };
  const step = by => { slider.value = +slider.value + by; show(); };
  slider.onchange = show;
  part.replaceChildren(el("div", {className: "amount"}, el("div", {className: "row"}, button("◀", () => step(-1), {ariaLabel: words.before}), slider,
    button("▶", () => step(1), {ariaLabel: words.after}))), told);
  if (now.past) await show();
}
