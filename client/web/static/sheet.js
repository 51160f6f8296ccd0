// A sheet: groups of cells; what can be done with a cell opens below its group, or is done at once if it is one thing.
import {act, button, el, hint} from "./common.js";
import "./more.js";

export function sheet(groups) {
  const pick = one => act("pick", {option: one.option});
  return el("div", {className: "sheet"}, ...groups.map(group => {
    const more = el("div", {className: "row picks", hidden: true}), cells = el("div", {className: "cells"});
    cells.append(...group.cells.map(cell => {
      const [only] = cell.picks, inside = [el("span", {className: cell.look}, cell.text), hint(cell.note)];
      if (cell.share !== null) inside.push(el("meter", {max: 100, value: cell.share, ariaLabel: `${cell.text} ${cell.note}`}));
      if (!only) return el("div", {className: "cell"}, ...inside);
      if (cell.picks.length === 1) return button("", () => pick(only), {className: "cell", title: only.note}, el("span", {}, ...inside), hint(only.text));
      const made = button("", () => {
        const open = made.ariaExpanded !== "true";
        for (const each of cells.children) if (each.ariaExpanded) each.ariaExpanded = "false";
        made.ariaExpanded = String(open);
        more.hidden = !open;
        more.replaceChildren(...cell.picks.map(one => button("", () => pick(one), {className: "cell"}, el("span", {}, one.text), hint(one.note))));
      }, {className: "cell", ariaExpanded: "false"}, ...inside);
      return made;
    }));
    return el("section", {className: "group"}, ...(group.title ? [el("h3", {className: group.look}, group.title)] : []), ...(group.note ? [el("p", {className: "hint"}, group.note)] : []), cells, more);
  }));
}
