// Shows the state that the own peer streams, and sends what the person does.
import {$, act, button, el, hint, hold, later, now, post, say} from "./common.js";
import {begin, drawMap, light, news, untake} from "./map.js";
import {choose, drawAsk, forget} from "./ask.js";

let tab = "log", asked = false;

function drawTable() {
  const {view, words} = now, stamp = Date.now() / 1000;
  $("status").textContent = view.status;
  $("seats").replaceChildren(...view.seats.map((seat, n) => el("li", {className: seat.owes || seat.since ? "owes" : ""},
    el("b", {className: `seat-${n}`}, seat.letter), ` ${seat.name} ${seat.mine ? `(${words.here})` : seat.linked ? "" : `(${words["no-link"]})`} `,
    ...seat.figures.map(([name, n]) => `${name} ${n} `), hint(`${seat.owes} ${seat.since ? clock(stamp - seat.since) : ""}`))));
  $("votes").replaceChildren(...view.stopped.concat(view.votes).map(vote => later("./votes.js", one => one.draw(vote))));
}
const clock = s => s < 86400 ? new Date(1000 * Math.max(0, s)).toISOString().slice(s < 3600 ? 14 : 11, 19) : `${Math.floor(s / 86400)} d`;
setInterval(() => { if (now.view?.seats.some(seat => seat.since)) drawTable(); }, 1000);

function drawTabs() {
  const {words} = now, names = [["log", words.log], ["chat", words.chat], ...now.pictures, ["replay", words.replay], ["table", words.table]];
  $("tabs").replaceChildren(...names.map(([name, title, about]) => button(title,
    () => { tab = name; $("sheet").scrollTop = 0; drawTabs(); drawSheet(true); }, {role: "tab", id: `tab-${name}`, ariaSelected: String(tab === name), title: about ?? ""})));
  $("sheet").setAttribute("aria-labelledby", `tab-${tab}`);
}
async function drawSheet(fresh = false) {
  const {words, log} = now, part = $("sheet"), mine = tab;
  if (tab !== "log") return (await import("./tabs.js")).drawTab(tab, part, fresh, () => tab === mine);
  part.replaceChildren(...log.slice(-300).map(told => el("p", {className: `${told.undone ? "undone" : ""} ${news(told) ? "since" : ""}`, title: news(told) ? words.since : ""}, told.text)));
  part.scrollTop = part.scrollHeight;
}
function turn() {
  const {view, words} = now, mine = Boolean(view.ask || view.question);
  document.title = (mine ? `● ${words["my-turn"]} – ` : "") + "starlock";
  if (mine && !asked && document.hidden && window.Notification?.permission === "granted") new Notification("starlock", {body: view.ask?.text ?? view.question, tag: "turn"});
  asked = mine;
}
function take(state) {
  const step = now.view?.step, {view} = state;
  now.view = view;
  if (state.words) {
    now.words = state.words;
    document.documentElement.lang = state.language;
    $("language").value = state.language;
    $("language").ariaLabel = now.words.language;
    begin(choose);
    now.log = []; now.chat = [];
  }
  now.log = [...now.log.slice(0, view.log_from), ...view.log];
  now.chat = [...now.chat.slice(0, view.chat_from), ...view.chat];
  for (const name of ["over", "ended", "network"]) now[name] = state[name];
  if (state.start && !state.ended) import("./start.js").then(start => start.drawStart(state));
  else if ($("start").firstChild) $("start").replaceChildren();
  if (step !== view.step) { untake(); forget(); if ($("which").open) $("which").close(); }
  $("lines").replaceChildren(...state.lines.map(text => el("p", {}, text)));
  if (state.left) $("lines").append(el("p", {className: "hint"}, now.words.left));
  $("fight").replaceChildren(...(state.fight.length ? [later("./sheet.js", one => one.sheet(state.fight))] : []));
  if (state.over) import("./end.js").then(end => end.drawEnd(state));
  else $("end").hidden = true;
  if (state.words || state.pictures.length !== now.pictures.length) { now.pictures = state.pictures; drawTabs(); }
  if ("map" in state && view.game) drawMap(state.map).then(() => light());
  if (view.lobby) import("./lobby.js").then(lobby => lobby.drawLobby(view.lobby, state.qr, state.door));
  else $("lobby").replaceChildren();
  drawTable(); drawAsk(); light(); drawSheet(); turn();
}
async function follow() {
  for (;;) {
    let lost = true;  // the stream did not end by itself
    try {
      const answer = await post("/state", "{}");
      if (answer.status === 403) return $("ask").replaceChildren(await answer.text());
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const {value, done} = await reader.read();
        if (done) { lost = false; break; }
        text += value;
        const lines = text.split("\n");
        text = lines.pop();
        for (const line of lines) if (line) take(JSON.parse(line));
      }
    } catch (error) { if (!(error instanceof TypeError)) console.error(error); }
    if (now.ended) return say(now.words.closed);
    if (lost && now.words.lost) say(now.words.lost);
    if (lost) await new Promise(done => setTimeout(done, 1000));
  }
}
$("language").onchange = event => act("language", {language: event.target.value});
if (location.hash.length > 1) {
  const answer = await fetch("/key", {method: "POST", body: location.hash.slice(1)});
  if (answer.ok) hold(await answer.text());
  history.replaceState(null, "", "/");
}
follow();
