// What is asked, what is picked, and what sending means.
import {$, act, button, el, fill, fresh, hint, later, now, runs} from "./common.js";
import {fits, light, untake} from "./map.js";

let find = "", set = {};
const listed = ask => ask.options.map((one, at) => [one, at]);
export const forget = () => { find = ""; set = {}; };

export function option(one, at) {
  const price = one.price.map(([name, n]) => `${name} ${n > 0 ? "+" : ""}${n}`).join(", ");
  return button("", () => act("pick", {option: at}), {title: one.text, onmouseenter: () => light(one.places), onmouseleave: () => light()},
    el("span", {}, one.title), hint(one.hint), el("span", {className: "price"}, price));
}
export function drawAsk() {
  const {view, words} = now, ask = view.ask, part = $("ask"), focus = document.activeElement?.title;
  if (!fresh("ask", words.yes, view.question, ask, view.titles, view.parts, view.sendable, view.waiting, view.held, view.orders, now.over, fits.taken)) return;
  part.replaceChildren();
  if (view.question) part.append(el("h2", {}, view.question), el("div", {className: "row"},
    button(words.yes, () => act("reply", {yes: true}), {className: "key"}), button(words.no, () => act("reply", {yes: false}))));
  else if (ask) drawOptions(part, ask);
  else if (!view.sendable) part.append(el("p", {}, view.held.length ? words.holding : now.over ? words.over
    : view.waiting.length ? fill(words["waiting-for"], {names: view.waiting.join(", ")}) : words["ask-nothing"]));
  if (view.parts.length) part.prepend(later("./parts.js", one => one.parts(view.parts)));
  if (view.picked.length) part.append(el("p", {}, `${words.picked} ${view.titles.join("; ")}`));
  if (view.picked.length || ask?.so_far) part.append(el("div", {className: "row final"},
    button(words.undo, () => act("undo")), button(words.reset, () => act("reset")),
    ...(view.sendable ? [button(words.send, () => act("send"), {className: "key", id: "send", title: words["send-final"]})] : [])),
    ...(view.sendable ? [el("p", {className: "hint"}, words["send-final"])] : []));
  if (view.picked.length || view.orders.length) part.append(later("./orders.js", one => one.drawOrders()));
  if (focus) [...part.querySelectorAll("button")].find(each => each.title === focus)?.focus();
}
function drawOptions(part, ask) {
  const {words} = now, formed = new Set([...ask.amounts.flatMap(one => one.options), ...ask.groups.flatMap(group => group.cells.flatMap(cell => cell.picks.map(one => one.option)))]);
  const aside = group => group.cells.some(cell => cell.picks.some(one => ask.options[one.option].aside));
  const main = ask.groups.filter(group => !aside(group)), others = ask.groups.filter(aside);
  part.append(el("h2", {}, ask.text));
  if (ask.before.length && !(main.length && ask.before.length > main.length)) part.append(runs(ask.before));
  if (ask.so_far && !now.view.parts.length) part.append(el("p", {}, `${words["so-far"]} ${ask.so_far}`));
  if (main.length) part.append(later("./sheet.js", one => one.sheet(main)));
  if (ask.amounts.length) part.append(...ask.amounts.map((one, id) => later("./amount.js", ({amount}) => amount(ask, one, id, set))));
  const rest = listed(ask).filter(([, at]) => !formed.has(at)), list = el("div", {className: "options"});
  if (rest.length > 12) part.append(el("input", {type: "search", placeholder: words.filter, value: find, ariaLabel: words.filter,
    oninput: event => { find = event.target.value; narrow(); }}));
  const narrow = () => list.replaceChildren(...[false, true].flatMap(besides => {
    const some = rest.filter(([one]) => one.aside === besides && fits(one) && `${one.title} ${one.text}`.toLowerCase().includes(find.toLowerCase()));
    return [...(besides && some.length ? [el("h3", {}, words.aside)] : []), ...some.map(([one, at]) => option(one, at))];
  }));
  narrow();
  part.append(list);
  if (others.length || ask.hold || ask.refused.length) part.append(later("./besides.js", one => one.besides(ask, others, !rest.length)));
}

// A click on the map narrows the options as a typed word does.
export function choose(place) {
  const {view, words} = now, options = listed(view.ask ?? {options: []}).filter(([one]) => fits(one) && one.places[fits.taken.length] === place);
  const whole = options.filter(([one]) => one.places.length === fits.taken.length + 1);
  if (!options.length) untake();
  else if (options.length === 1) return act("pick", {option: options[0][1]});
  else if (whole.length === options.length) {
    return import("./which.js").then(one => one.which(options));
  } else fits.taken.push(place);
  light();
  drawAsk();
}
