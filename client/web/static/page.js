// The page of starlock: shows the state that its own peer streams, and sends what the person does.
const $ = id => document.getElementById(id);
const policy = window.trustedTypes?.createPolicy("starlock", {createHTML: text => text}) ?? {createHTML: text => text};
let key = sessionStorage.getItem("key" + location.port), words = {}, view, log = [], chat = [], pictures = [], tab = "log";
let taken = [], over = false, box, whole, asked = false, seen = 0, find = "", sheet;

const el = (name, props = {}, ...children) => {
  const made = Object.assign(document.createElement(name), props);
  made.append(...children);
  return made;
};
const button = (text, act, props = {}) => el("button", {type: "button", onclick: act, ...props}, text);
const runs = lines => el("pre", {}, ...lines.flatMap(line => [...line.map(([style, text]) => el("span", {className: style}, text)), "\n"]));
const post = (path, body) => fetch(path, {method: "POST", headers: {"X-Starlock": key ?? ""}, body});

async function act(name, fields = {}) {
  try {
    const answer = await (await post("/do", JSON.stringify({act: name, step: view.step, ...fields}))).json();
    if (!answer.ok) say(answer.text);
    return answer;
  } catch { say(words.lost ?? "?"); }
}
const say = text => $("lines").append(el("p", {className: "price"}, text));

// The ask ------------------------------------------------------------------------------------------------------------
function option(one, index) {
  const price = one.price.map(([name, n]) => `${name} ${n > 0 ? "+" : ""}${n}`).join(", ");
  return button("", () => act("pick", {option: index}), {title: one.text, onmouseenter: () => light(one.places), onmouseleave: () => light()},
  ).appendChild(el("span", {}, one.title)).parentNode.appendChild(el("span", {className: "hint"}, one.hint)).parentNode
    .appendChild(el("span", {className: "price"}, price)).parentNode;
}
const fits = one => taken.every((place, at) => one.places[at] === place);

function drawAsk() {
  const ask = view.ask, part = $("ask"), focus = document.activeElement?.title;
  part.replaceChildren();
  if (view.question) part.append(el("h2", {}, view.question), el("div", {className: "row"},
    button(words.yes, () => act("reply", {yes: true}), {className: "key"}), button(words.no, () => act("reply", {yes: false}))));
  else if (ask) {
    part.append(el("h2", {}, ask.text));
    if (ask.before.length) part.append(runs(ask.before));
    if (ask.so_far) part.append(el("p", {}, `${words["so-far"]} ${ask.so_far}`));
    if (ask.options.length > 12) part.append(el("input", {type: "search", placeholder: words.filter, value: find, ariaLabel: words.filter,
      oninput: event => { find = event.target.value; fill(); }}));
    const list = el("div", {className: "options"});
    const fill = () => list.replaceChildren(...[false, true].flatMap(aside => {
      const some = ask.options.map((one, at) => [one, at]).filter(([one]) => one.aside === aside && fits(one)
        && `${one.title} ${one.text}`.toLowerCase().includes(find.toLowerCase()));
      return [...(aside && some.length ? [el("h3", {}, words.aside)] : []), ...some.map(([one, at]) => option(one, at))];
    }));
    fill();
    part.append(list);
    if (ask.hold) part.append(button(words.hold, () => act("hold")));
    if (ask.refused.length) part.append(el("details", {}, el("summary", {}, words.refused),
      ...ask.refused.map(each => el("p", {}, `${each.texts.slice(0, 4).join(", ")}${each.texts.length > 4 ? " …" : ""}: ${each.reason}`))));
  } else if (!view.sendable) part.append(el("p", {}, view.held.length ? words.holding : over ? words.over
    : view.waiting.length ? words["waiting-for"].replace("{names}", view.waiting.join(", ")) : words["ask-nothing"]));
  if (view.picked.length) part.append(el("p", {}, `${words.picked} ${view.picked.join("; ")}`));
  const drafted = view.picked.length || ask?.so_far;
  if (drafted) part.append(el("div", {className: "row"},
    button(words.undo, () => act("undo")), button(words.reset, () => act("reset")),
    ...(view.sendable ? [button(words.send, () => act("send"), {className: "key", id: "send", title: words["send-final"]})] : [])),
    ...(view.sendable ? [el("p", {className: "hint"}, words["send-final"])] : []));
  if (focus) [...part.querySelectorAll("button")].find(each => each.title === focus)?.focus();
}

