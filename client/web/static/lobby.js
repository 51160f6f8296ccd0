// Before the table begins: the ticket to give to the others, who is there, and what is going to be played.
import {$, act, button, el, now} from "./common.js";

const SVG = "http://www.w3.org/2000/svg";
function code([size, path]) {
  const svg = document.createElementNS(SVG, "svg"), dark = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("class", "qr");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", now.words.qr);
  dark.setAttribute("d", path);
  svg.append(dark);
  return svg;
}
export function drawLobby(lobby, qr) {
  const {words} = now, parts = [el("h2", {}, lobby.game ? `${words.lobby}: ${lobby.game}` : words.lobby)];
  if (!now.view.lobby) return;
  if (lobby.names.length) parts.push(el("h3", {}, words.there), el("ul", {}, ...lobby.names.map(name => el("li", {}, name))));
  if (lobby.free !== null) parts.push(el("p", {}, words.free.replace("{n}", lobby.free)));
  if (lobby.ticket) {
    const field = el("textarea", {readOnly: true, value: lobby.ticket, rows: 4, ariaLabel: words.ticket, onfocus: () => field.select()});
    const copy = button(words.copy, async () => { await navigator.clipboard.writeText(lobby.ticket); copy.textContent = words.copied; }, {className: "key"});
    parts.push(el("h3", {}, words.ticket), el("p", {className: "hint"}, words.give), field, el("div", {className: "row"}, copy), ...(qr ? [code(qr)] : []));
  }
  if (lobby.options.length) parts.push(el("h3", {}, words.options), el("dl", {}, ...lobby.options.flatMap(([name, value, about]) =>
    [el("dt", {}, `${name}: ${value}`), el("dd", {className: "hint"}, about)])));
  parts.push(button(words.away, () => act("leave"), {id: "away"}));
  $("lobby").replaceChildren(...parts);
}
