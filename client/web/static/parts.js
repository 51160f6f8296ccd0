// An answer in several parts as one form: what was picked for each, to be picked anew.
import {act, el} from "./common.js";
import "./more.js";

export const parts = all => el("div", {className: "fields"}, ...all.map(({text, titles, chosen}, part) => el("label", {className: "field"}, el("span", {hidden: text === all[part - 1]?.text}, text),
  el("select", {className: "part", ariaLabel: text, disabled: titles.length < 2, onchange: event => act("part", {part, option: event.target.selectedIndex})},
    ...titles.map((title, at) => el("option", {selected: at === chosen}, title))))));