// The map ------------------------------------------------------------------------------------------------------------
const spaces = () => $("map").querySelectorAll("[data-place]");
function light(only) {
  const next = only ?? (view.ask?.options ?? []).filter(fits).map(one => one.places[taken.length]).filter(Boolean);
  const news = seen ? log.slice(seen).flatMap(told => told.places) : [];
  for (const space of spaces()) {
    space.classList.toggle("news", news.includes(space.dataset.place));
    space.classList.toggle("legal", next.includes(space.dataset.place));
    space.classList.toggle("taken", taken.includes(space.dataset.place));
  }
}
function choose(place) {
  const options = (view.ask?.options ?? []).map((one, at) => [one, at]).filter(([one]) => fits(one) && one.places[taken.length] === place);
  if (!options.length) { taken = []; light(); drawAsk(); return; }
  const whole = options.filter(([one]) => one.places.length === taken.length + 1);
  if (options.length === 1) act("pick", {option: options[0][1]});
  else if (whole.length === options.length) {
    const close = () => $("which").close();
    $("which").replaceChildren(el("h2", {}, words.several), el("div", {className: "options"},
      ...options.map(([one, at]) => { const made = option(one, at); made.addEventListener("click", close); return made; })), button(words.no, close));
    $("which").showModal();
  } else { taken.push(place); light(); drawAsk(); }
}
function drawMap(svg) {
  const holder = $("map"), focus = document.activeElement?.dataset?.place;
  if (!svg) return picture("map", holder);
  holder.innerHTML = policy.createHTML(svg);
  const all = holder.querySelector("svg").dataset.whole;
  if (!box || box.join(" ") === whole) box = all.split(" ").map(Number);
  whole = all;
  zoom(1);
  for (const space of spaces()) if (space.dataset.place === focus) space.focus();
}
async function picture(name, holder, text = "") {
  const answer = await act("picture", {name, words: text});
  if (answer?.ok) holder.replaceChildren(runs(answer.lines));
}
function zoom(factor, x = box[0] + box[2] / 2, y = box[1] + box[3] / 2) {
  box = [x - (x - box[0]) * factor, y - (y - box[1]) * factor, box[2] * factor, box[3] * factor];
  $("map").querySelector("svg")?.setAttribute("viewBox", box.join(" "));
}
const move = (dx, dy) => { box[0] += dx; box[1] += dy; zoom(1); };
const at = event => {
  const svg = $("map").querySelector("svg"), point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [point.x, point.y];
};
$("map").addEventListener("click", event => { const space = event.target.closest("[data-place]"); if (space && !dragged) choose(space.dataset.place); });
$("map").addEventListener("wheel", event => { if (box) { event.preventDefault(); zoom(event.deltaY > 0 ? 1.15 : 0.87, ...at(event)); } }, {passive: false});
const fingers = new Map();
let dragged = false;
$("map").addEventListener("pointerdown", event => { fingers.set(event.pointerId, [event.clientX, event.clientY]); dragged = false; });
addEventListener("pointerup", event => fingers.delete(event.pointerId));
addEventListener("pointercancel", event => fingers.delete(event.pointerId));
$("map").addEventListener("pointermove", event => {
  const last = fingers.get(event.pointerId);
  if (!last || !box) return;
  const scale = box[2] / $("map").clientWidth, dx = event.clientX - last[0], dy = event.clientY - last[1];
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1], gap = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
    zoom(gap(last, other) / gap([event.clientX, event.clientY], other));
  } else if (dragged || Math.hypot(dx, dy) > 4) { dragged = true; move(-dx * scale, -dy * scale); } else return;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
$("map").addEventListener("keydown", event => {
  const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key], here = event.target.closest("[data-place]");
  if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 0.8 : 1.25);
  else if (here && (event.key === "Enter" || event.key === " ")) choose(here.dataset.place);
  else if (event.key === "Escape") { taken = []; light(); drawAsk(); }
  else if (here && step) {
    const middle = node => { const r = node.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }, [x, y] = middle(here);
    const far = node => { const [a, b] = middle(node), along = (a - x) * step[0] + (b - y) * step[1], off = Math.abs((a - x) * step[1] + (b - y) * step[0]); return along > 1 ? along + 2 * off : Infinity; };
    const next = [...spaces()].reduce((best, node) => far(node) < far(best) ? node : best, here);
    next.focus();
  } else return;
  event.preventDefault();
});

