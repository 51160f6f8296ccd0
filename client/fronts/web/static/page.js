// Shows the state that the own peer streams, and sends what the person does.
import {$, act, carry, draw, hold, lost, now, post, say} from "./common.js";
import {choose, narrow, search, set} from "./ask.js";
import {back, drawMap, light, seePast, shown, whole, zoom} from "./map.js";
import "./gestures.js";

let tab = "log", sought = {}, asked;

function take(state) {
  const {view, news, ended, words = now.words} = state, step = now.view?.step;
  if (state.words) document.documentElement.lang = state.language;
  Object.assign(now, {view, words, news, ended});
  say("");
  if (step !== view.step) {
    now.taken = [];
    now.found = null;
    $("which").close();
    for (const made of $("ask").querySelectorAll("input")) made.value = made.defaultValue;
  }
  draw(state.html);
  $("end").hidden &&= state.over;
  if (state.map) drawMap(state.map);
  if (!now.past) $("past").value = $("past").max;
  drawTab(); narrow(); light(); tick();
  const question = view.ask?.text ?? view.question;
  document.title = state.title;
  if (question && !asked && document.hidden && window.Notification?.permission === "granted") new Notification("starlock", {body: question, tag: "turn"});
  asked = question;
}
function drawTab() {
  const panels = [...$("sheet").children], own = panels.find(panel => panel.id === tab) ?? $("picture");
  for (const made of $("tabs").children) made.ariaSelected = String(made.dataset.tab === tab);
  for (const panel of panels) panel.hidden = panel !== own;
  $("sheet").setAttribute("aria-labelledby", `tab-${tab}`);
  if (own === $("picture")) act("tab", {name: tab, ...sought});
}
function tick() {
  for (const made of document.querySelectorAll("[data-since]")) {
    const s = Math.max(0, Date.now() / 1000 - made.dataset.since);
    made.textContent = s < 86400 ? new Date(1000 * s).toISOString().slice(11, 19) : `${Math.floor(s / 86400)} d`;
  }
}
setInterval(tick, 1000);

async function prove({dataset}) {
  const opened = open("", "_blank");
  say(dataset.making);
  const answer = await post("/report", JSON.stringify(dataset)), text = await answer.text();
  say(answer.ok ? "" : text);
  if (!answer.ok) opened?.close();
  else (opened ?? window).location = text;
}
function slide(made, by) {
  const slider = made.parentNode.querySelector("input");
  slider.stepUp(by);
  slider.dispatchEvent(new Event("input", {bubbles: true}));
}
const own = {
  "zoom-in": () => zoom(0.8), "zoom-out": () => zoom(1.25), whole, back, prove,
  less: made => slide(made, -1), more: made => slide(made, 1),
  notify: () => Notification.requestPermission(),
  end: () => $("end").toggleAttribute("hidden"),
  close: () => $("which").close(),
  async copy(made) {
    await navigator.clipboard.writeText(made.parentNode.previousSibling.value);
    made.textContent = made.dataset.copied;
  },
};
addEventListener("click", event => {
  const made = event.target.closest("button, [data-place]");
  if (!made) return;
  const {do: does, option, own: name, place, tab: opened} = made.dataset;
  const again = event.detail > 1 && made.name !== "undo";  // a double click is meant for what its first click met
  if (does && !again) carry(does);
  if (option) { $("which").close(); act("pick", {option: +option}); }
  if (name) own[name](made);
  if (opened) { tab = opened; sought = {}; drawTab(); $("sheet").scrollTop = 0; }
  if (place && !shown.dragged && !now.past) choose(place);
});
addEventListener("change", ({target}) => {
  if (target.files) post("/verify", target.files[0]);
  if (target.dataset.fill) act("fill", {field: target.dataset.fill, value: target.value});
  const does = target.selectedOptions?.[0].dataset.do;
  if (does) carry(does);
});
addEventListener("input", ({target}) => {
  if (target.id === "find") search(target);
  else if (target.id === "past") seePast(target);
  else if (target.type === "range") set(target);
});
addEventListener("submit", async event => {
  event.preventDefault();
  const {target} = event, fields = Object.fromEntries(new FormData(target));
  if (target.id === "seek") { sought = fields; drawTab(); }
  else if ((await act(target.name, fields))?.ok) target.reset();
});
addEventListener("mouseover", ({target}) => {
  if (now.view) light(now.view.ask?.options[target.closest("[data-option]")?.dataset.option]?.places);
});

async function follow() {
  for (let tries = 0; !now.ended;) {
    try {
      const answer = await post("/state", '{"html":true}');
      if (!answer.ok) return say(await answer.text());
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (let part; !(part = await reader.read()).done;) {
        const lines = (text + part.value).split("\n");
        text = lines.pop();
        for (const line of lines) if (line) take(JSON.parse(line));
        tries = 0;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) console.error(error);
      now.ended = ++tries > 4;  // the program has ended
      lost();
      await new Promise(done => setTimeout(done, 1000));
    }
  }
  lost();
}
if (location.hash.length > 1) {
  const answer = await post("/key", location.hash.slice(1));
  if (answer.ok) hold(await answer.text());
  history.replaceState(null, "", "/");
}
follow();
