// The start page: go on, a new game with its options, a friend's table.
import {$, act, button, el, fill, fresh, hint, now} from "./common.js";
import {prover} from "./end.js";
import {network} from "./network.js";
import "./more.js";

let form, ticket = "", told = "";
const field = (label, input, about) => el("label", {className: "field"}, el("span", {}, label), input, ...(about ? [hint(about)] : []));
const select = (id, values, value, change) => {
  const made = el("select", {id, onchange: () => change(made.value)}, ...values.map(([each, name]) => el("option", {value: each, selected: String(each) === String(value)}, name)));
  return made;
};
const section = (title, ...inside) => el("section", {}, el("h2", {}, title), ...inside);
const list = buttons => el("div", {className: "options"}, ...buttons);
const begun = (start, game) => ({...form, game: game.id, seats: game.usual, friends: game.usual - 1, options: {}});

export function drawStart({start}) {
  if (!fresh("start", start, now.network, now.words) && $("start").firstChild) return;
  if (start.picked && start.picked.ticket !== told) ticket = told = start.picked.ticket;
  form ??= {...begun(start, start.games[0]), kind: "play", bots: start.bots[0][0], name: start.name};
  draw(start);
}
function draw(start) {
  const {words} = now, focus = document.activeElement?.id;
  const name = el("input", {id: "own-name", value: form.name, maxLength: 40, autocomplete: "nickname", oninput: () => { form.name = name.value; }});
  $("start").replaceChildren(el("p", {}, words.welcome), ...(start.trouble ? [el("p", {className: "trouble", role: "alert"}, start.trouble)] : []),
    ...(start.tables.length ? [section(words["go-on"], list(start.tables.map(one => button(one.name, () => act("resume", {name: one.name}), {className: "resume"}, hint(one.text)))))] : []),
    el("section", {}, field(words["own-name"], name)), play(start), join(start),
    ...(start.finished.length ? [section(words.finished, el("p", {className: "hint"}, words.report),
      list(start.finished.map(one => prover(one.name, {className: "finished"}, el("span", {}, one.name), hint(one.text)))))] : []),
    network(), button(words.quit, () => act("quit"), {id: "quit"}));
  if (focus) $(focus)?.focus();
}
function play(start) {
  const {words} = now, game = start.games.find(one => one.id === form.game), set = change => value => { change(value); draw(start); check(); };
  const kind = (id, text) => el("label", {}, el("input", {type: "radio", name: "kind", id: `kind-${id}`, checked: form.kind === id, onchange: set(() => { form.kind = id; })}), text);
  const option = ({name, title, about, values, default: usual}) => {
    const chosen = form.options[name] ?? usual, id = `option-${name}`;
    const put = value => { if (value === usual) delete form.options[name]; else form.options[name] = value; check(); count(); };
    const input = values ? select(id, values.map(([value, text]) => [value, value === usual ? `${text} (${words.usual})` : text]), chosen, put)
      : el("input", {id, value: chosen, onchange: () => put(input.value.trim() || usual)});
    return field(title, input, about);
  };
  const heading = el("summary", {}), count = () => { heading.textContent = fill(words.variants, {n: Object.keys(form.options).length}); };
  count();
  const host = form.kind === "host", friends = Array.from({length: form.seats}, (_, n) => [n, n]);
  return section(words.new, el("div", {className: "row"}, kind("play", words["against-bots"]), kind("host", words["with-friends"])),
    el("div", {className: "fields"},
      field(words.game, select("game", start.games.map(each => [each.id, each.title]), form.game, set(id => { form = begun(start, start.games.find(each => each.id === id)); }))),
      field(words.seats, select("seats-wanted", game.seats.map(n => [n, n]), form.seats, set(n => { form.seats = +n; form.friends = Math.min(form.friends, n - 1); }))),
      ...(host ? [field(words.friends, select("friends", friends, form.friends, set(n => { form.friends = +n; })))] : []),
      ...(host && form.friends === form.seats - 1 ? [] : [field(words.bots, select("bots", start.bots.map(([id, text]) => [id, `${id}: ${text}`]), form.bots, set(id => { form.bots = id; })))])),
    el("details", {open: $("variants")?.open, id: "variants"}, heading, el("div", {className: "fields"}, ...game.options.map(option))),
    el("p", {className: "trouble", id: "hindrance", role: "alert"}), button(words.begin, () => act("begin", form).then(tell), {className: "key", id: "begin"}));
}
const tell = answer => { if (answer && $("hindrance")) $("hindrance").textContent = answer.ok ? "" : answer.text; };
const check = () => act("check", form).then(answer => { tell(answer); if ($("begin")) $("begin").disabled = !answer?.ok; });
function join(start) {
  const {words} = now, problem = el("p", {className: "trouble", role: "alert"}), found = start.found ?? [];
  const go = name => () => act(name, {ticket, name: form.name}).then(answer => { problem.textContent = answer?.text ?? ""; });
  return section(words.join,
    field(words.paste, el("textarea", {id: "ticket", rows: 3, value: ticket, oninput: event => { ticket = event.target.value; }})),
    ...(start.picked ? [el("p", {}, fill(words["host-words"], start.picked))] : []), problem,
    el("div", {className: "row"}, button(words["sit-down"], go("join"), {className: "key", id: "join"}), button(words.watch, go("watch"), {id: "watch"})),
    el("div", {className: "row"}, button(start.looking ? words.looking : words.look, () => act("look"), {disabled: start.looking, id: "look"})),
    ...(start.found && !found.length ? [el("p", {className: "hint"}, words.nobody)] : []), list(found.map((text, number) => button(text, () => act("ask", {number})))));
}