// The rest of the table ----------------------------------------------------------------------------------------------
function drawTable() {
  $("status").textContent = view.status;
  $("seats").replaceChildren(...view.seats.map((seat, n) => el("li", {className: seat.owes || view.waiting.includes(seat.name) ? "owes" : "", title: seat.owes},
    el("b", {className: `seat-${n}`}, seat.letter), ` ${seat.name} ${seat.mine ? `(${words.here})` : seat.linked ? "" : `(${words["no-link"]})`} `,
    ...seat.figures.map(([name, n]) => `${name} ${n} `))));
  $("votes").replaceChildren(...view.votes.map(vote => el("div", {}, el("p", {}, words.proposal.replace(/{(\w+)}/g, (_, key) => ({name: vote.name, what: vote.text})[key])), el("div", {className: "row"},
    button(words.yes, () => act("vote", {id: vote.id, yes: true}), {className: "key"}), button(words.no, () => act("vote", {id: vote.id, yes: false}))))));
}
function drawTabs() {
  const names = [["log", words.log], ["chat", words.chat], ...pictures.filter(([name]) => name !== "map"), ["table", words.table]];
  $("tabs").replaceChildren(...names.map(([name, title]) => button(name === "log" || name === "chat" || name === "table" ? title : name,
    () => { tab = name; drawTabs(); drawSheet(); }, {role: "tab", ariaSelected: String(tab === name), title})));
}
function drawSheet() {
  sheet = $("sheet");
  if (tab === "log") sheet.replaceChildren(el("h3", {}, log.length > seen && seen ? words.since : ""), ...log.slice(-300).map((told, at) => el("p",
    {className: `${told.undone ? "undone" : ""} ${log.length - Math.min(300, log.length) + at >= seen ? "since" : ""}`}, told.text)));
  else if (tab === "chat") {
    if (!sheet.querySelector("form")) sheet.replaceChildren(el("div"), el("form", {onsubmit: event => {
      event.preventDefault();
      const field = event.target.firstChild;
      if (field.value) act("chat", {text: field.value});
      field.value = "";
    }}, el("input", {placeholder: words.say, ariaLabel: words.say, maxLength: 400})));
    sheet.firstChild.replaceChildren(...chat.map(said => el("p", {}, el("b", {}, `${said.name}: `), said.text)));
  } else if (tab === "table") sheet.replaceChildren(el("div", {className: "row"},
    button(words.takeback, () => act("propose", {kind: "takeback"})), button(words.end, () => act("propose", {kind: "end"})),
    button(words.notify, () => Notification.requestPermission()), button(words.leave, () => act("leave"))));
  else picture(tab, sheet);
  if (tab !== "table") sheet.scrollTop = sheet.scrollHeight;
}
function turn() {
  const mine = Boolean(view.ask || view.question);
  document.title = (mine ? `● ${words["my-turn"]} – ` : "") + "starlock";
  if (mine && !asked && document.hidden && window.Notification?.permission === "granted") new Notification("starlock", {body: view.ask?.text ?? view.question, tag: "turn"});
  if (!mine && asked) seen = log.length;
  asked = mine;
}
function take(state) {
  const step = view?.step;
  view = state.view;
  if (state.words) {
    words = state.words;
    document.documentElement.lang = state.language;
    $("tools").replaceChildren(button("+", () => zoom(0.8), {title: words["zoom-in"], ariaLabel: words["zoom-in"]}),
      button("−", () => zoom(1.25), {title: words["zoom-out"], ariaLabel: words["zoom-out"]}),
      button("□", () => { if (whole) { box = whole.split(" ").map(Number); zoom(1); } }, {title: words.whole, ariaLabel: words.whole}));
    $("board").ariaLabel = words.map;
    log = []; chat = [];
  }
  log = [...log.slice(0, view.log_from), ...view.log];
  chat = [...chat.slice(0, view.chat_from), ...view.chat];
  over = state.over;
  if (step !== view.step) { taken = []; find = ""; if ($("which").open) $("which").close(); }
  $("lines").replaceChildren(...state.lines.map(text => el("p", {}, text)));
  if (over || state.left) $("lines").append(el("p", {className: "hint"}, over ? words.over : words.left));
  if (state.pictures.length !== pictures.length) { pictures = state.pictures; drawTabs(); }
  if ("map" in state && view.game) drawMap(state.map);
  drawTable(); drawAsk(); light(); drawSheet(); turn();
}
async function follow() {
  for (;;) {
    try {
      const answer = await post("/state", "{}");
      if (answer.status === 403) return $("ask").replaceChildren(words.used ?? "This link was used already. Type page in the terminal for a new one.");
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const {value, done} = await reader.read();
        if (done) break;
        text += value;
        const lines = text.split("\n");
        text = lines.pop();
        for (const line of lines) if (line) take(JSON.parse(line));
      }
    } catch (error) { if (!(error instanceof TypeError)) console.error(error); }
    if (over) return say(words.closed);
    if (words.lost) say(words.lost);
    await new Promise(done => setTimeout(done, 1000));
  }
}
if (location.hash.length > 1) {
  const answer = await fetch("/key", {method: "POST", body: location.hash.slice(1)});
  if (answer.ok) sessionStorage.setItem("key" + location.port, key = await answer.text());
  history.replaceState(null, "", "/");
}
follow();
