// Before the table begins: the ticket to give to the others, who is there, and what is going to be played.
import {$, act, button, el, fill, fresh, hint, now} from "./common.js";
import {put} from "./map.js";
import {network} from "./network.js";
import "./more.js";

// A seat: who sits there, the words to compare aloud, the link; what may be done with it.
function place(lobby, door, seat) {
  const {words} = now, one = lobby.places.find(each => each.seat === seat), letter = el("b", {className: `seat-${seat}`}, String.fromCharCode(65 + seat));
  if (!one) return el("li", {}, letter, ` ${words.open} `, ...(door?.bots ? [button(words["let-bot"], () => act("bot", {seat}), {className: "bot"})] : []));
  const ready = button(one.ready ? words["not-ready"] : words.ready, () => act("ready", {yes: !one.ready}), {className: one.ready ? "ready" : "ready key"});
  const wish = el("select", {ariaLabel: words.wish, className: "wish", onchange: event => act("wish", {word: event.target.value})},
    ...[["", words["no-wish"]], ...(door?.wishes ?? [])].map(([id, name]) => el("option", {value: id, selected: id === door?.wish}, name)));
  const wished = door?.wishes.find(([id]) => id === one.wish)?.[1] ?? one.wish;
  return el("li", {}, letter, ` ${one.name} `, ...(one.mine ? [`(${words.here}) `] : [hint(`${one.link || words["by-host"]}${one.rtt === null ? "" : ` ${one.rtt} ms`} `)]),
    hint(one.ready ? words["is-ready"] : words["is-not-ready"]), ...(one.mine || !one.wish ? [] : [hint(` ${words.wish}: ${wished} `)]),
    ...(one.words && !one.mine && !one.bot ? [el("div", {className: "hint"}, fill(words.compare, {name: one.name, words: one.words}))] : []),
    ...(one.mine && door ? [el("div", {className: "row"}, ready, ...(door.wishes.length ? [wish] : []))] : []),
    ...(door?.inviting && !one.mine ? [button(words["take-back"], () => act("remove", {seat}), {className: "remove"})] : []));
}
export function drawLobby(lobby, qr, door) {
  const {words} = now, parts = [el("h2", {}, lobby.game ? `${words.lobby}: ${door?.title ?? lobby.game}` : words.lobby)];
  if (!now.view.lobby || !fresh("lobby", lobby, door, now.network, words) && $("lobby").firstChild) return;
  if (lobby.places.length) parts.push(el("h3", {}, words.there), el("ul", {id: "places"}, ...Array.from({length: lobby.seats}, (_, seat) => place(lobby, door, seat))));
  else if (lobby.names.length) parts.push(el("h3", {}, words.there), el("ul", {}, ...lobby.names.map(name => el("li", {}, name))));
  if (lobby.watching.length) parts.push(el("p", {className: "hint"}, `${words.watching}: ${lobby.watching.map(one => one.words).join(", ")}`));
  if (lobby.free !== null) parts.push(el("p", {}, fill(words.free, {n: lobby.free})));
  if (lobby.ticket) {
    const field = el("textarea", {readOnly: true, value: lobby.ticket, rows: 4, ariaLabel: words.ticket, onfocus: () => field.select()});
    const copy = button(words.copy, async () => { await navigator.clipboard.writeText(lobby.ticket); copy.textContent = words.copied; }, {className: "key"});
    parts.push(el("h3", {}, words.ticket), el("p", {className: "hint"}, words.give), field, el("div", {className: "row"}, copy), ...(qr ? [put(el("div", {className: "qr"}), qr)] : []));
  }
  if (lobby.options.length) parts.push(el("h3", {}, words.options), el("dl", {}, ...lobby.options.flatMap(([, , about, title, text]) =>
    [el("dt", {}, `${title}: ${text}`), el("dd", {className: "hint"}, about)])));
  parts.push(...(door ? [network()] : []), button(words.away, () => act("leave"), {id: "away"}));
  $("lobby").replaceChildren(...parts);
}
