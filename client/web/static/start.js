// The start page: go on, a new game with its options, a friend's table.
import {$, act, button, el, hint, now} from "./common.js";
import {prover} from "./end.js";
import {network} from "./network.js";
import {fill} from "./more.js";

let shown = "", form, ticket = "", told = "";
const field = (label, input, about) => el("label", {className: "field"}, el("span", {}, label), input, ...(about ? [hint(about)] : []));
const select = (values, value, change) => {
  const made = el("select", {onchange: () => change(made.value)}, ...values.map(([id, name]) => el("option", {value: id, selected: String(id) === String(value)}, name)));
  return made;
};
const fresh = (start, game) => ({...form, game: game.id, seats: game.usual, friends: game.usual - 1, options: {}});

export function drawStart(state) {
  const {start} = state, same = JSON.stringify([start, now.network, now.words]);
  if (same === shown && $("start").firstChild) return;
  shown = same;
  if (start.picked && start.picked.ticket !== told) ticket = told = start.picked.ticket;
  form ??= fresh(start, {...start.games[0], ...(form = {kind: "play", bots: start.bots[0][0], name: start.name})});
  draw(start);
}
function draw(start) {
  const {words} = now, focus = document.activeElement?.id;
  const named = () => el("input", {id: "own-name", value: form.name, maxLength: 40, autocomplete: "nickname", oninput: event => { form.name = event.target.value; }});
  const parts = [el("p", {}, words.welcome)];
  if (start.trouble) parts.push(el("p", {className: "trouble", role: "alert"}, start.trouble));
  if (start.tables.length) parts.push(el("section", {}, el("h2", {}, words["go-on"]), el("div", {className: "options"},
    ...start.tables.map(one => button(one.name, () => act("resume", {name: one.name}), {className: "resume"}, hint(one.text))))));
  parts.push(el("section", {}, field(words["own-name"], named())), play(start), join(start));
  if (start.finished.length) parts.push(el("section", {}, el("h2", {}, words.finished), el("p", {className: "hint"}, words.report), el("div", {className: "options"},
    ...start.finished.map(one => prover(one.name, {className: "finished"}, el("span", {}, one.name), hint(one.text))))));
  parts.push(network(), button(words.quit, () => act("quit"), {id: "quit"}));
  $("start").replaceChildren(...parts);
  if (focus) $(focus)?.focus();
}
function play(start) {
  const {words} = now, game = start.games.find(one => one.id === form.game), redraw = () => { draw(start); check(); };
  const kind = (id, text) => el("label", {}, el("input", {type: "radio", name: "kind", id: `kind-${id}`, checked: form.kind === id, onchange: () => { form.kind = id; redraw(); }}), text);
  const set = (name, change) => value => { change(value); redraw(); };
  const one = option => {
    const now_ = form.options[option.name] ?? option.default, put = value => { if (value === option.default) delete form.options[option.name]; else form.options[option.name] = value; };
    const say = ([value, title]) => [value, value === option.default ? `${title} (${words.usual})` : title];
    const input = option.values ? select(option.values.map(say), now_, value => { put(value); check(); count(); })
      : el("input", {value: now_, onchange: event => { put(event.target.value.trim() || option.default); check(); count(); }});
    return field(option.title, Object.assign(input, {id: `option-${option.name}`}), option.about);
  };
  const heading = el("summary", {}), count = () => { heading.textContent = fill(words.variants, {n: Object.keys(form.options).length}); };
  count();
  const bots = form.kind === "play" || form.friends < form.seats - 1;
  const numbers = (from, to) => Array.from({length: to - from + 1}, (_, n) => [from + n, from + n]);
  const about = start.bots.map(([id, text]) => [id, `${id}: ${text}`]);
  return el("section", {}, el("h2", {}, words.new), el("div", {className: "row"}, kind("play", words["against-bots"]), kind("host", words["with-friends"])),
    el("div", {className: "fields"},
      field(words.game, Object.assign(select(start.games.map(each => [each.id, each.title]), form.game, id => { form = fresh(start, start.games.find(each => each.id === id)); redraw(); }), {id: "game"})),
      field(words.seats, Object.assign(select(game.seats.map(n => [n, n]), form.seats, set("seats", n => { form.seats = +n; form.friends = Math.min(form.friends, n - 1); })), {id: "seats-wanted"})),
      ...(form.kind === "host" ? [field(words.friends, Object.assign(select(numbers(form.kind === "host" ? 0 : 1, form.seats - 1), form.friends, set("friends", n => { form.friends = +n; })), {id: "friends"}))] : []),
      ...(bots ? [field(words.bots, Object.assign(select(about, form.bots, set("bots", id => { form.bots = id; })), {id: "bots"}))] : [])),
    el("details", {open: $("variants")?.open, id: "variants"}, heading, el("div", {className: "fields"}, ...game.options.map(one))),
    el("p", {className: "trouble", id: "hindrance", role: "alert"}), button(words.begin, () => act("begin", form).then(tell), {className: "key", id: "begin"}));
}
const tell = answer => { if (answer && $("hindrance")) $("hindrance").textContent = answer.ok ? "" : answer.text; };
const check = () => act("check", form).then(answer => { tell(answer); if ($("begin")) $("begin").disabled = !answer?.ok; });
function join(start) {
  const {words} = now, go = name => act(name, {ticket, name: form.name}).then(answer => { problem.textContent = answer?.text ?? ""; }), problem = el("p", {className: "trouble", role: "alert"});
  const found = start.found?.map((text, number) => button(text, () => act("ask", {number}))) ?? [];
  return el("section", {}, el("h2", {}, words.join),
    field(words.paste, el("textarea", {id: "ticket", rows: 3, value: ticket, oninput: event => { ticket = event.target.value; }})),
    ...(start.picked ? [el("p", {}, fill(words["host-words"], {words: start.picked.words}))] : []), problem,
    el("div", {className: "row"}, button(words["sit-down"], () => go("join"), {className: "key", id: "join"}), button(words.watch, () => go("watch"), {id: "watch"})),
    el("div", {className: "row"}, button(start.looking ? words.looking : words.look, () => act("look"), {disabled: start.looking, id: "look"})),
    ...(start.found && !found.length ? [el("p", {className: "hint"}, words.nobody)] : []), el("div", {className: "options"}, ...found));
}
