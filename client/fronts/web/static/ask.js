// What the map and the search leave of the options, and numbers that are set.
import {$, act, now} from "./common.js";
import {fits, light} from "./map.js";

const options = () => now.view.ask?.options ?? [];

// Shows the options that fit what was clicked on the map and is searched for, and opens their groups.
export function narrow() {
  const {taken, found} = now;
  for (const made of document.querySelectorAll("#options [data-option]")) {
    made.hidden = !fits(options()[made.dataset.option]) || found && !found.includes(+made.dataset.option);
  }
  for (const group of document.querySelectorAll("#options details")) {
    group.hidden = [...group.querySelectorAll("button")].every(made => made.hidden);
    group.open ||= Boolean(found || taken[0]);
  }
  $("ask").querySelectorAll("[type=range]").forEach(set);
}
// The own peer searches among the options.
export async function search({value}) {
  now.found = value && (await act("search", {text: value}))?.options;
  narrow();
}
// Shows what the number of a slider means.
export function set(slider) {
  const all = [...slider.closest(".amount").querySelectorAll("[data-option]")];
  all.forEach((made, at) => { made.hidden = at !== +slider.value; });
  slider.ariaValueText = all[slider.value]?.textContent;
}
// A click on the map narrows the options as a typed word does.
export function choose(place) {
  const some = options().map((one, at) => [one, at]).filter(([one]) => fits(one) && one.places[now.taken.length] === place);
  if (!some.length) now.taken = [];
  else if (some.length === 1) return act("pick", {option: some[0][1]});
  else if (some.every(([one]) => one.places.length === now.taken.length + 1)) return which(some.map(([, at]) => at));
  else now.taken.push(place);
  light();
  narrow();
}
// Several options at one space of the map: which one?
function which(some) {
  $("which").querySelector(".options").replaceChildren(...some.map(at => Object.assign($("ask").querySelector(`[data-option="${at}"]`).cloneNode(true), {hidden: false})));
  $("which").showModal();
}
